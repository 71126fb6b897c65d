// Pictures of a size on paper: pixels by millimetres and dots per inch, and the sizes that journals ask for.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/export/picture_size.h"
#include "render/image/image.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;
using test::run;

/// Dots per metre of a PNG, from its pHYs chunk (PNG specification 11.3.5.3); 0 where it has none.
std::uint32_t dots_per_metre(const std::string& path) {
  const std::string bytes = test::read_text(path);
  const std::size_t at = bytes.find("pHYs");
  if (at == std::string::npos || at + 13 > bytes.size() || bytes[at + 12] != 1) return 0;
  std::uint32_t dots = 0;
  for (std::size_t i = 0; i < 4; ++i) dots = dots << 8 | static_cast<unsigned char>(bytes[at + 4 + i]);
  return dots;
}

std::vector<std::string> render(const Folder& folder, const std::vector<std::string>& more) {
  test::write_text(folder / "c.xyz", "2\n\nC 0 0 0\nO 1.2 0 0\n");
  std::vector<std::string> words{"render", folder / "c.xyz", "--samples", "1", "--out", folder / "p.png"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Paper, MillimetresAndDotsMakePixels) {
  const Folder folder;
  const auto outcome = run(render(folder, {"--width-mm", "50.8", "--dpi", "150", "--size", "400x100"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image image = read_png(folder / "p.png");
  EXPECT_EQ(image.width, 300) << "two inches";
  EXPECT_EQ(image.height, 75) << "in the shape of --size";
  EXPECT_EQ(dots_per_metre(folder / "p.png"), 5906u) << "150 / 0.0254";
}

TEST(Paper, JournalsHaveTheirWidthsAndDots) {
  const Folder folder;
  const auto outcome = run(render(folder, {"--for", "nature-1", "--height-mm", "60"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image image = read_png(folder / "p.png");
  EXPECT_EQ(image.width, std::lround(89 / 25.4 * 450));
  EXPECT_EQ(image.height, std::lround(60 / 25.4 * 450));
  EXPECT_EQ(dots_per_metre(folder / "p.png"), 17717u) << "450 / 0.0254";
  // Drawn again it has the same size on paper, and the same bytes.
  const auto again = run({"replay", folder / "p.png", "--out", folder / "again.png", "--trust-paths"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(test::read_text(folder / "again.png"), test::read_text(folder / "p.png"));
}

TEST(Paper, WhatCannotBePrintedIsRefused) {
  const Folder folder;
  const auto refusal = [&](const std::vector<std::string>& more) {
    const auto outcome = run(render(folder, more));
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "p.png"));
    return outcome.err;
  };
  EXPECT_CONTAINS(refusal({"--for", "nature"}), "nature-1, nature-2, science-1");
  EXPECT_CONTAINS(refusal({"--for", "nature-1", "--width-mm", "80"}), "leave out --width-mm");
  EXPECT_CONTAINS(refusal({"--for", "nature-1", "--height-mm", "200"}), "170 mm");
  EXPECT_CONTAINS(refusal({"--width-mm", "5000", "--dpi", "1200"}), "pixels; each side can have");
}

TEST(Paper, EverySizeIsWithinAPageAndHasASource) {
  for (const JournalSize& size : journal_sizes()) {
    EXPECT_GE(size.width, 50) << size.key;
    EXPECT_LE(size.width, 210) << size.key << ": wider than A4";
    EXPECT_LE(size.tallest, 297) << size.key;
    EXPECT_GE(size.dots, 300) << size.key;
    EXPECT_GT(std::string(size.source).size(), 20u) << size.key;
    EXPECT_EQ(&journal_size(size.key), &size) << "no key twice";
  }
}

}  // namespace
}  // namespace isolume
