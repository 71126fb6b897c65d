// Arrays of NumPy: real numbers of one dimension or two.
#pragma once

#include <cstddef>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

struct NpyArray {
  std::size_t rows = 1, columns = 0;
  std::vector<float> values;  ///< one row after the other
};

/// Reads float32 or float64, little endian, C order (numpy.lib.format), of one dimension (one row) or two. Throws
/// Error::in_file for other arrays, for sizes that do not fit, and for numbers that are not finite.
NpyArray read_npy(const ByteSource& source);

}  // namespace isolume
