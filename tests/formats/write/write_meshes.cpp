// Meshes as PLY, OBJ, STL and glTF: what is in the files.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/write/write.h"
#include "formats/write/write_glb.h"
#include "molecule/base/error.h"
#include "tests/formats/write/fixture.h"

namespace isolume {
namespace {

using test::bytes_of;

class WriteMeshes : public test::WrittenFiles {};

/// A square of two triangles with normals and colours.
Mesh sample_mesh() {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0.5f}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.colours = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 128}, {188, 188, 188, 255}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

TEST_F(WriteMeshes, ply_has_its_vertices_and_faces) {
  write_mesh(path("a.ply"), sample_mesh(), "by a test");
  const std::string bytes = bytes_of(path("a.ply"));
  const std::size_t start = bytes.find("end_header\n") + 11;
  EXPECT_NE(bytes.find("element vertex 4\n"), std::string::npos);
  EXPECT_NE(bytes.find("comment by a test\n"), std::string::npos);
  ASSERT_EQ(bytes.size(), start + 4 * (24 + 4) + 2 * 13);
  EXPECT_EQ(at<float>(bytes, start + 3 * 28 + 8), 0.5f);
  EXPECT_EQ(at<std::uint8_t>(bytes, start + 2 * 28 + 27), 128);
  EXPECT_EQ(at<std::uint8_t>(bytes, start + 4 * 28), 3);
  EXPECT_EQ(at<std::int32_t>(bytes, start + 4 * 28 + 13 + 9), 3);
}

TEST_F(WriteMeshes, ply_names_its_scalars) {
  Mesh mesh = sample_mesh();
  mesh.scalars = {{"mean curvature", "1/angstrom", {0, 1, 2, 3}}, {"potential", "V", {4, 5, 6, -7}}};
  write_mesh(path("a.ply"), mesh, "by a test", R"({"command": "isolume"})");
  const std::string bytes = bytes_of(path("a.ply"));
  const std::size_t start = bytes.find("end_header\n") + 11;
  EXPECT_NE(bytes.find("property float mean_curvature\nproperty float potential\nelement face"), std::string::npos);
  EXPECT_NE(bytes.find("comment potential is in V\n"), std::string::npos);
  EXPECT_NE(bytes.find("comment made {\"command\": \"isolume\"}\n"), std::string::npos);
  ASSERT_EQ(bytes.size(), start + 4 * 36 + 2 * 13);
  EXPECT_EQ(at<float>(bytes, start + 3 * 36 + 32), -7.0f);
  mesh.scalars[1].values.pop_back();
  EXPECT_THROW(write_mesh(path("b.ply"), mesh), Error);
}

TEST_F(WriteMeshes, obj_has_its_colours_in_materials) {
  Mesh mesh = sample_mesh();
  mesh.colours = {{255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}, {0, 0, 255, 255}};
  write_mesh(path("a.obj"), mesh);
  const std::string obj = bytes_of(path("a.obj")), mtl = bytes_of(path("a.mtl"));
  EXPECT_NE(obj.find("mtllib a.mtl\n"), std::string::npos);
  // The first triangle is red; the second two thirds red and a third blue: levels 10 and 5 of 15.
  EXPECT_NE(obj.find("usemtl colour_f00\nf 1//1 2//2 3//3\n"), std::string::npos);
  EXPECT_NE(obj.find("usemtl colour_a05\nf 1//1 3//3 4//4\n"), std::string::npos);
  EXPECT_NE(mtl.find("newmtl colour_f00\nKd 1.0000 0.0000 0.0000\n"), std::string::npos);
  EXPECT_NE(mtl.find("newmtl colour_a05\nKd 0.6667 0.0000 0.3333\n"), std::string::npos);
}

TEST_F(WriteMeshes, stl_and_obj_have_their_faces) {
  write_mesh(path("a.stl"), sample_mesh());
  const std::string stl = bytes_of(path("a.stl"));
  ASSERT_EQ(stl.size(), 84u + 2 * 50);
  EXPECT_EQ(at<std::uint32_t>(stl, 80), 2u);
  EXPECT_EQ(at<float>(stl, 84 + 8), 1.0f);  // normal of the first triangle
  EXPECT_NE(stl.substr(0, 5), "solid");
  write_mesh(path("a.obj"), sample_mesh());
  const std::string obj = bytes_of(path("a.obj"));
  EXPECT_NE(obj.find("v 0 3 0.5 0.7373 0.7373 0.7373\n"), std::string::npos);
  EXPECT_NE(obj.find("f 1//1 3//3 4//4\n"), std::string::npos);
}

TEST_F(WriteMeshes, glb_follows_the_specification) {
  write_mesh(path("a.glb"), sample_mesh(), "a \"quoted\" comment");
  const std::string bytes = bytes_of(path("a.glb"));
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(at<std::uint32_t>(bytes, 8), bytes.size());
  const std::size_t length = at<std::uint32_t>(bytes, 12);
  EXPECT_EQ(length % 4, 0u);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  EXPECT_EQ(json["asset"]["version"], "2.0");
  EXPECT_EQ(json["materials"][0]["alphaMode"], "BLEND");
  const auto& primitive = json["meshes"][0]["primitives"][0];
  const std::size_t start = 20 + length + 8;
  ASSERT_EQ(json["buffers"][0]["byteLength"], bytes.size() - start);
  const auto& position = json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
  EXPECT_EQ(position["max"], (std::vector<float>{2, 3, 0.5f}));
  EXPECT_EQ(position["count"], 4);
  const auto& colour = json["bufferViews"][primitive["attributes"]["COLOR_0"].get<std::size_t>()];
  const std::size_t offset = start + colour["byteOffset"].get<std::size_t>();
  EXPECT_EQ(at<std::uint16_t>(bytes, offset), 65535);
  // sRGB 188 is 0.5028865 of full light.
  EXPECT_NEAR(at<std::uint16_t>(bytes, offset + 3 * 8) / 65535.0, 0.5028865, 2e-5);
  const auto& indices = json["accessors"][primitive["indices"].get<std::size_t>()];
  EXPECT_EQ(indices["count"], 6);
  const auto& view = json["bufferViews"][indices["bufferView"].get<std::size_t>()];
  EXPECT_EQ(at<std::uint32_t>(bytes, start + view["byteOffset"].get<std::size_t>() + 20), 3u);
}

TEST_F(WriteMeshes, glb_has_scalars_as_attributes_and_its_axes) {
  Mesh mesh = sample_mesh();
  mesh.scalars = {{"potential", "V", {0.25f, 1, 2, 3}}};
  write_mesh(path("a.glb"), mesh, "by a test", R"({"command":"isolume"})");
  const std::string bytes = bytes_of(path("a.glb"));
  const std::size_t length = at<std::uint32_t>(bytes, 12);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  EXPECT_EQ(json["asset"]["extras"]["made"]["command"], "isolume");
  EXPECT_EQ(json["meshes"][0]["extras"]["_POTENTIAL"]["unit"], "V");
  const std::size_t which = json["meshes"][0]["primitives"][0]["attributes"]["_POTENTIAL"];
  EXPECT_EQ(json["accessors"][which]["type"], "SCALAR");
  const std::size_t offset = 20 + length + 8 + json["bufferViews"][which]["byteOffset"].get<std::size_t>();
  EXPECT_EQ(at<float>(bytes, offset), 0.25f);
  // Up in the file, z, is up in glTF, y, and an angstrom is a tenth of a metre: q v q* with q = (x, y, z, w).
  const auto q = json["nodes"][0]["rotation"].get<std::vector<double>>();
  const glm::dquat turn(q[3], q[0], q[1], q[2]);
  const glm::dvec3 up = turn * glm::dvec3(0, 0, 1);
  EXPECT_NEAR(glm::length(up - glm::dvec3(0, 1, 0)), 0, 1e-6);
  EXPECT_EQ(json["nodes"][0]["scale"], (std::vector<double>{0.1, 0.1, 0.1}));
}

TEST_F(WriteMeshes, glb_shows_frames_in_turn) {
  GlbBuilder builder;
  for (const double time : {0.0, 0.5, 1.5}) {
    Mesh mesh = sample_mesh();
    mesh.positions[0].z = static_cast<float>(time);
    builder.add(mesh, time);
  }
  std::ostringstream out;
  builder.write(out, "by a test", {});
  const std::string bytes = out.str();
  const std::size_t length = at<std::uint32_t>(bytes, 12);
  const auto json = nlohmann::json::parse(bytes.substr(20, length));
  ASSERT_EQ(json["meshes"].size(), 3u);
  ASSERT_EQ(json["nodes"].size(), 4u);
  EXPECT_EQ(json["nodes"][0]["children"], (std::vector<int>{1, 2, 3}));
  const auto& animation = json["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 3u);
  const auto numbers = [&](std::size_t accessor, std::size_t count) {
    const std::size_t offset = 20 + length + 8 + json["bufferViews"][accessor]["byteOffset"].get<std::size_t>();
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(at<float>(bytes, offset + 4 * i));
    return values;
  };
  // The second: hidden from 0, shown from 0.5, hidden from 1.5.
  const auto& sampler = animation["samplers"][1];
  EXPECT_EQ(sampler["interpolation"], "STEP");
  EXPECT_EQ(animation["channels"][1]["target"]["node"], 2);
  EXPECT_EQ(numbers(sampler["input"], 3), (std::vector<float>{0, 0.5f, 1.5f}));
  EXPECT_EQ(numbers(sampler["output"], 9), (std::vector<float>{0, 0, 0, 1, 1, 1, 0, 0, 0}));
}

}  // namespace
}  // namespace isolume
