// What the subcommands of compute share: grids, points, samples, and the report of a field.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/fields/fields.h"

namespace isolume::cli {

/// Where a field is computed and where it goes.
struct GridOptions {
  std::vector<std::string> files;
  std::optional<std::size_t> frame;
  double spacing = 0;  ///< angstrom, 0 for a choice by size
  std::string like;    ///< a volume file whose grid is used
  std::string at;      ///< points instead of a grid
  std::string out;
};
/// Returns the option --frame.
Option add_grid_options(Verb command, GridOptions& options, const char* formats, bool file_required = true);

/// Throws Error (usage) where the options make no sense together, or the output has none of the extensions (with --at
/// it is a table).
void check_grid_options(const GridOptions& options, const std::string& extensions = "cube cub dx mrc map ccp4 vdb");

/// The grid of the file `like`, or nothing. Throws Error.
std::optional<Grid> grid_like(const GridOptions& options);

/// The points of a CSV file, angstrom: lines x,y,z; a heading, empty lines and lines with # are passed over. Throws
/// Error::in_file.
std::vector<glm::dvec3> read_points(const std::string& path);

/// One value per line, in full precision, to a file or, where `path` is empty, to stdout.
void write_values(const std::string& path, std::span<const double> values);

/// Lines V,error likewise.
void write_values_and_errors(const std::string& path, std::span<const glm::dvec2> values);

/// Lines V,Ex,Ey,Ez likewise.
void write_values_and_vectors(const std::string& path, std::span<const double> values,
                              std::span<const glm::dvec3> vectors);

/// Indices of grid points: half spread over the grid, half within 2 angstrom of the positions; a fixed seed.
std::vector<std::size_t> sample_points(const Grid& grid, std::span<const glm::vec3> positions, std::size_t count);
glm::dvec3 point_of(const Grid& grid, std::size_t index);

/// {rms, max, relative, points, reference} of values at sampled points against exact ones.
nlohmann::ordered_json sampled_error(const Grid& grid, std::span<const float> values,
                                     std::span<const std::size_t> samples, std::span<const double> exact,
                                     const char* reference);

/// Plans, computes and copies a field to the host, with its times, kernels, memory and grid in the report.
Volume compute_reported(Run& run, const FieldRequest& request);

/// Evaluates in tiles on all threads: body(begin, end) for ranges of `count`.
void in_tiles(std::size_t count, Job& job, const char* what, const std::function<void(std::size_t, std::size_t)>& body);

/// {minimum, maximum} of values.
nlohmann::ordered_json range_of(std::span<const float> values);

}  // namespace isolume::cli
