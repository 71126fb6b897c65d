// Parts of results over frames: what joining gives, and what is refused.
#include "molecule/frame_part.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Rule = FrameArray::Rule;

/// A part with an array of every rule, whose values say from which frames they are.
FramePart part_of(const std::vector<std::uint64_t>& frames) {
  FramePart part;
  part.kind = "test";
  part.fixed = {{"--cutoff", "4"}};
  part.inputs = {{"a.xtc", "10 bytes"}};
  part.frames = frames;
  FrameArray rows{"rows", Rule::rows, 2, {}}, lengths{"lengths", Rule::rows, 1, {}, true},
      lists{"lists", Rule::lists, 1, "lengths", true}, sums{"sums", Rule::sum, 1, {}, true},
      keyed{"keyed", Rule::keyed, 1, {}, true}, same{"atoms", Rule::same, 1, {}, true};
  sums.counts = {0, 7};
  same.counts = {3, 5};
  for (const std::uint64_t frame : frames) {
    rows.numbers.insert(rows.numbers.end(), {static_cast<double>(frame), 0.5});
    lengths.counts.push_back(frame % 3);
    for (std::uint64_t i = 0; i < frame % 3; ++i) lists.counts.push_back(10 * frame + i);
    sums.counts[0] += frame;
  }
  sums.counts[1] *= frames.size();
  keyed.counts = {2, frames.size(), 100 + frames.front(), 1};
  part.names = {{frames.front(), "name"}};
  part.arrays = {rows, lengths, lists, sums, keyed, same};
  return part;
}

void expect_equal(const FramePart& a, const FramePart& b) {
  EXPECT_EQ(a.frames, b.frames);
  ASSERT_EQ(a.arrays.size(), b.arrays.size());
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    if (a.arrays[i].rule == Rule::keyed) continue;
    EXPECT_EQ(a.arrays[i].counts, b.arrays[i].counts) << a.arrays[i].name;
    EXPECT_EQ(a.arrays[i].numbers, b.arrays[i].numbers) << a.arrays[i].name;
  }
}

std::string said(const FramePart& part, const FramePart& other) {
  FramePart copy = part;
  try {
    join(copy, other, "other");
  } catch (const Error& error) {
    expect_equal(copy, part);
    return error.what();
  }
  return {};
}

TEST(FramePart, JoinsInAnyOrderAndGrouping) {
  const FramePart a = part_of({0, 1, 7, 8}), b = part_of({2, 5}), c = part_of({3, 4, 6, 9});
  const FramePart whole = part_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  const std::vector<std::vector<const FramePart*>> orders{{&a, &b, &c}, {&c, &b, &a}, {&b, &c, &a}};
  for (const auto& order : orders) {
    FramePart left = *order[0];
    join(left, *order[1], "b");
    join(left, *order[2], "c");
    expect_equal(left, whole);
    FramePart inner = *order[1], right = *order[0];
    join(inner, *order[2], "c");
    join(right, inner, "bc");
    expect_equal(right, whole);
    EXPECT_EQ(left.array("keyed").counts, (std::vector<std::uint64_t>{2, 10, 100, 1, 102, 1, 103, 1}));
    EXPECT_EQ(right.array("keyed").counts, left.array("keyed").counts);
    EXPECT_EQ(left.names.size(), 3u);
    validate(left, "left");
  }
}

TEST(FramePart, SaysWhatDiffers) {
  const FramePart part = part_of({0, 1, 2});
  FramePart other = part_of({2, 3});
  EXPECT_NE(said(part, other).find("has frame 2"), std::string::npos);
  other = part_of({5, 6});
  other.fixed = {{"--cutoff", "5"}};
  EXPECT_NE(said(part, other).find("its --cutoff is 5, not 4"), std::string::npos);
  other.fixed = {{"--cutoff", "4"}, {"--pbc", "wrap"}};
  EXPECT_NE(said(part, other).find("it has --pbc wrap, and the other has none"), std::string::npos);
  other.fixed.clear();
  EXPECT_NE(said(part, other).find("it has no --cutoff, and the other has 4"), std::string::npos);
  other = part_of({5, 6});
  other.inputs = {{"b.xtc", "11 bytes"}};
  EXPECT_NE(said(part, other).find("of the files b.xtc (11 bytes), not a.xtc (10 bytes)"), std::string::npos);
  other.inputs = {{"renamed.xtc", "10 bytes"}};
  EXPECT_EQ(said(part, other), "");
  other.kind = "rdf";
  EXPECT_NE(said(part, other).find("of rdf, not of test"), std::string::npos);
  other = part_of({5, 6});
  other.arrays[5].counts = {3, 6};
  EXPECT_NE(said(part, other).find("its atoms are others"), std::string::npos);
  other = part_of({5, 6});
  other.arrays[3].counts.push_back(1);
  EXPECT_NE(said(part, other).find("its 'sums' has 3 values, not 2"), std::string::npos);
}

TEST(FramePart, WhatDoesNotFitTogetherIsRefused) {
  validate(part_of({1, 2, 5}), "part");
  const auto refused = [](const auto& change) {
    FramePart part = part_of({1, 2, 5});
    change(part);
    EXPECT_THROW(validate(part, "part"), Error);
  };
  refused([](FramePart& p) { p.frames[1] = 1; });
  refused([](FramePart& p) { p.frames.push_back(9); });
  refused([](FramePart& p) { p.arrays[0].width = 0; });
  refused([](FramePart& p) { p.arrays[0].width = 3; });
  refused([](FramePart& p) { p.arrays[0].whole = true; });
  refused([](FramePart& p) { p.arrays[1].counts[0] = ~std::uint64_t{0}; });
  refused([](FramePart& p) { p.arrays[2].counts.pop_back(); });
  refused([](FramePart& p) { p.arrays[2].lengths = "none"; });
  refused([](FramePart& p) { p.arrays[4].counts = {5, 1, 5, 1}; });
  refused([](FramePart& p) { p.arrays[4].counts = {5}; });
  refused([](FramePart& p) { p.arrays[5].name = "rows"; });
}

TEST(FramePart, FramesInWordsAndGaps) {
  EXPECT_EQ(frames_in_words({0, 1, 2, 10, 12, 14}), "0:3, 10:15:2");
  EXPECT_EQ(frames_in_words({7}), "7:8");
  EXPECT_EQ(missing_frames({0, 10, 20, 50, 60}), "30:50:10");
  EXPECT_EQ(missing_frames({5, 4, 3}), "");
  EXPECT_EQ(missing_frames({0, 1, 1, 4}), "2:4");
  EXPECT_EQ(missing_frames({}), "");
}

}  // namespace
}  // namespace isolume
