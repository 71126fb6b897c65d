// The sections of CHARMM's parameter files.
#include "formats/topologies/charmm_sections.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double degree = units::pi / 180;

}  // namespace

CharmmSection charmm_section(const std::vector<std::string_view>& words) {
  struct Heading {
    std::string_view word;
    CharmmSection section;
    bool alone;  ///< nothing may follow it
  };
  static constexpr Heading headings[] = {
      {"BONDS", CharmmSection::bonds, true},      {"ANGLES", CharmmSection::angles, true},
      {"THETAS", CharmmSection::angles, true},    {"DIHEDRALS", CharmmSection::dihedrals, true},
      {"PHI", CharmmSection::dihedrals, true},    {"IMPROPERS", CharmmSection::impropers, true},
      {"IMPHI", CharmmSection::impropers, true},  {"CMAP", CharmmSection::maps, true},
      {"NONBONDED", CharmmSection::radii, false}, {"NBONDED", CharmmSection::radii, false},
      {"NBFIX", CharmmSection::pairs, true},      {"HBOND", CharmmSection::skipped, false},
      {"ATOMS", CharmmSection::types, true},      {"THOLE", CharmmSection::skipped, false},
      {"NBTHOLE", CharmmSection::skipped, false}, {"ANISOTROPY", CharmmSection::skipped, false},
  };
  for (const Heading& heading : headings) {
    if (!words.empty() && is_charmm_word(words[0], heading.word) && (words.size() == 1 || !heading.alone)) {
      return heading.section;
    }
  }
  return CharmmSection::none;
}

void CharmmSections::note(const std::string& text) {
  constexpr std::size_t most = 50;  // of a made-up file each line may have another
  if (out_.notes.size() < most && std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end())
    out_.notes.push_back(text);
}

void CharmmSections::need(std::size_t least, std::size_t most, const char* what) const {
  if (line_.size() >= least && line_.size() <= most) return;
  line_.fail(std::string("expected ") + what + ", found \"" + line_.line() + "\"");
}

template <std::size_t count>
CharmmParameters::Types<count> CharmmSections::types() const {
  CharmmParameters::Types<count> result;
  for (std::size_t k = 0; k < count; ++k) result[k] = line_.text(k);
  return result;
}

/// The later of two entries counts.
template <class Map>
void CharmmSections::store(Map& map, const typename Map::key_type& key, typename Map::mapped_type value) {
  const auto [place, added] = map.insert({key, value});
  if (added || place->second == value) return;
  if (repeated_++ == 0) first_repeated_ = charmm_words(key);
  place->second = std::move(value);
}

int CharmmSections::periodicity(std::size_t field) const {
  const double n = line_.real(field, "periodicity");
  if (n != std::round(n) || n < 0 || n > 12) {
    line_.fail("periodicity: expected a whole number from 0 to 12, found " + line_.text(field));
  }
  return static_cast<int>(n);
}

double CharmmSections::depth(std::size_t field) const {
  const double value = line_.real(field, "depth of the well");
  if (value > 0) {
    line_.fail("depth of the well: expected 0 or less, found " + line_.text(field) +
               " (polarisabilities of Slater and Kirkwood are not read)");
  }
  return -value;
}

void CharmmSections::bond() {
  need(4, 4, "two types, force constant, length");
  store(out_.bonds, charmm_key(types<2>()), {line_.real(2, "force constant"), line_.real(3, "length")});
}

void CharmmSections::angle() {
  if (line_.size() != 5) need(7, 7, "three types, force constant, angle, and perhaps those of Urey and Bradley");
  CharmmAngle value{line_.real(3, "force constant"), line_.real(4, "angle") * degree, {}};
  if (line_.size() == 7) value.urey_bradley = {line_.real(5, "Urey-Bradley constant"), line_.real(6, "distance")};
  store(out_.angles, charmm_key(types<3>()), value);
}

void CharmmSections::dihedral() {
  need(7, 7, "four types, force constant, periodicity, phase");
  const auto key = charmm_key(types<4>());
  const CharmmTorsion value{line_.real(4, "force constant"), periodicity(5), line_.real(6, "phase") * degree};
  std::vector<CharmmTorsion>& set = out_.dihedrals[key];
  const auto same = std::find_if(set.begin(), set.end(),
                                 [&](const CharmmTorsion& other) { return other.periodicity == value.periodicity; });
  if (same == set.end()) {
    set.push_back(value);
  } else if (*same != value) {
    if (repeated_++ == 0) first_repeated_ = charmm_words(key);
    *same = value;
  }
}

void CharmmSections::improper() {
  need(6, 7, "four types, force constant, periodicity (0), angle");
  const bool short_form = line_.size() == 6;
  const CharmmTorsion value{line_.real(4, "force constant"), short_form ? 0 : periodicity(5),
                            line_.real(short_form ? 5 : 6, "angle") * degree};
  store(out_.impropers, charmm_key(types<4>()), value);
}

