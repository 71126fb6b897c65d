// Cartoon: flat helices, strands with arrow heads, coils as tubes; nucleic acids as tubes with their bases.
#include <algorithm>
#include <cmath>

#include "render/represent/curve.h"
#include "render/represent/helix_cylinders.h"
#include "render/represent/nucleic_bases.h"
#include "render/represent/style_input.h"

namespace isolume {
namespace {

constexpr int corners = 20;
constexpr float arrow_length = 1.35f;  // residues
constexpr float arrow_width = 1.7f;    // times the strand's

float smooth(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

Section mix(const Section& a, const Section& b, float t) {
  return {a.width + (b.width - a.width) * t, a.thickness + (b.thickness - a.thickness) * t,
          a.power + (b.power - a.power) * t};
}

/// The sections along one run.
class Profile {
 public:
  Profile(const std::vector<Shape>& shapes, float width, RibbonProfile profile) : shapes_(shapes) {
    coil_ = Section{0.21f * width, 0.21f * width, 2};
    helix_ = Section{width, 0.19f * width, 2.6f};
    strand_ = Section{0.92f * width, 0.17f * width, 8};
    if (profile == RibbonProfile::flat) {
      coil_ = Section{0.16f * width, 0.16f * width, 2};
      helix_ = Section{width, 0.07f * width, 12};
      strand_ = Section{0.92f * width, 0.07f * width, 12};
    } else if (profile == RibbonProfile::round) {
      coil_ = Section{0.25f * width, 0.25f * width, 2};
      helix_ = Section{0.9f * width, 0.36f * width, 2};
      strand_ = Section{0.85f * width, 0.32f * width, 2};
    }
  }

  Section at(float u, std::size_t residue, bool after_arrow_start) const {
    const Shape shape = shapes_[residue];
    if (shape == Shape::coil) return coil_;
    std::size_t begin = residue, end = residue;
    while (begin > 0 && shapes_[begin - 1] == shape) --begin;
    while (end + 1 < shapes_.size() && shapes_[end + 1] == shape) ++end;
    // Distances into the run from its borders with its neighbours, which lie half-way between residues.
    const float from_start = begin == 0 ? 9.0f : u - (static_cast<float>(begin) - 0.5f);
    const float to_end = end + 1 == shapes_.size() ? 9.0f : static_cast<float>(end) + 0.5f - u;
    if (shape == Shape::helix) {
      return mix(coil_, helix_, smooth(0.0f, 0.9f, from_start) * smooth(0.0f, 0.9f, to_end));
    }
    if (after_arrow_start) {
      const float t = std::clamp((u - arrow_start(residue)) / (arrow_end(residue) - arrow_start(residue)), 0.0f, 1.0f);
      Section head = strand_;
      head.width = strand_.width * arrow_width * (1 - t) + coil_.width * t;
      head.thickness = strand_.thickness + (coil_.thickness - strand_.thickness) * smooth(0.6f, 1.0f, t);
      head.power = strand_.power + (coil_.power - strand_.power) * smooth(0.8f, 1.0f, t);
      return head;
    }
    return strand_;
  }

  const Section& coil() const { return coil_; }

  float arrow_end(std::size_t residue) const {
    std::size_t end = residue;
    while (end + 1 < shapes_.size() && shapes_[end + 1] == Shape::strand) ++end;
    return end + 1 == shapes_.size() ? static_cast<float>(end) : static_cast<float>(end) + 0.5f;
  }
  float arrow_start(std::size_t residue) const { return arrow_end(residue) - arrow_length; }
  /// Change of the half width per residue within an arrow head.
  float arrow_slope() const { return (coil_.width - strand_.width * arrow_width) / arrow_length; }

 private:
  const std::vector<Shape>& shapes_;
  Section coil_, helix_, strand_;
};

void add_protein(RibbonMesh& ribbon, Cylinders& columns, const StyleInput& input, Backbone backbone) {
  const std::size_t n = backbone.residues.size();
  if (n < 2) return;
  std::vector<Shape> shape = shapes(backbone);
  if (input.options.profile == RibbonProfile::cylinders) add_helix_cylinders(columns, input, backbone, shape);
  const Curve curve(backbone, shape);
  const Profile profile(shape, input.options.cartoon_width, input.options.profile);
  const int detail = std::clamp(input.options.detail, 2, 64);
  const auto last = static_cast<float>(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t atom = backbone.residues[i].atom;
    const glm::u8vec4 colour = input.colours[atom];
    const float begin = std::max(static_cast<float>(i) - 0.5f, 0.0f),
                end = std::min(static_cast<float>(i) + 0.5f, last);
    const bool strand = shape[i] == Shape::strand;
    const float arrow = strand ? profile.arrow_start(i) : 1e9f;
    if (i == 0) ribbon.cap(curve.at(0), profile.at(0, 0, strand && arrow <= 0), -1, colour, atom);
    bool start = true;
    // A strand begins with a flat face.
    if (i > 0 && strand && shape[i - 1] != Shape::strand)
      ribbon.face(curve.at(begin), profile.coil(), profile.at(begin, i, arrow <= begin), -1, colour, atom);
    for (int k = 0; k <= detail; ++k) {
      const float before =
          k ? begin + (end - begin) * static_cast<float>(k - 1) / static_cast<float>(detail) : begin - 1;
      const float u = begin + (end - begin) * static_cast<float>(k) / static_cast<float>(detail);
      if (strand && arrow > before && arrow <= u && arrow >= begin) {
        // The arrow head begins: its back is a flat face.
        const Station station = curve.at(arrow);
        const Section body = profile.at(arrow, i, false), head = profile.at(arrow, i, true);
        ribbon.ring(station, body, colour, atom, start);
        ribbon.face(station, body, head, -1, colour, atom);
        start = true;
      }
      const bool in_head = strand && u >= arrow;
      const float slope = in_head ? profile.arrow_slope() / 3.3f : 0.0f;
      if (start && in_head && arrow > before && arrow >= begin && u > arrow)
        ribbon.ring(curve.at(arrow), profile.at(arrow, i, true), colour, atom, true, slope), start = false;
      ribbon.ring(curve.at(u), profile.at(u, i, in_head), colour, atom, start, slope);
      start = false;
    }
    if (i + 1 == n) ribbon.cap(curve.at(last), profile.at(last, i, strand), 1, colour, atom);
  }
}

}  // namespace

Items represent_cartoon(const StyleInput& input) {
  RibbonMesh ribbon(corners);
  Cylinders rods;
  rods.round_ends = true;
  Cylinders columns;
  std::vector<Backbone> runs = backbones(input);
  std::size_t done = 0;
  for (Backbone& run : runs) {
    input.report(done++, runs.size());
    if (run.nucleic)
      add_nucleic_acid(ribbon, rods, input, run);
    else
      add_protein(ribbon, columns, input, std::move(run));
  }
  Items items;
  if (!ribbon.mesh.triangles.empty()) {
    Surface shape;
    shape.parts = std::move(ribbon.parts);
    shape.mesh = std::make_shared<const Mesh>(std::move(ribbon.mesh));
    input.add(items, std::move(shape));
  }
  if (!rods.cylinders.empty()) input.add(items, std::move(rods));
  if (!columns.cylinders.empty()) input.add(items, std::move(columns));
  return items;
}

}  // namespace isolume
