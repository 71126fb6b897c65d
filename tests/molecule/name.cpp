// Names: what they read as, and that threads which make them at once agree.
#include "molecule/base/name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace isolume {
namespace {

TEST(Name, ReadsAsItsText) {
  const std::string text = "HW1";
  const Name name = text;
  EXPECT_EQ(name, "HW1");
  EXPECT_EQ(name, text);
  EXPECT_NE(name, "HW2");
  EXPECT_EQ(name.size(), 3u);
  EXPECT_EQ(name[1], 'W');
  EXPECT_TRUE(name.starts_with("HW"));
  EXPECT_EQ(name + "-" + Name("OW"), "HW1-OW");
  EXPECT_EQ(fmt::format("{:>5}|{:<5}", name, name), "  HW1|HW1  ");
  EXPECT_LT(Name("CA"), Name("CB"));
  EXPECT_LT(Name("Z-made-second"), Name("a-made-first"));
  EXPECT_EQ(std::hash<Name>()(name), std::hash<std::string>()(text));
  EXPECT_EQ(sizeof(Name), 4u);
}

TEST(Name, TheEmptyOneIsTheDefault) {
  EXPECT_TRUE(Name().empty());
  EXPECT_EQ(Name(), Name(""));
  EXPECT_EQ(Name().text(), "");
  EXPECT_NE(Name(), Name(" "));
}

// Texts of eight bytes and less are looked up otherwise than longer ones, and a zero byte counts.
TEST(Name, AreEqualWhereTheTextsAre) {
  const std::string texts[] = {
      "A",        std::string("A\0", 2), std::string("\0A", 2), std::string(1, '\0'),
      "ABCDEFGH", "ABCDEFGHI",           "ABCDEFGHJ",           "\xff\xff\xff\xff\xff\xff\xff\xff"};
  for (const std::string& a : texts) {
    EXPECT_EQ(Name(a).text(), a);
    for (const std::string& b : texts) EXPECT_EQ(Name(a) == Name(b), a == b) << a << ' ' << b;
  }
}

TEST(Name, TextsStayWhereTheyAreWhileOthersAreMade) {
  const Name first("first");
  const std::string& kept = first.text();
  const std::size_t before = Name::count();
  for (int i = 0; i < 5000; ++i)
    EXPECT_EQ(Name(fmt::format("a longer name {}", i)).text(), fmt::format("a longer name {}", i));
  EXPECT_EQ(Name::count(), before + 5000);
  EXPECT_EQ(&Name("first").text(), &kept);
  EXPECT_EQ(kept, "first");
}

TEST(Name, ThreadsThatMakeTheSameAtOnceGetTheSame) {
  constexpr std::size_t threads = 8, names = 3000;
  std::vector<std::vector<Name>> made(threads);
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t) {
    all.emplace_back([&made, t] {
      // Each begins elsewhere, so that all make some first.
      made[t].resize(names);
      for (std::size_t k = 0; k < names; ++k) {
        const std::size_t i = (k + t * names / threads) % names;
        made[t][i] = Name(fmt::format("T{}", i));
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  std::unordered_set<std::uint32_t> numbers;
  for (std::size_t i = 0; i < names; ++i) {
    EXPECT_EQ(made[0][i].text(), fmt::format("T{}", i));
    for (std::size_t t = 1; t < threads; ++t) EXPECT_EQ(made[t][i].number(), made[0][i].number());
    numbers.insert(made[0][i].number());
  }
  EXPECT_EQ(numbers.size(), names);
}

}  // namespace
}  // namespace isolume
