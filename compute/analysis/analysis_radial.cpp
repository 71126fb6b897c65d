// Radial distribution functions of selections over the frames.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "compute/analysis/analysis_parts.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/schedule/tile_run.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::analysis {
namespace {

/// The number of each atom's molecule: what bonds join.
std::vector<std::uint32_t> molecules_of(const Topology& topology) {
  std::vector<std::uint32_t> root(topology.atoms.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Bond& bond : topology.bonds) root[find(bond.b)] = find(bond.a);
  for (std::uint32_t i = 0; i < root.size(); ++i) root[i] = find(i);
  return root;
}

/// Pairs of `a` and `b` (ordered) that are of one group.
double pairs_of_one_group(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t groups) {
  std::vector<double> in_a(groups, 0), in_b(groups, 0);
  for (const std::uint32_t group : a) ++in_a[group];
  for (const std::uint32_t group : b) ++in_b[group];
  double sum = 0;
  for (std::size_t g = 0; g < groups; ++g) sum += in_a[g] * in_b[g];
  return sum;
}

/// Which pairs of atoms count. Those that do not share a group: the atom itself, or its molecule.
struct RadialPairs {
  explicit RadialPairs(Opening& opening)
      : a(opening.select()), b(opening.select_other(opening.request.other, a)), same(a == b), group_a(a), group_b(b) {
    if (!opening.request.within_molecules) {
      const std::vector<std::uint32_t> molecule = molecules_of(opening.topology);
      for (std::uint32_t& g : group_a) g = molecule[g];
      for (std::uint32_t& g : group_b) g = molecule[g];
    }
    std::vector<std::uint32_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    grouped = !opening.request.within_molecules || (!same && !both.empty());
    const double left_out = pairs_of_one_group(group_a, group_b, opening.topology.atoms.size());
    count = static_cast<double>(a.size()) * static_cast<double>(b.size()) - left_out;
    if (!(count > 0))
      throw Error(fmt::format("radial distribution: no pairs are left of '{}' and '{}'", opening.table.selection,
                              opening.table.other),
                  Error::Kind::usage);
  }

  /// Counts the distances of a frame; pairs of one set are counted once.
  void count_in(const Frame& frame, const DistanceBins& bins, Span<std::uint64_t> counts, Job& job) const {
    std::vector<glm::vec3> at_a = near_positions(frame, a), at_b;
    if (!same) at_b = near_positions(frame, b);
    DistancePoints set_a{Span<const glm::vec3>(Span<glm::vec3>(at_a)), {}},
        set_b{Span<const glm::vec3>(Span<glm::vec3>(at_b)), {}};
    if (grouped) set_a.groups = group_a;
    if (grouped) set_b.groups = group_b;
    if (same) {
      count_distances_within(set_a, frame.cell, bins, counts, job);
    } else {
      count_distances(set_a, set_b, frame.cell, bins, counts, job);
    }
  }

  std::vector<std::uint32_t> a, b;
  bool same;
  std::vector<std::uint32_t> group_a, group_b;
  bool grouped = false;
  double count = 0;  ///< ordered
};

DistanceBins bins_for(const AnalysisRequest& request, const Cell& cell) {
  DistanceBins bins = request.bins;
  const double unique = largest_unique_distance(cell);
  // To a whole number of bins of 0.1 angstrom; 2 % less, as cells breathe.
  if (bins.maximum <= 0) bins.maximum = std::min(15.0, std::max(0.1, std::floor(unique * 9.8) / 10));
  if (bins.count == 0)
    bins.count = static_cast<std::uint32_t>(
        std::clamp(std::ceil(bins.maximum / request.bin_width - 1e-9), 1.0, static_cast<double>(most_distance_bins)));
  return bins;
}

/// Throws Error (usage) where the frame's cell does not do for the distances or the normalisation.
void check_cell(const Cell& cell, std::size_t frame, const DistanceBins& bins, RadialNorm norm) {
  if (norm == RadialNorm::g && !(cell.volume() > 0))
    throw Error(fmt::format("frame {} has no periodic cell, so there is no density to normalise g(r) by; --norm "
                            "density or counts needs none",
                            frame),
                Error::Kind::usage);
  if (bins.maximum > largest_unique_distance(cell) * (1 + 1e-9))
    throw Error(fmt::format("frame {}: distances up to {:.4g} angstrom, but its periodic images are unique only up "
                            "to {:.4g}; choose a smaller maximum",
                            frame, bins.maximum, largest_unique_distance(cell)),
                Error::Kind::usage);
}

/// Over all frames, ordered pairs.
struct RadialSums {
  explicit RadialSums(std::size_t bins) : total(bins, 0), weighted(bins, 0) {}

