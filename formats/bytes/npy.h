// Arrays of NumPy (numpy.lib.format, versions 1 to 3): real numbers of any type and order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// What a file of NumPy begins with.
inline constexpr std::string_view npy_magic("\x93NUMPY", 6);

/// What the header says, and where the numbers begin. The file may be shorter than that.
struct NpyHeader {
  char kind = 'f';  ///< f, i or u
  int bytes = 4;    ///< of a number
  bool swap = false;
  bool fortran = false;              ///< the first index runs fastest
  std::vector<std::uint64_t> shape;  ///< at most 8 dimensions
  std::uint64_t offset = 0;          ///< bytes, of the first number
};

/// Floats of 4 or 8 bytes and integers of 1 to 8, in either byte order. Throws Error::in_file for damaged headers, and
/// for arrays of anything else.
NpyHeader read_npy_header(const ByteSource& source);

/// The numbers of an array of two dimensions, which are all in the file.
class NpyNumbers {
 public:
  /// `source` has to live as long.
  NpyNumbers(const ByteSource& source, const NpyHeader& header, std::uint64_t rows, std::uint64_t columns)
      : data_(source.bytes().data() + header.offset),
        kind_(header.kind),
        bytes_(header.bytes),
        swap_(header.swap),
        by_row_(header.fortran ? 1 : columns),
        by_column_(header.fortran ? rows : 1) {}
  double operator()(std::uint64_t row, std::uint64_t column) const;

 private:
  const std::byte* data_;
  char kind_;
  int bytes_;
  bool swap_;
  std::uint64_t by_row_, by_column_;  ///< numbers to the next
};

struct NpyArray {
  std::size_t rows = 1, columns = 0;
  std::vector<float> values;  ///< one row after the other
};

/// Reads an array of one dimension (one row) or two. Throws Error::in_file as read_npy_header(), for sizes that do not
/// fit, and for numbers that are not finite as floats.
NpyArray read_npy(const ByteSource& source);

}  // namespace isolume
