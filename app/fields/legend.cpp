// The legend of a surface's colours, drawn into a picture.
#include "app/fields/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isolume {
namespace {

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

/// Units as they are printed: "bohr^-3/2", "angstrom^2" and "1/A^3" with superscripts.
std::string with_superscripts(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {{"angstrom", "\u00c5"},
                                                                     {"A^", "\u00c5^"},  // of volumes
                                                                     {"^-3/2", "\u207b\u00b3\u2044\u00b2"},
                                                                     {"^-3", "\u207b\u00b3"},
                                                                     {"^2", "\u00b2"},
                                                                     {"^3", "\u00b3"}};
  for (const auto& [plain, printed] : signs)
    for (std::size_t at = text.find(plain); at != std::string::npos; at = text.find(plain, at + printed.size()))
      text.replace(at, plain.size(), printed);
  return text;
}

/// What the number is: measured against exact values, of the model or of its arithmetic alone, or an estimate where
/// there are none.
std::string_view error_word(const FieldLegend& legend) {
  if (legend.note.find("error is of the arithmetic") != std::string::npos) return "arithmetic error";
  return legend.error_estimated ? "estimated error" : "error";
}

/// "significant at 13.1 % of the points", of differences with standard errors, whose note says it; else empty.
std::string significance(const FieldLegend& legend) {
  const std::size_t at = legend.note.find("significant at ");
  return at == std::string::npos ? std::string() : legend.note.substr(at, legend.note.find(';', at) - at);
}

}  // namespace

FieldLegend legend_of(const ColourKey& key) {
  FieldLegend legend;
  legend.title = key.title;
  legend.unit = key.unit;
  legend.lower = key.lower;
  legend.upper = key.upper;
  legend.colours = key.scale;
  legend.entries = key.entries;
  return legend;
}

std::string error_text(const FieldLegend& legend) {
  const std::string_view error = error_word(legend);
  // Of no difference between two fields nothing is a part.
  if (legend.error > 0 && legend.relative_error == 0)
    return fmt::format("{}{} {:.1e} {} rms at {} points", error, legend.at_surface ? " at the surface" : "",
                       legend.error, legend.unit, legend.error_points);
  const std::string near =
      legend.near_relative_error > 0 ? fmt::format(", {:.1e} near charges", legend.near_relative_error) : "";
  return fmt::format("{}{} {:.1e} {} rms at {} points ({:.1e} relative{})", error,
                     legend.at_surface ? " at the surface" : "", legend.error, legend.unit, legend.error_points,
                     legend.relative_error, near);
}

std::string legend_error(const FieldLegend& legend) {
  const std::string significant = significance(legend);
  if (legend.error_points == 0) return significant;
  const std::string amount = legend.relative_error > 0 ? fmt::format("{:.2g} %", 100 * legend.relative_error)
                                                       : fmt::format("{:.1e} {}", legend.error, legend.unit);
  return fmt::format("{} {} at {} points{}{}{}", error_word(legend), amount, legend.error_points,
                     legend.at_surface ? " of the surface" : "", significant.empty() ? "" : "; ", significant);
}

