// MessagePack as a tree of values. Libraries take a copy of all bytes and go as deep as a file says; this does neither.
#include "formats/structures/message_pack.h"

#include <bit>

#include "molecule/base/error.h"

namespace isolume {
namespace {

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name, int recursion)
      : bytes_(bytes), name_(name), recursion_(recursion) {}

  PackValue value(int depth) {
    if (depth > recursion_) fail("values are nested too deeply");
    constexpr std::size_t most = 2'000'000;
    if (++values_ > most) fail("more values than two million");
    PackValue out;
    const auto first = static_cast<unsigned>(number(1));
    if (first <= 0x7f || first >= 0xe0) {
      integer(out, static_cast<std::int8_t>(first));
    } else if (first <= 0x8f) {
      list(out, PackValue::Kind::map, first & 15, depth);
    } else if (first <= 0x9f) {
      list(out, PackValue::Kind::list, first & 15, depth);
    } else if (first <= 0xbf) {
      text(out, PackValue::Kind::text, first & 31);
    } else {
      long_value(out, first, depth);
    }
    return out;
  }

 private:
  void long_value(PackValue& out, unsigned first, int depth) {
    using Kind = PackValue::Kind;
    switch (first) {
      case 0xc0:
        return;
      case 0xc2:
      case 0xc3:
        out.kind = Kind::boolean;
        out.integer = first & 1;
        return;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return text(out, Kind::bytes, number(1u << (first - 0xc4)));
      case 0xca:
        out.kind = Kind::real;
        out.real = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number(4))));
        return;
      case 0xcb:
        out.kind = Kind::real;
        out.real = std::bit_cast<double>(number(8));
        return;
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return integer(out, static_cast<std::int64_t>(number(1u << (first - 0xcc))));
      case 0xd0:
        return integer(out, static_cast<std::int8_t>(number(1)));
      case 0xd1:
        return integer(out, static_cast<std::int16_t>(number(2)));
      case 0xd2:
        return integer(out, static_cast<std::int32_t>(number(4)));
      case 0xd3:
        return integer(out, static_cast<std::int64_t>(number(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return text(out, Kind::text, number(1u << (first - 0xd9)));
      case 0xdc:
      case 0xdd:
        return list(out, Kind::list, number(first == 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return list(out, Kind::map, number(first == 0xde ? 2 : 4), depth);
      default:
        fail("a value of a type that is not expected here");
    }
  }

  static void integer(PackValue& out, std::int64_t value) {
    out.kind = PackValue::Kind::integer;
    out.integer = value;
  }
  void text(PackValue& out, PackValue::Kind kind, std::uint64_t length) {
    out.kind = kind;
    out.text = take(length);
  }
  void list(PackValue& out, PackValue::Kind kind, std::uint64_t count, int depth) {
    out.kind = kind;
    if (kind == PackValue::Kind::map) count *= 2;
    if (count > bytes_.size() - at_) fail("a list of more values than there are bytes left");  // each has one at least
    for (std::uint64_t i = 0; i < count; ++i) out.items.push_back(value(depth + 1));
  }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail("the file ends inside a value");
    const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += part.size();
    return part;
  }
  /// Big-endian.
  std::uint64_t number(unsigned count) {
    std::uint64_t sum = 0;
    for (const char c : take(count)) sum = sum << 8 | static_cast<std::uint8_t>(c);
    return sum;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error::in_file(name_, 0, "not valid MessagePack: " + what, static_cast<std::int64_t>(at_));
  }

  std::string_view bytes_;
  const std::string& name_;
  int recursion_;
  std::size_t at_ = 0, values_ = 0;
};

}  // namespace

const PackValue* PackValue::find(std::string_view key) const {
  if (kind != Kind::map) return nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i].kind == Kind::text && items[i].text == key) return &items[i + 1];
  return nullptr;
}

double PackValue::number(double missing) const {
  return kind == Kind::integer ? static_cast<double>(integer) : kind == Kind::real ? real : missing;
}

PackValue read_message_pack(std::string_view bytes, const std::string& name, int recursion) {
  return Reader(bytes, name, recursion).value(0);
}

}  // namespace isolume
