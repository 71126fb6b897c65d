// Arrays of NumPy: real numbers of one dimension or two.
#include "formats/bytes/npy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {

NpyArray read_npy(const ByteSource& source) {
  const std::string_view text = source.text();
  const auto fail = [&](const char* what) { throw Error::in_file(source.name(), 0, what); };
  if (text.size() < 12 || !text.starts_with("\x93NUMPY")) fail("is no array of NumPy (npy)");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
  const bool first = byte(6) == 1;
  const std::size_t begin = first ? 10 : 12;
  const std::size_t length = byte(8) | byte(9) << 8 | (first ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > text.size() - begin) fail("is cut off within its header");
  const std::string_view header = text.substr(begin, length);
  const bool wide = header.find("'<f8'") != std::string_view::npos;
  if ((!wide && header.find("'<f4'") == std::string_view::npos) ||
      header.find("'fortran_order': False") == std::string_view::npos)
    fail("is no array of float32 or float64 in C order");
  const std::size_t open = header.find('('), close = header.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos) fail("has no shape");
  std::vector<std::uint64_t> shape;
  std::string_view rest = header.substr(open + 1, close - open - 1);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (const std::string_view size = trimmed(rest.substr(0, comma)); !size.empty()) {
      const auto number = parse_integer(size);
      if (!number || *number < 0) fail("has no shape of whole numbers");
      shape.push_back(static_cast<std::uint64_t>(*number));
    }
    rest.remove_prefix(std::min(rest.size(), comma + 1));
  }
  if (shape.empty() || shape.size() > 2) fail("has neither one dimension nor two");
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  const auto count = checked_product(shape[0], shape[1]);
  const std::string_view data = text.substr(begin + length);
  const std::size_t size = wide ? sizeof(double) : sizeof(float);
  if (!count || *count > data.size() / size || *count * size != data.size())
    fail("does not have as many numbers as its shape says");
  NpyArray array{shape[0], shape[1], std::vector<float>(*count)};
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    double value = 0;
    if (wide) {
      std::memcpy(&value, data.data() + i * size, size);
      array.values[i] = static_cast<float>(value);
    } else {
      std::memcpy(&array.values[i], data.data() + i * size, size);
    }
    if (!std::isfinite(array.values[i])) fail("has a number that is not finite");
  }
  return array;
}

}  // namespace isolume
