// Rigid motions: turning and shifting, of points and of everything that a molecule has.
#include "molecule/rigid_motion.h"

#include <map>
#include <utility>
#include <vector>

#include "molecule/assembly.h"
#include "molecule/base/units.h"
#include "molecule/displacement.h"
#include "molecule/molecule.h"
#include "molecule/quantum/orbital_rotation.h"

namespace isolume {
namespace {

class MovedTrajectory final : public Trajectory {
 public:
  MovedTrajectory(std::shared_ptr<const Trajectory> source, const RigidMotion& motion)
      : source_(std::move(source)), motion_(motion) {}
  std::size_t frame_count() const override { return source_->frame_count(); }
  std::size_t atom_count() const override { return source_->atom_count(); }
  Frame frame(std::size_t index) const override { return moved(source_->frame(index), motion_); }

 private:
  std::shared_ptr<const Trajectory> source_;
  RigidMotion motion_;
};

std::shared_ptr<const Topology> turned(const Topology& topology, const glm::dmat3& turn) {
  auto result = std::make_shared<Topology>(topology);
  for (auto& u : result->displacements) u = turned_displacement(u, turn);
  return result;
}

}  // namespace

RigidMotion then(const RigidMotion& first, const RigidMotion& second) {
  return {glm::normalize(second.rotation * first.rotation), second(first.translation)};
}

RigidMotion inverse(const RigidMotion& motion) {
  const glm::dquat back = glm::conjugate(motion.rotation);
  return {back, -(back * motion.translation)};
}

Frame moved(Frame frame, const RigidMotion& motion) {
  const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
  for (glm::vec3& p : frame.positions) p = glm::vec3(turn * glm::dvec3(p) + motion.translation);
  for (glm::dvec3& p : frame.precise_positions) p = turn * p + motion.translation;
  for (glm::vec3& v : frame.velocities) v = glm::vec3(turn * glm::dvec3(v));
  for (glm::vec3& f : frame.forces) f = glm::vec3(turn * glm::dvec3(f));
  frame.cell.vectors = turn * frame.cell.vectors;
  return frame;
}

Grid moved(const Grid& grid, const RigidMotion& motion) {
  return {motion(grid.origin), glm::mat3_cast(motion.rotation) * grid.step, grid.counts};
}

Orbitals moved(const Orbitals& orbitals, const RigidMotion& motion) {
  Orbitals result = orbitals;
  const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
  for (glm::dvec3& centre : result.centres) centre = turn * centre + motion.translation / units::bohr_in_angstrom;
  if (!orbitals.basis) return result;
  std::map<std::pair<int, bool>, std::vector<double>> matrices;
  const std::size_t width = orbitals.basis->function_count();
  std::vector<double> before;
  std::size_t first = 0;
  for (const Shell& shell : orbitals.basis->shells) {
    const std::size_t n = shell.function_count();
    auto& matrix = matrices[{shell.l, shell.spherical}];
    if (matrix.empty()) matrix = shell_rotation(shell.l, shell.spherical, turn);
    for (std::size_t orbital = 0; orbital < orbitals.count() && shell.l > 0; ++orbital) {
      double* row = result.coefficients.data() + orbital * width + first;
      before.assign(row, row + n);
      for (std::size_t b = 0; b < n; ++b) {
        row[b] = 0;
        for (std::size_t a = 0; a < n; ++a) row[b] += matrix[b * n + a] * before[a];
      }
    }
    first += n;
  }
  return result;
}

Molecule moved(const Molecule& molecule, const RigidMotion& motion) {
  Molecule result = molecule;
  if (motion.none()) return result;
  if (molecule.trajectory) result.trajectory = std::make_shared<MovedTrajectory>(molecule.trajectory, motion);
  if (molecule.topology && !molecule.topology->displacements.empty())
    result.topology = turned(*molecule.topology, glm::mat3_cast(motion.rotation));
  const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
  glm::dmat4 there(turn);
  there[3] = glm::dvec4(motion.translation, 1);
  for (auto& assembly : result.assemblies) {  // its operators are those of the moved positions
    auto copy = std::make_shared<Assembly>(*assembly);
    for (AssemblyPart& part : copy->parts)
      for (glm::dmat4& place : part.operators) place = there * place * glm::inverse(there);
    assembly = std::move(copy);
  }
  for (auto& orbitals : result.orbitals)
    if (orbitals) orbitals = std::make_shared<const Orbitals>(moved(*orbitals, motion));
  for (auto& volume : result.volumes) {
    auto copy = std::make_shared<Volume>(*volume);
    copy->grid = moved(volume->grid, motion);
    volume = std::move(copy);
  }
  return result;
}

std::size_t moved_bytes(const Molecule& molecule) {
  std::size_t bytes = 0;
  for (const auto& orbitals : molecule.orbitals)
    if (orbitals) bytes += orbitals->coefficients.size() * sizeof(double);
  for (const auto& volume : molecule.volumes) bytes += volume->values.size() * sizeof(float);
  if (molecule.topology && !molecule.topology->displacements.empty())
    bytes += molecule.topology->atoms.bytes() +
             molecule.topology->atoms.size() * sizeof(molecule.topology->displacements[0]);
  return bytes;
}

}  // namespace isolume
