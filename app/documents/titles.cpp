// What molecules and maps are called in lists, legends and keys.
#include "app/documents/titles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

namespace isolume {
namespace {

bool is_map(const std::string& path) {
  std::filesystem::path file = path;
  if (const auto packed = file.extension(); packed == ".gz" || packed == ".bz2" || packed == ".xz" || packed == ".zst")
    file.replace_extension();
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr const char* maps[] = {".cube", ".cub", ".dx", ".ccp4", ".map", ".mrc"};
  return std::find(std::begin(maps), std::end(maps), ending) != std::end(maps);
}

}  // namespace

std::string file_title(const std::vector<std::string>& paths) {
  return paths.empty() ? std::string() : std::filesystem::path(paths.front()).filename().string();
}

std::string volume_file(const Molecule& molecule, std::size_t volume) {
  // Volumes are in the order of their files.
  std::vector<std::string> files;
  for (const std::string& path : molecule.paths)
    if (is_map(path)) files.push_back(path);
  if (files.size() == 1) return files.front();
  if (files.size() == molecule.volumes.size() && volume < files.size()) return files[volume];
  return molecule.paths.size() == 1 ? molecule.paths.front() : std::string();
}

std::string volume_title(const Molecule& molecule, std::size_t volume) {
  if (volume >= molecule.volumes.size()) return {};
  const Volume& own = *molecule.volumes[volume];
  const std::string named = own.name.empty() ? fmt::format("volume {}", volume + 1) : own.name;
  const std::string file = volume_file(molecule, volume);
  if (file.empty()) return named;
  bool several = false;
  for (std::size_t other = 0; other < molecule.volumes.size(); ++other)
    several = several || (other != volume && volume_file(molecule, other) == file);
  const std::string title = file_title({file});
  return several ? fmt::format("{}: {}", title, named) : title;
}

}  // namespace isolume
