// Reads little NumPy arrays of float32 or float64 for comparison.
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace isolume::test {

/// All numbers of a .npy file (format version 1, C order, <f4 or <f8).
inline std::vector<double> read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() < 10 || bytes.compare(1, 5, "NUMPY") != 0 || bytes[6] != 1) throw std::runtime_error("no .npy");
  const std::size_t start = 10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  const bool single = bytes.substr(10, start - 10).find("'<f4'") != std::string::npos;
  std::vector<double> values;
  for (std::size_t at = start; at + (single ? 4 : 8) <= bytes.size(); at += single ? 4 : 8) {
    float f = 0;
    double d = 0;
    if (single) {
      std::memcpy(&f, bytes.data() + at, 4);
      d = f;
    } else {
      std::memcpy(&d, bytes.data() + at, 8);
    }
    values.push_back(d);
  }
  return values;
}

}  // namespace isolume::test
