// Writing atoms and frames, and the losses of each format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/write/write.h"

namespace isolume {

/// As create_writer(path, molecule, atoms) of write.h, whose formats are pdb, cif, bcif, pqr, gro, mol2, xyz (each also
/// with .gz), xtc and dcd. `xtc_step` is what positions of XTC are rounded to, angstrom; 0.01 is what GROMACS does.
std::unique_ptr<TrajectoryWriter> create_writer(const std::string& path, const Molecule& molecule,
                                                std::vector<std::uint32_t> atoms, double xtc_step);
inline constexpr double usual_xtc_step = 0.01;

/// What of a molecule and its frames a file of that extension has no place for: "GRO has no place for charges, chains
/// and B factors." Empty where nothing is lost but digits. `frame` is one that is written.
std::string not_kept(const std::string& path, const Molecule& molecule, const Frame& frame);

/// A writer that finds out while it writes what it has no place for.
class NotingWriter : public TrajectoryWriter {
 public:
  /// One sentence each; known after finish().
  virtual std::vector<std::string> notes() const = 0;
};

/// The notes of a writer, none where it has none.
std::vector<std::string> notes_of(const TrajectoryWriter& writer);

}  // namespace isolume
