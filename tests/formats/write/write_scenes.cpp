// Files for programs that make pictures: OpenVDB volumes walked node by node, X3D meshes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "formats/write/write.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

std::string written(const std::string& name, const std::function<void(const std::string&)>& write) {
  const fs::path path = fs::temp_directory_path() / ("isolume-scenes-" + std::to_string(getpid()) + name);
  write(path.string());
  std::ifstream file(path, std::ios::binary);
  std::string bytes{(std::istreambuf_iterator<char>(file)), {}};
  fs::remove(path);
  return bytes;
}

/// Reads what the format's own library reads, in its order (openvdb/io/Archive.cc, tree/*.h).
class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  T take() {
    T value{};
    if (at + sizeof(T) > bytes_.size()) throw std::runtime_error("beyond the end");
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    at += sizeof(T);
    return value;
  }
  std::string text() { return raw(take<std::uint32_t>()); }
  std::string raw(std::size_t size) {
    if (at + size > bytes_.size()) throw std::runtime_error("beyond the end");
    at += size;
    return bytes_.substr(at - size, size);
  }
  std::map<std::string, std::string> metadata() {
    std::map<std::string, std::string> all;
    for (auto n = take<std::uint32_t>(); n > 0; --n) {
      const std::string name = text();
      EXPECT_EQ(text(), "string");
      all[name] = text();
    }
    return all;
  }
  /// The numbers of the bits that are set.
  std::vector<int> mask(int bits) {
    std::vector<int> set;
    for (int word = 0; word < bits / 64; ++word) {
      for (auto rest = take<std::uint64_t>(); rest != 0; rest &= rest - 1) {
        set.push_back(64 * word + std::countr_zero(rest));
      }
    }
    return set;
  }
  std::size_t size() const { return bytes_.size(); }
  std::size_t at = 0;

 private:
  std::string bytes_;
};

glm::ivec3 place(int bit, int bits_an_axis) {
  const int side = 1 << bits_an_axis;
  return {bit >> (2 * bits_an_axis), bit >> bits_an_axis & (side - 1), bit & (side - 1)};
}

