// compute ionize, ligand-map, lj-map and timeline, by the program: real files against values from elsewhere, and what
// is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "formats/bytes/byte_source.h"
#include "formats/read.h"
#include "molecule/molecule.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using namespace test;

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ',');) rows.back().push_back(word);
  }
  return rows;
}

double value(const std::string& text) {
  return numbers(text).front();
}

nlohmann::json json_of(const std::string& path) {
  const auto source = ByteSource::open(path);
  return nlohmann::json::parse(source->text());
}

TEST(Ionize, MakesANeutralSaltSolution) {
  const std::string pqr = shared_data("charges/1ubq_amber_propka7.pqr"), path = shared_data("ions/1ubq.json");
  ISOLUME_NEEDS(pqr);
  ISOLUME_NEEDS(path);
  const nlohmann::json known = json_of(path)["protocols"]["alternating_to_0.15"];
  const Folder folder;
  for (const char* name : {"out.pdb", "out.pqr", "out.gro"}) {
    const Outcome outcome =
        run({"compute", "ionize", pqr, "--salt", "NaCl", "--concentration", "0.15", "--neutralise", "--out",
             folder / name, "--table", folder / "ions.csv", "--report", folder / "r.json", "--device", "cpu"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json report = read_json(folder / "r.json");
    EXPECT_EQ(report["result"]["counts"]["NA"], 18);
    EXPECT_EQ(report["result"]["counts"]["CL"], 18);
    EXPECT_NEAR(report["result"]["charge_after"].get<double>(), 0, 1e-3);
    const Molecule made = read_file(folder / name);
    ASSERT_EQ(made.topology->atoms.size(), 1214u + 36) << name;
    const auto rows = rows_of(read_text(folder / "ions.csv"));
    ASSERT_EQ(rows.size(), 37u);
    const Frame frame = made.trajectory->frame(0);
    for (std::size_t n = 0; n < 36; ++n) {
      const auto& step = known["placements"][n];
      EXPECT_EQ(rows[n + 1][1], step["ion"].get<std::string>());
      EXPECT_EQ(made.topology->residue_of(1214 + n).name, step["ion"].get<std::string>());
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const auto place = step["site"][a].get<double>();
        EXPECT_EQ(value(rows[n + 1][3 + a]), place) << n;
        EXPECT_NEAR(static_cast<double>(frame.positions[1214 + n][axis]), place, 1e-3);
      }
      EXPECT_NEAR(value(rows[n + 1][6]), step["energy_kcal_mol"].get<double>(), 2e-6) << n;
    }
  }
}

TEST(Ionize, PutsIonsInThePlacesOfWaters) {
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  ISOLUME_NEEDS(pqr);
  const Folder folder;
  const Outcome outcome = run({"compute", "ionize", pqr, "--count", "K:2,CL:1", "--replace-water", "--out",
                               folder / "out.gro", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Molecule before = read_file(pqr), after = read_file(folder / "out.gro");
  EXPECT_EQ(after.topology->atoms.size(), before.topology->atoms.size() - 3 * 3 + 3);
  std::map<std::string, int> names;
  for (const Residue& residue : after.topology->residues) ++names[residue.name];
  EXPECT_EQ(names["K"], 2);
  const Outcome full =
      run({"compute", "ionize", pqr, "--count", "K:2", "--distance-solute", "8", "--out", folder / "no.pdb"});
  EXPECT_EQ(full.code, 2);
  EXPECT_NE(full.err.find("--replace-water"), std::string::npos) << full.err;
}

TEST(Ionize, GivesPlainStructuresCharges) {
  const Folder folder;
  const Outcome outcome = run({"compute", "ionize", examples("crambin.pdb.gz"), "--salt", "MgCl2", "--concentration",
                               "0.05", "--out", folder / "out.pqr", "--report", folder / "r.json", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("ff14SB"), std::string::npos);
  const nlohmann::json counts = read_json(folder / "r.json")["result"]["counts"];
  EXPECT_EQ(counts["CL"].get<int>(), 2 * counts["MG"].get<int>());
}

TEST(Ionize, SaysWhatIsWrongBeforeItWorks) {
  const Folder folder;
  const std::string pdb = examples("crambin.pdb.gz"), out = folder / "out.pdb";
  const auto refused = [&](std::vector<std::string> more, const char* text) {
    std::vector<std::string> words{"compute", "ionize", pdb, "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
  };
  refused({}, "how many ions");
  refused({"--salt", "NaCl3", "--concentration", "0.1"}, "not a known salt");
  refused({"--count", "UO:3"}, "not a known ion");
  refused({"--count", "NA"}, "expected ions and their numbers");
  refused({"--count", "NA:2", "--concentration", "1"}, "exclude each other");
  refused({"--count", "NA:2", "--distance-solute", "500"}, "do not fit");
  refused({"--count", "NA:2", "--distance-solute", "60"}, "2 ions do not fit: 0 sites are 60 angstrom from the solute");
  refused({"--count", "NA:100", "--distance-ions", "60"}, "100 ions do not fit: no more than ");
}

TEST(LigandMap, HasTheFreeEnergiesOfAProteinInWater) {
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  const std::string xtc = shared_data("md-computed/crambin_water.xtc");
  const std::string path = shared_data("ligand-map/crambin_Ar.json.gz");
  ISOLUME_NEEDS(pqr);
  ISOLUME_NEEDS(xtc);
  ISOLUME_NEEDS(path);
  const nlohmann::json known = json_of(path);
  const Folder folder;
  std::string points;
  for (const auto& p : known["points_aligned"]) points += p[0].dump() + "," + p[1].dump() + "," + p[2].dump() + "\n";
  write_text(folder / "points.csv", points);
  const Outcome outcome =
      run({"compute", "ligand-map", pqr, xtc, "--probe", "Ar", "--frames", "10:59:12", "--align", "name CA and protein",
           "--unit", "kJ/mol", "--at", folder / "points.csv", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("no force field was loaded"), std::string::npos);
  EXPECT_EQ(read_json(folder / "r.json")["result"]["frames"], 5);
  const auto rows = rows_of(outcome.out);
  ASSERT_EQ(rows.size(), known["G_kJ_mol"].size() + 1);
  std::size_t blank = 0;
  for (std::size_t p = 0; p + 1 < rows.size(); ++p) {
    const double expected = known["G_kJ_mol"][p];
    if (expected < 100) {
      EXPECT_NEAR(value(rows[p + 1][0]), expected, 2e-3 + 3e-4 * std::abs(expected)) << p;
    }
    blank += rows[p + 1][1].empty();
  }
  EXPECT_GT(blank, rows.size() / 2);  // one frame carries nearly every point: no error is shown there
}

// The cavity of the mutant L99A, where p-xylene is in the crystal: a xenon atom is best there too (M. L. Quillin et
// al., J. Mol. Biol. 302 (2000) 955).
TEST(LigandMap, FindsTheCavityOfT4Lysozyme) {
  const std::string prmtop = shared_data("structures/t4l/complex.prmtop.gz");
  const std::string crd = shared_data("structures/t4l/complex.crd");
  ISOLUME_NEEDS(prmtop);
  ISOLUME_NEEDS(crd);
  const Molecule molecule = read_files({prmtop, crd}).front();
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<glm::dvec3> carbons;
  for (std::size_t i = 0; i < molecule.topology->atoms.size(); ++i) {
    const Atom& atom = molecule.topology->atoms[i];
    if (molecule.topology->residues[atom.residue].name == "TMP" && atom.element == 6)
      carbons.emplace_back(frame.positions[i]);
  }
  ASSERT_EQ(carbons.size(), 8u) << "of p-xylene";
  const Folder folder;
  const Outcome outcome =
      run({"compute", "ligand-map",     prmtop,     crd,       "--select", "protein",        "--around",
           "protein", "--padding",      "0",        "--probe", "Xe",       "--spacing",      "0.7",
           "--out",   folder / "xe.dx", "--device", "cpu",     "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("no force field"), std::string::npos) << "the PRMTOP's parameters are taken";
  const auto report = read_json(folder / "r.json");
  const auto& best = report["result"]["minima"][0];
  const glm::dvec3 place(best["place"][0].get<double>(), best["place"][1].get<double>(),
                         best["place"][2].get<double>());
  // Where the ligand is: within the radius of one of its carbons.
  double nearest = 1e9;
  for (const glm::dvec3& carbon : carbons) nearest = std::min(nearest, glm::distance(place, carbon));
  EXPECT_LT(nearest, 1.7) << best.dump();
  EXPECT_LT(best["free_energy"].get<double>(), -3) << "kcal/mol, with respect to vacuum";
}

TEST(LigandMap, WritesMapsWithTheirErrors) {
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  const std::string xtc = shared_data("md-computed/crambin_water.xtc");
  ISOLUME_NEEDS(pqr);
  ISOLUME_NEEDS(xtc);
  const Folder folder;
  const Outcome outcome = run({"compute",
                               "ligand-map",
                               pqr,
                               xtc,
                               "--probe",
                               "O2",
                               "--frames",
                               "::20",
                               "--around",
                               "resid 10",
                               "--padding",
                               "2",
                               "--select",
                               "protein",
                               "--spacing",
                               "0.8",
                               "--rotations",
                               "8",
                               "--out",
                               folder / "g.dx",
                               "--error-out",
                               folder / "e.dx",
                               "--frames-out",
                               folder / "n.dx",
                               "--align",
                               "name CA",
                               "--report",
                               folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json report = read_json(folder / "r.json");
  EXPECT_LT(report["error"]["max"].get<double>(), 1e-3);
  EXPECT_GT(report["error"]["points"].get<int>(), 20);
  const auto g = read_file(folder / "g.dx").volumes.front(), e = read_file(folder / "e.dx").volumes.front(),
             n = read_file(folder / "n.dx").volumes.front();
  ASSERT_EQ(g->values.size(), e->values.size());
  for (std::size_t i = 0; i < g->values.size(); ++i) {
    EXPECT_EQ(e->values[i] == -1.0f, n->values[i] < 2.0f) << i;
    if (e->values[i] != -1.0f) {
      EXPECT_GE(e->values[i], 0.0f);
    }
  }
  const auto& minima = report["result"]["minima"];
  for (std::size_t m = 1; m < minima.size(); ++m)
    EXPECT_LE(minima[m - 1]["free_energy"].get<double>(), minima[m]["free_energy"].get<double>());
}

TEST(LigandMap, SaysWhatIsWrongBeforeItWorks) {
  const Folder folder;
  write_text(folder / "metal.xyz", "2\nuranium\nU 0 0 0\nU 3 0 0\n");
  const Outcome unknown =
      run({"compute", "ligand-map", folder / "metal.xyz", "--probe", "O2", "--out", folder / "o.dx"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("no Lennard-Jones parameters"), std::string::npos) << unknown.err;
  const Outcome probe =
      run({"compute", "ligand-map", examples("crambin.pdb.gz"), "--probe", "H3O", "--out", folder / "o.dx"});
  EXPECT_EQ(probe.code, 2);
  EXPECT_NE(probe.err.find("known are Ar"), std::string::npos) << probe.err;
  const Outcome sites =
      run({"compute", "lj-map", examples("crambin.pdb.gz"), "--probe", "O2", "--out", folder / "o.dx"});
  EXPECT_EQ(sites.code, 2);
  EXPECT_NE(sites.err.find("has 2 sites"), std::string::npos) << sites.err;
}

TEST(LjMap, OfTwoAtomsIsTheFormula) {
  const Folder folder;
  write_text(folder / "argon.xyz", "2\nargon\nAr 0 0 0\nAr 0 0 6\n");
  write_text(folder / "points.csv", "0,0,3\n4,0,0\n0,3.6,6\n");
  const Outcome outcome = run({"compute", "lj-map", folder / "argon.xyz", "--sigma", "3.0", "--epsilon", "0.2",
                               "--mixing", "geometric", "--cutoff", "12", "--at", folder / "points.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<double> values = numbers(outcome.out);
  const double sigma = std::sqrt(3.0 * 3.401), epsilon = std::sqrt(0.2 * 0.978638 / 4.184);
  const auto energy = [&](double r) { return 4 * epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6)); };
  ASSERT_EQ(values.size(), 3u);
  EXPECT_NEAR(values[0], 2 * energy(3), 1e-9);
  EXPECT_NEAR(values[1], energy(4) + energy(std::sqrt(52.0)), 1e-9);
  EXPECT_NEAR(values[2], energy(3.6) + energy(std::sqrt(48.96)), 1e-9);
}

TEST(LjMap, OfBuckinghamsLawIsTheFormula) {
  const Folder folder;
  write_text(folder / "methane.xyz", "3\nno bonds matter\nC 0 0 0\nH 0 0 6\nXe 30 0 0\n");
  write_text(folder / "points.csv", "0,0,3\n4,0,0\n0,0,0.5\n");
  write_text(folder / "pairs.csv",
             "# Williams 1967, set IV\nkind,A,B,C\nC, 83630, 3.60, 568\nH,8766,3.67,125\n*,1,2,0\n");
  const auto words = [&](const std::string& table, std::vector<std::string> more) {
    std::vector<std::string> all{"compute",  "lj-map", folder / "methane.xyz", "--buckingham", folder / table,
                                 "--cutoff", "12"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const Outcome outcome = run(words("pairs.csv", {"--at", folder / "points.csv"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<double> values = numbers(outcome.out);
  const auto carbon = [](double r) { return 83630 * std::exp(-3.60 * r) - 568 / std::pow(r, 6); };
  const auto hydrogen = [](double r) { return 8766 * std::exp(-3.67 * r) - 125 / std::pow(r, 6); };
  ASSERT_EQ(values.size(), 3u);
  EXPECT_NEAR(values[0], carbon(3) + hydrogen(3), 1e-9);
  EXPECT_NEAR(values[1], carbon(4) + hydrogen(std::sqrt(52.0)), 1e-9);
  EXPECT_GT(values[2], 1000) << "within the barrier of carbon nothing fits, though the law falls to minus infinity";
  const Outcome map =
      run(words("pairs.csv", {"--spacing", "1", "--out", folder / "b.dx", "--report", folder / "b.json"}));
  ASSERT_EQ(map.code, 0) << map.err;
  const nlohmann::json report = nlohmann::json::parse(read_text(folder / "b.json"));
  EXPECT_EQ(report["method"]["name"], "Buckingham");
  EXPECT_EQ(report["method"]["kinds"], 3);
  EXPECT_LT(report["error"]["relative"].get<double>(), 1e-4);

  const auto fails = [&](const std::string& table, const std::string& message) {
    write_text(folder / "bad.csv", table);
    const Outcome bad = run(words("bad.csv", {"--at", folder / "points.csv"}));
    EXPECT_EQ(bad.code, 3) << message;
    EXPECT_NE(bad.err.find(message), std::string::npos) << bad.err;
  };
  fails("C,83630,3.60,568\n", "no parameters for atom 2");
  fails("C,83630,3.60\n", "expected \"kind,A,B,C\"");
  fails("C,83630,x,568\n", "B: expected a number");
  fails("C,1,3.6,568\nH,8766,3.67,125\n", "has no barrier");
  fails("C,1,3.6,0\nC,2,3.6,0\n", "is there twice");
  fails("kind,A,B,C\n", "no line");
  EXPECT_EQ(run(words("pairs.csv", {"--probe", "Ar", "--out", folder / "b.dx"})).code, 2);
}

TEST(TimelineOfFiles, AddsUpToTheAnalyses) {
  const std::string pqr = shared_data("md-computed/crambin_water.pqr.gz");
  const std::string xtc = shared_data("md-computed/crambin_water.xtc");
  ISOLUME_NEEDS(pqr);
  ISOLUME_NEEDS(xtc);
  const Folder folder;
  const auto table = [&](std::vector<std::string> words) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return rows_of(outcome.out);
  };
  const auto line = table({"compute", "timeline", pqr, xtc, "--of", "rmsd", "--by", "atom", "--select",
                           "name CA and protein", "--frames", "::15"});
  ASSERT_EQ(line.size(), 47u);
  const auto rmsd = table({"compute", "rmsd", pqr, xtc, "--select", "name CA and protein", "--frames", "::15"});
  ASSERT_EQ(line[0].size(), 4 + rmsd.size() - 1);
  for (std::size_t f = 0; f + 1 < rmsd.size(); ++f) {
    double sum = 0;
    for (std::size_t r = 1; r < line.size(); ++r) sum += value(line[r][4 + f]) * value(line[r][4 + f]);
    EXPECT_NEAR(std::sqrt(sum / 46), value(rmsd[f + 1].back()), 2e-4) << f;
  }
  const auto areas = table({"compute", "timeline", pqr, xtc, "--of", "sasa", "--frames", "5", "--device", "cpu"});
  ASSERT_EQ(areas.size(), 47u);
  const auto atoms = table({"compute", "sasa", pqr, xtc, "--per-residue", "--frame", "5", "--device", "cpu"});
  for (std::size_t r = 1; r < areas.size(); ++r) EXPECT_NEAR(value(areas[r].back()), value(atoms[r].back()), 0.01) << r;
  const auto structure = table({"compute", "timeline", pqr, xtc, "--of", "structure", "--frames", "0:2"});
  std::size_t helix = 0;
  for (std::size_t r = 1; r < structure.size(); ++r) helix += structure[r][3] == "helix";
  EXPECT_GE(helix, 15u);  // residues 7-19 and 23-30 of crambin
  EXPECT_LE(helix, 24u);
  for (const char* of : {"rmsf", "contacts", "potential"}) {
    const std::string out = folder / (std::string(of) + ".svg");
    const Outcome outcome = run({"compute", "timeline", pqr, xtc, "--of", of, "--frames", "::20", "--out", out});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(read_text(out).find("</svg>"), std::string::npos);
    EXPECT_NE(read_text(out).find("THR1"), std::string::npos);
  }
  const Outcome array =
      run({"compute", "timeline", pqr, xtc, "--of", "rmsd", "--frames", "0:3", "--out", folder / "t.npy"});
  ASSERT_EQ(array.code, 0) << array.err;
  EXPECT_NE(read_text(folder / "t.npy").find("(46, 3)"), std::string::npos);
  EXPECT_EQ(run({"compute", "timeline", pqr, xtc, "--of", "structure", "--by", "atom"}).code, 2);
}

TEST(TimelineOfFiles, CorrelationsAreThoseOfTheVerb) {
  const Folder folder;
  const std::string pqr = examples("crambin_water/crambin_water.gro.gz"),
                    xtc = examples("crambin_water/crambin_water.xtc");
  const std::string map = folder / "first.mrc";
  const Outcome made = run({"compute", "density-map", pqr, xtc, "--frame", "0", "--select", "protein", "--resolution",
                            "6", "--spacing", "2", "--out", map, "--device", "cpu"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::vector<std::string> with{"--map", map, "--resolution", "6", "--frames", "::30", "--device", "cpu"};
  const auto both = [&](std::vector<std::string> words) {
    words.insert(words.end(), with.begin(), with.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return rows_of(outcome.out);
  };
  const auto line = both({"compute", "timeline", pqr, xtc, "--of", "correlation", "--model", "protein"});
  const auto verb = both({"compute", "correlation", pqr, xtc, "--select", "protein", "--by", "residue"});
  ASSERT_EQ(line.size(), 47u);
  ASSERT_EQ(verb.size(), 3 * 46u + 1);
  for (std::size_t r = 1; r < line.size(); ++r) {
    // The map is that of the first frame.
    EXPECT_NEAR(value(line[r][3]), 1, 1e-5) << r;
    for (std::size_t f = 0; f < 3; ++f) EXPECT_NEAR(value(line[r][3 + f]), value(verb[46 * f + r][6]), 1e-5) << r;
    EXPECT_LT(value(line[r][4]), 0.9999) << r;
  }
  const std::vector<std::string> begin{"compute", "timeline", pqr, xtc, "--of"};
  const auto refused = [&](std::vector<std::string> words, const std::string& text) {
    words.insert(words.begin(), begin.begin(), begin.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused({"correlation"}, "--map");
  refused({"correlation", "--map", map}, "--resolution");
  refused({"rmsd", "--map", map}, "--of correlation");
  refused({"correlation", "--map", map, "--resolution", "3"}, "Nyquist");
  refused({"correlation", "--map", map, "--resolution", "6", "--model", "resname XYZ"}, "--model");
}

TEST(TimelineOfFiles, PotentialOfTwoIons) {
  const Folder folder;
  write_text(folder / "ions.pqr",
             "ATOM 1 NA NA A 1 0.0 0.0 0.0 1.0 1.0\nATOM 2 CL CL A 2 4.0 0.0 0.0 -1.0 1.8\nATOM 3 K K A 3 4.0 3.0 0.0 "
             "0.5 1.8\n");
  const Outcome outcome =
      run({"compute", "timeline", folder / "ions.pqr", "--of", "potential", "--select", "all", "--device", "cpu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = rows_of(outcome.out);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_NEAR(value(rows[1].back()), 14.3996454784 * (-1.0 / 4 + 0.5 / 5), 1e-4);
  EXPECT_NEAR(value(rows[2].back()), 14.3996454784 * (1.0 / 4 + 0.5 / 3), 1e-4);
  // Drawn red where it is negative (NA, K) and blue where it is positive (CL), as surfaces are.
  const std::string svg = folder / "ions.svg";
  ASSERT_EQ(run({"compute", "timeline", folder / "ions.pqr", "--of", "potential", "--select", "all", "--device", "cpu",
                 "--out", svg})
                .code,
            0);
  const std::string text = read_text(svg);
  std::size_t at = text.find("crispEdges");
  for (const bool negative : {true, false, true}) {
    at = text.find("fill=\"#", at) + 7;
    const int red = std::stoi(text.substr(at, 2), nullptr, 16), blue = std::stoi(text.substr(at + 4, 2), nullptr, 16);
    EXPECT_EQ(red > blue, negative) << text.substr(at, 6);
  }
}

}  // namespace
}  // namespace isolume
