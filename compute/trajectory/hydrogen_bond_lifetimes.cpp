// Correlation functions and lifetimes of bonds from the frames in which they are there.
#include "compute/trajectory/hydrogen_bond_lifetimes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/trajectory/pair_counts.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double decayed = 0.05;
constexpr std::size_t most_parts = 16;  // of the bonds, each with sums of its own

/// Sums of one bond or of many: what C, S and their errors follow from.
struct Sums {
  PairCounts again, still;
  std::vector<FrameCount> bonded;        ///< bonds in each frame
  std::vector<double> squares, firsts;   ///< sums of p^2 and p, of all frames and without each block
  std::vector<FrameCount> still_bonded;  ///< as bonded, with gaps filled

  Sums(FrameBlocks blocks, std::size_t longest)
      : again(blocks, longest),
        still(blocks, longest),
        bonded(blocks.frames),
        squares(blocks.count + 1),
        firsts(blocks.count + 1),
        still_bonded(blocks.frames) {}

  void clear() {
    again.clear();
    still.clear();
    std::fill(bonded.begin(), bonded.end(), 0);
    std::fill(still_bonded.begin(), still_bonded.end(), 0);
    std::fill(squares.begin(), squares.end(), 0);
    std::fill(firsts.begin(), firsts.end(), 0);
  }
  void add(const Sums& other) {
    again.add(other.again);
    still.add(other.still);
    for (std::size_t i = 0; i < bonded.size(); ++i) {
      bonded[i] += other.bonded[i];
      still_bonded[i] += other.still_bonded[i];
    }
    for (std::size_t i = 0; i < squares.size(); ++i) {
      squares[i] += other.squares[i];
      firsts[i] += other.firsts[i];
    }
  }
};

void add_bond(Sums& sums, const std::vector<std::uint32_t>& frames, FrameBlocks blocks,
              const BondLifetimeOptions& options) {
  const std::vector<FrameRun> runs = frame_runs(frames, 0);
  const auto longest = static_cast<FrameCount>(options.longest);
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t k = i; k < runs.size() && runs[k].begin - runs[i].end < longest; ++k)
      sums.again.add(runs[i], runs[k]);
  for (const FrameRun& run : options.gap == 0 ? runs : frame_runs(frames, options.gap)) {
    sums.still.add(run, run);
    for (FrameCount at = run.begin; at < run.end; ++at) ++sums.still_bonded[static_cast<std::size_t>(at)];
  }
  const auto all = static_cast<double>(blocks.frames);
  const double p = static_cast<double>(frames.size()) / all;
  sums.squares[0] += p * p;
  sums.firsts[0] += p;
  std::vector<std::size_t> within(blocks.count);
  std::size_t b = 0;
  for (const std::uint32_t frame : frames) {
    ++sums.bonded[frame];
    while (frame >= blocks.edge(b + 1)) ++b;
    ++within[b];
  }
  for (b = 0; b < blocks.count; ++b) {
    const auto left = all - static_cast<double>(blocks.edge(b + 1) - blocks.edge(b));
    const double without = static_cast<double>(frames.size() - within[b]) / left;
    sums.squares[b + 1] += without * without;
    sums.firsts[b + 1] += without;
  }
}

/// A correlation function of all origins, and without those of each block.
struct Curves {
  std::vector<double> all;
  std::vector<std::vector<double>> without;
};

