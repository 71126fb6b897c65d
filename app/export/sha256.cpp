// SHA-256 (FIPS 180-4).
#include "app/export/sha256.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "app/export/sha256_blocks.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
      buffer_{} {}

void Sha256::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t held = length_ % 64;
    std::size_t taken = std::min(bytes.size(), 64 - held);
    if (taken == 64) {  // whole blocks, where they are
      taken = bytes.size() / 64 * 64;
      sha256_blocks(state_, bytes.first(taken));
      length_ += taken;
    } else {
      std::memcpy(buffer_.data() + held, bytes.data(), taken);
      length_ += taken;
      if (length_ % 64 == 0) sha256_blocks(state_, buffer_);
    }
    bytes = bytes.subspan(taken);
  }
}

std::string Sha256::finish() {
  const std::uint64_t bits = length_ * 8;
  const std::byte one{0x80};
  const std::byte zero{0};
  add({&one, 1});
  while (length_ % 64 != 56) add({&zero, 1});
  std::byte size[8];
  for (int i = 0; i < 8; ++i) size[i] = static_cast<std::byte>((bits >> (56 - 8 * i)) & 255);
  add(size);
  std::string text;
  for (const std::uint32_t word : state_) text += fmt::format("{:08x}", word);
  return text;
}

FileHash hash_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) throw Error::in_file(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  const std::unique_ptr<const int, void (*)(const int*)> closer(&file, [](const int* open) { ::close(*open); });
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) throw Error::in_file(path, 0, "is not a regular file");
  Sha256 hash;
  FileHash result{path, 0, {}};
  // A small file fits, and shows its end.
  const auto size = static_cast<std::size_t>(info.st_size);
  std::vector<std::byte> buffer(std::clamp(size + 1, std::size_t{1} << 12, std::size_t{1} << 20));
  for (;;) {
    check_stop();
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error::in_file(path, 0, std::string("cannot be read to its end: ") + std::strerror(errno));
    if (got == 0) break;
    hash.add(std::span(buffer).first(static_cast<std::size_t>(got)));
    result.bytes += static_cast<std::size_t>(got);
  }
  result.sha256 = hash.finish();
  return result;
}

}  // namespace isolume
