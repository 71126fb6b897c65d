// Drawing a timeline.
#include "app/cli/timeline/timeline_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "app/cli/timeline/timeline_table.h"

namespace isolume::cli {
namespace {

using Rgb = std::array<double, 3>;

// Support points of viridis (van der Walt and Smith, matplotlib, CC0).
constexpr std::array<Rgb, 9> viridis{{{68, 1, 84},
                                      {71, 44, 122},
                                      {59, 81, 139},
                                      {44, 113, 142},
                                      {33, 144, 141},
                                      {39, 173, 129},
                                      {92, 200, 99},
                                      {170, 220, 50},
                                      {253, 231, 37}}};
// Red is negative and blue positive, as on surfaces.
constexpr std::array<Rgb, 3> diverging{{{178, 24, 43}, {247, 247, 247}, {33, 84, 172}}};
// coil, helix, helix 3-10, helix pi, strand, turn
constexpr std::array<Rgb, 6> classes{
    {{235, 235, 235}, {200, 30, 90}, {235, 130, 170}, {130, 40, 140}, {240, 190, 40}, {90, 170, 210}}};

constexpr int levels = 64;
constexpr std::size_t most_cells = 800;

template <std::size_t count>
Rgb along(const std::array<Rgb, count>& stops, double t) {
  const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(count - 1);
  const auto i = std::min(count - 2, static_cast<std::size_t>(at));
  Rgb result{};
  for (std::size_t c = 0; c < 3; ++c)
    result[c] = stops[i][c] + (at - static_cast<double>(i)) * (stops[i + 1][c] - stops[i][c]);
  return result;
}

std::string hex(const Rgb& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(c[0]), std::lround(c[1]), std::lround(c[2]));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

// 1, 2 or 5 times a power of ten, about `parts` of them in `range`.
double round_step(double range, int parts) {
  const double raw = range / parts, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

struct Scale {
  double low = 0, high = 1;
  bool signed_values = false, categories = false;

  int level(double value) const {
    if (categories) return std::clamp(static_cast<int>(value), 0, static_cast<int>(classes.size()) - 1);
    return std::clamp(static_cast<int>(std::lround((value - low) / (high - low) * (levels - 1))), 0, levels - 1);
  }
  std::string colour(int level) const {
    if (categories) return hex(classes[static_cast<std::size_t>(level)]);
    const double t = level / (levels - 1.0);
    return hex(signed_values ? along(diverging, t) : along(viridis, t));
  }
};

Scale scale_of(const Timeline& line, TimelineKind kind) {
  Scale scale;
  scale.categories = kind == TimelineKind::structure;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : line.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, static_cast<double>(value));
    high = std::max(high, static_cast<double>(value));
  }
  if (low > high) return scale;
  scale.signed_values = low < 0;
  if (scale.signed_values) {
    scale.high = std::max(-low, high);
    scale.low = -scale.high;
  } else {
    scale.low = 0;
    scale.high = high > 0 ? high : 1;
  }
  return scale;
}

// The mean of the cells from one row and column to others (of classes the first); NaN where there is none.
double cell_value(const Timeline& line, const Scale& scale, std::size_t row, std::size_t row_end, std::size_t column,
                  std::size_t column_end) {
  if (scale.categories) return static_cast<double>(line.at(row, column));
  double sum = 0;
  int count = 0;
  for (std::size_t r = row; r < row_end; ++r)
    for (std::size_t c = column; c < column_end; ++c) {
      const double value = static_cast<double>(line.at(r, c));
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

constexpr double left = 96, top = 40, key_width = 18;

struct Layout {
  std::size_t rows, columns;  ///< cells
  double width, height;       ///< of the map
};

std::string cells_text(const Timeline& line, const Scale& scale, const Layout& layout) {
  std::string text = "<g shape-rendering=\"crispEdges\">\n";
  const std::size_t n = line.rows.size(), m = line.frames.size();
  const double h = layout.height / static_cast<double>(layout.rows),
               w = layout.width / static_cast<double>(layout.columns);
  for (std::size_t r = 0; r < layout.rows; ++r) {
    int run = -1;
    std::size_t from = 0;
    const auto put = [&](std::size_t to) {  // half a point of overlap: no hairlines between cells
      if (run < 0) return;
      text += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                          left + static_cast<double>(from) * w, top + static_cast<double>(r) * h,
                          static_cast<double>(to - from) * w + (to < layout.columns ? 0.5 : 0.0), h, scale.colour(run));
    };
    for (std::size_t c = 0; c < layout.columns; ++c) {
      const double value =
          cell_value(line, scale, r * n / layout.rows, std::max((r + 1) * n / layout.rows, r * n / layout.rows + 1),
                     c * m / layout.columns, std::max((c + 1) * m / layout.columns, c * m / layout.columns + 1));
      const int level = std::isfinite(value) ? scale.level(value) : -1;
      if (level == run) continue;
      put(c);
      run = level;
      from = c;
    }
    put(layout.columns);
  }
  return text + "</g>\n";
}

std::string axes_text(const Timeline& line, const Topology& topology, const Layout& layout, bool by_atom) {
  std::string text =
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"#444\"/>\n", left,
                  top, layout.width, layout.height);
  const std::size_t n = line.rows.size(), m = line.frames.size();
  const auto rows_between =
      static_cast<std::size_t>(std::max(1.0, std::ceil(14.0 * static_cast<double>(n) / layout.height)));
  const auto step = rows_between == 1
                        ? std::size_t{1}
                        : static_cast<std::size_t>(std::max(1.0, round_step(static_cast<double>(rows_between), 1)));
  for (std::size_t r = 0; r < n; r += step) {
    const double y = top + (static_cast<double>(r) + 0.5) * layout.height / static_cast<double>(n);
    text += fmt::format(
        "<path d=\"M{:.1f} {:.2f}h-4\" stroke=\"#444\"/><text x=\"{:.1f}\" y=\"{:.2f}\" "
        "text-anchor=\"end\">{}</text>\n",
        left, y, left - 6, y + 4, escaped(timeline_label(line, topology, r, by_atom)));
  }
  const auto frames_between = static_cast<std::size_t>(std::max(1.0, round_step(static_cast<double>(m), 8)));
  for (std::size_t c = 0; c < m; c += frames_between) {
    const double x = left + (static_cast<double>(c) + 0.5) * layout.width / static_cast<double>(m);
    text += fmt::format(
        "<path d=\"M{0:.2f} {1:.1f}v4\" stroke=\"#444\"/><text x=\"{0:.2f}\" y=\"{2:.1f}\" "
        "text-anchor=\"middle\">{3}</text>\n",
        x, top + layout.height, top + layout.height + 18, line.frames[c]);
  }
  text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">frame</text>\n", left + layout.width / 2,
                      top + layout.height + 36);
  return text;
}

