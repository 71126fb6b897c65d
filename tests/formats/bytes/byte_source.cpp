// Bytes of files: mapping, gzip, limits.
#include "formats/bytes/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "molecule/base/error.h"

namespace isolume {
namespace {

std::string gzipped(const std::string& content) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / (name + "." + std::to_string(getpid()))).string();
}

TEST(ByteSource, maps_a_file) {
  const std::string path = temporary("isolume_bytes.txt");
  std::ofstream(path) << "hello\n";
  EXPECT_EQ(ByteSource::open(path)->text(), "hello\n");
  std::filesystem::remove(path);
}

TEST(ByteSource, empty_file_has_no_bytes) {
  const std::string path = temporary("isolume_empty");
  std::ofstream{path};
  EXPECT_TRUE(ByteSource::open(path)->bytes().empty());
  std::filesystem::remove(path);
}

TEST(ByteSource, base_name_is_lower_case_without_gz) {
  EXPECT_EQ(ByteSource::from_bytes("", "/a/b/1ABC.PDB.gz")->base_name(), "1abc.pdb");
  EXPECT_EQ(ByteSource::from_bytes("", "x.xyz")->base_name(), "x.xyz");
}

TEST(ByteSource, refuses_what_is_no_regular_file) {
  EXPECT_THROW(ByteSource::open("/nonexistent/file"), Error);
  EXPECT_THROW(ByteSource::open("/tmp"), Error);
  EXPECT_THROW(ByteSource::open("/dev/zero"), Error);
  const std::string path = temporary("isolume_fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(ByteSource::open(path), Error);  // and does not wait for a writer
  std::filesystem::remove(path);
}

TEST(ByteSource, refuses_what_is_too_large) {
  ReadLimits limits;
  limits.bytes_in = 3;
  EXPECT_THROW(ByteSource::from_bytes("1234", "x", limits), Error);
}

TEST(ByteSource, decompresses_members_one_after_another) {
  const std::string two = gzipped("first\n") + gzipped("second\n");
  EXPECT_EQ(ByteSource::from_bytes(two, "x.gz")->text(), "first\nsecond\n");
  EXPECT_EQ(ByteSource::from_bytes(two + std::string(512, '\0'), "x.gz")->text(), "first\nsecond\n");
  EXPECT_THROW(ByteSource::from_bytes(two + "junk", "x.gz"), Error);
}

TEST(ByteSource, gzip_cut_anywhere_is_an_error) {
  const std::string whole = gzipped("some text that is compressed, some text that is compressed\n");
  for (std::size_t length = 3; length < whole.size(); ++length) {
    EXPECT_THROW(ByteSource::from_bytes(whole.substr(0, length), "x.gz"), Error) << length;
  }
}

TEST(ByteSource, stops_bombs_by_ratio_and_by_size) {
  const std::string bomb = gzipped(std::string(std::size_t{32} << 20, 'a'));  // 1000:1
  EXPECT_THROW(ByteSource::from_bytes(bomb, "bomb.gz"), Error);
  ReadLimits limits;
  limits.ratio = 1e9;
  EXPECT_EQ(ByteSource::from_bytes(bomb, "bomb.gz", limits)->bytes().size(), std::size_t{32} << 20);
  limits.bytes_out = 1000;
  EXPECT_THROW(ByteSource::from_bytes(bomb, "bomb.gz", limits), Error);
}

}  // namespace
}  // namespace isolume
