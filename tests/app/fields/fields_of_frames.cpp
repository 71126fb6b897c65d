// Fields of moving atoms: what is kept between frames changes nothing; slabs.
#include <gtest/gtest.h>

#include <cmath>

#include "app/fields/device_volume.h"
#include "app/fields/field_memory.h"
#include "app/fields/fields.h"
#include "compute/base/memory.h"
#include "compute/density/gaussian_density.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"
#include "tests/app/documents/gate.h"
#include "tests/app/fields/field_request_of.h"

namespace isolume {
namespace {

using test::complaint;
using test::request_of;

// Atoms that move from frame to frame.
class Moving final : public Trajectory {
 public:
  explicit Moving(std::vector<glm::vec3> positions) : positions_(std::move(positions)) {}
  std::size_t frame_count() const override { return 4; }
  std::size_t atom_count() const override { return positions_.size(); }
  Frame frame(std::size_t index) const override {
    Frame frame;
    for (std::size_t i = 0; i < positions_.size(); ++i)
      frame.positions.push_back(positions_[i] + 0.3f * static_cast<float>(index * (i % 3)));
    return frame;
  }

 private:
  std::vector<glm::vec3> positions_;
};

FieldRequest moving_request() {
  std::vector<glm::vec3> positions;
  std::vector<float> charges;
  for (int i = 0; i < 40; ++i) {
    positions.emplace_back(3 * std::cos(1.1 * i), 3 * std::sin(1.1 * i), 0.8 * i);
    charges.push_back(i % 2 ? 0.3f : -0.3f);
  }
  const auto molecule = test::molecule_of(positions, charges);
  molecule->trajectory = std::make_shared<Moving>(positions);
  auto request = request_of(Field::Kind::gaussian, molecule, 0.5);
  request.field.colouring = Colouring::index;
  return request;
}

const Mesh& mesh_of(const FieldResult& result) {
  return *std::get<Surface>(result.items.at(0)->shape).mesh;
}

TEST(Fields, WhatStaysOnTheDeviceChangesNothing) {
  FieldRequest request = moving_request();
  FieldMemory memory;
  Job job;
  for (const bool painted : {false, true, false}) {
    request.field.paint = painted ? Field::Paint::potential : Field::Paint::atoms;
    request.field.paint_range = 2;
    for (const std::size_t frame : {0, 2, 1, 3}) {
      request.frame = frame;
      request.field.radius_scale = frame == 3 ? 1.2f : 1.0f;
      const FieldResult kept = compute_field(request, nullptr, job, &memory);
      const FieldResult fresh = compute_field(request, nullptr, job);
      EXPECT_EQ(mesh_of(kept).positions, mesh_of(fresh).positions);
      EXPECT_EQ(mesh_of(kept).colours, mesh_of(fresh).colours);
      EXPECT_EQ(mesh_of(kept).triangles, mesh_of(fresh).triangles);
      EXPECT_GT(mesh_of(kept).triangles.size(), 100u);
    }
  }
}

TEST(Fields, AtomsAreChosenAnewWhereTheSelectionLooksAtPositions) {
  FieldRequest request = moving_request();
  request.field.paint = Field::Paint::potential;
  request.field.paint_range = 2;
  FieldMemory memory;
  Job job;
  for (const char* selection : {"x < 0.5", "index < 20", "index < 10", "x < 0.5"}) {
    request.field.selection = selection;
    for (const std::size_t frame : {0, 3, 1}) {
      request.frame = frame;
      const FieldResult kept = compute_field(request, nullptr, job, &memory);
      const FieldResult fresh = compute_field(request, nullptr, job);
      EXPECT_EQ(mesh_of(kept).positions, mesh_of(fresh).positions) << selection << ", frame " << frame;
      EXPECT_EQ(mesh_of(kept).colours, mesh_of(fresh).colours) << selection << ", frame " << frame;
      EXPECT_EQ(kept.legend->total_charge, fresh.legend->total_charge);
    }
  }
}

TEST(Fields, AKeptPlanReachesItsAccuracyInEveryFrame) {
  FieldRequest request = moving_request();
  request.field.kind = Field::Kind::potential;  // whose error is that of the map, for which it is planned
  request.field.potential.method = PotentialSettings::Method::msm;
  request.field.potential.accuracy = 2e-3;
  FieldMemory memory;
  Job job;
  for (const std::size_t frame : {0, 1, 2, 3}) {
    request.frame = frame;
    const FieldResult result = compute_field(request, nullptr, job, &memory);
    ASSERT_TRUE(result.legend.has_value());
    EXPECT_LE(result.legend->relative_error, 2e-3) << "frame " << frame;
    EXPECT_GT(result.legend->error_points, 50u);
    EXPECT_NE(result.legend->method.find("multilevel summation"), std::string::npos);
  }
}

TEST(Fields, GridsOfMovingAtomsBeginAtMultiplesOfTheirSteps) {
  FieldRequest request = moving_request();
  for (const std::size_t frame : {0, 1, 3}) {
    request.frame = frame;
    const Grid grid = plan_field(request).grid;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(std::remainder(grid.origin[axis], 4 * request.field.spacing), 0, 1e-9);
      EXPECT_EQ((grid.counts[axis] - 1) % 4, 0);
    }
  }
}

TEST(Fields, WhatDoesNotFitGoesThroughInSlabs) {
  FieldRequest request = moving_request();
  request.field.spacing = 0.15;
  Job job;
  const Mesh whole = mesh_of(compute_field(request, nullptr, job));
  const std::vector<float> values = compute_volume(request, job).values;
  const FieldPlan plan = plan_field(request);
  EXPECT_EQ(plan.layers, 0);
  set_memory_limit(plan.bytes * 6 / 10);
  const FieldPlan limited = plan_field(request);
  EXPECT_GT(limited.layers, 0);
  EXPECT_LE(limited.bytes, plan.bytes * 6 / 10);
  const FieldResult result = compute_field(request, nullptr, job);
  const std::vector<float> same = compute_volume(request, job).values;
  // Two layers at a time are too few for anything, and as few points as would fit for a surface.
  set_memory_limit(100);
  const std::string refusal = complaint([&] { compute_field(request, nullptr, job); }, Error::Kind::failed);
  set_memory_limit(0);
  EXPECT_NE(refusal.find("needs"), std::string::npos) << refusal;
  EXPECT_NE(result.summary.find("in slabs of"), std::string::npos) << result.summary;
  EXPECT_EQ(mesh_of(result).positions, whole.positions);
  EXPECT_EQ(mesh_of(result).normals, whole.normals);
  EXPECT_EQ(mesh_of(result).colours, whole.colours);
  EXPECT_EQ(mesh_of(result).triangles, whole.triangles);
  EXPECT_EQ(same, values);
}

}  // namespace
}  // namespace isolume
