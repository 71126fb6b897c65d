// What is said of a word that is none of an option's choices, and of numbers in another unit than the option's.
#include <gtest/gtest.h>

#include "molecule/base/nearest.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

TEST(Nearest, IsTheWordThatWasMeant) {
  EXPECT_EQ(nearest_of("catoon", {"lines", "cartoon", "tube"}), "cartoon");
  EXPECT_EQ(nearest_of("kT", {"V", "kT/e", "kcal/mol/e"}), "kT/e") << "what the word begins comes first";
  EXPECT_EQ(nearest_of("SESS", {"gaussian", "ses", "sas"}), "ses");
  EXPECT_EQ(nearest_of("xyz", {"V", "kT/e"}), "");
  EXPECT_EQ(did_you_mean("bychain", std::vector<std::string>{"element", "chain"}), " (did you mean 'chain'?)");
}

TEST(Choices, TheNearestWordIsNamed) {
  const Folder folder;
  const std::string file = test::examples("crambin.pdb.gz");
  test::write_text(folder / "other.xyz", "3\n\nC 0 0 0\nC 3 0 0\nO 0 3 0\n");
  struct {
    std::vector<std::string> words;
    const char* said;
  } const cases[] = {
      {{"render", file, "--style", "catoon", "--out", folder / "a.png"}, "(did you mean 'cartoon'?)"},
      {{"render", file, "--colour", "bychain", "--out", folder / "a.png"}, "(did you mean 'chain'?)"},
      {{"render", file, "--surface", "ses", "--colour-by", "potentail", "--out", folder / "a.png"},
       "(did you mean 'potential'?)"},
      {{"render", file, "--surface", "gausian", "--out", folder / "a.png"}, "(did you mean gaussian?)"},
      {{"render", file, "--preset", "overveiw", "--out", folder / "a.png"}, "(did you mean 'overview'?)"},
      {{"render", file, "--surface-style", "mehs", "--out", folder / "a.png"}, "(did you mean 'mesh'?)"},
      {{"render", file, "--for", "natur-1", "--out", folder / "a.png"}, "(did you mean 'nature-1'?)"},
      {{"render", file, "--background", "blak", "--out", folder / "a.png"}, "(did you mean 'black'?)"},
      {{"render", file, "--unit", "kT", "--out", folder / "a.png"}, "--unit: 'kT' is none of V, kT/e, kcal/mol/e"},
      {{"compute", "potential", file, "--unit", "kT", "--out", folder / "a.dx"}, "(did you mean 'kT/e'?)"},
      {{"compute", "surface", file, "--kind", "gausian", "--out", folder / "a.ply"}, "(did you mean 'gaussian'?)"},
      {{"compute", "sasa", file, "--radii", "protr"}, "(did you mean 'protor'?)"},
      {{"convert", file, folder / "a.sdf"},
       "must be one of pdb, ent, cif, mmcif, bcif, pqr, gro, mol2, xyz, extxyz, xtc, dcd, cube"},
      {{"convert", file, folder / "a.bmp"}, "may end in .gz; isolume render draws pictures"},
      {{"render", file, "--out", folder / "a.avi"}, "mp4, webm, gif, apng, mvsj\n"},
      {{"render", file, "--out", folder / "a.mol2"}, "mvsj; isolume convert writes atoms and maps"},
      {{"compute", "fit", file, "--onto", folder / "other.xyz", "--select", "all", "--match", "order", "--out",
        folder / "b.pdb"},
       " atoms are selected to move and 3 to superpose them on; expected equal numbers"},
      {{"convert", file},
       "the output is missing; it can be atoms and frames (.pdb, .cif, .bcif, .pqr, .gro, .mol2, .xyz, .xtc, .dcd)"},
  };
  for (const auto& c : cases) {
    const auto outcome = run(c.words);
    EXPECT_EQ(outcome.code, 2) << c.said;
    EXPECT_CONTAINS(outcome.err, c.said);
  }
}

