#version 450 core
// Where in the list the spheres of each chunk begin, and the command that draws them.
layout(local_size_x = 1024) in;
layout(std430, binding = 5) buffer Counts { uint counts[]; };  // set to 0 for the next pass
layout(std430, binding = 6) writeonly buffer Places { uint places[]; };  // upper bit: drawn whole
layout(std430, binding = 7) buffer Command {
  uint vertices, instances, first, base;
  uint total, unused[3];  // spheres of all commands
} command;
uniform uint chunk_count;

shared uint sums[1024];

void main() {
  uint thread = gl_LocalInvocationID.x;
  uint each = (chunk_count + 1023u) / 1024u, begin = min(thread * each, chunk_count), end = min(begin + each, chunk_count);
  uint sum = 0u;
  for (uint i = begin; i < end; ++i) sum += counts[i] & 0xffffu;
  sums[thread] = sum;
  barrier();
  for (uint reach = 1u; reach < 1024u; reach *= 2u) {
    uint before = thread >= reach ? sums[thread - reach] : 0u;
    barrier();
    sums[thread] += before;
    barrier();
  }
  uint place = sums[thread] - sum;
  for (uint i = begin; i < end; ++i) {
    places[i] = place | ((counts[i] >> 16) != 0u ? 0x80000000u : 0u);
    place += counts[i] & 0xffffu;
    counts[i] = 0u;
  }
  if (thread == 1023u) {
    command.vertices = 6u * place;
    command.instances = 1u;
    command.first = 0u;
    command.base = 0u;
    command.total += place;
  }
}
