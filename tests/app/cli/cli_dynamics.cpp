// isolume compute dynamics as a process: a run on a small system, and what it refuses.
#include <gtest/gtest.h>
#include <signal.h>

#include "formats/read.h"
#include "tests/app/cli/program.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// The tryptophan zipper, 223 atoms without solvent.
struct Zipper {
  std::string topology = test::shared_data("trajectories/tz2/tz2.parm7");
  std::string coordinates = test::shared_data("trajectories/tz2/tz2.nc");
};

TEST(Dynamics, RunsWithEveryMethodOfAnOpenSystem) {
  const Zipper z;
  ISOLUME_NEEDS(z.topology);
  const Folder folder;
  for (const std::vector<std::string>& method : {std::vector<std::string>{"direct"},
                                                 {"direct", "--dielectric", "sigmoidal"},
                                                 {"hcp", "--dielectric", "constant:4"},
                                                 {"msm", "--open"}}) {
    SCOPED_TRACE(method.front());
    std::vector<std::string> words{
        "compute",  "dynamics",        z.topology,   z.coordinates, "--device",         "cpu",        "--time",
        "0.05",     "--every",         "10",         "--out",       folder / "run.dcd", "--energies", folder / "e.csv",
        "--report", folder / "r.json", "--minimise", "20",          "--method"};
    words.insert(words.end(), method.begin(), method.end());
    const auto outcome = run(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto report = test::read_json(folder / "r.json");
    EXPECT_EQ(report["result"]["steps"], 50);
    EXPECT_EQ(report["result"]["frames"], 6);
    EXPECT_LT(report["result"]["minimisation"]["after"], report["result"]["minimisation"]["before"]);
    const Molecule trajectory = read_file(folder / "run.dcd");
    ASSERT_EQ(trajectory.trajectory->frame_count(), 6u);
    EXPECT_EQ(trajectory.trajectory->atom_count(), 223u);
    EXPECT_NEAR(trajectory.trajectory->frame(5).time, 0.05, 1e-6);
    // A heading and a line for each sample.
    const std::string table = test::read_text(folder / "e.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7);
  }
}

TEST(Dynamics, TakesMultipleTimeSteps) {
  const Zipper z;
  ISOLUME_NEEDS(z.topology);
  const Folder folder;
  const auto outcome_of = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"compute", "dynamics", z.topology,   z.coordinates, "--device", "cpu",
                                   "--time",  "0.05",     "--minimise", "20",          "--report", folder / "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto msm =
      outcome_of({"--method", "msm", "--open", "--short-range-every", "2", "--long-range-every", "4", "--every", "8"});
  ASSERT_EQ(msm.code, 0) << msm.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["result"]["steps"], 52) << "whole cycles of four";
  EXPECT_EQ(report["result"]["frames"], 8);
  EXPECT_EQ(report["method"]["multiple_time_steps"]["bonded_fs"], 1);
  EXPECT_EQ(report["method"]["multiple_time_steps"]["short_range_fs"], 2);
  EXPECT_EQ(report["method"]["multiple_time_steps"]["long_range_fs"], 4);
  EXPECT_EQ(outcome_of({"--method", "direct", "--short-range-every", "2"}).code, 0);
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--method", "direct", "--short-range-every", "1", "--long-range-every", "2"}, "no long-range part"},
           {{"--method", "direct", "--short-range-every", "2", "--every", "5"}, "a multiple of 2"},
           {{"--method", "direct", "--short-range-every", "9"}, "resonate"}}) {
    const auto refused = outcome_of(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_CONTAINS(refused.err, message);
  }
}

/// A peptide in water by CHARMM's files; its parameters are made up for tests.
std::vector<std::string> peptide(const std::vector<std::string>& verb) {
  std::vector<std::string> words = verb;
  words.insert(words.end(),
               {test::shared_data("structures/ala3_solv.psf"), test::shared_data("structures/ala3_solv.crd"),
                test::data("dynamics/ala3_numbers.rtf"), test::data("dynamics/made_up.prm"), "--device", "cpu",
                "--method", "spme", "--cell", "32.71195", "32.99596", "33.00715"});
  return words;
}

