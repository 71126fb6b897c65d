// libFuzzer target of every reader: the format is fixed when it is built (ISOLUME_FUZZ_FORMAT), so that each has a
// corpus of its own.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "formats/read.h"
#include "molecule/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  isolume::ReadLimits limits;
  limits.bytes_out = std::uint64_t{1} << 26;
  if (size % 2 == 0) limits.piece = 100;  // half of the inputs in pieces, as large files are read
  const auto is_chosen = [](const isolume::Format& format) {
    return std::strcmp(format.name, ISOLUME_FUZZ_FORMAT) == 0;
  };
  static const bool known = std::any_of(isolume::formats().begin(), isolume::formats().end(), is_chosen);
  if (!known) std::abort();  // a name that is no longer in the table would test nothing
  for (const isolume::Format& format : isolume::formats()) {
    if (!is_chosen(format)) continue;
    try {
      // Bytes that begin as gzip does are decompressed, or refused, here.
      const auto source =
          isolume::ByteSource::from_bytes(std::string(reinterpret_cast<const char*>(data), size), "fuzz", limits);
      format.sniff(*source);
      const isolume::Molecule molecule = format.read(source);
      if (molecule.topology) molecule.topology->validate();
      for (std::size_t i = 0; i < molecule.frame_count() && i < 8; ++i) molecule.trajectory->frame(i);
    } catch (const isolume::Error& error) {
      if (error.kind() != isolume::Error::Kind::input) throw;
    }
  }
  return 0;
}
