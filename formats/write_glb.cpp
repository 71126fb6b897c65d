// Writing meshes as binary glTF 2.0.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "formats/writers.h"
#include "molecule/error.h"

namespace isolume {
namespace {

/// glTF's vertex colours are linear; ours are what is seen (sRGB, IEC 61966-2-1). 16 bits keep the dark ones apart.
std::uint16_t linear(std::uint8_t seen) {
  const double s = seen / 255.0;
  const double value = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  return static_cast<std::uint16_t>(std::lround(value * 65535));
}

std::string vector_text(glm::vec3 v) {
  return fmt::format("[{},{},{}]", v.x, v.y, v.z);
}

/// The views, accessors and attributes of the one primitive, collected side by side.
struct Layout {
  std::string views, accessors, attributes;
  std::size_t bytes = 0;
  int count = 0;

  int add(std::size_t size, int target, const std::string& accessor) {
    const char* comma = count == 0 ? "" : ",";
    views +=
        fmt::format("{}{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{},\"target\":{}}}", comma, bytes, size, target);
    accessors += fmt::format("{}{{\"bufferView\":{},{}}}", comma, count, accessor);
    bytes += size;
    return count++;
  }
};

}  // namespace

void write_glb(std::ostream& out, const Mesh& mesh, const std::string& comment) {
  constexpr int array_buffer = 34962, element_buffer = 34963, type_float = 5126, type_ushort = 5123, type_uint = 5125;
  const std::size_t n = mesh.positions.size();
  if (n == 0 || mesh.triangles.empty()) throw Error("glTF cannot hold an empty mesh", Error::Kind::usage);
  glm::vec3 low = mesh.positions[0], high = low;
  for (const glm::vec3 p : mesh.positions) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  bool transparent = false;
  for (const glm::u8vec4 c : mesh.colours) transparent = transparent || c.a < 255;

  Layout layout;
  const int position =
      layout.add(12 * n, array_buffer,
                 fmt::format("\"componentType\":{},\"count\":{},\"type\":\"VEC3\",\"min\":{},\"max\":{}", type_float, n,
                             vector_text(low), vector_text(high)));
  layout.attributes = fmt::format("\"POSITION\":{}", position);
  if (!mesh.normals.empty()) {
    const int normal = layout.add(12 * n, array_buffer,
                                  fmt::format("\"componentType\":{},\"count\":{},\"type\":\"VEC3\"", type_float, n));
    layout.attributes += fmt::format(",\"NORMAL\":{}", normal);
  }
  if (!mesh.colours.empty()) {
    const int colour = layout.add(
        8 * n, array_buffer,
        fmt::format("\"componentType\":{},\"normalized\":true,\"count\":{},\"type\":\"VEC4\"", type_ushort, n));
    layout.attributes += fmt::format(",\"COLOR_0\":{}", colour);
  }
  const int indices = layout.add(
      12 * mesh.triangles.size(), element_buffer,
      fmt::format("\"componentType\":{},\"count\":{},\"type\":\"SCALAR\"", type_uint, 3 * mesh.triangles.size()));

  std::string note;
  for (const char c : one_line(comment, 200)) {
    if (c == '"' || c == '\\') note += '\\';
    note += c;
  }
  std::string json = fmt::format(
      "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"Isolume\",\"extras\":{{\"comment\":\"{}\",\"unit\":"
      "\"angstrom\"}}}},"
      "\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"mesh\":0}}],"
      "\"meshes\":[{{\"primitives\":[{{\"attributes\":{{{}}},\"indices\":{},\"material\":0}}]}}],"
      "\"materials\":[{{\"pbrMetallicRoughness\":{{\"metallicFactor\":0,\"roughnessFactor\":0.6}},\"doubleSided\":true{"
      "}}}],"
      "\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{}]}}",
      note, layout.attributes, indices, transparent ? ",\"alphaMode\":\"BLEND\"" : "", layout.bytes, layout.views,
      layout.accessors);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const std::uint64_t total = 12 + 8 + json.size() + 8 + layout.bytes;
  if (total > 0xffffffffu) throw Error("glTF cannot hold a mesh of more than 4 GiB", Error::Kind::usage);

  const auto word = [&](std::uint64_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    out.write(reinterpret_cast<const char*>(&bits), 4);
  };
  const auto raw = [&](const void* data, std::size_t size) {
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  };
  word(0x46546C67);  // "glTF"
  word(2);
  word(total);
  word(json.size());
  word(0x4E4F534A);  // "JSON"
  raw(json.data(), json.size());
  word(layout.bytes);
  word(0x004E4942);  // "BIN"
  raw(mesh.positions.data(), 12 * n);
  raw(mesh.normals.data(), 12 * mesh.normals.size());
  for (const glm::u8vec4 c : mesh.colours) {
    const glm::u16vec4 wide(linear(c.r), linear(c.g), linear(c.b), c.a * 257);
    raw(&wide, 8);
  }
  raw(mesh.triangles.data(), 12 * mesh.triangles.size());
}

}  // namespace isolume
