// The potential at the open sites of ions, on one kind of device each; only the placement and the bodies include this.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compute/sampling/ion_placement.h"

namespace isolume {

constexpr double ion_tie = 1e-9;       ///< relative difference of energies that are equal
constexpr double ion_rounding = 1e-9;  ///< angstrom: distances that count as equal

/// The ion placed last.
struct IonUpdate {
  double x, y, z;   ///< angstrom
  double strength;  ///< q / (4 pi eps0), V angstrom
  double closest2;  ///< square of the distance below which sites are closed; a negative one: nothing was placed
};

struct IonBest {
  double energy = 0;     ///< the lowest q V of the open sites, eV
  std::size_t open = 0;  ///< how many there are
};

struct IonHits {
  std::vector<std::uint32_t> sites;  ///< with q V up to the limit, in ascending order
  std::vector<double> values;        ///< V there
  double next = 0;                   ///< the lowest q V above it; infinite where there is none
};

/// Sites with their potential on a device.
class IonField {
 public:
  virtual ~IonField() = default;
  /// Adds the potential of an ion, closes the sites near it, and finds the lowest q V, all in one pass.
  virtual IonBest step(const IonUpdate& update, double charge, Job& job) = 0;
  /// The open sites with q V <= limit.
  virtual IonHits within(double limit, double charge, Job& job) = 0;
};

/// The sites live as long; their map, where they have one, is on the device.
std::unique_ptr<IonField> ion_field_cpu(const IonSites& sites, Job& job);
std::unique_ptr<IonField> ion_field_cuda(const IonSites& sites, Device device);

/// A few values of a map, by their places in it.
std::vector<float> ion_map_values(Span<const float> map, std::span<const std::size_t> at);
std::vector<float> ion_map_values_cuda(Span<const float> map, std::span<const std::size_t> at);

}  // namespace isolume
