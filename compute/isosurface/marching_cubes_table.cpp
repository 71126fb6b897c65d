// Derives the 256 cases of marching cubes from the cube's geometry.
#include "compute/isosurface/marching_cubes_table.h"

#include <array>
#include <utility>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {

namespace {

/// The edge between two neighbouring corners.
int edge_between(int a, int b) {
  const int low = a & b;
  switch (a ^ b) {
    case 1:
      return low >> 1;  // (y, z)
    case 2:
      return 4 + (low & 1) + (low >> 2 << 1);  // (x, z)
    default:
      return 8 + (low & 3);  // (x, y)
  }
}

/// The corners of each face, counter-clockwise seen from outside the cell.
constexpr std::array<std::array<int, 4>, 6> faces{{
    {0, 4, 6, 2},  // x = 0
    {1, 3, 7, 5},  // x = 1
    {0, 1, 5, 4},  // y = 0
    {2, 6, 7, 3},  // y = 1
    {0, 2, 3, 1},  // z = 0
    {4, 5, 7, 6},  // z = 1
}};

/// True where both edges belong to one face.
bool share_face(int edge_a, int edge_b) {
  for (const auto& face : faces) {
    bool has_a = false;
    bool has_b = false;
    for (int i = 0; i < 4; ++i) {
      const int edge = edge_between(face[i], face[(i + 1) % 4]);
      has_a = has_a || edge == edge_a;
      has_b = has_b || edge == edge_b;
    }
    if (has_a && has_b) return true;
  }
  return false;
}

using Triangle = std::array<int, 3>;

/// Cuts the polygon [first, last] of `loop` into triangles with the fewest diagonals in faces; returns their number.
int triangulate(const std::vector<int>& loop, std::size_t first, std::size_t last, std::vector<Triangle>& out) {
  if (last - first < 2) return 0;
  int best = 1 << 20;
  std::vector<Triangle> best_triangles;
  for (std::size_t apex = first + 1; apex < last; ++apex) {
    std::vector<Triangle> triangles{{loop[first], loop[apex], loop[last]}};
    int cost = 0;
    if (apex > first + 1) cost += share_face(loop[first], loop[apex]);
    if (apex + 1 < last) cost += share_face(loop[apex], loop[last]);
    cost += triangulate(loop, first, apex, triangles);
    cost += triangulate(loop, apex, last, triangles);
    if (cost < best) {
      best = cost;
      best_triangles = std::move(triangles);
    }
  }
  out.insert(out.end(), best_triangles.begin(), best_triangles.end());
  return best;
}

std::vector<Triangle> triangles_of(int inside) {
  // Going round a face counter-clockwise, every run of inside corners is entered by one edge and left by another; the
  // contour goes from the first to the second. An edge that one face enters by, its other face leaves by: the pieces
  // join into loops, which turn counter-clockwise seen from outside the surface.
  std::array<int, 12> next;
  next.fill(-1);
  for (const auto& face : faces) {
    for (int i = 0; i < 4; ++i) {
      const auto is_inside = [&](int corner) {
        return (inside >> face[static_cast<std::size_t>(corner % 4)] & 1) != 0;
      };
      const auto edge_from = [&](int corner) {
        return edge_between(face[static_cast<std::size_t>(corner % 4)],
                            face[static_cast<std::size_t>((corner + 1) % 4)]);
      };
      if (is_inside(i) || !is_inside(i + 1)) continue;
      int end = i + 1;
      while (is_inside(end + 1)) ++end;
      next[static_cast<std::size_t>(edge_from(i))] = edge_from(end);
    }
  }
  std::vector<Triangle> triangles;
  std::array<bool, 12> seen{};
  for (int start = 0; start < 12; ++start) {
    std::vector<int> loop;
    for (int edge = start; edge >= 0 && !seen[static_cast<std::size_t>(edge)];
         edge = next[static_cast<std::size_t>(edge)]) {
      if (next[static_cast<std::size_t>(edge)] < 0) break;
      seen[static_cast<std::size_t>(edge)] = true;
      loop.push_back(edge);
    }
    if (loop.size() < 3) continue;
    if (triangulate(loop, 0, loop.size() - 1, triangles) != 0) {
      throw Error("marching cubes: a case has a triangle side in a face");
    }
  }
  return triangles;
}

CaseTable make_table() {
  CaseTable table{};
  for (int inside = 0; inside < 256; ++inside) {
    const std::vector<Triangle> triangles = triangles_of(inside);
    if (triangles.size() > CaseTable::max_triangles) throw Error("marching cubes: a case has too many triangles");
    table.triangle_count[inside] = static_cast<std::uint8_t>(triangles.size());
    std::uint8_t* to = table.edges[inside];
    for (const Triangle& triangle : triangles) {
      for (const int edge : triangle) *to++ = static_cast<std::uint8_t>(edge);
    }
  }
  return table;
}

CaseCorners make_corners() {
  CaseCorners corners{};
  const CaseTable& table = case_table();
  for (int inside = 0; inside < 256; ++inside) {
    const int count = 3 * table.triangle_count[inside];
    for (int i = 0; i < count; ++i) {
      constexpr int other[3] = {0, 2, 1};
      corners.straight[inside][i] = table.edges[inside][i];
      corners.mirrored[inside][i] = table.edges[inside][i - i % 3 + other[i % 3]];
    }
    corners.straight[inside][15] = corners.mirrored[inside][15] = static_cast<std::uint8_t>(count);
  }
  return corners;
}

}  // namespace

const CaseTable& case_table() {
  static const CaseTable table = make_table();
  return table;
}

const CaseCorners& case_corners() {
  static const CaseCorners corners = make_corners();
  return corners;
}

}  // namespace isolume
