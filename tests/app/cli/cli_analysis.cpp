// isolume compute rdf, rmsd, rmsf, gyration, contacts, dipole, hbonds, distance, ligands, ions.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "program.h"
#include "tests/support/npy.h"

namespace isolume::test {
namespace {

/// A table by its headings, units left out.
std::map<std::string, std::vector<std::string>> table_of(const std::string& text) {
  std::map<std::string, std::vector<std::string>> table;
  std::vector<std::string> heads;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    if (heads.empty()) {
      for (const std::string& field : fields) heads.push_back(field.substr(0, field.find(" (")));
      continue;
    }
    EXPECT_EQ(fields.size(), heads.size()) << line;
    for (std::size_t i = 0; i < std::min(fields.size(), heads.size()); ++i) table[heads[i]].push_back(fields[i]);
  }
  return table;
}

std::vector<double> numbers(const std::vector<std::string>& fields) {
  std::vector<double> values;
  for (const std::string& field : fields) values.push_back(std::stod(field));
  return values;
}

void expect_near(const std::vector<double>& values, const nlohmann::json& expected, double tolerance,
                 const char* what) {
  ASSERT_EQ(values.size(), expected.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i].get<double>(), tolerance) << what << ' ' << i;
}

class Analysis : public ::testing::Test {
 protected:
  /// Runs a verb and reads what it wrote.
  std::map<std::string, std::vector<std::string>> table(std::vector<std::string> words) {
    words.insert(words.begin(), "compute");
    words.insert(words.end(), {"--out", folder_ / "t.csv", "--device", "cpu"});
    const Outcome done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    text_ = read_text(folder_ / "t.csv");
    return table_of(text_);
  }

  Folder folder_;
  std::string text_;
};

/// A gas of one bead in each frame's cell, in extended XYZ.
void write_gas(const std::string& path, int count, double side) {
  std::ofstream out(path);
  out << count << "\nLattice=\"" << side << " 0 0 0 " << side << " 0 0 0 " << side
      << "\" Properties=species:S:1:pos:R:3\n";
  out.precision(9);
  std::uint64_t state = 12345;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1.0p-53 * side;
  };
  for (int i = 0; i < count; ++i) {
    const double x = next(), y = next();
    out << "Ar " << x << ' ' << y << ' ' << next() << '\n';
  }
}

TEST_F(Analysis, AnIdealGasHasNoOrder) {
  write_gas(folder_ / "gas.xyz", 4000, 40);
  const auto rdf = table(
      {"rdf", folder_ / "gas.xyz", "--select", "all", "--max", "20", "--bins", "20", "--report", folder_ / "r.json"});
  EXPECT_EQ(text_.substr(0, text_.find('\n')), "r (angstrom),g,coordination number,pairs");
  const std::vector<double> r = numbers(rdf.at("r")), g = numbers(rdf.at("g")),
                            n = numbers(rdf.at("coordination number"));
  double below = 0;
  for (std::size_t k = 0; k < g.size(); ++k) {
    EXPECT_NEAR(r[k], static_cast<double>(k) + 0.5, 1e-9);
    const double low = static_cast<double>(k), high = low + 1;
    const double shell = 4 * 3.14159265358979 / 3 * (high * high * high - low * low * low);
    const double pairs = 4000.0 * 3999 / 2 * shell / 64000;
    EXPECT_NEAR(g[k], 1, 5 / std::sqrt(pairs)) << k;
    below += 3999.0 * shell / 64000;
    EXPECT_NEAR(n[k], below, 5 * below / std::sqrt(below * 2000)) << k;
  }
  const auto report = read_json(folder_ / "r.json");
  EXPECT_EQ(report["method"]["pairs"], 4000.0 * 3999);
  EXPECT_EQ(report["result"]["rows"], 20);
}

