// Maps of periodic systems beyond their cell: no seam at its faces.
#include "app/fields/inputs/repeated_volume.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/documents/documents.h"
#include "app/fields/fields.h"
#include "compute/isosurface/marching_cubes.h"
#include "molecule/base/error.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

const glm::dmat3 cell_vectors{{6, 0, 0}, {1, 5, 0}, {0.5, -0.5, 4}};
constexpr double pi = 3.14159265358979323846;

/// cos(2 pi u) + cos(2 pi v) + cos(2 pi w), of parts of the cell's vectors.
double value_at(glm::dvec3 place) {
  const glm::dvec3 part = glm::inverse(cell_vectors) * place;
  return std::cos(2 * pi * part.x) + std::cos(2 * pi * part.y) + std::cos(2 * pi * part.z);
}
glm::dvec3 gradient_at(glm::dvec3 place) {
  const glm::dvec3 part = glm::inverse(cell_vectors) * place;
  return -2 * pi * glm::transpose(glm::inverse(cell_vectors)) *
         glm::dvec3(std::sin(2 * pi * part.x), std::sin(2 * pi * part.y), std::sin(2 * pi * part.z));
}

/// One period in 24 x 20 x 16 steps; `closed`: with the first layers again at the end.
Volume period(bool closed) {
  Volume volume;
  const glm::ivec3 steps(24, 20, 16);
  volume.grid.counts = steps + (closed ? 1 : 0);
  for (int axis = 0; axis < 3; ++axis) volume.grid.step[axis] = cell_vectors[axis] / double(steps[axis]);
  for (int k = 0; k < volume.grid.counts.z; ++k)
    for (int j = 0; j < volume.grid.counts.y; ++j)
      for (int i = 0; i < volume.grid.counts.x; ++i)
        volume.values.push_back(static_cast<float>(value_at(volume.grid.point(i, j, k))));
  return volume;
}

Volume copied(const Volume& volume, const Cell& cell, glm::ivec3 repeat) {
  const RepeatedGrid repeated = repeated_grid(volume, cell, repeat);
  Volume all;
  all.grid = repeated.grid;
  all.values.resize(all.grid.size());
  Job job;
  copy_repeated(volume, repeated, 0, all.values, job);
  return all;
}

Mesh surface_of(const Volume& volume) {
  Job job;
  return marching_cubes(ConstValues(Span<const float>(volume.values.data(), volume.values.size(), Device::cpu())),
                        volume.grid, {0.4f, true}, {}, job);
}

class RepeatedVolume : public testing::TestWithParam<bool> {};

TEST_P(RepeatedVolume, IsTheFunctionEverywhere) {
  Cell cell;
  cell.vectors = cell_vectors;
  for (const Cell& known : {cell, Cell{}}) {
    const Volume all = copied(period(GetParam()), known, {1, 2, 0});
    EXPECT_EQ(all.grid.counts, glm::ivec3(24 * 3 + 1, 20 * 5 + 1, 16 + (GetParam() ? 1 : 0)));
    const glm::dvec3 corner = -cell_vectors[0] - 2.0 * cell_vectors[1];
    EXPECT_NEAR(glm::distance(all.grid.origin, corner), 0, 1e-9);
    double worst = 0;
    for (int k = 0; k < all.grid.counts.z; ++k)
      for (int j = 0; j < all.grid.counts.y; ++j)
        for (int i = 0; i < all.grid.counts.x; ++i)
          worst = std::max(worst, std::abs(all.values[all.grid.index(i, j, k)] - value_at(all.grid.point(i, j, k))));
    EXPECT_LT(worst, 1e-5);
  }
}

TEST_P(RepeatedVolume, HasASurfaceWithoutSeams) {
  const double one = surface_area(surface_of(period(true)));
  const Volume all = copied(period(GetParam()), {}, {1, 1, 1});
  const Mesh mesh = surface_of(all);
  EXPECT_NEAR(surface_area(mesh), 27 * one, 1e-4 * 27 * one);
  // Apart from the outer faces, normals are those of the function: the error of central differences is of second order.
  double worst = 1;
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    const glm::dvec3 place(mesh.positions[i]), at = all.grid.coordinates(place);
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) inside = inside && at[axis] > 1.01 && at[axis] < all.grid.counts[axis] - 2.01;
    if (inside) worst = std::min(worst, glm::dot(glm::dvec3(mesh.normals[i]), -glm::normalize(gradient_at(place))));
  }
  EXPECT_GT(worst, 0.999) << "3 degrees";
}

INSTANTIATE_TEST_SUITE_P(grids, RepeatedVolume, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "closed" : "open"; });

TEST(RepeatedVolumes, ThatAreNoPeriodAreRefused) {
  Cell cell;
  cell.vectors = cell_vectors;
  cell.vectors[1] *= 1.1;
  try {
    repeated_grid(period(false), cell, {0, 1, 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_CONTAINS(std::string(error.what()), "does not repeat along b");
  }
  EXPECT_NO_THROW(repeated_grid(period(false), cell, {1, 0, 1}));
}

TEST(RepeatedVolumes, AreFieldsOfAFile) {
  const test::Folder folder;
  const Volume one = period(false);
  {
    constexpr double bohr = 0.529177210903;
    std::ofstream out(folder / "one.cube");
    out << "periodic\nfunction\n1 0 0 0\n";
    for (int axis = 0; axis < 3; ++axis)
      out << one.grid.counts[axis] << ' ' << one.grid.step[axis].x / bohr << ' ' << one.grid.step[axis].y / bohr << ' '
          << one.grid.step[axis].z / bohr << '\n';
    out << "8 0 0 0 0\n";
    for (int i = 0; i < one.grid.counts.x; ++i)
      for (int j = 0; j < one.grid.counts.y; ++j)
        for (int k = 0; k < one.grid.counts.z; ++k) out << one.values[one.grid.index(i, j, k)] << '\n';
  }
  Documents documents;
  FieldRequest request;
  request.field.kind = Field::Kind::volume;
  request.field.isovalue = 0.4;
  request.field.both_signs = false;
  request.molecule = documents.molecule(documents.open({folder / "one.cube"}).front());
  Job job;
  const FieldResult plain = compute_field(request, nullptr, job);
  request.field.repeat = {1, 0, 2};
  const FieldResult copies = compute_field(request, nullptr, job);
  EXPECT_EQ(copies.grid.counts, glm::ivec3(73, 20, 81));
  const auto triangles = [](const FieldResult& result) {
    return std::get<Surface>(result.items.front()->shape).mesh->triangles.size();
  };
  // Fifteen copies, each with its part between the last points and the next first ones.
  EXPECT_GT(triangles(copies), 15 * triangles(plain));
  EXPECT_NEAR(copies.deviation, plain.deviation, 1e-12) << "levels in sigma are those of the file";
  const auto picture = [&](const std::string& more) {
    return test::run({"render", folder / "one.cube", "--map-copies", more, "--size", "160x120", "--samples", "1",
                      "--device", "cpu", "--out", folder / "p.png"});
  };
  const auto drawn = picture("1x1x1");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(picture("5x0x0").code, 2);
}

}  // namespace
}  // namespace isolume
