// mmCIF files: atoms, models and what other categories say about them; small molecules.
#include "formats/mmcif.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "formats/cif.h"
#include "formats/element_column.h"
#include "formats/frames.h"
#include "formats/mmcif_annotations.h"
#include "formats/mmcif_assembly.h"
#include "formats/text.h"
#include "molecule/error.h"

namespace isolume {
namespace {

int sniff(const ByteSource& source) {
  if (looks_binary(source)) return 0;
  for (const std::string_view line : first_lines(source, 2000)) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    return starts_with_nocase(text, "DATA_") ? 90 : 0;
  }
  return 0;
}

/// Numbers out of a table, with errors that name the row.
class Reader {
 public:
  Reader(const ByteSource& source, const CifTable& table) : source_(source), table_(table) {}

  [[noreturn]] void fail(std::size_t row, const std::string& message) const {
    throw Error::in_file(source_.name(), table_.line(),
                         "row " + std::to_string(row + 1) + " of the loop that begins here: " + message);
  }

  float coordinate(std::size_t row, std::size_t column, const char* what) const {
    const std::string_view text = mmcif::without_uncertainty(table_.at(row, column));
    const auto value = parse_real(text);
    if (!value || !(std::abs(*value) <= 1e6)) {
      fail(row, std::string(what) + ": expected a number within a million angstrom, found \"" + clean(text, 40) + "\"");
    }
    return static_cast<float>(*value);
  }

  float real_or(std::size_t row, std::size_t column, double missing) const {
    const auto value = parse_real(mmcif::without_uncertainty(table_.at(row, column)));
    return static_cast<float>(value && std::abs(*value) < 1e30 ? *value : missing);
  }

  std::optional<std::int32_t> integer(std::size_t row, std::size_t column) const {
    const auto value = parse_integer(table_.at(row, column));
    if (!value || *value < std::numeric_limits<std::int32_t>::min() ||
        *value > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    return static_cast<std::int32_t>(*value);
  }

 private:
  const ByteSource& source_;
  const CifTable& table_;
};

std::int8_t small_charge(std::optional<std::int32_t> value) {
  return value && *value > -100 && *value < 100 ? static_cast<std::int8_t>(*value) : std::int8_t{0};
}

/// Columns of atom_site that say which atom a row is.
struct SiteColumns {
  explicit SiteColumns(const CifTable& t)
      : group(t.column("group_pdb")),
        id(t.column("id")),
        symbol(t.column("type_symbol")),
        name(first(t, "label_atom_id", "auth_atom_id")),
        altloc(t.column("label_alt_id")),
        residue(first(t, "auth_comp_id", "label_comp_id")),
        chain(first(t, "auth_asym_id", "label_asym_id")),
        label_chain(t.column("label_asym_id")),
        number(first(t, "auth_seq_id", "label_seq_id")),
        label_number(t.column("label_seq_id")),
        insertion(t.column("pdbx_pdb_ins_code")),
        x(t.column("cartn_x")),
        y(t.column("cartn_y")),
        z(t.column("cartn_z")),
        occupancy(t.column("occupancy")),
        b_factor(t.column("b_iso_or_equiv")),
        charge(t.column("pdbx_formal_charge")),
        model(t.column("pdbx_pdb_model_num")) {}

  static std::size_t first(const CifTable& table, std::string_view a, std::string_view b) {
    const std::size_t column = table.column(a);
    return column != CifTable::none ? column : table.column(b);
  }

