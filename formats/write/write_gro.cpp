// Writing GRO.
#include <fmt/format.h>

#include "formats/write/atom_text_writer.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

/// Title, number of atoms, fixed columns in nm with three decimals, velocities in nm/ps, the box (GROMACS reference
/// manual, "File formats: gro"). Numbers of residues and atoms beyond five digits begin again at 0. Several frames
/// follow one another.
class GroWriter final : public AtomTextWriter {
 public:
  GroWriter(const std::string& path, const Molecule& molecule, std::vector<std::uint32_t> atoms)
      : AtomTextWriter(path, molecule, std::move(atoms)) {
    if (title_.empty()) title_ = "written by Isolume";
  }

  void add(const Frame& frame) override {
    written_ = true;
    text_.add("{}{}\n{:5d}\n", title_, frame.has_time ? fmt::format(" t= {:.5f}", frame.time) : "", atoms_.size());
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      const std::uint32_t i = atoms_[k];
      if (i >= frame.positions.size()) throw Error("a frame to be written has too few positions");
      const Residue& residue = topology_->residue_of(i);
      const glm::dvec3 p = precise_position(frame, i) / units::nm_in_angstrom;
      for (int axis = 0; axis < 3; ++axis) {
        if (!(p[axis] > -999.9995 && p[axis] < 9999.9995))
          throw Error(fmt::format("{}: GRO has no room for the coordinate {} nm of atom {}", path_, p[axis], i + 1),
                      Error::Kind::usage);
      }
      text_.add("{:5d}{:<5}{:>5}{:5d}{:8.3f}{:8.3f}{:8.3f}", ((residue.number % 100000) + 100000) % 100000,
                word(residue.name, "residue name"), word(topology_->atoms[i].name, "atom name"), (k + 1) % 100000, p.x,
                p.y, p.z);
      if (frame.velocities.size() == frame.positions.size()) {
        const glm::dvec3 v = glm::dvec3(frame.velocities[i]) / units::nm_in_angstrom;
        if (!glm::all(glm::lessThan(glm::abs(v), glm::dvec3(99))))
          throw Error(fmt::format("{}: GRO has no room for the velocity of atom {}", path_, i + 1), Error::Kind::usage);
        text_.add("{:8.4f}{:8.4f}{:8.4f}", v.x, v.y, v.z);
      }
      text_.add_text("\n");
    }
    const glm::dmat3 v = frame.cell.vectors / units::nm_in_angstrom;
    text_.add("{:10.5f}{:10.5f}{:10.5f}", v[0][0], v[1][1], v[2][2]);
    if (frame.cell.exists() && !frame.cell.orthogonal()) {
      text_.add("{:10.5f}{:10.5f}{:10.5f}{:10.5f}{:10.5f}{:10.5f}", v[0][1], v[0][2], v[1][0], v[1][2], v[2][0],
                v[2][1]);
    }
    text_.add_text("\n");
    text_.flush();
  }

 private:
  std::string word(const std::string& name, const char* what) const {
    if (name.size() > 5)
      throw Error(fmt::format("{}: GRO has no room for the {} \"{}\" (5 letters); write pqr, or select less", path_,
                              what, one_line(name, 40)),
                  Error::Kind::usage);
    return name.empty() ? "X" : one_line(name, 5);
  }
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_gro_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms) {
  if (!molecule.topology) throw Error(path + ": GRO needs atoms; the input has positions only", Error::Kind::usage);
  return std::make_unique<GroWriter>(path, molecule, written_atoms(molecule, std::move(atoms)));
}

}  // namespace isolume
