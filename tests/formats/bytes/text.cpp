// Text from files: lines, fields, numbers, clean strings.
#include "formats/bytes/text.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <system_error>
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"

namespace isolume {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  const auto source = ByteSource::from_bytes(text, "text");
  LineScanner scanner(*source);
  std::vector<std::string> lines;
  while (scanner.next()) lines.push_back(std::to_string(scanner.number()) + ":" + std::string(scanner.line()));
  EXPECT_FALSE(scanner.next());
  EXPECT_TRUE(scanner.line().empty());
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineScanner, ends_lines_as_unix_windows_and_old_macs_do) {
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"1:a", "2:b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"1:a", "2:b"}));
  EXPECT_EQ(lines_of("a\rb\r"), (Lines{"1:a", "2:b"}));
  EXPECT_EQ(lines_of("a\r\n\nb\r\rc"), (Lines{"1:a", "2:", "3:b", "4:", "5:c"}));
  EXPECT_EQ(lines_of("\xEF\xBB\xBFx"), (Lines{"1:x"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), (Lines{"1:"}));
}

TEST(LineScanner, refuses_nul_and_endless_lines) {
  EXPECT_THROW(lines_of(std::string("a\0b", 3)), Error);
  ReadLimits limits;
  limits.line = 10;
  const auto source = ByteSource::from_bytes("0123456789\n01234567890\n", "long", limits);
  LineScanner scanner(*source);
  EXPECT_TRUE(scanner.next());
  try {
    scanner.next();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.line(), 2);
  }
}

// 64 GiB without a newline, none of them on the disk: it is enough to look as far as a line may reach.
TEST(LineScanner, sparse_files_are_refused_at_once) {
  for (const auto& [name, head] : {std::pair("sparse.xyz", "3\ncomment\n"),
                                   {"sparse.pdb", "HEADER\n"},
                                   {"empty.pqr", ""},
                                   {"sparse.cif", "data_x\n"}}) {
    const std::string path = testing::TempDir() + "/isolume_" + std::to_string(getpid()) + name;
    std::ofstream(path) << head;
    std::error_code fault;
    std::filesystem::resize_file(path, std::uintmax_t{64} << 30, fault);
    if (fault) GTEST_SKIP() << "no sparse files here: " << fault.message();
    const auto read = [&path = path] {
      const rlimit seconds{5, 5};  // of the processor; reading 64 GiB takes more
      setrlimit(RLIMIT_CPU, &seconds);
      try {
        read_source(ByteSource::open(path));
      } catch (const Error&) {
        _exit(0);
      }
      _exit(1);
    };
    EXPECT_EXIT(read(), testing::ExitedWithCode(0), "") << name;
    std::filesystem::remove(path);
  }
}

TEST(LineScanner, old_mac_files_are_read_in_linear_time) {
  std::string text;
  for (int i = 0; i < 400000; ++i) text += "line\r";
  EXPECT_EQ(lines_of(text).size(), 400000u);
}

TEST(LineScanner, starts_anywhere_and_keeps_the_line_number) {
  const auto source = ByteSource::from_bytes("one\ntwo\nthree\n", "text");
  LineScanner scanner(*source, 4, 2);
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.line(), "two");
  EXPECT_EQ(scanner.number(), 2);
  EXPECT_EQ(scanner.offset(), 4u);
  EXPECT_EQ(scanner.next_offset(), 8u);
}

TEST(LineScanner, says_where_the_file_ended) {
  const auto source = ByteSource::from_bytes("one\n", "short.txt");
  LineScanner scanner(*source);
  scanner.require("a title");
  try {
    scanner.require("an atom");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "short.txt:2: the file ends where an atom was expected");
  }
}

TEST(FirstLines, end_as_unix_windows_and_old_macs_end_them) {
  using Lines = std::vector<std::string>;
  const auto lines = [](const std::string& text, std::size_t count) {
    const auto source = ByteSource::from_bytes(text, "x");
    const auto views = first_lines(*source, count);
    return Lines(views.begin(), views.end());
  };
  EXPECT_EQ(lines("a\nb\r\nc\rd", 9), (Lines{"a", "b", "c", "d"}));
  EXPECT_EQ(lines("a\r\r\n\nb\r", 9), (Lines{"a", "", "", "b"}));
  EXPECT_EQ(lines("\n\r\n\r", 9), (Lines{"", "", ""}));
  EXPECT_EQ(lines("a\rb\nc\n", 1), (Lines{"a"}));
  EXPECT_EQ(lines("a\rb\rc\nd", 2), (Lines{"a", "b"}));
  EXPECT_EQ(lines("\xEF\xBB\xBF"
                  "a\n",
                  9),
            (Lines{"a"}));
  EXPECT_EQ(lines("", 9), Lines{});
}

