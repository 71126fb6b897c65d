// Fields too large for memory: computed on fewer points, with a message.
#pragma once

#include <cstddef>
#include <string>

#include "app/fields/fields.h"
#include "molecule/base/error.h"

namespace isolume {

/// More bytes were needed than can be had, on a grid whose points lie `spacing` angstrom apart.
class DoesNotFit : public Error {
 public:
  DoesNotFit(const std::string& message, std::size_t needed, std::size_t available, double spacing)
      : Error(message), needed_(needed), available_(available), spacing_(spacing) {}
  std::size_t needed() const { return needed_; }
  std::size_t available() const { return available_; }
  double spacing() const { return spacing_; }

 private:
  std::size_t needed_, available_;
  double spacing_;
};

/// require_memory() (compute/base/memory.h) of something on a grid: throws DoesNotFit.
void require_memory_of_grid(std::size_t bytes, const Device& device, const std::string& what, const Grid& grid);

/// The spacing with as many points as the bytes that can be had are of those that were needed, and a few less. Throws
/// `fault` where a kind has no grid to choose, or where it would be too coarse to show anything.
double coarser_spacing(Field::Kind kind, const DoesNotFit& fault);

/// "0.31 angstrom between grid points instead of 0.1, which needed 52.8 MiB where 20.5 MiB can be had".
std::string fewer_points_note(double spacing, const DoesNotFit& first);

}  // namespace isolume
