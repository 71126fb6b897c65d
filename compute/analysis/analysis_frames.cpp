// Analyses with values for every frame: a table of their columns, preparation and values of a frame.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "compute/analysis/analysis_part.h"
#include "compute/analysis/analysis_parts.h"
#include "compute/analysis/gyration.h"
#include "compute/analysis/sasa.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/frames/frame_bonds.h"
#include "compute/frames/frame_pairs.h"
#include "compute/frames/frame_sums.h"
#include "compute/schedule/tile_run.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/dipole.h"

namespace isolume::analysis {
namespace {

std::vector<std::uint8_t> mask_of(const Topology& topology, std::span<const std::uint32_t> atoms) {
  std::vector<std::uint8_t> mask(topology.atoms.size(), 0);
  for (const std::uint32_t atom : atoms) mask[atom] = 1;
  return mask;
}

GroupWork gyration(Opening& opening, Job&) {
  const bool by_mass = opening.request.by_mass;
  GroupWork work;
  work.atoms = opening.select();
  opening.reads_only({work.atoms});
  const std::size_t count = work.atoms.size();
  opening.table.facts = {{"atoms", std::to_string(count)}, {"weights", by_mass ? "mass" : "none"}};
  const auto weights = std::make_shared<const PointData>(
      std::vector<glm::dvec3>(), by_mass ? masses(opening.topology, work.atoms) : std::vector<double>(), count,
      opening.request.device);
  work.values = [weights, count](const FrameGroup& group, Job& job, std::span<double> values) {
    auto at = values.begin();
    for (const PointMoments& moments : frame_moments(group, {0, count}, *weights, job)) {
      const Gyration g = gyration_of(moments);
      const double found[] = {g.radius,        g.moments.z,       g.moments.y,   g.moments.x,
                              g.asphericity(), g.acylindricity(), g.anisotropy()};
      at = std::copy(std::begin(found), std::end(found), at);
    }
  };
  return work;
}

GroupWork dipole(Opening& opening, Job&) {
  const Topology& topology = opening.topology;
  GroupWork work;
  work.atoms = opening.select();
  work.single = true;
  opening.reads_only({work.atoms});
  const std::size_t count = work.atoms.size();
  std::vector<double> charges;
  double charge = 0;
  for (const std::uint32_t atom : work.atoms) {
    charges.push_back(static_cast<double>(topology.atoms[atom].charge));
    charge += charges.back();
  }
  opening.table.facts = {
      {"atoms", std::to_string(count)}, {"charge", fmt::format("{:.4f}", charge)}, {"origin", "centre of mass"}};
  if (std::abs(charge) > 1e-3)
    opening.table.notes.push_back(fmt::format(
        "the atoms have a net charge of {:.3f} e, so the moment depends on its origin: the centre of mass", charge));
  require_dipole_charges(topology);
  const auto data_of = [&](std::vector<double> weights) {
    return std::make_shared<const PointData>(std::vector<glm::dvec3>(), std::move(weights), count,
                                             opening.request.device);
  };
  const auto by_charge = data_of(std::move(charges)), by_mass = data_of(masses(topology, work.atoms));
  work.values = [by_charge, by_mass, count, charge](const FrameGroup& group, Job& job, std::span<double> values) {
    const std::vector<glm::dvec3> moments = frame_sums(group, {0, count}, *by_charge, job);
    const std::vector<glm::dvec3> centres = frame_sums(group, {0, count}, *by_mass, job);
    auto at = values.begin();
    for (std::size_t f = 0; f < group.frames; ++f) {
      const glm::dvec3 centre = centres[f] / by_mass->weight_sum();
      const glm::dvec3 moment = (moments[f] - charge * centre) * units::debye_per_e_angstrom;
      const double length = glm::length(moment);
      const double found[] = {length, moment.x, moment.y, moment.z, length / units::debye_per_e_angstrom};
      at = std::copy(std::begin(found), std::end(found), at);
    }
  };
  return work;
}

FrameValues area(Opening& opening, Job&) {
  std::vector<std::uint32_t> atoms = opening.select();
  opening.reads_only({atoms});
  opening.table.facts = {{"atoms", std::to_string(atoms.size())}, {"probe_radius", "1.4"}};
  return [&opening, atoms = std::move(atoms)](const Frame& frame, Job& job, std::span<double> values) {
    std::vector<SasaAtom> spheres;
    for (const std::uint32_t atom : atoms) {
      const auto radius = opening.topology.atoms[atom].radius;
      if (radius > 0) spheres.push_back({frame.positions[atom], radius});
    }
    DeviceArray<float> areas(spheres.size(), opening.request.device, "solvent-accessible area");
    solvent_accessible_area(spheres, {}, areas.span(), job);
    values[0] = 0;
    for (const float a : areas.copy_to_host()) values[0] += static_cast<double>(a);
  };
}

GroupWork hydrogen_bonds(Opening& opening, Job&) {
  const std::vector<std::uint32_t> atoms = opening.select();
  const HydrogenBondRule rule = opening.request.bond_rule;
  opening.table.facts = {{"atoms", std::to_string(atoms.size())},
                         {"distance", fmt::format("{:g}", rule.distance)},
                         {"angle", fmt::format("{:g}", rule.angle)}};
  const std::vector<std::uint8_t> first = mask_of(opening.topology, atoms);
  std::vector<std::uint8_t> second;
  if (!opening.request.other.empty())
    second = mask_of(opening.topology, opening.select_other(opening.request.other, atoms));
  const auto bonds = std::make_shared<const FrameBonds>(HydrogenBondSites(opening.topology, first, second), rule,
                                                        opening.request.device);
  GroupWork work;
  work.single = true;
  work.atoms = bonds->atoms();
  opening.reads_only({work.atoms});
  work.values = [bonds](const FrameGroup& group, Job& job, std::span<double> values) {
    const std::vector<std::size_t> counts = bonds->count(group, job);
    std::copy(counts.begin(), counts.end(), values.begin());
  };
  return work;
}

GroupWork distance(Opening& opening, Job&) {
  if (opening.request.selection.empty() || opening.request.other.empty())
    throw Error("a distance takes two selections", Error::Kind::usage);
  const std::vector<std::uint32_t> a = opening.select(), b = opening.select_other(opening.request.other, a);
  opening.reads_only({a, b});
  GroupWork work;
  work.atoms = a;
  work.atoms.insert(work.atoms.end(), b.begin(), b.end());
  const PointRange of_a{0, a.size()}, of_b{a.size(), b.size()};
  const auto data_of = [&](const std::vector<std::uint32_t>& atoms) {
    return std::make_shared<const PointData>(std::vector<glm::dvec3>(), masses(opening.topology, atoms), atoms.size(),
                                             opening.request.device);
  };
  const auto mass_a = data_of(a), mass_b = data_of(b);
  work.values = [mass_a, mass_b, of_a, of_b](const FrameGroup& group, Job& job, std::span<double> values) {
    const std::vector<glm::dvec3> sums_a = frame_sums(group, of_a, *mass_a, job);
    const std::vector<glm::dvec3> sums_b = frame_sums(group, of_b, *mass_b, job);
    const std::vector<double> smallest = smallest_distances(group, of_a, of_b, job);
    for (std::size_t f = 0; f < group.frames; ++f) {
      const glm::dvec3 between = sums_b[f] / mass_b->weight_sum() - sums_a[f] / mass_a->weight_sum();
      values[2 * f] = glm::length(group.cells.empty() ? between : group.cells[f].minimum_image(between));
      values[2 * f + 1] = smallest[f];
    }
  };
  return work;
}

struct FrameAnalysis {
  const char* progress;                 ///< what a progress bar says
  std::vector<AnalysisColumn> columns;  ///< without values
  GroupWork (*groups)(Opening&, Job&);  ///< null: frames one by one, each of which takes all threads or the device
  FrameValues (*frames)(Opening&, Job&) = nullptr;
};

const FrameAnalysis& frame_analysis(AnalysisKind kind) {
  static const std::map<AnalysisKind, FrameAnalysis> table{
      {AnalysisKind::rmsd, {"RMSD", {{"rmsd", "angstrom", {}, 5}}, rmsd}},
      {AnalysisKind::gyration,
       {"gyration",
        {{"radius of gyration", "angstrom", {}, 5},
         {"principal 1", "angstrom^2", {}, 4},
         {"principal 2", "angstrom^2", {}, 4},
         {"principal 3", "angstrom^2", {}, 4},
         {"asphericity", "angstrom^2", {}, 4},
         {"acylindricity", "angstrom^2", {}, 4},
         {"anisotropy", "", {}, 6}},
        gyration}},
      {AnalysisKind::contacts,
       {"contacts", {{"contacts", "", {}, 0}, {"native", "", {}, 5}, {"native soft", "", {}, 5}}, contacts}},
      {AnalysisKind::dipole,
       {"dipole",
        {{"dipole", "debye", {}, 4},
         {"x", "debye", {}, 4},
         {"y", "debye", {}, 4},
         {"z", "debye", {}, 4},
         {"dipole in e A", "e angstrom", {}, 5}},
        dipole}},
      {AnalysisKind::area, {"area", {{"area", "angstrom^2", {}, 2}}, nullptr, area}},
      {AnalysisKind::hydrogen_bonds, {"hydrogen bonds", {{"hydrogen bonds", "", {}, 0}}, hydrogen_bonds}},
      {AnalysisKind::distance,
       {"distances",
        {{"distance of the centres of mass", "angstrom", {}, 4}, {"smallest", "angstrom", {}, 4}},
        distance}},
  };
  return table.at(kind);
}

/// Values of frames, one for each column of a frame, and their times, NaN where the file has none.
struct FrameRows {
  FrameRows() = default;
  FrameRows(std::size_t rows, std::size_t columns)
      : values(rows * columns), times(rows, std::numeric_limits<double>::quiet_NaN()) {}

