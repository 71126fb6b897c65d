// BinaryCIF files.
#include "formats/structures/bcif.h"

#include "formats/structures/cif.h"
#include "formats/structures/mmcif.h"

namespace isolume {
namespace {

int sniff(const ByteSource& source) {
  constexpr std::size_t head = 4096;
  const std::string_view text = source.text().substr(0, head);
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  const bool map = (first >= 0x81 && first <= 0x8f) || first == 0xde || first == 0xdf;
  return map && text.find("dataBlocks") != std::string_view::npos ? 95 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const CifDocument document(*source);
  return read_cif(source, document);
}

}  // namespace

const Format bcif_format = {"BinaryCIF", "bcif", "structure", sniff, read};

}  // namespace isolume