TEST_F(Analysis, RdfOfWaterIsThatOfMdanalysisAndFreud) {
  const auto expected = read_json(data("analysis/tz2.json"));
  const std::string top = shared_data(expected["files"][0]), run_file = shared_data(expected["files"][1]);
  ISOLUME_NEEDS(top);
  const auto same = table({"rdf", top, run_file, "--select", "water and name O", "--max", "15", "--bins", "100"});
  // Whole numbers; of those near the end of a bin, single precision puts a few on its other side.
  const std::vector<double> pairs = numbers(same.at("pairs"));
  ASSERT_EQ(pairs.size(), 100u);
  double below = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    below += pairs[k] - expected["pairs_oo"][k].get<double>();
    EXPECT_LE(std::abs(below), 60) << "of some " << pairs[k] << ", below the end of bin " << k;
  }
  EXPECT_GT(pairs[20], 1000);
  const double n = 1869;
  for (std::size_t k = 0; k < 100; ++k) {
    const double g = std::stod(same.at("g")[k]);
    EXPECT_NEAR(g, expected["g_oo_mdanalysis"][k].get<double>(), 2e-3 * std::max(1.0, g)) << k;
    // freud divides by N_b / V, where ours has (N_b - 1) / V.
    EXPECT_NEAR(g * (n - 1) / n, expected["g_oo_freud"][k].get<double>(), 2e-3 * std::max(1.0, g)) << k;
    const double neighbours = std::stod(same.at("coordination number")[k]);
    EXPECT_NEAR(neighbours, expected["n_oo_freud"][k].get<double>(), 1e-3 * std::max(1.0, neighbours)) << k;
  }
  const auto other = table({"rdf", top, run_file, "--select", "water and name O", "--to", "water and name H1 H2",
                            "--max", "15", "--bins", "100", "--between-molecules"});
  below = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    below += std::stod(other.at("pairs")[k]) - expected["pairs_oh_between"][k].get<double>();
    EXPECT_LE(std::abs(below), 120) << k;
    const double g = std::stod(other.at("g")[k]);
    EXPECT_NEAR(g, expected["g_oh_between_mdanalysis"][k].get<double>(), 2e-3 * std::max(1.0, g)) << k;
  }
}

TEST_F(Analysis, ProteinsOfTrajectoriesAreAsMdanalysisFinds) {
  const auto expected = read_json(data("analysis/adk.json"));
  const std::string psf = shared_data(expected["files"][0]), dcd = shared_data(expected["files"][1]);
  ISOLUME_NEEDS(psf);
  // Positions are of single precision: 1e-6 of 30 angstrom.
  expect_near(numbers(table({"rmsd", psf, dcd}).at("rmsd")), expected["rmsd_ca"], 1e-4, "rmsd");
  EXPECT_EQ(text_.substr(0, text_.find('\n')), "frame,time (ps),rmsd (angstrom)");
  expect_near(numbers(table({"rmsd", psf, dcd, "--select", "name CA and resid 122 to 159", "--fit",
                             "name CA and resid 1 to 29 60 to 121 160 to 214"})
                          .at("rmsd")),
              expected["rmsd_lid_on_core"], 1e-4, "rmsd of the lid");
  const auto shape = table({"gyration", psf, dcd});
  expect_near(numbers(shape.at("radius of gyration")), expected["radius_of_gyration"], 1e-4, "radius");
  for (std::size_t f = 0; f < 98; ++f)
    for (const int axis : {0, 1, 2})
      EXPECT_NEAR(std::stod(shape.at("principal " + std::to_string(axis + 1))[f]),
                  expected["principal_values"][f][static_cast<std::size_t>(axis)].get<double>(), 2e-3)
          << f;
  expect_near(numbers(table({"dipole", psf, dcd, "--select", "protein"}).at("dipole in e A")),
              expected["dipole_e_angstrom"], 2e-3, "dipole");
  expect_near(numbers(table({"rmsf", psf, dcd}).at("rmsf")), expected["rmsf_ca"], 5e-4, "rmsf");
  const auto touching = table({"contacts", psf, dcd, "--select", "name CA", "--cutoff", "8"});
  for (std::size_t f = 0; f < 98; ++f)
    EXPECT_NEAR(std::stod(touching.at("contacts")[f]), expected["contacts_ca"][f].get<double>(), 1) << f;
  expect_near(numbers(touching.at("native")), expected["native_hard"], 3e-3, "native");
  expect_near(numbers(touching.at("native soft")), expected["native_soft"], 1e-4, "native, soft");
}

