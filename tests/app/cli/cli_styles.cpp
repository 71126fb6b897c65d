// isolume render with the styles, colours and looks apart from the usual ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "app/scene/scene_json.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

test::Outcome render(std::vector<std::string> words, const std::string& out) {
  words.insert(words.begin(), "render");
  words.insert(words.end(), {"--size", "320x240", "--samples", "1", "--quiet", "--out", out});
  return run(words);
}

Scene scene_of(const std::string& picture) {
  std::map<std::string, std::string> texts;
  read_png(picture, &texts);
  return scene_from_json(texts["isolume-scene"], "/");
}

std::size_t drawn(const Image& image) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    count += image.rgba[i] < 250 || image.rgba[i + 1] < 250 || image.rgba[i + 2] < 250;
  return count;
}

TEST(RenderStyles, EachIsDrawn) {
  const Folder folder;
  const std::string charges = test::examples("crambin_charges/crambin_charges.pqr.gz");
  for (const char* style : {"ellipsoids", "hydrogen-bonds", "vectors"}) {
    const std::string out = folder / (std::string(style) + ".png");
    const auto outcome = render({charges, "--style", style}, out);
    ASSERT_EQ(outcome.code, 0) << style << ": " << outcome.err;
    EXPECT_GT(drawn(read_png(out)), 300u) << style;
  }
  const auto velocities = render(
      {charges, "--style", "vectors", "--set", "representations[0].options.vectors=velocities"}, folder / "v.png");
  EXPECT_EQ(velocities.code, 2);
  EXPECT_CONTAINS(velocities.err, "no velocities");
}

TEST(RenderStyles, WordsOfOtherProgramsAreKnown) {
  const Folder folder;
  const std::string crambin = test::examples("crambin.pdb.gz"), out = folder / "p.png";
  for (const auto& [word, style] : {std::pair{"licorice", Style::sticks}, std::pair{"VDW", Style::spheres},
                                    std::pair{"CPK", Style::ball_and_stick}, std::pair{"NewCartoon", Style::cartoon}}) {
    ASSERT_EQ(render({crambin, "--style", word, "--colour", "spectrum"}, out).code, 0) << word;
    const Scene scene = scene_of(out);
    EXPECT_EQ(scene.representations.at(0).style, style) << word;
    EXPECT_EQ(scene.representations.at(0).colouring, Colouring::index) << word;
  }
  const auto surface = render({crambin, "--style", "QuickSurf"}, out);
  EXPECT_EQ(surface.code, 2);
  EXPECT_CONTAINS(surface.err, "--surface gaussian");
  const auto unknown = render({crambin, "--style", "clay"}, out);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_CONTAINS(unknown.err, "--style: 'clay' is none of lines");
}

TEST(RenderStyles, ASelectionOfNothingIsSaid) {
  const Folder folder;
  const auto outcome = render({test::examples("crambin.pdb.gz"), "--select", "resname FOO"}, folder / "p.png");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "holds no atoms; there are residues ALA, ARG");
}

TEST(RenderStyles, AFolderStandsForItsFiles) {
  const Folder folder;
  const auto outcome = render({test::examples("crambin_charges")}, folder / "a.png");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto trajectory = render({test::examples("crambin_water"), "--frame", "1"}, folder / "b.png");
  ASSERT_EQ(trajectory.code, 0) << trajectory.err;
  EXPECT_EQ(scene_of(folder / "b.png").molecules.at(0).paths.size(), 2u) << "structure and trajectory are one";
}

TEST(RenderStyles, ANumberColoursAndHasALegend) {
  const Folder folder;
  const std::string file = test::examples("crambin.pdb.gz");
  const auto by = [&](const std::string& colour, const std::string& name, const std::string& legends) {
    const auto outcome = render({file, "--style", "sticks", "--colour", colour, "--legends", legends}, folder / name);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_png(folder / name);
  };
  const Image with = by("=abs(x)", "a.png", "scales"), without = by("=abs(x)", "b.png", "none");
  // The legend is in the lower left, and only there the pictures differ.
  std::size_t inside = 0, outside = 0;
  for (int y = 0; y < with.height; ++y)
    for (int x = 0; x < with.width; ++x) {
      const std::size_t at = 4 * static_cast<std::size_t>(y * with.width + x);
      if (std::equal(&with.rgba[at], &with.rgba[at] + 3, &without.rgba[at])) continue;
      (x < 190 && y > 160 ? inside : outside) += 1;
    }
  EXPECT_GT(inside, 500u);
  EXPECT_EQ(outside, 0u);
  const Scene scene = scene_of(folder / "a.png");
  EXPECT_EQ(scene.representations.at(0).colouring, Colouring::value);
  EXPECT_EQ(scene.representations.at(0).value, "abs(x)");
  const auto fault = render({file, "--colour", "=chrge"}, folder / "c.png");
  EXPECT_EQ(fault.code, 2);
  EXPECT_CONTAINS(fault.err, "did you mean 'charge'");
}

