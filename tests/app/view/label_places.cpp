// Texts over a picture do not cover each other.
#include <gtest/gtest.h>

#include "app/view/labels.h"

namespace isolume {
namespace {

TEST(LabelPlaces, OverlappingTextsAreMovedApart) {
  std::vector<TextPlace> texts{{10, 10, 60, 12}, {30, 12, 60, 12}, {12, 11, 60, 12}, {200, 10, 60, 12}};
  const std::vector<TextPlace> before = texts;
  keep_apart(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(texts[i].x, before[i].x);
    EXPECT_LT(std::abs(texts[i].y - before[i].y), 30) << "near its place";
    for (std::size_t j = 0; j < i; ++j) {
      const bool beside = texts[i].x >= texts[j].x + texts[j].width || texts[j].x >= texts[i].x + texts[i].width;
      const bool above = texts[i].y >= texts[j].y + texts[j].height || texts[j].y >= texts[i].y + texts[i].height;
      EXPECT_TRUE(beside || above) << i << " and " << j;
    }
  }
  EXPECT_EQ(texts[0].y, before[0].y) << "the first stays";
  EXPECT_EQ(texts[3].y, before[3].y) << "what is free stays";
}

}  // namespace
}  // namespace isolume
