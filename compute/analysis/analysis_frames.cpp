// Analyses with values for every frame: a table of their columns, preparation and values of a frame.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "compute/analysis/analysis_part.h"
#include "compute/analysis/analysis_parts.h"
#include "compute/analysis/gyration.h"
#include "compute/analysis/sasa.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/frames/frame_bonds.h"
#include "compute/frames/frame_pairs.h"
#include "compute/frames/frame_sums.h"
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
  GroupWork (*groups)(Opening&, Job&);  ///< null: frames one by one
  FrameValues (*frames)(Opening&, Job&) = nullptr;
  bool alone = false;  ///< a frame takes all threads or the device: one after another
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
      {AnalysisKind::area, {"area", {{"area", "angstrom^2", {}, 2}}, nullptr, area, true}},
      {AnalysisKind::hydrogen_bonds, {"hydrogen bonds", {{"hydrogen bonds", "", {}, 0}}, hydrogen_bonds}},
      {AnalysisKind::distance,
       {"distances",
        {{"distance of the centres of mass", "angstrom", {}, 4}, {"smallest", "angstrom", {}, 4}},
        distance}},
  };
  return table.at(kind);
}

/// Frame number and, where the file has it, time; times of frames that were not read are NaN.
class FrameAxis {
 public:
  explicit FrameAxis(std::size_t rows) : times_(rows), has_time_(rows, 0) {}

  void take(std::size_t row, const Frame& frame) {
    has_time_[row] = frame.has_time;
    times_[row] = frame.has_time ? frame.time : std::numeric_limits<double>::quiet_NaN();
  }

  /// Puts the columns in front of those of the table.
  void add_to(AnalysisTable& table, const std::vector<std::size_t>& frames) const {
    AnalysisColumn numbers{"frame", "", {}, 0};
    for (const std::size_t frame : frames) numbers.values.push_back(static_cast<double>(frame));
    std::vector<AnalysisColumn> columns{std::move(numbers)};
    if (std::find(has_time_.begin(), has_time_.end(), 1) != has_time_.end())
      columns.push_back({"time", "ps", times_, 4});
    table.columns.insert(table.columns.begin(), columns.begin(), columns.end());
  }

 private:
  std::vector<double> times_;
  std::vector<std::uint8_t> has_time_;
};

}  // namespace

AnalysisTable over_frames(const AnalysisRequest& request, Job& job) {
  const FrameAnalysis& analysis = frame_analysis(request.kind);
  Opening opening(request);
  AnalysisTable& table = opening.table;
  table.columns = analysis.columns;
  const std::size_t rows = request.frames.size();
  for (AnalysisColumn& column : table.columns) column.values.assign(rows, 0);
  FrameAxis axis(rows);
  if (analysis.groups != nullptr) {
    GroupWork work = analysis.groups(opening, job);
    FrameStreamPlan plan = stream_plan(request, std::move(work.atoms), opening.leading, analysis.progress);
    plan.single = work.single;
    plan.seen = [&](std::size_t row, const Frame& frame) { axis.take(row, frame); };
    FrameStream(std::move(plan)).each(job, [&](std::size_t first, const FrameGroup& group) {
      JobPart part(job);  // only asks whether to stop: progress counts the frames
      const std::size_t columns = table.columns.size();
      std::vector<double> values(group.frames * columns);
      work.values(group, part, values);
      for (std::size_t i = 0; i < values.size(); ++i)
        table.columns[i % columns].values[first + i / columns] = values[i];
    });
    axis.add_to(table, request.frames);
    return std::move(table);
  }
  const FrameValues values_of = analysis.frames(opening, job);
  const auto take = [&](std::size_t row, const Frame& frame, Job& part) {
    std::vector<double> values(table.columns.size());
    values_of(frame, part, values);
    for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].values[row] = values[i];
    axis.take(row, frame);
  };
  if (analysis.alone) {
    const auto count = static_cast<double>(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      job.check();
      JobPart part(job, static_cast<double>(row) / count, static_cast<double>(row + 1) / count);
      take(row, frame_of(request, row, opening.leading), part);
    }
  } else {
    for_frames(
        request, job, analysis.progress,
        [&](std::size_t row, const Frame& frame) {
          JobPart part(job);  // only asks whether to stop: progress counts the frames
          take(row, frame, part);
        },
        opening.leading);
  }
  axis.add_to(table, request.frames);
  return std::move(table);
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
