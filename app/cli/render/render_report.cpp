// The report of pictures that were drawn.
#include "app/cli/render/render_report.h"

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
