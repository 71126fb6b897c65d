// The sections of CHARMM's parameter files: one line, one entry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/topologies/charmm_commands.h"
#include "molecule/force_field/charmm.h"

namespace isolume {

enum class CharmmSection { none, bonds, angles, dihedrals, impropers, maps, radii, pairs, types, skipped };

/// The section that a line begins; none where it is an entry.
CharmmSection charmm_section(const std::vector<std::string_view>& words);

/// Takes the lines of a file's parameters one after another.
class CharmmSections {
 public:
  explicit CharmmSections(CharmmCommands& line) : line_(line) {}

  /// The present line: a heading or an entry. Throws Error (input) at the line.
  void take();
  /// "MASS number type mass": only the number is of use.
  void take_mass();
  /// The end of the parameters. Throws Error (input) where a map has too few numbers.
  void end();
  CharmmParameters finish();

  bool residues = false;  ///< residues of a topology file were passed over

 private:
  template <class Map>
  void store(Map& map, const typename Map::key_type& key, typename Map::mapped_type value);
  template <std::size_t count>
  CharmmParameters::Types<count> types() const;
  void need(std::size_t least, std::size_t most, const char* what) const;
  int periodicity(std::size_t field) const;
  double depth(std::size_t field) const;
  void note(const std::string& text);
  void bond();
  void angle();
  void dihedral();
  void improper();
  void map();
  void radius();
  void pair();
  void options(std::size_t first);

  CharmmCommands& line_;
  CharmmParameters out_;
  CharmmSection section_ = CharmmSection::none;
  CorrectionMap* open_map_ = nullptr;  ///< one whose numbers are being read
  std::size_t repeated_ = 0;
  std::string first_repeated_;
};

}  // namespace isolume