TEST_F(Analysis, AProteinInWaterIsAsGromacsFinds) {
  const std::string gro = shared_data("md-computed/crambin_water_em.gro.gz"),
                    xtc = shared_data("md-computed/crambin_water.xtc");
  ISOLUME_NEEDS(xtc);
  const auto xvg = [&](const std::string& name) {
    std::vector<double> values;
    std::istringstream lines(read_text(shared_data("md-computed/" + name)));
    for (std::string line; std::getline(lines, line);) {
      double x = 0, y = 0;
      if (!line.empty() && line[0] != '#' && line[0] != '@' && (std::istringstream(line) >> x >> y))
        values.push_back(y);
    }
    return values;
  };
  // gmx rms, in nm, of the backbone weighted by mass, to the structure of the run's input.
  const std::vector<double> rmsd = xvg("rmsd.xvg");
  const auto ours = numbers(
      table({"rmsd", gro, xtc, "--select", "protein and name N CA C", "--mass", "--reference", gro}).at("rmsd"));
  ASSERT_GE(ours.size(), rmsd.size());
  const std::size_t skip = ours.size() - rmsd.size();  // the structure's own frame, where it counts as one
  for (std::size_t f = 0; f < rmsd.size(); ++f) EXPECT_NEAR(ours[f + skip], 10 * rmsd[f], 0.012) << f;
}

TEST_F(Analysis, RodsHaveTheirRadiusOfGyration) {
  std::ofstream out(folder_ / "rod.xyz");
  for (const double step : {1.5, 3.0}) {
    out << "21\n\n";
    for (int i = 0; i < 21; ++i) out << "C 0 " << step * i << " 7\n";
  }
  out.close();
  const auto rod = table({"gyration", folder_ / "rod.xyz"});
  for (const std::size_t f : {0u, 1u}) {
    const double step = f == 0 ? 1.5 : 3.0, square = step * step * (21 * 21 - 1) / 12.0;
    EXPECT_NEAR(std::stod(rod.at("radius of gyration")[f]), std::sqrt(square), 1e-5);
    EXPECT_NEAR(std::stod(rod.at("asphericity")[f]), square, 1e-3);
    EXPECT_NEAR(std::stod(rod.at("anisotropy")[f]), 1, 1e-6);
  }
}

TEST_F(Analysis, DipolesOfChargesAreTheirSums) {
  // +0.5 and -0.5 e, 2 angstrom apart: 1 e angstrom = 4.80320 debye.
  write_text(folder_ / "two.pqr",
             "ATOM      1  A   DIP A   1       0.000   0.000   0.000  0.5000 1.0000\n"
             "ATOM      2  B   DIP A   1       2.000   0.000   0.000 -0.5000 1.0000\n");
  const auto two = table({"dipole", folder_ / "two.pqr"});
  EXPECT_NEAR(std::stod(two.at("dipole")[0]), 4.80320, 1e-4);
  EXPECT_NEAR(std::stod(two.at("x")[0]), -4.80320, 1e-4);
  EXPECT_NEAR(std::stod(two.at("dipole in e A")[0]), 1, 1e-5);
}

TEST_F(Analysis, DistancesAreOfNearestImages) {
  write_text(folder_ / "cell.xyz",
             "3\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3\nAr 1 0 0\nKr 9 0 0\nKr 9 3 0\n");
  const auto d = table({"distance", folder_ / "cell.xyz", "--select", "element Ar", "--to", "element Kr"});
  EXPECT_NEAR(std::stod(d.at("smallest")[0]), 2, 1e-4);
  EXPECT_NEAR(std::stod(d.at("distance of the centres of mass")[0]), std::hypot(2, 1.5), 1e-4);
}

TEST_F(Analysis, PartsOfAComplexAreListed) {
  write_text(folder_ / "c.pdb",
             "ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n"
             "HETATM    2  C1  LIG B   7      10.000   0.000   0.000  1.00  0.00           C\n"
             "HETATM    3  O1  LIG B   7      11.200   0.000   0.000  1.00  0.00           O\n"
             "HETATM    4  N1  LIG B   7      10.000   1.400   0.000  1.00  0.00           N\n"
             "HETATM    5 ZN    ZN C   8      20.000   0.000   0.000  1.00  0.00          ZN\n"
             "HETATM    6  O   HOH D   9      30.000   0.000   0.000  1.00  0.00           O\nEND\n");
  const auto ligands = table({"ligands", folder_ / "c.pdb"});
  ASSERT_EQ(ligands.at("name"), std::vector<std::string>{"LIG"});
  EXPECT_EQ(ligands.at("formula")[0], "CNO");
  EXPECT_EQ(ligands.at("atoms")[0], "3");
  EXPECT_EQ(ligands.at("chain")[0], "B");
  EXPECT_EQ(ligands.at("number")[0], "7");
  EXPECT_EQ(ligands.at("charge")[0], "") << "the file has no partial charges";
  const auto ions = table({"ions", folder_ / "c.pdb"});
  ASSERT_EQ(ions.at("name"), std::vector<std::string>{"ZN"});
  EXPECT_NEAR(std::stod(ions.at("x")[0]), 20, 1e-3);
}

