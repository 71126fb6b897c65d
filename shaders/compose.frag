#version 450 core
// One sub-pixel sample of the finished picture: light, ambient occlusion, outlines, depth cue, transparent layers and
// background; linear and premultiplied, to be added up.
#include "common/lighting.glsl"
#include "common/normal.glsl"

layout(binding = 0) uniform sampler2D albedo_texture;
layout(binding = 1) uniform sampler2D normal_texture;
layout(binding = 2) uniform sampler2D depth_texture;
layout(binding = 3) uniform sampler2D occlusion_texture;
layout(binding = 4) uniform sampler2D layers_texture;
layout(binding = 5) uniform sampler2D mask_texture;
layout(binding = 6) uniform sampler2D shadow_texture;
layout(binding = 7) uniform sampler2D front_depth_texture;
layout(binding = 8) uniform sampler2D clouds_texture;
layout(location = 0) out vec4 out_colour;

uniform int transparent_background;

// What a picture does not have is left out by the preprocessor: a software rasteriser goes through both sides of every
// condition. EMPTY: nothing opaque is there, and else something is: a depth test tells them apart. OUTLINES (SKETCHED: along two directions alone; OWN_OUTLINES: of each item its own;
// RIMS: all that is opaque has one), SHADOWS, OCCLUSION (UNBLURRED: of one of
// several samples), CLOUDS, LAYERS, MASK; STANDARD: all is of that material.

int material_of(float packed_material) {
#if defined(STANDARD)
  return standard;
#else
  return unpack_material(packed_material);
#endif
}

ivec2 inside(ivec2 pixel) { return clamp(pixel, ivec2(0), ivec2(frame.size.xy) - 1); }

// What lies nearest at a pixel: what is opaque alone, or the front transparent layer, too.
float nearest(ivec2 pixel, bool with_layer) {
  float depth = texelFetch(depth_texture, pixel, 0).x;
  return with_layer ? min(depth, texelFetch(front_depth_texture, pixel, 0).x) : depth;
}

// True where a line may border on the surface at a pixel: lines and points have none; of the transparent layers' lines
// only those count that the layer itself makes.
bool has_rim(ivec2 pixel, bool of_layer) {
  if (of_layer) return texelFetch(front_depth_texture, pixel, 0).x < texelFetch(depth_texture, pixel, 0).x;
#if defined(RIMS)
  return true;
#else
  return has_outline(texelFetch(albedo_texture, pixel, 0).a);
#endif
}

#if defined(OWN_OUTLINES)
layout(binding = 9) uniform usampler2D id_texture;
layout(binding = 10) uniform usampler2D front_id_texture;
// How many widths there are; the widths (pixels, in x); then of each item two: linear colour and which of the widths
// (-1: no line), then its strength and 1 where `part` of draw_outlines counts.
layout(std430, binding = 3) readonly buffer Outlines { vec4 outlines[]; };
int width_count() { return int(outlines[0].x); }
int item_at(ivec2 pixel, bool of_layer) {
  return int(of_layer ? texelFetch(front_id_texture, pixel, 0).x : texelFetch(id_texture, pixel, 0).x);
}
int style_of(int item) { return 1 + width_count() + 2 * (item - 1); }
#endif

