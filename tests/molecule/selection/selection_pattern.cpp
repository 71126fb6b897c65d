// Regular expressions for names, against the standard library's where that is safe.
#include "molecule/selection/selection_pattern.h"

#include <gtest/gtest.h>

#include <regex>
#include <stdexcept>

namespace isolume {
namespace {

TEST(SelectionPattern, AgreesWithStdRegex) {
  const char* patterns[] = {"C.*",  "C[AB]", "[^H].*",     "H(A|B)[12]?", "(AB)*", "a+b?", "\\d+",   "N|O|CA",
                            "C\\*", "O5'",   "[A-C][1-3]", "()",          "[]x]",  "x|",   "(a|b)*c"};
  const char* texts[] = {"",  "C",  "CA", "CB", "C*",  "HA1", "HB", "HC", "ABAB", "ABA",   "aab",
                         "b", "42", "4a", "N",  "O5'", "B2",  "D2", "]",  "x",    "ababc", "abab"};
  for (const char* pattern : patterns) {
    // ECMAScript reads "[]" as an empty set, where POSIX and we take a leading ] for itself.
    const auto flags = std::string(pattern) == "[]x]" ? std::regex::extended : std::regex::ECMAScript;
    const std::regex reference(pattern, flags);
    const Pattern ours(pattern);
    for (const char* text : texts)
      EXPECT_EQ(ours.matches(text), std::regex_match(text, reference)) << pattern << " on " << text;
  }
}

TEST(SelectionPattern, NoInputMakesItHang) {
  const Pattern pattern("(((a*)*)*)*b");
  std::string text(20000, 'a');
  EXPECT_FALSE(pattern.matches(text));
  text.push_back('b');
  EXPECT_TRUE(pattern.matches(text));
}

TEST(SelectionPattern, SaysWhatIsWrong) {
  for (const char* bad : {"[", "(", ")", "a)", "*", "+a", "[z-a]", "\\", "((((((((((((((((((((((((((((((((((((((((a"}) {
    EXPECT_THROW(Pattern pattern(bad), std::invalid_argument) << bad;
  }
  EXPECT_THROW(Pattern pattern(std::string(600, 'a')), std::invalid_argument);
}

TEST(SelectionPattern, WildcardsIgnoreCase) {
  EXPECT_TRUE(Pattern::wildcard("c*").matches("CA"));
  EXPECT_TRUE(Pattern::wildcard("*B*").matches("ab1"));
  EXPECT_FALSE(Pattern::wildcard("C.").matches("CA"));
}

}  // namespace
}  // namespace isolume