std::string charge_text(double charge) {
  if (std::abs(charge) < 5e-4) return "0";
  std::string text = fmt::format("{:+.3f}", charge);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string legend_title(const FieldLegend& legend) {
  std::string title = legend.title;
  // "orbital homo-1": typed in small letters, read in large ones.
  if (title.starts_with("orbital homo") || title.starts_with("orbital lumo"))
    for (std::size_t i = 8; i < 12; ++i) title[i] = static_cast<char>(title[i] - 'a' + 'A');
  const bool plain = legend.unit.empty() || legend.unit == "1";  // a number without a unit
  return with_superscripts(plain ? title : fmt::format("{} ({})", title, legend.unit));
}

namespace {

constexpr double longest_line = 28;  // em

/// Draws one legend after another from the lower left upwards. All measures are in pixels.
class LegendColumn {
 public:
  LegendColumn(Canvas& canvas, double letters)
      : canvas_(canvas),
        size_(letters > 0 ? letters : std::max(10.0, canvas.height() / 48.0)),
        small_(letters > 0 ? 0.85 * size_ : std::max(9.0, 0.85 * size_)),
        line_(1.35 * size_),
        left_(pixels(0.9)),
        bottom_(canvas.height() - pixels(0.7)) {}

  void add(const FieldLegend& legend) {
    const int bar_width = std::min(pixels(12), canvas_.width() - 2 * left_);
    const int columns = entry_columns(legend);
    const int rows = (static_cast<int>(legend.entries.size()) + columns - 1) / std::max(1, columns);
    const std::string error = legend_error(legend);
    const double error_line = error.empty() ? 0 : 1.35 * small_;
    const double body = !legend.entries.empty() ? rows * line_ : legend.isosurfaces ? 1.5 * size_ : 2.5 * size_;
    const std::vector<std::string> title = lines_of(legend_title(legend));
    const double titles = static_cast<double>(title.size()) * line_;
    double y = bottom_ - (titles + body + error_line);
    if (y < 0) return;
    bottom_ = static_cast<int>(y) - pixels(0.5);
    const int top = static_cast<int>(y), end = static_cast<int>(y + titles + body + error_line);
    ink_ = ink_for(canvas_.below(), left_, top, left_ + bar_width, end);
    const int margin = pixels(0.4);
    canvas_.veil(left_ - margin, top - margin / 2,
                 left_ + static_cast<int>(width_of(legend, title, bar_width)) + margin, end + margin / 2,
                 ink_[0] == 255);
    for (const std::string& line : title) {
      canvas_.text(left_, y, line, size_, ink_);
      y += line_;
    }
    if (!legend.entries.empty()) {
      draw_entries(legend, y, columns);
    } else if (legend.isosurfaces) {
      draw_patches(legend, static_cast<int>(y), bar_width);
    } else {
      draw_scale(legend, static_cast<int>(y), bar_width);
    }
    if (!error.empty()) canvas_.text(left_, y + body, error, small_, ink_);
  }

 private:
  int pixels(double em) const { return std::max(1, static_cast<int>(std::lround(em * size_))); }
  static Ink ink_of(glm::vec3 c) {
    const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0f, 1.0f))); };
    return {byte(c.r), byte(c.g), byte(c.b), 255};
  }
  /// A title, broken at blanks where it would leave the picture or be a long line.
  std::vector<std::string> lines_of(const std::string& text) const {
    const double room = std::min(canvas_.width() - 2.0 * left_, longest_line * size_);
    std::vector<std::string> lines{{}};
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
      if (!lines.back().empty() && text_width(longer, size_) > room) {
        lines.push_back(word);
      } else {
        lines.back() = longer;
      }
      at = end + 1;
    }
    return lines;
  }
  /// Of everything that a legend has.
  double width_of(const FieldLegend& legend, const std::vector<std::string>& title, int bar_width) const {
    double width = std::max<double>(bar_width, text_width(legend_error(legend), small_));
    for (const std::string& line : title) width = std::max(width, text_width(line, size_));
    if (!legend.entries.empty()) width = std::max(width, entry_columns(legend) * entry_width(legend));
    if (legend.entries.empty() && legend.isosurfaces)
      width = std::max(width, static_cast<double>(legend.colours.size()) * patch_width(legend, bar_width));
    return width;
  }
  double entry_width(const FieldLegend& legend) const {
    double width = 0;
    for (const auto& entry : legend.entries) width = std::max(width, text_width(entry.first, size_));
    return width + 2.4 * size_;
  }
  int entry_columns(const FieldLegend& legend) const {
    if (legend.entries.size() <= 6) return 1;
    return std::clamp(static_cast<int>(0.5 * canvas_.width() / entry_width(legend)), 1, 6);
  }
  /// A rectangle of a colour with a thin edge.
  void patch(int x, int y, int width, int height, glm::vec3 colour) {
    const int edge = pixels(0.06);
    canvas_.rectangle(x - edge, y - edge, x + width + edge, y + height + edge, ink_);
    canvas_.rectangle(x, y, x + width, y + height, ink_of(colour));
  }

  void draw_entries(const FieldLegend& legend, double y, int columns) {
    const double width = entry_width(legend);
    for (std::size_t i = 0; i < legend.entries.size(); ++i) {
      const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
      const int left = left_ + static_cast<int>(column * width);
      const double top = y + row * line_;
      patch(left, static_cast<int>(top + 0.2 * size_), pixels(0.8), pixels(0.8), legend.entries[i].second);
      canvas_.text(left + 1.3 * size_, top, legend.entries[i].first, size_, ink_);
    }
  }

  static std::string patch_text(const FieldLegend& legend, std::size_t number) {
    const bool lower = legend.colours.size() > 1 && number == 0;
    return fmt::format("{:+.4g}", lower ? legend.lower : legend.upper);
  }
  /// From one patch to the next: half of the usual width, more where a value needs it.
  double patch_width(const FieldLegend& legend, int width) const {
    double widest = 0;
    for (std::size_t i = 0; i < legend.colours.size(); ++i)
      widest = std::max(widest, text_width(patch_text(legend, i), size_));
    return std::max(0.5 * width, widest + 3 * size_);
  }

  /// A patch for each isosurface, with its value next to it.
  void draw_patches(const FieldLegend& legend, int y, int width) {
    for (std::size_t i = 0; i < legend.colours.size(); ++i) {
      const int left = left_ + static_cast<int>(static_cast<double>(i) * patch_width(legend, width));
      patch(left, y + pixels(0.15), pixels(1.8), pixels(0.9), legend.colours[i]);
      canvas_.text(left + 2.2 * size_, y, patch_text(legend, i), size_, ink_);
    }
  }

  void draw_scale(const FieldLegend& legend, int y, int width) {
    const int height = pixels(0.85), edge = pixels(0.06);
    y += pixels(0.1);
    canvas_.rectangle(left_ - edge, y - edge, left_ + width + edge, y + height + edge, ink_);
    canvas_.ramp(left_, y, left_ + width, y + height, legend.colours);
    for (int tick = 0; tick <= 2; ++tick) {
      const std::string text = fmt::format("{:.4g}", legend.lower + (legend.upper - legend.lower) * tick / 2);
      const double left = left_ + (width - text_width(text, small_)) * tick / 2;
      canvas_.text(left, y + height + 0.1 * size_, text, small_, ink_);
    }
  }

  Canvas& canvas_;
  double size_, small_;  // of letters, to the em
  double line_;          // from one line to the next
  int left_, bottom_;
  Ink ink_{};
};

}  // namespace

void draw_legends(Canvas& canvas, const std::vector<FieldLegend>& legends, double letters) {
  if (canvas.width() < 200 || canvas.height() < 100) return;
  LegendColumn column(canvas, letters);
  for (const FieldLegend& legend : legends)
    if (!legend.colours.empty() || !legend.entries.empty()) column.add(legend);
}

void draw_legends(Image& image, const std::vector<FieldLegend>& legends, double letters) {
  PixelCanvas canvas(image);
  draw_legends(canvas, legends, letters);
}

}  // namespace isolume
