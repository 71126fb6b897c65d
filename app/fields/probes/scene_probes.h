// The probes of a scene: their places, what is asked of compute, and contributions as numbers of atoms.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"
#include "compute/over_time/probing.h"

namespace isolume {

/// Where the scene's probe of that number is, with its name: "A/LYS12:NZ"; points are called by their place among the
/// points of the molecule, from 0, as those of a file are. Throws Error (usage) where its molecule has no such atom.
ProbePlace place_of(const Scene& scene, std::size_t number, const Topology& topology);

/// Numbers of the scene's probes of a molecule, ascending.
std::vector<std::size_t> probes_of(const Scene& scene, std::uint32_t molecule);

/// What is ready to be computed in any frame.
struct SceneProbing {
  std::shared_ptr<const Probing> probing;
  std::vector<std::size_t> numbers;  ///< of the probes in the scene, in the order of the places
  std::string unit;                  ///< of potentials
  double expected_error = 0;         ///< relative, of msm and spme; 0: exact but for rounding, or not known beforehand
};

/// Makes the scene's probes of these numbers, all of one molecule, ready: its charges, as the scene gives them, and the
/// method with its parameters. Takes about a second for 100 000 charges where parameters are chosen. Throws Error: no
/// charges, no cell where the method needs one, a method whose contributions do not add up, frames with other atoms.
SceneProbing ready_probes(const Scene& scene, std::shared_ptr<const Molecule> molecule,
                          const std::vector<std::size_t>& numbers);

/// One number for each atom of the molecule that a representation shows: what the atom's residue or chain adds to the
/// potential at the representation's probe in the scene's frame; no number for atoms whose charges do not count.
struct AtomShares {
  std::vector<float> values;
  std::string title, unit;
};
/// `check` is called now and then, and may throw. Throws Error as ready_probes(), and where there is no such probe of
/// the molecule.
AtomShares atom_shares(const Scene& scene, const Representation& representation, Documents& documents,
                       const std::function<void()>& check = {});

}  // namespace isolume
