#version 450 core
// Lines of any width: each half in the colour of its end.
#include "common/emit.glsl"
#if defined(CLIPPED)
#include "common/clip.glsl"
#endif

in Segment {
  vec3 position;
  noperspective float along;
  flat vec4 colour_start;
  flat vec4 colour_stop;
  flat uint part;
} segment;

void main() {
#if defined(CLIPPED)
  if (clipped(segment.position)) discard;
#endif
  bool first = segment.along < 0.5;
  emit(segment.position, towards_eye(segment.position), first ? segment.colour_start : segment.colour_stop,
       gl_FragCoord.z, segment.part * 2u + (first ? 0u : 1u));
}
