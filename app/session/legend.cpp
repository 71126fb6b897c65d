// The legend of a surface's colours, drawn into a picture.
#include "app/session/legend.h"

#include <fmt/format.h>
#include <stb/stb_easy_font.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace isolume {
namespace {

using Ink = std::array<std::uint8_t, 4>;

void fill(Image& image, int x0, int y0, int x1, int y1, Ink ink) {
  for (int y = std::max(0, y0); y < std::min(image.height, y1); ++y)
    for (int x = std::max(0, x0); x < std::min(image.width, x1); ++x) {
      const std::size_t at =
          4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
      std::copy(ink.begin(), ink.end(), image.rgba.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

// Text with its upper left corner at (x, y), each unit of the letters `scale` pixels.
void write(Image& image, int x, int y, int scale, std::string text, Ink ink) {
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';  // the letters that there are
  struct Vertex {
    float x, y, z;
    std::uint8_t colour[4];
  };
  std::vector<Vertex> vertices(text.size() * 70 + 4);  // a letter takes at most 270 bytes, says the header
  const int quads = stb_easy_font_print(0, 0, text.data(), nullptr, vertices.data(),
                                        static_cast<int>(vertices.size() * sizeof(Vertex)));
  for (int q = 0; q < quads; ++q) {
    const Vertex& a = vertices[static_cast<std::size_t>(4 * q)];
    const Vertex& c = vertices[static_cast<std::size_t>(4 * q + 2)];
    const auto pixel = [scale](float units) {
      return static_cast<int>(std::lround(units * static_cast<float>(scale)));
    };
    fill(image, x + pixel(a.x), y + pixel(a.y), x + pixel(c.x), y + pixel(c.y), ink);
  }
}

int width_of(std::string text, int scale) {
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';
  return stb_easy_font_width(text.data()) * scale;
}

// Black, or white where the picture is dark there.
Ink ink_for(const Image& image, int x0, int y0, int x1, int y1) {
  double light = 0;
  double count = 0;
  for (int y = std::max(0, y0); y < std::min(image.height, y1); ++y)
    for (int x = std::max(0, x0); x < std::min(image.width, x1); ++x) {
      const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                               static_cast<std::size_t>(x))];
      const double grey = 0.3 * p[0] + 0.6 * p[1] + 0.1 * p[2];
      light += p[3] == 0 ? 255 : grey;
      ++count;
    }
  const bool dark = count > 0 && light / count < 110;
  return dark ? Ink{255, 255, 255, 255} : Ink{0, 0, 0, 255};
}

}  // namespace

std::vector<std::string> legend_lines(const FieldLegend& legend) {
  std::vector<std::string> lines;
  lines.push_back(legend.note.empty() ? legend.method : fmt::format("{}; {}", legend.method, legend.note));
  if (legend.error_points == 0) return lines;
  lines.push_back(fmt::format("error {:.1e} {} rms ({:.1e} relative), total charge {} e", legend.error, legend.unit,
                              legend.relative_error, charge_text(legend.total_charge)));
  return lines;
}

std::string charge_text(double charge) {
  if (std::abs(charge) < 5e-4) return "0";
  std::string text = fmt::format("{:+.3f}", charge);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void draw_legend(Image& image, const FieldLegend& legend, int row) {
  if (image.width < 200 || image.height < 100 || legend.colours.empty()) return;
  const std::string title = fmt::format("{} ({})", legend.title, legend.unit);
  const std::vector<std::string> lines = legend_lines(legend);
  int scale = std::max(1, static_cast<int>(std::lround(image.height / 500.0)));
  const auto longest = [&] {
    int width = 0;
    for (const std::string& text : lines) width = std::max(width, width_of(text, scale));
    return width;
  };
  while (scale > 1 && longest() + 16 * scale > image.width) --scale;
  const int line = 12 * scale, bar_width = std::min(160 * scale, image.width - 16 * scale), bar_height = 10 * scale;
  const int x = 8 * scale, height = 4 * line + bar_height + 4 * scale;
  int y = image.height - (row + 1) * (height + 4 * scale);
  if (y < 0) return;
  const Ink ink = ink_for(image, x, y, x + bar_width, y + height);
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0f, 1.0f))); };
  const auto ink_of = [&](glm::vec3 c) { return Ink{byte(c.r), byte(c.g), byte(c.b), 255}; };
  write(image, x, y, scale, title, ink);
  y += line;
  if (legend.isosurfaces) {
    // A patch for each surface, with its value beside it.
    const bool both = legend.colours.size() > 1;
    for (std::size_t i = 0; i < legend.colours.size(); ++i) {
      const int left = x + static_cast<int>(i) * bar_width / 2;
      fill(image, left - scale, y - scale, left + 2 * bar_height + scale, y + bar_height + scale, ink);
      fill(image, left, y, left + 2 * bar_height, y + bar_height, ink_of(legend.colours[i]));
      const double value = both && i == 0 ? legend.lower : legend.upper;
      write(image, left + 2 * bar_height + 4 * scale, y + 2 * scale, scale, fmt::format("{:+g}", value), ink);
    }
    y += bar_height + 5 * scale;
  } else {
    fill(image, x - scale, y - scale, x + bar_width + scale, y + bar_height + scale, ink);
    const auto last = static_cast<float>(legend.colours.size() - 1);
    for (int i = 0; i < bar_width && legend.colours.size() > 1; ++i) {
      const float place = last * static_cast<float>(i) / static_cast<float>(std::max(1, bar_width - 1));
      const auto below = std::min(static_cast<std::size_t>(place), legend.colours.size() - 2);
      const glm::vec3 c = glm::mix(legend.colours[below], legend.colours[below + 1], place - static_cast<float>(below));
      fill(image, x + i, y, x + i + 1, y + bar_height, ink_of(c));
    }
    y += bar_height + 3 * scale;
    for (int tick = 0; tick <= 2; ++tick) {
      const std::string text = fmt::format("{:g}", legend.lower + (legend.upper - legend.lower) * tick / 2);
      write(image, x + (bar_width - width_of(text, scale)) * tick / 2, y, scale, text, ink);
    }
    y += line;
  }
  for (const std::string& text : lines) {
    write(image, x, y, scale, text, ink);
    y += line;
  }
}

}  // namespace isolume