TEST(Dynamics, RunsAPsfWithItsParameters) {
  ISOLUME_NEEDS(test::shared_data("structures/ala3_solv.psf"));
  const Folder folder;
  auto words =
      peptide({"compute", "dynamics", "--minimise", "0", "--time", "0.002", "--time-step", "0.5", "--vdw-cutoff", "10",
               "--vdw-switch", "8.5", "--report", folder / "r.json", "--energies", folder / "e.csv"});
  const auto outcome = run(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = test::read_json(folder / "r.json");
  EXPECT_EQ(report["method"]["force_field"], "CHARMM");
  const auto first = report["result"]["first"];
  // tests/data/dynamics/ala3_openmm.json
  EXPECT_NEAR(first["bonds"], 0.560091, 1e-5);
  EXPECT_NEAR(first["dihedrals"], 4.193224, 1e-5);
  EXPECT_NEAR(first["corrections"], -0.588932, 1e-5);
  EXPECT_NEAR(first["electrostatics"], -8965.2355, 2);
  EXPECT_NE(test::read_text(folder / "e.csv").find(",corrections (kcal/mol),"), std::string::npos);
  const auto energy = run(peptide({"compute", "energy", "--report", folder / "e.json"}));
  ASSERT_EQ(energy.code, 0) << energy.err;
  EXPECT_NEAR(test::read_json(folder / "e.json")["result"]["energy"], -8965.2355, 2);
}

TEST(Dynamics, SaysWhatAPsfLacks) {
  const std::string psf = test::shared_data("structures/ala3_solv.psf");
  ISOLUME_NEEDS(psf);
  const auto alone = run({"compute", "dynamics", psf, test::shared_data("structures/ala3_solv.crd")});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("parameter files of CHARMM"), std::string::npos) << alone.err;
  const auto unnamed = run({"compute", "dynamics", psf, test::data("dynamics/made_up.prm")});
  EXPECT_EQ(unnamed.code, 3);
  EXPECT_NE(unnamed.err.find("types as numbers"), std::string::npos) << unnamed.err;
}

TEST(Dynamics, SaysWhichCellsThereAreNot) {
  ISOLUME_NEEDS(test::shared_data("structures/ala3_solv.psf"));
  using Words = std::vector<std::string>;
  for (const Words& cell :
       {Words{"30", "30"}, Words{"30", "-3", "30"}, Words{"30", "0", "30"}, Words{"30", "30", "30", "90"},
        Words{"30", "30", "30", "10", "10", "170"}, Words{"30", "30", "30", "90", "90", "180"}}) {
    for (const char* verb : {"dynamics", "energy"}) {
      auto words = peptide({"compute", verb});
      words.resize(words.size() - 3);
      words.insert(words.end(), cell.begin(), cell.end());
      const auto outcome = run(words);
      EXPECT_EQ(outcome.code, 2) << words.back();
      EXPECT_NE(outcome.err.find("--cell"), std::string::npos) << outcome.err;
    }
  }
}