  void take_time(std::size_t row, const Frame& frame) {
    if (frame.has_time) times[row] = frame.time;
  }
  /// Other rows, from `first` on.
  void put(std::size_t first, const FrameRows& other) {
    const std::size_t columns = other.values.size() / other.times.size();
    std::copy(other.values.begin(), other.values.end(), values.begin() + static_cast<std::ptrdiff_t>(first * columns));
    std::copy(other.times.begin(), other.times.end(), times.begin() + static_cast<std::ptrdiff_t>(first));
  }
  /// As columns of the table, after the frames' numbers and, where there are some, times.
  void fill(AnalysisTable& table, const std::vector<std::size_t>& frames) && {
    const std::size_t columns = table.columns.size();
    for (AnalysisColumn& column : table.columns) column.values.resize(times.size());
    for (std::size_t i = 0; i < values.size(); ++i) table.columns[i % columns].values[i / columns] = values[i];
    const bool timed = std::any_of(times.begin(), times.end(), [](double time) { return !std::isnan(time); });
    if (timed) table.columns.insert(table.columns.begin(), {"time", "ps", std::move(times), 4});
    AnalysisColumn numbers{"frame", "", {}, 0};
    for (const std::size_t frame : frames) numbers.values.push_back(static_cast<double>(frame));
    table.columns.insert(table.columns.begin(), std::move(numbers));
  }

