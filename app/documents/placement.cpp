// Molecules at the places where a scene has them.
#include "app/documents/placement.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "compute/analysis/superposition.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

/// A trajectory whose frames lie on one of them, which is then moved: one motion for both.
class SteadyTrajectory final : public Trajectory {
 public:
  SteadyTrajectory(std::shared_ptr<const Trajectory> source, const Topology& topology, const Placement& placement)
      : source_(std::move(source)) {
    if (placement.steady_frame >= source_->frame_count())
      throw Error(fmt::format("placement: frame {} to superpose on; there are {} frames, counted from 0",
                              placement.steady_frame, source_->frame_count()),
                  Error::Kind::usage);
    const Frame reference = source_->frame(placement.steady_frame);
    atoms_ = Selection(placement.steady).atoms(topology, reference);
    if (atoms_.size() < 3)
      throw Error(fmt::format("placement: '{}' selects {} atoms; at least 3 are needed to superpose frames",
                              placement.steady, atoms_.size()),
                  Error::Kind::usage);
    reference_ = points_of(reference);
    motion_ = placement.motion;
  }
  std::size_t frame_count() const override { return source_->frame_count(); }
  std::size_t atom_count() const override { return source_->atom_count(); }
  Frame frame(std::size_t index) const override {
    Frame frame = source_->frame(index);
    const RigidMotion motion = motion_of(frame);
    return moved(std::move(frame), motion);
  }
  RigidMotion motion_of(std::size_t index) const { return motion_of(source_->frame(index)); }

 private:
  RigidMotion motion_of(const Frame& frame) const {
    return then(superpose(points_of(frame), reference_).motion, motion_);
  }
  std::vector<glm::dvec3> points_of(const Frame& frame) const {
    std::vector<glm::dvec3> points;
    points.reserve(atoms_.size());
    for (const std::uint32_t i : atoms_) points.emplace_back(frame.positions[i]);
    return points;
  }

  std::shared_ptr<const Trajectory> source_;
  std::vector<std::uint32_t> atoms_;
  std::vector<glm::dvec3> reference_;
  RigidMotion motion_;
};

}  // namespace

Molecule placed(const Molecule& molecule, const Placement& placement) {
  require_memory(moved_bytes(molecule), Device::cpu(), "the moved molecule");
  if (placement.steady.empty() || !molecule.topology || molecule.frame_count() == 0)
    return moved(molecule, placement.motion);
  auto steady = std::make_shared<SteadyTrajectory>(molecule.trajectory, *molecule.topology, placement);
  Molecule rest = molecule;  // what has no frames
  rest.trajectory.reset();
  rest.orbitals.clear();
  Molecule result = moved(rest, placement.motion);
  result.orbitals = molecule.orbitals;
  for (std::size_t i = 0; i < result.orbitals.size(); ++i)
    if (const auto& own = molecule.orbitals[i])
      result.orbitals[i] = std::make_shared<const Orbitals>(
          moved(*own, i < molecule.frame_count() ? steady->motion_of(i) : placement.motion));
  result.trajectory = std::move(steady);
  return result;
}

}  // namespace isolume