TEST(Text, columns_count_from_one_and_end_with_the_line) {
  EXPECT_EQ(columns("abcdef", 2, 4), "bcd");
  EXPECT_EQ(columns("abc", 3, 9), "c");
  EXPECT_EQ(columns("abc", 4, 9), "");
  EXPECT_EQ(field("a  b  c", 2, 6), "b");
}

TEST(Text, numbers_fill_their_field) {
  EXPECT_EQ(parse_real(" 1.5 "), 1.5);
  EXPECT_EQ(parse_real("+1.5e2"), 150);
  EXPECT_EQ(parse_real("-1.5D-01"), -0.15);
  EXPECT_EQ(parse_real(".5"), 0.5);
  for (const char* bad : {"", " ", "1.5x", "1 2", "++1", "+-1", "x", "0x10", "d5", "1e999", "--1", "1,5"}) {
    EXPECT_FALSE(parse_real(bad)) << bad;
  }
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("+12 "), 12);
  for (const char* bad : {"", "1.0", "12a", "99999999999999999999", "+-1"}) EXPECT_FALSE(parse_integer(bad)) << bad;
}

TEST(Text, strings_of_files_are_made_harmless) {
  EXPECT_EQ(clean("  name \t"), "name");
  EXPECT_EQ(clean("a\x01\x1b[31m"), "a??[31m");
  EXPECT_EQ(clean("\xC3\xA4\xE2\x82\xAC"), "\xC3\xA4\xE2\x82\xAC");  // valid UTF-8 stays
  EXPECT_EQ(clean("\xFF\xC3"), "??");
  EXPECT_EQ(clean("\xC0\xAF"), "??");       // overlong
  EXPECT_EQ(clean("\xED\xA0\x80"), "???");  // surrogate
  EXPECT_EQ(clean("\xC2\x85x"), "?x");      // C1 control
  EXPECT_EQ(clean("abcdef", 3), "abc");
  EXPECT_EQ(clean("ab\xC3\xA4", 3), "ab");  // no half characters
}

TEST(Text, sizes_are_checked_products) {
  EXPECT_EQ(checked_product(3, 4), 12u);
  EXPECT_FALSE(checked_product(std::uint64_t{1} << 33, std::uint64_t{1} << 33));
  const auto source = ByteSource::from_bytes("x", "x");
  EXPECT_NO_THROW(check_count(*source, 1, 10, 2, 20, "atoms"));
  EXPECT_THROW(check_count(*source, 1, 11, 2, 20, "atoms"), Error);
  EXPECT_THROW(check_count(*source, 1, ~std::uint64_t{0}, 20, 20, "atoms"), Error);
}

TEST(Text, binary_content_is_noticed) {
  EXPECT_FALSE(looks_binary(*ByteSource::from_bytes("ATOM\r\n\tx", "t")));
  EXPECT_TRUE(looks_binary(*ByteSource::from_bytes(std::string("ab\0c", 4), "t")));
}

TEST(WorkPart, is_a_part_of_the_part_around_it_and_only_rises) {
  std::atomic<double> fraction = 0;
  WorkPart::report(0.5);  // nobody listens
  const WorkPart whole(&fraction);
  {
    const WorkPart first(0, 0.5);
    {
      const WorkPart inner(0.5, 1);
      EXPECT_DOUBLE_EQ(fraction, 0.25);
      WorkPart::report(0.5);
    }
    EXPECT_DOUBLE_EQ(fraction, 0.375);
    WorkPart::report(0.1);
    EXPECT_DOUBLE_EQ(fraction, 0.375);
    WorkPart::report(1);
  }
  EXPECT_DOUBLE_EQ(fraction, 0.5);
}

TEST(WorkPart, of_a_text_is_what_was_read_of_it) {
  constexpr int lines = 100'000;
  std::string text = std::to_string(lines) + "\n\n";
  for (int i = 0; i < lines; ++i)
    text += i == lines / 2 ? "C here the numbers end\n"
                           : "C " + std::to_string(i % 100) + " 10.5 " + std::to_string(i / 100) + "\n";
  ReadLimits limits;
  limits.piece = std::size_t{1} << 40;  // in turn
  std::atomic<double> fraction = 0;
  {
    const WorkPart whole(&fraction);
    EXPECT_THROW(read_source(ByteSource::from_bytes(text, "half.xyz", limits)), Error);
  }
  EXPECT_GT(fraction, 0.35) << "of 0.8 for the text";
  EXPECT_LT(fraction, 0.45);
  std::atomic<bool> stop = true;
  const StopScope scope(&stop);
  fraction = 0;
  const WorkPart whole(&fraction);
  EXPECT_THROW(read_source(ByteSource::from_bytes(text, "half.xyz", limits)), Error);
  EXPECT_LT(fraction, 0.05) << "it ends at the first place where it asks";
}

}  // namespace
}  // namespace isolume
