// Slices: where planes lie, what is drawn of the values on them, and their colours.
#include <gtest/gtest.h>

#include <cmath>

#include "app/fields/slice_field.h"
#include "compute/orbitals/orbital.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/topology.h"
#include "render/represent/diverging_scale.h"
#include "tests/app/documents/gate.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

SlicePlane plane_of(SlicePlane::Kind kind, double offset = 0, std::string selection = "all") {
  return {kind, std::move(selection), offset};
}

// 2 x 4 x 6 angstrom about (1, 1, 1).
Grid box() {
  Grid grid;
  grid.origin = {0, -1, -2};
  grid.step = glm::dmat3(0.5);
  grid.counts = {5, 9, 13};
  return grid;
}

TEST(SlicePlanes, AcrossAnAxisGoThroughTheMiddleOfTheAtoms) {
  const auto molecule = test::molecule_of({{0, 0, 0}, {2, 0, 0}, {1, 3, 6}});
  const PlaneFrame plane = slice_frame(plane_of(SlicePlane::Kind::y, -0.5), *molecule, 0, box());
  EXPECT_EQ(plane.normal, glm::dvec3(0, 1, 0));
  EXPECT_NEAR(plane.centre.y, 1 - 0.5, 1e-6);
  EXPECT_EQ(glm::cross(plane.u, plane.v), plane.normal);
  const Grid layer = slice_grid(plane, box(), 0.25, 400);
  EXPECT_EQ(layer.counts, glm::ivec3(9, 1, 25)) << "2 by 6 angstrom";
  EXPECT_TRUE(layer.axis_aligned());
  EXPECT_NEAR(layer.origin.y, 0.5, 1e-6);
  EXPECT_NEAR(layer.point(8, 0, 24).z, 4, 1e-9);
  // Outside the box there is nothing; too fine a layer becomes coarser.
  EXPECT_EQ(slice_grid(slice_frame(plane_of(SlicePlane::Kind::y, 30), *molecule, 0, box()), box(), 0.25, 400).size(),
            0u);
  const Grid coarse = slice_grid(plane, box(), 0.001, 25);
  EXPECT_EQ(coarse.counts, glm::ivec3(9, 1, 25));
}

TEST(SlicePlanes, OfAtomsAreTheirPlane) {
  // A square on x + y + z = 6, counterclockwise seen from the far side.
  const glm::dvec3 normal = glm::normalize(glm::dvec3(1, 1, 1)), u = glm::normalize(glm::dvec3(1, -1, 0));
  const glm::dvec3 v = glm::cross(normal, u), middle(2);
  std::vector<glm::vec3> corners;
  for (const glm::dvec3 d : {u, v, -u, -v}) corners.emplace_back(middle + 1.5 * d);
  corners.emplace_back(9, 9, 0);  // not selected
  const auto molecule = test::molecule_of(corners);
  const PlaneFrame plane = slice_frame(plane_of(SlicePlane::Kind::atoms, 0.7, "index 0 to 3"), *molecule, 0, box());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(plane.normal[i], normal[i], 1e-6);
    EXPECT_NEAR(plane.centre[i], (middle + 0.7 * normal)[i], 1e-6);
  }
  EXPECT_NEAR(glm::dot(glm::cross(plane.u, plane.v), plane.normal), 1, 1e-12);
  // Its part of a cube about the same point: every point of the cube's that is on it is within the layer.
  Grid cube;
  cube.origin = {0, 0, 0};
  cube.step = glm::dmat3(1.0);
  cube.counts = {5, 5, 5};
  const PlaneFrame through = slice_frame(plane_of(SlicePlane::Kind::atoms, 0, "index 0 1 2 3"), *molecule, 0, cube);
  const Grid layer = slice_grid(through, cube, 0.1, 400);
  EXPECT_EQ(layer.counts.z, 1);
  for (const glm::dvec3 corner : {glm::dvec3(4, 2, 0), glm::dvec3(0, 2, 4), glm::dvec3(2, 4, 0), glm::dvec3(0, 4, 2)}) {
    const glm::dvec3 at = layer.coordinates(corner);
    EXPECT_NEAR(at.z, 0, 1e-6);
    EXPECT_GE(at.x, -1e-6);
    EXPECT_GE(at.y, -1e-6);
    EXPECT_LE(at.x, layer.counts.x - 1 + 1e-6);
    EXPECT_LE(at.y, layer.counts.y - 1 + 1e-6);
  }
}

TEST(SlicePlanes, NeedThreeAtomsThatLieOnNoLine) {
  const auto molecule = test::molecule_of({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 0}});
  const auto complaint = [&](const char* selection) -> std::string {
    try {
      slice_frame(plane_of(SlicePlane::Kind::atoms, 0, selection), *molecule, 0, box());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return "nothing";
  };
  EXPECT_NE(complaint("index 0 1 2").find("on a line"), std::string::npos);
  EXPECT_NE(complaint("index 0 3").find("2 atoms, and three make a plane"), std::string::npos);
  EXPECT_EQ(complaint("index 0 1 3"), "nothing");
}

