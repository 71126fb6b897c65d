// The scheduler of tiles with simulated devices: shares, faults, and what is said where all devices fail.
#include "compute/schedule/tile_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/compute/schedule/simulated_workers.h"

namespace isolume {
namespace {

using test::SimulatedWorker;
using test::Simulation;

TilePlan plan_of(std::size_t parts, std::size_t grain = 1) {
  TilePlan plan;
  plan.parts = parts;
  plan.grain = grain;
  plan.part = "layer";
  return plan;
}

SimulatedWorker of_speed(double speed) {
  SimulatedWorker worker;
  worker.speed = speed;
  return worker;
}

SimulatedWorker failing(double speed, TileFault kind, int from = 0, int count = 1'000'000) {
  SimulatedWorker worker = of_speed(speed);
  worker.fault = [=](Tile, int n) { return n >= from && n < from + count ? std::optional(kind) : std::nullopt; };
  return worker;
}

bool all_made(const Simulation& simulation) {
  return std::none_of(simulation.owner.begin(), simulation.owner.end(), [](int owner) { return owner < 0; });
}

TEST(TileBook, SharesByTheSpeedOfTheDevices) {
  Simulation simulation(plan_of(4000), {of_speed(100), of_speed(300)});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  const auto& records = simulation.book.records();
  EXPECT_NEAR(static_cast<double>(records[0].parts), 1000, 30);
  EXPECT_NEAR(static_cast<double>(records[1].parts), 3000, 30);
  EXPECT_EQ(records[0].parts + records[1].parts, 4000u);
  // 4000 parts at 400 a second; the last tile is small.
  EXPECT_LT(simulation.now, 10.0 * 1.02);
  // Tiles are no smaller than they need be: a tenth of a second each, less at the end.
  EXPECT_LT(records[1].tiles, 200u);
}

TEST(TileBook, TilesAreLongWhileMuchIsLeft) {
  // 10 s for two: a quarter of a share takes more than a tenth of a second until the last 0.8 s.
  Simulation simulation(plan_of(10'000), {of_speed(500), of_speed(500)});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  std::size_t longest = 0;
  for (const Tile& tile : simulation.made) longest = std::max(longest, tile.size());
  EXPECT_GT(longest, 400u);
  EXPECT_LE(longest, 500u) << "a second at most";
  EXPECT_LT(simulation.made.size(), 100u) << "of a tenth of a second each there would be 200";
  EXPECT_LT(simulation.now, 10.0 * 1.02);
}

TEST(TileBook, EqualDevicesComeNearTheIdealTime) {
  for (const std::size_t devices : {2u, 3u, 4u, 8u}) {
    Simulation simulation(plan_of(10'000, 4), std::vector<SimulatedWorker>(devices, of_speed(1000)));
    simulation.run();
    EXPECT_LT(simulation.now, 1.05 * 10.0 / static_cast<double>(devices)) << devices << " devices";
  }
}

TEST(TileBook, ADeviceAThousandTimesSlowerDoesNotHoldUp) {
  Simulation simulation(plan_of(64), {of_speed(1), of_speed(1000)});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  // The slow one's first tile would take 1 s; the fast one makes all of them in 0.064 s.
  EXPECT_LT(simulation.now, 0.07);
}

TEST(TileBook, ADeviceThatIsSlowInTheMiddleIsLeftAside) {
  // Slow by more than the rest of the job is long: it takes nothing any more.
  Simulation simulation(plan_of(300), {of_speed(10), of_speed(1000)});
  simulation.run();
  EXPECT_LT(simulation.now, 0.32);
  EXPECT_LT(simulation.book.records()[0].parts, 5u);
}

TEST(TileBook, ATileKilledIsMadeByAnother) {
  Simulation simulation(plan_of(400, 4), {failing(100, TileFault::failed, 1, 1), of_speed(100)});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  const auto& records = simulation.book.records();
  EXPECT_EQ(records[0].faults, 1u);
  EXPECT_FALSE(records[0].retired);
  EXPECT_EQ(records[1].retries, 1u);
  for (const Tile& tile : simulation.made) {
    EXPECT_EQ(tile.begin % 4, 0u);
    EXPECT_EQ(tile.end % 4, 0u);
  }
}

TEST(TileBook, ThreeFaultsRetireADevice) {
  Simulation simulation(plan_of(300), {failing(100, TileFault::failed), of_speed(100)});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  const WorkerRecord& bad = simulation.book.records()[0];
  EXPECT_TRUE(bad.retired);
  EXPECT_EQ(bad.faults, 3u);
  EXPECT_EQ(bad.tiles, 0u);
  EXPECT_EQ(bad.why, "injected");
  EXPECT_EQ(simulation.book.records()[1].parts, 300u);
}

TEST(TileBook, ALostDeviceIsRetiredAtOnce) {
  Simulation simulation(plan_of(300), {failing(100, TileFault::lost, 2), of_speed(50)});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  EXPECT_TRUE(simulation.book.records()[0].retired);
  EXPECT_EQ(simulation.book.records()[0].faults, 1u);
  EXPECT_EQ(simulation.book.records()[0].tiles, 2u);
}

TEST(TileBook, AMemoryFaultHalvesTheTile) {
  SimulatedWorker small = of_speed(1000);
  std::vector<std::size_t> sizes;
  small.fault = [&](Tile tile, int) {
    sizes.push_back(tile.size());
    return tile.size() > 24 ? std::optional(TileFault::memory) : std::nullopt;
  };
  TilePlan plan = plan_of(256, 8);
  plan.seconds = std::numeric_limits<double>::infinity();  // as one device takes a whole map
  Simulation simulation(plan, {small});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  ASSERT_GE(sizes.size(), 5u);
  EXPECT_EQ((std::vector<std::size_t>(sizes.begin(), sizes.begin() + 5)),
            (std::vector<std::size_t>{256, 128, 64, 32, 16}));
  EXPECT_LE(*std::max_element(sizes.begin() + 4, sizes.end()), 24u);
  EXPECT_FALSE(simulation.book.records()[0].retired) << "a smaller tile helped";
  for (const Tile& tile : simulation.made) EXPECT_EQ(tile.end % 8, 0u);
}

TEST(TileBook, AGrainIsCutOnlyWhereItDoesNotFit) {
  SimulatedWorker small = of_speed(1000);
  small.fault = [](Tile tile, int) { return tile.size() > 3 ? std::optional(TileFault::memory) : std::nullopt; };
  Simulation simulation(plan_of(64, 8), {small});
  simulation.run();
  EXPECT_TRUE(all_made(simulation));
  for (const Tile& tile : simulation.made) EXPECT_LE(tile.size(), 3u);
}

TEST(TileBook, APartThatFitsNowhereIsNamed) {
  SimulatedWorker small = of_speed(1000);
  small.fault = [](Tile tile, int) {
    return tile.begin <= 5 && tile.end > 5 ? std::optional(TileFault::memory) : std::nullopt;
  };
  Simulation simulation(plan_of(16), {small, small});
  simulation.run();
  EXPECT_TRUE(simulation.book.stuck());
  const std::vector<Tile> missing = simulation.book.missing();
  ASSERT_FALSE(missing.empty());
  EXPECT_LE(missing.front().begin, 5u);
}

TEST(TileBook, SaysWhatIsMissingWhereAllDevicesFail) {
  Simulation simulation(plan_of(40), {failing(10, TileFault::failed, 1), failing(10, TileFault::lost, 1)});
  simulation.run();
  EXPECT_TRUE(simulation.book.stuck());
  EXPECT_EQ(simulation.book.missing(), (std::vector<Tile>{{2, 40}}));
  EXPECT_EQ(simulation.book.missing_in_words(),
            "layers 2 to 39 of 40 are missing; sim:0: injected (3 faults); sim:1: injected");
}

TEST(TileBook, WhatADeviceOfWrongValuesMadeIsMadeAgain) {
  // Right at first, as far as the spot check sees.
  Simulation simulation(plan_of(400), {failing(100, TileFault::wrong, 3), of_speed(100)});
  simulation.run();
  EXPECT_TRUE(simulation.book.complete());
  EXPECT_TRUE(simulation.book.records()[0].retired);
  EXPECT_EQ(simulation.book.records()[0].tiles, 0u) << "nothing of it is left";
  for (const int owner : simulation.owner) EXPECT_EQ(owner, 1);
}

// Faults of all kinds at random: the job ends, and ends right or says exactly what is missing.
TEST(TileBook, EndsRightOrSaysWhatIsMissing) {
  int complete = 0, stuck = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    TilePlan plan = plan_of(1 + below(500), 1 + below(9));
    plan.seconds = 0.01 * static_cast<double>(1 + below(30));
    const double rate = 0.25 * static_cast<double>(below(4));
    std::vector<SimulatedWorker> workers;
    for (std::size_t i = 0, n = 1 + below(5); i < n; ++i) {
      SimulatedWorker worker = of_speed(std::pow(10.0, static_cast<double>(below(4))));
      worker.seconds_before_fault = 0.1 * static_cast<double>(below(3));
      worker.fault = [state = std::make_shared<std::mt19937_64>(random()), rate](Tile, int) {
        if (static_cast<double>((*state)() >> 11) * 0x1.0p-53 >= rate) return std::optional<TileFault>();
        return std::optional(static_cast<TileFault>((*state)() % 8 == 0 ? 3 : (*state)() % 3));
      };
      workers.push_back(worker);
    }
    Simulation simulation(plan, workers);
    simulation.run();
    std::vector<bool> missing(plan.parts, false);
    for (const Tile& tile : simulation.book.missing())
      for (std::size_t part = tile.begin; part < tile.end; ++part) missing[part] = true;
    std::size_t parts = 0, count = 0;
    for (const WorkerRecord& record : simulation.book.records()) parts += record.parts;
    for (std::size_t part = 0; part < plan.parts; ++part) {
      count += missing[part] ? 1 : 0;
      EXPECT_TRUE(missing[part] || simulation.owner[part] >= 0) << part;
    }
    EXPECT_EQ(parts + count, plan.parts) << "each part is handed over once, or missing";
    EXPECT_EQ(simulation.book.complete(), count == 0);
    (count == 0 ? complete : stuck) += 1;
  }
  // The patterns reach both ends.
  EXPECT_GT(complete, 50);
  EXPECT_GT(stuck, 50);
}

}  // namespace
}  // namespace isolume
