// Arrays as NumPy's files (numpy.lib.format, version 1.0).
#include "app/cli/compute/npy.h"

#include <fmt/format.h>

#include <bit>

#include "formats/write/write.h"

namespace isolume::cli {
namespace {

static_assert(std::endian::native == std::endian::little);

void write(const std::string& path, const std::string& shape, const void* data, std::size_t bytes) {
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", shape);
  // Magic, version and length take 10 bytes; the data begin at a multiple of 64.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  write_atomically(path, [&](std::ostream& out) {
    out.write("\x93NUMPY\x01\x00", 8);
    const auto length = static_cast<unsigned>(header.size());
    const char size[2] = {static_cast<char>(length & 255), static_cast<char>(length >> 8)};
    out.write(size, 2);
    out << header;
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  });
}

}  // namespace

void write_npy(const std::string& path, std::span<const glm::vec3> rows) {
  write(path, fmt::format("({}, 3)", rows.size()), rows.data(), rows.size_bytes());
}

void write_npy(const std::string& path, std::span<const float> values) {
  write(path, fmt::format("({},)", values.size()), values.data(), values.size_bytes());
}

void write_npy(const std::string& path, std::span<const float> values, std::size_t rows) {
  write(path, fmt::format("({}, {})", rows, rows == 0 ? 0 : values.size() / rows), values.data(), values.size_bytes());
}

}  // namespace isolume::cli
