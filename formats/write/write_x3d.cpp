// Writing meshes as X3D 3.3 (XML, ISO/IEC 19776-1): indexed triangles with normals and colours of vertices.
#include <fmt/format.h>

#include <iterator>

#include "formats/write/buffered_output.h"
#include "formats/write/writers.h"

namespace isolume {
namespace {

/// A text as an attribute's value.
std::string attribute(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

void write_x3d(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made) {
  BufferedOutput text(out);
  text.add(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<X3D profile=\"Interchange\" version=\"3.3\">\n<head>\n"
      "<meta name=\"generator\" content=\"Isolume\"/>\n<meta name=\"unit\" content=\"1 is an angstrom\"/>\n");
  if (!comment.empty()) {
    text.add("<meta name=\"description\" content=\"{}\"/>\n", attribute(one_line(comment, 200)));
  }
  if (!made.empty()) text.add("<meta name=\"made\" content=\"{}\"/>\n", attribute(one_line(made, 20'000)));
  text.add(
      "</head>\n<Scene>\n<Shape>\n<Appearance><Material diffuseColor=\"0.8 0.8 0.8\"/></Appearance>\n"
      "<IndexedTriangleSet solid=\"false\" index=\"");
  for (const glm::uvec3 t : mesh.triangles) text.add("{} {} {}\n", t.x, t.y, t.z);
  text.add("\">\n<Coordinate point=\"");
  for (const glm::vec3 p : mesh.positions) text.add("{} {} {}\n", p.x, p.y, p.z);
  text.add("\"/>\n");
  if (!mesh.normals.empty()) {
    text.add("<Normal vector=\"");
    for (const glm::vec3 n : mesh.normals) text.add("{} {} {}\n", n.x, n.y, n.z);
    text.add("\"/>\n");
  }
  if (!mesh.colours.empty()) {
    text.add("<Color color=\"");
    for (const glm::u8vec4 colour : mesh.colours) {
      const glm::vec3 c = glm::vec3(glm::u8vec3(colour)) / 255.0f;
      text.add("{:.4g} {:.4g} {:.4g}\n", c.r, c.g, c.b);
    }
    text.add("\"/>\n");
  }
  text.add("</IndexedTriangleSet>\n</Shape>\n</Scene>\n</X3D>\n");
  text.flush();
}

}  // namespace isolume
