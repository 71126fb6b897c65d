// One number for each atom, perhaps another in each frame: what a volume map spreads on its grid.
#include "app/cli/over_time/atom_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/view/colour_file.h"
#include "formats/bytes/npy.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

bool is_array(const std::string& path) {
  return std::filesystem::path(path).extension() == ".npy";
}

}  // namespace

AtomValues::AtomValues(const std::string& words, const Molecule& molecule) : atoms_(molecule.atom_count()) {
  const Topology& topology = *molecule.topology;
  if (std::find(std::begin(atom_value_words), std::end(atom_value_words), words) != std::end(atom_value_words)) {
    title_ = words;
    if (words == "b-factor") unit_ = "A^2";
    if (words == "formal-charge") unit_ = "e";
    for (const Atom& atom : topology.atoms)
      values_.push_back(words == "b-factor"    ? atom.b_factor
                        : words == "occupancy" ? atom.occupancy
                                               : static_cast<float>(atom.formal_charge));
    return;
  }
  if (!std::filesystem::exists(words))
    throw Error(fmt::format("--values {}: there is no such file, and the words are {}", words,
                            fmt::join(atom_value_words, ", ")),
                Error::Kind::usage);
  if (!is_array(words)) {
    AtomNumbers found = numbers_by_file(words, topology);
    title_ = found.title;
    values_ = std::move(found.values);
    for (float& value : values_)
      if (std::isnan(value)) value = 0;
    return;
  }
  NpyArray array = read_npy(*ByteSource::open(words));
  title_ = std::filesystem::path(words).stem().string();
  if (array.columns != atoms_)
    throw Error::in_file(words, 0,
                         fmt::format("has {} numbers in a row, and the molecule {} atoms", array.columns, atoms_));
  if (array.rows != 1 && array.rows != molecule.frame_count())
    throw Error::in_file(words, 0,
                         fmt::format("has {} rows, and the molecule {} frames", array.rows, molecule.frame_count()));
  rows_ = array.rows;
  values_ = std::move(array.values);
}

double AtomValues::of(std::size_t frame, std::size_t atom) const {
  return static_cast<double>(values_[(each_frame() ? frame : 0) * atoms_ + atom]);
}

}  // namespace isolume::cli