// The line at a pixel, colour and strength: some neighbour lies nearer than the surface here would reach there. The
// line lies on the farther side, so that thin things keep their colour. Items of the n-th width alone make it.
vec4 outline(ivec2 pixel, bool of_layer, float width, int n, float part) {
  vec4 line = vec4(vec3(0.01), 0.0);
#if defined(SKETCHED)
  const int directions = 2;
#else
  const int directions = 4;
#endif
  const vec2 around[4] = vec2[4](vec2(1, 0), vec2(0, 1), vec2(0.7071, 0.7071), vec2(0.7071, -0.7071));
#if defined(EMPTY)
  float here = of_layer ? texelFetch(front_depth_texture, pixel, 0).x : 1.0;
#else
  float here = nearest(pixel, of_layer);
#endif
  float z = eye_z(here);
  for (int i = 0; i < directions; ++i) {
    ivec2 step = ivec2(round(around[i] * width));
    ivec2 places[2] = ivec2[2](inside(pixel + step), inside(pixel - step));
    float there[2] = float[2](nearest(places[0], of_layer), nearest(places[1], of_layer));
    float zs[2] = float[2](eye_z(there[0]), eye_z(there[1]));
    for (int j = 0; j < 2; ++j) {
      if (there[j] >= here || !has_rim(places[j], of_layer)) continue;
      vec3 colour = vec3(0.01);
      float strongest = 1.0;
#if defined(OWN_OUTLINES)
      int item = item_at(places[j], of_layer);
      if (item < 1) continue;
      vec4 style = outlines[style_of(item)];
      if (int(round(style.w)) != n) continue;
      colour = style.rgb;
      strongest = outlines[style_of(item) + 1].x * mix(1.0, part, outlines[style_of(item) + 1].y);
#endif
      float jump;
      if (here >= 1.0) {
        jump = 1.0;
      } else {
        // How much nearer than the straight continuation from the other side.
        float expected = there[1 - j] >= 1.0 ? z : max(z, 2.0 * z - zs[1 - j]);
        jump = smoothstep(0.5 * frame.outline.z, 1.5 * frame.outline.z, zs[j] - expected);
      }
      float strength = jump * (1.0 - fog_at(zs[j])) * strongest;
      if (strength > line.a) line = vec4(colour, strength);
    }
  }
  return line;
}

void over(inout vec4 below, vec4 above) { below = above + (1.0 - above.a) * below; }

// All lines over what is there, `part` of their strength.
void draw_outlines(inout vec4 result, ivec2 pixel, bool of_layer, float part) {
#if defined(OWN_OUTLINES)
  for (int n = 0; n < width_count(); ++n) {
    vec4 line = outline(pixel, of_layer, outlines[1 + n].x, n, part);
    if (line.a > 0.0) over(result, vec4(line.rgb, 1.0) * line.a);
  }
#else
  float line = outline(pixel, of_layer, frame.outline.x, 0, part).a * frame.outline.y;
  if (line > 0.0) over(result, vec4(vec3(0.01), 1.0) * (line * part));
#endif
}

float shadow(vec3 position, vec3 normal) {
#if !defined(SHADOWS)
  return 1.0;
#else
  vec4 place = frame.shadow * vec4(position + 0.05 * normal, 1.0);
  vec2 size = vec2(textureSize(shadow_texture, 0));
  float reached = 0.0;
  // 16 places on a disc that is turned from pixel to pixel.
  vec2 at = gl_FragCoord.xy + frame.region.xy;
  float turn = fract(52.9829189 * fract(dot(floor(at), vec2(0.06711056, 0.00583715))) + frame.fog.w / frame.occlusion.w);
  for (int i = 0; i < 16; ++i) {
    float angle = 2.39996 * float(i) + 6.2831853 * turn, r = sqrt((float(i) + 0.5) / 16.0) * 3.0;
    vec2 uv = place.xy + r * vec2(cos(angle), sin(angle)) / size;
    if (any(lessThan(uv, vec2(0))) || any(greaterThan(uv, vec2(1)))) {
      reached += 1.0;
      continue;
    }
    reached += texture(shadow_texture, uv).x + 0.0015 >= place.z ? 1.0 : 0.0;
  }
  return reached / 16.0;
#endif
}

