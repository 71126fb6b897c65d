// Frames of text files are found once, decoded when they are shown, and found on where a file has grown.
#include "formats/bytes/frame_index.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

constexpr int atoms = 40;

/// The frame's number is the x of its first atom.
std::string frame_text(const std::string& format, int number, int count = atoms) {
  const std::string title = fmt::format("made up, t= {}.0", number);
  if (format == "xyz") {
    std::string text = fmt::format("{}\n{}\n", count, title);
    for (int i = 0; i < count; ++i) text += fmt::format("C {} {} {}\n", number + 3 * i, 0.5 * i, i % 7);
    return text;
  }
  if (format == "gro") {
    std::string text = fmt::format("{}\n{}\n", title, count);
    for (int i = 0; i < count; ++i) {
      text += fmt::format("{:5}{:<5}{:>5}{:5}{:8.3f}{:8.3f}{:8.3f}\n", 1, "MOL", "C", i + 1, (number + 3 * i) / 10.0,
                          0.05 * i, 0.1);
    }
    return text + "   9.0 9.0 9.0\n";
  }
  if (format == "cif") {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += fmt::format("ATOM {} C C{} MOL A 1 {} {} 1 {}\n", i + 1, i, number + 3 * i, 0.5 * i, number);
    return text;
  }
  std::string text = fmt::format("TITLE     {}\nMODEL     {:4}\n", title, number % 10'000);
  for (int i = 0; i < count; ++i) {
    text += fmt::format("ATOM  {:5}  C{:<2} MOL A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           C\n", i + 1,
                        i % 100, number + 3.0 * i, 0.5 * i, 1.0);
  }
  return text + "ENDMDL\n";
}

std::string head(const std::string& format) {
  if (format != "cif") return {};
  return "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
         "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n"
         "_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.pdbx_PDB_model_num\n";
}

class FrameIndex : public testing::TestWithParam<const char*> {
 protected:
  FrameIndex() : format_(GetParam()) {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("isolume_index_{}", getpid());
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / ("run." + format_)).string();
    limits_.piece = 1000;  // so that little is worth being remembered
  }
  ~FrameIndex() override { std::filesystem::remove_all(folder_); }

  void append(const std::string& text) { std::ofstream(path_, std::ios::app | std::ios::binary) << text; }

  std::string frames(int begin, int end) const {
    std::string text;
    for (int i = begin; i < end; ++i) text += frame_text(format_, i);
    return text;
  }

  /// What a program that never saw the file reads.
  Molecule fresh(const Molecule& molecule) const {
    const auto source = ByteSource::open(path_);
    static int copies = 0;  // another name each time
    return read_source(ByteSource::from_bytes(std::string(source->text()),
                                              fmt::format("copy{}_{}.{}", ++copies, molecule.frame_count(), format_)));
  }

  static void expect_same(const Molecule& a, const Molecule& b) {
    EXPECT_EQ(a.title, b.title);
    EXPECT_EQ(a.warnings, b.warnings);
    EXPECT_EQ(a.topology->bonds, b.topology->bonds);
    ASSERT_EQ(a.frame_count(), b.frame_count());
    for (std::size_t i = 0; i < a.frame_count(); ++i) {
      ASSERT_EQ(a.trajectory->frame(i).positions, b.trajectory->frame(i).positions) << i;
    }
  }

  std::string format_;
  std::filesystem::path folder_;
  std::string path_;
  ReadLimits limits_;
};

TEST_P(FrameIndex, frames_in_any_order_are_those_in_order) {
  append(head(format_) + frames(0, 200));
  const Molecule molecule = read_file(path_);
  ASSERT_EQ(molecule.frame_count(), 200u);
  ASSERT_EQ(molecule.atom_count(), static_cast<std::size_t>(atoms));
  for (int step = 0, i = 0; step < 300; ++step, i = (i * 73 + 37) % 200) {
    const Frame frame = molecule.trajectory->frame(static_cast<std::size_t>(i));
    ASSERT_EQ(frame.positions[0].x, static_cast<float>(i));
    ASSERT_EQ(frame.positions.back().x, static_cast<float>(i + 3 * (atoms - 1)));
  }
  EXPECT_THROW(molecule.trajectory->frame(200), Error);
}

