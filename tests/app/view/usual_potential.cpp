// Surfaces coloured by the potential as they come by default, and charges for them.
#include "app/view/usual_potential.h"

#include <gtest/gtest.h>

#include "app/scene/scene_json.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/app/view/drawn_report.h"

namespace isolume {
namespace {

using test::draw;
using test::field_of_report;
using test::legend_of_report;
using test::with;

using test::Folder;
using test::run;
using test::Words;

const std::string crambin = test::examples("crambin_charges/crambin_charges.pqr.gz");

TEST(UsualPotential, OfPoissonBoltzmannIsTakenInFrontOfTheSurface) {
  Field field;
  field.kind = Field::Kind::solvent_excluded;
  choose_method(field, PotentialMethod::pb);
  EXPECT_EQ(field.paint_offset, 1.4);
  choose_method(field, PotentialMethod::direct);
  EXPECT_EQ(field.paint_offset, 0);
  field.paint_offset = 3;  // the user's own
  choose_method(field, PotentialMethod::pb);
  EXPECT_EQ(field.paint_offset, 3);
  Field map;
  map.kind = Field::Kind::potential;
  choose_method(map, PotentialMethod::pb);
  EXPECT_EQ(map.paint_offset, 0);
}

TEST(UsualPotential, OfAPolymerIsThatOfPoissonBoltzmannOnItsSolventExcludedSurface) {
  const Molecule molecule = read_file(crambin);
  const Field field = usual_potential(molecule, 0);
  EXPECT_EQ(field.kind, Field::Kind::solvent_excluded);
  EXPECT_EQ(field.selection, "protein or nucleic");
  EXPECT_EQ(field.paint, Field::Paint::potential);
  EXPECT_EQ(field.potential.method, PotentialSettings::Method::pb);
  EXPECT_EQ(field.paint_offset, 1.4) << "where a solvent molecule is";
  EXPECT_EQ(field.potential.unit, PotentialSettings::Unit::thermal);
  EXPECT_EQ(field.paint_range, 5);
  EXPECT_FALSE(in_vacuum(field.potential));
  const Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{-6, 0, 0, -1}, {6, 0, 0, 1}}));
  const Field ions = usual_potential(read_file(folder / "ions.pqr"), 0);
  EXPECT_EQ(ions.kind, Field::Kind::potential);
  EXPECT_TRUE(in_vacuum(ions.potential));
}

