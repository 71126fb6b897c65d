// Critical points and bond paths as a field: what is drawn of water, in the picture and by the command line.
#include "app/fields/bond_path_field.h"
#include "app/fields/field_styles.h"

#include <gtest/gtest.h>

#include "app/scene/density_name.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

FieldRequest density_of(const std::string& path) {
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.field.orbital = "density";
  request.field.show = Field::Show::paths;
  request.molecule = std::make_shared<const Molecule>(read_file(path));
  return request;
}

using BondPathsOnDevice = test::OnDevice;
ISOLUME_ON_EVERY_DEVICE(BondPathsOnDevice);

TEST_P(BondPathsOnDevice, OfWaterAreTwoBondPointsAndTwoPaths) {
  FieldRequest request = density_of(test::data("H2O-631Gd-cart.molden"));
  request.device = GetParam();
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_EQ(result.items.size(), 2u);
  const auto* balls = std::get_if<Spheres>(&result.items[0]->shape);
  const auto* tubes = std::get_if<Cylinders>(&result.items[1]->shape);
  ASSERT_TRUE(balls && tubes);
  EXPECT_EQ(balls->spheres.size(), 2u) << "the maxima at nuclei are not drawn";
  ASSERT_TRUE(result.legend);
  ASSERT_EQ(result.legend->entries.size(), 1u);
  EXPECT_EQ(result.legend->entries[0].first, "Bond point");
  EXPECT_CONTAINS(result.summary, "3 maxima, 2 bond points; Poincare-Hopf sum 1,");
  // Both paths together are the ways between the maxima, which is at hydrogens a little towards the oxygen.
  double length = 0;
  for (const auto& piece : tubes->cylinders) length += static_cast<double>(glm::distance(piece.a, piece.b));
  const Orbitals& orbitals = *request.molecule->orbitals.at(0);
  double bonds = 0;
  for (const std::size_t hydrogen : {1u, 2u})
    bonds += units::bohr_in_angstrom * glm::distance(orbitals.centres.at(0), orbitals.centres.at(hydrogen));
  EXPECT_LT(length, bonds);
  EXPECT_GT(length, bonds - 0.1);
}

TEST(BondPathField, HasASurfaceForEachBondWhereItIsAskedFor) {
  FieldRequest request = density_of(test::data("H2O-631Gd-cart.molden"));
  request.field.interatomic = true;
  Job job;
  const FieldResult result = compute_field(request, nullptr, job);
  ASSERT_EQ(result.items.size(), 4u) << "balls, tubes and two surfaces";
  for (const std::size_t i : {2u, 3u}) {
    const auto* surface = std::get_if<Surface>(&result.items[i]->shape);
    ASSERT_TRUE(surface && surface->mesh);
    EXPECT_GT(surface->mesh->triangles.size(), 500u);
    EXPECT_LT(result.items[i]->opacity, result.items[0]->opacity);
    // As it is drawn it keeps its own colour, and paths are seen through it.
    FieldStyles styles;
    const auto drawn = styles.apply(0, i, request.field, result.items[i], {}, 0);
    EXPECT_EQ(std::get<Surface>(drawn->shape).colour, surface->colour);
    EXPECT_LT(drawn->opacity, request.field.opacity);
  }
}

TEST(BondPathField, IsOfElectronDensitiesThatAreNotSliced) {
  Field field = density_of(test::data("H2O-631Gd-cart.molden")).field;
  EXPECT_TRUE(shows_bond_paths(field));
  field.slice.kind = SlicePlane::Kind::x;
  EXPECT_FALSE(shows_bond_paths(field));
  field.slice.kind = SlicePlane::Kind::none;
  for (const char* orbital : {"homo", "spin density"}) {
    field.orbital = orbital;
    EXPECT_FALSE(shows_bond_paths(field));
  }
  field.orbital = "density";
  field.show = Field::Show::surfaces;
  EXPECT_FALSE(shows_bond_paths(field));
}

TEST(BondPathField, IsDrawnByTheCommandLineAndReplayed) {
  const Folder folder;
  const auto drawn =
      run({"render", test::data("H2O-631Gd-cart.molden"), "--orbital", "density", "--bond-paths", "--size", "200x150",
           "--samples", "1", "--quiet", "--out", folder / "a.png", "--report", folder / "r.json"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_CONTAINS(report["result"]["fields"][0]["summary"].get<std::string>(), "2 bond points");
  EXPECT_EQ(report["method"]["scene"]["fields"][0]["show"], "bond paths");
  ASSERT_EQ(run({"replay", folder / "a.png", "--out", folder / "b.png", "--quiet", "--trust-paths"}).code, 0);
  EXPECT_EQ(read_png(folder / "a.png").rgba, read_png(folder / "b.png").rgba);
  const auto orbital = run(
      {"render", test::data("H2O-631Gd-cart.molden"), "--orbital", "homo", "--bond-paths", "--out", folder / "c.png"});
  EXPECT_EQ(orbital.code, 2);
  EXPECT_CONTAINS(orbital.err, "--orbital density adds one");
}

}  // namespace
}  // namespace isolume
