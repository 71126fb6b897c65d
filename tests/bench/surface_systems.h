// Atoms for the surface benchmarks: made systems of the published sizes and shapes.
#pragma once

#include <string>
#include <vector>

#include "compute/density/density_atoms.h"

namespace isolume {

/// A system of the published table (Krone, Stone, Ertl, Schulten 2012): its number of atoms and its spacing are the
/// published ones; the atoms are made (the structures themselves are not at hand): thrown at random, at 0.1 atoms per
/// cubic angstrom, half of them hydrogens, into a shape like the system's.
struct SurfaceSystem {
  std::string name;
  std::string shape;  ///< in words
  double spacing;     ///< angstrom
  float radius_scale;
  std::vector<DensityAtom> atoms;
};

/// "mscl" 111 016 atoms, "capsid" 147 976, "polio" 754 200, "stmv" 955 225 (all at 1 angstrom), "membrane" 2.37 M,
/// "chromatophore" 9.62 M (2 angstrom), "membrane-water" 22.77 M (4 angstrom), "hundred-million" (8 angstrom).
SurfaceSystem surface_system(const std::string& name);
std::vector<std::string> surface_system_names();

}  // namespace isolume
