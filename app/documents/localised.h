// Molecules whose orbitals are localised.
#pragma once

#include <cstddef>
#include <string>

#include "app/scene/path_part.h"
#include "compute/orbitals/localised_orbitals.h"
#include "molecule/molecule.h"

namespace isolume {

/// What localising the frames of a molecule came to.
struct LocalisationSummary {
  double functional = 0;        ///< of the first frame
  double gradient = 0;          ///< largest of all frames
  std::size_t sweeps = 0;       ///< most of all frames
  std::size_t frames = 0;       ///< that have orbitals
  std::size_t unconverged = 0;  ///< frames of them
};

/// Replaces the orbitals of every frame by localised ones. Each frame begins with those of the frame before, so that an
/// orbital keeps its number and its phase. In the place of the symmetry are its atoms ("C1-O2"), in that of the
/// convention the method with the gradient. Frames that do not converge are a warning of the molecule. Throws Error
/// (input) that names the frame: for partly occupied, natural and natural transition orbitals.
LocalisationSummary localise(Molecule& molecule, const LocalisationOptions& options, Job& job);

/// What a path of localised orbitals asks for.
LocalisationOptions localisation_of(const PathPart& part);

}  // namespace isolume
