// Texts over a picture do not cover each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

TEST(LabelPlaces, ATextThatMovedFarHasALeader) {
  // Nine at one place: the first stays, the others go up and down in turn, with a line to where they belong.
  std::vector<TextPlace> texts(9, {10, 100, 60, 12});
  keep_apart(texts);
  EXPECT_FALSE(texts[0].has_leader());
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const TextPlace& text = texts[i];
    ASSERT_TRUE(text.shown) << i;
    EXPECT_EQ(text.y, 100 + text.moved);
    ASSERT_TRUE(text.has_leader()) << i;
    // From the edge of the text to the middle of its old place.
    EXPECT_EQ(text.moved > 0 ? text.leader_top() : text.leader_bottom(), 106) << i;
    EXPECT_EQ(text.moved > 0 ? text.leader_bottom() : text.leader_top(), text.moved > 0 ? text.y : text.y + 12) << i;
    EXPECT_LE(std::abs(text.moved), 8 * 12);
  }
  // Beyond eight heights there is no room.
  std::vector<TextPlace> many(40, {10, 500, 60, 12});
  keep_apart(many);
  EXPECT_EQ(std::count_if(many.begin(), many.end(), [](const TextPlace& text) { return text.shown; }), 17);
}

TEST(LabelPlaces, WhatIsBehindGivesWayAndDoesNotMove) {
  // The first is behind something: the second, in front, has the place of both. The third has its own.
  std::vector<TextPlace> texts{{10, 10, 60, 12}, {12, 12, 60, 12}, {200, 10, 60, 12}};
  texts[0].behind = texts[2].behind = true;
  keep_apart(texts);
  EXPECT_FALSE(texts[0].shown);
  EXPECT_TRUE(texts[1].shown);
  EXPECT_EQ(texts[1].y, 12);
  EXPECT_TRUE(texts[2].shown);
  EXPECT_EQ(texts[2].moved, 0);
}

TEST(LabelPlaces, ThereIsAGapBetweenNeighbours) {
  // Edge to edge in one line they would read as one text.
  std::vector<TextPlace> texts{{10, 10, 60, 12}, {71, 10, 60, 12}};
  keep_apart(texts);
  EXPECT_NE(texts[1].y, texts[0].y);
}

}  // namespace
}  // namespace isolume
