// Files named by a session or a picture that are outside its folder.
#include "app/scene/foreign_paths.h"

#include <algorithm>
#include <filesystem>

#include "app/scene/built_in_tables.h"
#include "app/scene/packed_session.h"
#include "app/scene/path_part.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

/// With links resolved as far as there is something.
fs::path resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, failed), failed);
  return failed ? fs::absolute(path, failed).lexically_normal() : whole;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [left, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return left == folder.end() && path != folder;
}

}  // namespace

std::vector<std::string> foreign_paths(const Scene& scene, const std::string& file) {
  const fs::path parent = fs::path(file).parent_path();
  // The files of a session that carries them are in a folder of their own.
  const fs::path folder =
      is_packed_session(file) ? resolved(unpacked_folder(file)) : resolved(parent.empty() ? fs::path(".") : parent);
  std::vector<std::string> foreign;
  const auto look_at = [&](const std::string& path) {
    if (names_tables(path) || is_below(resolved(file_of(path)), folder)) return;
    if (std::find(foreign.begin(), foreign.end(), path) == foreign.end()) foreign.push_back(path);
  };
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      std::for_each(paths->begin(), paths->end(), look_at);
  for (const Representation& representation : scene.representations)
    if (!representation.file.empty()) look_at(representation.file);
  return foreign;
}

}  // namespace isolume
