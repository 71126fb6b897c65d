// What a path of a scene names beyond a file.
#include "app/scene/path_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace isolume {
namespace {

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// "name=value" into the part; false for anything else.
bool take(std::string_view word, bool first, PathPart& part) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = word.substr(0, equals), value = word.substr(equals + 1);
  if (first && name == "stream") {
    part.kind = PathPart::Kind::stream;
    part.peer = value;
    return !value.empty();
  }
  if (first && name == "localise") {
    part.kind = PathPart::Kind::localised;
    part.method = value;
    return value == "pipek-mezey" || value == "boys";
  }
  if (first) {
    part.kind = name == "mode"    ? PathPart::Kind::mode
                : name == "state" ? PathPart::Kind::state
                : name == "fit"   ? PathPart::Kind::fit
                                  : PathPart::Kind::average;
    return (name == "mode" || name == "state" || name == "average" || name == "fit") && read(value, part.number) &&
           part.number >= 1;
  }
  if (part.kind == PathPart::Kind::localised && name == "virtuals") {
    part.virtuals = value == "1";
    return value == "0" || value == "1";
  }
  if (part.kind != PathPart::Kind::mode) return false;
  if (name == "amplitude") return read(value, part.amplitude) && part.amplitude > 0 && part.amplitude <= 100;
  return name == "frames" && read(value, part.frames) && part.frames >= 2 && part.frames <= 10'000;
}

}  // namespace

PathPart path_part(const std::string& path) {
  const std::size_t mark = path.rfind('#');
  const PathPart whole{path};
  if (mark == std::string::npos || mark == 0) return whole;
  PathPart part{path.substr(0, mark)};
  std::string_view rest = std::string_view(path).substr(mark + 1);
  for (bool first = true;; first = false) {
    const std::size_t comma = rest.find(',');
    if (!take(rest.substr(0, comma), first, part)) return whole;
    if (comma == std::string_view::npos) return part;
    rest.remove_prefix(comma + 1);
  }
}

std::string path_of(const PathPart& part) {
  switch (part.kind) {
    case PathPart::Kind::mode:
      return fmt::format("{}#mode={},amplitude={},frames={}", part.file, part.number, part.amplitude, part.frames);
    case PathPart::Kind::state:
      return fmt::format("{}#state={}", part.file, part.number);
    case PathPart::Kind::localised:
      return fmt::format("{}#localise={}{}", part.file, part.method, part.virtuals ? ",virtuals=1" : "");
    case PathPart::Kind::average:
      return fmt::format("{}#average={}", part.file, part.number);
    case PathPart::Kind::fit:
      return fmt::format("{}#fit={}", part.file, part.number);
    case PathPart::Kind::stream:
      return fmt::format("{}#stream={}", part.file, part.peer);
    default:
      return part.file;
  }
}

std::string file_of(const std::string& path) {
  return path_part(path).file;
}

std::vector<std::string> with_localisation(const std::vector<std::string>& paths, const std::string& method,
                                           bool virtuals) {
  std::vector<std::string> result;
  for (const std::string& path : paths)
    if (path_part(path).kind != PathPart::Kind::localised) result.push_back(path);
  if (method.empty() || result.empty()) return result;
  PathPart part{file_of(result.front()), PathPart::Kind::localised};
  part.method = method;
  part.virtuals = virtuals;
  result.push_back(path_of(part));
  return result;
}

bool has_parts(const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [](const std::string& path) { return path_part(path).kind != PathPart::Kind::file; });
}

}  // namespace isolume
