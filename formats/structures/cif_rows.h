// The rows of a CIF's large loop, found in its text one a line, so that nobody keeps a string for each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

/// A loop whose rows are one line each.
struct CifRows {
  std::vector<std::string_view> tags;  ///< as the file has them
  std::int64_t loop_line = 0;          ///< of "loop_", from 1
  std::int64_t first_line = 0;         ///< of the first row
  std::size_t begin = 0, end = 0;      ///< bytes of the rows
  std::vector<std::size_t> starts;     ///< byte where each row begins

  /// The row's line without its end.
  std::string_view line(std::string_view text, std::size_t row) const;
};

/// The first loop of `text` whose tags all begin with `prefix`, where every row is one line of plain and quoted values,
/// as the archives write them. Nothing where a row is anything else, or lines end in CR alone: then the grammar has to
/// decide. It may still lie in a text field: the caller looks whether the grammar finds the same first row there.
/// `piece`: bytes that are worth a thread.
std::optional<CifRows> find_cif_rows(std::string_view text, std::string_view prefix, std::size_t piece);

/// Splits such a row into its values, quotes and all. False where it is anything else than plain and quoted values.
bool split_cif_row(std::string_view line, std::vector<std::string_view>& values);

}  // namespace isolume