TEST(Dynamics, ReportsTheDriftOfARunAtConstantEnergy) {
  const std::string topology = test::shared_data("structures/ala2/alanine-dipeptide.prmtop");
  ISOLUME_NEEDS(topology);
  const Folder folder;
  const auto outcome = run({"compute", "dynamics", topology, test::shared_data("structures/ala2/alanine-dipeptide.crd"),
                            "--device", "cpu", "--method", "spme", "--integrator", "verlet", "--time-step", "0.5",
                            "--time", "0.02", "--every", "4", "--report", folder / "r.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto result = test::read_json(folder / "r.json")["result"];
  EXPECT_EQ(result["frames"], 11);
  // The slope of least squares through the samples that the report lists; of so few all count.
  const auto& rows = result["samples"]["rows"];
  ASSERT_EQ(rows.size(), 11u);
  double time = 0, total = 0, tt = 0, te = 0;
  for (const auto& row : rows) time += row[0].get<double>() / 11, total += row[1].get<double>() / 11;
  for (const auto& row : rows) {
    tt += std::pow(row[0].get<double>() - time, 2);
    te += (row[0].get<double>() - time) * (row[1].get<double>() - total);
  }
  const double slope = te / tt * 1000 / result["atoms"].get<double>();
  EXPECT_NEAR(result["drift"]["per_atom_and_ns"].get<double>(), slope, 1e-6 * std::abs(slope));
  EXPECT_EQ(result["drift"]["from_ps"], 0);
  EXPECT_NEAR(result["drift"]["ps"].get<double>(), 0.02, 1e-9);
  EXPECT_NEAR(result["last"]["total"].get<double>(),
              result["last"]["kinetic"].get<double>() + result["last"]["potential"].get<double>(), 1e-6);
}

TEST(Dynamics, KeepsTheFramesOfARunThatIsStopped) {
  const Zipper z;
  ISOLUME_NEEDS(z.topology);
  const Folder folder;
  const pid_t child = test::start({"compute", "dynamics", z.topology, z.coordinates, "--device", "cpu", "--minimise",
                                   "0", "--time", "100000", "--every", "5", "--out", folder / "run.dcd"},
                                  folder / "out", folder / "err");
  ASSERT_GT(child, 0);
  // While it runs the file is there, and whole.
  std::size_t frames = 0;
  while (frames < 3 && waitpid(child, nullptr, WNOHANG) == 0) {
    if (std::filesystem::exists(folder / "run.dcd")) frames = read_file(folder / "run.dcd").trajectory->frame_count();
  }
  EXPECT_GE(frames, 3u);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const Molecule left = read_file(folder / "run.dcd");
  EXPECT_GE(left.trajectory->frame_count(), frames);
  EXPECT_TRUE(left.warnings.empty());
}

TEST(Dynamics, SaysWhatIsWrongBeforeItStarts) {
  const Zipper z;
  ISOLUME_NEEDS(z.topology);
  const Folder folder;
  const auto message = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), {"compute", "dynamics"});
    words.insert(words.end(), {"--device", "cpu"});
    const auto outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome.err;
  };
  const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  const std::vector<std::string> files{z.topology, z.coordinates};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> words = files;
    words.insert(words.end(), more);
    return words;
  };
  EXPECT_TRUE(has(message(with({"--method", "spme"}), 2), "cell"));
  EXPECT_TRUE(has(message(with({"--time-step", "20"}), 2), "time step"));
  EXPECT_TRUE(has(message(with({"--time-step", "-1"}), 2), "time step"));
  EXPECT_TRUE(has(message(with({"--temperature", "-5"}), 2), "temperature"));
  EXPECT_TRUE(has(message(with({"--friction", "0"}), 2), "friction"));
  EXPECT_TRUE(has(message(with({"--vdw-switch", "20"}), 2), "Lennard-Jones"));
  EXPECT_TRUE(has(message(with({"--velocities", "file"}), 2), "velocities"));
  EXPECT_TRUE(has(message(with({"--thresholds", "15"}), 2), "--thresholds"));
  EXPECT_TRUE(has(message(with({"--out", folder / "run.xtc"}), 2), "dcd"));
  EXPECT_TRUE(has(message({z.topology}, 2), "coordinates"));
  test::write_text(folder / "ion.pqr", "ATOM      1  NA  ION A   1       0.000   0.000   0.000  1.0000 1.5000\nEND\n");
  EXPECT_TRUE(has(message({folder / "ion.pqr"}, 2), "force field"));
}

}  // namespace
}  // namespace isolume
