// Texts in space, written over a picture.
#include "app/cli/labels.h"

#include <stb/stb_easy_font.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace isolume::cli {
namespace {

using Ink = std::array<std::uint8_t, 4>;

std::string plain(std::string text) {
  const auto spell = [&text](const std::string& letter, const std::string& spelt) {
    for (auto at = text.find(letter); at != std::string::npos; at = text.find(letter)) text.replace(at, 2, spelt);
  };
  spell("\u00c5", "A");
  spell("\u00b0", " deg");
  for (char& c : text)
    if (c < 32 || c > 126) c = '?';
  return text;
}

// The rectangles of a text's letters, in units of the letters.
std::vector<std::array<float, 4>> letters(std::string text) {
  struct Vertex {
    float x, y, z;
    std::uint8_t colour[4];
  };
  std::vector<Vertex> vertices(text.size() * 70 + 4);  // a letter takes at most 270 bytes, says the header
  const int quads = stb_easy_font_print(0, 0, text.data(), nullptr, vertices.data(),
                                        static_cast<int>(vertices.size() * sizeof(Vertex)));
  std::vector<std::array<float, 4>> result;
  for (int q = 0; q < quads; ++q) {
    const Vertex& a = vertices[static_cast<std::size_t>(4 * q)];
    const Vertex& c = vertices[static_cast<std::size_t>(4 * q + 2)];
    result.push_back({a.x, a.y, c.x, c.y});
  }
  return result;
}

void write(Image& image, int x, int y, int scale, int rim, const std::vector<std::array<float, 4>>& quads, Ink ink) {
  const auto pixel = [scale](float units) { return static_cast<int>(std::lround(units * static_cast<float>(scale))); };
  for (const auto& q : quads)
    for (int row = std::max(0, y + pixel(q[1]) - rim); row < std::min(image.height, y + pixel(q[3]) + rim); ++row)
      for (int column = std::max(0, x + pixel(q[0]) - rim); column < std::min(image.width, x + pixel(q[2]) + rim);
           ++column) {
        const auto at = 4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(column));
        std::copy(ink.begin(), ink.end(), image.rgba.begin() + static_cast<std::ptrdiff_t>(at));
      }
}

}  // namespace

void draw_labels(Image& image, const SceneView& view) {
  if (image.width < 64 || image.height < 64) return;
  const double aspect = double(image.width) / image.height;
  const glm::dmat4 matrix = view.camera.projection_matrix(aspect, view.centre, view.radius) * view.camera.view();
  const int scale = std::max(1, static_cast<int>(std::lround(image.height / 450.0)));
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  const Ink light{255, 255, 255, 255}, black{0, 0, 0, 255};
  for (const Label& label : view.labels) {
    const glm::dvec4 clip = matrix * glm::dvec4(glm::dvec3(label.position), 1);
    if (!(clip.w > 0)) continue;
    std::string text = plain(label.text);
    const int x =
        static_cast<int>((clip.x / clip.w + 1) / 2 * image.width) - stb_easy_font_width(text.data()) * scale / 2;
    const int y = static_cast<int>((1 - clip.y / clip.w) / 2 * image.height) - 4 * scale;
    const auto quads = letters(text);
    write(image, x, y, scale, scale, quads, dark ? black : light);
    write(image, x, y, scale, 0, quads, dark ? light : black);
  }
}

}  // namespace isolume::cli
