// The compressed coordinates of XTC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>

namespace isolume {

/// The compressed positions of one frame, as the file gives them ("3dfcoord" of F. van Hoesel's libxdrf, which GROMACS'
/// reference manual names as the definition of XTC).
///
/// Positions are integers, in units of 1/precision nm. They are coded one after another: one whole triple relative to
/// `low`, packed with the mixed radix high - low + 1; a bit that says whether a new run length follows (5 bits: three
/// times the number of atoms of the run, plus 0, 1 or 2 for shrinking, keeping or growing the range); then the atoms of
/// the run as differences, each in `small_index` bits with a radix from a fixed table. The first difference of a run is
/// to the atom before, and the two are exchanged: so the hydrogen of a water comes before its oxygen in the bits.
struct XtcBlock {
  std::span<const std::byte> bits;
  std::array<std::int32_t, 3> low{};
  std::array<std::int32_t, 3> high{};
  std::int32_t small_index = 0;
  float precision = 1000;  ///< 1/nm
};

/// Decodes the first out.size() of `atoms` positions to angstrom. Throws Error (input), without the path, where the
/// bits make no sense as far as they are read.
void decode_xtc(const XtcBlock& block, std::size_t atoms, std::span<glm::vec3> out);

}  // namespace isolume