std::string key_text(const Scale& scale, const Layout& layout, const std::string& unit) {
  const double x = left + layout.width + 24;
  std::string text;
  if (scale.categories) {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const double y = top + 22.0 * static_cast<double>(c);
      text += fmt::format(
          "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"14\" height=\"14\" fill=\"{2}\" stroke=\"#888\"/>"
          "<text x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
          x, y, hex(classes[c]), x + 20, y + 11, structure_word(static_cast<int>(c)));
    }
    return text;
  }
  const double height = std::min(layout.height, 240.0), part = height / levels;
  for (int l = 0; l < levels; ++l)
    text += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\" "
        "shape-rendering=\"crispEdges\"/>\n",
        x, top + height - (l + 1) * part, key_width, part + 0.5, scale.colour(l));
  const double step = round_step(scale.high - scale.low, 5);
  for (double v = std::ceil(scale.low / step) * step; v <= scale.high + 1e-9 * step; v += step) {
    const double y = top + height - (v - scale.low) / (scale.high - scale.low) * height;
    text += fmt::format("<path d=\"M{:.1f} {:.2f}h4\" stroke=\"#444\"/><text x=\"{:.1f}\" y=\"{:.2f}\">{:.4g}</text>\n",
                        x + key_width, y, x + key_width + 7, y + 4, std::abs(v) < 1e-9 * step ? 0.0 : v);
  }
  text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, top + height + 20, escaped(unit));
  return text;
}

}  // namespace

std::string timeline_label(const Timeline& line, const Topology& topology, std::size_t row, bool by_atom) {
  const Residue& residue = topology.residues[line.rows[row].residue];
  const std::string& chain = topology.chains[residue.chain].id;
  std::string text = fmt::format("{}{}{}{}{}", chain, chain.empty() ? "" : "/", residue.name, residue.number,
                                 residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
  if (by_atom) text += ":" + topology.atoms[line.rows[row].atoms.front()].name;
  return text;
}

std::string timeline_svg(const Timeline& line, TimelineKind kind, const Topology& topology, bool by_atom) {
  const Scale scale = scale_of(line, kind);
  Layout layout{std::min(line.rows.size(), most_cells), std::min(line.frames.size(), most_cells), 640, 480};
  layout.height = std::clamp(14.0 * static_cast<double>(line.rows.size()), 140.0, 700.0);
  const double width = left + layout.width + 130, height = top + layout.height + 50;
  const std::string title = line.name + (line.unit.empty() ? "" : " (" + line.unit + ")");
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
             "{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
             "fill=\"#fff\"/>\n<text x=\"{2:.1f}\" y=\"24\" font-size=\"15\">{3}</text>\n",
             width, height, left, escaped(title)) +
         cells_text(line, scale, layout) + axes_text(line, topology, layout, by_atom) +
         key_text(scale, layout, line.unit) + "</svg>\n";
}

}  // namespace isolume::cli
