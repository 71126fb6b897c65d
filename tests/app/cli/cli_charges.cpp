// isolume compute charges, as a user runs it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "app/cli/propka.h"
#include "formats/read.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::run;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Crambin without hydrogens, as a PDB file.
std::string bare(const test::Folder& folder) {
  const std::string path = folder / "bare.pdb";
  const auto made =
      run({"convert", test::data("charges/crambin_pdb2pqr.pqr.gz"), path, "--select", "not element H", "--quiet"});
  EXPECT_EQ(made.code, 0) << made.err;
  return path;
}

TEST(CliCharges, CompleteAPlainStructure) {
  const test::Folder folder;
  const std::string in = bare(folder), out = folder / "out.pqr", report = folder / "report.json";
  for (const char* set : {"amber", "charmm", "parse"}) {
    const auto made = run({"compute", "charges", in, "--force-field", set, "--out", out, "--report", report});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(contains(made.err, "46 of 46 residues")) << made.err;
    const auto json = test::read_json(report)["result"]["preparation"];
    EXPECT_EQ(json["atoms"], 642);
    EXPECT_EQ(json["added_hydrogens"], 315);
    EXPECT_NEAR(json["total_charge"].get<double>(), 0, 1e-4);
    EXPECT_EQ(json["residues"].size(), 46u);
    EXPECT_TRUE(json["not_integral"].empty());
    const Molecule written = read_file(out);
    EXPECT_EQ(written.atom_count(), 642u);
    EXPECT_TRUE(written.topology->has_charges);
    EXPECT_NEAR(written.topology->total_charge(), 0, 5e-3) << "charges have four digits";
  }
}

