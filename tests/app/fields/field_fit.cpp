// Fields that do not fit into memory are shown with fewer points, and say so.
#include "app/fields/field_fit.h"

#include <gtest/gtest.h>

#include "app/fields/device_volume.h"
#include "compute/base/memory.h"
#include "formats/read.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/app/documents/gate.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

struct Limit {
  explicit Limit(std::size_t bytes) { set_memory_limit(bytes); }
  ~Limit() { set_memory_limit(0); }
};

FieldRequest request_of(Field::Kind kind, std::shared_ptr<const Molecule> molecule, double spacing = 0.1) {
  FieldRequest request;
  request.field.kind = kind;
  request.field.spacing = spacing;
  request.molecule = std::move(molecule);
  return request;
}

/// A field that is drawn in half of the bytes that it would take.
void expect_half(FieldRequest request) {
  Job job;
  const FieldPlan plan = plan_field(request);
  const Limit limit(plan.bytes / 2);
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_FALSE(result.items.empty());
  EXPECT_LE(result.predicted_bytes, plan.bytes / 2);
  EXPECT_LT(result.grid.size(), plan.grid.size());
  EXPECT_GT(result.grid.size(), plan.grid.size() / 8) << "not coarser than it has to be";
  EXPECT_CONTAINS(result.note, fmt::format("instead of {:g}", request.field.spacing));
  EXPECT_CONTAINS(result.note, bytes_in_words(plan.bytes / 2));
  EXPECT_CONTAINS(result.summary, result.note);
}

std::shared_ptr<const Molecule> water() {
  return std::make_shared<const Molecule>(read_file(test::data("H2O-631Gd-cart.molden")));
}

TEST(FieldFit, OrbitalsHaveFewerPoints) {
  expect_half(request_of(Field::Kind::orbital, water()));
}

TEST(FieldFit, CloudsHaveFewerPoints) {
  FieldRequest request = request_of(Field::Kind::orbital, water());
  request.field.show = Field::Show::cloud;
  expect_half(request);
}

TEST(FieldFit, SolventSurfacesAndCurvatureHaveFewerPoints) {
  const auto molecule = test::molecule_of({{0, 0, 0}, {3, 0, 0}, {0, 3, 1}});
  // Points in number: what these take apart from their grid stays as it is.
  expect_half(request_of(Field::Kind::solvent_excluded, molecule, 0.05));
  expect_half(request_of(Field::Kind::solvent_accessible, molecule, 0.05));
  FieldRequest painted = request_of(Field::Kind::gaussian, molecule);
  painted.field.paint = Field::Paint::curvature;
  expect_half(painted);
}

TEST(FieldFit, PotentialsHaveFewerPoints) {
  const test::Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{0, 0, 0, 1}, {4, 0, 0, -1}}));
  FieldRequest request =
      request_of(Field::Kind::potential, std::make_shared<const Molecule>(read_file(folder / "ions.pqr")));
  request.field.potential.method = PotentialSettings::Method::direct;
  expect_half(request);
}

TEST(FieldFit, WhatWouldBeTooCoarseIsRefused) {
  Job job;
  const Limit limit(2000);
  try {
    compute_field(request_of(Field::Kind::orbital, water()), nullptr, job);
    FAIL() << "an orbital in 2000 bytes";
  } catch (const Error& fault) {
    EXPECT_CONTAINS(std::string(fault.what()), "can be had");
  }
}

TEST(FieldFit, MapsAreNotMadeCoarserThanAskedFor) {
  const FieldRequest request = request_of(Field::Kind::orbital, water());
  Job job;
  const Limit limit(plan_field(request).bytes / 2);
  EXPECT_THROW(compute_volume(request, job), DoesNotFit);
}

TEST(FieldFit, TheCommandLineSaysItAndDrawsIt) {
  const test::Folder folder;
  const auto outcome = test::run({"render", test::data("H2O-631Gd-cart.molden"), "--orbital", "homo", "--spacing",
                                  "0.03", "--memory-limit", "0.004", "--size", "200x150", "--out", folder / "a.png"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "angstrom between grid points instead of 0.03");
}

TEST(FieldFit, AHugePictureIsRefusedBeforeItIsDrawn) {
  const test::Folder folder;
  const auto outcome = test::run({"render", test::data("H2O-631Gd-cart.molden"), "--size", "30000x20000",
                                  "--memory-limit", "0.1", "--out", folder / "a.png"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "30000 x 20000 pixels: needs");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png"));
}

}  // namespace
}  // namespace isolume
