// Surfaces coloured by the potential: signs, range, legend, and what is said without charges.
#include "app/session/potential_paint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/isosurface/marching_cubes.h"
#include "formats/read.h"
#include "molecule/error.h"
#include "tests/app/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

// Two ions 12 angstrom apart, -1 on the left and +1 on the right.
FieldRequest ions(const test::Folder& folder) {
  test::write_text(folder / "ions.pqr",
                   "ATOM      1 CL   ION A   1      -6.000   0.000   0.000 -1.0000 1.8000\n"
                   "ATOM      2 NA   ION A   2       6.000   0.000   0.000  1.0000 1.8000\n");
  FieldRequest request;
  request.field.kind = Field::Kind::gaussian;
  request.field.paint = Field::Paint::potential;
  request.field.spacing = 0.3;
  request.molecule = std::make_shared<const Molecule>(read_file(folder / "ions.pqr"));
  return request;
}

TEST(PotentialPaint, ColoursHaveTheirSigns) {
  EXPECT_EQ(red_white_blue(-1), red_white_blue(-5));
  EXPECT_GT(red_white_blue(-1).r, 0.7f);
  EXPECT_LT(red_white_blue(-1).b, 0.2f);
  EXPECT_GT(red_white_blue(1).b, 0.7f);
  EXPECT_LT(red_white_blue(1).r, 0.2f);
  for (int c = 0; c < 3; ++c) EXPECT_GT(red_white_blue(0)[c], 0.95f);
  EXPECT_EQ(round_number(0), 1);
  EXPECT_NEAR(round_number(0.021), 0.02, 1e-12);
  EXPECT_NEAR(round_number(290), 300, 1e-9);
  EXPECT_NEAR(round_number(9), 10, 1e-12);
}

TEST(PotentialPaint, SurfaceIsRedAboutTheAnionAndBlueAboutTheCation) {
  const test::Folder folder;
  FieldRequest request = ions(folder);
  Job job;
  const DeviceVolume volume = compute_on_device(request, job);
  ASSERT_TRUE(volume.legend.has_value());
  const Mesh mesh = marching_cubes(volume.values.span(), volume.grid, {0.5f, true}, volume.colours.span(), job);
  ASSERT_FALSE(mesh.colours.empty());
  // On the spheres r = R sqrt(2 ln 2) = 2.12: e/(4 pi eps0 r) = 6.8 V less 1.0 to 1.4 V of the other; 5 is the nearest
  // round number.
  EXPECT_NEAR(volume.legend->upper, 5, 1e-9);
  EXPECT_NEAR(volume.legend->lower, -5, 1e-9);
  EXPECT_EQ(volume.legend->unit, "V");
  EXPECT_LE(volume.legend->relative_error, 1e-5);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const auto colour = mesh.colours[i];
    if (mesh.positions[i].x < 0) {
      ASSERT_GT(colour.r, 150);
      ASSERT_LT(colour.b, 100);
    } else {
      ASSERT_GT(colour.b, 150);
      ASSERT_LT(colour.r, 100);
    }
  }
  // At 20 times the potential the same surface is nearly white.
  request.field.paint_range = 100;
  const DeviceVolume pale = compute_on_device(request, job);
  EXPECT_EQ(pale.legend->upper, 100);
  for (const auto colour :
       marching_cubes(pale.values.span(), pale.grid, {0.5f, true}, pale.colours.span(), job).colours) {
    ASSERT_GT(colour.r, 210);
    ASSERT_GT(colour.g, 210);
  }
}

TEST(PotentialPaint, ResultsCarryTheLegend) {
  const test::Folder folder;
  Job job;
  const FieldResult result = compute_field(ions(folder), nullptr, job);
  ASSERT_TRUE(result.legend.has_value());
  EXPECT_NE(result.summary.find("-5 V (red) to 5 V (blue), direct sum"), std::string::npos) << result.summary;
}

TEST(PotentialPaint, NeedsCharges) {
  FieldRequest request;
  request.field.paint = Field::Paint::potential;
  request.molecule = std::make_shared<const Molecule>(read_file(test::data("H2O-631Gd-cart.molden")));
  try {
    plan_field(request);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("PQR, PSF and MOL2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isolume
