// Representations: the names of the styles, and who makes each.
#include "render/represent/represent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/base/nearest.h"
#include "molecule/base/stop.h"
#include "render/represent/style_input.h"

namespace isolume {
namespace {

constexpr std::array<std::pair<Style, const char*>, style_count> styles = {{{Style::lines, "lines"},
                                                                            {Style::sticks, "sticks"},
                                                                            {Style::ball_and_stick, "ball and stick"},
                                                                            {Style::spheres, "spheres"},
                                                                            {Style::cartoon, "cartoon"},
                                                                            {Style::tube, "tube"},
                                                                            {Style::trace, "trace"},
                                                                            {Style::points, "points"},
                                                                            {Style::ellipsoids, "ellipsoids"},
                                                                            {Style::hydrogen_bonds, "hydrogen bonds"},
                                                                            {Style::vectors, "vectors"}}};

/// "Ball_and-stick" -> "ball and stick".
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '_' || c == '-' ? ' ' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return out;
}

std::vector<std::uint8_t> drawn_atoms(const Topology& topology, const Frame& frame,
                                      std::span<const std::uint8_t> mask) {
  std::vector<std::uint8_t> drawn(mask.begin(), mask.end());
  for (const Residue& residue : topology.residues) {
    char first = ' ';
    for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const char altloc = topology.atoms[i].altloc;
      if (altloc == ' ' || altloc == '\0') continue;
      if (first == ' ') first = altloc;
      if (altloc != first) drawn[i] = 0;
    }
  }
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const glm::vec3& p = frame.positions[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) drawn[i] = 0;
  }
  return drawn;
}

}  // namespace

const char* name(Style style) {
  for (const auto& [value, text] : styles)
    if (value == style) return text;
  return "unknown";
}

Style style_from_name(const std::string& name) {
  std::string known;
  for (const auto& [value, text] : styles) {
    if (plain(name) == text) return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
  }
  std::vector<std::string> names;
  for (const auto& style : styles) names.emplace_back(style.second);
  throw Error(fmt::format("there is no style \"{}\"{}; there are {}", name, did_you_mean(plain(name), names), known),
              Error::Kind::usage);
}

bool StyleInput::bond_drawn(const Bond& bond) const {
  if (!drawn[bond.a] || !drawn[bond.b]) return false;
  if (!frame.cell.exists()) return true;
  const glm::dvec3 d = glm::dvec3(position(bond.b)) - glm::dvec3(position(bond.a));
  if (glm::dot(d, d) < 9) return true;
  return glm::length(d) < glm::length(frame.cell.minimum_image(d)) + 0.5;
}

void StyleInput::report(std::size_t done, std::size_t of) const {
  check_stop();
  if (progress) progress(static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(of, 1)));
}

std::vector<std::uint8_t> StyleInput::bonded() const {
  std::vector<std::uint8_t> result(drawn.size());
  for (const Bond& bond : topology.bonds)
    if (bond_drawn(bond)) result[bond.a] = result[bond.b] = 1;
  return result;
}

void StyleInput::add(Items& items, decltype(DrawItem::shape) shape) const {
  auto item = std::make_shared<DrawItem>();
  item->shape = std::move(shape);
  item->object = object;
  item->opacity = opacity;
  item->material = material;
  item->copies = copies;
  items.push_back(std::move(item));
}

Items represent(const Topology& topology, const Frame& frame, std::span<const std::uint8_t> mask, Style style,
                const StyleOptions& options, std::span<const glm::u8vec4> colours,
                std::span<const SecondaryStructure> structure, std::uint32_t object, float opacity, Material material,
                std::vector<glm::vec3> copies, std::function<void(double)> progress, const Frame* found) {
  const std::size_t n = topology.atoms.size();
  if (frame.positions.size() != n || mask.size() != n || colours.size() != n)
    throw Error(fmt::format("{} atoms are to be drawn with {} positions, {} selection marks and {} colours", n,
                            frame.positions.size(), mask.size(), colours.size()));
  const StyleInput input{topology,
                         frame,
                         options,
                         colours,
                         structure,
                         object,
                         opacity,
                         material,
                         std::move(copies),
                         drawn_atoms(topology, frame, mask),
                         std::move(progress),
                         found ? *found : frame};
  switch (style) {
    case Style::lines:
      return represent_lines(input);
    case Style::sticks:
      return represent_sticks(input);
    case Style::ball_and_stick:
      return represent_ball_and_stick(input);
    case Style::spheres:
      return represent_spheres(input);
    case Style::cartoon:
      return represent_cartoon(input);
    case Style::tube:
      return represent_tube(input);
    case Style::trace:
      return represent_trace(input);
    case Style::points:
      return represent_points(input);
    case Style::ellipsoids:
      return represent_ellipsoids(input);
    case Style::hydrogen_bonds:
      return represent_hydrogen_bonds(input);
    case Style::vectors:
      return represent_vectors(input);
  }
  return {};
}

}  // namespace isolume
