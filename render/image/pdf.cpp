// Pictures as PDF 1.7 (ISO 32000-1): the pixels as an image, what is over them as text and shapes.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "molecule/base/error.h"
#include "render/image/typeface_subset.h"
#include "render/image/vector_picture.h"
#include "render/image/vector_text.h"

namespace isolume {
namespace {

constexpr std::string_view head_text = "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n",
                           scene_object =
                               "1 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /IsolumePixels [";

std::string compressed(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), 6) != Z_OK)
    throw Error("a picture cannot be compressed: not enough memory");
  out.resize(size);
  return out;
}

/// Objects, numbered from 1 in the order in which they are begun.
class Objects {
 public:
  int reserve() {
    places_.push_back(0);
    return static_cast<int>(places_.size());
  }
  void put(int number, const std::string& what) {
    places_[static_cast<std::size_t>(number) - 1] = out_.size();
    out_ += fmt::format("{} 0 obj\n{}\nendobj\n", number, what);
  }
  int add(const std::string& what) {
    const int number = reserve();
    put(number, what);
    return number;
  }
  /// `entries` of its dictionary, apart from its length.
  int stream(const std::string& entries, std::string_view bytes) {
    std::string what = fmt::format("<< {} /Length {} >>\nstream\n", entries, bytes.size());
    what += bytes;
    return add(what + "\nendstream");
  }
  int packed(const std::string& entries, std::string_view bytes) {
    return stream(entries + " /Filter /FlateDecode", compressed(bytes));
  }
  std::string finish(int catalogue, int info) {
    const std::size_t table = out_.size();
    out_ += fmt::format("xref\n0 {}\n0000000000 65535 f \n", places_.size() + 1);
    for (const std::size_t place : places_) out_ += fmt::format("{:010} 00000 n \n", place);
    out_ += fmt::format("trailer\n<< /Size {} /Root {} 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n", places_.size() + 1,
                        catalogue, info, table);
    return std::move(out_);
  }

 private:
  std::string out_{head_text};
  std::vector<std::size_t> places_;
};

/// One channel after another of the pixels, each row as its difference from the one above (PNG's filter 2).
std::string rows_of(const Image& image, std::size_t first, std::size_t channels) {
  const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
  std::string out;
  out.reserve(height * (width * channels + 1));
  for (std::size_t y = 0; y < height; ++y) {
    out += '\2';
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = first; c < first + channels; ++c) {
        const std::uint8_t* p = &image.rgba[4 * (y * width + x) + c];
        const unsigned above = y > 0 ? *(p - 4 * width) : 0u;
        out += static_cast<char>((*p - above) & 0xFF);
      }
  }
  return out;
}

int add_image(Objects& objects, const Image& image) {
  const auto entries = [&](const char* space, int colours) {
    return fmt::format(
        "/Type /XObject /Subtype /Image /Width {} /Height {} /BitsPerComponent 8 /ColorSpace /{} "
        "/DecodeParms << /Predictor 15 /Colors {} /Columns {} >>",
        image.width, image.height, space, colours, image.width);
  };
  bool clear = false;
  for (std::size_t i = 3; i < image.rgba.size() && !clear; i += 4) clear = image.rgba[i] != 255;
  std::string mask;
  if (clear) mask = fmt::format(" /SMask {} 0 R", objects.packed(entries("DeviceGray", 1), rows_of(image, 3, 1)));
  return objects.packed(entries("DeviceRGB", 3) + mask, rows_of(image, 0, 3));
}

std::string colour(Ink ink, const char* command) {
  return fmt::format("{} {} {} {}\n", decimals(ink[0] / 255.0, 4), decimals(ink[1] / 255.0, 4),
                     decimals(ink[2] / 255.0, 4), command);
}

/// The page's commands, and what they refer to.
class Page {
 public:
  explicit Page(Objects& objects) : objects_(objects) {}

  void add(const Overlay::Part& part) {
    out_ += fmt::format("q 1 0 0 1 {} {} cm 0 0 {} {} re W n\n", part.x, part.y, part.width, part.height);
    for (const auto& mark : part.marks) std::visit([this](const auto& one) { put(one); }, mark);
    out_ += "Q\n";
  }
  const std::string& commands() const { return out_; }
  std::string resources(int image) const {
    std::string text = image > 0 ? fmt::format("/XObject << /Picture {} 0 R >>", image) : "";
    if (!letters_.empty()) text += fmt::format(" /Font << /Letters {} 0 R >>", add_typeface());
    if (!opacities_.empty()) {
      text += " /ExtGState <<";
      for (const int opacity : opacities_)
        text += fmt::format(" /O{} << /ca {} /CA {} >>", opacity, decimals(opacity / 255.0, 4),
                            decimals(opacity / 255.0, 4));
      text += " >>";
    }
    if (!ramps_.empty()) {
      text += " /Shading <<";
      for (std::size_t i = 0; i < ramps_.size(); ++i) text += fmt::format(" /S{} {} 0 R", i, ramps_[i]);
      text += " >>";
    }
    return text;
  }

