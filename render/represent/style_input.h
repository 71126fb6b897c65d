// The input of every style: atoms, which of them to draw, and how.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "render/represent/represent.h"

namespace isolume {

using Items = std::vector<std::shared_ptr<const DrawItem>>;

/// The arguments of represent(), checked; `drawn` is the mask without alternate locations after the first and without
/// positions that are no numbers.
struct StyleInput {
  const Topology& topology;
  const Frame& frame;
  const StyleOptions& options;
  std::span<const glm::u8vec4> colours;
  std::span<const SecondaryStructure> structure;  ///< empty: all coil
  std::uint32_t object;
  float opacity;
  Material material;
  std::vector<glm::vec3> copies;
  std::vector<std::uint8_t> drawn;
  std::function<void(double)> progress;
  const Frame& found;  ///< in which hydrogen bonds are found

  /// Every 4096th atom, bond or residue: stops where that was asked for (molecule/base/stop.h), and reports how far it
  /// is.
  void step(std::size_t done, std::size_t of) const {
    if ((done & 4095) == 0) report(done, of);
  }
  void report(std::size_t done, std::size_t of) const;

  glm::vec3 position(std::size_t atom) const { return frame.positions[atom]; }
  SecondaryStructure structure_of(std::size_t residue) const {
    return residue < structure.size() ? structure[residue] : SecondaryStructure::coil;
  }
  /// True where the bond is to be drawn: both atoms are, and it does not cross the periodic cell.
  bool bond_drawn(const Bond& bond) const;
  /// 1 for every atom with a bond that is drawn.
  std::vector<std::uint8_t> bonded() const;
  void add(Items& items, decltype(DrawItem::shape) shape) const;
};

Items represent_lines(const StyleInput& input);
Items represent_sticks(const StyleInput& input);
Items represent_ball_and_stick(const StyleInput& input);
Items represent_spheres(const StyleInput& input);
Items represent_cartoon(const StyleInput& input);
Items represent_tube(const StyleInput& input);
Items represent_trace(const StyleInput& input);
Items represent_points(const StyleInput& input);
Items represent_ellipsoids(const StyleInput& input);
Items represent_hydrogen_bonds(const StyleInput& input);
Items represent_vectors(const StyleInput& input);

}  // namespace isolume
