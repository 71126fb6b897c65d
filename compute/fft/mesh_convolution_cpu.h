// The passes of MeshConvolution; only it includes this.
#pragma once

#include "compute/fft/mesh_convolution.h"

namespace isolume {

/// Room that a thread needs for a pass, in floats.
std::size_t convolution_room(const MeshConvolution::View& view);

/// Rows of one y and 16 z, along x; then back.
void convolve_rows(const MeshConvolution::View& view, bool back, std::size_t slab, std::size_t y, float* values,
                   std::size_t stride, float* room);
/// Columns of one i and 16 z, along y; then back.
void convolve_columns(const MeshConvolution::View& view, bool back, std::size_t slab, std::size_t i, float* room);
/// Lines of one i and 16 y, along z and back with the product in between.
void convolve_lines(const MeshConvolution::View& view, std::size_t i, std::size_t block,
                    const MeshConvolution::Look& look, float* room);

}  // namespace isolume
