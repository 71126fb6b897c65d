// PSF files: atoms, charges, masses, bonds and the other terms, without coordinates.
#include "formats/topologies/psf.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/text.h"
#include "formats/topologies/psf_terms.h"
#include "molecule/base/error.h"
#include "molecule/element_guess.h"

namespace isolume {
namespace {

int sniff(const ByteSource& source) {
  const auto lines = first_lines(source, 1);
  return !lines.empty() && (lines[0] == "PSF" || lines[0].starts_with("PSF ")) ? 95 : 0;
}

/// One atom's line, taken apart.
struct Fields {
  std::string_view serial, segment, residue_number, residue, name, type, charge, mass;
};

/// Eight fields separated by blanks, as all programs write them unless a name is blank.
bool by_blanks(const std::vector<std::string_view>& t, Fields& f) {
  if (t.size() < 8 || !parse_real(t[6]) || !parse_real(t[7])) return false;
  f = {t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]};
  return true;
}

/// The columns of CHARMM: (I8,1X,A4,1X,A4,1X,A4,1X,A4,1X,A4,1X,2G14.6), or with EXT (I10,1X,4(A8,1X),A6,1X,2G14.6).
bool by_columns(std::string_view line, bool extended, Fields& f) {
  const std::size_t serial = extended ? 10 : 8;
  const std::size_t word = extended ? 8 : 4;
  const std::size_t type = extended ? 6 : 4;
  std::size_t at = 1;
  const auto take = [&](std::size_t width) {
    const std::string_view text = field(line, at, at + width - 1);
    at += width + 1;
    return text;
  };
  f.serial = take(serial);
  f.segment = take(word);
  f.residue_number = take(word);
  f.residue = take(word);
  f.name = take(word);
  f.type = take(type);
  std::string_view rest = columns(line, at, line.size());
  f.charge = next_token(rest);
  f.mass = next_token(rest);
  return !f.name.empty() && parse_real(f.charge) && parse_real(f.mass);
}

/// Residue number and insertion code of "52" or "52A".
std::pair<std::int32_t, char> residue_number(const LineScanner& scanner, std::string_view text) {
  char insertion = ' ';
  std::string_view digits = text;
  if (!text.empty() && !parse_integer(text) && text.back() > ' ' && text.back() <= '~') {
    insertion = text.back();
    digits.remove_suffix(1);
  }
  const auto value = parse_integer(digits);
  if (!value || *value < std::numeric_limits<std::int32_t>::min() ||
      *value > std::numeric_limits<std::int32_t>::max()) {
    scanner.fail("residue number: expected an integer, found \"" + clean(text, 40) + "\"");
  }
  return {static_cast<std::int32_t>(*value), insertion};
}

/// From names, types and masses, when all of them are known.
void guess_elements(Topology& topology, const std::vector<double>& masses) {
  const auto residue = [&](const Atom& atom) -> const std::string& { return topology.residues[atom.residue].name; };
  bool took_mass = false;
  for (std::size_t i = 0; i < topology.atoms.size() && !took_mass; ++i) {
    const Atom& atom = topology.atoms[i];
    took_mass = has_taken_mass(atom.name, residue(atom), masses[i]);
  }
  ElementColumn elements;
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    topology.atoms.change(i, [&](Atom& atom) {
      atom.element = elements({atom.name, residue(atom), atom.type, masses[i], took_mass});
    });
  }
  elements.add_notes(topology);
}

void read_atoms(LineScanner& scanner, std::uint64_t count, bool extended, TopologyBuilder& builder,
                CharmmTerms& terms) {
  if (count > scanner.source().limits().atoms) scanner.fail("more atoms than the limit allows");
  check_count(scanner.source(), scanner.number(), count, 16, scanner.bytes_left(), "atoms");
  std::vector<std::string_view> tokens;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view line = scanner.require("an atom");
    split(line, tokens);
    Fields f;
    if (!by_blanks(tokens, f) && !by_columns(line, extended, f)) {
      scanner.fail("expected number, segment, residue number, residue, name, type, charge, mass, found \"" +
                   clean(line, 80) + "\"");
    }
    Atom atom;
    atom.serial = static_cast<std::int32_t>(i + 1);
    atom.name = clean(f.name);
    atom.type = clean(f.type);
    terms.charges.push_back(scanner.real(f.charge, "charge"));
    terms.masses.push_back(scanner.real(f.mass, "mass"));
    atom.charge = static_cast<float>(terms.charges.back());
    atom.mass = static_cast<float>(terms.masses.back());
    const std::string residue = clean(f.residue);
    const auto [number, insertion] = residue_number(scanner, f.residue_number);
    builder.add(std::move(atom), residue, number, insertion, {}, clean(f.segment));
  }
  guess_elements(builder.topology(), terms.masses);
}

