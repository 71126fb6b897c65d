// Writing meshes as binary glTF 2.0: one, or one for each frame with an animation that shows them in turn.
#include "formats/write/write_glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "formats/write/writers.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int array_buffer = 34962, element_buffer = 34963, no_target = 0;
constexpr int type_float = 5126, type_ushort = 5123, type_uint = 5125;

/// glTF's vertex colours are linear; ours are what is seen (sRGB, IEC 61966-2-1). 16 bits keep the dark ones apart.
std::uint16_t linear(std::uint8_t seen) {
  const double s = seen / 255.0;
  const double value = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  return static_cast<std::uint16_t>(std::lround(value * 65535));
}

std::string vector_text(glm::vec3 v) {
  return fmt::format("[{},{},{}]", v.x, v.y, v.z);
}

std::string escaped(const std::string& text, std::size_t longest) {
  std::string result;
  for (const char c : one_line(text, longest)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// "potential" is _POTENTIAL: names of an application's own attributes begin with an underscore.
std::string attribute_name(const MeshScalar& scalar) {
  std::string name = "_" + plain_word(scalar.name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return name;
}

void join(std::string& list, const std::string& entry) {
  list += (list.empty() ? "" : ",") + entry;
}

}  // namespace

int GlbBuilder::add_bytes(const void* data, std::size_t size, int target, const std::string& accessor) {
  join(views_, fmt::format("{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}{}}}", bytes_.size(), size,
                           target == no_target ? "" : fmt::format(",\"target\":{}", target)));
  join(accessors_, fmt::format("{{\"bufferView\":{},{}}}", count_, accessor));
  bytes_.append(static_cast<const char*>(data), size);
  bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
  if (bytes_.size() > std::numeric_limits<std::uint32_t>::max() - (std::size_t{1} << 20))
    throw Error("glTF cannot hold meshes of more than 4 GiB; write numbered files", Error::Kind::usage);
  return count_++;
}

void GlbBuilder::add(const Mesh& mesh, double time) {
  const std::size_t n = mesh.positions.size();
  if (n == 0 || mesh.triangles.empty()) throw Error("glTF cannot hold an empty mesh", Error::Kind::usage);
  glm::vec3 low = mesh.positions[0], high = low;
  for (const glm::vec3 p : mesh.positions) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  const auto floats = [&](const char* type) {
    return fmt::format("\"componentType\":{},\"count\":{},\"type\":\"{}\"", type_float, n, type);
  };
  std::string attributes = fmt::format(
      "\"POSITION\":{}", add_bytes(mesh.positions.data(), 12 * n, array_buffer,
                                   floats("VEC3") + ",\"min\":" + vector_text(low) + ",\"max\":" + vector_text(high)));
  if (!mesh.normals.empty())
    attributes += fmt::format(",\"NORMAL\":{}", add_bytes(mesh.normals.data(), 12 * n, array_buffer, floats("VEC3")));
  if (!mesh.colours.empty()) {
    std::vector<glm::u16vec4> wide;
    wide.reserve(n);
    for (const glm::u8vec4 c : mesh.colours) {
      wide.emplace_back(linear(c.r), linear(c.g), linear(c.b), c.a * 257);
      transparent_ = transparent_ || c.a < 255;
    }
    attributes += fmt::format(
        ",\"COLOR_0\":{}",
        add_bytes(
            wide.data(), 8 * n, array_buffer,
            fmt::format("\"componentType\":{},\"normalized\":true,\"count\":{},\"type\":\"VEC4\"", type_ushort, n)));
  }
  std::string extras;
  for (const MeshScalar& scalar : mesh.scalars) {
    const std::string name = attribute_name(scalar);
    attributes +=
        fmt::format(",\"{}\":{}", name, add_bytes(scalar.values.data(), 4 * n, array_buffer, floats("SCALAR")));
    join(extras, fmt::format("\"{}\":{{\"name\":\"{}\",\"unit\":\"{}\"}}", name, escaped(scalar.name, 80),
                             escaped(scalar.unit, 80)));
  }
  const int indices = add_bytes(
      mesh.triangles.data(), 12 * mesh.triangles.size(), element_buffer,
      fmt::format("\"componentType\":{},\"count\":{},\"type\":\"SCALAR\"", type_uint, 3 * mesh.triangles.size()));
  join(meshes_, fmt::format("{{\"primitives\":[{{\"attributes\":{{{}}},\"indices\":{},\"material\":0}}]{}}}",
                            attributes, indices, extras.empty() ? "" : ",\"extras\":{" + extras + "}"));
  times_.push_back(static_cast<float>(time));
}

/// Each frame's node has scale 1 while it is shown and 0 else.
std::string GlbBuilder::animation() {
  std::string samplers, channels;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    std::vector<float> keys;
    std::vector<glm::vec3> scales;
    const auto key = [&](float time, float scale) {
      keys.push_back(time);
      scales.emplace_back(scale);
    };
    if (i > 0) key(times_[0], 0);
    key(times_[i], 1);
    if (i + 1 < times_.size()) key(times_[i + 1], 0);
    if (i + 1 == times_.size()) key(2 * times_[i] - times_[i - 1], 1);  // as long as the one before
    const int input =
        add_bytes(keys.data(), 4 * keys.size(), no_target,
                  fmt::format("\"componentType\":{},\"count\":{},\"type\":\"SCALAR\",\"min\":[{}],\"max\":[{}]",
                              type_float, keys.size(), keys.front(), keys.back()));
    const int output =
        add_bytes(scales.data(), 12 * scales.size(), no_target,
                  fmt::format("\"componentType\":{},\"count\":{},\"type\":\"VEC3\"", type_float, scales.size()));
    join(samplers, fmt::format("{{\"input\":{},\"output\":{},\"interpolation\":\"STEP\"}}", input, output));
    join(channels, fmt::format("{{\"sampler\":{0},\"target\":{{\"node\":{1},\"path\":\"scale\"}}}}", i, i + 1));
  }
  return ",\"animations\":[{\"name\":\"frames\",\"samplers\":[" + samplers + "],\"channels\":[" + channels + "]}]";
}

void GlbBuilder::write(std::ostream& out, const std::string& comment, const std::string& made) {
  if (times_.empty()) throw Error("glTF cannot hold an empty mesh", Error::Kind::usage);
  for (std::size_t i = 1; i < times_.size(); ++i)
    if (!(times_[i] > times_[i - 1])) throw Error("the frames of an animation must follow one another in time");
  const std::string animated = times_.size() > 1 ? animation() : std::string();
  // The root turns z up into glTF's y up (importers with z up, as Blender's, turn it back: their axes are the file's),
  // and makes a nanometre a metre, for which the cameras and lights of 3D programs are made.
  std::string nodes =
      "{\"name\":\"Isolume\",\"rotation\":[-0.70710678,0,0,0.70710678],\"scale\":[0.1,0.1,0.1],\"children\":[";
  for (std::size_t i = 0; i < times_.size(); ++i) nodes += (i ? "," : "") + std::to_string(i + 1);
  nodes += "]}";
  for (std::size_t i = 0; i < times_.size(); ++i)
    nodes += fmt::format(",{{\"mesh\":{},\"name\":\"surface{}\"{}}}", i, times_.size() > 1 ? fmt::format(" {}", i) : "",
                         i > 0 ? ",\"scale\":[0,0,0]" : "");
  std::string json = fmt::format(
      "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"Isolume\",\"extras\":{{\"comment\":\"{}\",\"unit\":"
      "\"angstrom\",\"scale\":\"1 nm is 1 m: the root node scales by 0.1\",\"axes\":\"x, y, z of the file are those of "
      "a program with z up\"{}}}}},"
      "\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{}],\"meshes\":[{}],"
      "\"materials\":[{{\"pbrMetallicRoughness\":{{\"metallicFactor\":0,\"roughnessFactor\":0.6}},\"doubleSided\":true{"
      "}}}],"
      "\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":[{}],\"accessors\":[{}]{}}}",
      escaped(comment, 200), made.empty() ? "" : ",\"made\":" + made, nodes, meshes_,
      transparent_ ? ",\"alphaMode\":\"BLEND\"" : "", bytes_.size(), views_, accessors_, animated);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const std::uint64_t total = 12 + 8 + json.size() + 8 + bytes_.size();
  if (total > 0xffffffffu) throw Error("glTF cannot hold a mesh of more than 4 GiB", Error::Kind::usage);
  const auto word = [&](std::uint64_t value) {
    const auto bits = static_cast<std::uint32_t>(value);
    out.write(reinterpret_cast<const char*>(&bits), 4);
  };
  word(0x46546C67);  // "glTF"
  word(2);
  word(total);
  word(json.size());
  word(0x4E4F534A);  // "JSON"
  out.write(json.data(), static_cast<std::streamsize>(json.size()));
  word(bytes_.size());
  word(0x004E4942);  // "BIN"
  out.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
}

}  // namespace isolume
