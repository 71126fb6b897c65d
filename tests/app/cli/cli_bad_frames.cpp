// Fields over time of trajectories and maps that do not fit: a message that says what is wrong, and nothing written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "formats/read.h"
#include "ion_files.h"
#include "program.h"

namespace isolume::test {
namespace {

void put(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}
void put(std::string& out, float value) {
  put(out, std::bit_cast<std::uint32_t>(value));
}

/// Frames of an XTC of `atoms` atoms 3 A apart on a line, which moves by 0.1 A a frame; frame `odd` has one atom less.
std::string xtc(int frames, int atoms, int odd = -1) {
  std::string out;
  for (int f = 0; f < frames; ++f) {
    const int count = f == odd ? atoms - 1 : atoms;
    for (const int value : {1995, count, f}) put(out, static_cast<std::uint32_t>(value));
    for (int i = 0; i < 10; ++i) put(out, i == 0 ? static_cast<float>(f) : 0.0F);
    put(out, static_cast<std::uint32_t>(count));
    for (int i = 0; i < count; ++i)
      for (const float x : {0.3F * static_cast<float>(i), 0.01F * static_cast<float>(f), 0.0F}) put(out, x);
  }
  return out;
}

std::string gro(int frames, int odd) {
  std::string text;
  for (int f = 0; f < frames; ++f) {
    const int count = f == odd ? 3 : 4;
    text += fmt::format("frame t= {}.0\n{}\n", f, count);
    for (int i = 0; i < count; ++i)
      text += fmt::format("{:5}{:<5}{:>5}{:5}{:8.3f}{:8.3f}{:8.3f}\n", 1, "ION", "NA", i + 1, 0.3 * i, 0.01 * f, 0.0);
    text += "   0.0 0.0 0.0\n";
  }
  return text;
}

class BadFrames : public testing::Test {
 protected:
  BadFrames() {
    write_text(folder_ / "a.pqr", pqr({{0, 0, 0, 1}, {3, 0, 0, -1}, {6, 0, 0, 0.5}, {9, 0, 0, -0.5}}));
    write_text(folder_ / "good.xtc", xtc(8, 4));
    write_text(folder_ / "short.xtc", xtc(5, 4));
    write_text(folder_ / "other.xtc", xtc(8, 5));
    write_text(folder_ / "odd.xtc", xtc(8, 4, 3));
    write_text(folder_ / "odd.gro", gro(8, 3));
    write_text(folder_ / "p.csv", "1,2,3\n");
  }
  /// Whether the command ends with this code and text, and leaves nothing behind.
  void refuses(std::vector<std::string> words, int code, const std::vector<std::string>& texts) {
    for (std::string& word : words)
      if (word.find('.') != std::string::npos) word = folder_ / word;
    const auto before = files();
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err << fmt::format("{}", fmt::join(words, " "));
    for (const std::string& text : texts) EXPECT_CONTAINS(outcome.err, text);
    EXPECT_EQ(files(), before) << fmt::format("{}", fmt::join(words, " "));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / ""))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  Folder folder_;
};

TEST_F(BadFrames, AtomsMissingFromOneFrame) {
  const std::vector<std::string> of_xtc{"needs the same atoms in every frame", "Frame 4", "3 atoms after frames of 4"};
  refuses({"compute", "potential", "a.pqr", "odd.xtc", "--average", "--spacing", "2", "--out", "m.dx"}, 3, of_xtc);
  refuses({"compute", "potential", "a.pqr", "odd.xtc", "--average", "--at", "p.csv", "--out", "m.csv"}, 3, of_xtc);
  refuses({"compute", "probe", "a.pqr", "odd.xtc", "--points", "p.csv", "--out", "o.csv"}, 3, of_xtc);
  refuses({"compute", "volmap", "a.pqr", "odd.xtc", "--out", "m.dx"}, 3, of_xtc);
  refuses({"compute", "volmap", "odd.gro", "--out", "m.dx"}, 3,
          {"a volume map needs the same atoms in every frame", "frame 4 (3 atoms)"});
}

TEST_F(BadFrames, TrajectoriesOfDifferentLength) {
  refuses({"compute", "compare", "a.pqr", "good.xtc", "--frame", "7", "--second-files", "a.pqr", "short.xtc",
           "--second-frame", "7", "--spacing", "2", "--out", "d.dx"},
          2, {"frame 7", "0 to 4"});
  refuses({"compute", "potential", "a.pqr", "short.xtc", "--average", "--frames", "5:8", "--out", "m.dx"}, 2,
          {"--frames 5:8", "5 frames"});
  refuses({"compute", "probe", "a.pqr", "short.xtc", "--points", "p.csv", "--frames", "7", "--out", "o.csv"}, 2,
          {"there are 5 frames"});
  for (const char* verb : {"volmap", "probe"}) {
    std::vector<std::string> words{"compute", verb, "a.pqr", "other.xtc", "--out", "x.csv"};
    if (verb == std::string("volmap")) words.back() = "x.dx";
    if (verb == std::string("probe")) words.insert(words.end(), {"--points", "p.csv"});
    refuses(words, 3, {"5", "4"});
  }
}

TEST_F(BadFrames, GridsThatDoNotMatch) {
  const auto part = [&](const char* name, const char* counts) {
    const Outcome outcome =
        run({"compute", "potential", folder_ / "a.pqr", folder_ / "good.xtc", "--average", "--counts", counts, "--out",
             folder_ / (std::string(name) + ".dx"), "--partial", folder_ / name});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  part("one", "6,5,4");
  part("two", "7,5,4");
  refuses({"merge", folder_ / "one", "--minus", folder_ / "two", "--out", "d.dx", "--error-out", "e.dx"}, 3,
          {"another grid", "7 x 5 x 4", "6 x 5 x 4"});
  refuses({"compute", "map", "one.dx", "--minus", "two.dx", "--out", "d.dx"}, 2,
          {"6 x 5 x 4", "7 x 5 x 4", "--resample"});
  refuses({"compute", "compare", "a.pqr", "--first", "one.dx", "--second", "two.dx", "--out", "d.dx"}, 2,
          {"--resample"});
  const std::string out = folder_ / "d.dx";
  const Outcome asked =
      run({"compute", "map", folder_ / "one.dx", "--minus", folder_ / "two.dx", "--resample", "--out", out});
  EXPECT_EQ(asked.code, 0) << asked.err;
  const Outcome itself = run({"compute", "map", folder_ / "one.dx", "--minus", folder_ / "one.dx", "--out", out});
  ASSERT_EQ(itself.code, 0) << itself.err;
  const Molecule zero = read_file(out);
  for (const float value : zero.volumes.at(0)->values) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace isolume::test
