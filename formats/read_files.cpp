// Reading several files into as few molecules as they make.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "formats/bytes/text.h"
#include "formats/complete.h"
#include "formats/file_parts.h"
#include "formats/file_patterns.h"
#include "formats/joined_trajectory.h"
#include "formats/orbitals/orbital_sequence.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/work_part.h"
#include "molecule/force_field/charmm.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

using parts::append;
using parts::nearest;
using parts::Part;

namespace {

bool same_elements(const Topology& a, const Topology& b) {
  return std::equal(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
                    [](const Atom& x, const Atom& y) { return x.element == y.element; });
}

/// Every file of a sequence says the same; only its residual is its own.
void append_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
  const auto beginning = [](const std::string& text) { return text.substr(0, text.find("(residual")); };
  for (const std::string& text : from) {
    const bool said = std::any_of(to.begin(), to.end(),
                                  [&](const std::string& other) { return beginning(other) == beginning(text); });
    if (!said) to.push_back(text);
  }
}

bool may_have_orbitals(const Molecule& molecule) {
  return std::any_of(formats().begin(), formats().end(), [&](const Format& format) {
    return molecule.format == format.name && std::string_view(format.what) == "orbitals";
  });
}

/// Files numbered one after another that hold orbitals become frames of the first; one without orbitals is a frame
/// without. Throws Error (input) that names the frame whose basis is another one.
void join_sequences(std::vector<Part>& parts) {
  for (std::size_t i = 0; i + 1 < parts.size();) {
    const auto here = sequence_name(parts[i].path);
    const auto next = sequence_name(parts[i + 1].path);
    Molecule& a = parts[i].molecule;
    Molecule& b = parts[i + 1].molecule;
    const bool numbered = here && next && *here == *next && a.topology && b.topology && a.trajectory && b.trajectory;
    if (!numbered || a.format != b.format || !may_have_orbitals(a) || !same_elements(*a.topology, *b.topology)) {
      ++i;
      continue;
    }
    const auto basis = first_basis(a), other = first_basis(b);
    const std::string difference = basis && other ? basis_difference(*basis, *other) : std::string();
    if (!difference.empty()) {
      throw Error::in_file(parts[i + 1].path, 0,
                           "frame " + std::to_string(a.frame_count()) + " of the sequence has another basis than " +
                               a.paths.front() + ": " + difference + "; open the two apart");
    }
    a.orbitals.resize(a.frame_count());
    b.orbitals.resize(b.frame_count());
    a.orbitals.insert(a.orbitals.end(), b.orbitals.begin(), b.orbitals.end());
    a.trajectory = isolume::join_trajectories(a.trajectory, b.trajectory);
    append_new(a.warnings, b.warnings);
    append(a.paths, b.paths);
    parts[i].path = parts[i + 1].path;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i + 1));
  }
}

