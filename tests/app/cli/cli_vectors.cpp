// Pictures as SVG and PDF, and letters of a size in points.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "app/export/picture_file.h"
#include "app/view/labels.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::read_text;
using test::run;

class Vectors : public testing::Test {
 protected:
  void SetUp() override { test::write_text(folder_ / "argon.xyz", "2\n\nAr 0 0 0\nAr 0 4 0\n"); }
  std::vector<std::string> words(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"render",    folder_ / "argon.xyz",
                                 "--style",   "spheres",
                                 "--size",    size_,
                                 "--device",  "cpu",
                                 "--samples", "1",
                                 "--set",     "camera.projection=orthographic",
                                 "--set",     "camera.height=50",
                                 "--set",     "camera.rotation=[1,0,0,0]",
                                 "--set",     "camera.centre=[0,0,0]"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--out", folder_ / out});
    return all;
  }
  std::string draw(const std::string& out, const std::vector<std::string>& more = {}) const {
    const auto outcome = run(words(out, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_text(folder_ / out);
  }
  const Folder folder_;
  std::string size_ = "600x400";
};

std::string bytes_of_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned sum = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t at = letters.find(c);
    if (at == std::string::npos) continue;
    sum = sum << 6 | static_cast<unsigned>(at);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(sum >> bits & 0xFF);
  }
  return out;
}

/// Rows from the first to the last with a black pixel.
int black_rows(const Image& image) {
  int first = image.height, last = -1;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const auto* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                       static_cast<std::size_t>(x))];
      if (p[0] > 100 || p[1] > 100 || p[2] > 100) continue;
      first = std::min(first, y);
      last = y;
    }
  return last - first + 1;
}

TEST_F(Vectors, LettersInPointsAreAsLargeOnPaperAtEveryResolution) {
  // Capital letters of DejaVu Sans are 0.729 em high; an em of 18 points is a quarter of an inch.
  for (const double dots : {96.0, 300.0, 600.0}) {
    draw("h.png", {"--label", "index 0", "--label-text", "H", "--text-size", "18", "--dpi", std::to_string(dots),
                   "--set", "representations[0].visible=false"});
    EXPECT_NEAR(black_rows(read_png(folder_ / "h.png")), 0.729 * dots / 4, 1.5) << dots;
  }
  // A set of labels of its own size; 96 dots an inch where nothing says it.
  draw("h.png", {"--label", "index 0", "--label-text", "H", "--text-size", "18", "--set", "labels[0].points=36",
                 "--set", "representations[0].visible=false"});
  EXPECT_NEAR(black_rows(read_png(folder_ / "h.png")), 0.729 * 96 / 2, 1.5);
  // Without a size it follows the picture: a fiftieth of its height, whatever the resolution.
  size_ = "1200x1000";
  draw("h.png",
       {"--label", "index 0", "--label-text", "H", "--dpi", "600", "--set", "representations[0].visible=false"});
  EXPECT_NEAR(black_rows(read_png(folder_ / "h.png")), 0.729 * 20, 1.5);
  EXPECT_EQ(run(words("h.png", {"--text-size", "0.1"})).code, 2);
}

