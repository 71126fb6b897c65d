// Charges by name, and two sets of them next to each other.
#include "app/cli/charge_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "app/cli/prepared_charges.h"
#include "app/scene/built_in_tables.h"
#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr std::array<const char*, 7> names{"file", "amber", "charmm", "parse", "gasteiger", "ff14sb", "charmm36"};

/// The file and the column of FILE.csv:COLUMN.
std::pair<std::string, std::string> table_and_column(const std::string& name) {
  const std::size_t colon = name.rfind(".csv:");
  if (colon == std::string::npos) return {name, "charge"};
  return {name.substr(0, colon + 4), name.substr(colon + 5)};
}

std::vector<std::string> cells(std::string_view line) {
  std::vector<std::string> found;
  while (true) {
    const std::size_t comma = std::min(line.find(','), line.size());
    std::string_view cell = trimmed(line.substr(0, comma));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    found.emplace_back(cell);
    if (comma == line.size()) return found;
    line.remove_prefix(comma + 1);
  }
}

/// Rows of a CSV by its header.
class Table {
 public:
  explicit Table(const std::string& path) : source_(ByteSource::open(path)), scanner_(*source_) {
    if (!scanner_.next()) throw Error::in_file(path, 0, "expected a header such as index,charge");
    header_ = cells(scanner_.line());
    for (std::string& name : header_) name = name.substr(0, name.find(" ("));  // "charge (e)"
  }
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::find(header_.begin(), header_.end(), name);
    return found == header_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - header_.begin()));
  }
  std::string header() const { return fmt::format("{}", fmt::join(header_, ", ")); }
  bool next() {
    while (scanner_.next()) {
      if (trimmed(scanner_.line()).empty()) continue;
      row_ = cells(scanner_.line());
      if (row_.size() < header_.size()) scanner_.fail(fmt::format("expected {} columns", header_.size()));
      return true;
    }
    return false;
  }
  const std::string& operator[](std::size_t column) const { return row_[column]; }
  const LineScanner& scanner() const { return scanner_; }

 private:
  std::shared_ptr<const ByteSource> source_;
  LineScanner scanner_;
  std::vector<std::string> header_, row_;
};

/// The charges of a set by residue of the file and name of the atom.
struct SetCharges {
  std::map<std::uint32_t, double> residues;
  std::map<std::pair<std::uint32_t, std::string>, double> atoms;
};

SetCharges charges_of(Run& run, const std::shared_ptr<const Molecule>& molecule, const std::string& set,
                      std::size_t frame) {
  SetCharges result;
  const auto take = [&](const Topology& topology, auto&& residue_of) {
    for (const Atom& atom : topology.atoms) {
      const std::uint32_t residue = residue_of(atom.residue);
      result.residues[residue] += static_cast<double>(atom.charge);
      result.atoms[{residue, atom.name}] = static_cast<double>(atom.charge);
    }
  };
  if (set == "file" || is_charge_table(set)) {
    const auto with = with_usual_charges(run, molecule, {set}, frame);
    take(*with->topology, [](std::uint32_t r) { return r; });
    return result;
  }
  ChargeChoice choice;
  choice.set = set;
  const PreparedStructure prepared = prepared_by(run, *molecule, choice, frame);
  take(*prepared.molecule.topology, [&](std::uint32_t r) { return prepared.residues[r].residue; });
  return result;
}

}  // namespace

bool is_charge_table(const std::string& name) {
  return name.ends_with(".csv") || name.find(".csv:") != std::string::npos;
}

void check_charge_set(const std::string& name) {
  if (name.empty() || is_charge_table(name)) return;
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw Error(
      "--charge-set " + name + ": there are file, amber, charmm, parse and gasteiger, and FILE.csv or FILE.csv:COLUMN",
      Error::Kind::usage);
}

std::string scene_tables(const std::string& name, bool build_missing) {
  check_charge_set(name);
  if (build_missing && name == "file")
    throw Error("--build-missing goes with charges of tables (--charge-set amber, charmm, parse or gasteiger)",
                Error::Kind::usage);
  if (is_charge_table(name)) {
    throw Error("--charge-set " + name +
                    ": a picture takes file, amber, charmm, parse or gasteiger; a CSV serves compute "
                    "potential and compute energy",
                Error::Kind::usage);
  }
  if (name == "file" || (name.empty() && !build_missing)) return {};
  const std::string tables = name.empty() || name == "ff14sb" ? "amber" : name == "charmm36" ? "charmm" : name;
  return "tables:" + tables + (build_missing ? with_side_chains : "");
}

void add_scene_charges_option(Verb command, std::string& set, bool& build_missing) {
  command
      .option("--charge-set", set,
              "of the potential: file, amber, charmm, parse or gasteiger (default: the file's; amber for proteins and "
              "nucleic acids without)")
      .type_name("NAME");
  command.flag("--build-missing", build_missing, "with those charges, build missing atoms of side chains");
}

