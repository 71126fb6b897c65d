// Writing PDB.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "formats/write/buffered_output.h"
#include "formats/write/cryst1.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/crystal/crystal.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

/// ATOM and HETATM in the columns of PDB 3.30; several frames are models. Serials and residue numbers beyond their
/// columns begin again at 0, as the field's programs do.
class PdbWriter final : public TrajectoryWriter {
 public:
  PdbWriter(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : path_(path), file_(path), topology_(molecule.topology), atoms_(std::move(atoms)) {
    molecule_.assemblies = molecule.assemblies;
    for (const std::uint32_t i : atoms_) check_names(i);
    title_ = one_line(molecule.title, 70);
  }

  void add(const Frame& frame) override {
    ++frames_;
    if (frames_ == 1) {
      first_ = frame;  // whether it is a model is known when the next one comes, or none
      return;
    }
    if (frames_ == 2) {
      write_head(first_);
      write_model(first_, 1);
      first_ = {};
    }
    write_model(frame, frames_);
  }

  void finish() override {
    if (frames_ == 0) throw Error(path_ + ": there are no frames to be written", Error::Kind::usage);
    if (frames_ == 1) {
      write_head(first_);
      write_atoms(first_);
    }
    write_bonds();
    text_.add_text("END\n");
    text_.flush();
    file_.finish();
  }

 private:
  void check_names(std::uint32_t atom) const {
    const Atom& a = topology_->atoms[atom];
    const auto check = [&](const std::string& name, std::size_t longest, const char* what) {
      if (name.size() > longest) {
        throw Error(fmt::format("{}: PDB has no room for the {} \"{}\" ({} letters); write xyz, or select less", path_,
                                what, one_line(name, 40), longest),
                    Error::Kind::usage);
      }
    };
    check(a.name, 4, "atom name");
    check(topology_->residue_of(atom).name, 4, "residue name");
    check(topology_->chain_of(atom).id, topology_->residue_of(atom).name.size() > 3 ? 1 : 2, "chain");
  }

  void write_head(const Frame& frame) {
    if (!title_.empty()) text_.add("TITLE     {}\n", title_);
    write_cell(frame);
  }

  void write_cell(const Frame& frame) {
    cell_ = frame.cell;
    if (!frame.cell.exists()) return;
    text_.add("{}\n", cryst1(frame.cell, space_group_of(molecule_, frame.cell)));
  }

  void write_model(const Frame& frame, std::size_t number) {
    text_.add("MODEL     {:4d}\n", number % 10000);
    if (!(frame.cell == cell_)) write_cell(frame);  // a model may have a cell of its own
    write_atoms(frame);
    text_.add_text("ENDMDL\n");
    text_.flush();
  }

  void write_atoms(const Frame& frame) {
    const Topology& t = *topology_;
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      const std::uint32_t i = atoms_[k];
      if (i >= frame.positions.size()) throw Error("a frame to be written has too few positions");
      const Atom& atom = t.atoms[i];
      const Residue& residue = t.residue_of(i);
      const Chain& chain = t.chain_of(i);
      const glm::vec3 p = frame.positions[i];
      for (int axis = 0; axis < 3; ++axis) {
        if (!(p[axis] > -999.9995f && p[axis] < 9999.9995f)) {
          throw Error(fmt::format("{}: PDB has no room for the coordinate {} of atom {}", path_, p[axis], i + 1),
                      Error::Kind::usage);
        }
      }
      const std::string_view symbol = atom.element != 0 ? element(atom.element).symbol : std::string_view();
      // Names of three letters or fewer leave a column for a second letter of the element.
      const std::string name = atom.name.size() < 4 && symbol.size() < 2 ? " " + atom.name : atom.name.text();
      std::string charge;
      if (atom.formal_charge != 0 && std::abs(atom.formal_charge) < 10) {
        charge = fmt::format("{}{}", std::abs(atom.formal_charge), atom.formal_charge > 0 ? '+' : '-');
      }
      std::string upper(symbol);
      std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return c >= 'a' ? c - 32 : c; });
      const int number = residue.number >= -999 && residue.number <= 9999 ? residue.number : residue.number % 10000;
      const std::string place = fmt::format("{}{:4d}{}", residue_and_chain(residue, chain), number, residue.insertion);
      text_.add("{:<6}{:5d} {:<4}{}{}   {:8.3f}{:8.3f}{:8.3f}{:6.2f}{:6.2f}      {:<4}{:>2}{:<2}\n",
                atom.hetero ? "HETATM" : "ATOM", (k + 1) % 100000, name, atom.altloc, place, p.x, p.y, p.z,
                std::clamp(atom.occupancy, -99.99f, 999.99f), std::clamp(atom.b_factor, -99.99f, 999.99f),
                chain.segment.substr(0, 4), upper, charge);
      const bool last_of_chain = k + 1 == atoms_.size() || &t.chain_of(atoms_[k + 1]) != &chain;
      if (last_of_chain && !atom.hetero) {
        text_.add("TER   {:5d}      {}\n", (k + 2) % 100000, place);
      }
    }
  }

  /// Columns 18 to 22: a residue name of four letters takes the column before the chain.
  static std::string residue_and_chain(const Residue& residue, const Chain& chain) {
    if (residue.name.size() > 3) return fmt::format("{:<4}{:>1}", residue.name, chain.id);
    return fmt::format("{:>3}{:>2}", residue.name, chain.id);
  }

  /// CONECT for the bonds of HETATM that came from a file; bonds of polymers follow from their residues.
  void write_bonds() {
    if (!topology_->has_bonds || atoms_.size() > 99999) return;
    std::vector<std::uint32_t> serial(topology_->atoms.size(), 0);
    for (std::size_t k = 0; k < atoms_.size(); ++k) serial[atoms_[k]] = static_cast<std::uint32_t>(k + 1);
    std::map<std::uint32_t, std::vector<std::uint32_t>> bonds;
    for (const Bond& bond : topology_->bonds) {
      if (serial[bond.a] == 0 || serial[bond.b] == 0) continue;
      if (!topology_->atoms[bond.a].hetero && !topology_->atoms[bond.b].hetero) continue;
      bonds[serial[bond.a]].push_back(serial[bond.b]);
      bonds[serial[bond.b]].push_back(serial[bond.a]);
    }
    for (const auto& [from, to] : bonds) {
      for (std::size_t k = 0; k < to.size(); ++k) {
        if (k % 4 == 0) text_.add("{}CONECT{:5d}", k == 0 ? "" : "\n", from);
        text_.add("{:5d}", to[k]);
      }
      text_.add_text("\n");
    }
  }

  std::string path_;
  OutputFile file_;
  BufferedOutput text_{file_.stream()};
  std::shared_ptr<const Topology> topology_;
  std::vector<std::uint32_t> atoms_;
  Molecule molecule_;  ///< its assemblies alone
  std::string title_;
  std::size_t frames_ = 0;
  Frame first_;
  Cell cell_;  ///< the one written last
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_pdb_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms) {
  if (!molecule.topology) throw Error(path + ": PDB needs atoms; the input has positions only", Error::Kind::usage);
  return std::make_unique<PdbWriter>(path, molecule, written_atoms(molecule, std::move(atoms)));
}

}  // namespace isolume
