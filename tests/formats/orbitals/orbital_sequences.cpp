// Sequences of files with orbitals: patterns, folders, order, frames without orbitals and frames of another basis.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "formats/file_patterns.h"
#include "formats/read.h"
#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

class Sequence : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("isolume_sequence_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  /// Hydrogen with one s function an atom, or with an exponent of its own; without orbitals where `exponent` is 0.
  static std::string hydrogen(double distance, double exponent) {
    std::string text = "[Molden Format]\n[Atoms] AU\nH 1 1 0 0 0\nH 2 1 0 0 " + std::to_string(distance) + "\n";
    if (exponent == 0) return text;
    const std::string shell = " s 1 1.0\n " + std::to_string(exponent) + " 1.0\n\n";
    text += "[GTO]\n1 0\n" + shell + "2 0\n" + shell;
    // <a|b> of two s functions of exponent a at distance d is exp(-a d^2 / 2).
    const double c = 1 / std::sqrt(2 + 2 * std::exp(-exponent * distance * distance / 2));
    const std::string value = std::to_string(c);
    return text + "[MO]\nEne= -0.5\nSpin= Alpha\nOccup= 2\n1 " + value + "\n2 " + value + "\n";
  }
  fs::path folder_;
};

TEST(NaturalOrder, numbers_count_by_their_value) {
  EXPECT_TRUE(natural_less("frame_9.molden", "frame_10.molden"));
  EXPECT_FALSE(natural_less("frame_10.molden", "frame_9.molden"));
  EXPECT_TRUE(natural_less("a2b10", "a2b11"));
  EXPECT_TRUE(natural_less("a", "a1"));
  EXPECT_TRUE(natural_less("frame_007", "frame_7x"));
  EXPECT_NE(natural_less("7", "007"), natural_less("007", "7"));
  EXPECT_FALSE(natural_less("x", "x"));
}

TEST_F(Sequence, opens_by_files_in_any_order_by_pattern_and_by_folder) {
  for (int i = 0; i < 12; ++i) write("frame_" + std::to_string(i) + ".molden", hydrogen(1.2 + 0.1 * i, 0.5));
  write("notes.txt", "nothing to read");
  std::vector<std::string> shuffled;
  for (const int i : {10, 0, 3, 1, 2, 11, 4, 5, 9, 6, 7, 8})
    shuffled.push_back(path("frame_" + std::to_string(i) + ".molden"));
  for (const std::vector<std::string>& arguments :
       {shuffled, {path("frame_*.molden")}, {path("frame_?.molden"), path("frame_1?.molden")}, {folder_.string()}}) {
    const std::vector<Molecule> molecules = read_files(arguments);
    ASSERT_EQ(molecules.size(), 1u);
    ASSERT_EQ(molecules[0].frame_count(), 12u);
    ASSERT_EQ(molecules[0].orbitals.size(), 12u);
    EXPECT_EQ(molecules[0].paths.size(), 12u);
    for (std::size_t i = 0; i < 12; ++i) {
      ASSERT_TRUE(molecules[0].orbitals[i]);
      EXPECT_NEAR(molecules[0].orbitals[i]->centres[1].z, 1.2 + 0.1 * static_cast<double>(i), 1e-6);
    }
  }
}

TEST_F(Sequence, a_frame_without_orbitals_is_a_frame_without) {
  write("a_0.molden", hydrogen(1.2, 0));
  write("a_1.molden", hydrogen(1.3, 0));
  write("a_2.molden", hydrogen(1.4, 0.5));
  write("a_3.molden", hydrogen(1.5, 0));
  write("a_4.molden", hydrogen(1.6, 0.5));
  const std::vector<Molecule> molecules = read_files({path("a_*.molden")});
  ASSERT_EQ(molecules.size(), 1u);
  ASSERT_EQ(molecules[0].frame_count(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(molecules[0].orbitals_at(i) != nullptr, i == 2 || i == 4) << i;
}

TEST_F(Sequence, a_frame_of_another_basis_is_an_error_that_names_it) {
  for (int i = 0; i < 4; ++i) write("b_" + std::to_string(i) + ".molden", hydrogen(1.2, i == 2 ? 0.6 : 0.5));
  try {
    read_files({folder_.string()});
    FAIL() << "the frames were joined";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_NE(what.find("b_2.molden: frame 2 of the sequence has another basis"), std::string::npos) << what;
  }
  // Within one file.
  test::expect_error(hydrogen(1.2, 0.5) + hydrogen(1.3, 0.5) + hydrogen(1.4, 0.7), "all.molden", 0,
                     "frame 2 has another basis than frame 0: shell 1");
}

TEST_F(Sequence, says_what_a_folder_or_a_pattern_lacks) {
  const auto refused = [](const std::string& argument, const std::string& words) {
    try {
      expand_paths({argument});
      ADD_FAILURE() << argument << " was expanded";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused(folder_.string(), "no numbered files");
  for (const char* name : {"a_0.molden", "a_1.molden", "b_0.molden", "b_1.molden"}) write(name, hydrogen(1.2, 0.5));
  refused(folder_.string(), "several sequences: a_*.molden (2 files), b_*.molden (2 files)");
  refused(path("c_*.molden"), "no file fits");
  EXPECT_EQ(expand_paths({path("b_1.molden"), path("a_1.molden"), path("a_0.molden")}),
            (std::vector<std::string>{path("b_1.molden"), path("a_0.molden"), path("a_1.molden")}));
  // A pattern names a file once however many patterns fit it; a name counts as often as it is given.
  EXPECT_EQ(expand_paths({path("a_*.molden"), path("a_?.molden")}).size(), 2u);
  EXPECT_EQ(expand_paths({path("a_0.molden"), path("a_0.molden")}).size(), 2u);
}

}  // namespace
}  // namespace isolume