std::shared_ptr<const Molecule> with_charges_of_csv(Run& run, const Molecule& molecule, const std::string& name) {
  const auto [path, column] = table_and_column(name);
  run.report.input(path);
  Table table(path);
  const auto charge = table.find(column);
  if (!charge) {
    throw Error::in_file(path, 1,
                         "there is no column " + column + "; there are " + table.header() +
                             (column == "charge" ? " (FILE.csv:COLUMN names another)" : ""));
  }
  const auto index = table.find("index"), serial = table.find("serial");
  const auto chain = table.find("chain"), number = table.find("number"), atom_name = table.find("atom");
  if (!index && !serial && !(chain && number && atom_name)) {
    throw Error::in_file(
        path, 1, "expected a column index or serial, or columns chain, number and atom; there are " + table.header());
  }
  auto topology = std::make_shared<Topology>(*molecule.topology);
  std::map<std::string, std::uint32_t> places;
  for (std::uint32_t i = 0; i < topology->atoms.size() && !index; ++i) {
    const Atom& atom = topology->atoms[i];
    const Residue& residue = topology->residue_of(i);
    const std::string insertion = residue.insertion == ' ' ? "" : std::string(1, residue.insertion);
    places.emplace(serial ? std::to_string(atom.serial)
                          : fmt::format("{} {}{} {}", topology->chain_of(i).id, residue.number, insertion, atom.name),
                   i);
  }
  std::vector<char> known(topology->atoms.size(), 0);
  while (table.next()) {
    std::size_t at = topology->atoms.size();
    if (index) {
      at = static_cast<std::size_t>(table.scanner().integer(table[*index], "index", 0, UINT32_MAX));
    } else {
      const auto found = places.find(
          serial ? table[*serial] : fmt::format("{} {} {}", table[*chain], table[*number], table[*atom_name]));
      if (found != places.end()) at = found->second;
    }
    if (at >= topology->atoms.size()) table.scanner().fail("the structure has no such atom");
    const auto value = static_cast<float>(table.scanner().real(table[*charge], column));
    topology->atoms.change(at, [&](Atom& atom) { atom.charge = value; });
    known[at] = 1;
  }
  const auto missing = std::find(known.begin(), known.end(), 0);
  if (missing != known.end()) {
    const auto at = static_cast<std::size_t>(missing - known.begin());
    throw Error::in_file(
        path, 0,
        fmt::format("no charge for {} of {} atoms, the first is {} of {}", std::count(known.begin(), known.end(), 0),
                    known.size(), topology->atoms[at].name, residue_place(*topology, topology->atoms[at].residue)));
  }
  topology->has_charges = true;
  auto made = std::make_shared<Molecule>(molecule);
  run.say(fmt::format("charges of {}: total {:.4g} e", path, topology->total_charge()));
  made->topology = std::move(topology);
  return made;
}

std::string compared_charges(Run& run, const std::shared_ptr<const Molecule>& molecule, const std::string& first,
                             const std::string& second, std::size_t frame) {
  const SetCharges a = charges_of(run, molecule, first, frame), b = charges_of(run, molecule, second, frame);
  const Topology& topology = *molecule->topology;
  std::string text =
      fmt::format("chain,number,residue,{} (e),{} (e),difference (e),atom,largest difference (e)\n", first, second);
  const auto number = [](const std::map<std::uint32_t, double>& all, std::uint32_t r) {
    const auto found = all.find(r);
    if (found == all.end()) return std::string();
    return fmt::format("{:.4f}", std::abs(found->second) < 5e-5 ? 0.0 : found->second);
  };
  std::size_t differ = 0;
  double sum = 0;
  for (std::uint32_t r = 0; r < topology.residues.size(); ++r) {
    const auto here = a.residues.find(r), there = b.residues.find(r);
    if (here == a.residues.end() && there == b.residues.end()) continue;
    std::string atom, difference;
    double largest = 0;
    for (auto it = a.atoms.lower_bound({r, ""}); it != a.atoms.end() && it->first.first == r; ++it) {
      const auto other = b.atoms.find(it->first);
      if (other == b.atoms.end() || std::abs(other->second - it->second) <= std::abs(largest)) continue;
      largest = other->second - it->second;
      atom = it->first.second;
    }
    if (here != a.residues.end() && there != b.residues.end()) {
      const double off = there->second - here->second;
      difference = fmt::format("{:.4f}", std::abs(off) < 5e-5 ? 0.0 : off);
      differ += std::abs(off) > 0.01;
      sum += off;
    } else {
      ++differ;
    }
    const Residue& residue = topology.residues[r];
    text += fmt::format("{},{}{},{},{},{},{},{},{:.4f}\n", topology.chains[residue.chain].id, residue.number,
                        residue.insertion == ' ' ? "" : std::string(1, residue.insertion), residue.name,
                        number(a.residues, r), number(b.residues, r), difference, atom, largest);
  }
  run.report.result["compared"] = {{"sets", {first, second}}, {"residues_that_differ", differ}, {"difference", sum}};
  run.say(fmt::format("{} and {}: {} residues differ by more than 0.01 e or are in one of them alone", first, second,
                      differ));
  return text;
}

}  // namespace isolume::cli
