// One number for each atom, perhaps another in each frame: what a volume map spreads on its grid.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume::cli {

/// The words of --values that are no files.
inline constexpr const char* atom_value_words[] = {"b-factor", "occupancy", "formal-charge"};

class AtomValues {
 public:
  /// `words`: one of atom_value_words; a table (csv) as app/view/colour_file.h has it; or an array (npy) of one number
  /// for each atom of the molecule, or of a row of them for each frame. Throws Error: input for what the file does not
  /// have, usage for another word.
  AtomValues(const std::string& words, const Molecule& molecule);

  /// 0 where a table has no line for the atom.
  double of(std::size_t frame, std::size_t atom) const;
  bool each_frame() const { return rows_ > 1; }
  const std::string& title() const { return title_; }  ///< "b-factor", or what the file calls it
  const std::string& unit() const { return unit_; }    ///< "A^2"; "1" where it is not known

 private:
  std::size_t rows_ = 1, atoms_ = 0;
  std::vector<float> values_;
  std::string title_, unit_ = "1";
};

}  // namespace isolume::cli
