// Files that another program cuts short while they are open: an error, never the end of the program.
#include "formats/bytes/mapped_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/topology.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

std::string temporary(const std::string& name) {
  return (fs::temp_directory_path() / (std::to_string(getpid()) + "." + name)).string();
}

TEST(MappedFile, AFileThatShrinksReadsAsZerosAndSaysSo) {
  const std::string path = temporary("isolume_shrinks");
  std::ofstream(path) << std::string(100'000, 'x');
  const auto source = ByteSource::open(path);
  EXPECT_EQ(source->text()[99'999], 'x');
  EXPECT_FALSE(source->shrunk());
  EXPECT_NO_THROW(source->check_whole());
  fs::resize_file(path, 10);
  EXPECT_EQ(source->text()[50'000], '\0');
  EXPECT_EQ(source->text()[90'000], '\0');
  EXPECT_TRUE(source->shrunk());
  EXPECT_THROW(source->check_whole(), Error);
  // Another file is not blamed for it, not even one that takes over the place.
  std::ofstream(path) << std::string(100'000, 'y');
  EXPECT_FALSE(ByteSource::open(path)->shrunk());
  fs::remove(path);
}

TEST(MappedFile, AFrameBeyondTheCutIsAnErrorThatSaysWhy) {
  TopologyBuilder builder;
  Atom atom;
  atom.name = "AR";
  atom.element = 18;
  Frame frame;
  for (int i = 0; i < 2000; ++i) {
    builder.add(atom, "AR", i, ' ', "A");
    frame.positions.emplace_back(i, 1, 2);
  }
  Molecule molecule;
  molecule.topology = std::make_shared<Topology>(builder.finish());
  const std::string path = temporary("isolume_shrinks.dcd");
  const auto writer = create_writer(path, molecule);
  for (int f = 0; f < 10; ++f) writer->add(frame);
  writer->finish();

  const Molecule read = read_file(path);
  ASSERT_EQ(read.frame_count(), 10u);
  EXPECT_EQ(read.trajectory->frame(9).positions[7].x, 7);
  fs::resize_file(path, fs::file_size(path) / 2);
  EXPECT_EQ(read.trajectory->frame(0).positions[7].x, 7);
  try {
    read.trajectory->frame(9);
    FAIL() << "a frame was read that is no longer there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_NE(std::string(error.what()).find("became shorter while it was open"), std::string::npos) << error.what();
  }
  fs::remove(path);
}

TEST(MappedFile, ManyFilesMoreThanAreWatchedStillOpen) {
  const std::string path = temporary("isolume_many");
  std::ofstream(path) << "hello\n";
  std::vector<std::shared_ptr<const ByteSource>> open;
  for (int i = 0; i < 4200; ++i) open.push_back(ByteSource::open(path));
  EXPECT_EQ(open.front()->text(), "hello\n");
  EXPECT_EQ(open.back()->text(), "hello\n");
  fs::remove(path);
}

}  // namespace
}  // namespace isolume
