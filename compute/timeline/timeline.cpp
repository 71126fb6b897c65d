// Timelines: one loop over frames, one function a kind.
#include "compute/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include "compute/analysis/contacts.h"
#include "compute/analysis/sasa.h"
#include "compute/analysis/superposition.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/density_maps/map_series.h"
#include "compute/density_maps/map_windows.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/molecule_charges.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/far_positions.h"
#include "molecule/frames.h"
#include "molecule/rigid_motion.h"
#include "molecule/secondary_structure.h"

namespace isolume {
namespace {

// What a frame fills: one column of the timeline.
class Filler {
 public:
  Filler(const TimelineRequest& request, Timeline& line)
      : request_(request), line_(line), topology_(*request.molecule->topology) {
    const Frame first = frame_at(*request.molecule, line.frames.front());
    for (const TimelineRow& row : line.rows) chosen_.insert(chosen_.end(), row.atoms.begin(), row.atoms.end());
    if (request.kind == TimelineKind::rmsd || request.kind == TimelineKind::rmsf) {
      fitted_ = request.fit.empty() ? chosen_ : chosen_atoms(request.fit, topology_, first);
      fixed_ = places(first, fitted_);
      start_ = places(first, chosen_);
    }
    if (request.kind == TimelineKind::contacts) {
      others_ = chosen_atoms(request.other, topology_, first);
      std::erase_if(others_, [&](std::uint32_t i) { return topology_.atoms[i].element == 1; });
    }
    if (request.kind == TimelineKind::correlation) begin_maps(first);
  }

  void fill(std::size_t column, Job& job) {
    const Frame frame = frame_at(*request_.molecule, line_.frames[column]);
    switch (request_.kind) {
      case TimelineKind::rmsd:
        return rmsd(frame, column);
      case TimelineKind::rmsf:
        return keep(frame);
      case TimelineKind::structure:
        return structure(frame, column);
      case TimelineKind::sasa:
        return area(frame, column, job);
      case TimelineKind::contacts:
        return contacts(frame, column, job);
      case TimelineKind::potential:
        return potential(frame, column, job);
      case TimelineKind::correlation:
        return correlation(frame, column, job);
    }
  }

  // RMSF of every frame's window, after all frames.
  void finish(Job& job) {
    if (request_.kind != TimelineKind::rmsf) return;
    const std::size_t frames = line_.frames.size(), atoms = chosen_.size();
    const auto half = static_cast<std::size_t>(request_.window / 2);
    for (std::size_t f = 0; f < frames; ++f) {
      job.check();
      const std::size_t from = f < half ? 0 : f - half, to = std::min(frames, f + half + 1);
      const auto n = static_cast<double>(to - from);
      std::size_t at = 0;
      for (std::size_t r = 0; r < line_.rows.size(); ++r) {
        double sum = 0;
        for (std::size_t a = 0; a < line_.rows[r].atoms.size(); ++a, ++at) {
          glm::dvec3 mean(0);
          for (std::size_t g = from; g < to; ++g) mean += glm::dvec3(kept_[g * atoms + at]) / n;
          for (std::size_t g = from; g < to; ++g) {
            const glm::dvec3 d = glm::dvec3(kept_[g * atoms + at]) - mean;
            sum += glm::dot(d, d) / n;
          }
        }
        set(r, f, std::sqrt(sum / static_cast<double>(line_.rows[r].atoms.size())));
      }
    }
  }

 private:
  static std::vector<glm::dvec3> places(const Frame& frame, std::span<const std::uint32_t> atoms) {
    std::vector<glm::dvec3> result;
    for (const std::uint32_t i : atoms) result.push_back(precise_position(frame, i));
    return result;
  }

  void set(std::size_t row, std::size_t column, double value) {
    line_.values[row * line_.frames.size() + column] = static_cast<float>(value);
  }

  void rmsd(const Frame& frame, std::size_t column) {
    const RigidMotion motion = superpose(places(frame, fitted_), fixed_).motion;
    std::size_t at = 0;
    for (std::size_t r = 0; r < line_.rows.size(); ++r) {
      double sum = 0;
      for (const std::uint32_t i : line_.rows[r].atoms) {
        const glm::dvec3 d = motion(precise_position(frame, i)) - start_[at++];
        sum += glm::dot(d, d);
      }
      set(r, column, std::sqrt(sum / static_cast<double>(line_.rows[r].atoms.size())));
    }
  }

