// SHA-256 (FIPS 180-4) of files, so that a result can name what it was made from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace isolume {

class Sha256 {
 public:
  Sha256();
  void add(std::span<const std::byte> bytes);
  /// The digest in lower-case hexadecimal; nothing may be added afterwards.
  std::string finish();

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<std::byte, 64> buffer_;
  std::uint64_t length_ = 0;  // bytes
};

struct FileHash {
  std::string path;
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// Reads the file once. Throws Error (input) where it cannot be read.
FileHash hash_file(const std::string& path);

}  // namespace isolume
