// Text from files: lines with their numbers, fields, numbers, clean strings, checked sizes.
#include "formats/bytes/text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"

namespace isolume {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::size_t find_byte(std::string_view text, std::size_t from, std::size_t to, char wanted) {
  if (from >= to) return std::string_view::npos;
  const void* found = std::memchr(text.data() + from, wanted, to - from);
  return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) : std::string_view::npos;
}

/// Length of the UTF-8 sequence at the start of `text`, 0 where it is none (RFC 3629: shortest form, no surrogates).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned b = byte(0);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return tail(1) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (b == 0xE0 && byte(1) < 0xA0) return 0;
    if (b == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (b >= 0xF0 && b <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (b == 0xF0 && byte(1) < 0x90) return 0;
    if (b == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

LineScanner::LineScanner(const ByteSource& source, std::size_t offset, std::int64_t first_line)
    : source_(&source), text_(source.text()), next_(std::min(offset, text_.size())), number_(first_line - 1) {
  if (next_ == 0 && text_.starts_with(byte_order_mark)) next_ = byte_order_mark.size();
  offset_ = next_;
}

bool LineScanner::next() {
  line_ = {};
  offset_ = next_;
  if (next_ >= text_.size()) return false;
  if ((++number_ & 4095) == 0) {
    check_stop();
    WorkPart::report(static_cast<double>(next_) / static_cast<double>(text_.size()));
  }
  const std::size_t limit = source_->limits().line;
  // No farther than a line may reach: a sparse file can have gigabytes without a newline.
  const std::size_t farthest = text_.size() - next_ > limit + 1 ? next_ + limit + 2 : text_.size();
  // What was found last is a newline, or how far was looked in vain, so that CR files stay linear.
  const bool known = newline_known_ && newline_ >= next_;
  if (!known || newline_ == text_.size() || text_[newline_] != '\n') {
    const std::size_t begin = known ? newline_ : next_;
    newline_ = std::min(find_byte(text_, begin, farthest, '\n'), std::max(begin, farthest));
    newline_known_ = true;
  }
  std::size_t end = newline_;
  const std::size_t searched = std::min(end, next_ + limit + 1);
  const std::size_t carriage = find_byte(text_, next_, searched, '\r');
  if (carriage != std::string_view::npos) end = carriage;
  if (end - next_ > limit) fail("the line is longer than the limit of " + std::to_string(limit) + " bytes");
  line_ = text_.substr(next_, end - next_);
  next_ = end;
  if (next_ < text_.size() && text_[next_] == '\r') ++next_;
  if (next_ < text_.size() && text_[next_] == '\n' && (next_ == end || text_[next_ - 1] == '\r')) ++next_;
  if (find_byte(line_, 0, line_.size(), '\0') != std::string_view::npos) {
    fail("a NUL byte: this is not the text that was expected");
  }
  return true;
}

std::string_view LineScanner::require(std::string_view what) {
  if (!next()) {
    ++number_;
    fail("the file ends where " + std::string(what) + " was expected");
  }
  return line_;
}

void LineScanner::fail(const std::string& message) const {
  throw Error::in_file(source_->name(), number_, message);
}

double LineScanner::real(std::string_view text, std::string_view what) const {
  const auto value = parse_real(text);
  if (!value) fail(std::string(what) + ": expected a number, found \"" + clean(text, 40) + "\"");
  if (!std::isfinite(*value)) fail(std::string(what) + ": \"" + clean(text, 40) + "\" is not finite");
  return *value;
}

double LineScanner::coordinate(std::string_view text, std::string_view what, double to_angstrom) const {
  const double value = real(text, what) * to_angstrom;
  if (!(std::abs(value) <= 1e6)) {
    fail(std::string(what) + ": \"" + clean(text, 40) + "\" is more than a million angstrom from the origin");
  }
  return value;
}

std::int64_t LineScanner::integer(std::string_view text, std::string_view what) const {
  const auto value = parse_integer(text);
  if (!value) fail(std::string(what) + ": expected an integer, found \"" + clean(text, 40) + "\"");
  return *value;
}

std::int64_t LineScanner::integer(std::string_view text, std::string_view what, std::int64_t low,
                                  std::int64_t high) const {
  const std::int64_t value = integer(text, what);
  if (value < low || value > high) {
    fail(std::string(what) + ": " + std::to_string(value) + " is not in " + std::to_string(low) + " to " +
         std::to_string(high));
  }
  return value;
}

std::string_view trimmed(std::string_view text) {
  std::size_t first = 0;
  std::size_t last = text.size();
  while (first < last && is_blank(text[first])) ++first;
  while (last > first && is_blank(text[last - 1])) --last;
  return text.substr(first, last - first);
}

std::string_view columns(std::string_view line, std::size_t first, std::size_t last) {
  if (first > line.size() || first == 0 || last < first) return {};
  return line.substr(first - 1, last - first + 1);
}

std::string_view field(std::string_view line, std::size_t first, std::size_t last) {
  return trimmed(columns(line, first, last));
}

std::string_view next_token(std::string_view& rest) {
  std::size_t first = 0;
  while (first < rest.size() && is_blank(rest[first])) ++first;
  std::size_t last = first;
  while (last < rest.size() && !is_blank(rest[last])) ++last;
  const std::string_view token = rest.substr(first, last - first);
  rest.remove_prefix(last);
  return token;
}

void split(std::string_view line, std::vector<std::string_view>& out) {
  out.clear();
  for (std::string_view token = next_token(line); !token.empty(); token = next_token(line)) out.push_back(token);
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> out;
  split(line, out);
  return out;
}

std::optional<double> parse_real(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) return std::nullopt;
  }
  if (text.empty()) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc() && result.ptr == end) return value;
  // Fortran writes 1.0D+01; and a value beyond double's range is an error here, as its sign and size are unknown.
  const std::size_t letter = text.find_first_of("dD");
  if (letter == std::string_view::npos || letter == 0 || text.size() > 64) return std::nullopt;
  char copy[64];
  std::copy(text.begin(), text.end(), copy);
  copy[letter] = 'e';
  result = std::from_chars(copy, copy + text.size(), value);
  if (result.ec == std::errc() && result.ptr == copy + text.size()) return value;
  return std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

namespace {
char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
}  // namespace

bool starts_with_nocase(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char p, char t) { return p == to_upper(t); });
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), to_upper);
  return out;
}

