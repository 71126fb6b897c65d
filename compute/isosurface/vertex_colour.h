// The colour of a vertex: from the colours of a volume, or from a scalar and the colours of its values.
#pragma once

#include "compute/base/storage.h"
#include "compute/isosurface/marching_cubes_math.h"

namespace isolume {

/// 0 .. 255 of a colour 0 .. 1; NaN is 0.
ISOLUME_HOST_DEVICE inline std::uint8_t colour_byte(float value) {
  return from_float<Unorm8>(value).bits;
}

/// A colour of a volume.
ISOLUME_HOST_DEVICE inline void volume_colour(const void* colours, Storage element, std::size_t at, float out[3]) {
  if (element == Storage::float32) {
    const float* from = static_cast<const float*>(colours) + 3 * at;
    for (int c = 0; c < 3; ++c) out[c] = from[c];
  } else if (element == Storage::half) {
    const Half* from = static_cast<const Half*>(colours) + 4 * at;
    for (int c = 0; c < 3; ++c) out[c] = to_float(from[c]);
  } else {
    const Unorm8* from = static_cast<const Unorm8*>(colours) + 4 * at;
    for (int c = 0; c < 3; ++c) out[c] = to_float(from[c]);
  }
}

/// The colours of a scalar, evenly spaced from `lower` to `upper`; beyond, those of the ends; NaN the middle one.
struct ScalarRamp {
  static constexpr int most = 16;
  float lower = -1, upper = 1;
  float offset = 0;  ///< angstrom along the normal from the vertex to where the scalar is read
  int count = 0;
  float colours[most][3];

  ISOLUME_HOST_DEVICE void colour(float value, float out[3]) const {
    float at = (value - lower) / (upper - lower) * static_cast<float>(count - 1);
    if (!(at == at)) at = 0.5f * static_cast<float>(count - 1);
    at = at < 0.0f ? 0.0f : at > static_cast<float>(count - 1) ? static_cast<float>(count - 1) : at;
    const int i = at >= static_cast<float>(count - 1) ? (count > 1 ? count - 2 : 0) : static_cast<int>(at);
    const float part = at - static_cast<float>(i);
    for (int c = 0; c < 3; ++c) {
      const float next = colours[i + 1 < count ? i + 1 : i][c];
      out[c] = colours[i][c] + part * (next - colours[i][c]);
    }
  }
};

/// What a vertex is coloured by.
struct VertexColour {
  const void* colours = nullptr;  ///< of the volume's points, or null
  Storage element = Storage::float32;
  const float* scalars = nullptr;  ///< of the volume's points, or null
  ScalarRamp ramp;
};

/// The scalar at a vertex: along its edge, or where the normal leads to, between the eight points around that.
ISOLUME_HOST_DEVICE inline float vertex_scalar(const IsoGrid& g, const float* scalars, float offset, const IsoVertex& v,
                                               int axis, int i, int j, int k) {
  if (offset == 0.0f) {
    const float a = scalars[g.index(i, j, k)];
    const float b = scalars[g.index(i + (axis == 0), j + (axis == 1), k + (axis == 2))];
    return a + v.along * (b - a);
  }
  const int n[3] = {g.nx, g.ny, g.layers};
  float at[3] = {static_cast<float>(i), static_cast<float>(j), static_cast<float>(k + g.first)};
  at[axis] += v.along;
  int cell[3];
  float part[3];
  for (int a = 0; a < 3; ++a) {
    float shift = 0;
    for (int c = 0; c < 3; ++c) shift += g.gradient[a][c] * v.normal[c];
    const float most = static_cast<float>(n[a] - 1);
    const float moved = at[a] + offset * g.inverse_scale * shift;
    at[a] = !(moved > 0.0f) ? 0.0f : moved > most ? most : moved;
    cell[a] = at[a] >= most ? n[a] - 2 : static_cast<int>(at[a]);
    part[a] = at[a] - static_cast<float>(cell[a]);
  }
  float sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    float weight = 1;
    for (int a = 0; a < 3; ++a) weight *= corner >> a & 1 ? part[a] : 1.0f - part[a];
    // 0 of a corner that is not a number must not spoil the sum.
    if (weight > 0.0f) {
      sum += weight * scalars[g.index(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2))];
    }
  }
  return sum;
}

/// Red, green, blue from 0 to 1.
ISOLUME_HOST_DEVICE inline void vertex_colour(const IsoGrid& g, const VertexColour& by, const IsoVertex& v, int axis,
                                              int i, int j, int k, float out[3]) {
  if (by.scalars) {
    by.ramp.colour(vertex_scalar(g, by.scalars, by.ramp.offset, v, axis, i, j, k), out);
    return;
  }
  float a[3];
  float b[3];
  volume_colour(by.colours, by.element, g.index(i, j, k), a);
  volume_colour(by.colours, by.element, g.index(i + (axis == 0), j + (axis == 1), k + (axis == 2)), b);
  for (int c = 0; c < 3; ++c) out[c] = a[c] + v.along * (b[c] - a[c]);
}

}  // namespace isolume
