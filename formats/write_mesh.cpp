// Writing meshes as PLY, OBJ and STL.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

#include "formats/writers.h"
#include "molecule/error.h"

namespace isolume {
namespace {

static_assert(std::endian::native == std::endian::little, "binary formats are written as this machine has them");

/// Bytes that go to the stream in large pieces.
class Bytes {
 public:
  explicit Bytes(std::ostream& out) : out_(out) {}
  template <class T>
  void add(const T& value) {
    buffer_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    if (buffer_.size() > (std::size_t{1} << 16)) flush();
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  std::ostream& out_;
  std::string buffer_;
};

void send(std::ostream& out, std::string& text, std::size_t limit) {
  if (text.size() < limit) return;
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  text.clear();
}

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
  Bytes bytes(out);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    bytes.add(mesh.positions[i]);
    if (normals) bytes.add(mesh.normals[i]);
    if (colours) bytes.add(mesh.colours[i]);
    for (const MeshScalar& scalar : mesh.scalars) bytes.add(scalar.values[i]);
  }
  for (const glm::uvec3 t : mesh.triangles) {
    bytes.add(std::uint8_t{3});
    bytes.add(t);
  }
  bytes.flush();
}

void write_mtl(std::ostream& out, const Mesh& mesh, const std::string& comment) {
  std::string text = "# " + one_line(comment, 200) + "\n";
  for (const auto& [key, faces] : faces_by_colour(mesh)) {
    const glm::vec3 c = glm::vec3(key >> 8, (key >> 4) & 15, key & 15) / 15.0f;
    fmt::format_to(std::back_inserter(text), "newmtl {}\nKd {:.4f} {:.4f} {:.4f}\nillum 1\n", material_name(key), c.r,
                   c.g, c.b);
  }
  send(out, text, 0);
}

void write_obj(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made,
               const std::string& materials) {
  const bool normals = !mesh.normals.empty(), colours = !mesh.colours.empty();
  std::string text;
  if (!comment.empty()) text += "# " + one_line(comment, 200) + "\n";
  if (!made.empty()) text += "# made " + one_line(made, longest_made) + "\n";
  if (!materials.empty()) text += "mtllib " + materials + "\n";
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const glm::vec3 p = mesh.positions[i];
    fmt::format_to(std::back_inserter(text), "v {} {} {}", p.x, p.y, p.z);
    if (colours) {
      const glm::vec3 c = glm::vec3(mesh.colours[i]) / 255.0f;
      fmt::format_to(std::back_inserter(text), " {:.4f} {:.4f} {:.4f}", c.r, c.g, c.b);
    }
    text += '\n';
    send(out, text, std::size_t{1} << 16);
  }
  for (const glm::vec3 n : mesh.normals) {
    fmt::format_to(std::back_inserter(text), "vn {} {} {}\n", n.x, n.y, n.z);
    send(out, text, std::size_t{1} << 16);
  }
  const auto face = [&](const glm::uvec3 t) {
    const glm::uvec3 f = t + 1u;
    if (normals) {
      fmt::format_to(std::back_inserter(text), "f {0}//{0} {1}//{1} {2}//{2}\n", f.x, f.y, f.z);
    } else {
      fmt::format_to(std::back_inserter(text), "f {} {} {}\n", f.x, f.y, f.z);
    }
    send(out, text, std::size_t{1} << 16);
  };
  if (materials.empty()) {
    for (const glm::uvec3 t : mesh.triangles) face(t);
  } else {
    for (const auto& [key, faces] : faces_by_colour(mesh)) {
      text += "usemtl " + material_name(key) + "\n";
      for (const std::uint32_t i : faces) face(mesh.triangles[i]);
    }
  }
  send(out, text, 0);
}

void write_stl(std::ostream& out, const Mesh& mesh, const std::string& comment) {
  if (mesh.triangles.size() > 0xffffffffu) throw Error("STL cannot hold so many triangles", Error::Kind::usage);
  std::array<char, 80> head{};
  // A header that begins with "solid" would make readers take the file for text.
  const std::string line = one_line("Isolume: " + comment, 79);
  std::copy(line.begin(), line.end(), head.begin());
  out.write(head.data(), 80);
  Bytes bytes(out);
  bytes.add(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const glm::uvec3 t : mesh.triangles) {
    const glm::vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
    const glm::vec3 cross = glm::cross(b - a, c - a);
    const float length = glm::length(cross);
    bytes.add(length > 0 ? cross / length : glm::vec3(0));
    bytes.add(a);
    bytes.add(b);
    bytes.add(c);
    bytes.add(std::uint16_t{0});
  }
  bytes.flush();
}

}  // namespace isolume