  void keep(const Frame& frame) {
    const RigidMotion motion = superpose(places(frame, fitted_), fixed_).motion;
    for (const std::uint32_t i : chosen_) kept_.emplace_back(motion(precise_position(frame, i)));
  }

  void structure(const Frame& frame, std::size_t column) {
    const std::vector<SecondaryStructure> classes = secondary_structure(topology_, frame);
    for (std::size_t r = 0; r < line_.rows.size(); ++r)
      set(r, column, static_cast<double>(classes[line_.rows[r].residue]));
  }

  void area(const Frame& frame, std::size_t column, Job& job) {
    std::vector<SasaAtom> atoms;
    for (const std::uint32_t i : chosen_) atoms.push_back({frame.positions[i], topology_.atoms[i].radius});
    SasaOptions options;
    options.probe_radius = request_.probe_radius;
    DeviceArray<float> areas(atoms.size(), request_.device, "solvent-accessible area");
    solvent_accessible_area(atoms, options, areas.span(), job);
    const std::vector<float> found = areas.copy_to_host();
    std::size_t at = 0;
    for (std::size_t r = 0; r < line_.rows.size(); ++r) {
      double sum = 0;
      for (std::size_t a = 0; a < line_.rows[r].atoms.size(); ++a) sum += static_cast<double>(found[at++]);
      set(r, column, sum);
    }
  }

  void contacts(const Frame& frame, std::size_t column, Job& job) {
    std::vector<glm::vec3> a, b;
    std::vector<std::uint32_t> rows, residues;
    for (std::size_t r = 0; r < line_.rows.size(); ++r) {
      set(r, column, 0);
      for (const std::uint32_t i : line_.rows[r].atoms) {
        if (topology_.atoms[i].element == 1) continue;
        a.push_back(frame.positions[i]);
        rows.push_back(static_cast<std::uint32_t>(r));
      }
    }
    for (const std::uint32_t i : others_) {
      b.push_back(frame.positions[i]);
      residues.push_back(topology_.atoms[i].residue);
    }
    for (const Contact& contact : find_contacts(a, b, frame.cell, request_.cutoff, job)) {
      const std::uint32_t one = line_.rows[rows[contact.a]].residue, two = residues[contact.b];
      const std::uint32_t distance = one > two ? one - two : two - one;
      const bool same_chain = topology_.residues[one].chain == topology_.residues[two].chain;
      if (one == two || (same_chain && distance < static_cast<std::uint32_t>(request_.apart))) continue;
      line_.values[rows[contact.a] * line_.frames.size() + column] += 1;
    }
  }

  void potential(const Frame& frame, std::size_t column, Job& job) {
    std::vector<PointCharge> charges;
    for (std::size_t i = 0; i < topology_.atoms.size(); ++i)
      charges.push_back({frame.positions[i], topology_.atoms[i].charge});
    std::vector<glm::dvec3> points;
    for (const std::uint32_t i : chosen_) points.emplace_back(frame.positions[i]);
    std::vector<double> values(points.size());
    exact_potential(charges, points, values, request_.device, job);
    std::size_t at = 0;
    for (std::size_t r = 0; r < line_.rows.size(); ++r) {
      const Residue& residue = topology_.residues[line_.rows[r].residue];
      double sum = 0;
      for (std::size_t a = 0; a < line_.rows[r].atoms.size(); ++a, ++at) {
        sum += values[at];
        for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
          const double d = glm::distance(points[at], glm::dvec3(frame.positions[i]));
          if (d >= 1e-4) sum -= units::coulomb_volt_angstrom * static_cast<double>(topology_.atoms[i].charge) / d;
        }
      }
      set(r, column, sum / static_cast<double>(line_.rows[r].atoms.size()));
    }
  }

  void begin_maps(const Frame& first) {
    const TimelineMap& with = request_.map;
    const std::vector<MapAtom> atoms =
        map_atoms(topology_, first.positions, with.model, with.resolution, with.convention, with.weights);
    const MapSeries::Task task{atoms, with.model, with.map->grid, with.map->values, 0, 0, true};
    series_ = std::make_unique<MapSeries>(task, request_.device);
    std::uint32_t next = 0;
    for (const TimelineRow& row : line_.rows) {
      std::vector<std::uint32_t>& group = groups_.emplace_back();
      for (std::size_t a = 0; a < row.atoms.size(); ++a) group.push_back(next++);
    }
  }

