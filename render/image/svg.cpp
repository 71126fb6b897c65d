// Pictures as SVG: the pixels as an image, what is over them as text and shapes.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "molecule/base/error.h"
#include "render/image/vector_picture.h"
#include "render/image/vector_text.h"

namespace isolume {
namespace {

constexpr std::string_view scene_begin = "<isolume:scene xmlns:isolume=\"urn:isolume:scene\">",
                           scene_end = "</isolume:scene>";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is = [&](std::string_view name) { return text.substr(i, name.size()) == name; };
    if (text[i] != '&') {
      out += text[i];
    } else if (is("&amp;")) {
      out += '&', i += 4;
    } else if (is("&lt;") || is("&gt;")) {
      out += text[i + 1] == 'l' ? '<' : '>', i += 3;
    } else {
      out += '&';
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(4 * ((bytes.size() + 2) / 3));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63];
  }
  return out;
}

std::string colour(const char* attribute, Ink ink) {
  std::string text = fmt::format("{}=\"#{:02x}{:02x}{:02x}\"", attribute, ink[0], ink[1], ink[2]);
  if (ink[3] != 255) text += fmt::format(" {}-opacity=\"{}\"", attribute, decimals(ink[3] / 255.0));
  return text;
}

class Svg {
 public:
  void add(const Overlay::Part& part) {
    // Of a tile nothing may be seen in the next one.
    const int number = parts_++;
    out_ += fmt::format("<clipPath id=\"tile{}\"><rect width=\"{}\" height=\"{}\"/></clipPath>\n", number, part.width,
                        part.height);
    out_ += fmt::format("<g transform=\"translate({} {})\" clip-path=\"url(#tile{})\">\n", part.x, part.y, number);
    for (const auto& mark : part.marks) std::visit([this](const auto& one) { put(one); }, mark);
    out_ += "</g>\n";
  }
  const std::string& text() const { return out_; }

 private:
  static std::string place(double left, double top, double right, double bottom) {
    return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", decimals(left), decimals(top),
                       decimals(std::max(0.0, right - left)), decimals(std::max(0.0, bottom - top)));
  }
  void put(const Mark::Rectangle& r) {
    out_ += fmt::format("<rect {} {}/>\n", place(r.left, r.top, r.right, r.bottom), colour("fill", r.ink));
  }
  void put(const Mark::Ramp& ramp) {
    const int number = ramps_++;
    out_ += fmt::format("<linearGradient id=\"scale{}\">", number);
    const auto last = static_cast<double>(ramp.colours.size() - 1);
    for (std::size_t i = 0; i < ramp.colours.size(); ++i)
      out_ += fmt::format("<stop offset=\"{}\" {}/>", decimals(static_cast<double>(i) / last, 4),
                          colour("stop-color", ink_of(ramp.colours[i])));
    out_ += fmt::format("</linearGradient>\n<rect {} fill=\"url(#scale{})\"/>\n",
                        place(ramp.left, ramp.top, ramp.right, ramp.bottom), number);
  }
  void put(const Mark::Text& line) {
    const double base = line.y + text_ascent(line.size);
    // The rim as the letters' edges, so that the text is there once.
    if (line.rim > 0) {
      std::string path;
      for (const OutlinePiece& piece : text_outline(line.text, line.size)) {
        if (piece.degree == 0 && !path.empty()) path += 'Z';
        path += "MLQC"[piece.degree];
        for (int i = 0; i < std::max(1, piece.degree); ++i)
          path += fmt::format("{}{} {}", i ? " " : "", decimals(piece.points[static_cast<std::size_t>(i)][0]),
                              decimals(piece.points[static_cast<std::size_t>(i)][1]));
      }
      if (!path.empty())
        out_ += fmt::format(
            "<path transform=\"translate({} {})\" d=\"{}Z\" fill=\"none\" {} stroke-width=\"{}\" "
            "stroke-linejoin=\"round\"/>\n",
            decimals(line.x), decimals(base), path, colour("stroke", line.rim_ink), decimals(2 * line.rim));
    }
    out_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-family=\"'DejaVu Sans', Verdana, sans-serif\" font-size=\"{}\" "
        "textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" {}>{}</text>\n",
        decimals(line.x), decimals(base), decimals(line.size), decimals(text_width(line.text, line.size)),
        colour("fill", line.ink), escaped(clean_text(line.text)));
  }

  std::string out_;
  int parts_ = 0, ramps_ = 0;
};

}  // namespace

std::string encode_svg(const Image& image, const VectorTexts& texts) {
  Svg marks;
  if (image.overlay)
    for (const Overlay::Part& part : image.overlay->parts) marks.add(part);
  const double millimetre = 25.4 / texts.dots;
  const std::string pixels = image.rgba.empty() ? ""
                                                : fmt::format(
                                                      "<image width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
                                                      "xlink:href=\"data:image/png;base64,{}\"/>\n",
                                                      image.width, image.height, base64(encode_png(image)));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" "
      "width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\">\n"
      "<desc>{}</desc>\n<metadata>{}{}{}</metadata>\n"
      "{}{}</svg>\n",
      decimals(image.width * millimetre, 4), decimals(image.height * millimetre, 4), image.width, image.height,
      escaped(texts.program), scene_begin, escaped(texts.scene), scene_end, pixels, marks.text());
}

PngHead svg_head(const std::string& path, const std::string& bytes) {
  PngHead head;
  const std::size_t box = bytes.find("viewBox=\"0 0 ");
  if (box != std::string::npos) {
    const auto number = [&](std::size_t& at) {
      int value = 0;
      for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && value < 1'000'000; ++at)
        value = 10 * value + (bytes[at] - '0');
      return value;
    };
    std::size_t at = box + std::string_view("viewBox=\"0 0 ").size();
    head.width = number(at);
    if (at < bytes.size()) ++at;
    head.height = number(at);
  }
  if (head.width < 1 || head.height < 1) throw Error::in_file(path, 0, "names no picture size");
  const std::size_t begin = bytes.find(scene_begin);
  const std::size_t end = begin == std::string::npos ? begin : bytes.find(scene_end, begin);
  if (end != std::string::npos)
    head.texts["isolume-scene"] =
        plain(std::string_view(bytes).substr(begin + scene_begin.size(), end - begin - scene_begin.size()));
  return head;
}

}  // namespace isolume
