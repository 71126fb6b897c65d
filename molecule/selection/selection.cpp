// Selections as values, and their faults as the user sees them.
#include "molecule/selection/selection.h"

#include <algorithm>
#include <cctype>

#include "molecule/selection/selection_tree.h"

namespace isolume {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20;
constexpr std::size_t shown = 100;  // bytes of a long text that are shown around the fault

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Three lines: message, text, caret. Long texts are cut around the fault, and every character takes one column.
std::string three_lines(const std::string& message, std::string_view text, std::size_t column, std::size_t length) {
  column = std::min(column, text.size());
  length = std::min(length, text.size() - column);
  std::size_t first = column > shown / 2 && text.size() > shown ? column - shown / 2 : 0;
  while (first < column && continues(text[first])) ++first;
  std::size_t last = std::min(text.size(), first + shown);
  while (last < text.size() && continues(text[last])) ++last;
  std::string line = first > 0 ? "..." : "";
  std::string caret(line.size(), ' ');
  for (std::size_t i = first; i < last; ++i) {
    line += std::iscntrl(static_cast<unsigned char>(text[i])) ? ' ' : text[i];
    if (continues(text[i])) continue;
    if (i < column) caret += ' ';
    if (i >= column && i < column + length) caret += '^';
  }
  if (length == 0) caret += '^';
  if (last < text.size()) line += "...";
  return message + "\n" + line + "\n" + caret;
}

}  // namespace

SelectionError::SelectionError(const std::string& message, std::string_view text, std::size_t column_,
                               std::size_t length_)
    : Error(three_lines(message, text, column_, length_), Kind::usage), column(column_), length(length_) {}

Selection::Selection() : Selection("all") {}

Selection::Selection(std::string_view text) : text_(text) {
  if (text.size() > longest_text) {
    throw SelectionError("a selection may have 1048576 characters", text, longest_text, 1);
  }
  root_ = parse_selection(text_);
}

bool Selection::depends_on_positions() const {
  return uses_positions(*root_);
}

std::vector<std::uint8_t> Selection::mask(const Topology& topology, const Frame& frame) const {
  if (depends_on_positions() && frame.positions.size() != topology.atoms.size()) {
    throw Error("the selection '" + text_ + "' needs positions: the frame has " +
                    std::to_string(frame.positions.size()) + " atoms, the topology " +
                    std::to_string(topology.atoms.size()),
                Error::Kind::usage);
  }
  return evaluate_selection(*root_, topology, frame);
}

std::vector<std::uint32_t> Selection::atoms(const Topology& topology, const Frame& frame) const {
  const std::vector<std::uint8_t> selected = mask(topology, frame);
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i]) indices.push_back(static_cast<std::uint32_t>(i));
  }
  return indices;
}

}  // namespace isolume
