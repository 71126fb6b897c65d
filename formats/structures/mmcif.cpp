// mmCIF files: atoms, models and what other categories say about them; small molecules.
#include "formats/structures/mmcif.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/bytes/element_column.h"
#include "formats/bytes/frames.h"
#include "formats/bytes/text.h"
#include "formats/structures/cif.h"
#include "formats/structures/crystal_symmetry.h"
#include "formats/structures/mmcif_annotations.h"
#include "formats/structures/mmcif_assembly.h"
#include "formats/structures/mmcif_sites.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using namespace mmcif;

int sniff(const ByteSource& source) {
  if (looks_binary(source)) return 0;
  for (const std::string_view line : first_lines(source, 2000)) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    return starts_with_nocase(text, "DATA_") ? 90 : 0;
  }
  return 0;
}

Molecule read_macromolecule(const std::shared_ptr<const ByteSource>& source, const CifDocument& document,
                            std::size_t block, const CifTable& table) {
  const SiteColumns columns(table);
  for (const auto& [column, name] :
       {std::pair{columns.y, "Cartn_y"}, {columns.z, "Cartn_z"}, {columns.name, "label_atom_id"}}) {
    if (column == CifTable::none)
      throw Error::in_file(source->name(), table.line(), std::string("atom_site has no ") + name);
  }
  if (table.rows() > source->limits().atoms)
    throw Error::in_file(source->name(), table.line(), "more atoms than the limit");
  Molecule molecule;
  const std::vector<Rows> models = models_of(table, columns);
  std::vector<Rows> frames;
  std::vector<LeftOut> left_out;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (i == 0 || same_atoms(table, columns, models[0], models[i])) {
      frames.push_back(models[i]);
    } else {
      left_out.push_back({i + 1, models[i].end - models[i].first});
    }
  }
  AtomPart first = read_first(*source, table, columns, models[0]);
  Topology& draft = first.builder.topology();
  first.elements.add_notes(draft);
  const auto altlocs =
      std::count_if(draft.atoms.begin(), draft.atoms.end(), [](const Atom& atom) { return atom.altloc != ' '; });
  if (altlocs > 0) draft.notes.push_back(std::to_string(altlocs) + " atoms are alternate locations; all are kept.");
  const mmcif::ResidueIndex index = residue_index(table, columns, draft);
  mmcif::apply_structure(document, block, index, draft);
  mmcif::apply_bonds(document, block, index, draft, molecule.warnings);
  mmcif::apply_component_bonds(document, block, draft);
  mmcif::apply_displacements(document, block, draft);
  first.frame.cell = mmcif::cell(document, block, "_cell.", molecule.warnings);
  warn_left_out(molecule, left_out, models[0].end - models[0].first, "model");
  molecule.topology = std::make_shared<Topology>(first.builder.finish());
  molecule.assemblies = mmcif::read_assemblies(document, block, *molecule.topology, molecule.warnings);
  mmcif::add_unit_cell(molecule, first.frame.cell, document, block);
  molecule.trajectory = frames_of(source, table, columns, frames, std::move(first.frame));
  molecule.title = clean(document.value(block, "_struct.title"));
  if (molecule.title.empty()) molecule.title = clean(document.value(block, "_entry.id"));
  return molecule;
}

Molecule read_small_molecule(const ByteSource& source, const CifDocument& document, std::size_t block,
                             const CifTable& table) {
  Molecule molecule;
  std::size_t at = 0;
  Row row = row_of(source, table, at);
  Frame frame;
  frame.cell = mmcif::cell(document, block, "_cell_", molecule.warnings);
  if (!frame.cell.exists()) {
    throw Error::in_file(source.name(), table.line(), "fractional coordinates without a cell (_cell_length_a, ...)");
  }
  const std::size_t axes[] = {table.column("fract_x"), table.column("fract_y"), table.column("fract_z")};
  TopologyBuilder builder;
  ElementColumn elements;
  for (; at < table.rows(); ++at) {
    table.values(at, row.values());
    const std::string_view symbol = row.at(table.column("type_symbol"));
    Atom atom;
    atom.name = clean(row.at(table.column("label")));
    atom.serial = static_cast<std::int32_t>(at + 1);
    atom.occupancy = row.real_or(table.column("occupancy"), 1);
    atom.element = elements(symbol.substr(0, symbol.find_first_of("0123456789+-")), atom.name, {});
    glm::dvec3 fractional;
    for (int i = 0; i < 3; ++i) {
      fractional[i] = row.coordinate(axes[i], "fractional coordinate");
    }
    frame.positions.emplace_back(frame.cell.vectors * fractional);
    builder.add(std::move(atom), {}, 1, ' ', {});
  }
  mmcif::apply_displacements(document, block, frame.cell, builder.topology());
  elements.add_notes(builder.topology());
  builder.topology().notes.push_back("The asymmetric unit is read; symmetry is not applied.");
  molecule.topology = std::make_shared<Topology>(builder.finish());
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  molecule.title = clean(document.value(block, "_chemical_name_systematic"));
  if (molecule.title.empty()) molecule.title = clean(document.block_name(block));
  return molecule;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const CifDocument document(source->text(), source->name(), source->limits().piece);
  return read_cif(source, document);
}

}  // namespace

Molecule read_cif(const std::shared_ptr<const ByteSource>& source, const CifDocument& document) {
  for (std::size_t block = 0; block < document.blocks(); ++block) {
    const CifTable sites = document.table(block, "_atom_site.", "cartn_x");
    const CifTable small = sites.empty() ? document.table(block, "_atom_site_", "fract_x") : CifTable{};
    if (sites.empty() && small.empty()) continue;
    Molecule molecule = sites.empty() ? read_small_molecule(*source, document, block, small)
                                      : read_macromolecule(source, document, block, sites);
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

const Format mmcif_format = {"mmCIF", "cif mmcif mcif", "structure", sniff, read};

}  // namespace isolume
