// A timeline as a table in CSV.
#include "app/cli/timeline/timeline_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "compute/analysis/analysis.h"
#include "compute/timeline/residue_words.h"

namespace isolume::cli {

std::string timeline_table(const Timeline& line, const Topology& topology, bool by_atom, bool structure) {
  std::string text = std::string("chain,residue,number") + (by_atom ? ",atom" : "");
  for (const std::size_t frame : line.frames)
    text += fmt::format(",frame {}{}", frame, line.unit.empty() ? "" : " (" + line.unit + ")");
  text += '\n';
  for (std::size_t r = 0; r < line.rows.size(); ++r) {
    text += residue_words(topology, line.rows[r].residue);
    if (by_atom) text += "," + csv_field(topology.atoms[line.rows[r].atoms.front()].name);
    for (std::size_t f = 0; f < line.frames.size(); ++f) {
      const float value = line.at(r, f);
      text += structure              ? fmt::format(",{}", structure_word(static_cast<int>(value)))
              : std::isfinite(value) ? fmt::format(",{:.6g}", value)
                                     : ",";
    }
    text += '\n';
  }
  return text;
}

const char* structure_word(int number) {
  constexpr std::array<const char*, 6> words{"coil", "helix", "3-10 helix", "pi helix", "strand", "turn"};
  return number >= 0 && number < 6 ? words[static_cast<std::size_t>(number)] : "";
}

}  // namespace isolume::cli
