// Frames of every analysis that devices share: the same bits as of one of them, whatever fails.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "compute/analysis/analysis.h"
#include "compute/base/device_fault.h"
#include "compute/base/memory_error.h"
#include "molecule/base/error.h"
#include "tests/compute/frames/breathing_chain.h"
#include "tests/compute/schedule/failing_trajectory.h"

namespace isolume {
namespace {

using test::FailingTrajectory;

std::shared_ptr<Molecule> chain() {
  static const auto made = test::breathing_chain(24, 60, Cell::from_lengths_angles({60, 62, 64}, {80, 95, 100}));
  return made;
}

AnalysisRequest request_of(AnalysisKind kind, std::shared_ptr<const Molecule> molecule,
                           const std::vector<Device>& devices) {
  AnalysisRequest request;
  request.kind = kind;
  request.molecule = std::move(molecule);
  for (std::size_t f = 1; f < request.molecule->frame_count(); ++f) request.frames.push_back(f);
  request.device = devices.front();
  request.devices = devices;
  if (kind == AnalysisKind::distance) {
    request.selection = "chain A";
    request.other = "chain B";
  }
  if (kind == AnalysisKind::rdf) request.selection = "name CA CB";
  return request;
}

void expect_same(const AnalysisTable& found, const AnalysisTable& expected) {
  ASSERT_EQ(found.columns.size(), expected.columns.size());
  for (std::size_t i = 0; i < expected.columns.size(); ++i) {
    ASSERT_EQ(found.columns[i].values.size(), expected.columns[i].values.size());
    EXPECT_EQ(found.columns[i].name, expected.columns[i].name);
    for (std::size_t row = 0; row < expected.columns[i].values.size(); ++row)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found.columns[i].values[row]),
                std::bit_cast<std::uint64_t>(expected.columns[i].values[row]))
          << expected.columns[i].name << ", row " << row;
  }
  EXPECT_EQ(found.facts, expected.facts);
  EXPECT_EQ(found.notes, expected.notes);
}

std::size_t faults_of(const std::vector<WorkerRecord>& workers) {
  std::size_t faults = 0;
  for (const WorkerRecord& worker : workers) faults += worker.faults;
  return faults;
}

constexpr AnalysisKind kinds[] = {AnalysisKind::rmsd,     AnalysisKind::gyration, AnalysisKind::contacts,
                                  AnalysisKind::dipole,   AnalysisKind::area,     AnalysisKind::hydrogen_bonds,
                                  AnalysisKind::distance, AnalysisKind::rdf};

class SharedFrames : public testing::TestWithParam<std::tuple<AnalysisKind, Device>> {
 protected:
  AnalysisTable alone() {
    Job job;
    return analyse(request_of(kind(), chain(), {device()}), job);
  }
  /// By the device twice, with what fails.
  AnalysisTable together(FailingTrajectory::Act act, std::vector<WorkerRecord>* workers) {
    auto molecule = std::make_shared<Molecule>(*chain());
    molecule->trajectory = std::make_shared<FailingTrajectory>(chain()->trajectory, std::move(act));
    AnalysisRequest request = request_of(kind(), molecule, {device(), device()});
    request.workers = workers;
    Job job;
    return analyse(request, job);
  }
  AnalysisKind kind() const { return std::get<0>(GetParam()); }
  Device device() const { return std::get<1>(GetParam()); }
};

TEST_P(SharedFrames, AreTheSameBitsAsOfOneDevice) {
  std::vector<WorkerRecord> workers;
  expect_same(together([](int) {}, &workers), alone());
  ASSERT_EQ(workers.size(), 2u);
  EXPECT_EQ(workers[0].name, to_string(device()));
  EXPECT_EQ(workers[0].parts + workers[1].parts, 59u);
  EXPECT_EQ(faults_of(workers), 0u);
}

TEST_P(SharedFrames, AreTheSameBitsAfterFaults) {
  const AnalysisTable expected = alone();
  struct Fault {
    const char* name;
    std::function<void()> give;
  };
  const Device lost = device();
  const Fault faults[] = {{"launch", [] { throw Error("launch failed"); }},
                          {"memory", [] { throw MemoryError("frames: needs more"); }},
                          {"sticky", [lost] { throw DeviceFault("illegal address", lost, 700, true); }},
                          {"host memory", [] { throw std::bad_alloc(); }}};
  for (const Fault& fault : faults) {
    // Later than the frames in which atoms are looked up, at most four for each device and kind.
    for (const int call : {12, 25, 40}) {
      SCOPED_TRACE(std::string(fault.name) + " at call " + std::to_string(call));
      std::vector<WorkerRecord> workers;
      expect_same(together(
                      [&](int n) {
                        if (n == call) fault.give();
                      },
                      &workers),
                  expected);
      // None where the other device had overtaken the tile, which was being given up.
      EXPECT_LE(faults_of(workers), 1u);
      EXPECT_EQ(workers[0].parts + workers[1].parts, 59u);
    }
  }
}

TEST_P(SharedFrames, SayWhatIsMissingWhereAllDevicesFail) {
  try {
    together(
        [](int n) {
          if (n > 12) throw Error("launch failed");
        },
        nullptr);
    FAIL() << "nothing was said";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("of 59 are missing"), std::string::npos) << message;
    EXPECT_NE(message.find("launch failed"), std::string::npos) << message;
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<AnalysisKind, Device>>& info) {
  std::string words = name(std::get<0>(info.param));
  std::erase_if(words, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  const Device device = std::get<1>(info.param);
  return words + (device.is_cuda() ? "Cuda" + std::to_string(device.index) : "Cpu");
}

INSTANTIATE_TEST_SUITE_P(Analyses, SharedFrames,
                         testing::Combine(testing::ValuesIn(kinds), testing::ValuesIn(test::devices_present())),
                         name_of);

/// A wrong request is said once, not tried on the next device.
TEST(SharedFramesOf, AWrongRequestIsSaid) {
  AnalysisRequest request = request_of(AnalysisKind::gyration, chain(), {Device::cpu(), Device::cpu()});
  request.selection = "name XX";
  Job job;
  try {
    analyse(request, job);
    FAIL() << "no atoms";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
  }
}

}  // namespace
}  // namespace isolume