Curves curves_of(const PairCounts& pairs, const std::vector<FrameCount>& bonded, FrameBlocks blocks,
                 std::size_t longest) {
  // Origins of block b from which lag t is within the frames: those before frames - t.
  std::vector<FrameCount> before(blocks.frames + 1);
  for (std::size_t i = 0; i < blocks.frames; ++i) before[i + 1] = before[i] + bonded[i];
  std::vector<std::vector<double>> above(blocks.count), below(blocks.count);
  std::vector<double> all_above(longest + 1), all_below(longest + 1);
  for (std::size_t b = 0; b < blocks.count; ++b) {
    pairs.fill(b, above[b]);
    below[b].resize(longest + 1);
    for (std::size_t t = 0; t <= longest; ++t) {
      const FrameCount end = std::min(blocks.edge(b + 1), static_cast<FrameCount>(blocks.frames - t));
      const FrameCount begin = std::min(blocks.edge(b), end);
      below[b][t] =
          static_cast<double>(before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(begin)]);
      all_above[t] += above[b][t];
      all_below[t] += below[b][t];
    }
  }
  Curves curves;
  curves.all.resize(longest + 1);
  curves.without.assign(blocks.count, std::vector<double>(longest + 1));
  for (std::size_t t = 0; t <= longest; ++t) {
    curves.all[t] = all_below[t] > 0 ? all_above[t] / all_below[t] : nothing;
    for (std::size_t b = 0; b < blocks.count; ++b) {
      const double left = all_below[t] - below[b][t];
      curves.without[b][t] = left > 0 ? (all_above[t] - above[b][t]) / left : nothing;
    }
  }
  return curves;
}

/// The standard error of the delete-one jackknife.
double jackknife(const std::vector<double>& without) {
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(without.size());
  for (const double value : without) mean += value / count;
  for (const double value : without) squares += (value - mean) * (value - mean);
  return std::sqrt((count - 1) / count * squares);  // NaN where one is
}

/// By trapezoids, up to where (f - plateau) / (1 - plateau) is first 0 or less, or not known.
double integral(const std::vector<double>& f, double plateau, double step, bool* lower_bound = nullptr) {
  if (!(plateau < 1 - 1e-9) || f.empty() || !std::isfinite(f[0])) return nothing;
  double sum = 0, last = 1;
  for (std::size_t t = 1; t < f.size(); ++t) {
    const double value = (f[t] - plateau) / (1 - plateau);
    if (!std::isfinite(value)) break;
    sum += 0.5 * step * (last + std::max(value, 0.0));
    last = value;
    if (value <= 0) break;
  }
  if (lower_bound) *lower_bound = last > decayed;
  return sum;
}

BondLifetime lifetime_of(const Sums& sums, const Curves& again, const Curves& still, double step) {
  BondLifetime life;
  const auto plateau = [&](std::size_t i) { return sums.firsts[i] > 0 ? sums.squares[i] / sums.firsts[i] : nothing; };
  life.occupancy = sums.firsts[0];
  life.plateau = plateau(0);
  life.continuous.value = integral(still.all, 0, step, &life.continuous.lower_bound);
  life.intermittent.value = integral(again.all, life.plateau, step, &life.intermittent.lower_bound);
  std::vector<double> continuous, intermittent;
  for (std::size_t b = 0; b < again.without.size(); ++b) {
    continuous.push_back(integral(still.without[b], 0, step));
    intermittent.push_back(integral(again.without[b], plateau(b + 1), step));
  }
  // Of a lower bound an error would say nothing about the lifetime.
  if (!life.continuous.lower_bound) life.continuous.error = jackknife(continuous);
  if (!life.intermittent.lower_bound) life.intermittent.error = jackknife(intermittent);
  return life;
}

std::vector<double> errors_of(const Curves& curves) {
  std::vector<double> errors;
  for (std::size_t t = 0; t < curves.all.size(); ++t) {
    std::vector<double> without;
    for (const std::vector<double>& curve : curves.without) without.push_back(curve[t]);
    errors.push_back(jackknife(without));
  }
  return errors;
}

