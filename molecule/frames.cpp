// Frames of a molecule by any number: beyond the last one, the last.
#include "molecule/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "molecule/base/error.h"

namespace isolume {

std::size_t frame_in(const Molecule& molecule, std::size_t frame) {
  const std::size_t count = std::max(molecule.frame_count(), molecule.orbitals.size());
  return count == 0 ? 0 : std::min(frame, count - 1);
}

Frame frame_at(const Molecule& molecule, std::size_t frame) {
  if (molecule.frame_count() == 0) return {};
  return molecule.trajectory->frame(std::min(frame, molecule.frame_count() - 1));
}

std::size_t first_frame_with_orbitals(const Molecule& molecule) {
  const auto found = std::find_if(molecule.orbitals.begin(), molecule.orbitals.end(), [](const auto& o) { return o; });
  return found == molecule.orbitals.end() ? 0 : static_cast<std::size_t>(found - molecule.orbitals.begin());
}

std::shared_ptr<const Orbitals> orbitals_of(const Molecule& molecule, std::size_t frame) {
  const std::string file = molecule.paths.empty() ? molecule.title : molecule.paths.front();
  if (molecule.orbitals.empty()) throw Error(file + " has no orbitals", Error::Kind::usage);
  auto orbitals = molecule.orbitals_at(std::min(frame, molecule.orbitals.size() - 1));
  if (!orbitals) {
    throw Error(fmt::format("frame {} of {} has no orbitals; the first that has is frame {}", frame, file,
                            first_frame_with_orbitals(molecule)),
                Error::Kind::usage);
  }
  return orbitals;
}

}  // namespace isolume
