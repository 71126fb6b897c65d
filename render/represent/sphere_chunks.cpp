// Spheres in chunks.
#include "render/represent/sphere_chunks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "molecule/base/stop.h"
#include "molecule/base/threads.h"

namespace isolume {
namespace {

constexpr int bits = 10;                  // of a cell's number on an axis
constexpr std::size_t buckets = 1 << 15;  // by the upper half of the curve's number
constexpr std::size_t parts_of_work = 64;

/// Two zeros after each of ten bits.
std::uint32_t spread(std::uint32_t x) {
  x = (x | (x << 16)) & 0x030000ffu;
  x = (x | (x << 8)) & 0x0300f00fu;
  x = (x | (x << 4)) & 0x030c30c3u;
  return (x | (x << 2)) & 0x09249249u;
}

struct Box {
  glm::vec3 low{std::numeric_limits<float>::max()}, high{std::numeric_limits<float>::lowest()};

  void add(glm::vec3 low_corner, glm::vec3 high_corner) {
    low = glm::min(low, low_corner);
    high = glm::max(high, high_corner);
  }
  void add(const Box& other) { add(other.low, other.high); }
};

/// The numbers of cells on the curve.
class Curve {
 public:
  explicit Curve(const Box& box) : low_(box.low) {
    const glm::vec3 edges = box.high - box.low;
    const float longest = std::max({edges.x, edges.y, edges.z, 1e-6f});
    scale_ = static_cast<float>(1 << bits) / longest;
  }
  std::uint32_t number(glm::vec3 p) const {
    const glm::vec3 cell = glm::clamp((p - low_) * scale_, 0.0f, static_cast<float>((1 << bits) - 1));
    return spread(static_cast<std::uint32_t>(cell.x)) | spread(static_cast<std::uint32_t>(cell.y)) << 1 |
           spread(static_cast<std::uint32_t>(cell.z)) << 2;
  }

 private:
  glm::vec3 low_;
  float scale_ = 1;
};

/// Calls body(part, begin, end) for parts of `count` things on all threads.
template <class Body>
void in_parts(std::size_t count, const Body& body) {
  check_stop();
  on_threads(parts_of_work,
             [&](std::size_t part) { body(part, count * part / parts_of_work, count * (part + 1) / parts_of_work); });
}

/// The places of the spheres in their new order: number on the curve, and where they were (the lower 32 bits).
std::vector<std::uint64_t> sorted(const std::vector<glm::vec4>& spheres) {
  std::vector<Box> boxes(parts_of_work);
  in_parts(spheres.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) boxes[part].add(glm::vec3(spheres[i]), glm::vec3(spheres[i]));
  });
  for (const Box& box : boxes) boxes.front().add(box);
  const Curve curve(boxes.front());

  constexpr int lower_bits = 3 * bits - 15;
  std::vector<std::uint32_t> counts(parts_of_work * buckets);
  in_parts(spheres.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      ++counts[part * buckets + (curve.number(glm::vec3(spheres[i])) >> lower_bits)];
  });
  std::vector<std::size_t> begins(buckets + 1);
  std::size_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    begins[bucket] = total;
    for (std::size_t part = 0; part < parts_of_work; ++part)
      total += std::exchange(counts[part * buckets + bucket], static_cast<std::uint32_t>(total));
  }
  begins[buckets] = total;

  std::vector<std::uint64_t> order(spheres.size());
  in_parts(spheres.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t number = curve.number(glm::vec3(spheres[i]));
      order[counts[part * buckets + (number >> lower_bits)]++] = number << 32 | i;
    }
  });
  in_parts(buckets, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t bucket = begin; bucket < end; ++bucket)
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(begins[bucket]),
                order.begin() + static_cast<std::ptrdiff_t>(begins[bucket + 1]));
  });
  return order;
}

template <class T>
void put_in_order(std::vector<T>& values, const std::vector<std::uint64_t>& order) {
  if (values.size() != order.size()) return;
  std::vector<T> moved(values.size());
  in_parts(values.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) moved[i] = values[order[i] & 0xffffffffu];
  });
  values = std::move(moved);
}

