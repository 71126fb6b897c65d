// GROMACS topologies: kinds of molecules and their numbers.
#include "formats/topologies/gromacs_topology.h"

#include <algorithm>
#include <limits>

#include "formats/bytes/element_column.h"
#include "formats/topologies/gromacs_lines.h"
#include "formats/topologies/gromacs_molecules.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/element_guess.h"

namespace isolume {
namespace {

/// The name between the brackets of "[ atoms ]", empty where the line is none.
std::string_view section_name(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('[')) return {};
  const std::size_t end = line.find(']');
  return end == std::string_view::npos ? std::string_view() : trimmed(line.substr(1, end - 1));
}

int sniff(const ByteSource& source) {
  if (looks_binary(source)) return 0;
  bool directives = false;
  for (const std::string_view raw : first_lines(source, 400)) {
    const std::string_view line = trimmed(raw.substr(0, raw.find(';')));
    if (line.empty()) continue;
    if (line.starts_with("#include") || line.starts_with("#define") || line.starts_with("#if")) {
      directives = true;
      continue;
    }
    if (line.starts_with('#')) continue;
    const std::string_view name = section_name(line);
    return name == "defaults" || name == "moleculetype" || name == "atomtypes" || name == "system" ? 90 : 0;
  }
  return directives ? 60 : 0;
}

class Reader {
 public:
  explicit Reader(const std::shared_ptr<const ByteSource>& source) : source_(source), lines_(source) {}

  Molecule read() {
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      if (line.front() == '[') {
        section_ = std::string(section_name(line));
        if (section_.empty()) lines_.fail("expected a section such as [ atoms ], found \"" + clean(line, 60) + "\"");
        continue;
      }
      split(line, words_);
      if (section_ == "atomtypes") read_type();
      if (section_ == "moleculetype") kinds_.push_back({std::string(words_[0]), {}, {}});
      if (section_ == "atoms") read_atom();
      if (section_ == "bonds" || section_ == "constraints") read_bond();
      if (section_ == "settles") read_settle();
      if (section_ == "system" && title_.empty()) title_ = clean(line);
      if (section_ == "molecules") read_count();
    }
    return build();
  }

 private:
  double real(std::string_view word, const char* what) const {
    const auto value = parse_real(word);
    if (!value || *value != *value || std::abs(*value) > 1e9) {
      lines_.fail(std::string(what) + ": expected a number, found \"" + clean(word, 40) + "\"");
    }
    return *value;
  }
  std::int64_t integer(std::string_view word, const char* what, std::int64_t low, std::int64_t high) const {
    const auto value = parse_integer(word);
    if (!value || *value < low || *value > high) {
      lines_.fail(std::string(what) + ": expected an integer from " + std::to_string(low) + " to " +
                  std::to_string(high) + ", found \"" + clean(word, 40) + "\"");
    }
    return *value;
  }

  /// name [bonded type] [atomic number] mass charge ptype ...: the optional ones are told apart by where ptype is.
  void read_type() {
    std::size_t ptype = 3;
    const auto is_ptype = [&](std::size_t i) {
      return words_[i].size() == 1 && std::string_view("ADVSadvs").find(words_[i][0]) != std::string_view::npos;
    };
    while (ptype < words_.size() && !is_ptype(ptype)) ++ptype;
    if (ptype >= words_.size() || ptype > 5) {
      lines_.fail("[ atomtypes ]: expected a name, a mass, a charge and a letter A, D, S or V, found \"" +
                  clean(lines_.line(), 80) + "\"");
    }
    GromacsType type;
    type.mass = real(words_[ptype - 2], "mass");
    type.charge = real(words_[ptype - 1], "charge");
    if (ptype > 3) {
      const auto number = parse_integer(words_[ptype - 3]);
      if (number && *number > 0 && *number < 119) type.element = static_cast<std::uint8_t>(*number);
    }
    types_[std::string(words_[0])] = type;
  }

  GromacsMolecule& kind() {
    if (kinds_.empty()) lines_.fail("[ " + section_ + " ] before [ moleculetype ]");
    return kinds_.back();
  }

