// How a map is shown at first.
#include "app/view/usual_volume.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <string>

#include "app/documents/titles.h"
#include "compute/density/volume_statistics.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What the names of a volume and of its file say, in lower case.
struct Words {
  Words(const Molecule& molecule, std::size_t volume) : file(lower(file_title({volume_file(molecule, volume)}))) {
    text = file + " " + lower(molecule.volumes[volume]->name);
    std::string word;
    for (const char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c))) {
        word += c;
      } else if (!word.empty()) {
        single.insert(std::exchange(word, {}));
      }
    }
  }
  bool has(const char* part) const { return text.find(part) != std::string::npos; }
  bool is(const char* word) const { return single.count(word) > 0; }
  bool of_file(const char* part) const { return file.find(part) != std::string::npos; }

  std::string file, text;
  std::set<std::string> single;
};

// Two significant digits.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::round(value / unit) * unit;
}

/// The integral of the square, of values in atomic units: 1 for an orbital.
double norm(const Volume& volume, const VolumeStatistics& s) {
  const double bohr = units::bohr_in_angstrom;
  const double cell = std::abs(glm::determinant(volume.grid.step)) / (bohr * bohr * bohr);
  return (s.deviation * s.deviation + s.mean * s.mean) * static_cast<double>(volume.values.size()) * cell;
}

/// The level of a potential by its unit; 0 where that is not known.
double potential_level(const std::string& unit, bool cube) {
  if (unit == "V") return 0.5;
  if (unit == "kT/e") return 1;
  if (unit == "kcal/mol/e") return 10;
  return cube || unit == "hartree/e" ? 0.03 : 0;
}

/// A level at which a potential of both signs shows something: that of its unit, unless nearly all of the map is beyond
/// it on one side (a charged molecule in a vacuum). Without a unit, one that the weaker sign reaches too: near nuclei
/// values are a hundred times those outside.
double level_of_potential(const Volume& volume, const VolumeStatistics& s, bool cube) {
  const double level = potential_level(volume.unit, cube);
  if (level == 0) {
    const double weaker = std::min(static_cast<double>(s.highest), -static_cast<double>(s.lowest));
    return rounded(std::min(3 * s.deviation, 0.5 * weaker));
  }
  if (quantile_of(volume.values, 0.8) > -level && quantile_of(volume.values, 0.2) < level) return level;
  return rounded(std::max(-quantile_of(volume.values, 0.05), quantile_of(volume.values, 0.95)));
}

void show_difference(Field& field, const VolumeStatistics& s) {
  field.isovalue = rounded(3 * s.deviation);
  field.both_signs = true;
  field.colour = {0, 158, 115, 255};
  field.negative_colour = {200, 50, 47, 255};
}

/// The names of maps of compute ligand-map and lj-map.
bool is_energy_of_probe(const Words& words) {
  return words.has("free energy of the probe") || words.has("lennard-jones energy") || words.has("buckingham energy");
}

/// But for the noise of what has none.
bool is_positive(const VolumeStatistics& s) {
  return static_cast<double>(s.lowest) >= -0.02 * static_cast<double>(s.highest);
}

}  // namespace

bool is_crystal_map(const Molecule& molecule, std::size_t volume) {
  const Words words(molecule, volume);
  if (words.has("fofc")) return true;
  Job job;
  return words.of_file(".ccp4") && !words.has("emd") &&
         !is_positive(statistics_of(molecule.volumes[volume]->values, job));
}

void show_usually(Field& field, const Molecule& molecule, bool with_atoms) {
  const Volume& volume = *molecule.volumes[field.volume];
  const Words words(molecule, field.volume);
  Job job;
  const VolumeStatistics s = statistics_of(volume.values, job);
  const double largest = std::max(static_cast<double>(s.highest), -static_cast<double>(s.lowest));
  const bool cube = words.of_file(".cub");
  const bool image = words.of_file(".map") || words.of_file(".mrc") || words.of_file(".ccp4");
  const bool positive = is_positive(s);
  field.both_signs = false;
  field.isovalue = rounded(s.mean + 3 * s.deviation);
  if (is_crystal_map(molecule, field.volume)) {
    field.style = Surface::Style::wireframe;
    field.colour = {86, 150, 214, 255};  // lines are seen on dark shapes too
    field.isovalue = rounded(s.mean + 1.5 * s.deviation);
    if ((words.has("fofc") && !words.has("2fofc")) || words.is("diff") || words.is("difference"))
      show_difference(field, s);
    return;
  }
  if (words.is("difference") && s.lowest < 0) return show_difference(field, s);
  if (s.lowest < 0 && is_energy_of_probe(words)) {  // what is favourable is below
    field.isovalue = rounded(0.5 * static_cast<double>(s.lowest));
    field.colour = {0, 158, 115, 255};
    if (with_atoms) field.opacity = 0.7f;
    return;
  }
  const bool potential = potential_level(volume.unit, false) > 0 || words.has("potential") || words.is("esp") ||
                         words.is("mep") || words.is("phi");
  if (potential && s.lowest < 0) {  // values near nuclei are a thousand times those outside
    field.both_signs = true;
    field.colour = {52, 101, 190, 255};
    field.negative_colour = {200, 50, 47, 255};
    field.isovalue = level_of_potential(volume, s, cube);
  } else if (cube && positive && (words.has("grad_cube") || words.is("rdg") || words.has("reduced density gradient"))) {
    field.isovalue = 0.5;  // reduced gradients: lower values show interactions
  } else if (cube && words.has("nciplot") && words.has("dens")) {
    field.isovalue = 2;  // hundredths of an electron per cubic bohr, with the sign of a curvature
    field.both_signs = true;
  } else if (cube && words.file.starts_with("psi_")) {  // orbitals of Psi4
    field.isovalue = 0.05;
    field.both_signs = true;
  } else if (!image && !positive && quantile_of(volume.values, 0.01) < -0.3 * quantile_of(volume.values, 0.99)) {
    field.both_signs = true;
    const double squares = norm(volume, s);
    field.isovalue = cube && squares > 0.8 && squares < 1.2 ? 0.05 : rounded(3 * s.deviation);
  } else if (cube && positive && (words.is("elf") || words.is("lol"))) {
    field.isovalue = 0.8;
  } else if (cube && positive && words.is("dori")) {
    field.isovalue = 0.9;
  } else if (cube && positive && (words.has("dens") || words.is("rho") || s.highest > 1)) {
    field.isovalue = 0.02;  // electrons per cubic bohr
  }
  const double about = field.both_signs ? 0 : s.mean;
  if (!(field.isovalue - about < 0.9 * (largest - about))) field.isovalue = rounded(about + 0.5 * (largest - about));
  if (with_atoms) field.opacity = field.both_signs ? 0.8f : 0.5f;
}

void colour_apart(Field& field, const Scene& scene) {
  if (field.both_signs || field.colour != Field().colour) return;
  const auto taken = [&](glm::u8vec4 colour) {
    return std::any_of(scene.fields.begin(), scene.fields.end(),
                       [&](const Field& f) { return f.kind == Field::Kind::volume && f.colour == colour; });
  };
  for (std::size_t n = 0; n < 3; ++n) {
    const auto [first, second] = phase_colours(n);
    for (const glm::u8vec4 colour : {first, second})
      if (!taken(colour)) {
        field.colour = colour;
        return;
      }
  }
}

}  // namespace isolume
