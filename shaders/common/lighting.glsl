// Light on a surface: a soft key light, a fill light opposite to it and an ambient part, all fixed to the camera.
#include "common/frame.glsl"
#include "common/colour.glsl"

// Numbers of Material in render/look.h.
const int standard = 0, matt = 1, glossy = 2, metal = 3, toon = 4, glass = 5;

// How lit and of which material a surface is, in the alpha channel of its albedo: 0 is unlit.
float pack_material(float lit, int material) { return lit > 0.5 ? 1.0 - 0.05 * float(material) : 0.0; }
bool is_lit(float packed_material) { return packed_material > 0.5; }
// Of caps: unlit, but with an outline.
const float cap_material = 0.4;
bool has_outline(float packed_material) { return packed_material > 0.3; }
int unpack_material(float packed_material) { return int(round((1.0 - packed_material) * 20.0)); }

// `albedo` and the result are linear; `open` is the ambient visibility, `lit` what the key light reaches. The highlight
// comes apart, since what is transparent reflects as much as what is not.
vec3 shade(vec3 position, vec3 normal, vec3 albedo, float open, float lit, int material, out vec3 highlight) {
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
  float specular = frame.lighting.z, shininess = frame.lighting.w;
  vec3 tint = vec3(1.0);
  float rim = pow(1.0 - clamp(dot(normal, eye), 0.0, 1.0), 5.0);
  if (material == matt) specular = 0.0;
  if (material == glossy || material == glass) {
    specular = 0.35 + 1.6 * specular;
    shininess *= 2.5;
  }
  float shine = pow(max(dot(normal, half_way), 0.0), shininess) * smoothstep(-0.05, 0.25, facing);
  if (material == toon) {
    // Steps with soft edges, so that they do not flicker.
    diffuse = frame.lighting.y * lit * vec3(0.35 + 0.35 * smoothstep(0.28, 0.32, key) + 0.3 * smoothstep(0.68, 0.72, key));
    shine = smoothstep(0.45, 0.55, shine);
  }
  highlight = vec3(specular * shine * lit * open * open);
  if (material == glossy || material == glass) highlight += 0.25 * rim * open;
  if (material == metal) {
    // A sky above and a dark ground below, mirrored.
    vec3 mirrored = reflect(-eye, normal);
    float sky = mix(0.12, 0.95, smoothstep(-0.35, 0.6, mirrored.y)) * open;
    tint = mix(albedo, vec3(1.0), 0.15 + 0.85 * rim);
    ambient *= 0.45;
    diffuse *= 0.5;
    highlight = tint * (0.55 * sky + (0.5 + 1.5 * specular) * shine * lit * open);
  }
  return albedo * (ambient + diffuse);
}

// The whole of it, of what is opaque.
vec3 shade(vec3 position, vec3 normal, vec3 albedo, float open, float lit, int material) {
  vec3 highlight;
  vec3 body = shade(position, normal, albedo, open, lit, material, highlight);
  return body + highlight;
}