/// The title: lines that follow !NTITLE, without the marks that programs put before them.
std::string read_title(LineScanner& scanner, std::uint64_t lines) {
  std::string title;
  for (std::uint64_t i = 0; i < lines && scanner.next() && !trimmed(scanner.line()).empty(); ++i) {
    std::string_view line = trimmed(scanner.line());
    while (line.starts_with("*")) line.remove_prefix(1);
    line = trimmed(line);
    if (line.starts_with("REMARKS")) line.remove_prefix(7);
    line = trimmed(line);
    if (title.empty() && !line.starts_with("original generated")) title = clean(line);
  }
  return title;
}

bool is_term_section(std::string_view section) {
  for (const char* known : {"!NBOND", "!NTHETA", "!NPHI", "!NIMPHI", "!NCRTERM", "!NNB", "!NUMLP", "!NUMANISO"}) {
    if (section.starts_with(known)) return true;
  }
  return false;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner scanner(*source);
  if (!scanner.next() || !scanner.line().starts_with("PSF")) {
    throw Error::in_file(source->name(), 1, "expected a first line that begins with PSF");
  }
  const std::string flags = " " + std::string(scanner.line()) + " ";
  const bool extended = flags.find(" EXT ") != std::string::npos;
  Molecule molecule;
  TopologyBuilder builder;
  CharmmTerms terms;
  PsfTerms sections(scanner, extended);
  if (flags.find(" DRUDE ") != std::string::npos) terms.unsupported = "Drude particles";
  bool has_atoms = false, damaged = false, again = false;
  while (again || scanner.next()) {
    again = false;
    const std::string_view line = scanner.line();
    const std::size_t mark = line.find('!');
    if (mark == std::string_view::npos) continue;
    const std::string section(line.substr(mark));
    std::string_view before = line.substr(0, mark);
    const auto count = [&] {
      return static_cast<std::uint64_t>(
          scanner.integer(next_token(before), section, 0, std::numeric_limits<std::uint32_t>::max()));
    };
    if (section.starts_with("!NTITLE")) {
      molecule.title = read_title(scanner, count());
    } else if (section.starts_with("!NATOM")) {
      if (has_atoms) scanner.fail("a second !NATOM section");
      has_atoms = true;
      read_atoms(scanner, count(), extended, builder, terms);
    } else if (is_term_section(section)) {
      if (!has_atoms) scanner.fail(section.substr(0, section.find_first_of(": ")) + " before !NATOM");
      const bool bonds = section.starts_with("!NBOND");
      if (bonds) {
        if (builder.topology().has_bonds) scanner.fail("a second !NBOND section");
        builder.topology().has_bonds = true;
      }
      const std::int64_t heading = scanner.number();
      try {
        const std::uint64_t first = count();
        const std::uint64_t second = trimmed(before).empty() ? 0 : count();
        sections.read(section, first, second, builder.topology().atoms.size(), terms);
      } catch (const Error& error) {
        if (bonds) throw;
        // Atoms and bonds can be seen without it. The line that did not fit may be the next heading.
        again = scanner.number() > heading && scanner.line().find('!') != std::string_view::npos;
        if (damaged) continue;
        damaged = true;
        terms.unsupported = "a damaged section (" + std::string(error.what()) + ")";
        molecule.warnings.push_back(std::string(error.what()) + ". No force field can be made of this file.");
      }
    }
  }
  for (const auto& [a, b] : terms.bonds) builder.topology().bonds.push_back({std::min(a, b), std::max(a, b), 1});
  if (builder.topology().atoms.empty()) throw Error::in_file(source->name(), 0, "no atoms (!NATOM) in this PSF file");
  if (!builder.topology().has_bonds) {
    molecule.warnings.push_back("There is no !NBOND section: the file may be cut short, and has no bonds.");
  }
  builder.topology().has_charges = true;
  molecule.topology = std::make_shared<Topology>(builder.finish());
  molecule.charmm_terms = std::make_shared<const CharmmTerms>(std::move(terms));
  return molecule;
}

}  // namespace

const Format psf_format = {"PSF", "psf", "structure", sniff, read};

}  // namespace isolume
