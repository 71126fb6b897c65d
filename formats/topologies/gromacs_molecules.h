// The kinds of molecules in a GROMACS topology.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isolume {

/// An entry of [ atomtypes ].
struct GromacsType {
  std::uint8_t element = 0;  ///< 0 where it does not say
  double mass = 0;
  double charge = 0;
};

/// An entry of [ atoms ].
struct GromacsAtom {
  std::string name, type, residue;
  std::int32_t residue_number = 0;
  char insertion = ' ';
  std::optional<double> charge, mass;
  std::uint8_t element = 0;
};

/// A [ moleculetype ].
struct GromacsMolecule {
  std::string name;
  std::vector<GromacsAtom> atoms;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bonds;  ///< from 0
};

/// A water or an ion of the force fields that GROMACS brings along. `water_file` is the name of the include that would
/// have the water, such as "tip3p.itp"; nothing where the molecule is none of them.
std::optional<GromacsMolecule> usual_gromacs_molecule(std::string_view name, std::string_view water_file);

/// Whether an include, by the last part of its path, has a water that usual_gromacs_molecule() knows.
bool is_known_water_file(std::string_view file);

}  // namespace isolume
