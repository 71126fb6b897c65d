// Orbitals given over single primitives, as WFN and WFX files have them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "formats/bytes/byte_source.h"
#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// One function x^i y^j z^k exp(-a r^2), not normalised.
struct Primitive {
  std::uint32_t centre = 0;
  int type = 1;         ///< 1 s; 2 to 4 p; 5 to 10 d; 11 to 20 f; 21 to 35 g; 36 to 56 h; 57 to 84 i
  double exponent = 1;  ///< bohr^-2
};

/// Powers of a type by the AIMPAC convention: xx yy zz xy xz yz; xxx yyy zzz xxy xxz yyz xyy xzz yzz xyz; g likewise;
/// h and i with x in the outer and y in the inner loop, both ascending (zzzzz first). Throws Error (input) beyond 84.
glm::ivec3 primitive_powers(int type);

/// Primitives of one centre, exponent and l become one Cartesian shell of one primitive.
FunctionMap primitive_map(std::span<const Primitive> primitives);

/// The orbitals over them in our convention, checked to be orthonormal. Errors get the file's name and `line`. `file`
/// has centres, orbitals and rows by primitive; its shells are not used.
std::shared_ptr<const Orbitals> checked_primitive_orbitals(const FileOrbitals& file,
                                                           std::span<const Primitive> primitives,
                                                           const ByteSource& source, std::int64_t line,
                                                           std::vector<std::string>& warnings);

/// A UHF file of singly occupied orbitals that does not name spins lists all alpha, then all beta: where the energy
/// falls most, back to the lowest orbital, the beta ones begin. Leaves restricted and natural orbitals alone.
void guess_beta(std::vector<Orbital>& orbitals);

}  // namespace isolume
