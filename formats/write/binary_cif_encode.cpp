// Tables of CIF text as BinaryCIF.
#include "formats/write/binary_cif_encode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace isolume {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;
using Integers = std::vector<std::int32_t>;

template <class T>
void append(Bytes& out, T value) {
  static_assert(std::endian::native == std::endian::little);
  const auto bits = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
  out.insert(out.end(), bits.begin(), bits.end());
}

/// Bytes and the encodings that make them, the first one first.
struct Encoded {
  Bytes bytes;
  Json encodings = Json::array();

  Json json() && { return {{"data", Json::binary(std::move(bytes))}, {"encoding", std::move(encodings)}}; }
};

/// One of 8, 16 or 32 bits, whichever is the shortest: what is at the end of the range goes on in the next value.
Encoded packed(const Integers& values) {
  const auto length = [&](std::int64_t top, std::int64_t bottom) {
    std::uint64_t sum = 0;
    for (const std::int64_t v : values) sum += static_cast<std::uint64_t>((v >= 0 ? v / top : v / bottom) + 1);
    return sum;
  };
  const bool positive = std::all_of(values.begin(), values.end(), [](std::int32_t v) { return v >= 0; });
  const std::int64_t top[] = {positive ? 255 : 127, positive ? 65535 : 32767};
  const std::uint64_t lengths[] = {length(top[0], -top[0] - 1), 2 * length(top[1], -top[1] - 1), 4 * values.size()};
  const auto best = static_cast<std::size_t>(std::min_element(lengths, lengths + 3) - lengths);
  Encoded out;
  if (best == 2) {
    for (const std::int32_t v : values) append(out.bytes, v);
    out.encodings.push_back({{"kind", "ByteArray"}, {"type", 3}});
    return out;
  }
  const auto add = [&](std::int64_t v) {
    if (best == 0) {
      out.bytes.push_back(static_cast<std::uint8_t>(v));
    } else {
      append(out.bytes, static_cast<std::uint16_t>(v));
    }
  };
  for (std::int64_t v : values) {
    const std::int64_t end = v >= 0 ? top[best] : -top[best] - 1;
    for (; v >= 0 ? v >= top[best] : v <= end; v -= end) add(end);
    add(v);
  }
  out.encodings.push_back(
      {{"kind", "IntegerPacking"}, {"byteCount", best + 1}, {"isUnsigned", positive}, {"srcSize", values.size()}});
  out.encodings.push_back({{"kind", "ByteArray"}, {"type", best + (positive ? 4 : 1)}});
  return out;
}

/// The shortest of packing, run lengths, differences, and run lengths of differences.
Encoded encoded(const Integers& values) {
  const auto before = [](Json encoding, Encoded rest) {
    rest.encodings.insert(rest.encodings.begin(), std::move(encoding));
    return rest;
  };
  const auto runs = [&](const Integers& of) {
    Integers out;
    for (std::size_t i = 0; i < of.size();) {
      std::size_t end = i;
      while (end < of.size() && of[end] == of[i]) ++end;
      out.push_back(of[i]);
      out.push_back(static_cast<std::int32_t>(end - i));
      i = end;
    }
    return before({{"kind", "RunLength"}, {"srcType", 3}, {"srcSize", of.size()}}, packed(out));
  };
  Encoded best = packed(values);
  const auto try_one = [&](Encoded other) {
    if (other.bytes.size() < best.bytes.size()) best = std::move(other);
  };
  try_one(runs(values));
  // Differences of 32-bit numbers fit where the range does.
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!values.empty() && std::int64_t{*high} - *low <= std::numeric_limits<std::int32_t>::max()) {
    Integers steps(values.size());
    for (std::size_t i = 1; i < values.size(); ++i) steps[i] = values[i] - values[i - 1];
    const Json delta = {{"kind", "Delta"}, {"origin", values[0]}, {"srcType", 3}};
    try_one(before(delta, packed(steps)));
    try_one(before(delta, runs(steps)));
  }
  return best;
}

/// "-12.340" as its digits and how many of them are decimals; nothing for what is no plain decimal number.
struct Decimal {
  std::int64_t digits = 0;
  int decimals = 0;
};
std::optional<Decimal> decimal(std::string_view text) {
  Decimal out;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  bool point = false, any = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9' || out.digits > 100'000'000'000'000) return std::nullopt;
    out.digits = 10 * out.digits + (c - '0');
    out.decimals += point;
    any = true;
  }
  if (!any) return std::nullopt;
  if (negative) out.digits = -out.digits;
  return out;
}

/// What the dictionary has as numbers, of what Isolume writes; other identifiers may look like them.
bool is_number(const std::string& category, const std::string& item) {
  for (const char* const word : {"id", "auth_seq_id", "label_seq_id", "Cartn_x", "Cartn_y", "Cartn_z", "occupancy",
                                 "B_iso_or_equiv", "pdbx_formal_charge", "pdbx_PDB_model_num"})
    if (category.starts_with("_atom_site") && item == word) return true;
  for (const char* const word :
       {"beg_auth_seq_id", "end_auth_seq_id", "beg_label_seq_id", "end_label_seq_id", "ptnr1_auth_seq_id",
        "ptnr2_auth_seq_id", "ptnr1_label_seq_id", "ptnr2_label_seq_id", "num", "Z_PDB", "Int_Tables_number",
        "pdbx_PDB_helix_length", "pdbx_dist_value", "pdbx_ordinal"})
    if (item == word) return true;
  for (const char* const begin : {"U[", "matrix[", "vector[", "length_", "angle_"})
    if (item.starts_with(begin)) return true;
  return false;
}

