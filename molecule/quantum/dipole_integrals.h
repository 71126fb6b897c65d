// Analytic dipole integrals over a basis.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/quantum/basis.h"

namespace isolume {

/// <mu|x|nu>, <mu|y|nu> and <mu|z|nu> in bohr about the origin: function_count x function_count values each, row by
/// row. From the overlaps of one power more (Obara and Saika, J. Chem. Phys. 84 (1986) 3963).
std::array<std::vector<double>, 3> dipole_matrices(const Basis& basis, std::span<const glm::dvec3> centres);

}  // namespace isolume
