// Spheres in chunks, of which those that may be seen are drawn.
#include "render/draw/culled_spheres.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstdint>

#include "render/draw/depth_pyramid.h"

namespace isolume {
namespace {

constexpr float whole_below = 1;  // pixels
// Chunks at once: their spheres are what every driver lets a shader see of a buffer (2^27 bytes).
constexpr std::size_t part_chunks = (std::size_t{1} << 27) / sizeof(glm::vec4) / SphereChunk::size;
constexpr std::size_t words = SphereChunk::size / 32;  // of a chunk, a bit for each sphere
constexpr unsigned group = 64;                         // threads of most shaders
constexpr int first_square = 2, last_square = 8;       // as in cover.glsl

static_assert(sizeof(SphereChunk) == 32);

unsigned groups(std::size_t threads) {
  return static_cast<unsigned>((threads + group - 1) / group);
}

std::size_t square_count(glm::ivec2 size) {
  const auto wide = static_cast<std::size_t>((size.x >> last_square) + 1),
             high = static_cast<std::size_t>((size.y >> last_square) + 1);
  std::size_t count = 0;
  for (int i = first_square; i <= last_square; ++i) count += (wide * high) << (2 * (last_square - i));
  return count;
}

void fill_words(const gl::Buffer& buffer, std::uint32_t value) {
  glClearNamedBufferData(buffer.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
}

}  // namespace

bool CulledSpheres::possible() {
  int vertex = 0, compute = 0, threads = 0;
  glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &vertex);
  glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &compute);
  glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &threads);
  return vertex >= 4 && compute >= 8 && threads >= 1024;
}

CulledSpheres::CulledSpheres(const Spheres& shape) : count_(shape.spheres.size()), chunk_count_(shape.chunks.size()) {
  chunks_.upload(shape.chunks);
  const std::size_t largest = std::min(chunk_count_, part_chunks);
  drawn_.reserve(chunk_count_ * words * sizeof(std::uint32_t));
  now_.reserve(largest * words * sizeof(std::uint32_t));
  counts_.reserve(largest * sizeof(std::uint32_t));
  places_.reserve(largest * sizeof(std::uint32_t));
  list_.reserve(largest * SphereChunk::size * sizeof(std::uint32_t));
  command_.reserve(8 * sizeof(std::uint32_t));
}

CulledSpheres::Part CulledSpheres::part(std::size_t number) const {
  Part part{number * part_chunks, 0, number * part_chunks * SphereChunk::size, 0};
  part.chunks = std::min(part_chunks, chunk_count_ - part.first_chunk);
  part.spheres = std::min(part.chunks * SphereChunk::size, count_ - part.first);
  return part;
}

gl::Program& CulledSpheres::compute(const Pass& pass, const Draw& what, const char* name, const char* define) const {
  std::vector<std::string> defines;
  if (define) defines.emplace_back(define);
  gl::Program& shader = pass.programs->get_compute(name, defines);
  shader.set("offset", what.offset);
  shader.set("whole_below", whole_below);
  shader.set("radius_scale", what.radius_scale);
  shader.set("clipped_by", pass.clipped_by);
  return shader;
}

void CulledSpheres::draw(const Pass& pass, const Draw& what) {
  if (what.copy == 0) fill_words(command_, 0);
  gl::Buffer& seen = seen_[{pass.kind, what.copy}];
  const Culling& culling = *pass.culling;
  if (!seen.name()) seen.reserve(drawn_.bytes());
  draw_round(pass, what, Round::again, seen);
  culling.pyramid->build(*pass.programs, *culling.depth, culling.size);
  vote(pass, what);
  draw_round(pass, what, Round::next, seen);
  culling.pyramid->build(*pass.programs, *culling.depth, culling.size);
  draw_round(pass, what, Round::rest, seen);
}

void CulledSpheres::bind(const Part& part, const gl::Buffer& seen) const {
  const auto bytes = [](std::size_t number) { return number * words * sizeof(std::uint32_t); };
  chunks_.bind_storage(0, part.first_chunk * sizeof(SphereChunk), part.chunks * sizeof(SphereChunk));
  seen.bind_storage(2, bytes(part.first_chunk), bytes(part.chunks));
  drawn_.bind_storage(3, bytes(part.first_chunk), bytes(part.chunks));
  now_.bind_storage(4);
}

void CulledSpheres::vote(const Pass& pass, const Draw& what) {
  const std::size_t needed = square_count(pass.culling->size) * sizeof(std::uint32_t);
  if (squares_.bytes() < needed) squares_.reserve(needed);
  fill_words(squares_, 0xffffffffu);
  gl::Program& shader = compute(pass, what, "vote_chunks.comp");
  pass.culling->depth->bind(0);
  pass.culling->pyramid->texture().bind(1);
  shader.use();
  squares_.bind_storage(7);
  for (std::size_t i = 0; i * part_chunks < chunk_count_; ++i) {
    const Part now = part(i);
    chunks_.bind_storage(0, now.first_chunk * sizeof(SphereChunk), now.chunks * sizeof(SphereChunk));
    shader.set("chunk_count", static_cast<unsigned>(now.chunks));
    glDispatchCompute(groups(now.chunks), 1, 1);
  }
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void CulledSpheres::draw_round(const Pass& pass, const Draw& what, Round round, const gl::Buffer& seen) {
  constexpr const char* defines[] = {"AGAIN", "NEXT", "REST"};
  gl::Program& cull = compute(pass, what, "cull_spheres.comp", defines[static_cast<int>(round)]);
  gl::Program& place = pass.programs->get_compute("place_chunks.comp");
  gl::Program& list = pass.programs->get_compute("list_spheres.comp");
  cull.set("every", what.every);
  pass.culling->depth->bind(0);
  if (round != Round::again) pass.culling->pyramid->texture().bind(1);
  nothing_.bind();
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, command_.name());
  for (std::size_t i = 0; i * part_chunks < chunk_count_; ++i) {
    if (pass.stopped()) break;
    const Part now = part(i);
    const auto spheres = static_cast<unsigned>(now.spheres);
    bind(now, seen);
    what.spheres.bind_storage(1, now.first * sizeof(glm::vec4), now.spheres * sizeof(glm::vec4));
    counts_.bind_storage(5);
    if (round == Round::next) squares_.bind_storage(7);
    cull.use();
    cull.set("sphere_count", spheres);
    cull.set("first_sphere", static_cast<unsigned>(now.first));
    glDispatchCompute(groups((now.spheres + 31) / 32), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);

    places_.bind_storage(6);
    command_.bind_storage(7);
    place.use();
    place.set("chunk_count", static_cast<unsigned>(now.chunks));
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);

    list_.bind_storage(5);
    list.use();
    list.set("sphere_count", spheres);
    glDispatchCompute(groups((now.spheres + 31) / 32), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);

    what.colours.bind_storage(2, now.first * sizeof(glm::u8vec4), now.spheres * sizeof(glm::u8vec4));
    list_.bind_storage(3);
    what.shader.use();
    what.shader.set("first_primitive", static_cast<unsigned>(now.first));
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
  }
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

std::size_t CulledSpheres::drawn() const {
  std::uint32_t total = 0;
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetNamedBufferSubData(command_.name(), 4 * sizeof(std::uint32_t), sizeof total, &total);
  return total;
}

}  // namespace isolume