TEST_P(FrameIndex, a_damaged_frame_is_named_when_it_is_met) {
  std::string text = head(format_) + frames(0, 50);
  // Of atom 1 of frame 30: x = 33, or 3.3 nm, next to y = 0.5.
  const std::size_t number = text.find(format_ == "gro"   ? "   3.300   0.050"
                                       : format_ == "pdb" ? "  33.000   0.500"
                                                          : " 33 0.5 ");
  ASSERT_NE(number, std::string::npos);
  text[text.find('3', number)] = 'x';
  append(text);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(number), '\n') + 1;
  const Molecule molecule = read_file(path_);
  ASSERT_EQ(molecule.frame_count(), 50u);
  std::size_t bad = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    try {
      EXPECT_EQ(molecule.trajectory->frame(i).positions[0].x, static_cast<float>(i));
    } catch (const Error& error) {
      ++bad;
      EXPECT_EQ(error.line(), line) << error.what();
    }
  }
  EXPECT_EQ(bad, 1u);
}

TEST_P(FrameIndex, a_file_that_grows_is_indexed_on) {
  append(head(format_) + frames(0, 20));
  const Molecule before = read_file(path_, limits_);
  ASSERT_EQ(before.frame_count(), 20u);
  if (format_ != "cif") {
    ASSERT_NE(known_frames(*ByteSource::open(path_, limits_), format_ == "pdb" ? "PDB" : "frames of lines"), nullptr);
  }
  // A frame of other atoms, half a frame, its other half, and more.
  const std::string next = frame_text(format_, 21);
  const std::size_t half = next.find('\n', next.size() / 2) + 1;
  append(frame_text(format_, 20, atoms / 2) + next.substr(0, half));
  const Molecule cut = read_file(path_, limits_);
  expect_same(cut, fresh(cut));
  EXPECT_EQ(cut.frame_count(), 20u);
  append(next.substr(half) + frames(22, 40));
  const Molecule after = read_file(path_, limits_);
  EXPECT_EQ(after.frame_count(), 39u);
  EXPECT_EQ(after.trajectory->frame(20).positions[0].x, 21.0F);
  expect_same(after, fresh(after));
  // Read again as it is, and another file of the same name.
  expect_same(read_file(path_, limits_), after);
  std::filesystem::remove(path_);
  append(head(format_) + frames(7, 60));
  const Molecule other = read_file(path_, limits_);
  EXPECT_EQ(other.frame_count(), 53u);
  expect_same(other, fresh(other));
}

/// Bytes of anonymous memory: what is not the mapped file's own.
std::size_t own_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::size_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes << 10;
  }
  return 0;
}

TEST_P(FrameIndex, a_large_file_takes_little_memory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory counts too";
#endif
  std::string text;
  for (int i = 0; i < 60; ++i) text += frame_text(format_, i, 2000);
  append(head(format_));
  for (int i = 0; i < 10; ++i) append(format_ == "cif" && i > 0 ? std::string() : text);  // 70 MB
  if (own_memory() == 0) GTEST_SKIP() << "no /proc";
  const std::size_t size = std::filesystem::file_size(path_), before = own_memory();
  const Molecule molecule = read_file(path_);
  std::size_t most = 0;
  for (std::size_t i = 0; i < molecule.frame_count(); i += 7) {
    EXPECT_EQ(molecule.trajectory->frame(i).positions.size(), 2000u);
    most = std::max(most, own_memory());
  }
  // 2000 atoms with names and bonds, a frame or two and the index; with mmCIF 8 bytes a row while it is read.
  EXPECT_LT(most - std::min(most, before), std::size_t{6} << 20) << "of a file of " << size;
  EXPECT_GT(size, std::size_t{4} << 20);
}

INSTANTIATE_TEST_SUITE_P(Formats, FrameIndex, testing::Values("pdb", "gro", "xyz", "cif"),
                         [](const auto& format) { return std::string(format.param); });

TEST(SkipLines, goes_where_line_by_line_goes) {
  for (const std::string text : {"a\nb\n\nc\nd", "a\r\nb\r\n\r\nc\r\nd\r\n", "a\rb\r\rc\rd", "\n\n\n"}) {
    const auto source = ByteSource::from_bytes(text, "t");
    for (std::size_t count = 0; count < 8; ++count) {
      LineScanner fast(*source), slow(*source);
      const bool whole = skip_lines(fast, count);
      std::size_t went = 0;
      while (went < count && slow.next()) ++went;
      EXPECT_EQ(whole, went == count) << count;
      if (whole) {
        EXPECT_EQ(fast.next_offset(), slow.next_offset()) << count;
        EXPECT_EQ(fast.next(), slow.next()) << count;
        EXPECT_EQ(fast.line(), slow.line()) << count;
        if (!slow.line().empty()) {
          EXPECT_EQ(fast.number(), slow.number()) << count;
        }
      }
    }
  }
}

}  // namespace
}  // namespace isolume