TEST(Contours, OfADistanceAreCircles) {
  Grid layer;
  layer.origin = {-2, -2, 3};
  layer.step = glm::dmat3(0.05);
  layer.counts = {81, 81, 1};
  std::vector<float> values;
  for (int j = 0; j < 81; ++j)
    for (int i = 0; i < 81; ++i)
      values.push_back(static_cast<float>(glm::length(layer.point(i, j, 0) - glm::dvec3(0, 0, 3))));
  const auto segments = contour(layer, values, 1.5);
  double length = 0;
  for (std::size_t i = 0; i < segments.size(); i += 2) {
    // Between points h apart a distance r bends by h^2 / 8r.
    EXPECT_NEAR(glm::length(glm::dvec3(segments[i]) - glm::dvec3(0, 0, 3)), 1.5, 0.05 * 0.05 / 8 / 1.4);
    length += double(glm::distance(segments[i], segments[i + 1]));
  }
  EXPECT_NEAR(length, 2 * 3.14159265 * 1.5, 0.01);
  EXPECT_TRUE(contour(layer, values, 5).empty());
}

std::shared_ptr<const Molecule> water() {
  return std::make_shared<const Molecule>(read_file(test::data("H2O-631Gd-cart.molden")));
}

FieldRequest request_of(std::shared_ptr<const Molecule> molecule, SlicePlane plane) {
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.field.orbital = "4";
  request.field.slice = std::move(plane);
  request.molecule = std::move(molecule);
  return request;
}

TEST(Slices, HaveTheOrbitalAndItsColours) {
  const auto molecule = water();
  for (const SlicePlane& plane : {plane_of(SlicePlane::Kind::x, 0.1), plane_of(SlicePlane::Kind::z, -0.3),
                                  plane_of(SlicePlane::Kind::atoms, 0.2)}) {
    Job job;
    const FieldRequest request = request_of(molecule, plane);
    const Slice slice = compute_slice(request, job);
    const auto& values = slice.mesh.scalars.at(0).values;
    ASSERT_EQ(values.size(), slice.grid.size());
    std::vector<glm::dvec3> points;
    for (const glm::vec3& p : slice.mesh.positions) points.emplace_back(p);
    std::vector<double> expected(points.size());
    orbital_reference(*molecule->orbitals_at(0), 3, points, expected);
    double largest = 0;
    for (const double e : expected) largest = std::max(largest, std::abs(e));
    EXPECT_GT(largest, 0.1);
    // Positions of a mesh are in single precision: 2e-7 of some angstrom, where psi falls by some 1/angstrom.
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(values[i], expected[i], 3e-6 * largest) << i;
    EXPECT_EQ(slice.legend.upper, 0.1) << "twice the usual isovalue";
    EXPECT_EQ(slice.legend.unit, "bohr^-3/2");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] > 0.1f) {
        EXPECT_EQ(slice.mesh.colours[i], request.field.colour);
      }
      if (values[i] < -0.1f) {
        EXPECT_EQ(slice.mesh.colours[i], request.field.negative_colour);
      }
      if (std::abs(values[i]) < 1e-6f) {
        EXPECT_GT(slice.mesh.colours[i].g, 240);
      }
    }
    const glm::ivec3 n = slice.grid.counts;
    const int flat = n.x == 1 ? 0 : n.y == 1 ? 1 : 2;
    const int cells = (n[(flat + 1) % 3] - 1) * (n[(flat + 2) % 3] - 1);
    EXPECT_EQ(slice.mesh.triangles.size(), 2 * static_cast<std::size_t>(cells));
  }
}

// In the plane of water its out-of-plane orbital vanishes: the slice is white, and done in reasonable time.
TEST(Slices, OfANodalPlaneAreWhite) {
  FieldRequest request = request_of(water(), plane_of(SlicePlane::Kind::atoms));
  request.field.orbital = "homo";
  Job job;
  const Slice slice = compute_slice(request, job);
  for (const float value : slice.mesh.scalars.at(0).values) ASSERT_NEAR(value, 0, 1e-6);
  for (const glm::u8vec4 colour : slice.mesh.colours) ASSERT_GT(std::min({colour.r, colour.g, colour.b}), 240);
}