  std::size_t group, id, symbol, name, altloc, residue, chain, label_chain, number, label_number, insertion;
  std::size_t x, y, z, occupancy, b_factor, charge, model;
};

/// Rows [first, end) of one model.
struct Rows {
  std::size_t first = 0;
  std::size_t end = 0;
};

std::vector<Rows> models_of(const CifTable& table, const SiteColumns& columns) {
  std::vector<Rows> models;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (models.empty() || table.at(row, columns.model) != table.at(row - 1, columns.model))
      models.push_back({row, row});
    models.back().end = row + 1;
  }
  return models;
}

/// The same atoms in the same order.
bool same_atoms(const CifTable& table, const SiteColumns& c, const Rows& a, const Rows& b) {
  if (a.end - a.first != b.end - b.first) return false;
  const std::array<std::size_t, 7> identity = {c.name,   c.altloc,    c.residue,     c.chain,
                                               c.number, c.insertion, c.label_number};
  for (std::size_t i = 0; i < a.end - a.first; ++i) {
    for (const std::size_t column : identity) {
      if (table.at(a.first + i, column) != table.at(b.first + i, column)) return false;
    }
  }
  return true;
}

std::vector<glm::vec3> positions_of(const Reader& reader, const SiteColumns& c, const Rows& rows) {
  std::vector<glm::vec3> positions;
  positions.reserve(rows.end - rows.first);
  for (std::size_t row = rows.first; row < rows.end; ++row) {
    positions.emplace_back(reader.coordinate(row, c.x, "Cartn_x"), reader.coordinate(row, c.y, "Cartn_y"),
                           reader.coordinate(row, c.z, "Cartn_z"));
  }
  return positions;
}

/// Atoms of the first model, and the index by which other categories find their residues.
void add_atoms(const CifTable& table, const Reader& reader, const SiteColumns& c, const Rows& rows,
               TopologyBuilder& builder, mmcif::ResidueIndex& index) {
  ElementColumn elements;
  std::int32_t unnumbered = 0;
  std::size_t altlocs = 0;
  const Topology& topology = builder.topology();
  for (std::size_t row = rows.first; row < rows.end; ++row) {
    Atom atom;
    atom.name = clean(table.at(row, c.name));
    atom.altloc = mmcif::letter(table.at(row, c.altloc));
    atom.serial = reader.integer(row, c.id).value_or(static_cast<std::int32_t>(row + 1));
    atom.hetero = table.at(row, c.group) == "HETATM";
    atom.occupancy = reader.real_or(row, c.occupancy, 1);
    atom.b_factor = reader.real_or(row, c.b_factor, 0);
    atom.formal_charge = small_charge(reader.integer(row, c.charge));
    altlocs += atom.altloc != ' ';
    std::string residue = clean(table.at(row, c.residue));
    const std::string chain = clean(table.at(row, c.chain));
    const std::string label_chain = clean(table.at(row, c.label_chain));
    const char insertion = mmcif::letter(table.at(row, c.insertion));
    std::optional<std::int32_t> number = reader.integer(row, c.number);
    if (!number) {
      // Waters of old files have no number: a name that comes again starts the next one.
      if (topology.atoms.empty() || topology.residues.back().name != residue ||
          topology.atoms[topology.residues.back().first_atom].name == atom.name) {
        ++unnumbered;
      }
      number = unnumbered;
    }
    if (atom.altloc != ' ' && !topology.atoms.empty() && topology.atoms.back().altloc != ' ' &&
        topology.residues.back().number == *number && topology.residues.back().insertion == insertion &&
        topology.chains.back().id == chain && topology.chains.back().segment == label_chain) {
      residue = topology.residues.back().name;  // alternate residues at one place go by the first name
    }
    atom.element = elements(table.at(row, c.symbol), atom.name, residue);
    const std::size_t residues = topology.residues.size();
    builder.add(std::move(atom), residue, *number, insertion, chain, label_chain);
    if (topology.residues.size() > residues) {
      const auto i = static_cast<std::uint32_t>(residues);
      index.by_label.try_emplace({label_chain, std::string(table.at(row, c.label_number))}, i);
      index.by_author.try_emplace(
          {label_chain, std::string(table.at(row, c.number)), std::string(table.at(row, c.insertion))}, i);
    }
  }
  elements.add_notes(builder.topology());
  if (altlocs > 0) {
    builder.topology().notes.push_back(std::to_string(altlocs) + " atoms are alternate locations; all are kept.");
  }
}

Molecule read_macromolecule(const ByteSource& source, const CifDocument& document, std::size_t block,
                            const CifTable& table) {
  const SiteColumns columns(table);
  const Reader reader(source, table);
  for (const auto& [column, name] :
       {std::pair{columns.y, "Cartn_y"}, {columns.z, "Cartn_z"}, {columns.name, "label_atom_id"}}) {
    if (column == CifTable::none)
      throw Error::in_file(source.name(), table.line(), std::string("atom_site has no ") + name);
  }
  if (table.rows() > source.limits().atoms)
    throw Error::in_file(source.name(), table.line(), "more atoms than the limit");
  Molecule molecule;
  const std::vector<Rows> models = models_of(table, columns);
  TopologyBuilder builder;
  mmcif::ResidueIndex index;
  add_atoms(table, reader, columns, models[0], builder, index);
  mmcif::apply_structure(document, block, index, builder.topology());
  mmcif::apply_bonds(document, block, index, builder.topology(), molecule.warnings);
  mmcif::apply_displacements(document, block, builder.topology());

  const Cell cell = mmcif::cell(document, block, "_cell.", molecule.warnings);
  std::vector<Frame> frames;
  std::vector<LeftOut> left_out;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (!same_atoms(table, columns, models[0], models[i])) {
      left_out.push_back({i + 1, models[i].end - models[i].first});
      continue;
    }
    Frame frame;
    frame.positions = positions_of(reader, columns, models[i]);
    frame.cell = cell;
    frames.push_back(std::move(frame));
  }
  warn_left_out(molecule, left_out, models[0].end - models[0].first, "model");
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.assemblies = mmcif::read_assemblies(document, block, *molecule.topology, molecule.warnings);
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::move(frames));
  molecule.title = clean(document.value(block, "_struct.title"));
  if (molecule.title.empty()) molecule.title = clean(document.value(block, "_entry.id"));
  return molecule;
}