  void correlation(const Frame& frame, std::size_t column, Job& job) {
    series_->put(frame.positions, job);
    series_->take(job);
    const MapPair maps{series_->map(), series_->model()};
    const std::vector<MapSums> sums =
        window_sums(request_.map.map->grid, maps, places(frame, chosen_), groups_, request_.map.distance, job);
    for (std::size_t r = 0; r < sums.size(); ++r) {
      // Of two points any correlation is 1.
      if (sums[r].count >= 3) set(r, column, sums[r].correlation());
    }
  }

  const TimelineRequest& request_;
  Timeline& line_;
  const Topology& topology_;
  std::vector<std::uint32_t> chosen_, fitted_, others_;
  std::vector<glm::dvec3> fixed_, start_;
  std::vector<glm::vec3> kept_;        // rmsf: of all frames
  std::unique_ptr<MapSeries> series_;  // correlation
  std::vector<std::vector<std::uint32_t>> groups_;
};

void check(const TimelineRequest& request) {
  if (request.molecule == nullptr || !request.molecule->topology || request.frames.empty())
    throw Error("a timeline needs atoms and frames", Error::Kind::usage);
  if (request.kind == TimelineKind::structure && request.by_atom)
    throw Error("secondary structure belongs to residues: a timeline of it is by residue", Error::Kind::usage);
  if (request.kind == TimelineKind::potential) require_charges(*request.molecule);
  if (request.kind == TimelineKind::correlation &&
      (request.map.map == nullptr || request.map.model.empty() || !(request.map.distance > 0)))
    throw Error("a timeline of correlations needs a map, atoms of the model and a distance above 0",
                Error::Kind::usage);
  if (request.window < 1 || request.apart < 0 || !(request.cutoff > 0))
    throw Error("a timeline needs a window of one frame or more and a cutoff above 0", Error::Kind::usage);
}

void name_of(TimelineKind kind, Timeline& line) {
  switch (kind) {
    case TimelineKind::rmsd:
      line.name = "RMSD", line.unit = "angstrom";
      return;
    case TimelineKind::rmsf:
      line.name = "RMSF", line.unit = "angstrom";
      return;
    case TimelineKind::structure:
      line.name = "secondary structure";
      return;
    case TimelineKind::sasa:
      line.name = "accessible area", line.unit = "angstrom^2";
      return;
    case TimelineKind::contacts:
      line.name = "contacts";
      return;
    case TimelineKind::potential:
      line.name = "potential", line.unit = "V";
      return;
    case TimelineKind::correlation:
      line.name = "local correlation";
      return;
  }
}

}  // namespace

Timeline timeline(const TimelineRequest& request, Job& job) {
  check(request);
  const Topology& topology = *request.molecule->topology;
  Timeline line;
  line.frames = request.frames;
  name_of(request.kind, line);
  const Frame first = frame_at(*request.molecule, request.frames.front());
  std::size_t atoms = 0;
  for (const std::uint32_t i : chosen_atoms(request.selection, topology, first)) {
    const std::uint32_t residue = topology.atoms[i].residue;
    if (request.by_atom || line.rows.empty() || line.rows.back().residue != residue) line.rows.push_back({residue, {}});
    line.rows.back().atoms.push_back(i);
    ++atoms;
  }
  std::size_t bytes = line.rows.size() * line.frames.size() * sizeof(float);
  if (request.kind == TimelineKind::rmsf) bytes += atoms * line.frames.size() * sizeof(glm::vec3);
  require_memory(bytes, Device::cpu(), "the timeline");
  line.values.assign(line.rows.size() * line.frames.size(), std::numeric_limits<float>::quiet_NaN());
  Filler filler(request, line);
  for (std::size_t f = 0; f < line.frames.size(); ++f) {
    job.check();
    job.progress(static_cast<double>(f) / static_cast<double>(line.frames.size()), "timeline");
    filler.fill(f, job);
  }
  filler.finish(job);
  return line;
}

}  // namespace isolume
