// How fast frames of trajectories are decoded, on one core. ISOLUME_SHARED_DATA names the folder of the files.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "formats/read.h"

namespace {

void decode(benchmark::State& state, const std::string& name) {
  const char* root = std::getenv("ISOLUME_SHARED_DATA");
  const std::string path = std::string(root ? root : "../shared/data") + "/" + name;
  if (!std::filesystem::exists(path)) return state.SkipWithError("the file is not here");
  const isolume::Molecule molecule = isolume::read_file(path);
  std::size_t index = 0;
  for (auto _ : state) {
    const isolume::Frame frame = molecule.trajectory->frame(index++ % molecule.frame_count());
    benchmark::DoNotOptimize(frame.positions.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(index * molecule.trajectory->atom_count()));  // atoms
}

BENCHMARK_CAPTURE(decode, xtc_adk, "trajectories/adk/adk_oplsaa.xtc");
BENCHMARK_CAPTURE(decode, xtc_crambin, "md-computed/crambin_water.xtc");
BENCHMARK_CAPTURE(decode, xtc_lipids, "trajectories/yiip/YiiP_lipids.xtc");
BENCHMARK_CAPTURE(decode, trr_ubiquitin, "trajectories/ubiquitin.trr");
BENCHMARK_CAPTURE(decode, dcd_adk, "trajectories/adk/adk_dims.dcd");

}  // namespace

BENCHMARK_MAIN();
