// The charges of the nuclei less effective cores, as a file of orbitals states them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace isolume {

/// One charge (e) per atom of the first geometry of a Molden file ([Atoms], less what [Core] or [Pseudo] take away) or
/// a formatted checkpoint file ("Nuclear charges"); nothing for a file of another format. Throws Error (input).
std::optional<std::vector<double>> stated_nuclear_charges(const std::string& path);

}  // namespace isolume
