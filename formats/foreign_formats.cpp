// Formats that are not read, by their content.
#include "formats/foreign_formats.h"

#include "formats/foreign_table.h"

namespace isolume {
namespace {

/// The name of a file without its folder, ".gz" and its last extension.
std::string stem(std::string name) {
  name = name.substr(name.find_last_of('/') + 1);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const std::size_t point = name.find_last_of('.');
  if (point != std::string::npos && point > 0) name.resize(point);
  return clean(name, 60);
}

}  // namespace

std::string foreign_format(const ByteSource& source) {
  const ForeignLook look{source, source.text().substr(0, 65'536), first_lines(source, 60), source.base_name()};
  for (const ForeignFormat& foreign : foreign_table()) {
    if (!foreign.is(look)) continue;
    std::string advice = foreign.advice;
    const std::string name = stem(source.name());
    for (std::size_t at = advice.find("{}"); at != std::string::npos; at = advice.find("{}", at + name.size()))
      advice.replace(at, 2, name);
    return "this is " + std::string(foreign.name) + ", which is not read. " + advice;
  }
  return {};
}

}  // namespace isolume
