// Pictures that carry the scene they show.
#include "app/export/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/documents/titles.h"
#include "app/fields/field_styles.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "compute/base/memory.h"
#include "compute/trace/denoise.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "render/image/deep_picture.h"
#include "render/image/picture_head.h"
#include "render/image/vector_picture.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// "tif" of "a.TIF".
std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return ending;
}
bool is_tiff(const std::string& ending) {
  return ending == "tif" || ending == "tiff";
}

/// The numbers of objects in files: molecules in the order of the scene from 1, then fields.
std::map<std::uint32_t, DeepTexts::Object> objects_of(const Scene& scene) {
  constexpr std::size_t most = 65'535;
  std::map<std::uint32_t, DeepTexts::Object> objects;
  const auto add = [&](std::size_t object, const std::string& name) {
    if (objects.size() >= most) return;
    objects[static_cast<std::uint32_t>(object)] = {static_cast<std::uint16_t>(objects.size() + 1), name};
  };
  for (std::size_t i = 0; i < scene.molecules.size(); ++i) add(i + 1, file_title(scene.molecules[i].paths));
  for (std::size_t i = 0; i < scene.fields.size(); ++i)
    add(field_objects + i,
        fmt::format("field {} of {}", i + 1, file_title(scene.molecules.at(scene.fields[i].molecule).paths)));
  return objects;
}

/// The scene that a picture's head has, or nothing.
const std::string* scene_in(const PngHead& head) {
  for (const char* const key : {scene_key, "ImageDescription"})
    if (const auto found = head.texts.find(key); found != head.texts.end()) return &found->second;
  return nullptr;
}

/// JSON in ASCII, as ImageDescription is.
std::string plain_json(const std::string& json) {
  return nlohmann::ordered_json::parse(json).dump(2, ' ', true);
}

}  // namespace

std::string picture_extensions() {
  return std::string("png svg pdf") + (writes_tiff() ? " tif tiff" : "") + (writes_exr() ? " exr" : "");
}

bool needs_layers(const std::string& path) {
  const std::string ending = ending_of(path);
  const bool tiff = is_tiff(ending), exr = ending == "exr";
  if ((tiff && !writes_tiff()) || (exr && !writes_exr()))
    throw Error(fmt::format("{}: this build writes no {}, since {} was not there when it was built; it writes {}", path,
                            tiff ? "TIFF" : "EXR", tiff ? "libtiff" : "OpenEXR", picture_extensions()),
                Error::Kind::usage);
  return tiff || exr;
}

bool holds_vectors(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == "svg" || ending == "pdf";
}

bool carries_scene(const std::string& path) {
  const std::string ending = ending_of(path);
  if (holds_vectors(path)) {  // plots and timelines have such names too
    try {
      return scene_in(read_picture_head(path)) != nullptr;
    } catch (const Error&) {
      return false;
    }
  }
  return ending == "png" || is_tiff(ending) || ending == "exr";
}

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
  if (o.path_traced) json["provenance"]["picture"]["renderer"] = "path";
  if (o.denoise) json["provenance"]["picture"]["denoiser"] = denoiser_status();
  if (o.legends_only) json["provenance"]["picture"]["legends_only"] = true;
  if (o.dots > 0) json["provenance"]["picture"]["dots_per_inch"] = o.dots;
  return json.dump(2) + "\n";
}

PictureOrigin read_origin(const std::string& path) {
  const PngHead head = read_picture_head(path);
  const std::string* const found = scene_in(head);
  if (!found)
    throw Error::in_file(path, 0,
                         "carries no scene; pictures that Isolume wrote do, unless another program saved them again");
  PictureOrigin origin;
  try {
    origin.scene = scene_from_json(*found, folder_of(path));
    const auto provenance = nlohmann::json::parse(*found).at("provenance");
    const auto& picture = provenance.at("picture");
    origin.options.width = picture.at("width").get<int>();
    origin.options.height = picture.at("height").get<int>();
    origin.options.samples = picture.at("samples").get<int>();
    origin.options.transparent = picture.at("transparent").get<bool>();
    origin.options.pixel_ratio = picture.at("pixel_ratio").get<double>();
    const std::string renderer = picture.value("renderer", std::string("raster"));
    if (renderer != "raster" && renderer != "path")
      throw Error("its scene names a renderer '" + renderer + "'; there are raster and path");
    origin.options.path_traced = renderer == "path";
    origin.options.denoise = origin.options.path_traced && picture.contains("denoiser");
    origin.options.legends_only = picture.value("legends_only", false);
    origin.options.dots = picture.value("dots_per_inch", 0.0);
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
  if (o.width < 1 || o.height < 1 || o.width > 32'768 || o.height > 32'768 || o.samples < 1 ||
      o.samples > (o.path_traced ? 65536 : 64) || !(o.pixel_ratio > 0 && o.pixel_ratio < 100) ||
      !(o.dots >= 0 && o.dots <= 1e5))
    throw Error::in_file(path, 0, "its scene names an impossible picture size");
  if (!o.legends_only && (o.width != head.width || o.height != head.height))
    throw Error::in_file(path, 0,
                         fmt::format("its scene names a picture of {} x {} pixels, and it has {} x {}", o.width,
                                     o.height, head.width, head.height));
  return origin;
}

std::optional<Image> picture_of(const std::string& path, const PictureOrigin& origin) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const PngHead head = read_picture_head(path);
    const std::string* const scene = scene_in(head);
    if (!scene) return std::nullopt;
    const std::string wanted = origin_to_json(origin, folder_of(path));
    if (ending_of(path) == "png") return *scene == wanted ? std::optional(read_png(path)) : std::nullopt;
    if (*scene == (is_tiff(ending_of(path)) ? plain_json(wanted) : wanted)) return Image{head.width, head.height, {}};
  } catch (const Error&) {
    // It is no picture, or was cut short: it is drawn again.
  }
  return std::nullopt;
}

std::size_t memory_of_picture(const PictureOptions& options) {
  // With layers: they, a copy of the pixels, and a file of up to 14 bytes a pixel.
  // With vectors: the image apart from the file, and in SVG as letters.
  const std::size_t bytes = options.layers ? 8 + PictureLayers::bytes + 14 : options.vectors ? 16 : 8;
  return bytes * static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
}

void require_memory_of_picture(const PictureOptions& options) {
  require_memory(memory_of_picture(options), Device::cpu(),
                 fmt::format("a picture of {} x {} pixels", options.width, options.height));
}

void write_picture(const std::string& path, const Image& image, const PictureOrigin& origin) {
  if (origin.options.legends_only && needs_layers(path))
    throw Error(path + ": legends alone are written as PNG, SVG or PDF", Error::Kind::usage);
  const std::string json = origin_to_json(origin, folder_of(path));
  std::string bytes;
  if (holds_vectors(path)) {
    const VectorTexts texts{json, "Isolume " ISOLUME_VERSION, origin.options.dots_of_letters()};
    bytes = ending_of(path) == "svg" ? encode_svg(image, texts) : encode_pdf(image, texts);
  } else if (needs_layers(path)) {
    const bool tiff = is_tiff(ending_of(path));
    const DeepTexts texts{scene_key, tiff ? plain_json(json) : json, "Isolume " ISOLUME_VERSION,
                          objects_of(origin.scene), origin.options.dots};
    bytes = tiff ? encode_tiff(image, texts) : encode_exr(image, texts);
  } else {
    bytes = encode_png(image, {{scene_key, json}, {"Software", "Isolume " ISOLUME_VERSION}}, origin.options.dots);
  }
  write_atomically(path, [&](std::ostream& out) { out << bytes; });
}

}  // namespace isolume
