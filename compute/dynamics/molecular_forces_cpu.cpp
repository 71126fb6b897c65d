// Energy and forces of a force field on the CPU.
#include <algorithm>
#include <array>
#include <numeric>

#include "compute/base/parallel_for.h"
#include "compute/dynamics/bonded_terms.h"
#include "compute/dynamics/dynamics_bodies.h"
#include "compute/dynamics/lennard_jones.h"
#include "compute/dynamics/neighbour_list.h"

namespace isolume {

namespace {

class MolecularForcesCpu final : public MolecularForces {
 public:
  MolecularForcesCpu(std::shared_ptr<const ForceField> field, std::unique_ptr<Electrostatics> electrostatics,
                     const Cell& cell, const LennardJonesOptions& options)
      : MolecularForces(std::move(field), std::move(electrostatics), cell),
        terms_(BondedTerms::of(*field_)),
        box_(image_box(cell)),
        list_(*field_, cell, options.cutoff, options.margin),
        pairs_(*field_, box_, options) {
    parts_.resize(terms_.places());
    positions_.resize(atoms());
    electric_.resize(atoms());
  }

  void evaluate(Span<const glm::dvec3> positions, Span<glm::dvec3> forces, bool energies, Job& job) override {
    const std::span<const glm::dvec3> at(positions.data, positions.size);
    const std::span<glm::dvec3> out(forces.data, forces.size);
    if (list_.stale(at)) list_.build(at, job);
    electric(at, ElectrostaticPart::all, energies, job);
    bonded(at, energies, job);
    corrections(at, energies, job);
    gather(out, true, true, job);
    const double pairs = pairs_.add(at, list_, energies, out, job);
    if (!energies) return;
    energies_.lennard_jones = pairs;
    energies_.electrostatics = electrostatics_->sums().energy();
  }

  void evaluate_terms(ForceTerms terms, Span<const glm::dvec3> positions, Span<glm::dvec3> forces, Job& job) override {
    const std::span<const glm::dvec3> at(positions.data, positions.size);
    const std::span<glm::dvec3> out(forces.data, forces.size);
    const bool is_bonded = terms == ForceTerms::bonded;
    if (is_bonded) {
      bonded(at, false, job);
      corrections(at, false, job);
    } else {
      electric(at, electrostatic_part(terms), false, job);
    }
    gather(out, !is_bonded, is_bonded, job);
    if (terms != ForceTerms::near) return;
    if (list_.stale(at)) list_.build(at, job);
    pairs_.add(at, list_, false, out, job);
  }

  MolecularEnergies energies() override { return energies_; }
  std::size_t list_builds() const override { return list_.builds(); }
  std::size_t memory() const override {
    return electrostatics_->memory() + terms_.bytes() + list_.partners().size() * 4 + atoms() * 76;
  }

 private:
  static constexpr std::size_t chunk = 1024;

  void electric(std::span<const glm::dvec3> at, ElectrostaticPart part, bool energies, Job& job) {
    for (std::size_t i = 0; i < at.size(); ++i) positions_[i] = glm::vec3(at[i]);
    electrostatics_->start(Span<const glm::vec3>(positions_.data(), positions_.size(), Device::cpu()),
                           {Span<glm::vec3>(electric_), {}, energies, part}, job);
  }

  void bonded(std::span<const glm::dvec3> at, bool energies, Job& job) {
    const std::size_t count = terms_.terms.size();
    const std::size_t chunks = (count + chunk - 1) / chunk;
    by_part_.assign(chunks, {});
    parallel_for(chunks, job, "bonded terms", [&](std::size_t part) {
      for (std::size_t t = part * chunk; t < std::min(count, (part + 1) * chunk); ++t) {
        const BondedTerm& term = terms_.terms[t];
        Vector3 force[4];
        const auto place = [&](int k) {
          const glm::dvec3 p = at[term.atom[k]];
          return Vector3{p.x, p.y, p.z};
        };
        by_part_[part][term.kind] += bonded_energy(term, box_, place, force);
        for (std::size_t k = 0; k < 4; ++k) parts_[4 * t + k] = force[k];
      }
    });
    if (!energies) return;
    std::array<double, BondedTerm::kinds> sums{};
    for (const auto& part : by_part_) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += part[k];
    }
    energies_.bonds = sums[BondedTerm::bond];
    energies_.angles = sums[BondedTerm::angle];
    energies_.dihedrals = sums[BondedTerm::dihedral];
    energies_.impropers = sums[BondedTerm::improper];
    energies_.lennard_jones_14 = sums[BondedTerm::pair14];
  }

  void corrections(std::span<const glm::dvec3> at, bool energies, Job& job) {
    const std::size_t count = terms_.corrections.size();
    correction_energies_.resize(count);
    constexpr std::size_t some = chunk / 16;
    parallel_for((count + some - 1) / some, job, "correction maps", [&](std::size_t part) {
      for (std::size_t t = part * some; t < std::min(count, (part + 1) * some); ++t) {
        const PackedCorrection& term = terms_.corrections[t];
        Vector3 force[8];
        const auto place = [&](int k) {
          const glm::dvec3 p = at[term.atom[k]];
          return Vector3{p.x, p.y, p.z};
        };
        correction_energies_[t] = correction_energy(term, terms_.nodes.data(), box_, place, force);
        std::copy_n(force, 8, parts_.data() + 4 * terms_.terms.size() + 8 * t);
      }
    });
    if (energies) {
      energies_.corrections = std::accumulate(correction_energies_.begin(), correction_energies_.end(), 0.0);
    }
  }

  void gather(std::span<glm::dvec3> out, bool with_electric, bool with_bonded, Job& job) {
    const std::size_t atoms = out.size();
    parallel_for((atoms + chunk - 1) / chunk, job, "bonded terms", [&](std::size_t part) {
      for (std::size_t i = part * chunk; i < std::min(atoms, (part + 1) * chunk); ++i) {
        glm::dvec3 sum = with_electric ? glm::dvec3(electric_[i]) : glm::dvec3(0);
        for (std::uint32_t k = terms_.offsets[i]; with_bonded && k < terms_.offsets[i + 1]; ++k) {
          const Vector3 f = parts_[terms_.slots[k]];
          sum += glm::dvec3(f.x, f.y, f.z);
        }
        out[i] = sum;
      }
    });
  }

  BondedTerms terms_;
  ImageBox box_;
  NeighbourList list_;
  LennardJonesCpu pairs_;
  std::vector<Vector3> parts_;
  std::vector<glm::vec3> positions_, electric_;
  std::vector<std::array<double, BondedTerm::kinds>> by_part_;
  std::vector<double> correction_energies_;
  MolecularEnergies energies_;
};

}  // namespace

std::unique_ptr<MolecularForces> molecular_forces_cpu(std::shared_ptr<const ForceField> field,
                                                      std::unique_ptr<Electrostatics> electrostatics, const Cell& cell,
                                                      const LennardJonesOptions& options) {
  return std::make_unique<MolecularForcesCpu>(std::move(field), std::move(electrostatics), cell, options);
}

}  // namespace isolume
