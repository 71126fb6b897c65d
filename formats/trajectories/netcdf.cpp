// The header of a NetCDF classic file.
#include "formats/trajectories/netcdf.h"

#include <algorithm>
#include <string_view>

#include "formats/bytes/binary.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr bool swapped = std::endian::native == std::endian::little;
constexpr std::uint64_t most = 10'000;  // dimensions, variables, attributes

std::uint64_t size_of(NetcdfHeader::Type type) {
  switch (type) {
    case NetcdfHeader::Type::byte:
    case NetcdfHeader::Type::text:
      return 1;
    case NetcdfHeader::Type::int16:
      return 2;
    case NetcdfHeader::Type::int32:
    case NetcdfHeader::Type::float32:
      return 4;
    case NetcdfHeader::Type::float64:
    case NetcdfHeader::Type::int64:
      return 8;
  }
  return 0;
}

double load(const std::byte* at, NetcdfHeader::Type type) {
  switch (type) {
    case NetcdfHeader::Type::byte:
    case NetcdfHeader::Type::text:
      return static_cast<double>(load_number<std::int8_t>(at, false));
    case NetcdfHeader::Type::int16:
      return static_cast<double>(load_number<std::int16_t>(at, swapped));
    case NetcdfHeader::Type::int32:
      return static_cast<double>(load_number<std::int32_t>(at, swapped));
    case NetcdfHeader::Type::float32:
      return static_cast<double>(load_number<float>(at, swapped));
    case NetcdfHeader::Type::float64:
      return load_number<double>(at, swapped);
    case NetcdfHeader::Type::int64:
      return static_cast<double>(load_number<std::int64_t>(at, swapped));
  }
  return 0;
}

std::uint64_t padded(std::uint64_t bytes) {
  return bytes > UINT64_MAX - 3 ? UINT64_MAX : (bytes + 3) / 4 * 4;
}

/// Takes the parts of a header off its bytes.
struct Parser {
  BinaryCursor cursor;
  int version;

  std::uint64_t number() {  // NON_NEG
    return version == 5 ? cursor.get<std::uint64_t>("the header") : cursor.get<std::uint32_t>("the header");
  }
  std::uint64_t count(std::uint32_t tag, const char* what) {
    const auto found = cursor.get<std::uint32_t>("the header");
    const std::uint64_t items = number();
    if (found != tag && !(found == 0 && items == 0)) cursor.fail(std::string("expected the list of ") + what);
    if (items > most) cursor.fail(std::to_string(items) + " " + what + " are more than a trajectory has");
    return items;
  }
  std::string name() {
    const std::uint64_t length = number();
    if (length > 4096) cursor.fail("a name of " + std::to_string(length) + " bytes");
    const auto* at = reinterpret_cast<const char*>(cursor.take(padded(length), "a name"));
    return clean({at, length});
  }
  NetcdfHeader::Type type() {
    const auto value = cursor.get<std::uint32_t>("the header");
    const bool known = (value >= 1 && value <= 6) || value == 10;
    if (!known) cursor.fail("numbers of type " + std::to_string(value));
    return static_cast<NetcdfHeader::Type>(value);
  }
  std::map<std::string, NetcdfHeader::Attribute> attributes() {
    std::map<std::string, NetcdfHeader::Attribute> all;
    const std::uint64_t items = count(12, "attributes");
    for (std::uint64_t i = 0; i < items; ++i) {
      const std::string key = name();
      const NetcdfHeader::Type kind = type();
      const std::uint64_t entries = number();
      const std::uint64_t size = size_of(kind);
      const std::byte* at = cursor.take(padded(saturating_product(entries, size)), "an attribute");
      NetcdfHeader::Attribute attribute;
      if (kind == NetcdfHeader::Type::text) {
        attribute.text = clean({reinterpret_cast<const char*>(at), entries});
      } else {
        for (std::uint64_t k = 0; k < std::min<std::uint64_t>(entries, 16); ++k) {
          attribute.numbers.push_back(load(at + k * size, kind));
        }
      }
      all[key] = std::move(attribute);
    }
    return all;
  }
};

}  // namespace

bool is_netcdf_classic(const ByteSource& source) {
  const std::string_view text = source.text();
  return text.size() >= 4 && text.starts_with("CDF") && (text[3] == 1 || text[3] == 2 || text[3] == 5);
}