Molecule read_small_molecule(const ByteSource& source, const CifDocument& document, std::size_t block,
                             const CifTable& table) {
  Molecule molecule;
  const Reader reader(source, table);
  Frame frame;
  frame.cell = mmcif::cell(document, block, "_cell_", molecule.warnings);
  if (!frame.cell.exists()) {
    throw Error::in_file(source.name(), table.line(), "fractional coordinates without a cell (_cell_length_a, ...)");
  }
  const std::size_t axes[] = {table.column("fract_x"), table.column("fract_y"), table.column("fract_z")};
  TopologyBuilder builder;
  ElementColumn elements;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view symbol = table.at(row, "type_symbol");
    Atom atom;
    atom.name = clean(table.at(row, "label"));
    atom.serial = static_cast<std::int32_t>(row + 1);
    atom.occupancy = reader.real_or(row, table.column("occupancy"), 1);
    atom.element = elements(symbol.substr(0, symbol.find_first_of("0123456789+-")), atom.name, {});
    glm::dvec3 fractional;
    for (int i = 0; i < 3; ++i) {
      fractional[i] = static_cast<double>(reader.coordinate(row, axes[i], "fractional coordinate"));
    }
    frame.positions.emplace_back(frame.cell.vectors * fractional);
    builder.add(std::move(atom), {}, 1, ' ', {});
  }
  mmcif::apply_displacements(document, block, frame.cell, builder.topology());
  elements.add_notes(builder.topology());
  builder.topology().notes.push_back("The asymmetric unit is read; symmetry is not applied.");
  molecule.topology = std::make_shared<const Topology>(builder.finish());
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  molecule.title = clean(document.value(block, "_chemical_name_systematic"));
  if (molecule.title.empty()) molecule.title = clean(document.block_name(block));
  return molecule;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const CifDocument document(source->text(), source->name());
  for (std::size_t block = 0; block < document.blocks(); ++block) {
    const CifTable sites = document.table(block, "_atom_site.", "cartn_x");
    const CifTable small = sites.empty() ? document.table(block, "_atom_site_", "fract_x") : CifTable{};
    if (sites.empty() && small.empty()) continue;
    Molecule molecule = sites.empty() ? read_small_molecule(*source, document, block, small)
                                      : read_macromolecule(*source, document, block, sites);
    std::size_t others = 0;
    for (std::size_t next = block + 1; next < document.blocks(); ++next) {
      others += !document.table(next, "_atom_site.", "cartn_x").empty() ||
                !document.table(next, "_atom_site_", "fract_x").empty();
    }
    if (others > 0) {
      molecule.warnings.push_back("Only data block \"" + clean(document.block_name(block)) + "\" is read; " +
                                  std::to_string(others) + " more have atoms.");
    }
    return molecule;
  }
  throw Error::in_file(source->name(), 0,
                       "none of the " + std::to_string(document.blocks()) +
                           " data blocks has atoms (_atom_site.Cartn_x or _atom_site_fract_x)");
}

}  // namespace

const Format mmcif_format = {"mmCIF", "cif mmcif mcif", "structure", sniff, read};

}  // namespace isolume
