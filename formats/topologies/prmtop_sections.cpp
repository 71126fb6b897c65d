// The sections of an AMBER topology file.
#include "formats/topologies/prmtop_sections.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
constexpr std::size_t longest_text = 256;  // columns of one field

/// "(5E16.8)", "(8(F9.5))" or "(a80)": fields of type e, i or a, so many a line and so wide. "(i2,a78)" is a line of
/// text. False for anything else.
bool parse_format(std::string_view text, char& type, std::size_t& per_line, std::size_t& width) {
  std::int64_t fields = 1;
  const auto take_count = [&] {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return true;
    const auto count = parse_integer(text.substr(0, digits));
    text.remove_prefix(digits);
    if (!count || *count < 1 || *count > 80) return false;
    fields *= *count;
    return true;
  };
  for (text = trimmed(text); text.starts_with('(') && text.ends_with(')');) {
    text = trimmed(text.substr(1, text.size() - 2));
    if (!take_count()) return false;
  }
  if (text.empty() || fields > 80) return false;
  if (text.find(',') != std::string_view::npos) {
    if (text.find_first_not_of("0123456789aAiIeEfFgGxX.,") != std::string_view::npos) return false;
    type = 'a';
    per_line = 1;
    width = longest_text;
    return true;
  }
  const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  const std::string_view digits = text.substr(1);
  const auto columns = parse_integer(digits.substr(0, digits.find('.')));
  type = lower == 'f' || lower == 'g' ? 'e' : lower;
  if (type != 'a' && type != 'i' && type != 'e') return false;
  if (!columns || *columns < 1 || *columns > static_cast<std::int64_t>(longest_text)) return false;
  per_line = static_cast<std::size_t>(fields);
  width = static_cast<std::size_t>(*columns);
  return true;
}

}  // namespace

PrmtopSections::PrmtopSections(const ByteSource& source) : source_(source) {
  LineScanner scanner(source);
  if (!scanner.next() || !scanner.line().starts_with("%VERSION")) {
    throw Error::in_file(source.name(), 1, "expected a first line that begins with %VERSION (AMBER 7 or later)");
  }
  Section* open = nullptr;
  std::string name;
  bool has_format = true;
  while (scanner.next()) {
    const std::string_view line = scanner.line();
    if (!line.starts_with('%')) {
      if (open == nullptr || !has_format) {
        if (!trimmed(line).empty()) scanner.fail("expected %FLAG or %FORMAT, found \"" + clean(line, 40) + "\"");
        continue;
      }
      if (open->line == 0) {
        open->begin = scanner.offset();
        open->line = scanner.number();
      }
      open->end = scanner.next_offset();
    } else if (line.starts_with("%FLAG")) {
      if (!has_format) scanner.fail("%FLAG " + name + " has no %FORMAT");
      name = clean(line.substr(5), 80);
      const auto [place, fresh] = sections_.try_emplace(name);
      if (!fresh) scanner.fail("a second %FLAG " + name);
      open = &place->second;
      has_format = false;
    } else if (line.starts_with("%FORMAT")) {
      if (open == nullptr || has_format) scanner.fail("%FORMAT without %FLAG");
      // Of a section that nobody asks for, the format does not matter.
      const std::string_view format = line.substr(std::string_view("%FORMAT").size());
      if (!parse_format(format, open->type, open->per_line, open->width)) {
        open->unread_format = clean(line, 40);
        open->format_line = scanner.number();
      }
      has_format = true;
    }  // %COMMENT and the like
  }
  if (!has_format) throw Error::in_file(source.name(), 0, "the file ends after %FLAG " + name);
}

const PrmtopSections::Section& PrmtopSections::section(const std::string& name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw Error::in_file(source_.name(), 0, "there is no section %FLAG " + name);
  return found->second;
}

void PrmtopSections::fail(const std::string& name, const std::string& message) const {
  const auto found = sections_.find(name);
  throw Error::in_file(source_.name(), found == sections_.end() ? 0 : found->second.line, name + ": " + message);
}

template <class Take>
void PrmtopSections::fields(const std::string& name, std::size_t count, char type, Take take) const {
  const Section& part = section(name);
  if (!part.unread_format.empty()) {
    throw Error::in_file(source_.name(), part.format_line,
                         "expected a format such as %FORMAT(5E16.8), found \"" + part.unread_format + "\"");
  }
  if (part.type != type) {
    fail(name, std::string("expected a section of ") + (type == 'a' ? "text" : type == 'i' ? "integers" : "numbers"));
  }
  if (count == 0 || (count == all && part.line == 0)) return;
  const auto too_few = [&](std::size_t found) {
    fail(name, "expected " + std::to_string(count) + " values, found " + std::to_string(found));
  };
  if (part.line == 0) too_few(0);
  // Each line of the section holds at most per_line values and one byte at least.
  if (count != all && count / part.per_line > part.end - part.begin) too_few(0);
  LineScanner scanner(source_, part.begin, part.line);
  std::size_t taken = 0;
  while (taken < count && scanner.next_offset() < part.end && scanner.next()) {
    const std::string_view line = scanner.line();
    if (line.starts_with('%')) continue;  // a comment
    if (type != 'a' && trimmed(line).empty()) continue;
    const std::size_t last = std::min(part.per_line, (line.size() + part.width - 1) / part.width);
    // Blank names at a line's end may have been cut off; numbers are aligned to the right.
    const std::size_t fields = type == 'a' && count != all ? std::min(part.per_line, count - taken) : last;
    for (std::size_t i = 0; i < fields && taken < count; ++i) {
      const std::string_view text = field(line, i * part.width + 1, (i + 1) * part.width);
      if (type != 'a' && text.empty()) break;
      if (type != 'a' && line.size() < (i + 1) * part.width) scanner.fail(name + ": the line ends inside a number");
      take(scanner, text);
      ++taken;
    }
  }
  if (count != all && taken < count) too_few(taken);
}

std::vector<double> PrmtopSections::reals(const std::string& name, std::size_t count) const {
  std::vector<double> values;
  fields(name, count, 'e',
         [&](const LineScanner& scanner, std::string_view text) { values.push_back(scanner.real(text, name)); });
  return values;
}

std::vector<std::int64_t> PrmtopSections::integers(const std::string& name, std::size_t count, std::int64_t low,
                                                   std::int64_t high) const {
  std::vector<std::int64_t> values;
  fields(name, count, 'i', [&](const LineScanner& scanner, std::string_view text) {
    values.push_back(scanner.integer(text, name, low, high));
  });
  return values;
}

std::vector<std::int64_t> PrmtopSections::integers(const std::string& name) const {
  constexpr std::int64_t wide = std::int64_t{1} << 53;
  return integers(name, all, -wide, wide);
}

std::vector<std::string> PrmtopSections::words_or_blanks(const std::string& name, std::size_t count) const {
  if (!has(name) || section(name).line == 0) return std::vector<std::string>(count);
  return words(name, count);
}

std::vector<std::string> PrmtopSections::words(const std::string& name, std::size_t count) const {
  std::vector<std::string> values;
  fields(name, count, 'a', [&](const LineScanner&, std::string_view text) { values.push_back(clean(text)); });
  return values;
}

std::string PrmtopSections::title(const std::string& name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end() || found->second.line == 0) return {};
  LineScanner scanner(source_, found->second.begin, found->second.line);
  return scanner.next() ? clean(scanner.line()) : std::string();
}

}  // namespace isolume
