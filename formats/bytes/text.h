// Text from files: lines with their numbers, fields, numbers by std::from_chars, clean strings, checked sizes.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// Walks through the lines of a text: LF, CRLF and CR end a line; a byte-order mark at the start is skipped. A NUL byte
/// or a line longer than ReadLimits::line is an error. next() is false at the end and stays so; the line before is then
/// gone, so that no loop can live on it.
class LineScanner {
 public:
  /// Begins at byte `offset`, which is the start of line `first_line` (counted from 1). The source must outlive this.
  explicit LineScanner(const ByteSource& source, std::size_t offset = 0, std::int64_t first_line = 1);

  /// Goes to the next line; false at the end of the text. Throws Error (input).
  bool next();
  /// As next(), but the end of the text is an error: "the file ends where WHAT was expected".
  std::string_view require(std::string_view what);

  std::string_view line() const { return line_; }
  /// Number of the current line, from 1; 0 before the first next().
  std::int64_t number() const { return number_; }
  /// Byte where the current line starts, and where the next one does.
  std::size_t offset() const { return offset_; }
  std::size_t next_offset() const { return next_; }
  std::size_t bytes_left() const { return text_.size() - next_; }
  const ByteSource& source() const { return *source_; }

  /// Throws Error (input) at the current line.
  [[noreturn]] void fail(const std::string& message) const;

  /// A number out of `field` of the current line; fails with "WHAT: expected a number, found ...". real() also refuses
  /// NaN and infinities.
  double real(std::string_view field, std::string_view what) const;
  /// real() times `to_angstrom` that must lie within a million angstrom of the origin.
  double coordinate(std::string_view field, std::string_view what, double to_angstrom = 1) const;
  std::int64_t integer(std::string_view field, std::string_view what) const;
  /// integer() that must lie in [low, high].
  std::int64_t integer(std::string_view field, std::string_view what, std::int64_t low, std::int64_t high) const;

 private:
  const ByteSource* source_;
  std::string_view text_;
  std::string_view line_;
  std::size_t offset_ = 0;
  std::size_t next_ = 0;
  std::size_t newline_ = 0;  ///< position of the next LF at or after next_ (cached, so that CR files stay linear)
  bool newline_known_ = false;
  std::int64_t number_ = 0;
};

/// Without blanks (space, tab, CR, vertical tab, form feed) at both ends.
std::string_view trimmed(std::string_view text);

/// Columns `first` to `last` of a line, counted from 1 as format documents do; what is past the line's end is
/// missing.
std::string_view columns(std::string_view line, std::size_t first, std::size_t last);

/// columns() without blanks at its ends.
std::string_view field(std::string_view line, std::size_t first, std::size_t last);

/// Fields separated by blanks. `out` is emptied and filled (kept by the caller, so that a loop allocates once).
void split(std::string_view line, std::vector<std::string_view>& out);
std::vector<std::string_view> split(std::string_view line);

/// The next field separated by blanks, taken off the front of `rest`; empty at the end.
std::string_view next_token(std::string_view& rest);

/// A number that fills the whole field (blanks around it, a leading plus, and the Fortran exponent letters D and d are
/// allowed; "nan" and "inf" are numbers here). Empty where it is none.
std::optional<double> parse_real(std::string_view field);
/// An integer that fills the whole field. Empty where it is none or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view field);

/// True where `text` begins with `prefix`, which is in capitals, in any case.
bool starts_with_nocase(std::string_view text, std::string_view prefix);
std::string upper(std::string_view text);

/// A string of a file as it may be shown: without blanks at its ends, control characters and what is not UTF-8 replaced
/// by '?', at most `longest` bytes.
std::string clean(std::string_view text, std::size_t longest = 200);

/// a * b, or nothing where that does not fit.
std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b);

/// Throws Error (input) unless `count` items of at least `bytes_each` bytes fit into `bytes_left`: no file makes us
/// allocate more than it has. `what` names the items.
void check_count(const ByteSource& source, std::int64_t line, std::uint64_t count, std::uint64_t bytes_each,
                 std::uint64_t bytes_left, std::string_view what);

/// The first lines of a text, for guessing formats: at most `count`, out of the first 64 KiB. Never throws.
std::vector<std::string_view> first_lines(const ByteSource& source, std::size_t count);

/// True where the first 4 KiB have NUL bytes or many control characters: not a text format.
bool looks_binary(const ByteSource& source);

}  // namespace isolume