TEST(UsualPotential, IsDrawnFromTheCommandLine) {
  const Folder folder;
  const auto outcome = draw(folder, {crambin, "--surface", "--colour-by", "potential"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto field = field_of_report(folder);
  EXPECT_EQ(field["kind"], "solvent excluded");
  EXPECT_EQ(field["selection"], "protein or nucleic");
  const auto legend = legend_of_report(folder);
  EXPECT_EQ(legend["unit"], "kT/e");
  EXPECT_EQ(legend["lower"], -5);
  EXPECT_EQ(legend["upper"], 5);
  EXPECT_EQ(legend["error_of"], "map");
  EXPECT_CONTAINS(legend["method"].get<std::string>(), "Poisson-Boltzmann");
}

TEST(UsualPotential, MethodAndUnitAreOptions) {
  const Folder folder;
  const Words base{crambin, "--surface", "--colour-by", "potential"};
  ASSERT_EQ(draw(folder, with(base, {"--method", "direct"})).code, 0);
  EXPECT_EQ(legend_of_report(folder)["unit"], "V");
  EXPECT_CONTAINS(legend_of_report(folder)["method"].get<std::string>(), "direct sum, vacuum");
  EXPECT_EQ(field_of_report(folder)["paint_range"], 0);
  ASSERT_EQ(draw(folder, with(base, {"--unit", "kcal/mol/e", "--range", "2"})).code, 0);
  EXPECT_EQ(legend_of_report(folder)["unit"], "kcal/mol/e");
  EXPECT_EQ(legend_of_report(folder)["upper"], 2);
  const auto unknown = draw(folder, with(base, {"--method", "poisson"}));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_CONTAINS(unknown.err, "debye-hueckel, hcp and pb");
  const auto nothing = draw(folder, {crambin, "--unit", "kT/e"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_CONTAINS(nothing.err, "--colour-by potential");
}

TEST(UsualPotential, PoissonBoltzmannIsOneOfTheMethods) {
  const Folder folder;
  const auto drawn = draw(folder, {crambin, "--surface", "--colour-by", "potential", "--method", "pb"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto legend = legend_of_report(folder);
  EXPECT_EQ(legend["unit"], "kT/e");
  EXPECT_EQ(legend["lower"], -5);
  EXPECT_EQ(legend["upper"], 5);
  EXPECT_CONTAINS(legend["method"].get<std::string>(), "Poisson-Boltzmann");
  EXPECT_EQ(field_of_report(folder)["potential"]["method"], "pb");
  // From sums in vacuum to it, and back.
  Field field;
  field.kind = Field::Kind::gaussian;
  field.paint = Field::Paint::potential;
  choose_method(field, PotentialMethod::pb);
  EXPECT_EQ(field.potential.unit, PotentialSettings::Unit::thermal);
  EXPECT_EQ(field.paint_range, 5);
  choose_method(field, PotentialMethod::debye_hueckel);
  EXPECT_EQ(field.paint_range, 5) << "screened as well";
  choose_method(field, PotentialMethod::msm);
  EXPECT_EQ(field.paint_range, 0);
}

TEST(UsualPotential, ExportedSurfacesShowIt) {
  const Folder folder;
  const Words base{"compute",   "surface", crambin,          "--kind",   "ses",
                   "--spacing", "1",       "--select",       "protein",  "--colour-by",
                   "potential", "--out",   folder / "s.glb", "--report", folder / "r.json"};
  const auto colours = [&] { return test::read_json(folder / "r.json")["method"]["colours"]; };
  ASSERT_EQ(run(base).code, 0);
  EXPECT_EQ(colours()["unit"], "kT/e");
  EXPECT_EQ(colours()["lower"], -5);
  EXPECT_EQ(colours()["upper"], 5);
  EXPECT_CONTAINS(colours()["method"].get<std::string>(), "Poisson-Boltzmann");
  EXPECT_CONTAINS(test::read_text(folder / "s.glb"), "\"unit\":\"kT/e\"");
  ASSERT_EQ(run(with(base, {"--method", "direct", "--range", "2"})).code, 0);
  EXPECT_EQ(colours()["unit"], "V");
  EXPECT_EQ(colours()["upper"], 2);
  ASSERT_EQ(run(with(base, {"--unit", "V"})).code, 0);
  EXPECT_CONTAINS(colours()["method"].get<std::string>(), "Poisson-Boltzmann");
  EXPECT_LT(colours()["upper"].get<double>(), 1) << "the range of kT/e is none of volts";
}

TEST(UsualMethods, ArePeriodicAndFitTheCellForMapsAndEnergies) {
  const Folder folder;
  ASSERT_EQ(run({"convert", "--make", "water:14", folder / "water.pqr"}).code, 0);
  for (const char* method : {"spme", "msm"}) {
    const auto energy = run({"compute", "energy", folder / "water.pqr", "--method", method, "--exclusions", "none",
                             "--out", folder / "f.npy", "--report", folder / "r.json"});
    ASSERT_EQ(energy.code, 0) << energy.err;
    const auto of_energy = test::read_json(folder / "r.json")["method"];
    EXPECT_NEAR(of_energy["cutoff"].get<double>(), 7, 1e-6);
    EXPECT_CONTAINS(of_energy["boundary"].get<std::string>(), "periodic along abc of the cell");
    const auto map = run({"compute", "potential", folder / "water.pqr", "--method", method, "--spacing", "2", "--out",
                          folder / "phi.dx", "--report", folder / "r.json"});
    ASSERT_EQ(map.code, 0) << map.err;
    EXPECT_EQ(test::read_json(folder / "r.json")["method"]["boundary"], "periodic along abc of the cell");
  }
  const auto open = run({"compute", "potential", folder / "water.pqr", "--method", "msm", "--periodic", "none",
                         "--spacing", "2", "--out", folder / "phi.dx", "--report", folder / "r.json"});
  ASSERT_EQ(open.code, 0) << open.err;
  EXPECT_EQ(test::read_json(folder / "r.json")["method"]["boundary"], "not periodic");
}

TEST(NoCharges, SaysTheNextStep) {
  const Folder folder;
  test::write_text(folder / "bare.xyz", "1\n\nNe 0 0 0\n");
  const auto bare = draw(folder, {folder / "bare.xyz", "--surface", "--colour-by", "potential"});
  EXPECT_EQ(bare.code, 2);
  EXPECT_CONTAINS(bare.err, "isolume compute charges");
  EXPECT_EQ(bare.err.find("--templates"), std::string::npos) << "the window says the same, and has no such option";
  EXPECT_EQ(bare.err.find("field 0"), std::string::npos) << bare.err;
  const auto orbitals = run({"compute", "potential", test::data("H2O-631Gd-cart.molden"), "--out", folder / "phi.dx"});
  EXPECT_EQ(orbitals.code, 2);
  EXPECT_CONTAINS(orbitals.err, "compute density --kind potential");
}

TEST(Templates, GiveAStructureItsChargesInAPicture) {
  const Folder folder;
  const auto bare = run({"convert", crambin, folder / "crambin.pdb", "--select", "not element H"});
  ASSERT_EQ(bare.code, 0) << bare.err;
  const auto outcome =
      draw(folder, {folder / "crambin.pdb", "--templates", crambin, "--surface", "--colour-by", "potential"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "residues completed");
  EXPECT_CONTAINS(
      test::read_json(folder / "r.json")["method"]["scene"]["molecules"][0]["templates"][0].get<std::string>(),
      "crambin_charges");
  // The files of templates are named by the picture too: outside of its folder they need trust, as others do.
  EXPECT_EQ(run({"replay", folder / "a.png", "--out", folder / "b.png"}).code, 2);
  const auto replayed = run({"replay", folder / "a.png", "--trust-paths", "--out", folder / "b.png"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));
}

}  // namespace
}  // namespace isolume
