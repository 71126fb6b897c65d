// Devices that fail while a command runs, and OpenGL contexts that are lost, by a program that does so on purpose
// (tests/support/faulty_isolume.cpp): the work is done elsewhere, or the fault is said.
#include <gtest/gtest.h>

#include <cstdlib>

#include "compute/base/cuda_api.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::examples;
using test::Folder;
using test::operator+;
using test::Outcome;
using test::run;

/// Sets variables for the programs that are started, and the program.
class Environment {
 public:
  explicit Environment(const std::string& fault) {
    setenv("ISOLUME_PROGRAM", ISOLUME_FAULTY, 1);
    setenv("ISOLUME_TEST_FAULT", fault.c_str(), 1);
    setenv("CUDA_VISIBLE_DEVICES", "0", 1);  // another device would take over
  }
  ~Environment() {
    unsetenv("ISOLUME_PROGRAM");
    unsetenv("ISOLUME_TEST_FAULT");
    unsetenv("CUDA_VISIBLE_DEVICES");
  }
};

/// A command without its output and its device.
struct Verb {
  std::string name;
  std::vector<std::string> words;
  std::string extension;
};

/// Those whose CUDA bodies the fake device, whose kernels do nothing, may begin.
std::vector<Verb> few_verbs() {
  const std::string pqr = examples("crambin_charges/crambin_charges.pqr.gz");
  const std::string orbital = examples("ethylene_torsion/ethylene_torsion_000.molden.gz");
  return {{"direct", {"compute", "potential", pqr, "--method", "direct", "--spacing", "2"}, ".dx"},
          {"orbital", {"compute", "orbital", orbital, "--orbital", "homo", "--spacing", "0.4"}, ".cube"},
          {"gaussian", {"compute", "surface", pqr, "--kind", "gaussian", "--spacing", "2"}, ".ply"}};
}

std::vector<Verb> all_verbs() {
  const std::string pqr = examples("crambin_charges/crambin_charges.pqr.gz");
  const std::string orbital = examples("ethylene_torsion/ethylene_torsion_000.molden.gz");
  const std::string gro = examples("crambin_water/crambin_water.gro.gz");
  const std::string xtc = examples("crambin_water/crambin_water.xtc");
  std::vector<Verb> verbs = few_verbs();
  const auto potential = [&](const std::string& method, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compute", "potential", pqr, "--method", method, "--spacing", "2"};
    words.insert(words.end(), more.begin(), more.end());
    verbs.push_back({method, words, ".dx"});
  };
  potential("cutoff");
  potential("msm");
  potential("hcp");
  potential("debye-hueckel");
  potential("pb");
  potential("direct", {"--accuracy", "1e-3"});
  verbs.back().name = "fast_direct";
  const auto energy = [&](const std::string& method) {
    verbs.push_back({"energy_" + method, {"compute", "energy", pqr, "--method", method}, ".npy"});
  };
  energy("direct");
  energy("msm");
  energy("hcp");
  verbs.push_back({"excluded", {"compute", "surface", pqr, "--kind", "ses", "--spacing", "1"}, ".ply"});
  verbs.push_back({"accessible", {"compute", "surface", pqr, "--kind", "sas", "--spacing", "1"}, ".ply"});
  verbs.push_back({"density", {"compute", "density", orbital, "--spacing", "0.4"}, ".cube"});
  verbs.push_back({"laplacian", {"compute", "density", orbital, "--kind", "laplacian", "--spacing", "0.4"}, ".cube"});
  verbs.push_back({"sasa", {"compute", "sasa", pqr}, ".csv"});
  const auto analysis = [&](const std::string& kind, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"compute", kind, gro, xtc, "--frames", "0:3"};
    words.insert(words.end(), more.begin(), more.end());
    verbs.push_back({kind, words, ".csv"});
  };
  analysis("rdf", {"--select", "name OW"});
  for (const char* kind : {"gyration", "rmsd", "rmsf", "contacts", "hbonds"}) analysis(kind, {"--select", "protein"});
  analysis("distance", {"--select", "resid 3", "--to", "resid 30"});
  verbs.push_back(
      {"ligand_map",
       {"compute", "ligand-map", pqr, "--probe", "Ar", "--around", "resid 10", "--padding", "2", "--spacing", "1"},
       ".dx"});
  verbs.push_back({"density_map", {"compute", "density-map", pqr, "--resolution", "5"}, ".mrc"});
  verbs.push_back({"ions", {"compute", "ionize", pqr, "--count", "NA:4,CL:4", "--replace-water"}, ".pdb"});
  return verbs;
}