TEST(RenderStyles, ImagesOfTheCellAreRepeated) {
  const Folder folder;
  test::write_text(folder / "cell.xyz",
                   "2\nLattice=\"6 0 0 0 7 0 0 0 8\" Properties=species:S:1:pos:R:3\nC 1 1 1\nO 2.1 1 1\n");
  const auto once = render({folder / "cell.xyz", "--style", "spheres", "--set", "camera.height=40"}, folder / "a.png");
  const auto often = render(
      {folder / "cell.xyz", "--style", "spheres", "--images", "3x3x1", "--set", "camera.height=40"}, folder / "b.png");
  ASSERT_EQ(once.code, 0) << once.err;
  ASSERT_EQ(often.code, 0) << often.err;
  EXPECT_GT(drawn(read_png(folder / "b.png")), 5 * drawn(read_png(folder / "a.png")));
  EXPECT_EQ(render({folder / "cell.xyz", "--images", "0x1x1"}, folder / "c.png").code, 2);
}

TEST(RenderStyles, AnOrbitalIsACloud) {
  const Folder folder;
  const std::string file = test::data("H2O-631Gd-cart.molden");
  const auto outcome = render({file, "--cloud", "--set", "representations[0].visible=false"}, folder / "a.png");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image image = read_png(folder / "a.png");
  std::size_t blue = 0, orange = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    blue += image.rgba[i + 2] > image.rgba[i] + 20;
    orange += image.rgba[i] > image.rgba[i + 2] + 20;
  }
  EXPECT_GT(blue, 500u);
  EXPECT_GT(orange, 500u);
}

TEST(RenderStyles, AnOrbitalHasItsLegendUnlessNoneIsAskedFor) {
  const Folder folder;
  const std::string file = test::data("H2O-631Gd-cart.molden");
  for (const char* legends : {"scales", "all", "none"})
    ASSERT_EQ(render({file, "--legends", legends}, folder / (std::string(legends) + ".png")).code, 0);
  const Image plain = read_png(folder / "none.png"), all = read_png(folder / "scales.png");
  // Not what stands for names, such as elements.
  EXPECT_NE(read_png(folder / "all.png").rgba, all.rgba);
  // Both colours of the lobes as patches, low on the left, where there is nothing else.
  std::size_t changed = 0, orange = 0, blue = 0;
  for (int y = all.height / 2; y < all.height; ++y)
    for (int x = 0; x < all.width / 3; ++x) {
      const std::size_t at = 4 * static_cast<std::size_t>(y * all.width + x);
      if (std::equal(&all.rgba[at], &all.rgba[at] + 3, &plain.rgba[at])) continue;
      ++changed;
      orange += all.rgba[at] > all.rgba[at + 2] + 60;
      blue += all.rgba[at + 2] > all.rgba[at] + 60;
    }
  EXPECT_GT(changed, 300u);
  EXPECT_GT(orange, 50u);
  EXPECT_GT(blue, 50u);
}

TEST(RenderStyles, WrongLooksNameWhatThereIs) {
  const Folder folder;
  const std::string file = test::examples("crambin.pdb.gz");
  const auto material = render({file, "--material", "wood"}, folder / "a.png");
  EXPECT_EQ(material.code, 2);
  EXPECT_CONTAINS(material.err, "glossy");
  const auto legends = render({file, "--legends", "some"}, folder / "a.png");
  EXPECT_EQ(legends.code, 2);
  EXPECT_CONTAINS(legends.err, "scales");
  for (const char* option : {"--cloud", "--field-lines"}) {
    const auto nothing = render({file, option}, folder / "a.png");
    EXPECT_EQ(nothing.code, 2) << option;
    EXPECT_CONTAINS(nothing.err, "--surface potential");
  }
}

/// Eight alanines, a ligand, an ion and two waters, one of them at the ligand.
std::string small_complex() {
  std::string text;
  int serial = 0;
  const auto atom = [&](const char* record, const char* name, const char* residue, int number, double x, double y,
                        double z, const char* element) {
    text += fmt::format("{:<6}{:>5} {:^4} {:>3} A{:>4}    {:8.3f}{:8.3f}{:8.3f}  1.00 10.00          {:>2}\n", record,
                        ++serial, name, residue, number, x, y, z, element);
  };
  for (int i = 0; i < 8; ++i) {
    const double x = 3.8 * i;
    atom("ATOM", "N", "ALA", i + 1, x - 1.2, 0.7, 0, "N");
    atom("ATOM", "CA", "ALA", i + 1, x, 0, 0, "C");
    atom("ATOM", "C", "ALA", i + 1, x + 1.2, 0.8, 0, "C");
    atom("ATOM", "O", "ALA", i + 1, x + 1.2, 2.0, 0, "O");
  }
  atom("HETATM", "C1", "LIG", 101, 10, 6, 0, "C");
  atom("HETATM", "O1", "LIG", 101, 11.2, 6, 0, "O");
  atom("HETATM", "NA", "NA", 102, 20, 6, 0, "NA");
  atom("HETATM", "O", "HOH", 201, 10, 9, 0, "O");
  atom("HETATM", "O", "HOH", 202, 60, 60, 60, "O");
  return text + "END\n";
}

