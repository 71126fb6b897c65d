// Binding energies of two partners in a solvent, from positions of their complex.
#pragma once

#include <array>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electrostatics/generalised_born/generalised_born.h"
#include "compute/electrostatics/generalised_born/neck_parameters.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "molecule/force_field/force_field.h"
#include "molecule/topology.h"

namespace isolume {

/// kcal/mol.
struct BindingTerms {
  double lennard_jones = 0;  ///< between the partners; 0 without a force field
  double coulomb = 0;        ///< between the partners, in the solute's permittivity
  double polar = 0;          ///< of the complex less those of the partners alone
  double nonpolar = 0;       ///< likewise

  double total() const { return lennard_jones + coulomb + polar + nonpolar; }
  BindingTerms& operator+=(const BindingTerms& other);
};

struct BindingOptions {
  std::variant<PoissonBoltzmannOptions, GeneralisedBornOptions> polar;
  double spacing = 0.5;             ///< of the grid of Poisson-Boltzmann, angstrom
  double surface_tension = 0.0072;  ///< kcal/(mol angstrom^2)
  double surface_offset = 0;        ///< kcal/mol, of every molecule
  double pressure = 0;              ///< kcal/(mol angstrom^3), of the solvent-accessible volume
  double probe_radius = 1.4;        ///< angstrom, of the area and the volume
  /// Generalised Born: of every atom of the topology for GB-neck2, neck_parameters() of the partners; empty for OBC.
  std::vector<NeckParameters> neck;

  double solute_permittivity() const;
};

struct BindingFrame {
  BindingTerms sum;
  std::vector<BindingTerms> atoms;  ///< shares of Binding::atoms(); with `rest` they add up to `sum`
  BindingTerms rest;                ///< of no atom: the ions of the non-linear equation, offsets and volumes
  std::array<double, 3> polar{};    ///< of the complex and the partners, kcal/mol
  std::array<double, 3> coarse{};   ///< Poisson-Boltzmann: the same with steps twice as long
  std::array<double, 3> areas{};    ///< solvent-accessible, angstrom^2
  std::array<double, 3> volumes{};  ///< solvent-accessible, angstrom^3; where the pressure is not 0
  double nearest = 0;               ///< least distance of atoms of the two, angstrom

  /// What `sum.polar` would be with steps twice as long.
  double coarse_polar() const { return coarse[0] - coarse[1] - coarse[2]; }
};

/// Atoms of a partner exchanged for others, as where a side chain is cut. Numbers are those of the topology.
struct BindingMutation {
  /// Another charge, radius and Lennard-Jones type: that of the atom `like`.
  struct Changed {
    std::uint32_t atom = 0;
    float charge = 0, radius = 0;
    std::uint32_t like = 0;
  };
  /// An atom on the line from `carrier` to `towards`, at `length` (angstrom) from the first.
  struct Added {
    std::uint32_t carrier = 0, towards = 0;
    double length = 0;
    float charge = 0, radius = 0;
    std::uint8_t element = 1;
    std::uint32_t like = 0;
  };
  std::vector<std::uint32_t> removed;
  std::vector<Changed> changed;
  std::vector<Added> added;
};

/// Binding in the approximation of a single trajectory: the partners have the positions that they have in the complex,
/// so their internal energies cancel.
///
///     sum = sum over pairs (A/r^12 - B/r^6) + C/e1 sum over pairs q q' / r + polar + nonpolar
///
/// over pairs of one atom of each partner, polar the solvation energies of Poisson-Boltzmann or generalised Born, and
/// nonpolar gamma area + offset + pressure volume: complex less both partners. For Poisson-Boltzmann all three are
/// solved on the same nodes, so that what the grid does to an atom far from the other partner cancels; the finest box
/// of a partner ends where the complex's would about it alone. The next frame, superposed on the first, starts from the
/// last one's solutions. An atom has half of its pairs, half its charge times
/// the change of the reaction potential at it (or of its pairs by generalised Born), and gamma times the change of its
/// area.
class Binding {
 public:
  /// `first` and `second`: one byte for every atom of the topology. `field` may be null. `device` computes the polar
  /// and the area. Throws Error (usage) for partners that are empty, share atoms, are bonded with each other, or have
  /// no charges.
  Binding(const Topology& topology, std::shared_ptr<const ForceField> field, std::span<const std::uint8_t> first,
          std::span<const std::uint8_t> second, const BindingOptions& options, Device device);