TEST_F(Analysis, ContactMapsSayHowOftenResiduesTouch) {
  std::string text;
  for (const double x : {4.0, 9.0}) {
    text += "MODEL\n";
    for (int i = 0; i < 2; ++i) {
      char line[100];
      std::snprintf(line, sizeof(line), "ATOM  %5d  CA  GLY %c%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n", i + 1,
                    'A' + i, i + 1, i * x, 0.0, 0.0);
      text += line;
    }
    text += "ENDMDL\n";
  }
  write_text(folder_ / "m.pdb", text);
  const auto rows = table({"contacts", folder_ / "m.pdb", "--cutoff", "5", "--map", folder_ / "map.csv"});
  EXPECT_EQ(rows.at("contacts"), (std::vector<std::string>{"1", "0"}));
  EXPECT_EQ(rows.at("native"), (std::vector<std::string>{"1.00000", "0.00000"}));
  const auto map = table_of(read_text(folder_ / "map.csv"));
  ASSERT_EQ(map.at("part of frames").size(), 1u);
  EXPECT_NEAR(std::stod(map.at("part of frames")[0]), 0.5, 1e-9);
  EXPECT_EQ(map.at("other chain")[0], "B");
  // As a matrix of all residues, whose rows the report names.
  const Outcome array = run({"compute", "contacts", folder_ / "m.pdb", "--cutoff", "5", "--map", folder_ / "map.npy",
                             "--report", folder_ / "map.json", "--out", folder_ / "q.csv"});
  ASSERT_EQ(array.code, 0) << array.err;
  EXPECT_NE(read_text(folder_ / "map.npy").find("(2, 2)"), std::string::npos);
  EXPECT_EQ(read_npy(folder_ / "map.npy"), (std::vector<double>{0, 0.5, 0.5, 0}));
  const auto report = nlohmann::json::parse(read_text(folder_ / "map.json"));
  EXPECT_EQ(report["result"]["map_residues"], (nlohmann::json{"A,GLY,1", "B,GLY,2"}));
  const Outcome part =
      run({"compute", "contacts", folder_ / "m.pdb", "--map", folder_ / "map.npy", "--partial", folder_ / "m.part"});
  EXPECT_EQ(part.code, 2);
  EXPECT_NE(part.err.find("extension"), std::string::npos) << part.err;
}

TEST_F(Analysis, WhatIsWrongIsSaid) {
  write_text(folder_ / "a.xyz", "3\n\nC 0 0 0\nC 3 0 0\nO 0 3 0\n");
  write_gas(folder_ / "gas.xyz", 50, 20);
  const std::string a = folder_ / "a.xyz", gas = folder_ / "gas.xyz";
  const auto said = [&](std::vector<std::string> words, const char* text) {
    words.insert(words.begin(), "compute");
    const Outcome done = run(words);
    EXPECT_EQ(done.code, 2) << done.err;
    EXPECT_NE(done.err.find(text), std::string::npos) << done.err;
  };
  said({"rdf", a}, "no periodic cell");
  said({"rdf", gas, "--max", "10.5"}, "unique only up to 10");
  said({"rdf", gas, "--select", "name Q"}, "holds no atoms");
  said({"rdf", gas, "--bins", "1048577"}, "--bins");
  said({"rmsd", a, "--select", "element O"}, "at least 3");
  said({"rmsd", a, "--reference-frame", "4"}, "reference frame 4");
  said({"rmsf", a, "--select", "element C"}, "at least 3");
  said({"dipole", a}, "partial charges");
  said({"contacts", gas, "--cutoff", "11"}, "cutoff");
  said({"gyration", a, "--frames", "5"}, "there is 1 frame");
  said({"gyration", a, "--out", a}, "is an input as well");
  said({"gyration", a, "--out", folder_ / "b.xyz"}, "extension");
  said({"distance", a, "--select", "all"}, "--to");
  EXPECT_EQ(run({"compute", "gyration", folder_ / "none.xyz"}).code, 3);
  // Without a cell there are still counts.
  const auto counts = table({"rdf", a, "--norm", "counts", "--max", "5", "--bins", "5"});
  EXPECT_EQ(counts.at("pairs"), (std::vector<std::string>{"0", "0", "0", "4", "2"}));
}