TEST_F(Vectors, SvgHasThePixelsAndTheTextsApart) {
  const std::vector<std::string> shown{"--label",     "index 1", "--label-text", "A & <B> \u00c5",
                                       "--text-size", "9",       "--width-mm",   "80",
                                       "--dpi",       "300",     "--scale-bar"};
  const std::string svg = draw("a.svg", shown);
  draw("plain.png", {"--width-mm", "80", "--dpi", "300"});
  const Image plain = read_png(folder_ / "plain.png");
  // 80 mm at 300 dots per inch are 945 pixels.
  EXPECT_CONTAINS(svg, "viewBox=\"0 0 945 630\"");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(svg, found, std::regex("width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\"")));
  EXPECT_NEAR(std::stod(found[1]), 945 / 300.0 * 25.4, 1e-3);
  EXPECT_NEAR(std::stod(found[2]), 630 / 300.0 * 25.4, 1e-3);
  // 9 points are 37.5 pixels.
  EXPECT_CONTAINS(svg, "font-size=\"37.5\"");
  EXPECT_CONTAINS(svg, ">A &amp; &lt;B&gt; \u00c5</text>");
  EXPECT_CONTAINS(svg, " \u00c5</text>");
  const std::size_t begin = svg.find("base64,") + 7;
  test::write_text(folder_ / "inside.png", bytes_of_base64(svg.substr(begin, svg.find('"', begin) - begin)));
  EXPECT_EQ(read_png(folder_ / "inside.png").rgba, plain.rgba) << "no letter is in the pixels";
  // The label is in the middle of its atom, which is 4 angstrom above the centre of 50.
  ASSERT_TRUE(std::regex_search(
      svg, found, std::regex("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*textLength=\"([0-9.]+)\"[^>]*>A &amp;")));
  EXPECT_NEAR(std::stod(found[1]) + 0.5 * std::stod(found[3]), 945 / 2.0, 1);
  EXPECT_NEAR(std::stod(found[2]), 630 * (0.5 - 4 / 50.0), 37.5 * 0.6);
  EXPECT_EQ(read_origin(folder_ / "a.svg").scene.look.text_points, 9);
}

/// What a stream of a PDF is once it is unpacked.
std::string unpacked(const std::string& pdf, std::size_t& from) {
  const std::size_t length_at = pdf.find("/Length ", from);
  if (length_at == std::string::npos) return {};
  const std::size_t begin = pdf.find("stream\n", length_at) + 7;
  const auto length = static_cast<std::size_t>(std::stoul(pdf.substr(length_at + 8)));
  const bool packed = pdf.substr(length_at, begin - length_at).find("FlateDecode") != std::string::npos ||
                      pdf.substr(pdf.rfind("<<", length_at), begin - pdf.rfind("<<", length_at)).find("FlateDecode") !=
                          std::string::npos;
  from = begin + length;
  if (!packed) return pdf.substr(begin, length);
  std::string out(std::size_t{64} << 20, '\0');
  uLongf size = out.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(&pdf[begin]),
                       static_cast<uLong>(length)),
            Z_OK);
  out.resize(size);
  return out;
}

TEST_F(Vectors, PdfHasTheTextsAsLettersAndNoDate) {
  const std::string pdf = draw("a.pdf", {"--label", "index 0", "--label-text", "Hallo", "--text-size", "9",
                                         "--width-mm", "80", "--dpi", "300", "--scale-bar"});
  EXPECT_TRUE(pdf.starts_with("%PDF-1.7\n"));
  EXPECT_EQ(pdf.find("Date"), std::string::npos);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(pdf, found, std::regex("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]")));
  EXPECT_NEAR(std::stod(found[1]), 945 / 300.0 * 72, 1e-3);
  // Every place in the table of objects is where one begins.
  const std::size_t table = std::stoul(pdf.substr(pdf.rfind("startxref\n") + 10));
  ASSERT_EQ(pdf.substr(table, 5), "xref\n");
  const auto objects = static_cast<int>(std::stoul(pdf.substr(table + 7)));
  ASSERT_GT(objects, 8);
  for (int i = 1; i < objects; ++i) {
    const auto place = std::stoul(pdf.substr(pdf.find('\n', table + 5) + 1 + 20 * static_cast<std::size_t>(i), 10));
    const std::string begin = std::to_string(i) + " 0 obj\n";
    EXPECT_EQ(pdf.substr(place, begin.size()), begin);
  }
  // The letters of the page, by their codes: the map says which Unicode each number is.
  std::map<std::string, std::string> codes;
  std::string commands;
  for (std::size_t from = 0;;) {
    const std::size_t before = from;
    const std::string stream = unpacked(pdf, from);
    if (from == before) break;
    if (stream.find("beginbfchar") != std::string::npos) {
      const std::regex line("<([0-9A-F]{4})> <([0-9A-F]{4})>\n");
      for (std::sregex_iterator
               i(stream.begin() + static_cast<std::ptrdiff_t>(stream.find("beginbfchar")), stream.end(), line),
           end;
           i != end; ++i)
        codes[(*i)[1]] = (*i)[2];
    }
    if (stream.find(" TJ ") != std::string::npos) commands = stream;
  }
  std::string text;
  const std::regex shown("<([0-9A-F]+)>");
  for (std::sregex_iterator i(commands.begin(), commands.end(), shown), end; i != end; ++i)
    for (std::size_t k = 0; k < (*i)[1].str().size(); k += 4)
      text += static_cast<char>(std::stoi(codes.at((*i)[1].str().substr(k, 4)), nullptr, 16) & 0xFF);
  EXPECT_CONTAINS(text, "Hallo");
  EXPECT_CONTAINS(text, " \xC5") << "the scale bar";
  EXPECT_EQ(read_origin(folder_ / "a.pdf").options.dots, 300);
}

