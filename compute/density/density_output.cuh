// Where the sums of the Gaussian density go on CUDA: floats, halves or 8 bits.
#pragma once

#include "compute/base/storage.h"

namespace isolume {

namespace {

/// Where the sums go.
struct DensityOutput {
  void* density;
  void* colours;
  Storage element;
  Storage colour_element;
};

__device__ void store_density(const DensityOutput& out, std::size_t to, float rho) {
  if (out.element == Storage::float32) {
    static_cast<float*>(out.density)[to] = rho;
  } else if (out.element == Storage::half) {
    static_cast<Half*>(out.density)[to] = from_float<Half>(rho);
  } else {
    static_cast<Unorm8*>(out.density)[to] = from_float<Unorm8>(rho);
  }
}

__device__ void store_colour(const DensityOutput& out, std::size_t to, float red, float green, float blue) {
  if (out.colour_element == Storage::float32) {
    float* colour = static_cast<float*>(out.colours) + 3 * to;
    colour[0] = red;
    colour[1] = green;
    colour[2] = blue;
  } else if (out.colour_element == Storage::half) {
    const __half2 first = __floats2half2_rn(red, green);
    const __half2 second = __floats2half2_rn(blue, 0.0f);
    static_cast<uint2*>(out.colours)[to] = {*reinterpret_cast<const unsigned*>(&first),
                                            *reinterpret_cast<const unsigned*>(&second)};
  } else {
    static_cast<uchar4*>(out.colours)[to] =
        make_uchar4(from_float<Unorm8>(red).bits, from_float<Unorm8>(green).bits, from_float<Unorm8>(blue).bits, 255);
  }
}

}  // namespace

}  // namespace isolume
