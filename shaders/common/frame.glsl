// What every shader knows of the picture: camera, size, light. Mirrors FrameBlock in render/pass/frame.h.
layout(std140, binding = 0) uniform Frame {
  mat4 view;
  mat4 projection;
  mat4 shadow;       // eye -> the light's texture coordinates and depth
  vec4 unproject;    // 1/P00, 1/P11, offsets: see eye_position
  vec4 depth_terms;  // P22, P32, near, far
  vec4 region;       // left and bottom of the region in the picture, the picture's width and height: pixels
  vec4 size;         // width and height of the region, pixels per logical pixel, 1 for orthographic
  vec4 light;        // towards the key light, eye axes; w: 1 with shadows
  vec4 lighting;     // ambient, diffuse, specular, shininess
  vec4 fog;          // begin, end (distance along the line of sight), strength; w: number of the sub-pixel sample
  vec4 occlusion;    // radius (angstrom), strength, largest radius (pixels), number of sub-pixel samples
  vec4 background;   // sRGB
  vec4 background_bottom;
  vec4 outline;      // width (pixels), strength, depth step (angstrom), fast (1)
  vec4 lens;         // blur (pixels) one radius off the sharp plane, distance of that plane, radius (angstrom)
  vec4 planes[6];    // clipping planes in eye space: what is above 0 is beyond them and cut away
} frame;

// PERSPECTIVE says so before it is compiled: a software rasteriser goes through both sides of every condition.
bool orthographic() {
#if defined(PERSPECTIVE)
  return false;
#else
  return frame.size.w > 0.5;
#endif
}

float window_depth(float eye_z) {
  float clip = frame.depth_terms.x * eye_z + frame.depth_terms.y;
  return 0.5 + 0.5 * (orthographic() ? clip : -clip / eye_z);
}

float eye_z(float depth) {
  float ndc = 2.0 * depth - 1.0;
  return orthographic() ? (ndc - frame.depth_terms.y) / frame.depth_terms.x
                        : -frame.depth_terms.y / (ndc + frame.depth_terms.x);
}

// Eye position of a pixel of the region (gl_FragCoord.xy) at a depth.
vec3 eye_position(vec2 pixel, float depth) {
  float z = eye_z(depth);
  vec2 slope = pixel * (2.0 / frame.size.xy * frame.unproject.xy) + (frame.unproject.zw - 1.0) * frame.unproject.xy;
  return vec3(orthographic() ? slope : -z * slope, z);
}

vec3 towards_eye(vec3 position) { return orthographic() ? vec3(0, 0, 1) : normalize(-position); }

// How much a point has faded into the background.
float fog_at(float z) {
  float t = clamp((-z - frame.fog.x) / max(frame.fog.y - frame.fog.x, 1e-6), 0.0, 1.0);
  return frame.fog.z * t;
}
