// Small files that were read before: the same molecule where the bytes are the same, else read again.
#include "formats/kept_files.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Keeping is of the whole process: off again after each test. Files are in a folder of their own.
class KeptFiles : public testing::Test {
 protected:
  KeptFiles() : folder_(std::filesystem::temp_directory_path() / ("isolume-kept-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    keep_read_files(true);
  }
  ~KeptFiles() override {
    keep_read_files(false);
    std::filesystem::remove_all(folder_);
  }
  std::string file(const std::string& name) const { return folder_ / name; }
  /// Writes in place: the same inode, as an editor or a program that rewrites its output may.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary | std::ios::trunc) << text;
    return file(name);
  }
  static float x_of(const Molecule& molecule) { return molecule.trajectory->frame(0).positions[0].x; }

 private:
  std::filesystem::path folder_;
};

TEST_F(KeptFiles, the_same_bytes_are_not_read_again) {
  const std::string path = write("a.xyz", "1\n\nO 1.0 0 0\n");
  const Molecule first = read_file(path), second = read_file(path);
  EXPECT_EQ(first.topology, second.topology) << "one and the same";
  EXPECT_EQ(second.paths, std::vector<std::string>{path});
  keep_read_files(false);
  keep_read_files(true);
  EXPECT_NE(read_file(path).topology, first.topology) << "off forgets";
}

TEST_F(KeptFiles, one_other_byte_is_read_whatever_its_age) {
  const std::string path = write("a.xyz", "1\n\nO 1.0 0 0\n");
  const Molecule first = read_file(path);
  const auto age = std::filesystem::last_write_time(path);
  write("a.xyz", "1\n\nO 2.0 0 0\n");
  std::filesystem::last_write_time(path, age);
  EXPECT_FLOAT_EQ(x_of(read_file(path)), 2);
  EXPECT_FLOAT_EQ(x_of(first), 1) << "what was read stays as it was";
  write("a.xyz", "no molecule");
  EXPECT_THROW(read_file(path), Error);
  write("a.xyz", "1\n\nO 2.0 0 0\n");
  EXPECT_FLOAT_EQ(x_of(read_file(path)), 2);
}

TEST_F(KeptFiles, the_name_and_the_limits_count_too) {
  // Columns of PDB whose last numbers may be occupancy and B factor or charge and radius: the name says.
  const std::string line = "ATOM      1  N   ALA A   1       1.000   2.000   3.000  0.50  1.50\n";
  EXPECT_EQ(read_file(write("x.pdb", line)).format, "PDB");
  EXPECT_EQ(read_file(write("x.pqr", line)).format, "PQR");
  ReadLimits none;
  none.atoms = 0;
  EXPECT_THROW(read_file(file("x.pdb"), none), Error);
}

TEST_F(KeptFiles, four_are_kept) {
  std::vector<Molecule> before;
  const auto name = [](std::size_t i) { return std::to_string(i) + ".xyz"; };
  for (std::size_t i = 0; i < 5; ++i) {
    before.push_back(read_file(write(name(i), "1\n\nO " + std::to_string(i) + " 0 0\n")));
    EXPECT_EQ(read_file(file(name(0))).topology, before[0].topology) << "asked for all the time";
  }
  EXPECT_EQ(read_file(file(name(4))).topology, before[4].topology);
  EXPECT_NE(read_file(file(name(1))).topology, before[1].topology) << "asked for the longest ago";
}

TEST_F(KeptFiles, what_includes_other_files_is_not) {
  const auto charge_of = [](const Molecule& molecule) { return molecule.topology->atoms[0].charge; };
  const auto include = [&](const std::string& charge) {
    write("ion.itp", "[ moleculetype ]\nNA 1\n[ atoms ]\n1 Na 1 NA NA 1 " + charge + " 22.99\n");
  };
  const std::string path = write("a.top",
                                 "[ defaults ]\n1 2 yes 0.5 0.8333\n[ atomtypes ]\nNa 11 22.99 0 A 0.24 0.37\n"
                                 "#include \"ion.itp\"\n[ system ]\nx\n[ molecules ]\nNA 1\n");
  include("1.0");
  EXPECT_FLOAT_EQ(charge_of(read_file(path)), 1);
  include("0.8");
  EXPECT_FLOAT_EQ(charge_of(read_file(path)), 0.8F);
}

TEST_F(KeptFiles, the_content_of_a_gzip_file_is_kept_while_its_bytes_are_the_same) {
  const auto pack = [this](const std::string& text, const std::string& name = "a.xyz.gz") {
    const gzFile packed = gzopen(file(name).c_str(), "wb");
    EXPECT_EQ(gzwrite(packed, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    EXPECT_EQ(gzclose(packed), Z_OK);
    return file(name);
  };
  const std::string path = pack("1\n\nO 1.0 0 0\n");
  const auto first = ByteSource::open(path);
  EXPECT_EQ(ByteSource::open(path), first) << "one and the same";
  EXPECT_EQ(read_file(path).topology, read_file(path).topology);
  pack("1\n\nO 2.0 0 0\n");
  EXPECT_EQ(ByteSource::open(path)->text(), "1\n\nO 2.0 0 0\n");
  EXPECT_EQ(first->text(), "1\n\nO 1.0 0 0\n") << "what was read stays as it was";
  EXPECT_FLOAT_EQ(x_of(read_file(path)), 2);
  ReadLimits few;
  few.bytes_out = 5;
  EXPECT_THROW(ByteSource::open(path, few), Error) << "the limits count too";
  keep_read_files(false);
  EXPECT_NE(ByteSource::open(path), ByteSource::open(path));
  keep_read_files(true);
  const std::string large = pack(std::string((std::size_t{4} << 20) + 1, 'x'), "large.xyz.gz");
  EXPECT_NE(ByteSource::open(large), ByteSource::open(large));
}

TEST_F(KeptFiles, large_ones_are_not) {
  const std::string path = write("a.xyz", "1\n" + std::string(100, 'x') + "\nO 0 0 0\n");
  EXPECT_EQ(read_file(path).topology, read_file(path).topology);
  std::string many;
  for (int i = 0; i < 50'000; ++i) many += "1\n" + std::string(90, 'x') + "\nO 0 0 0\n";
  ASSERT_GT(many.size(), std::size_t{4} << 20);
  write("a.xyz", many);
  EXPECT_NE(read_file(path).topology, read_file(path).topology);
}

}  // namespace
}  // namespace isolume
