// The bytes of a file, within limits, for every reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace isolume {

/// What a reader may use. Files come from strangers.
struct ReadLimits {
  std::uint64_t bytes_in = ~std::uint64_t{0};        ///< largest file; files are mapped, and offsets have 64 bits
  std::uint64_t bytes_out = std::uint64_t{1} << 34;  ///< largest content after decompression
  double ratio = 200;                                ///< of decompression, once past 16 MiB
  std::size_t line = std::size_t{1} << 20;           ///< longest line
  std::size_t piece = std::size_t{1} << 19;          ///< bytes of text that are worth a thread of their own
  std::size_t atoms = 500'000'000;
  std::uint64_t grid_points = std::uint64_t{1} << 32;
  int recursion = 64;
};

/// The content of one file: mapped, or decompressed (gzip, found by content) into memory. Immutable; shared by the
/// trajectories that read frames later. Opens regular files only, never another path, never a URL.
class ByteSource {
 public:
  /// Opens a file. Throws Error (input) where it cannot be read, is no regular file, or exceeds the limits.
  static std::shared_ptr<const ByteSource> open(const std::string& path, const ReadLimits& limits = {});
  /// Bytes in memory under a name (tests, fuzzing, standard input). Decompresses as open() does.
  static std::shared_ptr<const ByteSource> from_bytes(std::string bytes, std::string name,
                                                      const ReadLimits& limits = {});

  virtual ~ByteSource() = default;
  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }
  /// The path as given, for messages.
  const std::string& name() const { return name_; }
  /// The name without directory and without ".gz", in lower case, for choosing a format by extension.
  std::string base_name() const;
  const ReadLimits& limits() const { return limits_; }
  /// Whether the file lost bytes after it was opened, and zeros were read in their place.
  virtual bool shrunk() const { return false; }
  /// Throws Error (input) where shrunk(): what was read since is not what the file said.
  void check_whole() const;

 protected:
  std::span<const std::byte> bytes_;
  std::string name_;
  ReadLimits limits_;
};

}  // namespace isolume
