// Indices of frames that are kept on disk: the same frames with and without, and none from one that is not of the file.
#include "formats/bytes/known_frames.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "formats/bytes/checksum.h"
#include "formats/bytes/index_file.h"
#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

constexpr int atoms = 7;

void put(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}
void put(std::string& out, float value) {
  put(out, std::bit_cast<std::uint32_t>(value));
}

/// The frame's number is a tenth of the x of its first atom in angstrom. XTC has so few atoms without compression.
std::string xtc_frame(int number, int count = atoms) {
  std::string out;
  for (const int value : {1995, count, number}) put(out, static_cast<std::uint32_t>(value));
  put(out, static_cast<float>(number));
  for (int i = 0; i < 9; ++i) put(out, i % 4 == 0 ? 5.0F : 0.0F);
  put(out, static_cast<std::uint32_t>(count));
  for (int i = 0; i < 3 * count; ++i) put(out, static_cast<float>(number + i));
  return out;
}

/// Every third has velocities alone.
std::string trr_frame(int number) {
  const bool positions = number % 3 != 1;
  std::string out;
  for (const std::uint32_t value : {1993u, 13u, 12u}) put(out, value);
  out += "GMX_trn_file";
  const std::uint32_t vectors = 12 * atoms;
  for (const std::uint32_t size : {0u, 0u, 36u, 0u, 0u, 0u, 0u, positions ? vectors : 0u, vectors, 0u}) put(out, size);
  for (const std::uint32_t value : {static_cast<std::uint32_t>(atoms), static_cast<std::uint32_t>(number), 0u})
    put(out, value);
  put(out, static_cast<float>(number));
  put(out, 0.0F);
  for (int i = 0; i < 9; ++i) put(out, i % 4 == 0 ? 5.0F : 0.0F);
  for (int i = 0; i < (positions ? 2 : 1) * 3 * atoms; ++i) put(out, static_cast<float>(number + i));
  return out;
}