  void add(const std::vector<std::uint64_t>& found, bool once, double volume) {
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::uint64_t ordered = once ? 2 * found[k] : found[k];
      total[k] += ordered;
      weighted[k] += static_cast<double>(ordered) * volume;
    }
    volumes += volume;
  }

  std::vector<std::uint64_t> total;
  std::vector<double> weighted;  ///< counts times the volume of their frame
  double volumes = 0;
};

/// What sums are divided by.
struct RadialShape {
  DistanceBins bins;
  double atoms = 0, others = 0, pairs = 0;
  RadialNorm norm = RadialNorm::g;
};

RadialShape shape_of(const Opening& opening, const RadialPairs& pairs) {
  return {bins_for(opening.request, opening.first.cell), static_cast<double>(pairs.a.size()),
          static_cast<double>(pairs.b.size()), pairs.count, opening.request.norm};
}

/// What is counted in one frame.
struct FrameCounts {
  std::vector<std::uint64_t> counts;
  double volume = 0;
};

/// Counts frames of a request on one device; `found` has a place for each from `first` on.
class FrameCounter : public TileWorker {
 public:
  FrameCounter(const Opening& opening, const RadialPairs& pairs, const DistanceBins& bins, Device device)
      : opening_(opening), pairs_(pairs), bins_(bins), device_(device) {}

  std::string name() const override { return to_string(device_); }
  void compute(Tile tile, Job& job) override {
    if (counts_.size() == 0) counts_ = DeviceArray<std::uint64_t>(bins_.count, device_, "radial distribution");
    made_.clear();
    for (std::size_t i = tile.begin; i < tile.end; ++i) {
      const auto part_of = [&](std::size_t row) {
        return static_cast<double>(row - tile.begin) / static_cast<double>(tile.size());
      };
      JobPart part(job, part_of(i), part_of(i + 1));
      made_.push_back(count(first + i, part));
    }
  }
  void hand_over(Tile tile) override {
    std::move(made_.begin(), made_.end(), found->begin() + static_cast<std::ptrdiff_t>(tile.begin));
  }
  bool lost() override { return is_gone(device_); }

  std::size_t first = 0;
  std::vector<FrameCounts>* found = nullptr;

 private:
  FrameCounts count(std::size_t row, Job& job) {
    const AnalysisRequest& request = opening_.request;
    job.check();
    const bool opened = request.frames[row] == request.opening.value_or(request.frames.front());
    const Frame frame = opened ? opening_.first : frame_of(request, row);
    check_cell(frame.cell, request.frames[row], bins_, request.norm);
    pairs_.count_in(frame, bins_, counts_.span(), job);
    return {counts_.copy_to_host(), frame.cell.volume()};
  }

  const Opening& opening_;
  const RadialPairs& pairs_;
  const DistanceBins& bins_;
  Device device_;
  DeviceArray<std::uint64_t> counts_;
  std::vector<FrameCounts> made_;
};

/// Sums are taken in the order of the frames, whoever counted them.
RadialSums radial_sums(const Opening& opening, const RadialPairs& pairs, const DistanceBins& bins, Job& job) {
  const AnalysisRequest& request = opening.request;
  const std::size_t count = request.frames.size();
  std::vector<std::unique_ptr<FrameCounter>> counters;
  std::vector<TileWorker*> workers;
  for (const Device& device : devices_of(request)) {
    counters.push_back(std::make_unique<FrameCounter>(opening, pairs, bins, device));
    workers.push_back(counters.back().get());
  }
  RadialSums sums(bins.count);
  // As many frames at once as have room in 64 MiB.
  const std::size_t most = std::max<std::size_t>(1, (std::size_t{64} << 20) / (bins.count * sizeof(std::uint64_t)));
  for (std::size_t first = 0; first < count; first += most) {
    std::vector<FrameCounts> found(std::min(most, count - first));
    for (const auto& counter : counters) counter->first = first, counter->found = &found;
    TilePlan plan;
    plan.parts = found.size();
    plan.part = "frame";
    const auto part_of = [&](std::size_t row) { return static_cast<double>(row) / static_cast<double>(count); };
    JobPart part(job, part_of(first), part_of(first + found.size()));
    const TileReport report = run_tiles(plan, workers, "radial distribution", part);
    for (const FrameCounts& frame : found) sums.add(frame.counts, pairs.same, frame.volume);
    if (request.workers != nullptr)
      request.workers->insert(request.workers->end(), report.workers.begin(), report.workers.end());
  }
  return sums;
}

