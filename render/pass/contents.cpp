// The contents of a picture: clipping planes and outlines of an item.
#include <algorithm>
#include <cmath>

#include "render/pass/pipeline.h"

namespace isolume {
namespace {

constexpr std::size_t most_widths = 8;  // the shader looks around once for each

float to_linear(std::uint8_t value) {
  const float c = static_cast<float>(value) / 255.0f;
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

}  // namespace

std::uint32_t Contents::planes_of(ItemTraits::Kind kind) const {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const ClipPlane::Cuts cuts = planes[i].cuts;
    const bool cut = kind == ItemTraits::Kind::atoms     ? cuts != ClipPlane::Cuts::surfaces
                     : kind == ItemTraits::Kind::surface ? cuts != ClipPlane::Cuts::atoms
                                                         : false;
    if (cut) bits |= 1u << i;
  }
  return bits;
}

bool Contents::own_outlines() const {
  return std::any_of(traits.begin(), traits.end(),
                     [](const ItemTraits& t) { return t.outline.mode != Outline::Mode::scene; });
}

std::vector<glm::vec4> Contents::outlines(const Look& look, double pixel_scale) const {
  std::vector<float> widths;
  const auto width_of = [&](const Outline& outline) {
    return outline.mode == Outline::Mode::on                       ? outline.width
           : outline.mode == Outline::Mode::scene && look.outlines ? look.outline_width
                                                                   : 0.0f;
  };
  for (const ItemTraits& t : traits) {
    const float width = width_of(t.outline);
    if (width > 0 && widths.size() < most_widths && std::find(widths.begin(), widths.end(), width) == widths.end())
      widths.push_back(width);
  }
  std::sort(widths.begin(), widths.end());
  std::vector<glm::vec4> result{glm::vec4(static_cast<float>(widths.size()), 0, 0, 0)};
  for (const float width : widths)
    result.emplace_back(std::max(width * static_cast<float>(pixel_scale), 0.75f), 0, 0, 0);
  for (const ItemTraits& t : traits) {
    const float width = width_of(t.outline);
    float which = -1;
    for (std::size_t i = 0; i < widths.size() && width > 0; ++i)
      if (which < 0 || std::abs(widths[i] - width) < std::abs(widths[static_cast<std::size_t>(which)] - width))
        which = static_cast<float>(i);
    const bool own = t.outline.mode == Outline::Mode::on;
    const glm::u8vec4 c = t.outline.colour;
    const glm::vec3 colour = own ? glm::vec3(to_linear(c.r), to_linear(c.g), to_linear(c.b)) : glm::vec3(0.01f);
    result.emplace_back(colour, which);
    result.emplace_back(own ? static_cast<float>(c.a) / 255.0f : 0.85f, own ? 0 : 1, 0, 0);
  }
  return result;
}

}  // namespace isolume
