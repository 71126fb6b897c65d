// Meshes of surfaces into files.
#include "app/cli/compute/surface_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "formats/write/write.h"

namespace isolume::cli {

std::string numbered_name(const std::string& path, std::size_t frame, bool several) {
  const std::size_t percent = path.rfind('%');
  if (percent != std::string::npos) {
    std::size_t width = 0;
    const char* const end = path.data() + path.size();
    const auto [d, fault] = std::from_chars(path.data() + percent + 1, end, width);
    if (d != end && *d == 'd')
      return path.substr(0, percent) + fmt::format("{:0{}}", frame, std::min<std::size_t>(width, 20)) +
             std::string(d + 1, end);
  }
  if (!several) return path;
  const std::filesystem::path file(path);
  return (file.parent_path() / fmt::format("{}_{:04}{}", file.stem().string(), frame, file.extension().string()))
      .string();
}

SurfaceExport::SurfaceExport(std::string path, std::size_t frames, double frames_per_second)
    : path_(std::move(path)),
      frames_(frames),
      frames_per_second_(frames_per_second),
      animated_(frames > 1 && std::filesystem::path(path_).extension() == ".glb" &&
                numbered_name(path_, 0, false) == path_) {}

void SurfaceExport::add(std::size_t frame, const Mesh& mesh, const std::string& comment, const std::string& made) {
  if (!animated_) {
    written_.push_back(numbered_name(path_, frame, frames_ > 1));
    write_mesh(written_.back(), mesh, comment, made);
    return;
  }
  if (added_ == 0) {
    comment_ = comment;
    made_ = made;
  }
  builder_.add(mesh, static_cast<double>(added_++) / frames_per_second_);
}

std::vector<std::string> SurfaceExport::finish() {
  if (animated_) {
    write_atomically(path_, [&](std::ostream& out) { builder_.write(out, comment_, made_); });
    written_.push_back(path_);
  }
  return written_;
}

}  // namespace isolume::cli