  std::vector<double> values, times;
};

/// Makes rows on one device, with atoms and weights of its own there.
class RowWorker : public TileWorker {
 public:
  RowWorker(const AnalysisRequest& request, Device device, FrameRows& rows)
      : analysis_(frame_analysis(request.kind)), request_(request), rows_(rows) {
    request_.device = device;
    if (request.times != nullptr) request_.times = &times_;
  }

  std::string name() const override { return to_string(request_.device); }
  void prepare(Job& job) override {
    opening_.emplace(request_);
    opening_->table.columns = analysis_.columns;
    if (analysis_.groups != nullptr) {
      work_ = analysis_.groups(*opening_, job);
    } else {
      values_of_ = analysis_.frames(*opening_, job);
    }
    ready_ = true;
  }
  void compute(Tile tile, Job& job) override {
    made_ = FrameRows(tile.size(), analysis_.columns.size());
    analysis_.groups != nullptr ? in_groups(tile, job) : one_by_one(tile, job);
  }
  bool right(Tile) override {
    // No distance, moment or count is infinite, whatever is not a number: fractions of nothing.
    return std::none_of(made_.values.begin(), made_.values.end(), [](double value) { return std::isinf(value); });
  }
  void hand_over(Tile tile) override { rows_.put(tile.begin, made_); }
  bool lost() override { return is_gone(request_.device); }

  /// The table without its rows; after a prepare() that came to its end.
  bool ready() const { return ready_; }
  AnalysisTable& table() { return opening_->table; }
  const FrameTimes& times() const { return times_; }

