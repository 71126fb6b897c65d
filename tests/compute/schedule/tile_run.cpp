// Tiles on several workers at once: the same results whatever is killed, wrong, late or cancelled.
#include "compute/schedule/tile_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <latch>
#include <random>
#include <thread>

#include "compute/base/device_fault.h"
#include "compute/base/memory_error.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

// A value whose bits show who made it, and how often.
double value_of(std::size_t part) {
  return std::sin(1.0 + static_cast<double>(part)) / 3.0;
}

// Makes values on the host. `act` runs at the n-th tile (from 0) and may throw.
class Double : public TileWorker {
 public:
  using Act = std::function<void(Tile, int, Job&)>;
  Double(
      std::string name, std::vector<double>& out, Act act = [](Tile, int, Job&) {})
      : name_(std::move(name)), out_(out), act_(std::move(act)) {}

  std::string name() const override { return name_; }
  void compute(Tile tile, Job& job) override {
    own_.clear();
    for (std::size_t part = tile.begin; part < tile.end; ++part) own_.push_back(value_of(part) * factor);
    act_(tile, count_++, job);
  }
  bool right(Tile tile) override { return own_.front() == value_of(tile.begin); }
  void hand_over(Tile tile) override {
    std::copy(own_.begin(), own_.end(), out_.begin() + static_cast<std::ptrdiff_t>(tile.begin));
  }
  bool lost() override { return gone; }

  double factor = 1;
  bool gone = false;

 private:
  std::string name_;
  std::vector<double>& out_;
  Act act_;
  int count_ = 0;
  std::vector<double> own_;
};

constexpr std::size_t parts = 1000;

TilePlan usual_plan() {
  TilePlan plan;
  plan.parts = parts;
  plan.grain = 4;
  plan.seconds = 1e-4;
  plan.part = "layer";
  return plan;
}

std::vector<double> expected() {
  std::vector<double> values;
  for (std::size_t part = 0; part < parts; ++part) values.push_back(value_of(part));
  return values;
}

// Both workers have a first tile before either goes on.
Double::Act meeting(
    std::latch& met, Double::Act then = [](Tile, int, Job&) {}) {
  return [&met, then](Tile tile, int n, Job& job) {
    if (n == 0) met.arrive_and_wait();
    then(tile, n, job);
  };
}

TileReport run_two(TileWorker& first, TileWorker& second, Job& job) {
  TileWorker* const both[] = {&first, &second};
  return run_tiles(usual_plan(), both, "map", job);
}

std::string message_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TileRun, TwoWorkersMakeAllParts) {
  std::vector<double> out(parts, NAN);
  std::latch met(2);
  Double first("a", out, meeting(met)), second("b", out, meeting(met));
  double reached = 0;
  std::string words;
  Job job([&](double fraction, const std::string& what) {
    EXPECT_GE(fraction, reached);
    reached = fraction;
    words = what;
  });
  const TileReport report = run_two(first, second, job);
  EXPECT_EQ(out, expected());
  EXPECT_EQ(report.workers[0].parts + report.workers[1].parts, parts);
  EXPECT_TRUE(words.empty() || words.starts_with("map (a ")) << words;
}

TEST(TileRun, AKilledTileChangesNoBit) {
  for (int kill = 0; kill < 3; ++kill) {
    std::vector<double> out(parts, NAN);
    std::latch met(2);
    bool killed = false;
    Double first("a", out, meeting(met, [kill, &killed](Tile, int n, Job&) {
                   if (n != kill) return;
                   killed = true;
                   throw Error("launch failed");
                 }));
    Double second("b", out, meeting(met));
    Job job;
    const TileReport report = run_two(first, second, job);
    EXPECT_EQ(out, expected());
    EXPECT_TRUE(killed || kill > 0) << "each has a first tile";
    EXPECT_EQ(report.workers[0].faults, killed ? 1u : 0u);
  }
}

TEST(TileRun, ADeviceThatFailsIsRetiredAndNamed) {
  std::vector<double> out(parts, NAN);
  std::latch met(2);
  Double first("a", out, meeting(met, [](Tile, int, Job&) { throw std::runtime_error("no device"); }));
  first.gone = true;
  Double second("b", out, meeting(met));
  Job job;
  const TileReport report = run_two(first, second, job);
  EXPECT_EQ(out, expected());
  EXPECT_TRUE(report.workers[0].retired);
  EXPECT_EQ(report.workers[0].why, "no device");
  EXPECT_EQ(report.workers[0].faults, 1u);
  EXPECT_EQ(report.workers[1].parts, parts);
}

TEST(TileRun, TheSpotCheckCatchesWrongValues) {
  std::vector<double> out(parts, NAN);
  std::latch met(2);
  Double first("a", out, meeting(met)), second("b", out, meeting(met));
  first.factor = 1.001;
  Job job;
  const TileReport report = run_two(first, second, job);
  EXPECT_EQ(out, expected());
  EXPECT_EQ(report.workers[0].tiles, 0u);
  EXPECT_GE(report.workers[0].faults, 1u);
}