/// Volumes go to the structure before them: maps without atoms to any, cubes to one with the same atoms.
void join_volumes(std::vector<Part>& parts) {
  for (std::size_t i = 0; i < parts.size();) {
    Molecule& volumes = parts[i].molecule;
    if (volumes.volumes.empty() || !volumes.orbitals.empty() || volumes.frame_count() > 1) {
      ++i;
      continue;
    }
    const auto structure = nearest(parts, i, [&](const Part& part) {
      const bool before_or_bare = &part < &parts[i] || parts[i].only_volumes();
      return before_or_bare && part.molecule.topology &&
             (!volumes.topology || same_elements(*part.molecule.topology, *volumes.topology));
    });
    if (!structure) {
      ++i;
      continue;
    }
    Molecule& target = parts[*structure].molecule;
    target.volumes.insert(target.volumes.end(), volumes.volumes.begin(), volumes.volumes.end());
    append(target.warnings, volumes.warnings);
    append(target.paths, volumes.paths);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// The frame of `molecule` where the atoms are within 0.01 angstrom of `frame`, among the first ones.
std::optional<std::size_t> matching_frame(const Molecule& molecule, const Frame& frame) {
  constexpr std::size_t searched = 1000;
  for (std::size_t i = 0; i < std::min(molecule.frame_count(), searched); ++i) {
    const Frame candidate = molecule.trajectory->frame(i);
    const bool same = std::equal(candidate.positions.begin(), candidate.positions.end(), frame.positions.begin(),
                                 frame.positions.end(), [](const glm::vec3& a, const glm::vec3& b) {
                                   const glm::vec3 d = glm::abs(a - b);
                                   return std::max({d.x, d.y, d.z}) < 0.01F;
                                 });
    if (same) return i;
  }
  return std::nullopt;
}

/// Orbitals go to the structure before them whose frames have the same atoms in the same places.
void join_orbitals(std::vector<Part>& parts) {
  for (std::size_t i = 1; i < parts.size();) {
    const Molecule& from = parts[i].molecule;
    bool joined = false;
    for (std::size_t j = i; j-- > 0 && !joined && !from.orbitals.empty() && from.topology;) {
      Molecule& target = parts[j].molecule;
      if (!target.topology || !target.trajectory || !target.orbitals.empty() ||
          !same_elements(*target.topology, *from.topology)) {
        continue;
      }
      std::vector<std::shared_ptr<const Orbitals>> orbitals(target.frame_count());
      joined = true;
      for (std::size_t frame = 0; frame < from.frame_count() && joined; ++frame) {
        const auto place = matching_frame(target, from.trajectory->frame(frame));
        joined = place.has_value();
        if (joined) orbitals[*place] = from.orbitals_at(frame);
      }
      if (!joined) continue;
      target.orbitals = std::move(orbitals);
      target.volumes.insert(target.volumes.end(), from.volumes.begin(), from.volumes.end());
      append(target.warnings, from.warnings);
      append(target.paths, from.paths);
    }
    if (joined) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

/// CHARMM's parameters go to all PSF files among the parts, each of which gets its force field.
void join_parameters(std::vector<Part>& parts) {
  CharmmParameters all;
  std::vector<std::string> paths, notes;
  for (std::size_t i = 0; i < parts.size();) {
    const Molecule& molecule = parts[i].molecule;
    if (!molecule.charmm_parameters) {
      ++i;
      continue;
    }
    const std::string changed = all.append(*molecule.charmm_parameters);
    if (!changed.empty()) notes.push_back(parts[i].path + ": " + changed);
    paths.push_back(parts[i].path);
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (paths.empty()) return;
  bool any = false;
  for (Part& part : parts) {
    if (!part.molecule.charmm_terms) continue;
    any = true;
    std::shared_ptr<ForceField> field;
    try {
      field =
          std::make_shared<ForceField>(charmm_force_field(*part.molecule.topology, *part.molecule.charmm_terms, all));
    } catch (const Error& error) {
      throw Error::in_file(part.path, 0, error.what());
    }
    append(field->notes, notes);
    append(part.molecule.warnings, field->notes);
    part.molecule.force_field = std::move(field);
    append(part.molecule.paths, paths);
  }
  if (!any) {
    throw Error::in_file(paths.front(), 0,
                         "parameters of CHARMM, without a PSF file that names the types of its atoms");
  }
}

}  // namespace

std::vector<Molecule> read_files(const std::vector<std::string>& paths, const ReadLimits& limits) {
  std::vector<Part> files;
  const std::vector<std::string> expanded = expand_paths(paths);
  for (std::size_t i = 0; i < expanded.size(); ++i) {
    const auto count = static_cast<double>(expanded.size());
    const WorkPart part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    files.push_back({read_file(expanded[i], limits), expanded[i], false});
  }
  // A topology without coordinates could not be completed when it was read; it can where it has found some.
  std::set<std::shared_ptr<const Topology>> without_coordinates;
  for (const Part& part : files) {
    if (part.molecule.frame_count() == 0) without_coordinates.insert(part.molecule.topology);
  }
  join_parameters(files);
  join_sequences(files);
  parts::join_topologies(files);
  parts::join_trajectories(files);
  parts::join_velocities(files);
  parts::give_cells(files);
  join_orbitals(files);
  join_volumes(files);
  std::vector<Molecule> molecules;
  for (Part& part : files) {
    if (without_coordinates.contains(part.molecule.topology)) complete(part.molecule);
    molecules.push_back(std::move(part.molecule));
  }
  return molecules;
}

}  // namespace isolume
