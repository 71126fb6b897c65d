// Names in selection texts: what they are replaced by, and what is refused.
#include "molecule/selection/selection_names.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::test {
namespace {

TEST(SelectionNames, AreReplacedInParentheses) {
  const SelectionNames names{{"site", "resid 5 or resid 7"}, {"near", "within 4 of @site"}, {"a", "chain A"}};
  EXPECT_EQ(with_names("@site and name CA", names), "(resid 5 or resid 7) and name CA");
  EXPECT_EQ(with_names("not @near", names), "not (within 4 of (resid 5 or resid 7))");
  EXPECT_EQ(with_these_names("@a or @a_2", names), "(chain A) or @a_2") << "a name ends where no letter follows";
  EXPECT_EQ(with_names("name \"@a\"", names), "name \"@a\"") << "not in quotes";
  EXPECT_EQ(with_names("name O5' and @a", names), "name O5' and (chain A)") << "a prime is no quote";
  EXPECT_EQ(with_names("all", names), "all");
}

TEST(SelectionNames, OnesThatMeanThemselvesAreRefused) {
  EXPECT_THROW(with_names("@a", {{"a", "@b"}, {"b", "not @a"}}), Error);
  EXPECT_EQ(with_names("@a", {{"a", "@b and @b"}, {"b", "protein"}}), "((protein) and (protein))");
  std::string text = "@a0";
  SelectionNames names{{"a25", "all"}};
  for (int i = 0; i < 25; ++i)
    names["a" + std::to_string(i)] = "@a" + std::to_string(i + 1) + " or @a" + std::to_string(i + 1);
  EXPECT_THROW(with_names(text, names), Error) << "2^25 words";
}

TEST(SelectionNames, NamesAreWords) {
  EXPECT_TRUE(is_selection_name("pocket_2"));
  for (const char* wrong : {"", "2nd", "_a", "a b", "a-b", "\xc3\xa9"}) EXPECT_FALSE(is_selection_name(wrong)) << wrong;
  EXPECT_FALSE(is_selection_name(std::string(65, 'a')));
}

std::string refused(const std::string& text, const SelectionNames& names, std::size_t column) {
  try {
    Selection(with_names(text, names));
  } catch (const SelectionError& error) {
    EXPECT_EQ(error.column, column) << text;
    return error.what();
  }
  ADD_FAILURE() << text << " was taken";
  return {};
}

TEST(SelectionNames, AnUnknownOneIsSaidByItsNameWithThoseThereAre) {
  const auto starts = [](const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; };
  EXPECT_TRUE(starts(refused("protein and @pocket", {{"site", "all"}}, 12),
                     "there is no named selection 'pocket'; there is site\n"));
  EXPECT_TRUE(starts(refused("@a_2", {{"site", "all"}, {"a", "none"}}, 0),
                     "there is no named selection 'a_2'; there are a, site\n"));
  EXPECT_TRUE(
      starts(refused("not (@pocket)", {}, 5), "there is no named selection 'pocket' (names are kept in scenes)"));
  SelectionNames many;
  for (char c = 'a'; c <= 'l'; ++c) many[std::string(1, c)] = "all";
  EXPECT_TRUE(starts(refused("@z", many, 0),
                     "there is no named selection 'z'; there are a, b, c, d, e, f, g, h, i, j, "
                     "and 2 more\n"));
  // The name of an AMBER mask is not one of ours.
  EXPECT_NE(refused(":5@CA", {{"site", "all"}}, 0).find("AMBER masks"), std::string::npos);
}

TEST(SelectionNames, AreFoundWhereTheyAreMeant) {
  EXPECT_TRUE(has_names("@site"));
  EXPECT_TRUE(has_names("centre:@site")) << "behind another word of an option";
  EXPECT_FALSE(has_names("name \"@a\" or name CA"));
  EXPECT_FALSE(has_names(":5@CA"));
  EXPECT_FALSE(has_names("somebody@example.org"));
  EXPECT_FALSE(has_names("@ 5"));
}

}  // namespace
}  // namespace isolume::test
