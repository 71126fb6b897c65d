// Where compute probe looks, and how charges are grouped.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "molecule/molecule.h"

namespace isolume::cli {

/// One of them is given.
struct ProbeChoice {
  std::string points;              ///< a file of points
  std::string atoms;               ///< a selection
  std::vector<std::string> bonds;  ///< selections of two atoms each
};
void add_probe_choice(Verb command, ProbeChoice& choice);
/// Throws Error (usage) where not one kind is given, or selections are wrong.
void check_probe_choice(const ProbeChoice& choice);

/// Points that stay, atoms, or the middles of bonds.
class ProbePlaces {
 public:
  /// Atoms are those of the selections in frame `reference`. Throws Error, among others for a bond of other than two
  /// atoms.
  ProbePlaces(const Molecule& molecule, const ProbeChoice& choice, std::size_t reference);

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t probe) const { return names_[probe]; }
  std::vector<glm::dvec3> points(const Frame& frame) const;
  bool have_directions() const { return bonds_; }
  /// Of length 1, from the first atom of a bond to the second; 0 for others.
  glm::dvec3 direction(std::size_t probe, const Frame& frame) const;

 private:
  std::vector<std::string> names_;
  std::vector<glm::dvec3> fixed_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> atoms_;  ///< twice the same where it is no bond
  bool bonds_ = false;
};

/// The residues that are water or ions.
std::vector<std::uint32_t> solvent_residues(const Molecule& molecule, std::size_t frame);

/// The groups of `atoms` by residue, chain or all together: their names, and for each atom which it is in. By residue
/// waters are one group, and ions of one name are.
std::vector<std::string> group_names(const Molecule& molecule, const std::vector<std::uint32_t>& atoms,
                                     const std::string& by, std::size_t frame, std::vector<std::uint32_t>& groups);

}  // namespace isolume::cli