 private:
  void opacity(Ink ink) {
    if (ink[3] == 255) return;
    opacities_.insert(ink[3]);
    out_ += fmt::format("/O{} gs\n", ink[3]);
  }
  void put(const Mark::Rectangle& r) {
    out_ += "q\n" + colour(r.ink, "rg");
    opacity(r.ink);
    out_ += fmt::format("{} {} {} {} re f Q\n", decimals(r.left), decimals(r.top), decimals(r.right - r.left),
                        decimals(r.bottom - r.top));
  }
  void put(const Mark::Ramp& ramp) {
    std::string samples;
    for (const glm::vec3& one : ramp.colours) {
      const Ink ink = ink_of(one);
      for (std::size_t c = 0; c < 3; ++c) samples += static_cast<char>(ink[c]);
    }
    const int function =
        objects_.packed(fmt::format("/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1] /Size [{}] /BitsPerSample 8",
                                    ramp.colours.size()),
                        samples);
    ramps_.push_back(
        objects_.add(fmt::format("<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [{} 0 {} 0] /Function {} 0 R >>",
                                 decimals(ramp.left), decimals(ramp.right), function)));
    out_ += fmt::format("q {} {} {} {} re W n /S{} sh Q\n", decimals(ramp.left), decimals(ramp.top),
                        decimals(ramp.right - ramp.left), decimals(ramp.bottom - ramp.top), ramps_.size() - 1);
  }
  void put(const Mark::Text& line) {
    const double base = line.y + text_ascent(line.size);
    if (line.rim > 0) put_rim(line, base);
    out_ += "q\n" + colour(line.ink, "rg");
    opacity(line.ink);
    out_ += fmt::format("BT /Letters {} Tf 1 0 0 -1 {} {} Tm [<", decimals(line.size), decimals(line.x, 3),
                        decimals(base, 3));
    double pen = 0;
    for (const SetLetter& letter : set_text(line.text, line.size)) {
      if (const double back = (pen - letter.x) / line.size * 1000; std::abs(back) > 0.05)
        out_ += fmt::format("> {} <", decimals(back));
      out_ += fmt::format("{:04X}", letter.glyph);
      pen = letter.x + letter.advance;
      letters_.emplace(letter.glyph, letter.code);
    }
    out_ += ">] TJ ET Q\n";
  }
  /// As the letters' edges, so that the text is there once.
  void put_rim(const Mark::Text& line, double base) {
    out_ +=
        fmt::format("q 1 0 0 1 {} {} cm 1 j {} w\n", decimals(line.x, 3), decimals(base, 3), decimals(2 * line.rim));
    out_ += colour(line.rim_ink, "RG");
    opacity(line.rim_ink);
    std::array<double, 2> at{};
    const auto write = [&](std::array<double, 2> p) { out_ += decimals(p[0]) + " " + decimals(p[1]) + " "; };
    const auto between = [](std::array<double, 2> a, std::array<double, 2> b) {  // two thirds of the way from a to b
      return std::array<double, 2>{a[0] + (b[0] - a[0]) * 2 / 3, a[1] + (b[1] - a[1]) * 2 / 3};
    };
    bool open = false;
    for (const OutlinePiece& piece : text_outline(line.text, line.size)) {
      const auto& p = piece.points;
      if (piece.degree == 0 && std::exchange(open, true)) out_ += "h\n";
      if (piece.degree == 2) write(between(at, p[0])), write(between(p[1], p[0])), write(p[1]);
      if (piece.degree == 3) write(p[0]), write(p[1]), write(p[2]);
      if (piece.degree < 2) write(p[0]);
      out_ += piece.degree == 0 ? "m\n" : piece.degree == 1 ? "l\n" : "c\n";
      at = p[static_cast<std::size_t>(std::max(1, piece.degree) - 1)];
    }
    out_ += open ? "h S Q\n" : "Q\n";
  }

