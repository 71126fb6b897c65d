// --pbc: where the molecules of a periodic cell are placed.
#include "app/cli/cell_option.h"

#include <fmt/format.h>

#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {

void add_cell_option(Verb command, std::string& text, const std::string& otherwise) {
  command
      .option(
          "--pbc", text,
          fmt::format("molecules of a periodic cell: as-is, whole, wrap (whole, in the cell), or centre[:SELECTION] "
                      "(whole, the selected ones in the middle) (default: {})",
                      otherwise))
      .type_name("HOW");
}

CellTreatment cell_treatment(const std::string& text) {
  using Mode = CellTreatment::Mode;
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  const bool centre = word == "centre" || word == "center";
  if (centre && colon != std::string::npos) {
    const std::string selection = text.substr(colon + 1);
    Selection{selection};  // reports errors in it before any file is read
    return {Mode::centre, selection};
  }
  if (colon == std::string::npos) {
    if (text.empty() || word == "whole") return {};
    if (centre) return {Mode::centre};
    if (word == "wrap") return {Mode::wrap};
    if (word == "as-is") return {Mode::as_is};
  }
  throw Error(
      fmt::format("--pbc {}: expected as-is, whole, wrap, centre or centre:SELECTION, such as centre:protein", text),
      Error::Kind::usage);
}

}  // namespace isolume::cli
