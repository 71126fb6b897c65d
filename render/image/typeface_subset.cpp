// The letters of the typeface that a document needs, as a TrueType file.
#include "render/image/typeface_subset.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "molecule/base/error.h"
#include "render/image/text.h"

namespace isolume {
namespace {

/// A table of the typeface, of big-endian numbers (OpenType specification 1.9).
class Table {
 public:
  explicit Table(std::string_view bytes) : bytes_(bytes) {}
  std::string_view bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  unsigned u16(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
  int i16(std::size_t at) const { return static_cast<std::int16_t>(u16(at)); }
  std::uint32_t u32(std::size_t at) const { return u16(at) << 16 | u16(at + 2); }
  std::string_view part(std::size_t at, std::size_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at) throw Error("the typeface of pictures is damaged");
    return bytes_.substr(at, count);
  }

 private:
  unsigned byte(std::size_t at) const { return static_cast<unsigned char>(part(at, 1)[0]); }
  std::string_view bytes_;
};

Table table(std::string_view tag) {
  const auto file = typeface_file();
  const Table all(std::string_view(reinterpret_cast<const char*>(file.data()), file.size()));
  const unsigned count = all.u16(4);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = 12 + 16 * i;
    if (all.part(at, 4) == tag) return Table(all.part(all.u32(at + 8), all.u32(at + 12)));
  }
  return Table({});
}

void put16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value >> 8 & 0xFF);
  out += static_cast<char>(value & 0xFF);
}
void put32(std::string& out, std::uint32_t value) {
  put16(out, value >> 16);
  put16(out, value & 0xFFFF);
}

std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    sum += static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (24 - 8 * (i % 4));
  return sum;
}

/// Where the outline of a glyph is.
std::pair<std::size_t, std::size_t> place_of(const Table& loca, bool wide, std::size_t glyph) {
  const std::size_t begin = wide ? loca.u32(4 * glyph) : 2 * loca.u16(2 * glyph);
  const std::size_t end = wide ? loca.u32(4 * glyph + 4) : 2 * loca.u16(2 * glyph + 2);
  return {begin, end > begin ? end - begin : 0};
}

/// The glyphs that a composed one is made of.
std::vector<int> parts_of(const Table& outline) {
  std::vector<int> parts;
  if (outline.size() < 10 || outline.i16(0) >= 0) return parts;
  for (std::size_t at = 10;;) {
    const unsigned flags = outline.u16(at);
    parts.push_back(static_cast<int>(outline.u16(at + 2)));
    at += 4 + (flags & 1 ? 4 : 2);      // arguments as words or as bytes
    if (flags & 8) at += 2;             // a scale
    if (flags & 0x40) at += 4;          // two
    if (flags & 0x80) at += 8;          // a matrix
    if (!(flags & 0x20)) return parts;  // no more of them
  }
}

}  // namespace

TypefaceMetrics typeface_metrics() {
  const Table head = table("head"), lines = table("hhea");
  const double em = head.u16(18);
  const auto in_thousandths = [em](int units) { return static_cast<int>(std::lround(1000 * units / em)); };
  TypefaceMetrics metrics{in_thousandths(lines.i16(4)), in_thousandths(lines.i16(6)), {}};
  for (std::size_t i = 0; i < 4; ++i) metrics.box[i] = in_thousandths(head.i16(36 + 2 * i));
  return metrics;
}

double glyph_width(int glyph) {
  const unsigned measured = table("hhea").u16(34);
  const auto at = std::min(static_cast<std::size_t>(glyph), static_cast<std::size_t>(measured) - 1);
  return 1000.0 * table("hmtx").u16(4 * at) / table("head").u16(18);
}

std::string typeface_subset(const std::set<int>& glyphs) {
  const Table head = table("head"), loca = table("loca"), outlines = table("glyf");
  const std::size_t count = table("maxp").u16(4);
  const bool wide = head.i16(50) != 0;
  std::set<int> wanted{0};
  std::vector<int> open(glyphs.begin(), glyphs.end());
  open.push_back(0);
  while (!open.empty()) {
    const int glyph = open.back();
    open.pop_back();
    if (glyph < 0 || static_cast<std::size_t>(glyph) >= count) continue;
    wanted.insert(glyph);
    const auto [at, bytes] = place_of(loca, wide, static_cast<std::size_t>(glyph));
    for (const int part : parts_of(Table(outlines.part(at, bytes))))
      if (!wanted.count(part)) open.push_back(part);
  }
  std::string new_loca, new_outlines;
  for (std::size_t glyph = 0; glyph < count; ++glyph) {
    put32(new_loca, static_cast<std::uint32_t>(new_outlines.size()));
    if (!wanted.count(static_cast<int>(glyph))) continue;
    const auto [at, bytes] = place_of(loca, wide, glyph);
    new_outlines += outlines.part(at, bytes);
    while (new_outlines.size() % 4) new_outlines += '\0';
  }
  put32(new_loca, static_cast<std::uint32_t>(new_outlines.size()));
  // The tables that PDF 1.7 asks for (9.9): letters are found by their numbers, so none of names and codes.
  std::map<std::string, std::string> tables;
  for (const char* tag : {"cvt ", "fpgm", "hhea", "hmtx", "maxp", "prep"})
    if (const Table kept = table(tag); kept.size() > 0) tables[tag] = kept.bytes();
  std::string new_head(head.bytes());
  for (std::size_t i = 8; i < 12; ++i) new_head[i] = 0;  // the checksum of all
  new_head[50] = 0;
  new_head[51] = 1;  // places of 32 bits
  tables["head"] = new_head;
  tables["loca"] = new_loca;
  tables["glyf"] = new_outlines;
  std::uint32_t power = 1, shift = 0;
  while (2 * power <= tables.size()) power *= 2, ++shift;
  const auto number = static_cast<std::uint32_t>(tables.size());
  std::string out;
  put32(out, 0x00010000);
  put16(out, number);
  put16(out, 16 * power);
  put16(out, shift);
  put16(out, 16 * number - 16 * power);
  std::uint32_t at = 12 + 16 * number;
  std::string bodies;
  for (const auto& [tag, bytes] : tables) {
    out += tag;
    put32(out, checksum(bytes));
    put32(out, at + static_cast<std::uint32_t>(bodies.size()));
    put32(out, static_cast<std::uint32_t>(bytes.size()));
    bodies += bytes;
    while (bodies.size() % 4) bodies += '\0';
  }
  return out + bodies;
}

}  // namespace isolume
