// Writing MOL2.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "formats/write/atom_text_writer.h"
#include "formats/write/sybyl_types.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"
#include "molecule/far_positions.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

/// MOLECULE, ATOM, BOND, SUBSTRUCTURE and CRYSIN records (Tripos Mol2 File Format, 2005), one set for each frame. A
/// substructure is a residue; its number is the residue's where those differ, else its place from 1.
class Mol2Writer final : public AtomTextWriter {
 public:
  Mol2Writer(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : AtomTextWriter(path, molecule, std::move(atoms)), place_(topology_->atoms.size(), 0) {
    for (std::size_t k = 0; k < atoms_.size(); ++k) place_[atoms_[k]] = static_cast<std::uint32_t>(k + 1);
    for (std::size_t b = 0; b < topology_->bonds.size(); ++b)
      if (place_[topology_->bonds[b].a] != 0 && place_[topology_->bonds[b].b] != 0) bonds_.push_back(b);
    add_substructures();
  }

  void add(const Frame& frame) override {
    if (frame.positions.size() < topology_->atoms.size()) throw Error("a frame to be written has too few positions");
    if (!written_) types_ = sybyl_types(*topology_, frame);
    written_ = true;
    text_.add("@<TRIPOS>MOLECULE\n{}\n{} {} {} 0 0\n{}\n{}\n\n", title_.empty() ? "molecule" : title_, atoms_.size(),
              bonds_.size(), roots_.size(), polymer_ ? "BIOPOLYMER" : "SMALL",
              topology_->has_charges ? "USER_CHARGES" : "NO_CHARGES");
    text_.add_text("@<TRIPOS>ATOM\n");
    for (std::size_t k = 0; k < atoms_.size(); ++k) write_atom(frame, k);
    text_.add_text("@<TRIPOS>BOND\n");
    for (std::size_t k = 0; k < bonds_.size(); ++k) {
      const Bond& bond = topology_->bonds[bonds_[k]];
      text_.add("{:6d} {:6d} {:6d} {}\n", k + 1, place_[bond.a], place_[bond.b], types_.bonds[bonds_[k]]);
    }
    if (frame.cell.exists()) {
      const glm::dvec3 l = frame.cell.lengths(), a = frame.cell.angles();
      text_.add("@<TRIPOS>CRYSIN\n{:.4f} {:.4f} {:.4f} {:.4f} {:.4f} {:.4f} 1 1\n", l.x, l.y, l.z, a.x, a.y, a.z);
    }
    text_.add_text("@<TRIPOS>SUBSTRUCTURE\n");
    for (const std::uint32_t root : roots_) {
      const Residue& residue = topology_->residue_of(root);
      const bool protein = residue_kind(*topology_, topology_->atoms[root].residue) == ResidueKind::protein;
      text_.add("{:6d} {} {:6d} {} 0 {} {}\n", number_of(root), substructure(root), place_[root],
                protein ? "RESIDUE" : "GROUP", word(topology_->chains[residue.chain].id, "****", 4),
                protein ? word(residue.name, "****", 8) : "****");
    }
    text_.flush();
  }

 private:
  /// A word without blanks, so that the fields stay apart.
  static std::string word(const std::string& text, const std::string& otherwise, std::size_t longest) {
    std::string result = one_line(text, longest);
    for (char& c : result)
      if (c == ' ' || c == '\t') c = '_';
    return result.empty() ? otherwise : result;
  }

  void add_substructures() {
    std::set<std::int32_t> seen;
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      const std::uint32_t residue = topology_->atoms[atoms_[k]].residue;
      polymer_ = polymer_ || residue_kind(*topology_, residue) == ResidueKind::protein ||
                 residue_kind(*topology_, residue) == ResidueKind::nucleic;
      if (k > 0 && residue == topology_->atoms[atoms_[k - 1]].residue) continue;
      roots_.push_back(atoms_[k]);
      place_of_residue_[residue] = static_cast<std::int32_t>(roots_.size());
      const std::int32_t number = topology_->residues[residue].number;
      own_numbers_ = own_numbers_ && number > 0 && seen.insert(number).second;
    }
  }
  std::int32_t number_of(std::uint32_t atom) const {
    const std::uint32_t residue = topology_->atoms[atom].residue;
    return own_numbers_ ? topology_->residues[residue].number : place_of_residue_.at(residue);
  }
  /// "ALA12".
  std::string substructure(std::uint32_t atom) const {
    const Residue& residue = topology_->residue_of(atom);
    return fmt::format("{}{}", word(residue.name, "UNL", 8), residue.number);
  }

  void write_atom(const Frame& frame, std::size_t k) {
    const std::uint32_t i = atoms_[k];
    const Atom& atom = topology_->atoms[i];
    const glm::dvec3 p = precise_position(frame, i);
    if (!std::isfinite(p.x + p.y + p.z + atom.charge))
      throw Error(fmt::format("{}: atom {} has a value that is not a finite number", path_, i + 1));
    const std::string name = word(atom.name, std::string(element(atom.element).symbol), 8);
    text_.add("{:7d} {:<8} {:10.4f} {:10.4f} {:10.4f} {:<6} {:5d} {:<9} {:10.6f}\n", k + 1, name, p.x, p.y, p.z,
              types_.atoms[i], number_of(i), substructure(i), topology_->has_charges ? atom.charge : 0.0f);
  }

  std::vector<std::uint32_t> place_;  ///< by atom of the topology, from 1; 0 for what is not written
  std::vector<std::size_t> bonds_;    ///< those that are written
  std::vector<std::uint32_t> roots_;  ///< the first atom of each substructure
  std::map<std::uint32_t, std::int32_t> place_of_residue_;
  bool own_numbers_ = true, polymer_ = false;
  SybylTypes types_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_mol2_writer(const std::string& path, const Molecule& molecule,
                                                     std::vector<std::uint32_t> atoms) {
  if (!molecule.topology) throw Error(path + ": MOL2 needs atoms; the input has positions only", Error::Kind::usage);
  return std::make_unique<Mol2Writer>(path, molecule, written_atoms(molecule, std::move(atoms)));
}

}  // namespace isolume
