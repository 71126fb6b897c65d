#version 450 core
// The list of the spheres that are drawn now, in their order. Upper bit: a chunk, drawn whole.
layout(local_size_x = 64) in;
layout(std430, binding = 4) readonly buffer Now { uint now[]; };
layout(std430, binding = 6) readonly buffer Places { uint places[]; };
layout(std430, binding = 5) writeonly buffer List { uint list[]; };
uniform uint sphere_count;

void main() {
  uint word = gl_GlobalInvocationID.x;
  if (32u * word >= sphere_count) return;
  uint shown = now[word];
  if (shown == 0u) return;
  uint chunk = word / 8u, place = places[chunk];
  if ((place & 0x80000000u) != 0u) {
    list[place & 0x7fffffffu] = chunk | 0x80000000u;
    return;
  }
  for (uint before = 8u * chunk; before < word; ++before) place += uint(bitCount(now[before]));
  for (uint i = 0u; i < 32u; ++i)
    if ((shown & (1u << i)) != 0u) list[place++] = 32u * word + i;
}
