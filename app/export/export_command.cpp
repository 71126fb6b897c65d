// The words of the console's command export.
#include "app/export/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// The number that users give a source of this kind: volumes count over all molecules.
int number_of(const DataSource& source, int volumes_before) {
  if (source.kind == DataSource::Kind::molecule) return static_cast<int>(source.molecule);
  return source.kind == DataSource::Kind::volume ? volumes_before : static_cast<int>(source.index);
}

DataSource named(std::span<const DataSource> sources, const std::string& word, const std::string& number) {
  constexpr std::array<std::string_view, 4> kinds{"molecule", "volume", "field", "representation"};
  const auto kind = std::ranges::find(kinds, word) - kinds.begin();
  int wanted = 0;
  const auto end = number.data() + number.size();
  const auto read = std::from_chars(number.data(), end, wanted);
  if (kind == std::ssize(kinds) || read.ec != std::errc() || read.ptr != end || wanted < 0)
    throw Error("export: expected molecule N, volume N, field N or representation N behind the file",
                Error::Kind::usage);
  int before = 0;
  for (const DataSource& source : sources) {
    if (static_cast<std::ptrdiff_t>(source.kind) != kind) continue;
    if (number_of(source, before++) == wanted) return source;
  }
  throw Error(fmt::format("export: the scene has no {} {} that can be written", word, wanted), Error::Kind::usage);
}

}  // namespace

DataExport export_of_words(const Scene& scene, const Documents& documents, std::span<const std::string> words) {
  const std::vector<DataSource> sources = data_sources(scene, documents);
  DataExport what;
  what.path = words.front();
  if (words.size() == 1) {
    std::string extension = std::filesystem::path(what.path).extension().string();
    extension.erase(0, 1);
    const auto found = std::ranges::find_if(sources, [&](const DataSource& s) { return s.takes(extension); });
    if (found == sources.end())
      throw Error("export: nothing of the scene can be written as \"" + extension + "\"", Error::Kind::usage);
    what.source = *found;
  } else {
    what.source = named(sources, words[1], words.size() > 2 ? words[2] : "0");
  }
  // All frames: what a trajectory is exported for.
  if (const auto molecule = documents.loaded(scene.molecules[what.source.molecule]);
      molecule &&
      (what.source.kind == DataSource::Kind::molecule || what.source.kind == DataSource::Kind::representation))
    what.last = molecule->frame_count() - 1;
  return what;
}

}  // namespace isolume