NetcdfHeader::NetcdfHeader(const ByteSource& source) {
  if (!is_netcdf_classic(source)) {
    throw Error::in_file(source.name(), 0, "expected NetCDF's classic format, which begins with CDF and 1, 2 or 5");
  }
  Parser parser{BinaryCursor(source, swapped, 4), source.text()[3]};
  const std::uint64_t promised = parser.number();
  const bool streaming = promised == (parser.version == 5 ? UINT64_MAX : 0xFFFFFFFFu);

  struct Dimension {
    std::string name;
    std::uint64_t length;
  };
  std::vector<Dimension> list;
  const std::uint64_t dimensions = parser.count(10, "dimensions");
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    const std::string name = parser.name();
    list.push_back({name, parser.number()});
    dimensions_[name] = list.back().length;
  }
  attributes_ = parser.attributes();
  const std::uint64_t variables = parser.count(11, "variables");
  std::size_t record_variables = 0;
  std::uint64_t only_record = 0;
  std::uint64_t first_record = UINT64_MAX;
  for (std::uint64_t i = 0; i < variables; ++i) {
    const std::string name = parser.name();
    Variable variable;
    const std::uint64_t rank = parser.number();
    if (rank > 16) parser.cursor.fail(name + " has " + std::to_string(rank) + " dimensions");
    variable.items = 1;
    for (std::uint64_t d = 0; d < rank; ++d) {
      const std::uint64_t id = parser.number();
      if (id >= list.size()) parser.cursor.fail(name + " names a dimension that does not exist");
      if (list[id].length == 0 && d == 0) {
        variable.record = true;
        continue;
      }
      variable.shape.push_back(list[id].length);
      variable.items = saturating_product(variable.items, list[id].length);
    }
    variable.attributes = parser.attributes();
    variable.type = parser.type();
    parser.number();  // its size, which is worked out instead: it is wrong in large files
    variable.begin = parser.version == 1 ? parser.cursor.get<std::uint32_t>("the header")
                                         : parser.cursor.get<std::uint64_t>("the header");
    if (variable.record) {
      const std::uint64_t bytes = saturating_product(variable.items, size_of(variable.type));
      ++record_variables;
      only_record = bytes;
      first_record = std::min(first_record, variable.begin);
      record_bytes_ = padded(bytes) > UINT64_MAX - record_bytes_ ? UINT64_MAX : record_bytes_ + padded(bytes);
    }
    variables_[name] = std::move(variable);
  }
  if (record_variables == 1) record_bytes_ = only_record;  // a single one is not padded
  if (record_variables == 0 || record_bytes_ == 0) return;
  const std::uint64_t size = source.bytes().size();
  const std::uint64_t room = first_record < size ? (size - first_record) / record_bytes_ : 0;
  records_ = streaming ? room : std::min(promised, room);
  damaged_ = !streaming && promised > room;
}

const NetcdfHeader::Variable* NetcdfHeader::find(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> NetcdfHeader::dimension(const std::string& name) const {
  const auto found = dimensions_.find(name);
  if (found == dimensions_.end()) return std::nullopt;
  return found->second;
}

std::vector<double> NetcdfHeader::read(const ByteSource& source, const Variable& variable, std::uint64_t record,
                                       std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t size = size_of(variable.type);
  const std::uint64_t offset = variable.record ? saturating_product(record, record_bytes_) : 0;
  BinaryCursor cursor(source, swapped, 0);
  const std::uint64_t bytes = saturating_product(count, size);
  const std::uint64_t total = source.bytes().size();
  if (first > variable.items || count > variable.items - first) cursor.fail("a variable has fewer entries");
  if (variable.begin > total || offset > total - variable.begin ||
      saturating_product(first, size) > total - variable.begin - offset) {
    cursor.fail("the file ends before a variable");
  }
  BinaryCursor at(source, swapped, variable.begin + offset + first * size);
  const std::byte* data = at.take(bytes, "a variable");
  std::vector<double> values(count);
  for (std::uint64_t i = 0; i < count; ++i) values[i] = load(data + i * size, variable.type);
  return values;
}

}  // namespace isolume
