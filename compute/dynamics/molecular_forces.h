// MolecularForces: energy and forces of a molecular-mechanics force field, with electrostatics by any method.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/dynamics/lennard_jones_math.h"
#include "compute/dynamics/molecular_energies.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "molecule/force_field/force_field.h"

namespace isolume {

/// The charges and exclusions of a force field as an electrostatic problem. Charges are scaled by the square root of
/// the force field's Coulomb constant over ours (332.0637), so that energies are those that it was made for.
ElectrostaticProblem force_field_problem(const ForceField& field, const Cell& cell);

/// Terms of the force field that change at different speeds.
enum class ForceTerms {
  bonded,  ///< bonds, angles, dihedrals, impropers, correction maps, 1-4 Lennard-Jones
  near,    ///< Lennard-Jones pairs, and the near part of the electrostatics (all of it where it does not split)
  far,     ///< the far part of the electrostatics
};

/// E = bonds + angles + dihedrals + impropers + correction maps + Lennard-Jones pairs and 1-4 pairs + electrostatics,
/// prepared for one system on one device. Bonded terms are computed in double precision, pairs in single; sums over the
/// parts of an atom are in an order that does not depend on threads. Not for several threads at once.
class MolecularForces {
 public:
  /// `electrostatics` made for force_field_problem(); its device computes everything. Pairs and bonds are those of the
  /// nearest images where `cell` exists. Throws Error (usage) where numbers of atoms differ, the cutoff is out of range
  /// or more than half of the cell's least width, or the switch does not begin before it.
  static std::unique_ptr<MolecularForces> create(std::shared_ptr<const ForceField> field,
                                                 std::unique_ptr<Electrostatics> electrostatics, const Cell& cell,
                                                 const LennardJonesOptions& options);
  virtual ~MolecularForces() = default;
  MolecularForces(const MolecularForces&) = delete;
  MolecularForces& operator=(const MolecularForces&) = delete;

  std::size_t atoms() const { return field_->atom_count(); }
  const ForceField& field() const { return *field_; }
  Electrostatics& electrostatics() { return *electrostatics_; }
  Device device() const { return electrostatics_->device(); }
  /// Where a CUDA body works; nothing on the CPU.
  Stream& stream() { return electrostatics_->stream(); }
  const Cell& cell() const { return cell_; }

  /// Forces in kcal/(mol angstrom) at positions in angstrom, both on device(); on CUDA put into stream(), which is
  /// waited for where the neighbour list must be built again. Throws Error for positions that are not finite, and
  /// (cancelled).
  virtual void evaluate(Span<const glm::dvec3> positions, Span<glm::dvec3> forces, bool energies, Job& job) = 0;
  /// The forces of some terms alone, without energies. Those of bonded, near and far terms add up to those of
  /// evaluate(). Throws as evaluate(), and Error (usage) for far terms where has_far() does not hold.
  virtual void evaluate_terms(ForceTerms terms, Span<const glm::dvec3> positions, Span<glm::dvec3> forces,
                              Job& job) = 0;
  /// Whether the electrostatics has a far part of its own.
  bool has_far() const { return electrostatics_->splits(); }
  /// Those of the last evaluation that wanted them; waits.
  virtual MolecularEnergies energies() = 0;
  /// How often the neighbour list was built.
  virtual std::size_t list_builds() const = 0;
  /// Bytes on the device apart from positions and forces, with those of the electrostatics.
  virtual std::size_t memory() const = 0;

 protected:
  /// What the electrostatics computes for these terms: not for bonded ones.
  ElectrostaticPart electrostatic_part(ForceTerms terms) const;

  MolecularForces(std::shared_ptr<const ForceField> field, std::unique_ptr<Electrostatics> electrostatics,
                  const Cell& cell)
      : field_(std::move(field)), electrostatics_(std::move(electrostatics)), cell_(cell) {}

  std::shared_ptr<const ForceField> field_;
  std::unique_ptr<Electrostatics> electrostatics_;
  Cell cell_;
};

/// Energies and forces of all terms but the electrostatics, in plain double precision, every pair in one loop; for
/// tests. Forces by closed formulas of their own: those of angles by the derivative of the cosine, those of dihedrals
/// by central differences of the energy.
struct MolecularReference {
  MolecularEnergies energies;
  std::vector<glm::dvec3> forces;
};
MolecularReference molecular_energy_reference(const ForceField& field, const Cell& cell,
                                              const LennardJonesOptions& options,
                                              std::span<const glm::dvec3> positions);

}  // namespace isolume
