// BinaryCIF as tables of texts.
#include "formats/structures/binary_cif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "formats/bytes/binary.h"
#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"
#include "formats/structures/message_pack.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

/// What a column is while its encodings are undone, the last one first.
struct Numbers {
  bool real = false, single = false;  ///< single: they were of 32 bits
  std::vector<std::int64_t> whole;
  std::vector<double> reals;

  std::size_t size() const { return real ? reals.size() : whole.size(); }
};

template <class T>
void unpack(std::string_view bytes, Numbers& out) {
  const std::size_t count = bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = load_number<T>(reinterpret_cast<const std::byte*>(bytes.data()) + i * sizeof(T),
                                   std::endian::native == std::endian::big);
    if constexpr (std::is_floating_point_v<T>) {
      out.reals.push_back(static_cast<double>(value));
    } else {
      out.whole.push_back(static_cast<std::int64_t>(value));
    }
  }
}

}  // namespace

std::string_view BinaryColumn::at(std::size_t row) const {
  std::size_t value = row;
  if (!which_.empty()) {
    if (which_[row] < 0) return {};
    value = static_cast<std::size_t>(which_[row]);
  }
  const std::size_t begin = value == 0 ? 0 : ends_[value - 1];
  return std::string_view(text_).substr(begin, ends_[value] - begin);
}

/// Undoes the encodings of one column.
struct BinaryCif::Decoder {
  const std::string& path;
  std::string what;  ///< "_atom_site.Cartn_x"

  [[noreturn]] void fail(const std::string& message) const {
    throw Error::in_file(path, 0, clean(what, 80) + ": " + message);
  }

  const PackValue& member(const PackValue& map, std::string_view key, PackValue::Kind kind) const {
    const PackValue* const value = map.find(key);
    if (!value || value->kind != kind) fail("there is no " + std::string(key) + " of the type expected");
    return *value;
  }
  std::int64_t integer(const PackValue& map, std::string_view key) const {
    return member(map, key, PackValue::Kind::integer).integer;
  }
  double real(const PackValue& map, std::string_view key) const {
    const PackValue* const value = map.find(key);
    const double number = value ? value->number(std::nan("")) : std::nan("");
    if (!std::isfinite(number)) fail("there is no number " + std::string(key));
    return number;
  }

  Numbers byte_array(const PackValue& encoding, std::string_view bytes, std::size_t most) const {
    const std::int64_t type = integer(encoding, "type");
    const std::size_t width = type == 1 || type == 4 ? 1 : type == 2 || type == 5 ? 2 : type == 33 ? 8 : 4;
    if (bytes.size() % width != 0) fail("its bytes are no whole number of values");
    // Packing makes fewer of them, though no writer packs 64 into one.
    if (bytes.size() / width / 64 > most + 1024) fail("more values than its category has rows");
    Numbers out;
    out.real = type == 32 || type == 33;
    out.single = type == 32;
    switch (type) {
      case 1:
        unpack<std::int8_t>(bytes, out);
        break;
      case 2:
        unpack<std::int16_t>(bytes, out);
        break;
      case 3:
        unpack<std::int32_t>(bytes, out);
        break;
      case 4:
        unpack<std::uint8_t>(bytes, out);
        break;
      case 5:
        unpack<std::uint16_t>(bytes, out);
        break;
      case 6:
        unpack<std::uint32_t>(bytes, out);
        break;
      case 32:
        unpack<float>(bytes, out);
        break;
      case 33:
        unpack<double>(bytes, out);
        break;
      default:
        fail("a type of numbers that BinaryCIF does not have: " + std::to_string(type));
    }
    return out;
  }

