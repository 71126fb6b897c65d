// Reads test cases of ScaFaCoS (XML, one element a line or several): charges with their potentials and fields.
#pragma once

#include <cstdlib>
#include <glm/glm.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume::test {

struct ScafacosCase {
  glm::dmat3 box{0.0};
  std::vector<glm::dvec3> positions, fields;  ///< field: -gradient of the potential, charges and lengths without units
  std::vector<double> charges, potentials;
};

inline ScafacosCase read_scafacos(const std::string& path) {
  const auto source = ByteSource::open(path);
  const std::string text(source->text());
  ScafacosCase result;
  const auto numbers = [](const std::string& element, const char* name, int count) {
    const std::string key = std::string(" ") + name + "=\"";
    const std::size_t at = element.find(key);
    if (at == std::string::npos) throw std::runtime_error(std::string("no ") + name);
    glm::dvec3 v(0.0);
    char* end = const_cast<char*>(element.data() + at + key.size());
    for (int i = 0; i < count; ++i) v[i] = std::strtod(end, &end);
    return v;
  };
  const auto element = [&](std::size_t at) { return text.substr(at, text.find('>', at) - at); };
  const std::string cell = element(text.find("<configuration"));
  result.box = glm::dmat3(numbers(cell, "box_a", 3), numbers(cell, "box_b", 3), numbers(cell, "box_c", 3));
  for (std::size_t at = text.find("<particle"); at != std::string::npos; at = text.find("<particle", at + 1)) {
    const std::string p = element(at);
    result.positions.push_back(numbers(p, "position", 3));
    result.charges.push_back(numbers(p, "q", 1).x);
    result.potentials.push_back(numbers(p, "potential", 1).x);
    result.fields.push_back(numbers(p, "field", 3));
  }
  return result;
}

}  // namespace isolume::test