Outcome run_verb(const Verb& verb, const std::string& out, const std::string& device,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = verb.words;
  words.insert(words.end(), {"--out", out, "--no-record", "--device", device});
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

/// A file but for the record of its command, which names the file and the options.
std::string values_of(const std::string& path) {
  std::string text = test::read_text(path);
  const std::size_t begin = text.find("comment made ");
  if (begin != std::string::npos && begin < 1000) text.erase(begin, text.find('\n', begin) - begin);
  return text;
}

class CliFaults : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!built_in_cuda_api().launch) GTEST_SKIP() << "built without CUDA: there are no bodies that could fail";
  }
};

TEST_P(CliFaults, WithoutANamedDeviceTheCpuComputes) {
  for (const Verb& verb : few_verbs()) {
    SCOPED_TRACE(verb.name);
    const Folder folder;
    const std::string expected = folder / ("cpu" + verb.extension), found = folder / ("found" + verb.extension);
    ASSERT_EQ(run_verb(verb, expected, "cpu").code, 0);
    const Environment environment(GetParam());
    const Outcome outcome = run_verb(verb, found, "auto", {"--report", folder / "report.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_CONTAINS(outcome.err, "isolume: note: ");
    EXPECT_CONTAINS(outcome.err, "computing again on cpu");
    EXPECT_EQ(values_of(found), values_of(expected));
    const auto report = test::read_json(folder / "report.json");
    EXPECT_EQ(report["device"]["kind"], "cpu");
    EXPECT_FALSE(report["device"]["after_fault"].get<std::string>().empty());
    // The note is all that --quiet takes away.
    const Outcome quiet = run_verb(verb, found, "auto", {"--quiet"});
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.err, "");
  }
}

TEST_P(CliFaults, OfANamedDeviceAreSaid) {
  for (const Verb& verb : few_verbs()) {
    SCOPED_TRACE(verb.name);
    const Folder folder;
    const std::string out = folder / ("out" + verb.extension);
    const Environment environment(GetParam());
    const Outcome outcome = run_verb(verb, out, "cuda");
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const bool memory = std::string(GetParam()).starts_with("2@");
    EXPECT_TRUE(outcome.err.find("CUDA error") != std::string::npos ||
                (memory && outcome.err.find("could not be allocated") != std::string::npos))
        << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out)) << "nothing half done";
  }
}

// When the device is woken, after it was asked twice for its memory, and later.
INSTANTIATE_TEST_SUITE_P(Kinds, CliFaults,
                         testing::Values("2@3/fake", "700@3/fake", "2@8/fake", "701@8/fake", "700@8/fake"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return "code_" + name;
                         });

TEST(CliFault, TheVariableIsForTestProgramsAlone) {
  // The program itself does not know it.
  const Folder folder;
  setenv("ISOLUME_TEST_FAULT", "700@1/fake", 1);
  const Outcome outcome = run({"devices"});
  unsetenv("ISOLUME_TEST_FAULT");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.find("Fake"), std::string::npos) << outcome.out;
}