  void run_length(const PackValue& encoding, Numbers& n, std::size_t most) const {
    if (n.whole.size() % 2 != 0) fail("run lengths without their values");
    const std::int64_t size = integer(encoding, "srcSize");
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < n.whole.size(); i += 2) {
      const std::int64_t count = n.whole[i + 1];
      if (count < 0 || static_cast<std::uint64_t>(count) > most - out.size())
        fail("run lengths of more values than its category has rows");
      out.insert(out.end(), static_cast<std::size_t>(count), n.whole[i]);
    }
    if (size < 0 || out.size() != static_cast<std::uint64_t>(size)) fail("run lengths that do not sum up to srcSize");
    n.whole = std::move(out);
  }

  void delta(const PackValue& encoding, Numbers& n) const {
    std::int64_t sum = integer(encoding, "origin");
    for (std::int64_t& value : n.whole) {
      if (__builtin_add_overflow(sum, value, &sum)) fail("differences that overflow");
      value = sum;
    }
  }

  void integer_packing(const PackValue& encoding, Numbers& n, std::size_t most) const {
    const std::int64_t bytes = integer(encoding, "byteCount"), size = integer(encoding, "srcSize");
    if (bytes != 1 && bytes != 2) fail("integers packed into other than 1 or 2 bytes");
    const bool positive = member(encoding, "isUnsigned", PackValue::Kind::boolean).integer != 0;
    const std::int64_t top = positive ? (bytes == 1 ? 255 : 65535) : (bytes == 1 ? 127 : 32767);
    const std::int64_t bottom = positive ? -1 : -top - 1;  // of unsigned ones there is no lowest
    std::vector<std::int64_t> out;
    std::int64_t sum = 0;
    bool open = false;
    for (const std::int64_t value : n.whole) {
      if (__builtin_add_overflow(sum, value, &sum)) fail("packed integers that overflow");
      open = value == top || value == bottom;
      if (open) continue;
      if (out.size() >= 2 * most + 2) fail("more values than its category has rows");
      out.push_back(sum);
      sum = 0;
    }
    if (open || size < 0 || out.size() != static_cast<std::uint64_t>(size))
      fail("packed integers that are not as many as srcSize");
    n.whole = std::move(out);
  }

  void fixed_point(const PackValue& encoding, Numbers& n) const {
    const double factor = real(encoding, "factor");
    if (factor == 0) fail("a factor of 0");
    n.real = true;
    for (const std::int64_t value : n.whole) n.reals.push_back(static_cast<double>(value) / factor);
    n.whole.clear();
  }

  void quantization(const PackValue& encoding, Numbers& n) const {
    const double low = real(encoding, "min"), high = real(encoding, "max"), steps = real(encoding, "numSteps");
    if (!(steps >= 2)) fail("an interval of less than two steps");
    n.real = n.single = true;
    const double step = (high - low) / (steps - 1);
    for (const std::int64_t value : n.whole) n.reals.push_back(low + step * static_cast<double>(value));
    n.whole.clear();
  }

  /// The numbers of bytes under encodings `first` to the last; at most `most`.
  Numbers numbers(const PackValue& encodings, std::size_t first, std::string_view bytes, std::size_t most) const {
    if (encodings.kind != PackValue::Kind::list || encodings.items.size() <= first) fail("there is no encoding");
    constexpr std::size_t deepest = 16;
    if (encodings.items.size() > deepest) fail("more encodings than make sense");
    const auto kind_of = [&](std::size_t i) { return member(encodings.items[i], "kind", PackValue::Kind::text).text; };
    std::size_t i = encodings.items.size() - 1;
    if (kind_of(i) != "ByteArray") fail("numbers whose last encoding is not ByteArray");
    Numbers n = byte_array(encodings.items[i], bytes, most);
    while (i-- > first) {
      check_stop();
      const PackValue& encoding = encodings.items[i];
      const std::string_view kind = kind_of(i);
      if (n.real) fail("an encoding of integers after one of reals");
      if (kind == "RunLength") {
        run_length(encoding, n, most);
      } else if (kind == "Delta") {
        delta(encoding, n);
      } else if (kind == "IntegerPacking") {
        integer_packing(encoding, n, most);
      } else if (kind == "FixedPoint") {
        fixed_point(encoding, n);
      } else if (kind == "IntervalQuantization") {
        quantization(encoding, n);
      } else {
        fail("an encoding that BinaryCIF does not have: \"" + clean(kind, 40) + "\"");
      }
    }
    if (n.size() > most) fail("more values than its category has rows");
    return n;
  }

  std::vector<std::int64_t> integers(const PackValue& encodings, std::size_t first, std::string_view bytes,
                                     std::size_t most) const {
    Numbers n = numbers(encodings, first, bytes, most);
    if (n.real) fail("reals where integers belong");
    return std::move(n.whole);
  }

  void strings(const PackValue& data, BinaryColumn& out, std::size_t rows) const {
    const PackValue& encodings = member(data, "encoding", PackValue::Kind::list);
    const PackValue& encoding = encodings.items.front();
    const std::string_view text = member(encoding, "stringData", PackValue::Kind::text).text;
    if (text.size() > std::numeric_limits<std::uint32_t>::max()) fail("texts of more than 4 GiB");
    const std::vector<std::int64_t> offsets =
        integers(member(encoding, "offsetEncoding", PackValue::Kind::list), 0,
                 member(encoding, "offsets", PackValue::Kind::bytes).text, std::max(rows, text.size()) + 2);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::int64_t before = i == 0 ? 0 : offsets[i - 1];
      if (offsets[i] < before || offsets[i] > static_cast<std::int64_t>(text.size()))
        fail("texts that are not one behind the other");
      if (i > 0) out.ends_.push_back(static_cast<std::uint32_t>(offsets[i]));
    }
    if (!offsets.empty() && offsets[0] != 0) fail("texts that do not begin at 0");
    out.text_ = text;
    const std::vector<std::int64_t> which = integers(member(encoding, "dataEncoding", PackValue::Kind::list), 0,
                                                     member(data, "data", PackValue::Kind::bytes).text, rows);
    out.which_.reserve(which.size());
    for (const std::int64_t value : which) {
      if (value < -1 || value >= static_cast<std::int64_t>(out.ends_.size())) fail("a text that is not there");
      out.which_.push_back(static_cast<std::int32_t>(value));
    }
  }

  /// The column with `mask` (empty: none), whose rows are to be `rows`.
  BinaryColumn column(const PackValue& data, const PackValue* masked, std::size_t rows) const {
    std::vector<std::int64_t> mask;
    if (masked && masked->kind != PackValue::Kind::nothing)
      mask = integers(member(*masked, "encoding", PackValue::Kind::list), 0,
                      member(*masked, "data", PackValue::Kind::bytes).text, rows);
    if (!mask.empty() && mask.size() != rows) fail("a mask of other than its rows");
    const PackValue& encodings = member(data, "encoding", PackValue::Kind::list);
    if (encodings.items.empty()) fail("there is no encoding");
    BinaryColumn out;
    if (member(encodings.items.front(), "kind", PackValue::Kind::text).text == "StringArray") {
      if (encodings.items.size() != 1) fail("an encoding after StringArray");
      strings(data, out, rows);
      if (out.which_.size() != rows) fail(wrong_count(out.which_.size(), rows));
      for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i] != 0) out.which_[i] = -1;
      return out;
    }
    const Numbers n = numbers(encodings, 0, member(data, "data", PackValue::Kind::bytes).text, rows);
    if (n.size() != rows) fail(wrong_count(n.size(), rows));
    out.ends_.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      if (mask.empty() || mask[i] == 0) {
        const auto to = std::back_inserter(out.text_);
        if (!n.real) {
          fmt::format_to(to, "{}", n.whole[i]);
        } else if (n.single) {
          fmt::format_to(to, "{}", static_cast<float>(n.reals[i]));
        } else {
          fmt::format_to(to, "{}", n.reals[i]);
        }
      }
      if (out.text_.size() > std::numeric_limits<std::uint32_t>::max()) fail("numbers of more than 4 GiB as text");
      out.ends_.push_back(static_cast<std::uint32_t>(out.text_.size()));
    }
    return out;
  }

  static std::string wrong_count(std::size_t found, std::size_t rows) {
    return fmt::format("{} values, and its category has {} rows", found, rows);
  }
};

