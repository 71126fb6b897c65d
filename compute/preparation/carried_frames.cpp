// Hydrogens that follow their atoms from frame to frame.
#include "compute/preparation/carried_frames.h"

#include <algorithm>

#include "molecule/base/error.h"
#include "molecule/far_positions.h"

namespace isolume {

namespace {

/// Where a built atom is: in the axes of three atoms of the file.
struct Carried {
  std::uint32_t carrier = 0;           ///< of the file
  std::int64_t next = -1, third = -1;  ///< of the file; -1 where there is none
  glm::dvec3 offset{0.0};              ///< in those axes; in space where an atom is missing
};

/// Right-handed axes: x from the carrier to its neighbour, y in the plane of the third. False where they are in a line.
bool axes(const Carried& c, const Frame& frame, glm::dmat3& result) {
  if (c.next < 0 || c.third < 0) return false;
  const glm::dvec3 at = precise_position(frame, c.carrier);
  const auto from = [&](std::int64_t atom) {
    const glm::dvec3 d = precise_position(frame, static_cast<std::size_t>(atom)) - at;
    return frame.cell.exists() ? frame.cell.minimum_image(d) : d;
  };
  const glm::dvec3 x = from(c.next), towards = from(c.third);
  const glm::dvec3 z = glm::cross(x, towards);
  if (glm::length(x) < 1e-6 || glm::length(z) < 1e-3) return false;
  const glm::dvec3 a = glm::normalize(x), b = glm::normalize(z);
  result = glm::dmat3(a, glm::cross(b, a), b);
  return true;
}

class CarriedFrames final : public Trajectory {
 public:
  CarriedFrames(const PreparedStructure& prepared, const Molecule& molecule, std::size_t reference)
      : frames_(molecule.trajectory), source_(prepared.source) {
    const Topology& topology = *prepared.molecule.topology;
    const BondTable bonds = bond_table(topology);
    const Frame made = prepared.molecule.trajectory->frame(0), before = frames_->frame(reference);
    const auto neighbour = [&](std::uint32_t atom, std::uint32_t but) {
      for (std::uint32_t k = bonds.offsets[atom]; k < bonds.offsets[atom + 1]; ++k) {
        const std::uint32_t other = bonds.items[k];
        if (other != but && source_[other] >= 0) return static_cast<std::int64_t>(other);
      }
      return std::int64_t{-1};
    };
    for (std::uint32_t i = 0; i < source_.size(); ++i) {
      if (source_[i] >= 0) continue;
      Carried carried;
      const std::int64_t carrier = carrier_of(topology, bonds, made, i, neighbour(i, i));
      const auto own = static_cast<std::uint32_t>(carrier);
      const std::int64_t next = neighbour(own, i);
      std::int64_t third = -1;
      if (next >= 0) third = second_neighbour(bonds, own, static_cast<std::uint32_t>(next));
      if (next >= 0 && third < 0) third = neighbour(static_cast<std::uint32_t>(next), own);
      const auto file = [&](std::int64_t atom) { return atom < 0 ? -1 : source_[static_cast<std::size_t>(atom)]; };
      carried.carrier = static_cast<std::uint32_t>(file(carrier));
      carried.next = file(next);
      carried.third = file(third);
      const glm::dvec3 offset = glm::dvec3(made.positions[i]) - glm::dvec3(made.positions[own]);
      glm::dmat3 frame(1.0);
      if (axes(carried, before, frame)) {
        carried.offset = glm::transpose(frame) * offset;
      } else {
        carried.next = carried.third = -1;
        carried.offset = offset;
      }
      carried_.push_back(carried);
    }
  }

  std::size_t frame_count() const override { return frames_->frame_count(); }
  std::size_t atom_count() const override { return source_.size(); }
  Frame frame(std::size_t index) const override {
    const Frame from = frames_->frame(index);
    Frame result;
    result.cell = from.cell;
    result.time = from.time;
    result.has_time = from.has_time;
    result.positions.reserve(source_.size());
    const bool precise = !from.precise_positions.empty();
    std::size_t built = 0;
    for (const std::int64_t source : source_) {
      glm::dvec3 place;
      if (source >= 0) {
        place = precise_position(from, static_cast<std::size_t>(source));
      } else {
        const Carried& carried = carried_[built++];
        glm::dmat3 frame(1.0);
        const bool turned = axes(carried, from, frame);
        place = precise_position(from, carried.carrier) + (turned ? frame * carried.offset : carried.offset);
      }
      result.positions.emplace_back(place);
      if (precise) result.precise_positions.push_back(place);
    }
    return result;
  }

 private:
  /// Another heavy atom that is bonded to the carrier.
  std::int64_t second_neighbour(const BondTable& bonds, std::uint32_t carrier, std::uint32_t first) const {
    for (std::uint32_t k = bonds.offsets[carrier]; k < bonds.offsets[carrier + 1]; ++k) {
      const std::uint32_t other = bonds.items[k];
      if (other != first && source_[other] >= 0) return other;
    }
    return -1;
  }

  /// The atom of the file that is bonded to a built one, over other built ones too; else the nearest of its residue.
  std::int64_t carrier_of(const Topology& topology, const BondTable& bonds, const Frame& made, std::uint32_t atom,
                          std::int64_t bonded) const {
    if (bonded >= 0) return bonded;
    std::vector<std::uint32_t> reached{atom};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for (std::uint32_t n = bonds.offsets[reached[k]]; n < bonds.offsets[reached[k] + 1]; ++n) {
        const std::uint32_t other = bonds.items[n];
        if (topology.atoms[other].residue != topology.atoms[atom].residue) continue;
        if (source_[other] >= 0) return other;
        if (std::find(reached.begin(), reached.end(), other) == reached.end()) reached.push_back(other);
      }
    }
    const Residue& residue = topology.residue_of(atom);
    std::int64_t best = -1;
    for (std::uint32_t k = residue.first_atom; k < residue.first_atom + residue.atom_count; ++k) {
      if (source_[k] < 0) continue;
      if (best < 0 || glm::distance(made.positions[k], made.positions[atom]) <
                          glm::distance(made.positions[static_cast<std::size_t>(best)], made.positions[atom])) {
        best = k;
      }
    }
    if (best < 0) throw Error("a built atom has no residue that carries it", Error::Kind::failed);
    return best;
  }

  std::shared_ptr<const Trajectory> frames_;
  std::vector<std::int64_t> source_;
  std::vector<Carried> carried_;
};

}  // namespace

Molecule with_all_frames(const PreparedStructure& prepared, const Molecule& molecule, std::size_t frame) {
  Molecule result = prepared.molecule;
  if (molecule.frame_count() > 1) {
    result.trajectory = std::make_shared<const CarriedFrames>(prepared, molecule, frame);
    // What its reader said of its frames, such as those that it left out.
    result.warnings.insert(result.warnings.end(), molecule.warnings.begin(), molecule.warnings.end());
    if (result.paths.empty()) result.paths = molecule.paths;
  }
  return result;
}

}  // namespace isolume
