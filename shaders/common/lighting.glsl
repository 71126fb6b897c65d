// Light on a surface: a soft key light, a fill light opposite to it and an ambient part, all fixed to the camera.
#include "common/frame.glsl"
#include "common/colour.glsl"

// `albedo` and the result are linear; `open` is the ambient visibility, `lit` what the key light reaches.
vec3 shade(vec3 position, vec3 normal, vec3 albedo, float open, float lit) {
  vec3 eye = towards_eye(position);
  vec3 light = frame.light.xyz;
  float facing = dot(normal, light);
  float key = max((facing + 0.15) / 1.15, 0.0);
  vec3 fill_direction = normalize(vec3(-light.x, -0.25 * light.y, 0.6));
  float fill = 0.5 + 0.5 * dot(normal, fill_direction);
  // Light that goes to and fro in a hollow takes the colour of its walls (Jimenez et al. 2016).
  vec3 a = 2.0404 * albedo - 0.3324, b = 4.7951 * albedo - 0.6417, c = 2.7552 * albedo + 0.6903;
  vec3 visible = max(vec3(open), ((open * a - b) * open + c) * open);
  vec3 ambient = frame.lighting.x * (0.55 + 0.75 * fill) * visible;
  vec3 diffuse = frame.lighting.y * key * lit * mix(vec3(1.0), visible, 0.6);
  vec3 half_way = normalize(light + eye);
  float shine = pow(max(dot(normal, half_way), 0.0), frame.lighting.w) * smoothstep(-0.05, 0.25, facing);
  return albedo * (ambient + diffuse) + frame.lighting.z * shine * lit * open * open;
}