TEST(RenderStyles, ASelectionKeepsTheUsualLook) {
  const Folder folder;
  test::write_text(folder / "c.pdb", small_complex());
  const std::string out = folder / "p.png";
  const auto styles = [&](std::vector<std::string> words) {
    words.insert(words.begin(), folder / "c.pdb");
    const auto outcome = render(words, out);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<Style> shown;
    for (const Representation& r : scene_of(out).representations)
      if (r.visible) shown.push_back(r.style);
    return shown;
  };
  using Styles = std::vector<Style>;
  EXPECT_EQ(styles({"--select", "not water"}), (Styles{Style::cartoon, Style::sticks, Style::spheres}));
  EXPECT_EQ(styles({"--select", "resname LIG"}), (Styles{Style::ball_and_stick})) << "a few atoms are seen as such";
  EXPECT_EQ(styles({"--select", "not ion"}), (Styles{Style::cartoon, Style::sticks, Style::lines}))
      << "water that is selected is shown";
  EXPECT_EQ(styles({"--select", "not water", "--style", "tube"}), (Styles{Style::tube}));
  EXPECT_EQ(styles({"--colour", "molecule"}), styles({})) << "a colour leaves the styles";
}

TEST(RenderStyles, WaterOfACrystalIsShownAtLigandsAlone) {
  const Folder folder;
  test::write_text(folder / "c.pdb", small_complex());
  const std::string out = folder / "p.png";
  ASSERT_EQ(render({folder / "c.pdb"}, out).code, 0);
  const Scene scene = scene_of(out);
  ASSERT_EQ(scene.representations.size(), 5u);
  EXPECT_GT(scene.representations[1].colour.g, 160) << "carbon of thin sticks is not black";
  EXPECT_TRUE(scene.representations[3].visible);
  EXPECT_CONTAINS(scene.representations[3].selection, "within 4 of");
  EXPECT_EQ(scene.representations[4].selection, "water");
  EXPECT_FALSE(scene.representations[4].visible);
  EXPECT_LT(scene.camera.height, 40) << "the far water is not in the picture";
  ASSERT_EQ(render({folder / "c.pdb", "--style", "hydrogen-bonds"}, out).code, 0);
  EXPECT_EQ(scene_of(out).representations.at(0).colouring, Colouring::uniform) << "in a colour of their own";
  ASSERT_EQ(render({folder / "c.pdb", "--surface", "ses"}, out).code, 0);
  for (const Representation& r : scene_of(out).representations)
    EXPECT_FALSE(r.visible && r.selection.starts_with("water")) << "behind a surface there is none";
}

TEST(RenderStyles, SeveralMoleculesHaveColoursOfTheirOwn) {
  const Folder folder;
  test::write_text(folder / "a.pdb", small_complex());
  test::write_text(folder / "b.pdb", small_complex());
  const std::string out = folder / "p.png";
  ASSERT_EQ(render({folder / "a.pdb", folder / "b.pdb"}, out).code, 0);
  const Scene scene = scene_of(out);
  std::map<std::uint32_t, std::set<std::string>> carbons;
  for (const Representation& r : scene.representations) {
    EXPECT_EQ(r.style == Style::cartoon, r.colouring == Colouring::molecule);
    if (r.style == Style::sticks)
      carbons[r.molecule].insert(fmt::format("{},{},{}", r.colour.r, r.colour.g, r.colour.b));
  }
  ASSERT_EQ(carbons.size(), 2u);
  EXPECT_NE(carbons[0], carbons[1]);
  ASSERT_EQ(render({folder / "a.pdb", "--surface", "ses", "--colour-by", "molecule"}, out).code, 0);
  EXPECT_EQ(scene_of(out).fields.at(0).colouring, Colouring::molecule);
  ASSERT_EQ(render({folder / "a.pdb", folder / "b.pdb", "--surface", "ses"}, out).code, 0);
  EXPECT_EQ(scene_of(out).fields.at(0).colouring, Colouring::molecule) << "quietly, as the cartoons";
}

}  // namespace
}  // namespace isolume
