// Alignments of sequences from files.
#include "formats/sequences/alignment.h"

#include <fmt/format.h>

#include <map>

#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t most_rows = 100'000;

class Rows {
 public:
  explicit Rows(const LineScanner& lines) : lines_(lines) {}

  /// The row of that name, made where there is none.
  std::size_t row(std::string_view name) {
    const auto [entry, fresh] = known_.emplace(std::string(name), file_.rows.size());
    if (fresh) begin(name);
    return entry->second;
  }
  /// A new row, whatever its name.
  std::size_t begin(std::string_view name) {
    if (file_.rows.size() >= most_rows) lines_.fail(fmt::format("more than {} sequences", most_rows));
    file_.rows.push_back({clean(name), {}});
    return file_.rows.size() - 1;
  }
  void add(std::size_t row, std::string_view letters) {
    std::string& to = file_.rows[row].letters;
    for (const char c : letters) {
      if (c == ' ' || c == '\t') continue;
      const char big = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
      if (big == '-' || big == '.' || big == '~' || big == '*') {
        to += '-';
      } else if (big >= 'A' && big <= 'Z') {
        to += big;
      } else {
        lines_.fail(fmt::format("'{}' is no letter of a sequence", clean(std::string_view(&c, 1))));
      }
    }
  }
  SequenceFile take() && { return std::move(file_); }

 private:
  const LineScanner& lines_;
  SequenceFile file_;
  std::map<std::string, std::size_t> known_;
};

SequenceFile read_fasta(LineScanner& lines) {
  Rows rows(lines);
  std::size_t row = 0;
  bool any = false;
  do {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.front() == ';') continue;
    if (line.front() == '>') {
      std::string_view rest = line.substr(1);
      row = rows.begin(next_token(rest));
      any = true;
    } else if (any) {
      rows.add(row, line);
    } else {
      lines.fail("expected '>' and a name before the first sequence");
    }
  } while (lines.next());
  return std::move(rows).take();
}

/// Blocks of lines "name letters", with or without a count behind them; `stockholm` ends at "//".
SequenceFile read_blocks(LineScanner& lines, bool stockholm) {
  Rows rows(lines);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (stockholm && line == "//") break;
    if (line.empty() || line.front() == '#') continue;
    if (!stockholm && (lines.line().front() == ' ' || lines.line().front() == '\t')) continue;  // marks of conservation
    const auto fields = split(line);
    if (fields.size() < 2) lines.fail("expected a name and the letters of its sequence");
    rows.add(rows.row(fields[0]), fields[1]);
  }
  return std::move(rows).take();
}

}  // namespace

SequenceFile read_alignment(const ByteSource& source) {
  LineScanner lines(source);
  while (lines.next())
    if (!trimmed(lines.line()).empty()) break;
  const std::string_view first = trimmed(lines.line());
  SequenceFile file;
  if (first.starts_with("# STOCKHOLM")) {
    file = read_blocks(lines, true);
  } else if (starts_with_nocase(first, "CLUSTAL") || starts_with_nocase(first, "MUSCLE")) {
    file = read_blocks(lines, false);
  } else if (!first.empty() && (first.front() == '>' || first.front() == ';')) {
    file = read_fasta(lines);
  } else {
    throw Error::in_file(source.name(), 1, "no alignment: expected FASTA ('>'), 'CLUSTAL' or '# STOCKHOLM'");
  }
  if (file.rows.empty()) throw Error::in_file(source.name(), 0, "the alignment has no sequences");
  for (const SequenceFile::Row& row : file.rows)
    if (row.letters.size() != file.rows.front().letters.size())
      throw Error::in_file(
          source.name(), 0,
          fmt::format("'{}' has {} columns, '{}' {}: sequences must be aligned", file.rows.front().name,
                      file.rows.front().letters.size(), row.name, row.letters.size()));
  return file;
}

}  // namespace isolume
