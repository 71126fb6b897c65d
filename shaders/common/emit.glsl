// Where a fragment goes. PASS_GEOMETRY: what lies nearest, for the passes over the picture. PASS_LAYER: the next layer
// of what is transparent. PASS_OVERLAY: shaded at once. PASS_SHADOW: depth alone. PASS_MASK: that something is there.
// PASS_CROSSING: 1, to be added up.
#include "common/lighting.glsl"
#include "common/normal.glsl"

uniform uint item;      // its place in the list, from 1
uniform float opacity;  // of the item
uniform float lit;      // 1 where the light matters
uniform int material;   // of render/look.h

#if defined(PASS_GEOMETRY)
layout(location = 0) out vec4 out_albedo;
layout(location = 1) out vec2 out_normal;
layout(location = 2) out uvec2 out_id;
#elif defined(PASS_LAYER)
layout(location = 0) out vec4 out_colour;
layout(location = 1) out uvec2 out_id;
layout(binding = 0) uniform sampler2D opaque_depth;
layout(binding = 1) uniform sampler2D layer_depth;
#elif defined(PASS_OVERLAY) || defined(PASS_MASK) || defined(PASS_CROSSING)
layout(location = 0) out vec4 out_colour;
#if defined(PASS_MASK)
layout(binding = 0) uniform sampler2D opaque_depth;
#endif
#endif

// `colour` is straight sRGB; `part` the number of the primitive within the item.
void emit(vec3 position, vec3 normal, vec4 colour, float depth, uint part) {
#if defined(PASS_GEOMETRY)
  out_albedo = vec4(colour.rgb, pack_material(lit, material));
  out_normal = pack_normal(normal);
  out_id = uvec2(item, part);
#elif defined(PASS_LAYER)
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  if (depth >= texelFetch(opaque_depth, pixel, 0).x || depth <= texelFetch(layer_depth, pixel, 0).x) discard;
  vec3 linear = to_linear(colour.rgb), highlight = vec3(0.0);
  if (lit > 0.5) linear = shade(position, normal, linear, 1.0, 1.0, material, highlight);
  float alpha = colour.a * opacity;
  float facing = abs(dot(normal, towards_eye(position)));
  if (material == glass) {
    alpha *= mix(0.14, 1.0, pow(1.0 - facing, 2.2));
  }
#if defined(THIN_SHEET)
  // A thin sheet seen along itself is thicker, and so less transparent.
  else if (lit > 0.5) alpha = 1.0 - pow(1.0 - alpha, 1.0 / max(facing, 0.25));
#endif
  float seen = 1.0 - fog_at(position.z);
  // Glass shines as brightly as what is solid; of other transparent things the highlight is as thin as they are.
  float glint = material == glass ? clamp(max(max(highlight.r, highlight.g), highlight.b), 0.0, 1.0) : 0.0;
  vec3 sum = material == glass ? linear * alpha + highlight : (linear + highlight) * alpha;
  out_colour = vec4(sum, max(alpha, glint)) * seen;
  out_id = uvec2(item, part);
#elif defined(PASS_OVERLAY)
  vec3 linear = to_linear(colour.rgb);
  if (lit > 0.5) linear = shade(position, normal, linear, 1.0, 1.0, material);
  out_colour = vec4(linear, 1.0);
#elif defined(PASS_MASK)
  float behind = depth > texelFetch(opaque_depth, ivec2(gl_FragCoord.xy), 0).x + 1e-6 ? 0.0 : 1.0;
  out_colour = vec4(1.0, behind, 0.0, 0.0);
#elif defined(PASS_CROSSING)
  out_colour = vec4(1.0, 0.0, 0.0, 0.0);
#endif
}