/// The values of a column, and which of them are not there: 0 present, 1 ".", 2 "?".
struct Column {
  std::vector<std::string_view> values;  ///< without quotes
  Integers mask;
  bool masked = false;

  void add(std::string_view raw) {
    mask.push_back(raw == "." ? 1 : raw == "?" ? 2 : 0);
    masked = masked || mask.back() != 0;
    values.push_back(unquoted(raw));
  }
};

std::optional<Encoded> as_numbers(const Column& column) {
  int decimals = 0;
  std::vector<Decimal> numbers;
  numbers.reserve(column.values.size());
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const std::optional<Decimal> number = column.mask[i] ? Decimal{} : decimal(column.values[i]);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    decimals = std::max(decimals, number->decimals);
  }
  std::int64_t factor = 1;
  for (int i = 0; i < std::min(decimals, 9); ++i) factor *= 10;
  Integers whole;
  whole.reserve(numbers.size());
  for (Decimal& number : numbers) {
    for (; number.decimals < decimals; ++number.decimals)
      if (__builtin_mul_overflow(number.digits, 10, &number.digits)) number.digits = INT64_MAX;
    if (std::abs(number.digits) <= std::numeric_limits<std::int32_t>::max())
      whole.push_back(static_cast<std::int32_t>(number.digits));
  }
  if (whole.size() == numbers.size() && decimals <= 9) {
    Encoded out = encoded(whole);
    if (decimals > 0)
      out.encodings.insert(out.encodings.begin(), Json{{"kind", "FixedPoint"}, {"factor", factor}, {"srcType", 33}});
    return out;
  }
  Encoded out;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    double value = 0;
    const std::string_view text = column.values[i];
    if (!column.mask[i]) std::from_chars(text.data(), text.data() + text.size(), value);
    append(out.bytes, value);
  }
  out.encodings.push_back({{"kind", "ByteArray"}, {"type", 33}});
  return out;
}

Encoded as_strings(const Column& column) {
  std::unordered_map<std::string_view, std::int32_t> known;
  std::string text;
  Integers ends{0}, which;
  which.reserve(column.values.size());
  for (const std::string_view value : column.values) {  // what is masked is ""
    const auto [found, added] = known.try_emplace(value, static_cast<std::int32_t>(known.size()));
    if (added) {
      text += value;
      ends.push_back(static_cast<std::int32_t>(text.size()));
    }
    which.push_back(found->second);
  }
  Encoded indices = encoded(which), offsets = encoded(ends);
  Encoded out;
  out.bytes = std::move(indices.bytes);
  out.encodings.push_back({{"kind", "StringArray"},
                           {"dataEncoding", std::move(indices.encodings)},
                           {"stringData", std::move(text)},
                           {"offsetEncoding", std::move(offsets.encodings)},
                           {"offsets", Json::binary(std::move(offsets.bytes))}});
  return out;
}

Json column_json(const std::string& category, const std::string& item, const Column& column) {
  std::optional<Encoded> numbers = is_number(category, item) ? as_numbers(column) : std::nullopt;
  Json entry = {
      {"name", item}, {"data", numbers ? std::move(*numbers).json() : as_strings(column).json()}, {"mask", nullptr}};
  if (column.masked) entry["mask"] = encoded(column.mask).json();
  return entry;
}

Json category_json(const std::string& name, const CifTable& table) {
  // A row is split for several columns at once, for as many as 8 million values allow.
  const std::size_t items = table.items().size();
  const std::size_t at_once = std::clamp<std::size_t>(8'000'000 / table.rows(), 1, items);
  Json columns = Json::array();
  std::vector<std::string_view> row;
  for (std::size_t first = 0; first < items; first += at_once) {
    std::vector<Column> part(std::min(at_once, items - first));
    for (std::size_t r = 0; r < table.rows(); ++r) {
      table.values(r, row);
      for (std::size_t c = 0; c < part.size(); ++c)
        part[c].add(first + c < row.size() ? row[first + c] : std::string_view("?"));
    }
    for (std::size_t c = 0; c < part.size(); ++c)
      columns.push_back(column_json(name, table.items()[first + c], part[c]));
  }
  return {{"name", name}, {"rowCount", table.rows()}, {"columns", std::move(columns)}};
}

}  // namespace

void write_binary_cif(std::ostream& out, const CifDocument& document) {
  Json blocks = Json::array();
  for (std::size_t block = 0; block < document.blocks(); ++block) {
    Json categories = Json::array();
    for (const auto& [name, table] : document.categories(block)) categories.push_back(category_json(name, table));
    blocks.push_back({{"header", document.block_name(block)}, {"categories", std::move(categories)}});
  }
  const Json file = {{"version", "0.3.0"}, {"encoder", "Isolume"}, {"dataBlocks", std::move(blocks)}};
  const std::vector<std::uint8_t> bytes = Json::to_msgpack(file);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace isolume