/// CA atoms of a chain, 3.8 angstrom apart, whose sequence is drawn by `seed`; `first` is the number of the first
/// residue.
void write_chain(const std::string& path, int residues, std::uint64_t seed, int first = 1) {
  constexpr const char* names[] = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE",
                                   "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"};
  std::ofstream out(path);
  for (int i = 0; i < residues; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    char line[100];
    std::snprintf(line, sizeof(line), "ATOM  %5d  CA  %s A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n", i + 1,
                  names[(seed >> 33) % 20], first + i, 2.3 * std::cos(1.745 * i), 2.3 * std::sin(1.745 * i), 1.5 * i);
    out << line;
  }
}

TEST_F(Analysis, UnrelatedMoleculesAreNotComparedUnlessItIsSaidHow) {
  write_chain(folder_ / "a.pdb", 80, 1);
  write_chain(folder_ / "b.pdb", 70, 2);
  write_chain(folder_ / "same.pdb", 80, 1, 201);
  write_chain(folder_ / "part.pdb", 30, 1, 401);
  const std::string a = folder_ / "a.pdb", b = folder_ / "b.pdb", report = folder_ / "r.json";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"compute", "rmsd", a, "--reference", b, "--report", report},
        std::vector<std::string>{"compute", "fit", a, "--onto", b, "--report", report}}) {
    const Outcome refused = run(words);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_NE(refused.err.find("do not look related"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("--match"), std::string::npos) << refused.err;
    std::vector<std::string> forced = words;
    forced.insert(forced.end(), {"--match", "sequence"});
    const Outcome done = run(forced);
    EXPECT_EQ(done.code, 0) << done.err;
    const auto json = read_json(report);
    const auto& found = words[1] == "fit" ? json["result"] : json["method"];
    EXPECT_EQ(found["matched_by"], "sequence");
    EXPECT_GT(found["pairs"].get<int>(), 3);
    EXPECT_LT(found["identity"].get<double>(), 0.3);
  }
  // The same sequence with other numbers, and a part of it, are.
  for (const char* name : {"same.pdb", "part.pdb"}) {
    const Outcome done = run({"compute", "rmsd", a, "--reference", folder_ / name, "--report", report});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto method = read_json(report)["method"];
    EXPECT_EQ(method["identity"], 1);
    EXPECT_EQ(method["coverage"], 1);
    EXPECT_EQ(method["pairs"], name[0] == 's' ? 80 : 30);
    EXPECT_NE(done.err.find("100 % identical"), std::string::npos) << done.err;
  }
}

TEST_F(Analysis, MessagesCountAndWarn) {
  write_chain(folder_ / "a.pdb", 40, 1);
  const std::string a = folder_ / "a.pdb";
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "compute");
    words.insert(words.end(), {"--device", "cpu"});
    const Outcome done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.err;
  };
  const std::string wide =
      said({"contacts", a, "--select", "resid 1 to 10", "--to", "resid 11 to 40", "--cutoff", "16"});
  EXPECT_CONTAINS(wide, "warning: --cutoff 16 angstrom");
  EXPECT_CONTAINS(wide, "contacts of resid 1 to 10 with resid 11 to 40: mean ");
  EXPECT_CONTAINS(wide, ", 1 frame\n");
  EXPECT_EQ(wide.find(".000"), std::string::npos) << "counts are whole numbers: " << wide;
  EXPECT_EQ(said({"contacts", a, "--cutoff", "8"}).find("warning"), std::string::npos);
  const Outcome one = run({"compute", "rmsf", a});
  EXPECT_EQ(one.code, 2);
  EXPECT_CONTAINS(one.err, "at least 2 frames");
  write_text(folder_ / "q.pqr", "ATOM      1  NA  NA      1       0.000   0.000   0.000  1.0000 1.5000\n");
  const std::vector<std::string> cold{
      "potential", folder_ / "q.pqr", "--method",       "debye-hueckel", "--counts", "5", "--padding",
      "3",         "--out",           folder_ / "q.dx", "--temperature"};
  auto words = cold;
  words.emplace_back("25");
  EXPECT_CONTAINS(said(words), "in kelvin");
  words = cold;
  words.emplace_back("298");
  EXPECT_EQ(said(words).find("in kelvin"), std::string::npos);
}

}  // namespace
}  // namespace isolume::test