std::string frame_of(const std::string& format, int number) {
  if (format == "xtc") return xtc_frame(number);
  if (format == "trr") return trr_frame(number);
  if (format == "xyz") {
    std::string text = fmt::format("{}\nframe {}\n", atoms, number);
    for (int i = 0; i < atoms; ++i) text += fmt::format("C {} {} 0\n", 10 * number + i, i);
    return text;
  }
  std::string text = fmt::format("MODEL     {:4}\n", number);
  for (int i = 0; i < atoms; ++i)
    text += fmt::format("ATOM  {:5}  C{:<2} MOL A   1    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           C\n", i + 1, i,
                        10.0 * number + i, 0.5 * i, 1.0);
  return text + "ENDMDL\n";
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class KeptFrames : public testing::TestWithParam<const char*> {
 protected:
  KeptFrames() : format_(GetParam()) {
    folder_ = fs::temp_directory_path() / fmt::format("isolume_kept_{}", ::getpid());
    fs::create_directories(folder_ / "cache");
    if (const char* value = std::getenv("XDG_CACHE_HOME")) before_ = value;
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    path_ = (folder_ / ("run." + format_)).string();
    limits_.piece = 500;
    keep(IndexKeeping::Where::cache);
  }
  ~KeptFrames() override {
    keep_indices({});
    forget_frames();
    before_.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    std::error_code fault;
    fs::permissions(folder_ / "cache", fs::perms::owner_all, fault);
    fs::remove_all(folder_);
  }

  static void keep(IndexKeeping::Where where, std::uint64_t total = 1 << 20) { keep_indices({where, 1, total}); }

  std::string text(int begin, int end) const {
    std::string out;
    for (int i = begin; i < end; ++i) out += frame_of(format_, i);
    return out;
  }
  void write(const std::string& bytes, std::ios::openmode mode = std::ios::trunc) const {
    std::ofstream(path_, std::ios::binary | mode) << bytes;
  }
  /// The time of the file's last change, set so that it does not depend on how fast the test runs.
  void changed_at(long second) const {
    const timespec times[] = {{second, 0}, {second, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  }
  /// As a new process reads it.
  Molecule read() const {
    forget_frames();
    return read_file(path_, limits_);
  }
  /// Without any index.
  Molecule plain() const {
    forget_frames();
    const IndexKeeping kept = indices_kept();
    keep_indices({});
    Molecule molecule = read_file(path_, limits_);
    forget_frames();
    keep_indices(kept);
    return molecule;
  }
  /// Whether the next reading begins from the index on disk.
  bool known() const {
    forget_frames();
    const auto source = ByteSource::open(path_, limits_);
    for (const char* reader : {"XTC", "TRR", "PDB", "frames of lines"})
      if (known_frames(*source, reader)) return true;
    return false;
  }

  static void expect_same(const Molecule& a, const Molecule& b) {
    EXPECT_EQ(a.warnings, b.warnings);
    ASSERT_EQ(a.frame_count(), b.frame_count());
    for (std::size_t i = 0; i < a.frame_count(); ++i) {
      const Frame one = a.trajectory->frame(i), other = b.trajectory->frame(i);
      ASSERT_EQ(one.positions, other.positions) << i;
      ASSERT_EQ(one.time, other.time) << i;
    }
  }

  std::string format_, before_;
  fs::path folder_;
  std::string path_;
  ReadLimits limits_;
};

TEST_P(KeptFrames, second_opening_has_the_frames_of_the_first) {
  write(text(0, 60));
  const Molecule without = plain();
  EXPECT_FALSE(known());
  expect_same(read(), without);
  ASSERT_TRUE(fs::exists(index_path(path_)));
  EXPECT_TRUE(known());
  expect_same(read(), without);

  EXPECT_EQ(without.frame_count(), format_ == "trr" ? 40u : 60u);
}

TEST_P(KeptFrames, a_file_that_grows_is_indexed_on) {
  write(text(0, 40) + frame_of(format_, 40).substr(0, 30));  // the last frame is still being written
  read();
  ASSERT_TRUE(known());
  write(frame_of(format_, 40).substr(30) + text(41, 70), std::ios::app);
  EXPECT_TRUE(known());
  expect_same(read(), plain());
  EXPECT_EQ(read().frame_count(), format_ == "trr" ? 47u : 70u);
}

TEST_P(KeptFrames, an_index_of_the_file_as_it_was_is_not_taken) {
  write(text(0, 60));
  changed_at(1'000'000'000);
  read();
  ASSERT_TRUE(known());
  // The same size and beginning, another time.
  changed_at(1'000'000'001);
  EXPECT_FALSE(known());
  read();
  ASSERT_TRUE(known());
  // The same size and time, other content.
  write(text(1, 61));
  changed_at(1'000'000'001);
  if (fs::file_size(path_) == text(0, 60).size()) {
    EXPECT_FALSE(known());
  }
  expect_same(read(), plain());
  // Shorter, and longer but of another run.
  write(text(0, 30));
  EXPECT_FALSE(known());
  expect_same(read(), plain());
  write(text(5, 90));
  EXPECT_FALSE(known());
  expect_same(read(), plain());
}

TEST_P(KeptFrames, nothing_is_kept_unasked_or_where_it_cannot_be) {
  write(text(0, 60));
  keep_indices({});
  read();
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
  keep_indices({IndexKeeping::Where::cache, 1 << 20, 1 << 20});  // the file is smaller than that
  read();
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
  ::setenv("XDG_CACHE_HOME", "/proc/isolume", 1);  // nobody can write there
  keep(IndexKeeping::Where::cache);
  expect_same(read(), plain());
  ::setenv("XDG_CACHE_HOME", path_.c_str(), 1);  // a file, not a folder
  expect_same(read(), plain());
  ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  keep(IndexKeeping::Where::cache, 400);  // more than a quarter of that
  read();
  EXPECT_FALSE(fs::exists(index_path(path_)));
}

TEST_P(KeptFrames, beside_the_file_where_that_is_asked_for) {
  keep(IndexKeeping::Where::beside);
  write(text(0, 60));
  read();
  EXPECT_TRUE(fs::exists(folder_ / (".run." + format_ + ".isolume-frames")));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache"));
  EXPECT_TRUE(known());
  expect_same(read(), plain());
}

TEST_P(KeptFrames, all_indices_together_stay_below_the_limit) {
  std::string first;
  for (int i = 0; i < 40; ++i) {
    path_ = (folder_ / fmt::format("run{}.{}", i, format_)).string();
    write(text(0, 60));
    read();
    const std::string index = index_path(path_);
    ASSERT_TRUE(fs::exists(index));
    if (i == 0) first = index;
    fs::last_write_time(index, fs::file_time_type(std::chrono::hours(i - 1'500'000)));  // in 2002, in this order
    if (i == 20) keep(IndexKeeping::Where::cache, 8 * fs::file_size(index));
  }
  std::uint64_t sum = 0, most = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "isolume" / "frames")) {
    sum += entry.file_size();
    most = std::max<std::uint64_t>(most, entry.file_size());
  }
  EXPECT_LE(sum, 9 * most);
  EXPECT_FALSE(fs::exists(first));
}

TEST_P(KeptFrames, writers_at_the_same_time_leave_a_whole_index) {
  write(text(0, 60));
  const Molecule without = plain();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([this] {
      for (int k = 0; k < 20; ++k) {
        forget_frames();
        EXPECT_EQ(read_file(path_, limits_).frame_count(), format_ == "trr" ? 40u : 60u);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(known());
  expect_same(read(), without);
  for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "isolume" / "frames"))
    EXPECT_EQ(entry.path().extension(), ".frames");
}

TEST_P(KeptFrames, damaged_and_foreign_indices_are_made_again) {
  write(text(0, 60));
  const Molecule without = plain();
  read();
  const std::string index = index_path(path_), good = bytes_of_file(index);
  const auto replace = [&](const std::string& bytes) { std::ofstream(index, std::ios::binary) << bytes; };
  for (const std::string& bytes : {std::string(), std::string("isolume frames1\n"), good.substr(0, good.size() / 2),
                                   good + "x", std::string(999, 'x')}) {
    replace(bytes);
    EXPECT_FALSE(known());
    expect_same(read(), without);
    EXPECT_EQ(bytes_of_file(index), good);
  }
  // That of another file.
  const std::string own = path_;
  path_ = (folder_ / ("other." + format_)).string();
  write(text(7, 67));
  read();
  const std::string other = bytes_of_file(index_path(path_));
  path_ = own;
  replace(other);
  EXPECT_FALSE(known());
  expect_same(read(), without);
  fs::remove(index);
  fs::create_directory(index);
  expect_same(read(), without);
}

/// Mends the checksum, as damage does not.
std::string signed_again(std::string bytes) {
  if (bytes.size() < 8) return bytes;
  Checksum sum;
  sum.add(bytes.data(), bytes.size() - 8);
  for (int i = 0; i < 8; ++i)
    bytes[bytes.size() - 8 + static_cast<std::size_t>(i)] = static_cast<char>(sum.value() >> (8 * i));
  return bytes;
}

TEST_P(KeptFrames, no_bytes_of_an_index_give_a_wrong_frame) {
  write(text(0, 60));
  const Molecule without = plain();
  std::vector<std::vector<glm::vec3>> right;
  for (std::size_t i = 0; i < without.frame_count(); ++i) right.push_back(without.trajectory->frame(i).positions);
  read();
  const std::string index = index_path(path_), good = bytes_of_file(index);
  std::mt19937 random(21);
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = good;
    const bool mended = i % 2 == 0;
    for (unsigned k = 0; k <= random() % 3; ++k) {
      const std::size_t at = random() % bytes.size();
      if (random() % 4 == 0) {
        bytes.erase(at, 1 + random() % 5);
      } else {
        bytes[at] = static_cast<char>(random());
      }
      if (bytes.empty()) break;
    }
    if (bytes == good) continue;
    if (!mended) {  // as a disk damages it
      EXPECT_FALSE(index_of_bytes(bytes)) << i;
      continue;
    }
    // As somebody makes it on purpose: an error is allowed, a frame that is not in the file is not.
    std::ofstream(index, std::ios::binary) << signed_again(bytes);
    try {
      const Molecule molecule = read();
      for (std::size_t f = 0; f < molecule.frame_count(); ++f) {
        try {
          const auto positions = molecule.trajectory->frame(f).positions;
          ASSERT_NE(std::find(right.begin(), right.end(), positions), right.end()) << i << " frame " << f;
        } catch (const Error&) {
        }
      }
    } catch (const Error&) {
    }
    fs::remove(index);
  }
}

INSTANTIATE_TEST_SUITE_P(formats, KeptFrames, testing::Values("xtc", "trr", "xyz", "pdb"),
                         [](const auto& info) { return std::string(info.param); });

TEST(FrameIndexFile, keeps_all_that_it_is_given) {
  FrameIndexFile index{{std::uint64_t{1} << 45, -5, 77}, {}};
  index.frames = {"XTC", {{0, 1}, {std::uint64_t{1} << 41, 9}}, {{3, 12}}, {std::uint64_t{1} << 44, 12}, "a title", 9,
                  2};
  const auto found = index_of_bytes(index_bytes(index));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->of, index.of);
  EXPECT_EQ(found->frames.reader, "XTC");
  EXPECT_EQ(found->frames.title, "a title");
  ASSERT_EQ(found->frames.places.size(), 2u);
  EXPECT_EQ(found->frames.places[1].offset, std::uint64_t{1} << 41);
  EXPECT_EQ(found->frames.places[1].line, 9);
  EXPECT_EQ(found->frames.last.offset, std::uint64_t{1} << 44);
  EXPECT_EQ(found->frames.left_out.at(0).atoms, 12u);
  EXPECT_EQ(found->frames.atoms, 9u);
  EXPECT_EQ(found->frames.passed, 2u);
  index.frames.places[1].offset = 0;  // does not rise
  EXPECT_FALSE(index_of_bytes(index_bytes(index)));
}

}  // namespace
}  // namespace isolume
