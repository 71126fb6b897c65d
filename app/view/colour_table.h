// What a file of colours holds: the lines of a table, or an alignment with its conservation.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compute/structure/conservation.h"

namespace isolume {

enum class ColourFileKey : std::uint8_t { chain, number, residue, atom, index, serial };

/// A line of a table: what its atoms have in common, and what they get.
struct ColourFileLine {
  std::vector<std::pair<ColourFileKey, std::string>> keys;
  float value = std::numeric_limits<float>::quiet_NaN();
  glm::u8vec4 colour{0};
  std::string label;
};

struct ColourFileContents {
  std::string title;
  bool colours = false;
  std::vector<ColourFileLine> lines;
  std::vector<std::string> rows;  ///< of an alignment; then there are no lines
  SequenceKind kind = SequenceKind::protein;
  std::vector<float> conservation;
  std::map<std::string, ChainInAlignment> chains;  ///< that were looked for
};

/// A table, or an alignment with the conservation of its columns. Throws Error::in_file with the line that is wrong.
ColourFileContents read_colour_file(const std::string& path);

}  // namespace isolume