  /// Their numbers in the topology, ascending.
  const std::vector<std::uint32_t>& atoms() const { return atoms_; }
  /// 0 or 1, the partner of each of them.
  const std::vector<std::uint8_t>& partner() const { return partner_; }

  /// The grid will hold these positions (of all atoms of the topology) too. Before the first evaluate().
  void cover(std::span<const glm::vec3> positions);
  /// Throws Error, as the computations do.
  BindingFrame evaluate(std::span<const glm::vec3> positions, Job& job);
  /// The solutions of the complex and the partners that the next frame starts from.
  using Starts = std::array<PoissonBoltzmannStart, 3>;
  /// The same from solutions of one's own. After cover() by several threads at once, each with its own.
  BindingFrame evaluate(std::span<const glm::vec3> positions, Starts& starts, Job& job);
  /// How many frames to compute at once: by Poisson-Boltzmann on the CPU half as many as there are threads, where there
  /// is memory for them; else 1.
  std::size_t frames_at_once() const;
  /// The same with atoms exchanged, on the same nodes. `own` is what evaluate() gave for these positions: what is of
  /// the partner without the mutation is taken from it. Shares are those of the atoms that stay, in their order, and
  /// then of the added ones; what the other partner has alone is in `rest`. Throws Error (usage) where the mutation has
  /// atoms of no partner or of both.
  BindingFrame evaluate(std::span<const glm::vec3> positions, const BindingMutation& mutation, const BindingFrame& own,
                        Job& job);
  /// Of Poisson-Boltzmann, after cover().
  Grid grid() const;
  std::size_t memory() const;

 private:
  inline static const PoissonBoltzmannReach nowhere{glm::dvec3(1e300), glm::dvec3(-1e300)};
  /// What the terms are computed of.
  struct System {
    std::vector<glm::dvec3> at;
    std::vector<float> charges, radii;
    std::vector<NeckParameters> born;  ///< what generalised Born takes; its radius counts for GB-neck2 alone
    std::vector<std::uint8_t> partner;
    std::vector<std::uint32_t> types;  ///< Lennard-Jones; empty without a force field

    /// Molecule 0 is the complex, 1 and 2 the partners.
    bool holds(int molecule, std::size_t atom) const { return molecule == 0 || partner[atom] == molecule - 1; }
  };
  /// A frame with what is known of it: molecule `known` (1 or 2; 0 for none) is that of another frame.
  struct Work {
    const System& system;
    BindingFrame& frame;
    Starts& starts;
    int known = 0;
  };

  std::vector<glm::dvec3> placed(std::span<const glm::vec3> positions);
  System mutated(const BindingMutation& mutation, int& partner, std::span<const glm::vec3> positions);
  void evaluate(const Work& work, Job& job);
  void pairs(const Work& work, Job& job) const;
  void poisson_boltzmann_part(const PoissonBoltzmannOptions& options, const Work& work, Job& job) const;
  NeckParameters born_parameters(std::uint8_t element) const;
  void generalised_born_part(const GeneralisedBornOptions& options, const Work& work, Job& job) const;
  void nonpolar_part(const Work& work, Job& job) const;

  std::vector<std::uint32_t> atoms_;
  std::vector<std::uint8_t> partner_;
  System system_;  ///< without positions
  std::shared_ptr<const ForceField> field_;
  BindingOptions options_;
  Device device_;
  std::vector<glm::dvec3> first_;  ///< positions of the first frame, about their middle
  /// Of the complex and the partners in all frames that were covered.
  std::array<PoissonBoltzmannReach, 3> reach_ = {nowhere, nowhere, nowhere};
  Starts starts_;
};

/// Frames one after another, or several at once, of which each has its share of the CPU's threads. `positions(i)` may
/// be called from several threads at once; `take(i, frame)` is from the calling thread, in order. After cover().
void evaluate_frames(Binding& binding, std::size_t count, std::size_t at_once,
                     const std::function<std::vector<glm::vec3>(std::size_t)>& positions,
                     const std::function<void(std::size_t, BindingFrame&&)>& take, Job& job);

}  // namespace isolume
