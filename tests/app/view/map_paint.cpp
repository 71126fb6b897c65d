// Surfaces coloured by maps; kinds of surfaces apart from their colours; units of what is shown.
#include <gtest/gtest.h>

#include <cmath>

#include "app/scene/scene_json.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "render/image/image.h"
#include "tests/app/cli/ion_files.h"
#include "tests/app/cli/program.h"
#include "tests/app/view/drawn_report.h"

namespace isolume {
namespace {

using test::draw;
using test::field_of_report;
using test::Folder;
using test::legend_of_report;
using test::run;
using test::with;
using test::Words;

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

/// A function of x, from -10 to 10 along every axis.
template <class Value>
std::string write_map(const Folder& folder, const char* name, const char* title, const Value& value) {
  Volume map;
  map.grid = {glm::dvec3(-10), glm::dmat3(1.0), glm::ivec3(21)};
  for (int k = 0; k < 21; ++k)
    for (int j = 0; j < 21; ++j)
      for (int i = 0; i < 21; ++i) map.values.push_back(value(static_cast<float>(i - 10)));
  write_volume(folder / name, VolumeView(map.grid, map.values, title, "kT/e"));
  return folder / name;
}

/// V = x.
std::string write_ramp(const Folder& folder, const char* name) {
  return write_map(folder, name, "ramp", [](float x) { return x; });
}

std::string summary_of_report(const Folder& folder) {
  return test::read_json(folder / "r.json")["result"]["fields"][0]["summary"];
}

/// How much more red than blue there is in the left and in the right half, without the legend.
std::pair<double, double> redness(const Image& image) {
  double left = 0, right = 0;
  for (int y = 0; y < image.height * 2 / 3; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * image.width + x)];
      (x < image.width / 2 ? left : right) += double(p[0]) - double(p[2]);
    }
  return {left, right};
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
  const auto [left, right] = redness(read_png(folder / "a.png"));
  EXPECT_GT(left, 1000);
  EXPECT_LT(right, -1000);
  const auto replayed = run({"replay", folder / "a.png", "--out", folder / "b.png"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_text(folder / "a.png"), test::read_text(folder / "b.png"));
  const auto joined = draw(folder, {folder / "atom.xyz", map, "--surface", "ses", "--colour-by", "map"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(field_of_report(folder)["kind"], "solvent excluded");
}

TEST(MapPaint, BeginsAtZeroForMapsThatAreNowhereNegative) {
  const Folder folder;
  test::write_text(folder / "atom.xyz", "2\n\nNe -3 0 0\nNe 3 0 0\n");
  const Words look{"--set", "camera.rotation=[1,0,0,0]", "--range", "5", "--style", "points"};
  const std::string variance =
      write_map(folder, "v.dx", "charge: variance of 61 frames", [](float x) { return x > 0 ? x : 0.0f; });
  auto outcome = draw(folder, with({folder / "atom.xyz", "--surface", "--map", variance}, look));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(legend_of_report(folder)["lower"], 0);
  EXPECT_EQ(legend_of_report(folder)["upper"], 5);
  EXPECT_CONTAINS(summary_of_report(folder), "from 0 kT/e (white) to 5 kT/e (blue)");
  const auto [none, some] = redness(read_png(folder / "a.png"));
  EXPECT_LT(std::abs(none), std::abs(some) / 20) << "white at 0";
  EXPECT_LT(some, -1000);
  // -1 is no value of a standard error: the frames were too few.
  const std::string error =
      write_map(folder, "e.dx", "standard error of charge", [](float x) { return x > 0 ? x : -1; });
  outcome = draw(folder, with({folder / "atom.xyz", "--surface", "--map", error}, look));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(legend_of_report(folder)["lower"], 0);
  EXPECT_CONTAINS(summary_of_report(folder), "white where the map has no value");
  EXPECT_LT(std::abs(redness(read_png(folder / "a.png")).first), std::abs(some) / 20);
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

}  // namespace
}  // namespace isolume