TEST(Choices, WordsAreTakenInAnyCase) {
  const Folder folder;
  const auto outcome = run({"compute", "surface", test::examples("crambin.pdb.gz"), "--kind", "SES", "--spacing", "1",
                            "--out", folder / "a.ply"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Choices, APictureOfNothingSaysSo) {
  const Folder folder;
  test::write_text(folder / "one.pdb",
                   "ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00  0.00           N  \n"
                   "ATOM      2  CA  ALA A   1       1.458   0.000   0.000  1.00  0.00           C  \n"
                   "ATOM      3  C   ALA A   1       2.009   1.420   0.000  1.00  0.00           C  \nEND\n");
  std::vector<std::string> words{"render", folder / "one.pdb", "--size", "64x48", "--out", folder / "a.png"};
  const auto usual = run(words);
  ASSERT_EQ(usual.code, 0) << usual.err;
  EXPECT_EQ(usual.err.find("empty"), std::string::npos) << usual.err;
  words.insert(words.end(), {"--style", "cartoon"});
  const auto outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "the picture is empty, of these atoms nothing is drawn as cartoon");
}

TEST(Choices, ConcentrationsAreInMolesPerLitre) {
  const Folder folder;
  const auto outcome = run({"compute", "potential", test::examples("crambin.pdb.gz"), "--method", "debye-hueckel",
                            "--ionic-strength", "150", "--out", folder / "a.dx"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "--ionic-strength 150: it is in mol/l (M), at most 20; for 150 mmol/l write 0.15");
}

TEST(Choices, RestrictedOrbitalsHaveNoBetaOfTheirOwn) {
  const Folder folder;
  for (const auto& words :
       {std::vector<std::string>{"compute", "orbital", test::data("H2O-631Gd-cart.molden"), "--out", folder / "a.cube"},
        std::vector<std::string>{"render", test::data("H2O-631Gd-cart.molden"), "--out", folder / "a.png"}}) {
    auto all = words;
    all.insert(all.end(), {"--orbital", "homo", "--spin", "beta"});
    const auto outcome = run(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_CONTAINS(outcome.err, "restricted: alpha and beta orbitals are the same");
  }
}

TEST(Surfaces, AreCalledWhatTheyAre) {
  const Folder folder;
  test::write_text(folder / "pair.pqr",
                   "ATOM      1  O   LIG A   1       0.000   0.000   0.000  1.0000 2.0000\n"
                   "ATOM      2  C   LIG A   2       6.000   0.000   0.000 -1.0000 1.5000\n");
  for (const auto& [kind, title] : {std::pair{"vdw", "van der Waals surface"}, {"ses", "solvent-excluded surface"}}) {
    const auto outcome = run({"render", folder / "pair.pqr", "--surface", kind, "--size", "64x48", "--samples", "1",
                              "--out", folder / "a.png", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto field = test::read_json(folder / "r.json")["result"]["fields"][0];
    EXPECT_TRUE(field["summary"].get<std::string>().starts_with(title)) << field["summary"];
  }
}

TEST(Surfaces, OfPotentialsAreThoseOfThePolymer) {
  const Folder folder;
  test::write_text(folder / "a.pqr",
                   "ATOM      1  N   GLY A   1       0.000   0.000   0.000  0.5000 1.8000\n"
                   "ATOM      2  CA  GLY A   1       1.450   0.000   0.000 -0.5000 1.9000\n"
                   "ATOM      3  C   GLY A   1       2.000   1.420   0.000  0.5000 1.9000\n"
                   "ATOM      4  O   GLY A   1       1.250   2.390   0.000 -0.5000 1.6000\n"
                   "ATOM      5  O   HOH B   2      12.000   0.000   0.000 -0.8340 1.7000\n");
  const std::vector<std::string> words{"compute",   "surface",  folder / "a.pqr",  "--kind",    "ses",
                                       "--spacing", "0.5",      "--colour-by",     "potential", "--method",
                                       "direct",    "--report", folder / "r.json", "--out",     folder / "a.ply"};
  const auto usual = run(words);
  ASSERT_EQ(usual.code, 0) << usual.err;
  EXPECT_CONTAINS(usual.err, "the surface is that of \"protein or nucleic\", as render draws it");
  auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["parts"], 1);
  EXPECT_EQ(report["method"]["selection"], "protein or nucleic");
  auto whole = words;
  whole.insert(whole.end(), {"--select", "all"});
  ASSERT_EQ(run(whole).code, 0);
  EXPECT_EQ(test::read_json(folder / "r.json")["result"]["parts"], 2) << "with the water";
}

TEST(OrbitalFit, DiffuseLobesAreWithinThePicture) {
  const Folder folder;
  // x2-y2 of one exponent: its lobes end 3.6 angstrom from the hydrogen.
  test::write_text(folder / "h.molden",
                   "[Molden Format]\n[ATOMS] AU\nH 1 1 0 0 0\n[GTO]\n1 0\nd 1 1.00\n0.08 1.0\n\n[5D]\n[MO]\n"
                   "Sym= A\nEne= 1.0\nSpin= Alpha\nOccup= 1.0\n1 0\n2 0\n3 0\n4 1\n5 0\n");
  const auto outcome = run({"render", folder / "h.molden", "--orbital", "1", "--isovalue", "0.02", "--transparent",
                            "--size", "120x120", "--samples", "1", "--out", folder / "a.png"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image image = read_png(folder / "a.png");
  const auto alpha = [&](int x, int y) { return image.rgba[4 * static_cast<std::size_t>(y * image.width + x) + 3]; };
  std::size_t drawn = 0;
  for (int i = 0; i < 120; ++i) {
    EXPECT_EQ(alpha(i, 0) + alpha(i, 119) + alpha(0, i) + alpha(119, i), 0) << "at the edge, pixel " << i;
    for (int k = 0; k < 120; ++k) drawn += alpha(i, k) > 0;
  }
  EXPECT_GT(drawn, 120u * 120u / 8) << "and they fill it";
}

}  // namespace
}  // namespace isolume
