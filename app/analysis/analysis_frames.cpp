// Analyses with a value for every frame: RMSD, gyration, dipole, area, hydrogen bonds, distances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/analysis/analysis_parts.h"
#include "compute/analysis/gyration.h"
#include "compute/analysis/residue_matching.h"
#include "compute/analysis/sasa.h"
#include "compute/analysis/superposition.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/dipole.h"
#include "molecule/hydrogen_bonds.h"

namespace isolume::analysis {
namespace {

/// Empty columns, one value for each frame.
std::vector<AnalysisColumn> columns_for(const AnalysisRequest& request,
                                        std::initializer_list<AnalysisColumn> declared) {
  std::vector<AnalysisColumn> columns(declared);
  for (AnalysisColumn& column : columns) column.values.assign(request.frames.size(), 0);
  return columns;
}

std::vector<std::uint8_t> mask_of(const Topology& topology, std::span<const std::uint32_t> atoms) {
  std::vector<std::uint8_t> mask(topology.atoms.size(), 0);
  for (const std::uint32_t atom : atoms) mask[atom] = 1;
  return mask;
}

/// Atoms of the moving molecule, and where they stand in the reference.
struct Matched {
  std::vector<std::uint32_t> atoms;
  std::vector<glm::dvec3> stands;
  MatchedAtoms pairs;  ///< with a reference
};

Matched matched_to(const AnalysisRequest& request, const Frame& first, const Frame& stands, std::string& words,
                   Job& job) {
  const Molecule& moving = *request.molecule;
  const Molecule& fixed = request.reference ? *request.reference : moving;
  Matched result;
  result.atoms = atoms_of(moving, first, request.kind, words);
  if (!request.reference) {
    result.stands = positions(stands, result.atoms);
    return result;
  }
  std::string there = words;
  const std::vector<std::uint32_t> others = atoms_of(fixed, stands, request.kind, there);
  result.pairs = match_atoms(*moving.topology, result.atoms, *fixed.topology, others, request.matching, job);
  result.atoms.clear();
  for (const auto& [mine, other] : result.pairs.pairs) {
    result.atoms.push_back(mine);
    result.stands.push_back(position(stands, other));
  }
  return result;
}

}  // namespace

AnalysisTable rmsd(const AnalysisRequest& request, Job& job) {
  const Molecule& fixed = request.reference ? *request.reference : *request.molecule;
  if (!fixed.topology || request.reference_frame >= fixed.frame_count())
    throw Error(fmt::format("reference frame {}: there are {}", request.reference_frame, fixed.frame_count()),
                Error::Kind::usage);
  AnalysisTable table;
  table.selection = request.selection;
  const Frame first = request.molecule->trajectory->frame(request.frames.front());
  const Frame stands = fixed.trajectory->frame(request.reference_frame);
  const Matched measured = matched_to(request, first, stands, table.selection, job);
  std::string fit_words = request.fit.empty() ? table.selection : request.fit;
  const bool other_fit = request.superpose && fit_words != table.selection;
  const Matched fitted = other_fit ? matched_to(request, first, stands, fit_words, job) : measured;
  if (request.superpose && fitted.atoms.size() < 3)
    throw Error(fmt::format("RMSD: '{}' holds {} atoms that match; superposing takes at least 3", fit_words,
                            fitted.atoms.size()),
                Error::Kind::usage);
  const Topology& topology = *request.molecule->topology;
  const std::vector<double> weights = request.by_mass ? masses(topology, measured.atoms) : std::vector<double>();
  const std::vector<double> fit_weights = request.by_mass ? masses(topology, fitted.atoms) : std::vector<double>();
  FrameAxis axis(request.frames.size());
  table.columns = columns_for(request, {{"rmsd", "angstrom", {}, 5}});
  for_frames(request, job, "RMSD", [&](std::size_t row, const Frame& frame) {
    std::vector<glm::dvec3> now = positions(frame, measured.atoms);
    if (request.superpose) {
      const RigidMotion motion = other_fit
                                     ? superpose(positions(frame, fitted.atoms), fitted.stands, fit_weights).motion
                                     : superpose(now, measured.stands, weights).motion;
      for (glm::dvec3& point : now) point = motion(point);
    }
    table.columns[0].values[row] = isolume::rmsd(now, measured.stands, weights);
    axis.take(row, frame);
  });
  axis.add_to(table, request.frames);
  table.other = request.superpose ? fit_words : std::string();
  table.facts = {{"atoms", std::to_string(measured.atoms.size())},
                 {"superposed", request.superpose ? fit_words : "no"},
                 {"reference_frame", std::to_string(request.reference_frame)},
                 {"weights", request.by_mass ? "mass" : "none"}};
  if (request.reference) {
    const MatchedAtoms& pairs = measured.pairs;
    table.facts.insert(table.facts.end(), {{"pairs", std::to_string(pairs.pairs.size())},
                                           {"matched_by", name(pairs.how)},
                                           {"identity", fmt::format("{:.4f}", pairs.identity())},
                                           {"coverage", fmt::format("{:.4f}", pairs.coverage())}});
    table.notes.push_back(
        fmt::format("{} pairs of atoms matched by {}{}: {:.0f} % identical, {:.0f} % of the smaller "
                    "molecule's residues",
                    pairs.pairs.size(), name(pairs.how), pairs.chains.empty() ? "" : " (" + pairs.chains + ")",
                    100 * pairs.identity(), 100 * pairs.coverage()));
  }
  return table;
}

AnalysisTable gyration(const AnalysisRequest& request, Job& job) {
  AnalysisTable table;
  table.selection = request.selection;
  const Frame first = request.molecule->trajectory->frame(request.frames.front());
  const std::vector<std::uint32_t> atoms = atoms_of(*request.molecule, first, request.kind, table.selection);
  const std::vector<double> weights =
      request.by_mass ? masses(*request.molecule->topology, atoms) : std::vector<double>();
  FrameAxis axis(request.frames.size());
  table.columns = columns_for(request, {{"radius of gyration", "angstrom", {}, 5},
                                        {"principal 1", "angstrom^2", {}, 4},
                                        {"principal 2", "angstrom^2", {}, 4},
                                        {"principal 3", "angstrom^2", {}, 4},
                                        {"asphericity", "angstrom^2", {}, 4},
                                        {"acylindricity", "angstrom^2", {}, 4},
                                        {"anisotropy", "", {}, 6}});
  for_frames(request, job, "gyration", [&](std::size_t row, const Frame& frame) {
    const Gyration g = isolume::gyration(positions(frame, atoms), weights);
    const double values[] = {g.radius,        g.moments.z,       g.moments.y,   g.moments.x,
                             g.asphericity(), g.acylindricity(), g.anisotropy()};
    for (std::size_t i = 0; i < std::size(values); ++i) table.columns[i].values[row] = values[i];
    axis.take(row, frame);
  });
  axis.add_to(table, request.frames);
  table.facts = {{"atoms", std::to_string(atoms.size())}, {"weights", request.by_mass ? "mass" : "none"}};
  return table;
}

AnalysisTable dipole(const AnalysisRequest& request, Job& job) {
  AnalysisTable table;
  table.selection = request.selection;
  const Topology& topology = *request.molecule->topology;
  const Frame first = request.molecule->trajectory->frame(request.frames.front());
  const std::vector<std::uint32_t> atoms = atoms_of(*request.molecule, first, request.kind, table.selection);
  const std::vector<std::uint8_t> mask = mask_of(topology, atoms);
  FrameAxis axis(request.frames.size());
  table.columns = columns_for(request, {{"dipole", "debye", {}, 4},
                                        {"x", "debye", {}, 4},
                                        {"y", "debye", {}, 4},
                                        {"z", "debye", {}, 4},
                                        {"dipole in e A", "e angstrom", {}, 5}});
  double charge = 0;
  for (const std::uint32_t atom : atoms) charge += static_cast<double>(topology.atoms[atom].charge);
  for_frames(request, job, "dipole", [&](std::size_t row, const Frame& frame) {
    const Dipole d = isolume::dipole(topology, frame, mask);
    const double length = glm::length(d.moment);
    const double values[] = {length, d.moment.x, d.moment.y, d.moment.z, length / units::debye_per_e_angstrom};
    for (std::size_t i = 0; i < std::size(values); ++i) table.columns[i].values[row] = values[i];
    axis.take(row, frame);
  });
  axis.add_to(table, request.frames);
  table.facts = {
      {"atoms", std::to_string(atoms.size())}, {"charge", fmt::format("{:.4f}", charge)}, {"origin", "centre of mass"}};
  if (std::abs(charge) > 1e-3)
    table.notes.push_back(fmt::format(
        "the atoms have a net charge of {:.3f} e, so the moment depends on its origin: the centre of mass", charge));
  return table;
}

AnalysisTable area(const AnalysisRequest& request, Job& job) {
  AnalysisTable table;
  table.selection = request.selection;
  const Topology& topology = *request.molecule->topology;
  const Frame first = request.molecule->trajectory->frame(request.frames.front());
  const std::vector<std::uint32_t> atoms = atoms_of(*request.molecule, first, request.kind, table.selection);
  FrameAxis axis(request.frames.size());
  table.columns = columns_for(request, {{"area", "angstrom^2", {}, 2}});
  const auto count = static_cast<double>(request.frames.size());
  // Each frame is computed on all threads, or on the device.
  for (std::size_t row = 0; row < request.frames.size(); ++row) {
    job.check();
    const Frame frame = request.molecule->trajectory->frame(request.frames[row]);
    std::vector<SasaAtom> spheres;
    for (const std::uint32_t atom : atoms) {
      const auto radius = topology.atoms[atom].radius;
      if (radius > 0) spheres.push_back({frame.positions[atom], radius});
    }
    DeviceArray<float> areas(spheres.size(), request.device, "solvent-accessible area");
    JobPart part(job, static_cast<double>(row) / count, static_cast<double>(row + 1) / count);
    solvent_accessible_area(spheres, {}, areas.span(), part);
    for (const float a : areas.copy_to_host()) table.columns[0].values[row] += static_cast<double>(a);
    axis.take(row, frame);
  }
  axis.add_to(table, request.frames);
  table.facts = {{"atoms", std::to_string(atoms.size())}, {"probe_radius", "1.4"}};
  return table;
}

AnalysisTable hydrogen_bonds(const AnalysisRequest& request, Job& job) {
  AnalysisTable table;
  table.selection = request.selection;
  const Topology& topology = *request.molecule->topology;
  const Frame first = request.molecule->trajectory->frame(request.frames.front());
  const std::vector<std::uint32_t> atoms = atoms_of(*request.molecule, first, request.kind, table.selection);
  const std::vector<std::uint8_t> mask = mask_of(topology, atoms);
  FrameAxis axis(request.frames.size());
  table.columns = columns_for(request, {{"hydrogen bonds", "", {}, 0}});
  for_frames(request, job, "hydrogen bonds", [&](std::size_t row, const Frame& frame) {
    table.columns[0].values[row] = static_cast<double>(isolume::hydrogen_bonds(topology, frame, mask, {}).size());
    axis.take(row, frame);
  });
  axis.add_to(table, request.frames);
  table.facts = {{"atoms", std::to_string(atoms.size())}, {"distance", "3.5"}, {"angle", "120"}};
  return table;
}

AnalysisTable distance(const AnalysisRequest& request, Job& job) {
  AnalysisTable table;
  table.selection = request.selection;
  table.other = request.other;
  if (table.selection.empty() || table.other.empty())
    throw Error("a distance takes two selections", Error::Kind::usage);
  const Topology& topology = *request.molecule->topology;
  const Frame first = request.molecule->trajectory->frame(request.frames.front());
  const auto a = atoms_of(*request.molecule, first, request.kind, table.selection);
  const auto b = atoms_of(*request.molecule, first, request.kind, table.other);
  const std::vector<double> mass_a = masses(topology, a), mass_b = masses(topology, b);
  const auto centre = [](const std::vector<glm::dvec3>& points, const std::vector<double>& weights) {
    glm::dvec3 sum(0);
    double total = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      sum += weights[i] * points[i];
      total += weights[i];
    }
    return sum / total;
  };
  FrameAxis axis(request.frames.size());
  table.columns =
      columns_for(request, {{"distance of the centres of mass", "angstrom", {}, 4}, {"smallest", "angstrom", {}, 4}});
  for_frames(request, job, "distances", [&](std::size_t row, const Frame& frame) {
    const std::vector<glm::dvec3> at_a = positions(frame, a), at_b = positions(frame, b);
    const auto nearest = [&](glm::dvec3 d) { return frame.cell.exists() ? frame.cell.minimum_image(d) : d; };
    table.columns[0].values[row] = glm::length(nearest(centre(at_b, mass_b) - centre(at_a, mass_a)));
    double least = std::numeric_limits<double>::infinity();
    for (const glm::dvec3& p : at_a)
      for (const glm::dvec3& q : at_b) {
        const glm::dvec3 d = q - p;
        // Only what may have a nearer image is looked for one.
        if (!frame.cell.exists()) {
          least = std::min(least, glm::dot(d, d));
        } else {
          const glm::dvec3 m = nearest(d);
          least = std::min(least, glm::dot(m, m));
        }
      }
    table.columns[1].values[row] = std::sqrt(least);
    axis.take(row, frame);
  });
  axis.add_to(table, request.frames);
  return table;
}

}  // namespace isolume::analysis