void CharmmSections::map() {
  if (open_map_) {
    const auto size = static_cast<std::size_t>(open_map_->size);
    for (std::size_t i = 0; i < line_.size(); ++i) open_map_->energies.push_back(line_.real(i, "energy of the map"));
    if (open_map_->energies.size() > size * size) {
      line_.fail("the map has more than its " + std::to_string(size * size) + " numbers");
    }
    if (open_map_->energies.size() == size * size) open_map_ = nullptr;
    return;
  }
  need(9, 9, "eight types and the size of a map");
  const auto size = line_.scanner().integer(line_[8], "size of the map", 2, 360);
  check_count(line_.scanner().source(), line_.scanner().number(), static_cast<std::uint64_t>(size * size), 2,
              line_.scanner().bytes_left() + 1, "energies of a map");
  const auto key = charmm_key(types<8>());
  if (out_.maps.contains(key) && repeated_++ == 0) first_repeated_ = charmm_words(key);
  open_map_ = &(out_.maps[key] = CorrectionMap{static_cast<int>(size), {}});
}

void CharmmSections::options(std::size_t first) {
  for (std::size_t i = first; i < line_.size(); ++i) {
    const std::string_view word = line_[i];
    const bool has_value = i + 1 < line_.size();
    if (word == "E14FAC" && has_value) {
      out_.one_four = line_.real(i + 1, "E14FAC");
    } else if (word == "EPS" && has_value && line_.real(i + 1, "EPS") != 1) {
      note("The dielectric constant of NONBONDED (EPS " + line_.text(i + 1) + ") is left aside: it is 1.");
    } else if (is_charmm_word(word, "NBXMOD") && has_value && std::abs(line_.real(i + 1, "NBXMOD")) != 5) {
      note("NBXMOD " + line_.text(i + 1) + " is left aside: exclusions are those of NBXMOD 5.");
    } else if (is_charmm_word(word, "RDIELECTRIC")) {
      note("The distance-dependent dielectric of NONBONDED (RDIE) is left aside.");
    } else if (word == "GEOM" || word == "VGEO") {
      line_.fail("Lennard-Jones radii combined by geometric means (GEOM) are not supported");
    }
  }
}

void CharmmSections::radius() {
  if (is_charmm_word(line_[0], "CUTNB")) return options(0);
  if (line_.size() != 4) need(7, 7, "type, a number, depth, radius, and perhaps the same for 1-4 pairs");
  line_.real(1, "polarisability");
  CharmmRadius value{depth(2), line_.real(3, "radius"), depth(2), line_.real(3, "radius")};
  if (line_.size() == 7) {
    value.depth14 = depth(5);
    value.half14 = line_.real(6, "radius");
  }
  if (value.half < 0 || value.half14 < 0) line_.fail("radius: expected 0 or more");
  store(out_.radii, line_.text(0), value);
}

void CharmmSections::pair() {
  if (line_.size() != 4) need(6, 6, "two types, depth, distance, and perhaps the same for 1-4 pairs");
  CharmmPair value{depth(2), line_.real(3, "distance"), depth(2), line_.real(3, "distance")};
  if (line_.size() == 6) {
    value.depth14 = depth(4);
    value.distance14 = line_.real(5, "distance");
  }
  if (value.distance < 0 || value.distance14 < 0) line_.fail("distance: expected 0 or more");
  store(out_.pairs, charmm_key(types<2>()), value);
}

void CharmmSections::take_mass() {
  need(4, 6, "MASS, number, type, mass");
  const auto number = line_.scanner().integer(line_[1], "number of a type");
  if (number <= 0) return;
  std::string& type = out_.numbers[number];
  if (!type.empty() && type != line_.text(2) && repeated_++ == 0) first_repeated_ = "type " + line_.text(1);
  type = line_.text(2);
}

void CharmmSections::take() {
  const CharmmSection heading = open_map_ ? CharmmSection::none : charmm_section(line_.fields());
  if (heading != CharmmSection::none) {
    section_ = heading;
    if (heading == CharmmSection::radii) options(1);
    if (heading == CharmmSection::skipped) note("The section " + line_.text(0) + " is left aside.");
    return;
  }
  switch (section_) {
    case CharmmSection::bonds:
      return bond();
    case CharmmSection::angles:
      return angle();
    case CharmmSection::dihedrals:
      return dihedral();
    case CharmmSection::impropers:
      return improper();
    case CharmmSection::maps:
      return map();
    case CharmmSection::radii:
      return radius();
    case CharmmSection::pairs:
      return pair();
    case CharmmSection::types:
      if (line_[0] == "MASS") return take_mass();
      return line_.fail("expected MASS, found \"" + line_.line() + "\"");
    case CharmmSection::skipped:
      return;
    case CharmmSection::none:
      line_.fail("expected a section (BONDS, ANGLES, DIHEDRALS, IMPROPERS, CMAP, NONBONDED, NBFIX), found \"" +
                 line_.line() + "\"");
  }
}

void CharmmSections::end() {
  if (open_map_) {
    line_.fail("the map ends after " + std::to_string(open_map_->energies.size()) + " of " +
               std::to_string(open_map_->size * open_map_->size) + " numbers");
  }
  section_ = CharmmSection::none;
}

CharmmParameters CharmmSections::finish() {
  if (repeated_ > 0) {
    note(repeated_ == 1
             ? "1 parameter is given again in the same file; the later counts (" + first_repeated_ + ")."
             : std::to_string(repeated_) +
                   " parameters are given again in the same file; the later count (first: " + first_repeated_ + ").");
  }
  if (residues) note("Residues of topology files are left aside: the PSF has what they make.");
  return std::move(out_);
}

}  // namespace isolume
