// Parameter files of CHARMM.
#include "formats/topologies/charmm_parameters.h"

#include <cmath>
#include <utility>

#include "formats/topologies/charmm_commands.h"
#include "formats/topologies/charmm_sections.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// True for a line that begins a section of parameters, and only that: a bond of a residue has further words.
bool begins_section(const std::vector<std::string_view>& words) {
  return charmm_section(words) != CharmmSection::none;
}

int sniff(const ByteSource& source) {
  if (looks_binary(source)) return 0;
  bool titled = false, first = true, numbers = false;
  for (const std::string_view raw : first_lines(source, 5000)) {
    const std::string_view text = trimmed(raw.substr(0, raw.find('!')));
    if (first && !trimmed(raw).empty()) {
      titled = raw.starts_with("*") || trimmed(raw).starts_with("!") || starts_with_nocase(text, "READ ");
      first = false;
    }
    if (text.empty() || text.starts_with("*")) continue;
    const std::string line = upper(text);
    const auto words = split(line);
    const bool reads = words.size() >= 2 && words[0] == "READ" &&
                       (is_charmm_word(words[1], "PARAMETER") || is_charmm_word(words[1], "RTF"));
    // A topology file has its version, two numbers, and then MASS lines.
    const bool masses = numbers && words.size() >= 4 && words[0] == "MASS";
    numbers = numbers || (words.size() == 2 && parse_integer(words[0]) && parse_integer(words[1]));
    if (reads || masses || begins_section(words)) return titled ? 85 : 25;
  }
  return 0;
}

/// Words of CHARMM's command language that stand between the parts of a stream and change nothing of them.
bool is_passed_over(std::string_view word) {
  for (const std::string_view known : {"SET",     "IF",     "THEN",   "ELSE",     "ENDIF", "GOTO", "LABEL", "BOMLEV",
                                       "BOMBLEV", "WRNLEV", "PRNLEV", "IOFORMAT", "ECHO",  "CALC", "OPEN",  "CLOSE",
                                       "LOWER",   "UPPER",  "STREAM", "INCR",     "DECR",  "STOP", "END",   "PRINT"}) {
    if (is_charmm_word(word, known)) return true;
  }
  return false;
}

enum class Part { commands, parameters, topology };

Molecule read(std::shared_ptr<const ByteSource> source) {
  CharmmCommands line(*source);
  CharmmSections sections(line);
  Part part = Part::commands;
  bool any = false;
  while (line.next()) {
    const std::string_view word = line[0];
    if (part == Part::commands) {
      if (word == "RETURN") break;
      if (word == "READ" && line.size() >= 2 && is_charmm_word(line[1], "RTF")) {
        part = Part::topology;
      } else if (word == "READ" && line.size() >= 2 && is_charmm_word(line[1], "PARAMETER")) {
        part = Part::parameters;
      } else if (!any && line.size() == 2 && parse_integer(word) && parse_integer(line[1])) {
        part = Part::topology;
      } else if (begins_section(line.fields())) {
        part = Part::parameters;
        sections.take();
      } else if (!is_passed_over(word)) {
        line.fail("expected a section (BONDS, ANGLES, DIHEDRALS, IMPROPERS, CMAP, NONBONDED, NBFIX) or READ, found \"" +
                  line.line() + "\"");
      }
      any = any || part != Part::commands;
    } else if (word == "END") {
      if (part == Part::parameters) sections.end();
      part = Part::commands;
    } else if (part == Part::topology) {
      if (word == "MASS") {
        sections.take_mass();
      } else if (is_charmm_word(word, "RESIDUE") || is_charmm_word(word, "PRESIDUE")) {
        sections.residues = true;
      }
    } else {
      sections.take();
    }
  }
  sections.end();
  if (!any) throw Error::in_file(source->name(), 0, "no parameters in this file");
  Molecule molecule;
  molecule.title = line.title();
  molecule.charmm_parameters = std::make_shared<const CharmmParameters>(sections.finish());
  return molecule;
}

}  // namespace

const Format charmm_parameters_format = {"CHARMM parameters", "prm par str rtf", "parameters", sniff, read};

}  // namespace isolume
