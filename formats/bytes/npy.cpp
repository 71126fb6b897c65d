// Arrays of NumPy: their headers and numbers.
#include "formats/bytes/npy.h"

#include <cmath>
#include <string>
#include <utility>

#include "formats/bytes/binary.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::uint64_t longest_header = 1 << 16;

/// The header's dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class Header {
 public:
  Header(const ByteSource& source, std::string_view text) : source_(source), text_(text) {}

  NpyHeader read() {
    NpyHeader array;
    bool type = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted("a key");
      expect(':');
      if (key == "descr" && !type) {
        if (peek() == '[') fail("structured arrays (with named fields) are not read; save an array of one type");
        type = true;
        read_type(quoted("the type"), array);
      } else if (key == "fortran_order" && !order) {
        order = true;
        array.fortran = read_bool();
      } else if (key == "shape" && !shape) {
        shape = true;
        array.shape = read_shape();
      } else {
        fail("the key \"" + clean(key, 40) + "\" is not one of descr, fortran_order and shape, each once");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!type || !order || !shape) fail("descr, fortran_order and shape are needed");
    if (skip(); !text_.empty()) fail("\"" + clean(std::string(text_), 20) + "\" follows the dictionary");
    return array;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error::in_file(source_.name(), 0, "the header of a NumPy array: " + what);
  }
  void skip() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\0'))
      text_.remove_prefix(1);
  }
  char peek() {
    skip();
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (peek() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected \"") + c + "\" before \"" + clean(std::string(text_), 20) + "\"");
  }
  std::string quoted(const char* what) {
    const char quote = peek();
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail(std::string("expected ") + what + " in quotes");
    const std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }
  bool read_bool() {
    skip();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>("True", true), {"False", false}}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail("fortran_order is True or False");
  }
  void read_type(const std::string& type, NpyHeader& array) const {
    const bool known = type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
    const int bytes = known && type[2] >= '1' && type[2] <= '8' ? type[2] - '0' : 0;
    const bool whole = known && (type[1] == 'i' || type[1] == 'u') && (bytes == 1 || bytes == 2);
    const bool either = known && (type[1] == 'i' || type[1] == 'u' || type[1] == 'f') && (bytes == 4 || bytes == 8);
    if (!whole && !either)
      fail("numbers of the type \"" + clean(type, 20) + "\"; floats of 4 or 8 bytes and integers of 1 to 8 are read");
    array.kind = type[1];
    array.bytes = bytes;
    array.swap = type[0] == '>';
  }
  std::vector<std::uint64_t> read_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!take(')')) {
      skip();
      std::size_t digits = 0;
      while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
      const auto size = parse_integer(text_.substr(0, digits));
      if (digits == 0 || !size) fail("a shape of something else than counts");
      shape.push_back(static_cast<std::uint64_t>(*size));
      if (shape.size() > 8) fail("more than 8 dimensions");
      text_.remove_prefix(digits);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  const ByteSource& source_;
  std::string_view text_;
};

}  // namespace

NpyHeader read_npy_header(const ByteSource& source) {
  BinaryCursor cursor(source, false);
  const auto* const begin = reinterpret_cast<const char*>(cursor.take(npy_magic.size(), "the first bytes of NumPy"));
  if (std::string_view(begin, npy_magic.size()) != npy_magic)
    cursor.fail("no array of NumPy: its first bytes are others");
  const auto major = cursor.get<std::uint8_t>("the version");
  cursor.get<std::uint8_t>("the version");
  if (major < 1 || major > 3) cursor.fail("version " + std::to_string(major) + " of NumPy's format; 1 to 3 are read");
  const std::uint64_t length = major == 1 ? cursor.get<std::uint16_t>("the length of the header")
                                          : cursor.get<std::uint32_t>("the length of the header");
  if (length > longest_header)
    cursor.fail("a header of " + std::to_string(length) + " bytes; at most " + std::to_string(longest_header) +
                " are read");
  const auto* const text = reinterpret_cast<const char*>(cursor.take(length, "the header"));
  NpyHeader array = Header(source, {text, static_cast<std::size_t>(length)}).read();
  array.offset = cursor.offset();
  return array;
}

double NpyNumbers::operator()(std::uint64_t row, std::uint64_t column) const {
  const std::byte* const at = data_ + (row * by_row_ + column * by_column_) * static_cast<std::uint64_t>(bytes_);
  if (kind_ == 'f') {
    return bytes_ == 4 ? static_cast<double>(load_number<float>(at, swap_)) : load_number<double>(at, swap_);
  }
  const bool sign = kind_ == 'i';
  switch (bytes_) {
    case 1:
      return sign ? load_number<std::int8_t>(at, swap_) : load_number<std::uint8_t>(at, swap_);
    case 2:
      return sign ? load_number<std::int16_t>(at, swap_) : load_number<std::uint16_t>(at, swap_);
    case 4:
      return sign ? load_number<std::int32_t>(at, swap_) : load_number<std::uint32_t>(at, swap_);
    default:
      return sign ? static_cast<double>(load_number<std::int64_t>(at, swap_))
                  : static_cast<double>(load_number<std::uint64_t>(at, swap_));
  }
}

NpyArray read_npy(const ByteSource& source) {
  const NpyHeader header = read_npy_header(source);
  const auto fail = [&](const char* what) { throw Error::in_file(source.name(), 0, what); };
  if (header.shape.empty() || header.shape.size() > 2) fail("has neither one dimension nor two");
  const std::uint64_t rows = header.shape.size() == 1 ? 1 : header.shape[0], columns = header.shape.back();
  const auto count = checked_product(rows, columns);
  const std::uint64_t left = source.bytes().size() - header.offset, size = static_cast<std::uint64_t>(header.bytes);
  if (!count || *count > left / size || *count * size != left) fail("does not have as many numbers as its shape says");
  const NpyNumbers numbers(source, header, rows, columns);
  NpyArray array{rows, columns, {}};
  array.values.reserve(*count);
  for (std::uint64_t i = 0; i < *count; ++i) {
    array.values.push_back(static_cast<float>(numbers(i / columns, i % columns)));
    if (!std::isfinite(array.values.back())) fail("has a number that is not finite");
  }
  return array;
}

}  // namespace isolume
