// Writing PQR.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "formats/write/atom_text_writer.h"
#include "formats/write/cryst1.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/crystal/crystal.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

/// Fields separated by blanks: serial, name, residue, chain, number, x, y, z, charge, radius (APBS documentation, "PQR
/// molecular structure format"); CRYST1 where there is a cell; remarks that name estimated charges. One frame.
class PqrWriter final : public AtomTextWriter {
 public:
  PqrWriter(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : AtomTextWriter(path, molecule, std::move(atoms)) {
    molecule_.assemblies = molecule.assemblies;
  }

  void add(const Frame& frame) override {
    if (written_) throw Error(path_ + ": PQR holds one frame; choose it with --frames N", Error::Kind::usage);
    written_ = true;
    text_.add("REMARK   1 PQR file written by Isolume\n");
    for (const std::string& note : topology_->notes) {
      if (note.starts_with("Charges ")) text_.add("REMARK   2 {}\n", one_line(note, 200));
    }
    if (!title_.empty()) text_.add("TITLE     {}\n", title_);
    if (frame.cell.exists()) {
      text_.add("{}\n", cryst1(frame.cell, space_group_of(molecule_, frame.cell)));
    }
    for (std::size_t k = 0; k < atoms_.size(); ++k) write_atom(frame, k);
    text_.add("END\n");
    text_.flush();
  }

 private:
  // A word without blanks, so that the fields stay apart.
  static std::string word(const std::string& text, const char* otherwise) {
    std::string result = one_line(text, 8);
    for (char& c : result)
      if (c == ' ' || c == '\t') c = '_';
    return result.empty() ? otherwise : result;
  }

  void write_atom(const Frame& frame, std::size_t k) {
    const std::uint32_t i = atoms_[k];
    if (i >= frame.positions.size()) throw Error("a frame to be written has too few positions");
    const Atom& atom = topology_->atoms[i];
    const Residue& residue = topology_->residue_of(i);
    std::string chain = one_line(topology_->chain_of(i).id, 4);
    // A chain that is a number would be read as the residue's.
    if (chain.find_first_not_of("0123456789+-. ") == std::string::npos) chain.clear();
    std::string number = std::to_string(residue.number);
    if (residue.insertion != ' ') number += residue.insertion;
    const glm::dvec3 p = precise_position(frame, i);
    if (!std::isfinite(p.x + p.y + p.z + atom.charge + atom.radius))
      throw Error(fmt::format("{}: atom {} has a value that is not a finite number", path_, i + 1));
    text_.add("{:<6} {:5d} {:<4} {:<4} {:<1} {:>4} {:11.5f} {:11.5f} {:11.5f} {:9.5f} {:7.4f}\n",
              atom.hetero ? "HETATM" : "ATOM", k + 1, word(atom.name, "X"), word(residue.name, "UNK"), chain, number,
              p.x, p.y, p.z, atom.charge, atom.radius);
  }

  Molecule molecule_;  ///< its assemblies alone
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_pqr_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms) {
  if (!molecule.topology || !molecule.topology->has_charges)
    throw Error(path + ": PQR needs charges, and the input has none; PQR, PSF and MOL2 carry them", Error::Kind::usage);
  return std::make_unique<PqrWriter>(path, molecule, written_atoms(molecule, std::move(atoms)));
}

}  // namespace isolume
