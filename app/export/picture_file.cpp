// Pictures that carry the scene they show.
#include "app/export/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/scene/built_in_tables.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "compute/base/memory.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "render/image/png_head.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

std::vector<FileHash> hash_files(const Scene& scene) {
  std::vector<FileHash> hashes;
  std::set<std::string> seen;
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      for (const std::string& path : *paths)
        if (!names_tables(path) && seen.insert(file_of(path)).second) hashes.push_back(hash_file(file_of(path)));
  return hashes;
}

std::string origin_to_json(const PictureOrigin& origin, const std::string& folder) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(scene_to_json(origin.scene, folder));
  Json files = Json::array();
  // In the order of the scene's paths, so that they need not be repeated here.
  for (const FileHash& hash : origin.files) files.push_back({{"bytes", hash.bytes}, {"sha256", hash.sha256}});
  const PictureOptions& o = origin.options;
  json["provenance"] = {{"program", "Isolume " ISOLUME_VERSION},
                        {"picture",
                         {{"width", o.width},
                          {"height", o.height},
                          {"samples", o.samples},
                          {"transparent", o.transparent},
                          {"pixel_ratio", o.pixel_ratio}}},
                        {"files", files}};
  if (origin.dots > 0) json["provenance"]["picture"]["dots_per_inch"] = origin.dots;
  return json.dump(2) + "\n";
}

PictureOrigin read_origin(const std::string& path) {
  const PngHead head = read_png_head(path);
  const auto found = head.texts.find(scene_key);
  if (found == head.texts.end())
    throw Error::in_file(path, 0,
                         "carries no scene; pictures that Isolume wrote do, unless another program saved them again");
  PictureOrigin origin;
  try {
    origin.scene = scene_from_json(found->second, folder_of(path));
    const auto provenance = nlohmann::json::parse(found->second).at("provenance");
    const auto& picture = provenance.at("picture");
    origin.options.width = picture.at("width").get<int>();
    origin.options.height = picture.at("height").get<int>();
    origin.options.samples = picture.at("samples").get<int>();
    origin.options.transparent = picture.at("transparent").get<bool>();
    origin.options.pixel_ratio = picture.at("pixel_ratio").get<double>();
    origin.dots = picture.value("dots_per_inch", 0.0);
    std::set<std::string> seen;
    const auto& files = provenance.at("files");
    for (const SceneMolecule& molecule : origin.scene.molecules)
      for (const auto* paths : {&molecule.paths, &molecule.templates})
        for (const std::string& place : *paths) {
          const std::string file = file_of(place);
          if (names_tables(file) || !seen.insert(file).second) continue;
          const auto& hash = files.at(origin.files.size());
          origin.files.push_back({file, hash.at("bytes").get<std::uint64_t>(), hash.at("sha256").get<std::string>()});
        }
  } catch (const nlohmann::json::exception&) {
    throw Error::in_file(path, 0, "its scene does not say how it was drawn");
  } catch (const Error& error) {
    throw Error::in_file(path, 0, error.what());
  }
  const PictureOptions& o = origin.options;
  if (o.width < 1 || o.height < 1 || o.width > 32'768 || o.height > 32'768 || o.samples < 1 || o.samples > 64 ||
      !(o.pixel_ratio > 0 && o.pixel_ratio < 100) || !(origin.dots >= 0 && origin.dots <= 1e5))
    throw Error::in_file(path, 0, "its scene names an impossible picture size");
  if (o.width != head.width || o.height != head.height)
    throw Error::in_file(path, 0,
                         fmt::format("its scene names a picture of {} x {} pixels, and it has {} x {}", o.width,
                                     o.height, head.width, head.height));
  return origin;
}

std::optional<Image> picture_of(const std::string& path, const PictureOrigin& origin) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const PngHead head = read_png_head(path);
    const auto scene = head.texts.find(scene_key);
    if (scene != head.texts.end() && scene->second == origin_to_json(origin, folder_of(path))) return read_png(path);
  } catch (const Error&) {
    // It is no picture, or was cut short: it is drawn again.
  }
  return std::nullopt;
}

std::size_t memory_of_picture(const PictureOptions& options) {
  return std::size_t{8} * static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
}

void require_memory_of_picture(const PictureOptions& options) {
  require_memory(memory_of_picture(options), Device::cpu(),
                 fmt::format("a picture of {} x {} pixels", options.width, options.height));
}

void write_picture(const std::string& path, const Image& image, const PictureOrigin& origin) {
  const std::string png = encode_png(
      image, {{scene_key, origin_to_json(origin, folder_of(path))}, {"Software", "Isolume " ISOLUME_VERSION}},
      origin.dots);
  write_atomically(path, [&](std::ostream& out) { out << png; });
}

}  // namespace isolume
