// Energy files of GROMACS.
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "formats/bytes/binary.h"
#include "formats/bytes/text.h"
#include "formats/energies/energy_rows.h"
#include "formats/energies/read_energies.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"

namespace isolume {
namespace {

constexpr bool swapped = std::endian::native == std::endian::little;
constexpr std::int32_t names_magic = -55555, frame_magic = -7777777;
constexpr float frame_mark = -2e10f;  // a frame of version 2 or later begins with it, one of version 1 with its time
constexpr std::int32_t newest = 5;
constexpr std::uint32_t longest_name = 4096;

/// How many bytes the numbers of a block take: int, float, double, int64, char (as an int); -1 for text.
constexpr int block_widths[] = {4, 4, 8, 8, 4, -1};

std::uint32_t padded(std::uint32_t bytes) {
  return (bytes + 3u) / 4u * 4u;
}

std::string get_string(BinaryCursor& cursor, const char* what) {
  const auto letters = cursor.get<std::uint32_t>(what);
  if (letters > longest_name) cursor.fail(std::string(what) + " has " + std::to_string(letters) + " letters");
  const std::byte* at = cursor.take(padded(letters), what);
  return clean({reinterpret_cast<const char*>(at), letters});
}

double get_real(BinaryCursor& cursor, unsigned width, const char* what) {
  return width == 8 ? cursor.get<double>(what) : static_cast<double>(cursor.get<float>(what));
}

std::uint64_t get_count(BinaryCursor& cursor, std::uint64_t bytes_each, const char* what) {
  const auto count = cursor.get<std::int32_t>(what);
  if (count < 0) cursor.fail(std::string(what) + " is " + std::to_string(count));
  cursor.need(saturating_product(static_cast<std::uint64_t>(count), bytes_each), what);
  return static_cast<std::uint64_t>(count);
}

/// The part of a frame that is in blocks: `count` values of a type.
struct Block {
  std::int32_t type = 0;
  std::uint64_t count = 0;
};

struct Header {
  unsigned width = 4;
  std::int32_t version = newest;
  double time = 0;
  std::int64_t step = 0;
  bool sums = false;        ///< two sums behind each value
  std::uint64_t terms = 0;  ///< none in frames of blocks alone
  std::vector<Block> blocks;
};

/// Single or double precision: where the mark and the magic number, or in version 1 the number of terms, are. Where
/// that may be either (the step is that number too), the precision of the frame before, or double.
unsigned width_of(const BinaryCursor& at, std::size_t terms, unsigned before) {
  const auto peek = [&]<class T>(std::uint64_t ahead, T) {
    BinaryCursor cursor = at;
    cursor.take(ahead, "a frame");
    return cursor.get<T>("a frame");
  };
  if (peek(0, 0.0f) == frame_mark) return 4;
  const bool room = at.left() >= 16;
  if (room && peek(0, 0.0) == static_cast<double>(frame_mark)) return 8;
  const auto count = static_cast<std::int32_t>(terms);
  if (!room || peek(12, std::int32_t{0}) != count) return 4;
  return peek(8, std::int32_t{0}) == count && before != 0 ? before : 8;
}

void take_block_headers(BinaryCursor& cursor, Header& header, std::uint64_t blocks, std::uint64_t restraints) {
  const std::int32_t real_type = header.width == 8 ? 2 : 1;
  if (restraints > 0) header.blocks.insert(header.blocks.end(), 2, {real_type, restraints});
  for (std::uint64_t b = 0; b < blocks; ++b) {
    if (header.version < 4) {
      header.blocks.push_back({real_type, get_count(cursor, 1, "the size of a block")});
      continue;
    }
    cursor.get<std::int32_t>("the kind of a block");
    const std::uint64_t parts = get_count(cursor, 8, "the number of parts of a block");
    for (std::uint64_t p = 0; p < parts; ++p) {
      const auto type = cursor.get<std::int32_t>("the type of a block");
      if (type < 0 || type > 5) cursor.fail("a block has values of type " + std::to_string(type) + "; 0 to 5 exist");
      header.blocks.push_back({type, get_count(cursor, 4, "the size of a block")});
    }
  }
}

Header take_header(BinaryCursor& cursor, std::size_t terms, unsigned before) {
  Header header;
  header.width = width_of(cursor, terms, before);
  const double first = get_real(cursor, header.width, "the time of a frame");
  if (first > -1e10) {
    header.version = 1;
    header.time = first;
    header.step = cursor.get<std::int32_t>("the step");
    header.sums = true;
  } else {
    const auto magic = cursor.get<std::int32_t>("the magic number of a frame");
    if (magic != frame_magic) cursor.fail("a frame begins with -7777777, not with " + std::to_string(magic));
    header.version = cursor.get<std::int32_t>("the version of a frame");
    if (header.version < 1 || header.version > newest)
      cursor.fail("a frame of version " + std::to_string(header.version) + "; 1 to 5 are read");
    header.time = cursor.get<double>("the time of a frame");
    header.step = cursor.get<std::int64_t>("the step");
    header.sums = cursor.get<std::int32_t>("the number of sums") > 0 || header.version == 1;
    if (header.version >= 3) cursor.get<std::int64_t>("the number of steps");
    if (header.version >= 5) cursor.get<double>("the time step");
  }
  if (!std::isfinite(header.time) || header.step < 0)
    cursor.fail("a frame at step " + std::to_string(header.step) + " and time " + std::to_string(header.time));
  header.terms = get_count(cursor, header.width, "the number of terms");
  if (header.terms != 0 && header.terms != terms)
    cursor.fail("a frame of " + std::to_string(header.terms) + " terms, where there are " + std::to_string(terms) +
                " names");
  const auto restraints = cursor.get<std::int32_t>("the number of restraints");
  const std::uint64_t blocks = get_count(cursor, 4, "the number of blocks");
  const bool old = header.version < 4;
  if (old && restraints < 0) cursor.fail("the number of restraints is " + std::to_string(restraints));
  take_block_headers(cursor, header, blocks, old ? static_cast<std::uint64_t>(restraints) : 0);
  for (int i = 0; i < 3; ++i) cursor.get<std::int32_t>("the end of a frame's header");
  return header;
}

void step_over_blocks(BinaryCursor& cursor, const Header& header) {
  for (const Block& block : header.blocks) {
    const int width = block_widths[block.type];
    if (width > 0) {
      cursor.take(saturating_product(block.count, static_cast<std::uint64_t>(width)), "a block");
      continue;
    }
    for (std::uint64_t i = 0; i < block.count; ++i) get_string(cursor, "a text of a block");
  }
}

/// Names and units at the start of the file.
void take_names(BinaryCursor& cursor, EnergyRows& rows, std::vector<std::size_t>& terms) {
  auto count = cursor.get<std::int32_t>("the number of terms");
  std::int32_t version = 1;  // which begins with the number of terms
  if (count <= 0) {
    if (count != names_magic) cursor.fail("an energy file begins with -55555, not with " + std::to_string(count));
    version = cursor.get<std::int32_t>("the version");
    if (version < 1 || version > newest)
      cursor.fail("version " + std::to_string(version) + " of energy files; 1 to 5 are read");
    count = cursor.get<std::int32_t>("the number of terms");
  }
  if (count <= 0) cursor.fail("the number of terms is " + std::to_string(count));
  cursor.need(saturating_product(static_cast<std::uint64_t>(count), 4), "the names of terms");
  for (std::int32_t i = 0; i < count; ++i) {
    std::string name = get_string(cursor, "the name of a term");
    std::string unit = version >= 2 ? get_string(cursor, "the unit of a term") : "kJ/mol";
    terms.push_back(rows.add(std::move(name), std::move(unit)));
  }
}

}  // namespace

bool is_edr(const ByteSource& source) {
  const auto bytes = source.bytes();
  if (bytes.size() < 12) return false;
  const auto first = load_number<std::int32_t>(bytes.data(), swapped);
  if (first == names_magic) return true;
  // Version 1: a number of terms, and a name in letters.
  const auto letters = load_number<std::uint32_t>(bytes.data() + 4, swapped);
  if (first <= 0 || first > 2000 || letters == 0 || letters > 80 || bytes.size() < 8 + std::size_t{letters})
    return false;
  for (std::uint32_t i = 0; i < letters; ++i) {
    const auto c = static_cast<unsigned char>(bytes[8 + i]);
    if (c < 32 || c > 126) return false;
  }
  return source.text().substr(8, 7) != "VERSION";  // a TPR
}

EnergySeries read_edr(const ByteSource& source) {
  BinaryCursor cursor(source, swapped);
  EnergyRows rows(source, "GROMACS");
  std::vector<std::size_t> terms;
  take_names(cursor, rows, terms);
  std::vector<double> values(terms.size());
  unsigned width = 0;  // of the frame before
  while (cursor.left() > 0) {
    check_stop();
    WorkPart::report(static_cast<double>(cursor.offset()) / static_cast<double>(source.bytes().size()));
    try {
      const Header header = take_header(cursor, terms.size(), width);
      width = header.width;
      for (std::uint64_t i = 0; i < header.terms; ++i) {
        values[i] = get_real(cursor, header.width, "a value");
        if (header.sums) cursor.take(header.width * (header.version == 1 ? 3u : 2u), "the sums of a value");
      }
      step_over_blocks(cursor, header);
      if (header.terms == 0) continue;
      rows.begin(header.step, header.time);
      for (std::size_t i = 0; i < terms.size(); ++i) rows.set(terms[i], values[i]);
    } catch (const Error& error) {
      if (rows.rows() == 0 || error.kind() != Error::Kind::input) throw;
      rows.warn("A frame is damaged or cut off; the " + std::to_string(rows.rows()) + " before it are read (" +
                error.what() + ").");
      break;
    }
  }
  return std::move(rows).take();
}

}  // namespace isolume