TEST(TileRun, AWorkerThatHangsIsOvertaken) {
  std::vector<double> out(parts, NAN);
  std::latch met(2);
  Double first("a", out, meeting(met, [](Tile, int, Job& job) {
                 while (!job.cancelled()) std::this_thread::yield();
                 job.check();
               }));
  Double second("b", out, meeting(met));
  Job job;
  const TileReport report = run_two(first, second, job);
  EXPECT_EQ(out, expected());
  EXPECT_EQ(report.workers[0].faults, 0u);
  EXPECT_EQ(report.workers[1].parts, parts);
}

TEST(TileRun, CancelReachesAllWorkers) {
  std::vector<double> out(parts, NAN);
  Job job;
  std::latch met(2);
  const auto hang = [&](Tile, int, Job& own) {
    job.cancel();
    while (!own.cancelled()) std::this_thread::yield();
    own.check();
  };
  Double first("a", out, meeting(met, hang)), second("b", out, meeting(met, hang));
  try {
    run_two(first, second, job);
    FAIL() << "expected to be cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::cancelled);
  }
  EXPECT_TRUE(std::isnan(out[parts - 1]));
}

TEST(TileRun, NamesWhatIsMissingWhereAllFail) {
  std::vector<double> out(parts, NAN);
  std::latch met(2);
  const auto fail = [](Tile, int, Job&) { throw Error("launch failed"); };
  Double first("a", out, meeting(met, fail)), second("b", out, meeting(met, fail));
  Job job;
  const std::string message = message_of([&] { run_two(first, second, job); });
  EXPECT_EQ(message,
            "map: layers 0 to 999 of 1000 are missing; a: launch failed (3 faults); b: launch failed (3 faults)");
}

// What chose its devices itself computes again elsewhere after a DeviceFault, not after other errors.
TEST(TileRun, IsTheFaultOfADeviceWhereAllDevicesFail) {
  std::vector<double> out(parts, NAN);
  std::latch met(2);
  const auto fail = [](Tile, int, Job&) { throw DeviceFault("launch failed", Device::cuda(1), 719, false); };
  Double first("a", out, meeting(met, fail)), second("b", out, meeting(met, fail));
  Job job;
  try {
    run_two(first, second, job);
    FAIL() << "no error";
  } catch (const DeviceFault& fault) {
    EXPECT_EQ(fault.device(), Device::cuda(1));
    EXPECT_EQ(fault.code(), 719);
    EXPECT_FALSE(fault.lost());
    EXPECT_NE(std::string(fault.what()).find("layers 0 to 999 of 1000 are missing"), std::string::npos) << fault.what();
  }
}

TEST(TileRun, AWrongRequestIsNotTriedAgain) {
  std::vector<double> out(parts, NAN);
  std::atomic<int> tries{0};
  const auto refuse = [&](Tile, int, Job&) {
    ++tries;
    throw Error("no such method", Error::Kind::usage);
  };
  Double first("a", out, refuse), second("b", out, refuse);
  Job job;
  EXPECT_EQ(message_of([&] { run_two(first, second, job); }), "no such method");
  EXPECT_LE(tries, 2);
}

TEST(TileRun, OneWorkerHalvesForMemoryAndGivesOtherErrorsOn) {
  std::vector<double> out(parts, NAN);
  std::size_t largest = 0;
  Double small("a", out, [&](Tile tile, int, Job&) {
    if (tile.size() > 100) throw MemoryError("map: needs more");
    largest = std::max(largest, tile.size());
  });
  TilePlan plan = usual_plan();
  plan.seconds = std::numeric_limits<double>::infinity();
  TileWorker* const one[] = {&small};
  Job job;
  run_tiles(plan, one, "map", job);
  EXPECT_EQ(out, expected());
  EXPECT_LE(largest, 100u);
  EXPECT_GT(largest, 50u);
  Double broken("a", out, [](Tile, int, Job&) { throw Error("launch failed"); });
  TileWorker* const other[] = {&broken};
  EXPECT_EQ(message_of([&] { run_tiles(plan, other, "map", job); }), "launch failed");
}

// Faults at random on four workers, one of which has none: always the same bits.
TEST(TileRun, RandomFaultsChangeNoBit) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<double> out(parts, NAN);
    const auto act = [seed](unsigned worker) {
      return [state = std::make_shared<std::mt19937>(seed * 8 + worker)](Tile, int, Job&) {
        const unsigned word = (*state)() % 16;
        if (word < 2) throw Error("launch failed");
        if (word < 4) throw MemoryError("too large");
        if (word == 4) throw std::bad_alloc();
      };
    };
    Double a("a", out, act(0)), b("b", out, act(1)), c("c", out, act(2)), sound("d", out);
    b.factor = seed % 3 == 0 ? 2 : 1;
    TileWorker* const all[] = {&a, &b, &c, &sound};
    Job job;
    const TileReport report = run_tiles(usual_plan(), all, "map", job);
    EXPECT_EQ(out, expected());
    EXPECT_FALSE(report.workers[3].retired);
  }
}

}  // namespace
}  // namespace isolume