TEST(WriteVdb, has_every_value_at_its_place) {
  Volume volume;
  volume.name = "electrostatic potential";
  volume.unit = "V";
  volume.grid.origin = {1, -2, 3.5};
  volume.grid.step = glm::dmat3(glm::dvec3(0.5, 0.1, 0), glm::dvec3(0, 0.75, 0.2), glm::dvec3(0.1, 0, 1.25));
  for (const glm::ivec3 counts : {glm::ivec3(1, 1, 1), {8, 8, 8}, {13, 9, 21}, {130, 3, 5}, {2, 129, 17}}) {
    volume.grid.counts = counts;
    volume.values.clear();
    for (std::size_t i = 0; i < volume.grid.size(); ++i) volume.values.push_back(0.25f * static_cast<float>(i) - 7);
    Reader file(written(".vdb", [&](const std::string& path) { write_volume(path, volume, nullptr, 0, "by a test"); }));
    EXPECT_EQ(file.take<std::int64_t>(), 0x56444220);
    EXPECT_EQ(file.take<std::uint32_t>(), 224u);
    file.take<std::uint64_t>();  // version of the library
    EXPECT_EQ(file.take<std::uint8_t>(), 1);
    EXPECT_EQ(file.raw(36)[8], '-');
    EXPECT_EQ(file.metadata()["creator"], "by a test");
    ASSERT_EQ(file.take<std::int32_t>(), 1);
    EXPECT_EQ(file.text(), "electrostatic_potential");
    EXPECT_EQ(file.text(), "Tree_float_5_4_3");
    EXPECT_EQ(file.text(), "");
    const auto grid_at = file.take<std::int64_t>();
    const auto values_at = file.take<std::int64_t>();
    const auto end = file.take<std::int64_t>();
    EXPECT_EQ(grid_at, static_cast<std::int64_t>(file.at));
    EXPECT_EQ(end, static_cast<std::int64_t>(file.size()));
    EXPECT_EQ(file.take<std::uint32_t>(), 2u);
    EXPECT_EQ(file.metadata()["unit"], "V");
    EXPECT_EQ(file.text(), "AffineMap");
    for (int row = 0; row < 4; ++row) {
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(file.take<double>(), row < 3 ? volume.grid.step[row][c] : volume.grid.origin[c]);
      }
      EXPECT_EQ(file.take<double>(), row < 3 ? 0 : 1);
    }
    EXPECT_EQ(file.take<std::uint32_t>(), 1u);
    EXPECT_EQ(file.take<float>(), 0);
    EXPECT_EQ(file.take<std::uint32_t>(), 0u);
    std::vector<glm::ivec3> leaves;
    std::vector<std::vector<int>> active;
    for (auto n = file.take<std::uint32_t>(); n > 0; --n) {
      glm::ivec3 origin;
      for (int c = 0; c < 3; ++c) origin[c] = file.take<std::int32_t>();
      const std::vector<int> lower = file.mask(32 * 32 * 32);
      EXPECT_TRUE(file.mask(32 * 32 * 32).empty());
      EXPECT_EQ(file.take<std::uint8_t>(), 0);
      for (const int child : lower) {
        const glm::ivec3 first = origin + 128 * place(child, 5);
        const std::vector<int> below = file.mask(16 * 16 * 16);
        EXPECT_TRUE(file.mask(16 * 16 * 16).empty());
        EXPECT_EQ(file.take<std::uint8_t>(), 0);
        for (const int leaf : below) {
          leaves.push_back(first + 8 * place(leaf, 4));
          active.push_back(file.mask(512));
        }
      }
    }
    ASSERT_EQ(file.at, static_cast<std::size_t>(values_at));
    std::vector<int> seen(volume.grid.size(), 0);
    for (std::size_t n = 0; n < leaves.size(); ++n) {
      ASSERT_EQ(file.mask(512), active[n]);
      EXPECT_EQ(file.take<std::uint8_t>(), 0);
      for (const int bit : active[n]) {
        const glm::ivec3 p = leaves[n] + place(bit, 3);
        ASSERT_TRUE(glm::all(glm::lessThan(p, counts)));
        const std::size_t i = volume.grid.index(p.x, p.y, p.z);
        ASSERT_EQ(file.take<float>(), volume.values[i]);
        ++seen[i];
      }
    }
    EXPECT_EQ(file.at, file.size());
    EXPECT_EQ(seen, std::vector<int>(volume.grid.size(), 1));
  }
}

TEST(WriteX3d, has_triangles_colours_and_how_it_was_made) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0.5f}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.colours = {{255, 0, 0, 255}, {0, 51, 0, 255}, {0, 0, 255, 255}};
  mesh.triangles = {{0, 1, 2}};
  const std::string text = written(
      ".x3d", [&](const std::string& path) { write_mesh(path, mesh, "a & b", R"({"command":"isolume <x>"})"); });
  EXPECT_NE(text.find("index=\"0 1 2\n\""), std::string::npos);
  EXPECT_NE(text.find("point=\"0 0 0\n2 0 0\n2 3 0.5\n\""), std::string::npos);
  EXPECT_NE(text.find("vector=\"0 0 1\n0 0 1\n0 0 1\n\""), std::string::npos);
  EXPECT_NE(text.find("color=\"1 0 0\n0 0.2 0\n0 0 1\n\""), std::string::npos);
  EXPECT_NE(text.find("content=\"a &amp; b\""), std::string::npos);
  EXPECT_NE(text.find("{&quot;command&quot;:&quot;isolume &lt;x&gt;&quot;}"), std::string::npos);
  EXPECT_EQ(text.find("<X3D"), text.find("\n") + 1);
}

}  // namespace
}  // namespace isolume
