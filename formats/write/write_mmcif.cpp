// Writing mmCIF.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "formats/structures/cif.h"
#include "formats/write/atom_text_writer.h"
#include "formats/write/cif_text.h"
#include "formats/write/frame_writer.h"
#include "formats/write/mmcif_annotation_tables.h"
#include "formats/write/mmcif_entities.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/crystal/crystal.h"
#include "molecule/elements.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

/// Categories of the wwPDB's PDBx/mmCIF dictionary 5: entry, struct, cell, symmetry (of the file where what is
/// written is its asymmetric unit, else P 1), entity, entity_poly, entity_poly_seq, struct_asym, struct_conf,
/// struct_sheet_range, struct_conn, chem_comp_bond, atom_site with a model for each frame, atom_site_anisotrop. One
/// cell: that of the first frame.
class MmcifWriter final : public AtomLines<NotingWriter> {
 public:
  MmcifWriter(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms,
              std::ostream* instead)
      : AtomLines(path, molecule, std::move(atoms), instead),
        entities_(cif_entities(*topology_, atoms_)),
        id_(plain_word(std::filesystem::path(path).stem().stem().string())),
        deposited_(!molecule.assemblies.empty()) {
    molecule_.assemblies = molecule.assemblies;
  }

  void add(const Frame& frame) override {
    if (!written_) {
      cell_ = frame.cell;
      write_head();
    }
    written_ = true;
    if (!(frame.cell == cell_)) ++other_cells_;
    ++models_;
    write_atoms(frame);
    text_.flush();
  }

  void finish() override {
    if (written_) {
      text_.add_text("#\n");
      write_cif_displacements(text_, *topology_, atoms_);
      text_.flush();
    }
    AtomLines::finish();
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> all;
    if (other_cells_ > 0)
      all.push_back(fmt::format("mmCIF has one cell, that of the first frame; {} frames had another.", other_cells_));
    if (nameless_ > 0)
      all.push_back(
          fmt::format("{} bonds are left out: mmCIF tells atoms by name, and theirs are not unique.", nameless_));
    return all;
  }

 private:
  void write_head() {
    text_.add("data_{}\n# written by Isolume\n_entry.id {}\n#\n", id_, cif_value(id_));
    if (!title_.empty()) text_.add("_struct.entry_id {}\n_struct.title {}\n#\n", cif_value(id_), cif_value(title_));
    if (cell_.exists()) {
      const glm::dvec3 l = cell_.lengths(), a = cell_.angles();
      text_.add("_cell.entry_id {}\n", cif_value(id_));
      for (int i = 0; i < 3; ++i) text_.add("_cell.length_{} {:.5f}\n", "abc"[i], l[i]);
      constexpr const char* angles[] = {"alpha", "beta", "gamma"};
      for (int i = 0; i < 3; ++i) text_.add("_cell.angle_{} {:.5f}\n", angles[i], a[i]);
      const SpaceGroup group = space_group_of(molecule_, cell_);
      if (group.z > 1) text_.add("_cell.Z_PDB {}\n", group.z);
      text_.add("#\n_symmetry.entry_id {}\n_symmetry.space_group_name_H-M {}\n", cif_value(id_),
                cif_value(group.symbol));
      if (const int number = space_group_number(group.symbol)) text_.add("_symmetry.Int_Tables_number {}\n", number);
      text_.add_text("#\n");
    }
    write_entities();
    if (deposited_) write_assembly();
    write_cif_structure(text_, *topology_, entities_);
    nameless_ = write_cif_bonds(text_, *topology_, entities_, atoms_);
    text_.add_text("loop_\n");
    for (const char* const item : {"group_PDB",         "id",
                                   "type_symbol",       "label_atom_id",
                                   "label_alt_id",      "label_comp_id",
                                   "label_asym_id",     "label_entity_id",
                                   "label_seq_id",      "pdbx_PDB_ins_code",
                                   "Cartn_x",           "Cartn_y",
                                   "Cartn_z",           "occupancy",
                                   "B_iso_or_equiv",    "pdbx_formal_charge",
                                   "auth_seq_id",       "auth_comp_id",
                                   "auth_asym_id",      "auth_atom_id",
                                   "pdbx_PDB_model_num"})
      text_.add("_atom_site.{}\n", item);
  }