std::string clean(std::string_view text, std::size_t longest) {
  text = trimmed(text);
  if (text.size() <= longest && std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
    return std::string(text);
  }
  std::string out;
  out.reserve(std::min(text.size(), longest));
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    // C1 controls (U+0080 to U+009F) are controls as well.
    const bool control = (length == 1 && (first < 0x20 || first == 0x7F)) ||
                         (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0);
    const std::size_t step = std::max<std::size_t>(length, 1);
    const std::string_view shown = length == 0 || control ? std::string_view("?") : text.substr(0, length);
    if (out.size() + shown.size() > longest) break;
    out += shown;
    text.remove_prefix(step);
  }
  return out;
}

std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

void check_count(const ByteSource& source, std::int64_t line, std::uint64_t count, std::uint64_t bytes_each,
                 std::uint64_t bytes_left, std::string_view what) {
  const auto needed = checked_product(count, bytes_each);
  if (needed && *needed <= bytes_left) return;
  throw Error::in_file(source.name(), line,
                       "promises " + std::to_string(count) + " " + std::string(what) + ", but only " +
                           std::to_string(bytes_left) + " bytes follow");
}

std::vector<std::string_view> first_lines(const ByteSource& source, std::size_t count) {
  std::vector<std::string_view> lines;
  std::string_view text = source.text().substr(0, std::size_t{1} << 16);
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  // Searches for one character each: of two, find_first_of() looks up every byte, for each of some thirty formats.
  while (!text.empty() && lines.size() < count) {
    std::string_view row = text.substr(0, text.find('\n'));  // several lines where carriage returns alone end them
    const bool fed = row.size() < text.size();
    text.remove_prefix(row.size() + (fed ? 1 : 0));
    if (fed && row.ends_with('\r')) row.remove_suffix(1);
    while (lines.size() < count) {
      const std::size_t end = row.find('\r');
      lines.push_back(row.substr(0, end));
      if (end == std::string_view::npos) break;
      row.remove_prefix(end + 1);
      if (row.empty() && !fed) break;
    }
  }
  return lines;
}

bool looks_binary(const ByteSource& source) {
  const std::string_view head = source.text().substr(0, 4096);
  std::size_t controls = 0;
  for (const char c : head) {
    if (c == '\0') return true;
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\n' && c != '\t' && !is_blank(c)) ++controls;
  }
  return controls * 20 > head.size();
}

}  // namespace isolume