  /// nr type resnr residue atom cgnr [charge [mass ...]].
  void read_atom() {
    if (words_.size() < 5) {
      lines_.fail("[ atoms ]: expected number, type, residue number, residue and name, found \"" +
                  clean(lines_.line(), 80) + "\"");
    }
    GromacsMolecule& molecule = kind();
    const std::int64_t number = integer(words_[0], "number of an atom", 1, std::numeric_limits<std::int32_t>::max());
    if (number != static_cast<std::int64_t>(molecule.atoms.size()) + 1) {
      lines_.fail("atom " + std::to_string(number) + " follows atom " + std::to_string(molecule.atoms.size()));
    }
    GromacsAtom atom;
    atom.type = clean(words_[1]);
    std::string_view digits = words_[2];
    if (!parse_integer(digits) && digits.size() > 1) {
      atom.insertion = digits.back() > ' ' && digits.back() <= '~' ? digits.back() : ' ';
      digits.remove_suffix(1);
    }
    atom.residue_number = static_cast<std::int32_t>(integer(
        digits, "residue number", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    atom.residue = clean(words_[3]);
    atom.name = clean(words_[4]);
    if (words_.size() > 6) atom.charge = real(words_[6], "charge");
    if (words_.size() > 7) atom.mass = real(words_[7], "mass");
    molecule.atoms.push_back(std::move(atom));
  }

  void add_bond(std::string_view a, std::string_view b) {
    GromacsMolecule& molecule = kind();
    const auto most = static_cast<std::int64_t>(molecule.atoms.size());
    const auto i = static_cast<std::uint32_t>(integer(a, "atom of a bond", 1, most) - 1);
    const auto k = static_cast<std::uint32_t>(integer(b, "atom of a bond", 1, most) - 1);
    if (i != k) molecule.bonds.emplace_back(std::min(i, k), std::max(i, k));
  }

  /// Constraints of type 2 and bonds of type 6 are no chemical bonds; type 10 restrains.
  void read_bond() {
    if (words_.size() < 2)
      lines_.fail("[ " + section_ + " ]: expected two atoms, found \"" + clean(lines_.line(), 60) + "\"");
    const std::string_view type = words_.size() > 2 ? words_[2] : std::string_view("1");
    const bool none = section_ == "constraints" ? type == "2" : type == "6" || type == "10";
    if (!none) add_bond(words_[0], words_[1]);
  }

  /// A rigid water: the atom that is named and the two after it.
  void read_settle() {
    const auto oxygen = integer(words_[0], "atom of [ settles ]", 1, std::numeric_limits<std::int32_t>::max() - 2);
    add_bond(words_[0], std::to_string(oxygen + 1));
    add_bond(words_[0], std::to_string(oxygen + 2));
  }

  void read_count() {
    if (words_.size() < 2)
      lines_.fail("[ molecules ]: expected a name and a number, found \"" + clean(lines_.line(), 60) + "\"");
    counts_.emplace_back(std::string(words_[0]),
                         static_cast<std::uint64_t>(integer(words_[1], "number of molecules", 0, 1'000'000'000)));
  }

  std::string missing_list() const {
    std::string list;
    for (const std::string& name : lines_.missing()) list += (list.empty() ? "" : ", ") + clean(name, 80);
    return list;
  }

  /// The kind of that name; a usual water or ion where its include is missing.
  std::size_t kind_of(const std::string& name) {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (kinds_[i].name == name) return i;
    }
    std::string water;
    for (const std::string& file : lines_.missing()) {
      const std::string last = file.substr(file.find_last_of('/') + 1);
      if (is_known_water_file(last)) water = last;
    }
    if (auto usual = lines_.missing().empty() ? std::nullopt : usual_gromacs_molecule(name, water)) {
      known_ += (known_.empty() ? "" : ", ") + name +
                (usual->atoms.size() > 1 ? " (" + water.substr(0, water.size() - 4) + ")" : "");
      kinds_.push_back(std::move(*usual));
      return kinds_.size() - 1;
    }
    std::string there;
    for (const GromacsMolecule& kind : kinds_) there += (there.empty() ? "" : ", ") + clean(kind.name, 40);
    throw Error::in_file(source_->name(), 0,
                         "[ molecules ] names " + clean(name, 40) + ", and there is no such [ moleculetype ]; " +
                             (there.empty() ? "there are none" : "there are " + there) +
                             (lines_.missing().empty() ? std::string()
                                                       : ". Not found next to the file: " + missing_list() +
                                                             "; put them there, in folders of the same names"));
  }

  /// What the types say of atoms that do not say it themselves.
  void complete(GromacsMolecule& molecule) {
    for (GromacsAtom& atom : molecule.atoms) {
      const auto type = types_.find(atom.type);
      if (type != types_.end()) {
        if (!atom.charge) atom.charge = type->second.charge;
        if (!atom.mass) atom.mass = type->second.mass;
        if (atom.element == 0) atom.element = type->second.element;
      }
      if (atom.charge) continue;
      throw Error::in_file(
          source_->name(), 0,
          "atom " + atom.name + " of " + clean(molecule.name, 40) + " has no charge, and its type " + atom.type +
              " is not in [ atomtypes ]" +
              (lines_.missing().empty() ? std::string() : ". Not found next to the file: " + missing_list()));
    }
  }

  Molecule build() {
    if (counts_.empty()) {
      for (const GromacsMolecule& kind : kinds_) counts_.emplace_back(kind.name, 1);
    }
    if (counts_.empty()) {
      throw Error::in_file(source_->name(), 0,
                           lines_.missing().empty() ? "no [ moleculetype ] in this GROMACS topology"
                                                    : "no [ moleculetype ] in this GROMACS topology. Not found next to "
                                                      "the file: " +
                                                          missing_list());
    }
    std::vector<std::pair<std::size_t, std::uint64_t>> runs;
    for (const auto& [name, count] : counts_) runs.emplace_back(kind_of(name), count);
    std::uint64_t atoms = 0, bonds = 0;
    const ReadLimits& limits = source_->limits();
    for (const auto& [kind, count] : runs) {
      complete(kinds_[kind]);
      atoms += kinds_[kind].atoms.size() * count;
      bonds += kinds_[kind].bonds.size() * count;
      if (atoms > limits.atoms || (atoms + bonds / 8) > limits.bytes_out / 128) {
        throw Error::in_file(source_->name(), 0, "[ molecules ] makes more atoms than the limit allows");
      }
    }
    if (atoms == 0) throw Error::in_file(source_->name(), 0, "no atoms in this topology");
    TopologyBuilder builder;
    ElementColumn elements;
    std::uint32_t number = 0;
    for (const auto& [kind, count] : runs) add_run(builder, elements, kinds_[kind], count, number);
    elements.add_notes(builder.topology());
    builder.topology().has_bonds = true;
    builder.topology().has_charges = true;
    Molecule molecule;
    molecule.title = title_;
    if (!lines_.missing().empty()) {
      molecule.warnings.push_back("Not found next to the file: " + missing_list() + "." +
                                  (known_.empty() ? "" : " Charges and bonds of " + known_ + " are the usual ones."));
    }
    molecule.topology = std::make_shared<Topology>(builder.finish());
    return molecule;
  }

  /// Molecules of one residue are numbered one after the other, as GROMACS does; larger ones are chains.
  void add_run(TopologyBuilder& builder, ElementColumn& elements, const GromacsMolecule& kind, std::uint64_t count,
               std::uint32_t& residues) const {
    const bool single = std::all_of(kind.atoms.begin(), kind.atoms.end(), [&](const GromacsAtom& a) {
      return a.residue_number == kind.atoms[0].residue_number && a.residue == kind.atoms[0].residue;
    });
    std::string chain;
    const std::size_t mark = kind.name.rfind("_chain_");
    if (mark != std::string::npos && kind.name.size() == mark + 8) chain = kind.name.substr(mark + 7);
    bool took_mass = false;
    for (const GromacsAtom& atom : kind.atoms) {
      took_mass = took_mass || has_taken_mass(atom.name, atom.residue, atom.mass.value_or(0));
    }
    std::vector<std::uint8_t> numbers;
    for (const GromacsAtom& atom : kind.atoms) {
      const bool none = atom.mass && *atom.mass == 0;
      numbers.push_back(atom.element > 0 || none
                            ? atom.element
                            : elements({atom.name, atom.residue, atom.type, atom.mass.value_or(0), took_mass}));
    }
    for (std::uint64_t m = 0; m < count && !kind.atoms.empty(); ++m) {
      if ((m & 1023) == 0) check_stop();
      if (!single || m == 0) builder.end_chain();
      const auto first = static_cast<std::uint32_t>(builder.topology().atoms.size());
      if (single) ++residues;
      for (std::size_t i = 0; i < kind.atoms.size(); ++i) {
        const GromacsAtom& from = kind.atoms[i];
        Atom atom;
        atom.name = from.name;
        atom.type = from.type;
        atom.serial = static_cast<std::int32_t>(first + i + 1);
        atom.element = numbers[i];
        atom.charge = static_cast<float>(*from.charge);
        atom.mass = static_cast<float>(from.mass.value_or(0));
        if (!single) residues = static_cast<std::uint32_t>(std::max(from.residue_number, 0));
        builder.add(std::move(atom), from.residue, single ? static_cast<std::int32_t>(residues) : from.residue_number,
                    from.insertion, chain, kind.name);
      }
      for (const auto& [a, b] : kind.bonds) builder.topology().bonds.push_back({first + a, first + b, 1});
    }
  }

  std::shared_ptr<const ByteSource> source_;
  GromacsLines lines_;
  std::string section_, title_, known_;
  std::vector<std::string_view> words_;
  std::map<std::string, GromacsType, std::less<>> types_;
  std::vector<GromacsMolecule> kinds_;
  std::vector<std::pair<std::string, std::uint64_t>> counts_;
};

Molecule read(std::shared_ptr<const ByteSource> source) {
  return Reader(source).read();
}

}  // namespace

const Format gromacs_topology_format = {"GROMACS topology", "top itp", "structure", sniff, read};

}  // namespace isolume
