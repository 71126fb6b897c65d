// The report of pictures that were drawn.
#include "app/cli/render/render_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/cli/compute/orbital_choice.h"
#include "app/scene/density_name.h"

namespace isolume::cli {
namespace {

/// Seconds of the pictures: all, of the first, and of those after it the middle and the longest.
nlohmann::ordered_json seconds_of(std::vector<double> pictures) {
  nlohmann::ordered_json json{{"all", std::accumulate(pictures.begin(), pictures.end(), 0.0)},
                              {"first", pictures.empty() ? 0.0 : pictures.front()}};
  if (pictures.size() < 2) return json;
  pictures.erase(pictures.begin());
  std::sort(pictures.begin(), pictures.end());
  json["median"] = pictures[pictures.size() / 2];
  json["longest"] = pictures.back();
  return json;
}

}  // namespace

nlohmann::ordered_json json_of(const PathReport& path) {
  const double seconds = path.build_seconds + path.trace_seconds;
  nlohmann::ordered_json json = {
      {"device", path.device},
      {"samples", path.samples},
      {"bounces", path.bounces},
      {"shapes", path.shapes},
      {"rays", path.rays},
      {"seconds", {{"hierarchy", path.build_seconds}, {"samples", path.trace_seconds}, {"total", seconds}}},
      {"rays_per_second", path.trace_seconds > 0 ? static_cast<double>(path.rays) / path.trace_seconds : 0.0},
      {"standard_error", path.standard_error},
      {"bytes", path.bytes},
      {"left_out", path.notes}};
  if (!path.denoiser.empty()) json["denoiser"] = path.denoiser;
  return json;
}

void report_fields(Report& report, const Painter& painter, std::size_t width, std::size_t height,
                   const std::vector<std::string>& written, std::size_t frames) {
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  for (const FieldResult& result : painter.results()) {
    fields.push_back({{"summary", result.summary}, {"path", result.path}, {"seconds", result.seconds}});
    if (result.legend)
      fields.back()["legend"] = {{"title", result.legend->title},
                                 {"unit", result.legend->unit},
                                 {"lower", result.legend->lower},
                                 {"upper", result.legend->upper},
                                 {"method", result.legend->method},
                                 {"error", result.legend->error},
                                 {"relative_error", result.legend->relative_error},
                                 {"error_of", result.legend->at_surface ? "surface" : "map"},
                                 {"relative_error_near_charges", result.legend->near_relative_error}};
    if (fields.size() == 1 && result.grid.size() > 0) report.grid(result.grid);
  }
  report.result = {
      {"pictures", written},
      {"frames", frames},
      {"pictures_with_kernels", std::min<std::size_t>(frames, timed_pictures)},
      {"width", width},
      {"height", height},
      {"renderer", painter.gl().renderer},
      {"opengl", painter.gl().version},
      {"software", painter.gl().software},
      {"handover", painter.path()},
      {"bytes_through_host", painter.host_bytes()},
      {"field_seconds", std::accumulate(painter.field_seconds().begin(), painter.field_seconds().end(), 0.0)},
      {"seconds_per_picture",
       {{"fields", seconds_of(painter.field_seconds())}, {"drawing", seconds_of(painter.draw_seconds())}}},
      {"fields", fields}};
  if (const PathReport* path = painter.path_report()) report.result["path_tracing"] = json_of(*path);
}

std::string drawn_by(const Painter& painter) {
  const PathReport* const path = painter.path_report();
  if (!path) return painter.gl().renderer;
  const std::string error =
      path->samples > 1 ? fmt::format("standard error {:.2g} of white", path->standard_error) : "of unknown error";
  const std::string smoothed = path->denoiser.empty() ? "" : ", denoised by " + path->denoiser;
  return fmt::format("path tracing on {}: {} samples, {:.3g} million rays in {:.3g} s, {}{}", path->device,
                     path->samples, static_cast<double>(path->rays) / 1e6, path->build_seconds + path->trace_seconds,
                     error, smoothed);
}

void note_left_out(Run& run, const Painter& painter) {
  if (const PathReport* const path = painter.path_report())
    for (const std::string& note : path->notes) run.say("note: " + note);
}

std::vector<std::string> check_orbitals(Run& run, const Scene& scene, Documents& documents,
                                        const std::vector<std::size_t>& frames, bool force) {
  std::vector<std::string> warnings;
  for (const Field& field : scene.fields) {
    if (field.kind != Field::Kind::orbital || !field.visible) continue;
    const auto molecule = documents.molecule(scene.molecules[field.molecule]);
    const Orbitals* last = nullptr;
    for (const std::size_t frame : frames) {
      if (molecule->orbitals.empty()) break;
      const auto orbitals = molecule->orbitals_at(std::min(frame, molecule->orbitals.size() - 1));
      if (orbitals && orbitals.get() != last) {
        const bool occupied = field.follow || names_density(field.orbital) ||
                              orbitals->orbitals[orbitals->find(field.orbital, field.spin)].occupation > 0.5;
        check_reading(run, *molecule, *orbitals, occupied, force, warnings);
      }
      last = orbitals.get();
    }
  }
  return warnings;
}

}  // namespace isolume::cli
