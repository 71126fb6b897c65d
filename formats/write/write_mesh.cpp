// Writing meshes as PLY, OBJ and STL.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

#include "formats/write/buffered_output.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats are written as this machine has them");

constexpr std::size_t longest_made = 20'000;

/// Triangles by the mean colour of their corners, in 16 levels a channel: OBJ has one material a face. (Exact colours
/// stand at its vertices, where many programs read them.)
std::map<std::uint32_t, std::vector<std::uint32_t>> faces_by_colour(const Mesh& mesh) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    glm::uvec3 sum(0);
    for (int corner = 0; corner < 3; ++corner) sum += glm::uvec3(glm::u8vec3(mesh.colours[mesh.triangles[i][corner]]));
    const glm::uvec3 level = (sum * 15u + 382u) / 765u;
    groups[level.x << 8 | level.y << 4 | level.z].push_back(i);
  }
  return groups;
}

std::string material_name(std::uint32_t key) {
  return fmt::format("colour_{:03x}", key);
}

}  // namespace

void write_ply(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made) {
  const bool normals = !mesh.normals.empty(), colours = !mesh.colours.empty();
  std::string head = "ply\nformat binary_little_endian 1.0\n";
  if (!comment.empty()) head += "comment " + one_line(comment, 200) + "\n";
  if (!made.empty()) head += "comment made " + one_line(made, longest_made) + "\n";
  for (const MeshScalar& scalar : mesh.scalars)
    if (!scalar.unit.empty())
      head += "comment " + plain_word(scalar.name) + " is in " + one_line(scalar.unit, 80) + "\n";
  head +=
      fmt::format("element vertex {}\nproperty float x\nproperty float y\nproperty float z\n", mesh.positions.size());
  if (normals) head += "property float nx\nproperty float ny\nproperty float nz\n";
  if (colours) {
    head += "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n";
  }
  for (const MeshScalar& scalar : mesh.scalars) head += "property float " + plain_word(scalar.name) + "\n";
  head += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.triangles.size());
  out.write(head.data(), static_cast<std::streamsize>(head.size()));
  BufferedOutput bytes(out);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    bytes.add_value(mesh.positions[i]);
    if (normals) bytes.add_value(mesh.normals[i]);
    if (colours) bytes.add_value(mesh.colours[i]);
    for (const MeshScalar& scalar : mesh.scalars) bytes.add_value(scalar.values[i]);
  }
  for (const glm::uvec3 t : mesh.triangles) {
    bytes.add_value(std::uint8_t{3});
    bytes.add_value(t);
  }
  bytes.flush();
}

void write_mtl(std::ostream& out, const Mesh& mesh, const std::string& comment) {
  BufferedOutput text(out);
  text.add("# {}\n", one_line(comment, 200));
  for (const auto& [key, faces] : faces_by_colour(mesh)) {
    const glm::vec3 c = glm::vec3(key >> 8, (key >> 4) & 15, key & 15) / 15.0f;
    text.add("newmtl {}\nKd {:.4f} {:.4f} {:.4f}\nillum 1\n", material_name(key), c.r, c.g, c.b);
  }
  text.flush();
}

void write_obj(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made,
               const std::string& materials) {
  const bool normals = !mesh.normals.empty(), colours = !mesh.colours.empty();
  BufferedOutput text(out);
  if (!comment.empty()) text.add("# {}\n", one_line(comment, 200));
  if (!made.empty()) text.add("# made {}\n", one_line(made, longest_made));
  if (!materials.empty()) text.add("mtllib {}\n", materials);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const glm::vec3 p = mesh.positions[i];
    text.add("v {} {} {}", p.x, p.y, p.z);
    if (colours) {
      const glm::vec3 c = glm::vec3(mesh.colours[i]) / 255.0f;
      text.add(" {:.4f} {:.4f} {:.4f}", c.r, c.g, c.b);
    }
    text.add_text("\n");
  }
  for (const glm::vec3 n : mesh.normals) {
    text.add("vn {} {} {}\n", n.x, n.y, n.z);
  }
  const auto face = [&](const glm::uvec3 t) {
    const glm::uvec3 f = t + 1u;
    if (normals) {
      text.add("f {0}//{0} {1}//{1} {2}//{2}\n", f.x, f.y, f.z);
    } else {
      text.add("f {} {} {}\n", f.x, f.y, f.z);
    }
  };
  if (materials.empty()) {
    for (const glm::uvec3 t : mesh.triangles) face(t);
  } else {
    for (const auto& [key, faces] : faces_by_colour(mesh)) {
      text.add("usemtl {}\n", material_name(key));
      for (const std::uint32_t i : faces) face(mesh.triangles[i]);
    }
  }
  text.flush();
}

void write_stl(std::ostream& out, const Mesh& mesh, const std::string& comment) {
  if (mesh.triangles.size() > 0xffffffffu) throw Error("too many triangles for STL", Error::Kind::usage);
  std::array<char, 80> head{};
  // A header that begins with "solid" would make readers take the file for text.
  const std::string line = one_line("Isolume: " + comment, 79);
  std::copy(line.begin(), line.end(), head.begin());
  out.write(head.data(), 80);
  BufferedOutput bytes(out);
  bytes.add_value(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const glm::uvec3 t : mesh.triangles) {
    const glm::vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
    const glm::vec3 cross = glm::cross(b - a, c - a);
    const float length = glm::length(cross);
    bytes.add_value(length > 0 ? cross / length : glm::vec3(0));
    bytes.add_value(a);
    bytes.add_value(b);
    bytes.add_value(c);
    bytes.add_value(std::uint16_t{0});
  }
  bytes.flush();
}

}  // namespace isolume
