// A file mapped for reading, which may shrink under us without ending the program.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace isolume {

/// Pages of a mapping that lie beyond the end of its file raise SIGBUS when they are read: a simulation restarted over
/// its own trajectory, a full network disk. A handler puts zeros there instead and marks the mapping, so that the
/// reader goes on, finds nonsense or nothing, and shrunk() turns that into an error which says what happened. Signals
/// that come from elsewhere go where they went before.
class MappedFile {
 public:
  /// Maps `size` > 0 bytes of an open file, read-only; the descriptor may be closed afterwards. Null where the system
  /// refuses (errno says why) or as many files are open as are watched (4096; errno = EMFILE): read it instead.
  static std::unique_ptr<MappedFile> map(int descriptor, std::size_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), size_}; }
  /// Whether bytes were asked for that the file no longer has.
  bool shrunk() const;

 private:
  MappedFile(void* address, std::size_t size, std::size_t slot) : address_(address), size_(size), slot_(slot) {}
  void* address_;
  std::size_t size_;
  std::size_t slot_;
};

}  // namespace isolume