  /// The typeface with the letters that the page has (9.7: composite fonts).
  int add_typeface() const {
    std::set<int> glyphs;
    std::string widths, codes;
    for (const auto& [glyph, code] : letters_) {
      glyphs.insert(glyph);
      widths += fmt::format(" {} [{}]", glyph, decimals(glyph_width(glyph)));
      const auto wide = static_cast<unsigned>(code);
      codes += wide < 0x10000 ? fmt::format("<{:04X}> <{:04X}>\n", glyph, wide)
                              : fmt::format("<{:04X}> <{:04X}{:04X}>\n", glyph, 0xD800 + ((wide - 0x10000) >> 10),
                                            0xDC00 + ((wide - 0x10000) & 0x3FF));
    }
    const std::string file = typeface_subset(glyphs);
    const TypefaceMetrics metrics = typeface_metrics();
    const int program = objects_.packed(fmt::format("/Length1 {}", file.size()), file);
    const int description = objects_.add(fmt::format(
        "<< /Type /FontDescriptor /FontName /ISOLUM+DejaVuSans /Flags 4 /FontBBox [{} {} {} {}] /ItalicAngle 0 "
        "/Ascent {} /Descent {} /CapHeight 729 /StemV 80 /FontFile2 {} 0 R >>",
        metrics.box[0], metrics.box[1], metrics.box[2], metrics.box[3], metrics.ascent, metrics.descent, program));
    const int letters = objects_.add(fmt::format(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ISOLUM+DejaVuSans /CIDSystemInfo << /Registry (Adobe) "
        "/Ordering (Identity) /Supplement 0 >> /FontDescriptor {} 0 R /CIDToGIDMap /Identity /W [{} ] >>",
        description, widths));
    std::string map =
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) "
        "/Ordering (UCS) /Supplement 0 >> def\n/CMapName /Isolume def\n/CMapType 2 def\n1 begincodespacerange\n"
        "<0000> <FFFF>\nendcodespacerange\n";
    // At most 100 in a section.
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < codes.size();) {
      const std::size_t end = codes.find('\n', at) + 1;
      lines.push_back(codes.substr(at, end - at));
      at = end;
    }
    for (std::size_t first = 0; first < lines.size(); first += 100) {
      const std::size_t last = std::min(lines.size(), first + 100);
      map += fmt::format("{} beginbfchar\n", last - first);
      for (std::size_t i = first; i < last; ++i) map += lines[i];
      map += "endbfchar\n";
    }
    map += "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
    const int unicode = objects_.packed("", map);
    return objects_.add(fmt::format(
        "<< /Type /Font /Subtype /Type0 /BaseFont /ISOLUM+DejaVuSans /Encoding /Identity-H /DescendantFonts [{} 0 R] "
        "/ToUnicode {} 0 R >>",
        letters, unicode));
  }

  Objects& objects_;
  std::string out_;
  std::set<int> opacities_;
  std::vector<int> ramps_;
  std::map<int, int> letters_;  // glyph, Unicode
};

/// A text of a dictionary.
std::string quoted(std::string_view text) {
  std::string out = "(";
  for (const char c : text) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    out += c;
  }
  return out + ")";
}

}  // namespace

std::string encode_pdf(const Image& image, const VectorTexts& texts) {
  Objects objects;
  const int scene = objects.stream(
      std::string(scene_object.substr(scene_object.find("/Type"))) + fmt::format("{} {}]", image.width, image.height),
      texts.scene);
  const int attached = objects.add(fmt::format(
      "<< /Type /Filespec /F (scene.isolume) /UF (scene.isolume) /EF << /F {} 0 R >> /Desc (The scene of the picture) "
      ">>",
      scene));
  const int picture = image.rgba.empty() ? 0 : add_image(objects, image);
  Page page(objects);
  if (image.overlay)
    for (const Overlay::Part& part : image.overlay->parts) page.add(part);
  const double scale = 72 / texts.dots, width = image.width * scale, height = image.height * scale;
  const int commands = objects.packed(
      "", fmt::format("{0} 0 0 -{0} 0 {1} cm\n", decimals(scale, 6), decimals(height, 4)) +
              (picture > 0 ? fmt::format("q {0} 0 0 -{1} 0 {1} cm /Picture Do Q\n", image.width, image.height) : "") +
              page.commands());
  const std::string resources = page.resources(picture);
  const int pages = objects.reserve();
  const int leaf = objects.add(
      fmt::format("<< /Type /Page /Parent {} 0 R /MediaBox [0 0 {} {}] /Resources << {} >> /Contents {} 0 R >>", pages,
                  decimals(width, 4), decimals(height, 4), resources, commands));
  objects.put(pages, fmt::format("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", leaf));
  const int catalogue = objects.add(fmt::format(
      "<< /Type /Catalog /Pages {} 0 R /Names << /EmbeddedFiles << /Names [(scene.isolume) {} 0 R] >> >> >>", pages,
      attached));
  const int info = objects.add(fmt::format("<< /Producer {} >>", quoted(texts.program)));
  return objects.finish(catalogue, info);
}

PngHead pdf_head(const std::string& path, const std::string& bytes) {
  PngHead head;
  const std::size_t begin = head_text.size();
  if (bytes.compare(0, begin, head_text) != 0 || bytes.compare(begin, scene_object.size(), scene_object) != 0)
    return head;
  std::size_t at = begin + scene_object.size();
  const auto number = [&](std::string_view before) {
    if (bytes.compare(at, before.size(), before) != 0) throw Error::in_file(path, 0, "has a damaged scene");
    at += before.size();
    std::size_t value = 0;
    for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && value < 1'000'000'000; ++at)
      value = 10 * value + static_cast<std::size_t>(bytes[at] - '0');
    return value;
  };
  head.width = static_cast<int>(number(""));
  head.height = static_cast<int>(number(" "));
  const std::size_t length = number("] /Length ");
  constexpr std::string_view opens = " >>\nstream\n";
  if (bytes.compare(at, opens.size(), opens) != 0 || length > bytes.size() - std::min(bytes.size(), at + opens.size()))
    throw Error::in_file(path, 0, "has a damaged scene");
  head.texts["isolume-scene"] = bytes.substr(at + opens.size(), length);
  return head;
}

}  // namespace isolume