TEST_F(Vectors, AFileThatIsCutShortIsRefused) {
  const std::string pdf = draw("a.pdf"), svg = draw("a.svg");
  for (const std::size_t bytes : {std::size_t{12}, std::size_t{60}, std::size_t{150}, std::size_t{400}}) {
    for (const auto& [name, whole] : {std::pair{"b.pdf", pdf}, std::pair{"b.svg", svg}}) {
      test::write_text(folder_ / name, whole.substr(0, bytes));
      const auto outcome = run({"replay", folder_ / name, "--out", folder_ / "c.png", "--device", "cpu"});
      EXPECT_NE(outcome.code, 0) << name << " of " << bytes;
      EXPECT_LT(outcome.code, 128) << outcome.err;
    }
  }
  // Another format of the same scene.
  EXPECT_EQ(run({"replay", folder_ / "a.svg", "--out", folder_ / "c.pdf", "--device", "cpu"}).code, 0);
  EXPECT_EQ(read_text(folder_ / "c.pdf"), pdf);
}

TEST_F(Vectors, LegendsAlone) {
  const std::vector<std::string> alone{"--legends", "all", "--text-size", "12", "--only-legends"};
  const std::string svg = draw("a.svg", alone), pdf = draw("a.pdf", alone);
  draw("a.png", alone);
  EXPECT_EQ(svg.find("<image"), std::string::npos);
  EXPECT_CONTAINS(svg, ">Element</text>");
  EXPECT_CONTAINS(svg, ">Ar</text>");
  EXPECT_EQ(pdf.find("/Subtype /Image"), std::string::npos);
  const Image image = read_png(folder_ / "a.png");
  EXPECT_CONTAINS(svg, "viewBox=\"0 0 " + std::to_string(image.width) + " " + std::to_string(image.height) + "\"");
  // Two lines of 12 points, 16 pixels, with what is between them.
  EXPECT_GT(image.height, 2 * 16);
  EXPECT_LT(image.height, 4 * 16);
  EXPECT_EQ(image.rgba[3], 0) << "nothing behind them";
  EXPECT_EQ(run({"replay", folder_ / "a.svg", "--out", folder_ / "b.svg", "--device", "cpu"}).code, 0);
  EXPECT_EQ(read_text(folder_ / "b.svg"), svg);
  const auto none = run(words("c.svg", {"--legends", "none", "--only-legends"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.err, "no legends");
  EXPECT_EQ(run(words("c.mp4", {"--only-legends"})).code, 2);
}

TEST_F(Vectors, ATransparentPictureStaysSo) {
  const std::string svg = draw("a.svg", {"--transparent"}), pdf = draw("a.pdf", {"--transparent"});
  const std::size_t begin = svg.find("base64,") + 7;
  test::write_text(folder_ / "inside.png", bytes_of_base64(svg.substr(begin, svg.find('"', begin) - begin)));
  EXPECT_EQ(read_png(folder_ / "inside.png").rgba[3], 0);
  EXPECT_CONTAINS(pdf, "/SMask ");
  EXPECT_EQ(draw("b.pdf").find("/SMask "), std::string::npos);
}

}  // namespace
}  // namespace isolume
