// The bytes of a file, for tests that damage or compare them.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace isolume::test {

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

}  // namespace isolume::test
