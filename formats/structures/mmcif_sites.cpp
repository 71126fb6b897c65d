// Rows of mmCIF's atom_site as atoms and models.
#include "formats/structures/mmcif_sites.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "formats/bytes/frames.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/base/threads.h"
#include "molecule/far_positions.h"

namespace isolume::mmcif {
namespace {

std::int8_t small_charge(std::optional<std::int32_t> value) {
  return value && *value > -100 && *value < 100 ? static_cast<std::int8_t>(*value) : std::int8_t{0};
}

/// The values of a line, as CifTable::values() gives them.
void split_values(std::string_view line, std::vector<std::string_view>& values) {
  split_cif_row(line, values);
  for (std::string_view& value : values) value = unquoted(value);
}

FramePlace place_of(const ByteSource& source, const CifTable& table, std::size_t row) {
  // The text is within the source, behind a byte-order mark perhaps.
  const auto before = static_cast<std::size_t>(table.text().data() - source.text().data());
  return {before + table.lines()->starts[row], table.lines()->first_line + static_cast<std::int64_t>(row)};
}

glm::dvec3 position_of(const Row& row, const SiteColumns& c) {
  return {row.coordinate(c.x, "Cartn_x"), row.coordinate(c.y, "Cartn_y"), row.coordinate(c.z, "Cartn_z")};
}

/// The next atom, which is the `number`th of the part, from 0.
void add_atom(const Row& row, const SiteColumns& c, std::size_t number_in_part, AtomPart& part) {
  const Topology& topology = part.builder.topology();
  Atom atom;
  atom.name = clean(row.at(c.name));
  atom.altloc = letter(row.at(c.altloc));
  const auto serial = row.integer(c.id);
  if (!serial) part.in_turn = true;
  atom.serial = serial.value_or(static_cast<std::int32_t>(number_in_part + 1));
  atom.hetero = row.at(c.group) == "HETATM";
  atom.occupancy = row.real_or(c.occupancy, 1);
  atom.b_factor = row.real_or(c.b_factor, 0);
  atom.formal_charge = small_charge(row.integer(c.charge));
  std::string residue = clean(row.at(c.residue));
  const std::string chain = clean(row.at(c.chain));
  const std::string label_chain = clean(row.at(c.label_chain));
  const char insertion = letter(row.at(c.insertion));
  std::optional<std::int32_t> number = row.integer(c.number);
  if (!number) {
    // Waters of old files have no number: a name that comes again starts the next one.
    part.in_turn = true;
    const bool next = topology.atoms.empty() || topology.residues.back().name != residue ||
                      topology.atoms[topology.residues.back().first_atom].name == atom.name;
    if (next) ++part.unnumbered;
    number = part.unnumbered;
  }
  if (atom.altloc != ' ' && !topology.atoms.empty() && topology.atoms.back().altloc != ' ' &&
      topology.residues.back().number == *number && topology.residues.back().insertion == insertion &&
      topology.chains.back().id == chain && topology.chains.back().segment == label_chain) {
    residue = topology.residues.back().name;  // alternate residues at one place go by the first name
  }
  atom.element = part.elements(row.at(c.symbol), atom.name, residue);
  part.builder.add(std::move(atom), residue, *number, insertion, chain, label_chain);
  add_position(position_of(row, c), part.frame);
}

}  // namespace

double Row::coordinate(std::size_t column, const char* what) const {
  const std::string_view text = without_uncertainty(at(column));
  const auto value = parse_real(text);
  if (!value || !(std::abs(*value) <= 1e6)) {
    fail_(std::string(what) + ": expected a number within a million angstrom, found \"" + clean(text, 40) + "\"");
  }
  return value.value_or(0);
}

float Row::real_or(std::size_t column, double missing) const {
  const auto value = parse_real(without_uncertainty(at(column)));
  return static_cast<float>(value && std::abs(*value) < 1e30 ? *value : missing);
}

std::optional<std::int32_t> Row::integer(std::size_t column) const {
  const auto value = parse_integer(at(column));
  if (!value || *value < std::numeric_limits<std::int32_t>::min() || *value > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

Row row_of(const ByteSource& source, const CifTable& table, const std::size_t& row) {
  return Row([&source, &table, &row](const std::string& message) {
    const char* const of = table.line() > 0 ? " of the loop that begins here: " : " of atom_site: ";
    throw Error::in_file(source.name(), table.line(), "row " + std::to_string(row + 1) + of + message);
  });
}

std::vector<Rows> models_of(const CifTable& table, const SiteColumns& columns) {
  if (columns.model == CifTable::none) return {{0, table.rows()}};
  // Rows whose model is not that of the row before, sought in ranges side by side.
  constexpr std::size_t range = 20'000;
  std::vector<std::vector<std::size_t>> parts((table.rows() + range - 1) / range);
  on_threads(parts.size(), [&](std::size_t part) {
    std::vector<std::string_view> values;
    std::string model;
    const std::size_t first = part * range;
    for (std::size_t row = first > 0 ? first - 1 : 0; row < std::min(first + range, table.rows()); ++row) {
      table.values(row, values);
      if (row >= first && (row == 0 || values[columns.model] != model)) parts[part].push_back(row);
      model = values[columns.model];
    }
  });
  std::vector<Rows> models;
  for (const std::vector<std::size_t>& part : parts) {
    for (const std::size_t row : part) {
      if (!models.empty()) models.back().end = row;
      models.push_back({row, table.rows()});
    }
  }
  return models;
}

bool same_atoms(const CifTable& table, const SiteColumns& c, const Rows& a, const Rows& b) {
  if (a.end - a.first != b.end - b.first) return false;
  const std::array<std::size_t, 7> identity = {c.name,   c.altloc,    c.residue,     c.chain,
                                               c.number, c.insertion, c.label_number};
  std::vector<std::string_view> one, other;
  for (std::size_t i = 0; i < a.end - a.first; ++i) {
    table.values(a.first + i, one);
    table.values(b.first + i, other);
    for (const std::size_t column : identity) {
      if (column < one.size() && one[column] != other[column]) return false;
    }
  }
  return true;
}

AtomPart read_first(const ByteSource& source, const CifTable& table, const SiteColumns& c, const Rows& rows) {
  if (!table.lines()) {
    AtomPart part;
    std::size_t at = rows.first;
    Row row = row_of(source, table, at);
    for (; at < rows.end; ++at) {
      table.values(at, row.values());
      add_atom(row, c, at, part);
    }
    return part;
  }
  const FramePlace place = place_of(source, table, rows.first);
  LineScanner scanner(source, place.offset, place.line);
  return read_in_pieces(scanner, rows.end - rows.first, [&c](LineScanner& lines, std::size_t count, AtomPart& part) {
    Row row([&lines](const std::string& message) { lines.fail(message); });
    for (std::size_t i = 0; i < count; ++i) {
      split_values(lines.require("an atom"), row.values());
      add_atom(row, c, i, part);
    }
  });
}

ResidueIndex residue_index(const CifTable& table, const SiteColumns& c, const Topology& topology) {
  ResidueIndex index;
  Row row([](const std::string&) {});
  for (std::uint32_t i = 0; i < topology.residues.size(); ++i) {
    table.values(topology.residues[i].first_atom, row.values());  // the first model's rows are its atoms
    const std::string label_chain = clean(row.at(c.label_chain));
    index.by_label.try_emplace({label_chain, std::string(row.at(c.label_number))}, i);
    index.by_author.try_emplace({label_chain, std::string(row.at(c.number)), std::string(row.at(c.insertion))}, i);
  }
  return index;
}

std::shared_ptr<const Trajectory> frames_of(const std::shared_ptr<const ByteSource>& source, const CifTable& table,
                                            const SiteColumns& c, const std::vector<Rows>& models, Frame first) {
  const std::size_t atoms = first.positions.size();
  const Cell cell = first.cell;
  if (table.lines()) {
    std::vector<FramePlace> places;
    for (const Rows& model : models) places.push_back(place_of(*source, table, model.first));
    const auto decode = [c, atoms, cell](const ByteSource& bytes, const FramePlace& place) {
      LineScanner scanner(bytes, place.offset, place.line);
      AtomPart part = read_in_pieces(scanner, atoms, [&c](LineScanner& lines, std::size_t count, AtomPart& piece) {
        Row row([&lines](const std::string& message) { lines.fail(message); });
        for (std::size_t i = 0; i < count; ++i) {
          split_values(lines.require("an atom"), row.values());
          add_position(position_of(row, c), piece.frame);
        }
      });
      part.frame.cell = cell;
      return std::move(part.frame);
    };
    return std::make_shared<IndexedTrajectory>(source, std::move(places), atoms, decode, std::move(first));
  }
  std::vector<Frame> frames;
  std::size_t at = 0;
  Row row = row_of(*source, table, at);
  for (std::size_t i = 1; i < models.size(); ++i) {
    Frame frame;
    frame.cell = cell;
    for (at = models[i].first; at < models[i].end; ++at) {
      table.values(at, row.values());
      add_position(position_of(row, c), frame);
    }
    frames.push_back(std::move(frame));
  }
  frames.insert(frames.begin(), std::move(first));
  return std::make_shared<MemoryTrajectory>(std::move(frames));
}

}  // namespace isolume::mmcif
