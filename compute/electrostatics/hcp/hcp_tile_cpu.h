// The innermost loops of hierarchical charge partitioning on the CPU, over a tile of points.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/electrostatics/hcp/hcp_components.h"

namespace isolume {

/// Points that are summed together, and a charge's mask says on which of them it acts.
inline constexpr int tile_size = 16;
inline constexpr int tile_x = 4, tile_y = 2, tile_z = 2;  // of a grid
inline constexpr unsigned all_points = (1u << tile_size) - 1;

struct HcpTile {
  alignas(64) float x[tile_size], y[tile_size], z[tile_size];
  alignas(64) float v[tile_size];
};

/// A constant dielectric is 1 here; its D is divided out at the end.
struct HcpLaw {
  float bulk = 1, half = 0, slope = 0;  ///< D, (D - 1)/2, S
};

/// Adds `count` charges to a tile; each acts on the points in its mask (null: on all).
using AddCharges = void (*)(const HcpCharge* charges, const std::uint16_t* masks, std::size_t count, const HcpLaw& law,
                            HcpTile& tile);
AddCharges hcp_add_charges(bool sigmoidal);

/// The points of a tile for which a component is far, as bits.
std::uint32_t hcp_far_points(const HcpTile& tile, const HcpCentre& centre);

}  // namespace isolume