TEST(CliFault, ALostOpenGlContextIsMadeAgain) {
  const Folder folder;
  const std::vector<std::string> words{
      "render", examples("crambin.pdb.gz"), "--size", "160x120", "--device", "cpu", "--no-record", "--out"};
  ASSERT_EQ(run(words + std::vector<std::string>{folder / "a.png"}).code, 0);
  setenv("ISOLUME_PROGRAM", ISOLUME_FAULTY, 1);
  setenv("ISOLUME_TEST_RESET", "1", 1);
  const Outcome again = run(words + std::vector<std::string>{folder / "b.png"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_CONTAINS(again.err, "note: the picture was drawn again: the graphics driver was reset");
  unsetenv("ISOLUME_TEST_RESET");
  unsetenv("ISOLUME_PROGRAM");
  // The scene that pictures carry has the name of the file nowhere.
  EXPECT_EQ(test::read_text(folder / "a.png").size(), test::read_text(folder / "b.png").size());
}

TEST(KillMatrix, ItsComputationsRunWithoutADevice) {
  for (const Verb& verb : all_verbs()) {
    SCOPED_TRACE(verb.name);
    const Folder folder;
    const std::string out = folder / ("cpu" + verb.extension);
    const Outcome outcome = run_verb(verb, out, "cpu");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(test::read_text(out).empty());
  }
}

/// Three faults of a device as it is woken, in every verb: it is computed elsewhere, or the fault of the named device
/// is said and nothing is left.
TEST(KillMatrix, OfTheCommandLineWhereADeviceIsWoken) {
  if (!built_in_cuda_api().launch) GTEST_SKIP() << "built without CUDA: there are no bodies that could fail";
  for (const Verb& verb : all_verbs()) {
    SCOPED_TRACE(verb.name);
    const Folder folder;
    const std::string expected = folder / ("cpu" + verb.extension), found = folder / ("found" + verb.extension);
    ASSERT_EQ(run_verb(verb, expected, "cpu").code, 0);
    for (const char* fault : {"2@3/fake", "701@4/fake", "700@3/fake"}) {
      SCOPED_TRACE(fault);
      const Environment environment(fault);
      const Outcome named = run_verb(verb, found, "cuda");
      EXPECT_EQ(named.code, 1) << named.err;
      EXPECT_TRUE(named.err.find("CUDA error") != std::string::npos ||
                  named.err.find("could not be allocated") != std::string::npos)
          << named.err;
      EXPECT_FALSE(std::filesystem::exists(found)) << "nothing half done";
      const Outcome outcome = run_verb(verb, found, "auto");
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_CONTAINS(outcome.err, "computing again on cpu");
      // The plan of multilevel summation follows times that are measured.
      EXPECT_TRUE(verb.name.ends_with("msm") || values_of(found) == values_of(expected)) << "not what the CPU computes";
      std::filesystem::remove(found);
    }
  }
}

/// Computations of all kinds and three faults on a real device: needs one. Prints the table.
TEST(KillMatrix, OfTheCommandLine) {
  {
    const Outcome devices = run({"devices", "--device", "cuda"});
    if (devices.code != 0) GTEST_SKIP() << "no CUDA device";
  }
  std::printf("%-16s %-14s %-14s %-14s\n", "computation", "no memory", "launch", "sticky");
  for (const Verb& verb : all_verbs()) {
    SCOPED_TRACE(verb.name);
    const Folder folder;
    const std::string expected = folder / ("cpu" + verb.extension), found = folder / ("found" + verb.extension);
    const Outcome cpu = run_verb(verb, expected, "cpu");
    ASSERT_EQ(cpu.code, 0) << cpu.err;
    std::printf("%-16s", verb.name.c_str());
    for (const char* fault : {"2@6", "701@6", "700@6"}) {
      const Environment environment(fault);
      std::filesystem::remove(found);
      const Outcome outcome = run_verb(verb, found, "auto");
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      const bool again = outcome.err.find("computing again on cpu") != std::string::npos;
      // The plan of multilevel summation follows times that are measured.
      const bool same = verb.name.ends_with("msm") || values_of(found) == values_of(expected);
      EXPECT_TRUE(!again || same) << fault << ": not what the CPU computes";
      EXPECT_FALSE(test::read_text(found).empty()) << fault;
      EXPECT_TRUE(again || std::string(fault) == "2@6") << fault << " went unnoticed: " << outcome.err;
      std::printf(" %-14s", outcome.code != 0 ? "FAILED" : again ? "done by CPU" : "done on GPU");
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace isolume