void fill_radial(AnalysisTable& table, const RadialSums& sums, const RadialShape& shape, double frames) {
  AnalysisColumn r{"r", "angstrom", {}, 5};
  AnalysisColumn value{"g", "", {}, 6}, running{"coordination number", "", {}, 6}, number{"pairs", "", {}, 0};
  if (shape.norm == RadialNorm::density) value = {"density", "1/angstrom^3", {}, 8};
  if (shape.norm == RadialNorm::counts) value = {"pairs per frame", "", {}, 4};
  const double width = shape.bins.maximum / shape.bins.count;
  double below = 0;
  for (std::size_t k = 0; k < shape.bins.count; ++k) {
    const double low = width * static_cast<double>(k), high = width * static_cast<double>(k + 1);
    const double shell = 4 * units::pi / 3 * (high * high * high - low * low * low);
    const auto all = static_cast<double>(sums.total[k]);
    below += all;
    r.values.push_back(0.5 * (low + high));
    number.values.push_back(all);
    running.values.push_back(below / (frames * shape.atoms));
    value.values.push_back(shape.norm == RadialNorm::g         ? sums.weighted[k] / (frames * shape.pairs * shell)
                           : shape.norm == RadialNorm::density ? all / (frames * shape.atoms * shell)
                                                               : all / frames);
  }
  table.columns = {std::move(r), std::move(value), std::move(running), std::move(number)};
  table.facts = {{"atoms", fmt::format("{:.0f}", shape.atoms)},
                 {"other_atoms", fmt::format("{:.0f}", shape.others)},
                 {"pairs", fmt::format("{:.0f}", shape.pairs)},
                 {"frames", fmt::format("{:.0f}", frames)},
                 {"volume", fmt::format("{:.3f}", sums.volumes / frames)},
                 {"maximum", fmt::format("{:g}", shape.bins.maximum)},
                 {"bins", std::to_string(shape.bins.count)}};
}

}  // namespace

AnalysisTable rdf(const AnalysisRequest& request, Job& job) {
  Opening opening(request);
  const RadialPairs pairs(opening);
  const RadialShape shape = shape_of(opening, pairs);
  fill_radial(opening.table, radial_sums(opening, pairs, shape.bins, job), shape,
              static_cast<double>(request.frames.size()));
  return std::move(opening.table);
}

FramePart rdf_part(const AnalysisRequest& request, Job& job) {
  using Rule = FrameArray::Rule;
  Opening opening(request);
  const RadialPairs pairs(opening);
  const RadialShape shape = shape_of(opening, pairs);
  RadialSums sums = radial_sums(opening, pairs, shape.bins, job);
  FramePart part = begin_part(request, opening.table);
  part.arrays = {{"maximum, bins, atoms and pairs", Rule::same, 1, {}},
                 {"counts", Rule::sum, 1, {}, true},
                 {"counts times volume", Rule::sum, 1, {}},
                 {"volume", Rule::sum, 1, {}}};
  part.arrays[0].numbers = {shape.bins.maximum, static_cast<double>(shape.bins.count), shape.atoms, shape.others,
                            shape.pairs,        static_cast<double>(shape.norm)};
  part.arrays[1].counts = std::move(sums.total);
  part.arrays[2].numbers = std::move(sums.weighted);
  part.arrays[3].numbers = {sums.volumes};
  return part;
}

AnalysisTable rdf_table(const FramePart& part, Job&) {
  const std::vector<double>& given = part.array("maximum, bins, atoms and pairs").numbers;
  RadialSums sums(0);
  sums.total = part.array("counts").counts;
  sums.weighted = part.array("counts times volume").numbers;
  const std::vector<double>& volumes = part.array("volume").numbers;
  const bool whole = given.size() == 6 && volumes.size() == 1 && !sums.total.empty() &&
                     sums.total.size() <= most_distance_bins && given[1] == static_cast<double>(sums.total.size()) &&
                     sums.weighted.size() == sums.total.size() && given[5] >= 0 && given[5] <= 2;
  if (!whole) throw Error("the part has not what belongs to a radial distribution", Error::Kind::input);
  sums.volumes = volumes.front();
  const RadialShape shape{{given[0], static_cast<std::uint32_t>(sums.total.size())},
                          given[2],
                          given[3],
                          given[4],
                          static_cast<RadialNorm>(static_cast<int>(given[5]))};
  AnalysisTable table = begin_table(part);
  fill_radial(table, sums, shape, static_cast<double>(part.frames.size()));
  return table;
}

}  // namespace isolume::analysis