TEST(CliCharges, WriteATableOfStates) {
  const test::Folder folder;
  test::write_text(folder / "states.txt", "# chain residue state\nA 23 GLH\n");
  const auto made = run({"compute", "charges", bare(folder), "--protonation", folder / "states.txt"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(contains(made.out, "A,23,GLU,GLH,0.0000,protonation file\n")) << made.out;
  EXPECT_TRUE(contains(made.out, "A,1,THR,NTHR,1.0000,\n")) << made.out;
}

TEST(CliCharges, UseTheMoreOccupiedOfAlternateLocations) {
  const auto made = run({"compute", "charges", test::examples("crambin.pdb.gz")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(contains(made.err, "less occupied locations")) << made.err;
  EXPECT_TRUE(contains(made.err, "total charge 0 e")) << made.err;
}

TEST(CliCharges, ServePotentialsAndEnergiesOfPlainStructures) {
  const test::Folder folder;
  const std::string in = bare(folder), report = folder / "report.json";
  test::write_text(folder / "points.csv", "30,30,30\n");
  const auto at = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"compute", "potential", in, "--at", folder / "points.csv", "--report", report};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto usual = at({});
  ASSERT_EQ(usual.code, 0) << usual.err;
  EXPECT_TRUE(contains(usual.err, "has no charges: hydrogens and charges of AMBER ff14SB are used")) << usual.err;
  EXPECT_EQ(test::read_json(report)["result"]["charges"], 642);
  const auto parse = at({"--force-field", "parse"});
  ASSERT_EQ(parse.code, 0) << parse.err;
  EXPECT_NE(parse.out, usual.out);
  // The potential of what compute charges writes, whose places have three digits and charges four.
  const auto made = run({"compute", "charges", in, "--out", folder / "out.pqr", "--quiet"});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto written = run({"compute", "potential", folder / "out.pqr", "--at", folder / "points.csv", "--quiet"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_NEAR(test::numbers(written.out).at(0), test::numbers(usual.out).at(0), 2e-3);
  const auto energy = run({"compute", "energy", in, "--method", "direct", "--report", report});
  ASSERT_EQ(energy.code, 0) << energy.err;
  EXPECT_TRUE(contains(energy.err, "has no charges")) << energy.err;
}

TEST(CliCharges, PaintPlainStructuresInPictures) {
  const test::Folder folder;
  const std::string in = bare(folder), picture = folder / "a.png", report = folder / "report.json";
  const auto drawn = run(
      {"render", in, "--surface", "--colour-by", "potential", "--size", "64x48", "--out", picture, "--report", report});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(contains(drawn.err, "has no charges: 315 added hydrogens and charges of AMBER ff14SB are used"))
      << drawn.err;
  EXPECT_EQ(test::read_json(report)["method"]["scene"]["molecules"][0]["templates"][0], "tables:amber");
  // The picture says so too, and is drawn again from the same tables.
  const auto replayed = run({"replay", picture, "--out", folder / "b.png"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(test::read_text(picture), test::read_text(folder / "b.png"));
}

TEST(CliCharges, AreToldByInfo) {
  const test::Folder folder;
  const auto told = run({"info", bare(folder)});
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(contains(told.out, "none; AMBER ff14SB with 315 more hydrogens makes +0.0000 e")) << told.out;
  const auto json = nlohmann::json::parse(run({"info", bare(folder), "--json"}).out);
  EXPECT_TRUE(json["charges"].is_null());
  EXPECT_EQ(json["prepared_charges"]["residues"].size(), 46u);
  EXPECT_NEAR(json["prepared_charges"]["residues"][0]["charge"].get<double>(), 1, 1e-4);
  EXPECT_TRUE(json["prepared_charges"]["not_integral"].empty());
  // Half a charge is named.
  test::write_text(folder / "half.pqr",
                   "ATOM 1 NA NA A 1 0.0 0.0 0.0 1.0 1.5\nATOM 2 CL CL B 2 9.0 0.0 0.0 -0.5 1.5\nEND\n");
  const auto half = run({"info", folder / "half.pqr"});
  ASSERT_EQ(half.code, 0) << half.err;
  EXPECT_TRUE(contains(half.out, "total +0.5000 e")) << half.out;
  EXPECT_TRUE(contains(half.out, "chains: A +1.000, B -0.500")) << half.out;
  EXPECT_TRUE(contains(half.out, "not near an integer: chain B: -0.500")) << half.out;
}

TEST(CliCharges, AreComparedByResidue) {
  const test::Folder folder;
  const std::string in = bare(folder), report = folder / "report.json";
  const auto made = run({"compute", "charges", in, "--compare", "amber", "charmm", "--report", report});
  ASSERT_EQ(made.code, 0) << made.err;
  // Residues have the same whole charges; the nitrogen of ALA differs by -0.47 + 0.4157.
  EXPECT_TRUE(contains(made.out, "A,1,THR,1.0000,1.0000,0.0000,")) << made.out;
  EXPECT_TRUE(contains(made.out, "A,23,GLU,-1.0000,-1.0000,0.0000,")) << made.out;
  EXPECT_EQ(test::read_json(report)["result"]["compared"]["residues_that_differ"], 0);
  const auto estimated = run({"compute", "charges", in, "--force-field", "gasteiger"});
  ASSERT_EQ(estimated.code, 0) << estimated.err;
  EXPECT_TRUE(contains(estimated.err, "46 of 46 residues have charges of gasteiger")) << estimated.err;
  EXPECT_TRUE(contains(estimated.err, "total charge 0 e")) << estimated.err;
}

TEST(CliCharges, AreNamed) {
  const test::Folder folder;
  test::write_text(folder / "ions.pqr",
                   "ATOM 1 NA NA A 1 0.0 0.0 0.0 1.0 1.5\nATOM 2 CL CL B 2 9.0 0.0 0.0 -1.0 1.5\nEND\n");
  test::write_text(folder / "mine.csv", "chain,number,atom,resp,charge (e)\nA,1,NA,0.5,2.0\nB,2,CL,-0.5,-2.0\n");
  test::write_text(folder / "short.csv", "index,charge\n0,1.0\n");
  test::write_text(folder / "points.csv", "0,5,0\n");
  const auto at = [&](const std::string& set) {
    return run({"compute", "potential", folder / "ions.pqr", "--at", folder / "points.csv", "--method", "direct",
                "--charge-set", set, "--quiet"});
  };
  const auto file = at("file");
  ASSERT_EQ(file.code, 0) << file.err;
  const double usual = test::numbers(file.out).at(0);
  const auto doubled = at(folder / "mine.csv"), halved = at(folder / "mine.csv:resp");
  ASSERT_EQ(doubled.code, 0) << doubled.err;
  ASSERT_EQ(halved.code, 0) << halved.err;
  EXPECT_NEAR(test::numbers(doubled.out).at(0), 2 * usual, 1e-5 * std::abs(usual));
  EXPECT_NEAR(test::numbers(halved.out).at(0), usual / 2, 1e-5 * std::abs(usual));
  const auto missing = at(folder / "short.csv");
  EXPECT_EQ(missing.code, 3);
  EXPECT_TRUE(contains(missing.err, "no charge for 1 of 2 atoms, the first is CL of CL 2 B")) << missing.err;
  const auto column = at(folder / "mine.csv:bcc");
  EXPECT_TRUE(contains(column.err, "there is no column bcc; there are chain, number, atom, resp, charge"))
      << column.err;
  const auto unknown = at("opls");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "there are file, amber, charmm, parse and gasteiger")) << unknown.err;
}

TEST(CliCharges, TakeStatesFromPropka) {
  const test::Folder folder;
  const std::string in = bare(folder);
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  ASSERT_EQ(setenv("PATH", (folder / "").c_str(), 1), 0);
  const auto without = run({"compute", "charges", in, "--protonation", "propka"});
  // A program of that name that predicts for GLU 23 a pKa above the pH, in the columns of PROPKA 3.5.
  test::write_text(
      folder / "propka3",
      "#!/bin/sh\nprintf 'SUMMARY OF THIS PREDICTION\\n       Group      pKa  model-pKa\\n   GLU  23 A     8.10   "
      "    4.50\\n   ASP  43 A     2.00       3.80\\n---\\n' > in.pka\n");
  std::filesystem::permissions(folder / "propka3", std::filesystem::perms::owner_all);
  setenv("PATH", (folder / "").append(":").append(path).c_str(), 1);
  const auto with = run({"compute", "charges", in, "--protonation", "propka"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(without.code, 2) << without.err;
  EXPECT_TRUE(contains(without.err, "propka3, which is not installed")) << without.err;
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_TRUE(contains(with.out, "A,23,GLU,GLH,0.0000,PROPKA pKa 8.10")) << with.out;
  EXPECT_TRUE(contains(with.out, "A,43,ASP,ASP,-1.0000,PROPKA pKa 2.00")) << with.out;
}

TEST(CliCharges, ReadTheLinesOfPropka) {
  // As PROPKA 3.5.1 writes them; numbers from 1000 on touch the names.
  const std::string text =
      "SUMMARY OF THIS PREDICTION\n       Group      pKa  model-pKa   ligand atom-type\n"
      "   ASP  25 A     8.61       3.80                      \n"
      "   GLU1021 B     4.38       4.50                      \n"
      "   LYS  -3 _    10.41      10.50                      \n"
      "   HIS   7 A     6.61       6.50                      \n"
      "   CYS   3 A    99.99       9.00                      \n"
      "   ARG  42 A    12.15      12.50                      \n"
      "   N+    1 A     8.07       8.00                      \n"
      "   C-   46 A     3.16       3.20                      \n"
      "   HEM O1D C     5.34       4.50                OCO   \n"
      "   TYR  29 A    12.39      10.00                       NB: Discarded due to coupling with LYS  -3 _\n"
      "----\n   ASP  99 A     3.00       3.80\n";
  const auto states = cli::states_of_summary(text, 7);
  std::string found;
  for (const auto& s : states) found += s.chain + std::to_string(s.number) + s.state + " ";
  EXPECT_EQ(found, "A25ASH B1021GLU -3LYS A42ARG ");
  found.clear();
  for (const auto& s : cli::states_of_summary(text, 12.3)) found += s.state + " ";
  EXPECT_EQ(found, "ASP GLU LYN ARN ");
  EXPECT_TRUE(cli::states_of_summary("", 7).empty());
}

TEST(CliCharges, GivePropkaNamesThatItsTablesHold) {
  const test::Folder folder;
  // A chain of two letters, and a residue with an insertion code.
  std::string cif =
      "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n_atom_site.pdbx_PDB_ins_code\n"
      "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n";
  int serial = 0;
  for (const char* code : {"?", "A"}) {
    const double z = *code == 'A' ? 12 : 0;
    const std::tuple<const char*, const char*, double, double, double> atoms[] = {
        {"N", "N", -0.5, 1.4, 0},   {"C", "CA", 0, 0, 0},         {"C", "C", 1.5, 0, 0},
        {"O", "O", 2.2, -1, 0},     {"C", "CB", -0.5, -0.8, 1.2}, {"C", "CG", -2, -0.9, 1.2},
        {"O", "OD1", -2.6, 0, 1.7}, {"O", "OD2", -2.6, -1.9, 0.8}};
    for (const auto& [element, name, x, y, own] : atoms)
      cif += fmt::format("ATOM {} {} {} ASP AB 52 {} {} {} {}\n", ++serial, element, name, code, x, y, z + own);
  }
  test::write_text(folder / "two.cif", cif);
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  // It keeps what it was given, and finds the second residue protonated.
  test::write_text(folder / "propka3",
                   "#!/bin/sh\ncp in.pdb " + (folder / "given.pdb") +
                       "\nprintf 'SUMMARY OF THIS PREDICTION\\n       Group      pKa  model-pKa\\n   ASP   1 A     "
                       "2.00       3.80\\n   ASP   2 A     8.00       3.80\\n---\\n' > in.pka\n");
  std::filesystem::permissions(folder / "propka3", std::filesystem::perms::owner_all);
  setenv("PATH", (folder / "").append(":").append(path).c_str(), 1);
  const auto made = run({"compute", "charges", folder / "two.cif", "--protonation", "propka"});
  setenv("PATH", path.c_str(), 1);
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(contains(test::read_text(folder / "given.pdb"), "ASP A   2 ")) << made.err;
  EXPECT_TRUE(contains(made.out, "AB,52,ASP,")) << made.out;
  EXPECT_TRUE(contains(made.out, "AB,52A,ASP,CASH,")) << made.out;
  EXPECT_TRUE(contains(made.out, "PROPKA pKa 8.00")) << made.out;
}

TEST(CliCharges, BuildSideChainsWhereAsked) {
  const test::Folder folder;
  const std::string whole = bare(folder), in = folder / "cut.pdb", report = folder / "report.json";
  const auto cut = run({"convert", whole, in, "--select", "not (resid 10 17 29 and not name N CA C O CB)", "--quiet"});
  ASSERT_EQ(cut.code, 0) << cut.err;
  const auto named = run({"compute", "charges", in, "--out", folder / "a.pqr"});
  ASSERT_EQ(named.code, 0) << named.err;
  EXPECT_TRUE(contains(named.err, "lacks CG, CD, NE, CZ, NH1, NH2")) << named.err;
  EXPECT_TRUE(contains(named.err, "(missing side chains can be built (--build-missing)")) << named.err;
  const auto made = run({"compute", "charges", in, "--build-missing", "--out", folder / "b.pqr", "--report", report});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_FALSE(contains(made.err, "lacks")) << made.err;
  EXPECT_TRUE(contains(made.err, "19 atoms of 3 side chains were built")) << made.err;
  const auto json = test::read_json(report)["result"]["preparation"];
  EXPECT_EQ(json["atoms"], 642);
  EXPECT_NEAR(json["total_charge"].get<double>(), 0, 1e-4);
  ASSERT_EQ(json["side_chains"].size(), 3u);
  EXPECT_EQ(json["side_chains"][0]["residue"], "ARG 10 A");
  EXPECT_EQ(json["side_chains"][0]["atoms"].size(), 6u);
  EXPECT_EQ(json["side_chains"][0]["chi"].size(), 4u);
  // On to a potential in water, in one command.
  test::write_text(folder / "points.csv", "30,30,30\n");
  const auto solved = run({"compute", "potential", in, "--build-missing", "--method", "pb", "--at",
                           folder / "points.csv", "--report", report});
  ASSERT_EQ(solved.code, 0) << solved.err;
  EXPECT_EQ(test::read_json(report)["result"]["charges"], 642);
  EXPECT_TRUE(std::isfinite(test::numbers(solved.out).at(0)));
  // Pictures build them as well, and keep that.
  const auto drawn = run({"render", in, "--surface", "--colour-by", "potential", "--build-missing", "--size", "32x24",
                          "--out", folder / "a.png", "--report", report});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(test::read_json(report)["method"]["scene"]["molecules"][0]["templates"][0], "tables:amber+side-chains");
  const auto file = run({"compute", "potential", folder / "b.pqr", "--build-missing", "--at", folder / "points.csv"});
  EXPECT_EQ(file.code, 2);
  EXPECT_TRUE(contains(file.err, "--build-missing: the file has charges of its own")) << file.err;
}

TEST(CliCharges, RefuseWhatMakesNoSense) {
  const test::Folder folder;
  const std::string in = bare(folder);
  test::write_text(folder / "empty.pdb", "");
  test::write_text(folder / "unknown.pdb",
                   "HETATM    1  C1  XYZ A   1       1.000   2.000   3.000  1.00  0.00           C\n"
                   "HETATM    2 FE   XYZ A   1       2.500   2.000   3.000  1.00  0.00          FE\nEND\n");
  test::write_text(folder / "three.txt", "A 23\n");
  test::write_text(folder / "state.txt", "A 23 HIP\n");
  test::write_text(folder / "residue.txt", "A 99 HIP\n");
  const struct {
    std::vector<std::string> words;
    int code;
    const char* says;
  } cases[] = {
      {{in, "--force-field", "opls"}, 2, "amber"},
      {{in, "--ph", "15"}, 2, "14"},
      {{in, "--out", folder / "out.xyz"}, 2, "pqr"},
      {{in, "--protonation", folder / "three.txt"}, 3, "expected a chain, a residue number and a state"},
      {{in, "--protonation", folder / "state.txt"}, 3, "it can be GLH, GLU"},
      {{in, "--protonation", folder / "residue.txt"}, 3, "chains are A"},
      {{folder / "empty.pdb"}, 3, "empty"},
      {{folder / "unknown.pdb"}, 3, "none of the 1 residues ("},
  };
  for (const auto& c : cases) {
    std::vector<std::string> words{"compute", "charges"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, c.code) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, c.says)) << outcome.err;
  }
}

}  // namespace
}  // namespace isolume