  void write_entities() {
    using Kind = CifGroup::Kind;
    const auto polymer = [](const CifEntity& e) { return e.kind == Kind::protein || e.kind == Kind::nucleic; };
    text_.add_text("loop_\n_entity.id\n_entity.type\n_entity.pdbx_description\n");
    bool polymers = false;
    for (std::size_t e = 0; e < entities_.entities.size(); ++e) {
      const CifEntity& entity = entities_.entities[e];
      polymers = polymers || polymer(entity);
      const bool water = entity.kind == Kind::water;
      text_.add("{} {} {}\n", e + 1,
                polymer(entity) ? "polymer"
                : water         ? "water"
                                : "non-polymer",
                polymer(entity) ? "?"
                : water         ? "water"
                                : cif_value(entity.residues[0]));
    }
    text_.add_text("#\n");
    if (polymers) {
      text_.add_text("loop_\n_entity_poly.entity_id\n_entity_poly.type\n_entity_poly.pdbx_strand_id\n");
      for (std::size_t e = 0; e < entities_.entities.size(); ++e) {
        const CifEntity& entity = entities_.entities[e];
        if (!polymer(entity)) continue;
        const char* const type = entity.kind == Kind::protein ? "polypeptide(L)"
                                 : entity.deoxyribose         ? "polydeoxyribonucleotide"
                                                              : "polyribonucleotide";
        text_.add("{} {} {}\n", e + 1, type, cif_known(fmt::format("{}", fmt::join(entity.chains, ","))));
      }
      text_.add_text(
          "#\nloop_\n_entity_poly_seq.entity_id\n_entity_poly_seq.num\n_entity_poly_seq.mon_id\n"
          "_entity_poly_seq.hetero\n");
      for (std::size_t e = 0; e < entities_.entities.size(); ++e) {
        const CifEntity& entity = entities_.entities[e];
        if (!polymer(entity)) continue;
        for (std::size_t k = 0; k < entity.residues.size(); ++k)
          text_.add("{} {} {} n\n", e + 1, k + 1, cif_value(entity.residues[k]));
      }
      text_.add_text("#\n");
    }
    text_.add_text("loop_\n_struct_asym.id\n_struct_asym.entity_id\n");
    for (const CifGroup& group : entities_.groups) text_.add("{} {}\n", cif_value(group.label), group.entity + 1);
    text_.add_text("#\n");
  }

  /// All that is written as one assembly: it says, as the archive's files do, that neighbouring cells of the crystal
  /// hold other molecules.
  void write_assembly() {
    std::string labels;
    for (const CifGroup& group : entities_.groups) labels += (labels.empty() ? "" : ",") + group.label;
    constexpr std::size_t longest_line = 1900;  // CIF 1.1 has 2048
    if (labels.size() > longest_line) return;
    text_.add("_pdbx_struct_assembly.id 1\n_pdbx_struct_assembly.details 'as written'\n#\n");
    text_.add(
        "_pdbx_struct_assembly_gen.assembly_id 1\n_pdbx_struct_assembly_gen.oper_expression 1\n"
        "_pdbx_struct_assembly_gen.asym_id_list {}\n#\n",
        labels);
    text_.add("_pdbx_struct_oper_list.id 1\n_pdbx_struct_oper_list.type 'identity operation'\n");
    for (int i = 1; i <= 3; ++i) {
      for (int k = 1; k <= 3; ++k) text_.add("_pdbx_struct_oper_list.matrix[{}][{}] {}\n", i, k, i == k ? 1 : 0);
      text_.add("_pdbx_struct_oper_list.vector[{}] 0\n", i);
    }
    text_.add_text("#\n");
  }

  void write_atoms(const Frame& frame) {
    const Topology& t = *topology_;
    const int digits = has_precise_positions(frame) ? 6 : 4;
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      const std::uint32_t i = atoms_[k];
      if (i >= frame.positions.size()) throw Error("a frame to be written has too few positions");
      const Atom& atom = t.atoms[i];
      const Residue& residue = t.residues[atom.residue];
      const CifGroup& group = entities_.groups[entities_.group_of[atom.residue]];
      const glm::dvec3 p = precise_position(frame, i);
      if (!std::isfinite(p.x + p.y + p.z))
        throw Error(fmt::format("{}: atom {} has a position that is not a finite number", path_, i + 1));
      std::string symbol(element(atom.element).symbol);
      std::transform(symbol.begin(), symbol.end(), symbol.begin(), [](char c) { return c >= 'a' ? c - 32 : c; });
      const std::string name = cif_value(cif_atom_name(atom)), comp = cif_value(cif_residue_name(residue));
      const std::uint32_t number = entities_.number_in[atom.residue];
      text_.add("{} {} {} {} {} {} {} {} {} {} {:.{}f} {:.{}f} {:.{}f} {:.2f} {:.2f} {} {} {} {} {} {}\n",
                atom.hetero ? "HETATM" : "ATOM", ++serial_, symbol, name,
                atom.altloc == ' ' ? "." : cif_value(std::string(1, atom.altloc)), comp, cif_value(group.label),
                group.entity + 1, number == 0 ? "." : std::to_string(number),
                residue.insertion == ' ' ? "?" : cif_value(std::string(1, residue.insertion)), p.x, digits, p.y, digits,
                p.z, digits, atom.occupancy, atom.b_factor,
                atom.formal_charge == 0 ? "?" : std::to_string(atom.formal_charge), residue.number, comp,
                cif_value(t.chains[residue.chain].id), name, models_);
    }
  }

  CifEntities entities_;
  std::string id_;
  bool deposited_;     ///< the file had assemblies
  Molecule molecule_;  ///< those alone
  Cell cell_;
  std::size_t models_ = 0, other_cells_ = 0, nameless_ = 0;
  std::uint64_t serial_ = 0;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_mmcif_writer(const std::string& path, const Molecule& molecule,
                                                      std::vector<std::uint32_t> atoms, std::ostream* instead) {
  if (!molecule.topology) throw Error(path + ": mmCIF needs atoms; the input has positions only", Error::Kind::usage);
  return std::make_unique<MmcifWriter>(path, molecule, written_atoms(molecule, std::move(atoms)), instead);
}

}  // namespace isolume
