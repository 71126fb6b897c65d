// What is reported of pictures: fields, times, orbitals that fail their self-check.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/render/painter.h"
#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume::cli {

/// Timing launches takes time, so that of a long film the first pictures are timed.
constexpr std::size_t timed_pictures = 16;

/// Fields, files and times of the pictures that were drawn.
void report_fields(Report& report, const Painter& painter, std::size_t width, std::size_t height,
                   const std::vector<std::string>& written, std::size_t frames);

nlohmann::ordered_json json_of(const PathReport& path);
/// What drew the last picture, in words: the OpenGL renderer, or path tracing with its rays and seconds.
std::string drawn_by(const Painter& painter);
/// Says what a path-traced picture leaves out.
void note_left_out(Run& run, const Painter& painter);

/// Warnings of the orbitals of every frame that is drawn: those that are shown must have passed the self-check of their
/// file. An orbital that is followed counts as occupied.
std::vector<std::string> check_orbitals(Run& run, const Scene& scene, Documents& documents,
                                        const std::vector<std::size_t>& frames, bool force);

}  // namespace isolume::cli
