// Frames as pictures need them.
#include "app/documents/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "compute/base/memory.h"
#include "molecule/assembly.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

class WholeTrajectory final : public Trajectory {
 public:
  WholeTrajectory(std::shared_ptr<const Trajectory> trajectory, const Topology& topology)
      : trajectory_(std::move(trajectory)) {
    const BondTable table = bond_table(topology);
    std::vector<std::uint8_t> seen(topology.atoms.size(), 0);
    std::vector<std::uint32_t> queue;
    for (std::uint32_t root = 0; root < seen.size(); ++root) {
      if (seen[root]) continue;
      seen[root] = 1;
      queue.assign(1, root);
      for (std::size_t at = 0; at < queue.size(); ++at) {
        const std::uint32_t atom = queue[at];
        for (std::uint32_t i = table.offsets[atom]; i < table.offsets[atom + 1]; ++i) {
          const std::uint32_t next = table.items[i];
          if (seen[next]) continue;
          seen[next] = 1;
          steps_.emplace_back(atom, next);
          queue.push_back(next);
        }
      }
    }
  }

  std::size_t frame_count() const override { return trajectory_->frame_count(); }
  std::size_t atom_count() const override { return trajectory_->atom_count(); }

  Frame frame(std::size_t index) const override {
    Frame frame = trajectory_->frame(index);
    if (!frame.cell.exists()) return frame;
    // A difference shorter than this has no shorter image, so most bonds need no search.
    const glm::dmat3& m = frame.cell.vectors;
    const double widest = std::max({glm::length(glm::cross(m[0], m[1])), glm::length(glm::cross(m[1], m[2])),
                                    glm::length(glm::cross(m[2], m[0]))});
    const double half_width = 0.5 * frame.cell.volume() / widest;
    for (const auto& [from, to] : steps_) {
      const glm::dvec3 d = glm::dvec3(frame.positions[to]) - glm::dvec3(frame.positions[from]);
      if (glm::dot(d, d) < half_width * half_width) continue;
      const glm::dvec3 shift = frame.cell.minimum_image(d) - d;
      frame.positions[to] += glm::vec3(shift);
      if (!frame.precise_positions.empty()) frame.precise_positions[to] += shift;
    }
    return frame;
  }

 private:
  std::shared_ptr<const Trajectory> trajectory_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_;  // placed atom, atom to place beside it
};

}  // namespace

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

Molecule built_assembly(const Molecule& molecule, const std::string& id) {
  const Assembly& assembly = find_assembly(molecule, id);
  require_memory(assembly_bytes(assembly, *molecule.topology), Device::cpu(), "assembly " + id);
  return build_assembly(molecule, id);
}

std::shared_ptr<const Trajectory> whole_molecules(std::shared_ptr<const Trajectory> trajectory,
                                                  const Topology& topology) {
  if (!trajectory || topology.bonds.empty() || trajectory->atom_count() != topology.atoms.size()) return trajectory;
  return std::make_shared<WholeTrajectory>(std::move(trajectory), topology);
}

}  // namespace isolume
