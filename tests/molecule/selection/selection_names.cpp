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
  EXPECT_EQ(with_names("@a or @a_2", names), "(chain A) or @a_2") << "a name ends where no letter follows";
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

TEST(SelectionNames, AnUnknownOneIsSaidByItsName) {
  try {
    Selection(with_names("protein and @pocket", {{"site", "all"}}));
    FAIL() << "was taken";
  } catch (const SelectionError& error) {
    EXPECT_NE(std::string(error.what()).find("there is no named selection 'pocket'"), std::string::npos)
        << error.what();
    EXPECT_EQ(error.column, 12u);
  }
}

}  // namespace
}  // namespace isolume::test