#if defined(OCCLUSION)
// The open part at a pixel.
float open_at(ivec2 pixel, vec3 position, vec3 normal) {
#if defined(UNBLURRED)
  // Two samples together have the whole pattern of ambient_occlusion.frag at a pixel, the next two again at angles in
  // between: over 4 x 2 pixels above and below, then over 2 x 4 to the left and to the right.
  int number = int(frame.fog.w), side = number & 1;
  bool tall = (number & 2) != 0;
  // Of the same surface is what lies on its tangent plane. How far a neighbour is off it, of its eye z alone.
  vec2 away = normal.xy * (2.0 / frame.size.xy * frame.unproject.xy);
  float scale = 1.0 / (0.15 * frame.occlusion.x + 1e-6), plane = dot(normal, position);
  float ahead = orthographic() ? dot(normal.xy, position.xy) : plane / position.z;
  float sum = 0.0, weights = 0.0;
  for (int i = 0; i < 8; ++i) {
    ivec2 offset = ivec2((i & 3) - 2, (i >> 2) - 1) + side;
    if (tall) offset = offset.yx;
    vec2 there = texelFetch(occlusion_texture, inside(pixel + offset), 0).xy;
    float aside = dot(away, vec2(offset));
    float off = orthographic() ? ahead + aside + normal.z * there.y : there.y * (ahead - aside);
    float weight = max(1.0 - scale * abs(off - plane), 0.0);
    sum += weight * there.x;
    weights += weight;
  }
  return sum / weights;
#else
  return texelFetch(occlusion_texture, pixel, 0).x;
#endif
}
#endif

#if !defined(EMPTY)
vec4 opaque_at(ivec2 pixel) {
  vec4 albedo = texelFetch(albedo_texture, pixel, 0);
  vec3 colour = to_linear(albedo.rgb);
  vec3 position = eye_position(gl_FragCoord.xy, texelFetch(depth_texture, pixel, 0).x);
  if (is_lit(albedo.a)) {
    vec3 normal = unpack_normal(texelFetch(normal_texture, pixel, 0).xy);
    float open = 1.0;
#if defined(OCCLUSION)
    open = pow(open_at(pixel, position, normal), 1.7 * frame.occlusion.y);
#endif
    colour = shade(position, normal, colour, open, shadow(position, normal), material_of(albedo.a));
  }
  return vec4(clamp(colour, 0.0, 1.0), 1.0) * (1.0 - fog_at(position.z));
}
#endif

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
#if defined(EMPTY)
  vec4 result = vec4(0);
#else
  vec4 result = opaque_at(pixel);
#endif
#if defined(OUTLINES)
  draw_outlines(result, pixel, false, 1.0);
#endif
#if defined(CLOUDS)
  over(result, texelFetch(clouds_texture, pixel, 0));
#endif
#if defined(LAYERS)
  over(result, texelFetch(layers_texture, pixel, 0));
#if defined(OUTLINES)
  draw_outlines(result, pixel, true, 0.6);
#endif
#endif
#if defined(MASK)
  {
    // A glow around the selected: bright near the rim, none inside.
    float reach = 3.5 * frame.size.z, near = 0.0;
    float here = texelFetch(mask_texture, pixel, 0).x;
    float seen = texelFetch(mask_texture, pixel, 0).y;
    for (int i = 0; i < 24; ++i) {
      float angle = 6.2831853 * float(i) / 24.0;
      for (int j = 1; j <= 3; ++j) {
        float r = reach * float(j) / 3.0;
        vec2 m = texelFetch(mask_texture, inside(pixel + ivec2(round(r * vec2(cos(angle), sin(angle))))), 0).xy;
        near = max(near, m.x * (0.55 + 0.45 * m.y) * (j < 3 ? 1.0 : 0.5));
      }
    }
    float glow = here > 0.5 ? 0.3 * seen : min(near, 1.0);
    over(result, vec4(to_linear(vec3(1.0, 0.62, 0.05)), 1.0) * glow);
  }
#endif
  if (transparent_background == 0) {
    float height = (gl_FragCoord.y + frame.region.y) / frame.region.w;
    vec3 background = to_linear(mix(frame.background_bottom.rgb, frame.background.rgb, height));
    result.rgb += (1.0 - result.a) * background;
    result.a = 1.0;
  }
  out_colour = result / frame.occlusion.w;
}
