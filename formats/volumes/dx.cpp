// OpenDX grids of scalar values.
#include "formats/volumes/dx.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/bytes/number_run.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

struct Header {
  Grid grid;
  std::string name, unit;
  std::uint64_t values = 0;
};

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"') {
    text.remove_prefix(1);
    text = text.substr(0, text.find('"'));
  }
  return clean(text);
}

/// Comments say what the numbers are: "# POTENTIAL (kT/e)" by APBS, "# unit: V" and "# name: ..." by Isolume.
void read_comment(std::string_view line, Header& header) {
  const std::string_view text = trimmed(line.substr(1));
  if (text.starts_with("unit: ")) {
    header.unit = clean(text.substr(6));
  } else if (text.starts_with("name: ")) {
    header.name = clean(text.substr(6));
  } else if (text.ends_with("(kT/e)")) {
    header.unit = "kT/e";
    header.name = clean(text.substr(0, text.size() - 6));
    if (header.name == "POTENTIAL") header.name = "electrostatic potential";
  }
}

/// Goes to the next line that is neither empty nor a comment.
bool next_line(LineScanner& lines, Header& header) {
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty()) continue;
    if (line[0] != '#') return true;
    read_comment(line, header);
  }
  return false;
}

void require_line(LineScanner& lines, Header& header, std::string_view what) {
  if (!next_line(lines, header)) lines.fail(fmt::format("the file ends where {} was expected", what));
}

glm::dvec3 vector_of(const LineScanner& lines, std::string_view key, std::string_view what) {
  std::string_view rest = trimmed(lines.line());
  if (starts_with_nocase(rest, upper(key))) rest.remove_prefix(key.size());
  glm::dvec3 vector;
  for (int i = 0; i < 3; ++i) {
    if (!next_number(lines, rest, vector[i], what)) lines.fail(fmt::format("{}: three numbers expected", what));
  }
  return vector;
}

void read_positions(LineScanner& lines, Header& header) {
  std::string_view rest = lines.line().substr(lines.line().find("counts") + 6);
  for (int i = 0; i < 3; ++i) {
    header.grid.counts[i] = static_cast<int>(lines.integer(next_token(rest), "counts", 1, 1 << 30));
  }
  require_line(lines, header, "the origin");
  header.grid.origin = vector_of(lines, "origin", "origin");
  for (int i = 0; i < 3; ++i) {
    require_line(lines, header, "a delta");
    header.grid.step[i] = vector_of(lines, "delta", "delta");
  }
  if (std::abs(glm::determinant(header.grid.step)) < 1e-30) lines.fail("the deltas lie in one plane");
}

/// "object 3 class array type double rank 0 items N data follows"
void read_array(const LineScanner& lines, Header& header) {
  const std::vector<std::string_view> words = split(lines.line());
  const auto after = [&](std::string_view word) {
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() || found + 1 == words.end() ? std::string_view() : *(found + 1);
  };
  if (!after("rank").empty() && lines.integer(after("rank"), "rank") != 0) lines.fail("only scalar data are read");
  for (const std::string_view word : words) {
    if (word == "binary" || word == "ieee" || word == "lsb" || word == "msb") lines.fail("binary data are not read");
  }
  header.values = static_cast<std::uint64_t>(lines.integer(after("items"), "items", 1, std::int64_t{1} << 40));
  if (std::find(words.begin(), words.end(), "follows") == words.end()) lines.fail("the data must follow in the file");
}

int sniff(const ByteSource& source) {
  if (looks_binary(source)) return 0;
  for (const std::string_view line : first_lines(source, 100)) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    return text.starts_with("object") && text.find("gridpositions") != std::string_view::npos ? 95 : 0;
  }
  return 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  LineScanner lines(*source);
  Header header;
  bool has_positions = false;
  while (header.values == 0) {
    require_line(lines, header, has_positions ? "an array object" : "a gridpositions object");
    const std::string_view line = trimmed(lines.line());
    if (line.find("class gridpositions") != std::string_view::npos && line.find("counts") != std::string_view::npos) {
      if (has_positions) lines.fail("a second gridpositions object");
      read_positions(lines, header);
      has_positions = true;
    } else if (line.find("class array") != std::string_view::npos) {
      if (!has_positions) lines.fail("an array before the gridpositions object");
      read_array(lines, header);
    } else if (line.find("class gridconnections") == std::string_view::npos) {
      lines.fail("expected an object of class gridpositions, gridconnections or array, found \"" + clean(line, 60) +
                 "\"");
    }
  }
  const glm::ivec3 n = header.grid.counts;
  const auto points = checked_product(static_cast<std::uint64_t>(n.x) * static_cast<std::uint64_t>(n.y),
                                      static_cast<std::uint64_t>(n.z));
  if (!points || *points != header.values) {
    lines.fail(fmt::format("the grid has {} x {} x {} points and the array {} items", n.x, n.y, n.z, header.values));
  }
  if (*points > source->limits().grid_points) lines.fail("the grid has more points than the limit");
  check_count(*source, lines.number(), *points, 2, lines.bytes_left() + 1, "values");

  auto volume = std::make_shared<Volume>();
  volume->grid = header.grid;
  volume->values.resize(*points);
  const auto nx = static_cast<std::size_t>(n.x), ny = static_cast<std::size_t>(n.y), nz = static_cast<std::size_t>(n.z);
  std::size_t i = 0, j = 0, k = 0;
  std::uint64_t done = 0;
  while (done < *points) {
    if (!next_line(lines, header)) lines.fail(fmt::format("the file ends after {} of {} values", done, *points));
    std::string_view rest = trimmed(lines.line());
    double value = 0;
    while (done < *points && next_number(lines, rest, value, "value of the grid")) {
      volume->values[i + nx * (j + ny * k)] = static_cast<float>(value);
      ++done;
      if (++k == nz) {
        k = 0;
        if (++j == ny) {
          j = 0;
          ++i;
        }
      }
    }
    if (!trimmed(rest).empty()) lines.fail("more values than the array has items");
  }
  while (next_line(lines, header)) {
    const std::string_view line = trimmed(lines.line());
    if (line.starts_with("object") && header.name.empty() && line.find("class field") != std::string_view::npos) {
      header.name = unquoted(line.substr(6, line.find("class field") - 6));
      break;
    }
  }
  if (header.name == "regular positions regular connections") header.name.clear();
  volume->name = header.name;
  volume->unit = header.unit;
  Molecule molecule;
  molecule.format = "OpenDX";
  molecule.title = volume->name;
  molecule.volumes.push_back(std::move(volume));
  return molecule;
}

}  // namespace

const Format dx_format = {"OpenDX", "dx", "volume", sniff, read};

}  // namespace isolume