 private:
  std::span<double> values_at(std::size_t row, std::size_t count) {
    const std::size_t columns = analysis_.columns.size();
    return std::span(made_.values).subspan(row * columns, count * columns);
  }
  void in_groups(Tile tile, Job& job) {
    FrameStreamPlan plan = stream_plan(request_, work_.atoms, opening_->leading, analysis_.progress);
    plan.rows = tile.size();
    plan.read = [read = std::move(plan.read), tile](std::size_t row) { return read(tile.begin + row); };
    plan.single = work_.single;
    plan.seen = [&](std::size_t row, const Frame& frame) { made_.take_time(row, frame); };
    FrameStream(std::move(plan)).each(job, [&](std::size_t first, const FrameGroup& group) {
      JobPart part(job);  // only asks whether to stop: progress counts the frames
      work_.values(group, part, values_at(first, group.frames));
    });
  }
  void one_by_one(Tile tile, Job& job) {
    const auto count = static_cast<double>(tile.size());
    for (std::size_t row = 0; row < tile.size(); ++row) {
      job.check();
      JobPart part(job, static_cast<double>(row) / count, static_cast<double>(row + 1) / count);
      const Frame frame = frame_of(request_, tile.begin + row, opening_->leading);
      values_of_(frame, part, values_at(row, 1));
      made_.take_time(row, frame);
    }
  }

  const FrameAnalysis& analysis_;
  AnalysisRequest request_;
  FrameRows& rows_;
  FrameTimes times_;
  std::optional<Opening> opening_;
  GroupWork work_;
  FrameValues values_of_;
  bool ready_ = false;
  FrameRows made_;
};

}  // namespace

AnalysisTable over_frames(const AnalysisRequest& request, Job& job) {
  const FrameAnalysis& analysis = frame_analysis(request.kind);
  FrameRows rows(request.frames.size(), analysis.columns.size());
  std::vector<std::unique_ptr<RowWorker>> made;
  std::vector<TileWorker*> workers;
  for (const Device& device : devices_of(request)) {
    made.push_back(std::make_unique<RowWorker>(request, device, rows));
    workers.push_back(made.back().get());
  }
  TilePlan plan;
  plan.parts = request.frames.size();
  plan.part = "frame";
  // Of one device one stream of frames, which are read while others are computed.
  if (workers.size() == 1) plan.seconds = std::numeric_limits<double>::infinity();
  const TileReport report = run_tiles(plan, workers, analysis.progress, job);
  if (request.workers != nullptr)
    request.workers->insert(request.workers->end(), report.workers.begin(), report.workers.end());
  if (request.times != nullptr)
    for (const auto& worker : made) *request.times += worker->times();
  const auto ready = std::find_if(made.begin(), made.end(), [](const auto& worker) { return worker->ready(); });
  AnalysisTable table = std::move((*ready)->table());
  std::move(rows).fill(table, request.frames);
  return table;
}

FramePart over_frames_part(const AnalysisRequest& request, Job& job) {
  const AnalysisTable table = over_frames(request, job);
  FramePart part = begin_part(request, table);
  const std::size_t rows = table.rows(), count = frame_analysis(request.kind).columns.size();
  const std::size_t begin = table.columns.size() - count;  // after frame and, where there is one, time
  FrameArray times{"time", FrameArray::Rule::rows, 1, {}}, values{"values", FrameArray::Rule::rows, count, {}};
  times.numbers.assign(rows, std::numeric_limits<double>::quiet_NaN());
  if (begin == 2) times.numbers = table.columns[1].values;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < count; ++i) values.numbers.push_back(table.columns[begin + i].values[row]);
  part.arrays = {std::move(times), std::move(values)};
  return part;
}

AnalysisTable over_frames_table(const FramePart& part, Job&) {
  AnalysisTable table = begin_table(part);
  table.columns = frame_analysis(analysis_kind(part.kind)).columns;
  const FrameArray &times = part.array("time"), &values = part.array("values");
  const std::size_t rows = part.frames.size(), count = table.columns.size();
  if (times.numbers.size() != rows || values.numbers.size() != rows * count)
    throw Error("the part has not the columns of its analysis", Error::Kind::input);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t row = 0; row < rows; ++row) table.columns[i].values.push_back(values.numbers[row * count + i]);
  AnalysisColumn numbers{"frame", "", {}, 0};
  for (const std::uint64_t frame : part.frames) numbers.values.push_back(static_cast<double>(frame));
  const bool timed = std::any_of(times.numbers.begin(), times.numbers.end(), [](double t) { return !std::isnan(t); });
  if (timed) table.columns.insert(table.columns.begin(), {"time", "ps", times.numbers, 4});
  table.columns.insert(table.columns.begin(), std::move(numbers));
  return table;
}

}  // namespace isolume::analysis