BinaryCif::BinaryCif(const ByteSource& source) : path_(source.name()) {
  const std::string_view bytes = source.text();
  root_ = std::make_unique<PackValue>(read_message_pack(bytes, path_, source.limits().recursion));
  budget_ = std::max(std::uint64_t{1} << 24, static_cast<std::uint64_t>(source.limits().ratio) * bytes.size());
  const PackValue* const blocks = root_->find("dataBlocks");
  if (!blocks || blocks->kind != PackValue::Kind::list) throw Error::in_file(path_, 0, "not BinaryCIF: no dataBlocks");
  for (const PackValue& block : blocks->items) {
    const PackValue* const header = block.find("header");
    const PackValue* const categories = block.find("categories");
    if (!header || header->kind != PackValue::Kind::text || !categories || categories->kind != PackValue::Kind::list)
      throw Error::in_file(path_, 0, "not BinaryCIF: a data block without its header or its categories");
    names_.emplace_back(header->text);
    categories_.push_back(categories);
  }
}

BinaryCif::~BinaryCif() = default;

const BinaryTable* BinaryCif::table(std::size_t block, const std::string& category) const {
  const auto known = decoded_.find({block, category});
  if (known != decoded_.end()) return known->second.get();
  std::unique_ptr<BinaryTable>& slot = decoded_[{block, category}];
  for (const PackValue& entry : categories_[block]->items) {
    const PackValue* const name = entry.find("name");
    if (!name || name->kind != PackValue::Kind::text || lower(name->text) != category) continue;
    Decoder decoder{path_, std::string(name->text)};
    const std::int64_t rows = decoder.integer(entry, "rowCount");
    const PackValue& columns = decoder.member(entry, "columns", PackValue::Kind::list);
    if (rows <= 0 || columns.items.empty()) return nullptr;
    // A row of a column takes a number of 4 bytes and some of text; while it is decoded one of 8.
    const std::uint64_t needed =
        saturating_product(saturating_product(static_cast<std::uint64_t>(rows), 12), columns.items.size());
    if (needed > budget_)
      decoder.fail(
          fmt::format("{} rows of {} columns, more than a file of this size may hold", rows, columns.items.size()));
    budget_ -= needed;
    auto table = std::make_unique<BinaryTable>();
    table->rows = static_cast<std::size_t>(rows);
    for (const PackValue& column : columns.items) {
      const PackValue& item = decoder.member(column, "name", PackValue::Kind::text);
      decoder.what = std::string(name->text) + "." + std::string(item.text);
      table->items.push_back(lower(item.text));
      table->columns.push_back(
          decoder.column(decoder.member(column, "data", PackValue::Kind::map), column.find("mask"), table->rows));
    }
    slot = std::move(table);
    break;
  }
  return slot.get();
}

}  // namespace isolume
