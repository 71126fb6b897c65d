// Effective core potentials in Molden files: [Core] and [Pseudo].
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "formats/orbitals/molden_reader.h"
#include "molecule/elements.h"

namespace isolume {

namespace {

/// The element that a name like "C12" begins with, 0 for none.
std::uint8_t named_element(std::string_view name) {
  std::size_t letters = 0;
  while (letters < name.size() && std::isalpha(static_cast<unsigned char>(name[letters]))) ++letters;
  return element_from_symbol(name.substr(0, letters));
}

}  // namespace

void MoldenReader::warn_once(std::string text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(std::move(text));
}

void MoldenReader::core_of(MoldenAtom& atom, double value, bool core_electrons) {
  const std::uint8_t named = named_element(atom.name);
  const double of_element = named > 0 ? named : atom.charge;
  const double charge = core_electrons ? of_element - value : value;
  if (named > 0 && (atom.charge == charge || atom.charge == of_element)) atom.element = named;
  atom.charge = charge;
}

/// [Core] has lines "atom : electrons of its core", [Pseudo] lines "name atom
/// charge-without-core". Programs that write them (PySCF) may give the charge
/// for the atomic number in [Atoms], which the symbol then corrects. Some name
/// an element where the number of an atom belongs: all its atoms are meant.
/// Other lines are left out with a warning.
void MoldenReader::cores(bool core_electrons) {
  std::vector<MoldenAtom>& atoms = block().atoms;
  while (advance() && in_section()) {
    if (atoms.empty()) continue;  // of nothing that is known
    std::string text(lines_.line());
    std::replace(text.begin(), text.end(), ':', ' ');
    const std::vector<std::string_view> fields = split(text);
    if (fields.empty()) continue;
    const std::string section = core_electrons ? "[Core]" : "[Pseudo]";
    const std::size_t first = core_electrons ? 0 : 1;
    const auto value = fields.size() > first + 1 ? parse_real(fields[first + 1]) : std::nullopt;
    const auto number = value ? parse_integer(fields[first]) : std::nullopt;
    const std::uint8_t element = value && !number ? element_from_symbol(fields[first]) : std::uint8_t{0};
    const auto of_element = [&](const MoldenAtom& atom) { return element > 0 && named_element(atom.name) == element; };
    if (number && std::isfinite(*value)) {
      lines_.integer(fields[first], "number of the atom", 1, static_cast<std::int64_t>(atoms.size()));
      core_of(atoms[block().atom_of(*number)], *value, core_electrons);
    } else if (std::any_of(atoms.begin(), atoms.end(), of_element) && std::isfinite(*value)) {
      for (MoldenAtom& atom : atoms) {
        if (of_element(atom)) core_of(atom, *value, core_electrons);
      }
      warn_once(section + " names the element \"" + clean(fields[first], 10) +
                "\" instead of an atom's number: it is taken for all atoms of that name.");
    } else {
      warn_once(fmt::format("A line of {} is ignored (line {}): \"{}\".", section, lines_.number(),
                            clean(lines_.line(), 40)));
    }
  }
}

}  // namespace isolume
