// JSON files, read within limits, for all JSON formats.
#include "formats/orbitals/json_document.h"

#include <fmt/format.h>

#include <cmath>

#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest = std::size_t{1} << 29;

/// Depth of brackets outside of texts; nothing is built, so that depth costs nothing.
int depth_of(std::string_view text, int limit) {
  int depth = 0, deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size() && deepest <= limit; ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"' || i >= text.size();
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Json parse_json(const ByteSource& source) {
  const std::string_view text = source.text();
  if (text.size() > longest) {
    throw Error::in_file(source.name(), 0, fmt::format("{} bytes of JSON are more than {}", text.size(), longest));
  }
  if (depth_of(text, source.limits().recursion) > source.limits().recursion) {
    throw Error::in_file(source.name(), 0, fmt::format("brackets nested deeper than {}", source.limits().recursion));
  }
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::exception& fault) {
    std::string what = fault.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    throw Error::in_file(source.name(), 0, "not JSON: " + clean(what));
  }
}

bool json_mentions(const ByteSource& source, std::size_t bytes, std::initializer_list<std::string_view> words) {
  const std::string_view text = source.text().substr(0, bytes);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  for (const std::string_view word : words) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

const Json* JsonFile::find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(key));
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& JsonFile::need(const Json& object, std::string_view key) const {
  const Json* found = find(object, key);
  if (found == nullptr) fail(fmt::format("the file has no \"{}\"", key));
  return *found;
}

void JsonFile::fail(const std::string& message) const {
  throw Error::in_file(source_.name(), 0, message);
}

void JsonFile::append(const Json& value, std::string_view what, int depth, std::vector<double>& out) const {
  if (value.is_array() && depth < 4) {
    out.reserve(out.size() + value.size());
    for (const Json& item : value) append(item, what, depth + 1, out);
    return;
  }
  out.push_back(number(value, what));
}

std::vector<double> JsonFile::numbers(const Json& value, std::string_view what) const {
  if (!value.is_array()) fail(fmt::format("{}: expected a list of numbers", what));
  std::vector<double> out;
  append(value, what, 0, out);
  return out;
}

double JsonFile::number(const Json& value, std::string_view what) const {
  double result = NAN;
  if (value.is_number()) result = value.get<double>();
  if (value.is_string()) result = parse_real(value.get_ref<const std::string&>()).value_or(NAN);
  if (!std::isfinite(result)) fail(fmt::format("{}: expected a number", what));
  return result;
}

std::int64_t JsonFile::integer(const Json& value, std::string_view what, std::int64_t low, std::int64_t high) const {
  const double result = number(value, what);
  if (result != std::floor(result) || result < static_cast<double>(low) || result > static_cast<double>(high)) {
    fail(fmt::format("{}: expected a whole number from {} to {}, found {}", what, low, high, result));
  }
  return static_cast<std::int64_t>(result);
}

std::string JsonFile::text(const Json& value, std::string_view what) const {
  if (!value.is_string()) fail(fmt::format("{}: expected a text", what));
  return clean(value.get_ref<const std::string&>());
}

}  // namespace isolume
