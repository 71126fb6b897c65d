// Frame groups: the points of several frames at once, and what is held against them.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/span.h"
#include "molecule/cell.h"

namespace isolume {

/// The points of consecutive frames, angstrom: those of frame f begin at f * points. One of both spans is filled.
struct FrameGroup {
  std::size_t frames = 0, points = 0;
  Span<const glm::vec3> positions;   ///< of files that have single precision
  Span<const glm::dvec3> precise;    ///< of those that have double precision, and of the CPU
  std::span<const Cell> cells = {};  ///< one a frame, in host memory; empty: no frame has one

  Device device() const { return precise.empty() ? positions.device : precise.device; }
};

/// Consecutive points of each frame.
struct PointRange {
  std::size_t first = 0, count = 0;
};

/// A place, a weight, or both, of each point of a range: the same for all frames, on the device that computes.
class PointData {
 public:
  /// Either may be empty: places that are not needed, weights of 1. Places are in angstrom. Where nothing but a sum is
  /// asked for weights may be any numbers; else they are not negative and not all 0. Throws Error (usage) where the
  /// counts differ.
  PointData(std::vector<glm::dvec3> places, std::vector<double> weights, std::size_t count, Device device);

  std::size_t count() const { return count_; }
  Device device() const { return device_; }
  double weight_sum() const { return weight_sum_; }
  /// The weighted centre of the places, angstrom.
  glm::dvec3 centre() const { return centre_; }
  std::span<const glm::dvec3> places() const { return places_; }
  std::span<const double> weights() const { return weights_; }
  /// Other places, as many.
  void move_to(std::vector<glm::dvec3> places);

  /// Copies on a CUDA device; empty for the CPU, and where there are none.
  Span<const glm::dvec3> device_places() const { return device_places_.span(); }
  Span<const double> device_weights() const { return device_weights_.span(); }

 private:
  std::size_t count_ = 0;
  Device device_;
  std::vector<glm::dvec3> places_;
  std::vector<double> weights_;
  double weight_sum_ = 0;
  glm::dvec3 centre_{0.0};
  DeviceArray<glm::dvec3> device_places_;
  DeviceArray<double> device_weights_;
};

}  // namespace isolume