/// The area that spheres within a ball cover, the mean of three directions at right angles to each other, none of which
/// is likely one of a lattice; by the middles of 32 x 32 squares.
float covered_area(const glm::vec4* spheres, std::size_t count, glm::vec3 middle, float reach) {
  const glm::mat3 axes = glm::mat3_cast(glm::normalize(glm::quat(0.62f, 0.31f, -0.45f, 0.56f)));
  constexpr int side = 32;
  const float square = 2 * reach / side;
  if (!(square > 0)) return 0;
  int covered = 0;
  for (int d = 0; d < 3; ++d) {
    std::array<std::uint32_t, side> rows{};
    for (std::size_t i = 0; i < count; ++i) {
      const glm::vec3 from = (glm::vec3(spheres[i]) - middle) / square;
      const float x = glm::dot(from, axes[(d + 1) % 3]) + 0.5f * side,
                  y = glm::dot(from, axes[(d + 2) % 3]) + 0.5f * side;
      const float r = spheres[i].w / square;
      const auto within = [](float low, float high) {
        return std::pair(std::max(static_cast<int>(std::ceil(low - 0.5f)), 0),
                         std::min(static_cast<int>(std::floor(high - 0.5f)), side - 1));
      };
      const auto [first_row, last_row] = within(y - r, y + r);
      for (int row = first_row; row <= last_row; ++row) {
        const float up = static_cast<float>(row) + 0.5f - y, half = std::sqrt(std::max(r * r - up * up, 0.0f));
        const auto [first, last] = within(x - half, x + half);
        if (first <= last) rows[static_cast<std::size_t>(row)] |= (~0u >> (side - 1 - last + first)) << first;
      }
    }
    for (const std::uint32_t row : rows) covered += std::popcount(row);
  }
  return static_cast<float>(covered) * square * square / 3;
}

SphereChunk chunk_of(const Spheres& shape, std::size_t begin, std::size_t end) {
  Box whole;
  glm::dvec4 colour(0);
  SphereChunk chunk{};
  for (std::size_t i = begin; i < end; ++i) {
    const glm::vec3 p(shape.spheres[i]);
    const float r = shape.spheres[i].w;
    whole.add(p - r, p + r);
    chunk.largest = std::max(chunk.largest, r);
    colour += shape.colours.empty() ? glm::dvec4(190, 190, 190, 255) : glm::dvec4(shape.colours[i]);
  }
  const auto count = static_cast<double>(end - begin);
  const glm::vec3 middle = 0.5f * (whole.low + whole.high);
  float reach = 0, least = std::numeric_limits<float>::max();
  for (std::size_t i = begin; i < end; ++i) {
    const float away = glm::length(glm::vec3(shape.spheres[i]) - middle);
    reach = std::max(reach, away + shape.spheres[i].w);
    if (away >= least) continue;
    least = away;
    chunk.sphere = static_cast<std::uint32_t>(i);
  }
  chunk.bounds = glm::vec4(middle, reach * 1.0001f);
  const float covered = covered_area(&shape.spheres[begin], end - begin, glm::vec3(chunk.bounds), chunk.bounds.w);
  chunk.radius = std::min(std::sqrt(covered / static_cast<float>(M_PI)), chunk.bounds.w);
  chunk.colour = glm::u8vec4(colour / count + 0.5);
  return chunk;
}

}  // namespace

void order_in_chunks(Spheres& shape) {
  shape.chunks.clear();
  {
    const std::vector<std::uint64_t> order = sorted(shape.spheres);
    put_in_order(shape.spheres, order);
    put_in_order(shape.colours, order);
    if (shape.parts.empty()) {
      shape.parts.resize(order.size());
      std::transform(order.begin(), order.end(), shape.parts.begin(),
                     [](std::uint64_t o) { return static_cast<std::uint32_t>(o); });
    } else {
      put_in_order(shape.parts, order);
    }
  }
  const std::size_t count = (shape.spheres.size() + SphereChunk::size - 1) / SphereChunk::size;
  std::vector<SphereChunk> chunks(count);
  in_parts(count, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      chunks[c] = chunk_of(shape, c * SphereChunk::size, std::min((c + 1) * SphereChunk::size, shape.spheres.size()));
  });
  shape.chunks = std::move(chunks);
}

}  // namespace isolume
