// Compiled kernels on disk: a file holds its key, its code, and a check sum of both.
#include "compute/base/kernel_cache.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>

#include "molecule/base/cache_folder.h"

namespace isolume {

namespace fs = std::filesystem;

namespace {

constexpr char magic[] = "isolume kernel1\n";        // 16 bytes: the header has no gaps
constexpr std::size_t most = std::size_t{64} << 20;  // larger files are none of ours

/// FNV-1a, 64 bits: tells files apart and finds damage; nothing here defends against an attacker with the user's
/// rights.
std::uint64_t hash(const char* data, std::size_t size, std::uint64_t h = 0xcbf29ce484222325u) {
  for (std::size_t i = 0; i < size; ++i) h = (h ^ static_cast<unsigned char>(data[i])) * 0x100000001b3u;
  return h;
}

fs::path file_of(const std::string& key) {
  const fs::path folder = kernel_cache_folder();
  if (folder.empty()) return {};
  return folder / fmt::format("{:016x}.cubin", hash(key.data(), key.size()));
}

struct Header {
  char magic[sizeof(isolume::magic) - 1];
  std::uint64_t key_size, code_size, sum;
};

}  // namespace

fs::path kernel_cache_folder() {
  return cache_folder("kernels");
}

std::optional<std::vector<char>> read_kernel(const std::string& key) {
  try {
    const fs::path path = file_of(key);
    if (path.empty()) return {};
    std::error_code fault;
    const std::uintmax_t size = fs::file_size(path, fault);
    if (fault || size < sizeof(Header) || size > most) return {};
    std::ifstream file(path, std::ios::binary);
    std::vector<char> bytes(static_cast<std::size_t>(size));
    if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
    Header header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    const std::size_t rest = bytes.size() - sizeof(header);
    if (std::memcmp(header.magic, magic, sizeof(header.magic)) != 0 || header.key_size != key.size() ||
        rest < key.size() || header.code_size != rest - key.size()) {
      return {};
    }
    const char* body = bytes.data() + sizeof(header);
    if (std::memcmp(body, key.data(), key.size()) != 0) return {};
    if (hash(body, key.size() + header.code_size) != header.sum) return {};
    return std::vector<char>(body + key.size(), body + rest);
  } catch (...) {
    return {};
  }
}

void write_kernel(const std::string& key, const std::vector<char>& code) {
  try {
    const fs::path path = file_of(key);
    if (path.empty()) return;
    std::error_code fault;
    fs::create_directories(path.parent_path(), fault);
    if (fault) return;
    Header header{};
    std::memcpy(header.magic, magic, sizeof(header.magic));
    header.key_size = key.size();
    header.code_size = code.size();
    header.sum = hash(code.data(), code.size(), hash(key.data(), key.size()));
    fs::path unfinished = path;
    unfinished += fmt::format(".{}", ::getpid());
    bool written = false;
    {
      std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
      file.write(reinterpret_cast<const char*>(&header), sizeof(header));
      file.write(key.data(), static_cast<std::streamsize>(key.size()));
      file.write(code.data(), static_cast<std::streamsize>(code.size()));
      file.flush();
      written = file.good();
    }
    if (written) fs::rename(unfinished, path, fault);
    if (!written || fault) fs::remove(unfinished, fault);
  } catch (...) {
    // Kept nowhere: the next start compiles again.
  }
}

}  // namespace isolume
