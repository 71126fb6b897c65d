// The charges of the nuclei less effective cores, as a file of orbitals states them.
#include "formats/orbitals/nuclear_charges.h"

#include <algorithm>
#include <cctype>

#include "formats/bytes/text.h"
#include "formats/orbitals/fchk_sections.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

struct Nucleus {
  std::int64_t number = 0;  ///< in the file
  double of_element = 0;    ///< by its name
  double charge = 0;
};

std::string_view letters(std::string_view name) {
  std::size_t count = 0;
  while (count < name.size() && std::isalpha(static_cast<unsigned char>(name[count]))) ++count;
  return name.substr(0, count);
}

std::vector<double> of_molden(const ByteSource& source) {
  enum class Section { other, atoms, core, pseudo } section = Section::other;
  std::vector<Nucleus> nuclei;
  const auto apply = [&](std::string_view which, double value, bool electrons) {
    const auto number = parse_integer(which);
    const std::uint8_t element = number ? std::uint8_t{0} : element_from_symbol(letters(which));
    for (Nucleus& nucleus : nuclei) {
      if (number ? nucleus.number != *number : element == 0 || nucleus.of_element != element) continue;
      nucleus.charge = electrons ? nucleus.of_element - value : value;
    }
  };
  LineScanner lines(source);
  bool seen = false;
  while (lines.next()) {
    std::string text(trimmed(lines.line()));
    if (!text.empty() && text[0] == '[') {
      const std::string name = upper(text.substr(0, text.find(']')));
      section = Section::other;
      if (name == "[ATOMS") {
        if (seen) break;  // a second geometry
        seen = true;
        section = Section::atoms;
      } else if (name == "[CORE") {
        section = Section::core;
      } else if (name == "[PSEUDO") {
        section = Section::pseudo;
      }
      continue;
    }
    if (section == Section::other) continue;
    std::replace(text.begin(), text.end(), ':', ' ');
    const std::vector<std::string_view> fields = split(text);
    if (section == Section::atoms && fields.size() >= 6) {
      const auto number = parse_integer(fields[1]);
      const auto charge = parse_real(fields[2]);
      if (!number || !charge) continue;
      const std::uint8_t element = element_from_symbol(letters(fields[0]));
      nuclei.push_back({*number, element > 0 ? static_cast<double>(element) : *charge, *charge});
    } else if (section == Section::core && fields.size() >= 2) {
      if (const auto value = parse_real(fields[1])) apply(fields[0], *value, true);
    } else if (section == Section::pseudo && fields.size() >= 3) {
      if (const auto value = parse_real(fields[2])) apply(fields[1], *value, false);
    }
  }
  std::vector<double> charges;
  for (const Nucleus& nucleus : nuclei) charges.push_back(nucleus.charge);
  return charges;
}

}  // namespace

std::optional<std::vector<double>> stated_nuclear_charges(const std::string& path) {
  const std::shared_ptr<const ByteSource> source = ByteSource::open(path);
  for (const std::string_view line : first_lines(*source, 20)) {
    if (starts_with_nocase(trimmed(line), "[MOLDEN FORMAT]")) return of_molden(*source);
    if (is_fchk_header(line)) {
      const FchkSections sections(source);
      if (!sections.has("Nuclear charges")) return std::nullopt;
      return sections.need("Nuclear charges");
    }
  }
  return std::nullopt;
}

}  // namespace isolume
