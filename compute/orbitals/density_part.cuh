// A set of orbitals over its functions on the device, which the kernels of densities read.
#pragma once

#include <algorithm>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/orbitals/density_tiles.cuh"

namespace isolume {
namespace density_tiles {

enum class ShellOrder { as_given, by_degree };

/// A part's arrays on the device.
class DevicePart {
 public:
  /// @param margin  bohr, added to the reach of every shell that counts
  DevicePart(const DensityFunctions& functions, float margin, const Stream& stream,
             ShellOrder order = ShellOrder::as_given) {
    std::vector<TileShell> shells;
    shells.reserve(functions.shells.size());
    for (const DensityShell& shell : functions.shells) {
      TileShell to{};
      for (int axis = 0; axis < 3; ++axis) to.centre[axis] = shell.centre[axis];
      to.reach = shell.cutoff > 0 ? static_cast<float>(shell.cutoff) * 1.000001f + margin : -1.0f;
      to.l = shell.l;
      to.first_primitive = shell.first_primitive;
      to.primitives = shell.primitives;
      to.first_function = shell.first_function;
      shells.push_back(to);
    }
    if (order == ShellOrder::by_degree) std::ranges::stable_sort(shells, {}, &TileShell::l);
    shells_ = DeviceArray<TileShell>::from_host(shells, stream, "shells of the density");
    exponents_ = DeviceArray<double>::from_host(functions.exponents, stream, "exponents of the density");
    factors_ = DeviceArray<double>::from_host(functions.factors, stream, "factors of the density");
    coefficients_ = DeviceArray<double>::from_host(functions.coefficients, stream, "coefficients of the density");
    weights_ = DeviceArray<double>::from_host(functions.weights, stream, "weights of the density");
    part = {shells_.data(),
            exponents_.data(),
            factors_.data(),
            coefficients_.data(),
            weights_.data(),
            static_cast<unsigned>(shells.size()),
            static_cast<unsigned>(functions.orbitals)};
  }
  Part part{};

 private:
  DeviceArray<TileShell> shells_;
  DeviceArray<double> exponents_, factors_, coefficients_, weights_;
};

}  // namespace density_tiles
}  // namespace isolume