void check(std::span<const std::vector<std::uint32_t>> bonds, std::size_t frames, const BondLifetimeOptions& options) {
  const auto refuse = [](const std::string& text) {
    throw Error("lifetimes of hydrogen bonds: " + text, Error::Kind::usage);
  };
  if (frames < 4) refuse("at least four frames, and there are " + std::to_string(frames));
  if (options.blocks < 2 || options.blocks > frames)
    refuse("from 2 to " + std::to_string(frames) + " blocks, and not " + std::to_string(options.blocks));
  if (options.longest >= frames)
    refuse("the longest lag is " + std::to_string(options.longest) + " frames, and there are " +
           std::to_string(frames));
  if (!(options.step > 0)) refuse("the time between frames is not positive");
  for (const auto& bond : bonds)
    if (bond.empty() || bond.back() >= frames ||
        std::adjacent_find(bond.begin(), bond.end(), std::greater_equal<>()) != bond.end())
      refuse("frames of a bond ascend, and are below " + std::to_string(frames));
}

}  // namespace

BondLifetimes bond_lifetimes(std::span<const std::vector<std::uint32_t>> bonds, std::size_t frames,
                             const BondLifetimeOptions& given, Job& job) {
  check(bonds, frames, given);
  BondLifetimeOptions options = given;
  if (options.longest == 0) options.longest = std::max<std::size_t>(1, frames / 2);
  const FrameBlocks blocks{frames, options.blocks};
  const std::size_t parts = std::min(std::max<std::size_t>(bonds.size(), 1), most_parts);
  const std::size_t once = (2 * (frames + options.longest + 3) * blocks.count + 2 * frames) * sizeof(FrameCount);
  require_memory(2 * parts * once + bonds.size() * sizeof(BondLifetime), Device::cpu(), "correlation of bonds");
  BondLifetimes result;
  result.bonds.resize(bonds.size());
  std::vector<Sums> sums(parts, Sums(blocks, options.longest));
  parallel_for(parts, job, "lifetimes of hydrogen bonds", [&](std::size_t part) {
    Sums own(blocks, options.longest);
    for (std::size_t i = part; i < bonds.size(); i += parts) {
      job.check();
      own.clear();
      add_bond(own, bonds[i], blocks, options);
      sums[part].add(own);
      BondLifetime& life = result.bonds[i];
      life = lifetime_of(own, curves_of(own.again, own.bonded, blocks, options.longest),
                         curves_of(own.still, own.still_bonded, blocks, options.longest), options.step);
      for (const FrameRun& run : frame_runs(bonds[i], options.gap)) {
        ++life.formed;
        life.longest = std::max(life.longest, static_cast<std::size_t>(run.end - run.begin));
      }
    }
  });
  for (std::size_t part = 1; part < parts; ++part) sums[0].add(sums[part]);
  const Curves again = curves_of(sums[0].again, sums[0].bonded, blocks, options.longest);
  const Curves still = curves_of(sums[0].still, sums[0].still_bonded, blocks, options.longest);
  result.all = lifetime_of(sums[0], again, still, options.step);
  for (const BondLifetime& life : result.bonds) {
    result.all.formed += life.formed;
    result.all.longest = std::max(result.all.longest, life.longest);
  }
  result.intermittent = again.all;
  result.continuous = still.all;
  result.intermittent_error = errors_of(again);
  result.continuous_error = errors_of(still);
  for (std::size_t t = 0; t <= options.longest; ++t) result.lags.push_back(static_cast<double>(t) * options.step);
  return result;
}

BondCorrelation bond_correlation_reference(std::span<const std::vector<std::uint32_t>> bonds, std::size_t frames,
                                           std::size_t lag) {
  double origins = 0, again = 0, still = 0;
  for (const auto& bond : bonds) {
    std::vector<bool> there(frames);
    for (const std::uint32_t frame : bond) there[frame] = true;
    for (std::size_t i = 0; i + lag < frames; ++i) {
      if (!there[i]) continue;
      ++origins;
      if (there[i + lag]) ++again;
      bool unbroken = true;
      for (std::size_t k = i; k <= i + lag && unbroken; ++k) unbroken = there[k];
      if (unbroken) ++still;
    }
  }
  return {again / origins, still / origins};
}

}  // namespace isolume
