// Pictures that carry the scene they show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/export/sha256.h"
#include "app/scene/scene.h"
#include "render/renderer.h"

namespace isolume {

/// The key of the scene in a PNG's metadata, and its attribute in OpenEXR. TIFF has it as ImageDescription.
inline constexpr const char* scene_key = "isolume-scene";

/// What a picture carries: its scene, how it was drawn, and the files that it shows.
struct PictureOrigin {
  Scene scene;
  PictureOptions options;
  std::vector<FileHash> files;
};

/// Hashes of all files of a scene, in order, each once. Throws Error where one cannot be read.
std::vector<FileHash> hash_files(const Scene& scene);

/// The scene as JSON for a file in `folder`, with a "provenance" that holds the rest.
std::string origin_to_json(const PictureOrigin& origin, const std::string& folder);

/// Throws Error (input) where the picture carries none. Paths are resolved in the picture's folder.
PictureOrigin read_origin(const std::string& path);

/// The extensions of pictures that this build writes, separated by spaces: "png svg pdf tif tiff exr", or less.
std::string picture_extensions();
/// Whether files of this name hold more than 8 bits, and so need PictureOptions::layers. Throws Error (usage) where it
/// is TIFF or EXR and this build has it not.
bool needs_layers(const std::string& path);
/// Whether files of this name have what is over the picture as vectors (SVG, PDF), and so need PictureOptions::vectors.
bool holds_vectors(const std::string& path);
/// Whether its name is that of a picture that carries its scene; of SVG and PDF, whether the file has one.
bool carries_scene(const std::string& path);

/// The picture at `path` where it carries this very origin, as a run that was interrupted has left it; else nothing.
/// Of others than PNG no pixels are read.
std::optional<Image> picture_of(const std::string& path, const PictureOrigin& origin);

/// Bytes of a picture while it is made: its pixels, and the file of them, which is seldom larger.
std::size_t memory_of_picture(const PictureOptions& options);
/// Throws Error where a picture of this size does not fit into memory, before it is drawn.
void require_memory_of_picture(const PictureOptions& options);

/// By extension: png; svg and pdf, whose picture has an overlay; tif, tiff and exr, whose picture has layers.
void write_picture(const std::string& path, const Image& image, const PictureOrigin& origin);

}  // namespace isolume