TEST(Slices, OfVolumesAreInterpolated) {
  auto molecule = std::make_shared<Molecule>();
  auto volume = std::make_shared<Volume>();
  volume->grid = box();
  const auto value = [](glm::dvec3 p) { return 0.5 + 0.25 * p.x - 0.125 * p.y + 0.0625 * p.z; };  // trilinear is exact
  for (int k = 0; k < 13; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 5; ++i) volume->values.push_back(static_cast<float>(value(volume->grid.point(i, j, k))));
  molecule->volumes.push_back(volume);
  FieldRequest request = request_of(molecule, plane_of(SlicePlane::Kind::z, 0.3));
  request.field.kind = Field::Kind::volume;
  request.field.paint_range = 2;
  Job job;
  const Slice slice = compute_slice(request, job);
  const auto& values = slice.mesh.scalars.at(0).values;
  ASSERT_GT(values.size(), 1000u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(slice.mesh.positions[i].z, 1.3, 1e-6) << "the middle of a volume without atoms";
    ASSERT_NEAR(values[i], value(glm::dvec3(slice.mesh.positions[i])), 1e-5);
  }
  EXPECT_EQ(slice.legend.upper, 2);
}

TEST(Slices, AreResultsThatAreDrawnUnlit) {
  Job job;
  const FieldResult result = compute_field(request_of(water(), plane_of(SlicePlane::Kind::x)), nullptr, job);
  ASSERT_EQ(result.items.size(), 2u);
  EXPECT_FALSE(result.items[0]->lit);
  EXPECT_TRUE(std::holds_alternative<Lines>(result.items[1]->shape));
  ASSERT_TRUE(result.legend);
  EXPECT_EQ(result.legend->lower, -result.legend->upper);
  EXPECT_NE(result.summary.find("plane across x"), std::string::npos) << result.summary;
  const FieldResult beside = compute_field(request_of(water(), plane_of(SlicePlane::Kind::x, 50)), nullptr, job);
  EXPECT_TRUE(beside.items.empty());
  EXPECT_NE(beside.summary.find("does not meet it"), std::string::npos) << beside.summary;
  FieldRequest surface = request_of(water(), plane_of(SlicePlane::Kind::x));
  surface.field.kind = Field::Kind::gaussian;
  EXPECT_THROW(compute_field(surface, nullptr, job), Error);
}

constexpr glm::u8vec4 blue(0, 114, 178, 255), vermilion(213, 94, 0, 255);

TEST(DivergingColours, RunFromTheEndsToWhite) {
  const auto byte = [](glm::vec3 c) { return glm::u8vec3(glm::round(c * 255.0f)); };
  EXPECT_EQ(byte(diverging_colour(vermilion, blue, 1)), glm::u8vec3(blue));
  EXPECT_EQ(byte(diverging_colour(vermilion, blue, -1)), glm::u8vec3(vermilion));
  EXPECT_EQ(byte(diverging_colour(vermilion, blue, 7)), glm::u8vec3(blue));
  const glm::u8vec3 white = byte(diverging_colour(vermilion, blue, 0));
  EXPECT_EQ(white, byte(diverging_colour(vermilion, blue, std::nan(""))));
  EXPECT_LE(std::max({white.r, white.g, white.b}) - std::min({white.r, white.g, white.b}), 1);
  // Lightness falls evenly on both sides.
  double last = 2;
  for (int i = 0; i <= 20; ++i) {
    const double right = oklab(diverging_colour(vermilion, blue, i / 20.0)).x;
    const double end = oklab(glm::dvec3(glm::u8vec3(blue)) / 255.0).x;
    EXPECT_NEAR(right, 0.97 + (end - 0.97) * i / 20.0, 2e-3);
    EXPECT_LT(right, last);
    last = right;
  }
  // Reference values of the publication: white is (1, 0, 0).
  const glm::dvec3 one = oklab(glm::dvec3(1));
  EXPECT_NEAR(one.x, 1, 1e-6);
  EXPECT_NEAR(glm::length(glm::dvec2(one.y, one.z)), 0, 1e-4);
}

// As eyes without one kind of cone see them: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, IEEE Trans. Vis.
// Comput. Graph. 15 (2009) 1291, severity 1, on linear sRGB.
TEST(DivergingColours, StayApartForColourBlindEyes) {
  const double eyes[3][9] = {
      {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
      {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
      {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};
  const auto seen = [](const double(&eye)[9], glm::dvec3 colour) {
    glm::dvec3 linear, result;
    for (int i = 0; i < 3; ++i)
      linear[i] = colour[i] <= 0.04045 ? colour[i] / 12.92 : std::pow((colour[i] + 0.055) / 1.055, 2.4);
    for (int i = 0; i < 3; ++i) {
      const double v =
          std::clamp(eye[3 * i] * linear[0] + eye[3 * i + 1] * linear[1] + eye[3 * i + 2] * linear[2], 0.0, 1.0);
      result[i] = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    }
    return oklab(result);
  };
  for (const auto& eye : eyes) {
    for (const double t : {0.25, 0.5, 1.0}) {
      const double apart = glm::distance(seen(eye, diverging_colour(vermilion, blue, -t)),
                                         seen(eye, diverging_colour(vermilion, blue, t)));
      // 0.02 in Oklab is about a difference that is just noticed.
      EXPECT_GT(apart, 0.15 * t) << t;
    }
  }
}

}  // namespace
}  // namespace isolume
