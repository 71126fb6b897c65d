// Surfaces coloured by the potential and by maps as they come by default; ranges and isovalues in the unit shown.
#include "app/view/usual_potential.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/export/picture_file.h"
#include "app/scene/scene_json.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "render/image/image.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;
using Words = std::vector<std::string>;

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

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

test::Outcome draw(const Folder& folder, const Words& words) {
  return run(with(with({"render"}, words), {"--size", "160x120", "--samples", "1", "--spacing", "1", "--out",
                                            folder / "a.png", "--report", folder / "r.json"}));
}

nlohmann::json legend_of_report(const Folder& folder) {
  return test::read_json(folder / "r.json")["result"]["fields"][0]["legend"];
}

nlohmann::json field_of_report(const Folder& folder) {
  return test::read_json(folder / "r.json")["method"]["scene"]["fields"][0];
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

TEST(UnitShown, IsThatOfRangeAndIsovalue) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{-6, 0, 0, -1}, {6, 0, 0, 1}}));
  const std::string ions = folder / "ions.pqr";
  ASSERT_EQ(draw(folder, {ions, "--surface", "ses", "--colour-by", "potential", "--set",
                          "fields[0].potential.unit=kT/e", "--range", "5"})
                .code,
            0);
  EXPECT_EQ(legend_of_report(folder)["unit"], "kT/e");
  EXPECT_EQ(legend_of_report(folder)["upper"], 5);
  ASSERT_EQ(draw(folder, {ions, "--surface", "potential", "--unit", "kT/e", "--isovalue", "20"}).code, 0);
  EXPECT_NEAR(legend_of_report(folder)["upper"].get<double>(), 20, 1e-9);
  Field field;
  field.kind = Field::Kind::potential;
  field.potential.unit = PotentialSettings::Unit::thermal;
  field.isovalue = 20;
  const double volt = units::thermal_voltage(298.15);
  EXPECT_NEAR(effective_isovalue(field), 20 * volt, 1e-12);
  field.paint_range = 5;
  change_unit(field, PotentialSettings::Unit::volt);
  EXPECT_NEAR(field.isovalue, 20 * volt, 1e-6);
  EXPECT_NEAR(field.paint_range, 5 * volt, 1e-6);
  change_unit(field, PotentialSettings::Unit::thermal);
  EXPECT_NEAR(field.isovalue, 20, 1e-4);
}

TEST(UnitShown, OfScenesOfTheFirstVersionWasVolts) {
  const std::string text = R"({"format": "isolume-scene", "version": 1, "molecules": [{"paths": ["/a.pqr"]}],
    "fields": [{"kind": "potential", "isovalue": 0.5, "potential": {"unit": "kt/e"}},
               {"kind": "gaussian", "paint": "potential", "paint_range": 0.1, "potential": {"unit": "kt/e"}}]})";
  const Scene scene = scene_from_json(text);
  EXPECT_NEAR(scene.fields[0].isovalue, 0.5 / units::thermal_voltage(298.15), 1e-3);
  EXPECT_NEAR(effective_isovalue(scene.fields[0]), 0.5, 1e-5);
  EXPECT_NEAR(scene.fields[1].paint_range, 0.1 / units::thermal_voltage(298.15), 1e-4);
  EXPECT_EQ(scene_from_json(scene_to_json(scene)), scene);
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

TEST(SurfaceKinds, AreKeptApartFromColours) {
  const Folder folder;
  test::write_text(folder / "ions.pqr", test::pqr({{-6, 0, 0, -1}, {6, 0, 0, 1}}));
  const std::string ions = folder / "ions.pqr";
  const std::vector<std::pair<const char*, const char*>> kinds{
      {"molecular", "solvent excluded"}, {"solvent", "solvent accessible"}, {"vdw", "solvent excluded"}};
  for (const auto& [word, kind] : kinds) {
    const auto outcome = draw(folder, {ions, "--surface", word});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(field_of_report(folder)["kind"], kind);
  }
  EXPECT_EQ(field_of_report(folder)["probe_radius"], 0);
  for (const char* word : {"element", "sess"}) {
    const auto refused = draw(folder, {ions, "--surface", word});
    EXPECT_EQ(refused.code, 2);
    EXPECT_CONTAINS(refused.err, "kinds are gaussian, ses (molecular), sas (solvent), vdw, cavities");
    EXPECT_CONTAINS(refused.err, "--colour-by");
  }
}

/// V = x in volts from -10 to 10 along every axis.
std::string write_ramp(const Folder& folder, const char* name) {
  Volume ramp;
  ramp.grid = {glm::dvec3(-10), glm::dmat3(1.0), glm::ivec3(21)};
  for (int k = 0; k < 21; ++k)
    for (int j = 0; j < 21; ++j)
      for (int i = 0; i < 21; ++i) ramp.values.push_back(static_cast<float>(i - 10));
  write_volume(folder / name, VolumeView(ramp.grid, ramp.values, "ramp", "kT/e"));
  return folder / name;
}

TEST(MapPaint, ColoursASurfaceByAVolume) {
  const Folder folder;
  test::write_text(folder / "atom.xyz", "2\n\nNe -3 0 0\nNe 3 0 0\n");
  const std::string map = write_ramp(folder, "ramp.dx");
  const Words look{"--set", "camera.rotation=[1,0,0,0]", "--range", "5", "--style", "points"};
  const auto outcome = draw(folder, with({folder / "atom.xyz", "--surface", "--map", map}, look));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto legend = legend_of_report(folder);
  EXPECT_EQ(legend["unit"], "kT/e");
  EXPECT_EQ(legend["title"], "ramp");
  EXPECT_EQ(legend["upper"], 5);
  EXPECT_EQ(field_of_report(folder)["paint"], "map");
  // Left of the middle red, right of it blue.
  const Image image = read_png(folder / "a.png");
  double left = 0, right = 0;
  for (int y = 0; y < image.height * 2 / 3; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * image.width + x)];
      (x < image.width / 2 ? left : right) += double(p[0]) - double(p[2]);
    }
  EXPECT_GT(left, 1000);
  EXPECT_LT(right, -1000);
  const auto replayed = run({"replay", folder / "a.png", "--out", folder / "b.png"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));
  const auto joined = draw(folder, {folder / "atom.xyz", map, "--surface", "ses", "--colour-by", "map"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(field_of_report(folder)["kind"], "solvent excluded");
}

TEST(MapPaint, RefusesWhatHasNoMap) {
  const Folder folder;
  test::write_text(folder / "atom.xyz", "1\n\nNe 0 0 0\n");
  test::write_text(folder / "far.xyz", "1\n\nNe 90 0 0\n");
  const std::string map = write_ramp(folder, "ramp.dx");
  const auto none = draw(folder, {folder / "atom.xyz", "--surface", "--colour-by", "map"});
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "--map FILE");
  const auto empty = draw(folder, {folder / "atom.xyz", "--surface", "--map", folder / "far.xyz"});
  EXPECT_EQ(empty.code, 2);
  EXPECT_CONTAINS(empty.err, "has no volume");
  const auto outside = draw(folder, {folder / "far.xyz", "--surface", "--map", map});
  EXPECT_EQ(outside.code, 2);
  EXPECT_CONTAINS(outside.err, "outside of the map");
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
