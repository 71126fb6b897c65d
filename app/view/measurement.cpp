// Distances, angles and dihedrals of a scene: their values, and what is drawn of them.
#include "app/view/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/documents/frames.h"
#include "app/view/dashes.h"

namespace isolume {
namespace {

/// The arc of the angle at `centre` between the ways to a and b.
void add_arc(Dashes& dashes, glm::dvec3 centre, glm::dvec3 a, glm::dvec3 b, glm::u8vec4 colour) {
  const glm::dvec3 u = a - centre, v = b - centre;
  const double radius = 0.4 * std::min(glm::length(u), glm::length(v));
  const double angle = glm::radians(angle_between(u, v));
  const glm::dvec3 side = v - u * (glm::dot(u, v) / glm::dot(u, u));
  if (!(radius > 0) || !(glm::length(side) > 1e-9 * glm::length(v))) return;
  constexpr int segments = 24;
  const auto at = [&](int i) {
    const double t = angle * i / segments;
    return centre + radius * (std::cos(t) * glm::normalize(u) + std::sin(t) * glm::normalize(side));
  };
  for (int i = 0; i < segments; ++i) dashes.segment(at(i), at(i + 1), colour);
}

}  // namespace

const char* measurement_name(std::size_t atoms) {
  constexpr const char* names[] = {"", "atom", "distance", "angle", "dihedral"};
  return atoms < std::size(names) ? names[atoms] : "";
}

const char* measurement_unit(std::size_t atoms) {
  return atoms == 2 ? "angstrom" : atoms > 2 ? "degrees" : "";
}

std::string measurement_text(std::size_t atoms, double value) {
  if (!std::isfinite(value)) return "n/a";
  return atoms == 2 ? fmt::format("{:.2f} \u00c5", value) : fmt::format("{:.1f}\u00b0", value);
}

std::vector<glm::dvec3> measured_points(const Measurement& measurement, const Scene& scene, Documents& documents,
                                        std::size_t frame) {
  std::vector<glm::dvec3> points;
  std::map<std::uint32_t, Frame> frames;  // each is decoded once
  for (const SceneAtom& atom : measurement.atoms) {
    if (atom.molecule >= scene.molecules.size()) return {};
    auto found = frames.find(atom.molecule);
    if (found == frames.end()) {
      const auto molecule = documents.molecule(scene.molecules[atom.molecule]);
      found = frames.emplace(atom.molecule, frame_at(*molecule, frame)).first;
    }
    if (atom.atom >= found->second.positions.size()) return {};
    points.emplace_back(found->second.positions[atom.atom]);
  }
  return points;
}

std::vector<double> measured_over_frames(const Measurement& measurement, const Scene& scene, Documents& documents,
                                         Job& job) {
  const std::size_t count = frame_count(scene, documents);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    job.check();
    values.push_back(measured(measured_points(measurement, scene, documents, i)));
    job.progress(double(i + 1) / double(count));
  }
  return values;
}

MeasurementDrawing draw_measurement(const Measurement& measurement, std::span<const glm::dvec3> points,
                                    const std::string& name) {
  MeasurementDrawing result;
  if (points.empty()) return result;
  if (points.size() == 1) {
    result.label = {glm::vec3(points[0]), name};
    return result;
  }
  Dashes dashes;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) dashes.line(points[i], points[i + 1], measurement.colour);
  glm::dvec3 place = 0.5 * (points[0] + points[1]);
  if (points.size() == 3) {
    add_arc(dashes, points[1], points[0], points[2], measurement.colour);
    place = points[1] + 0.3 * (0.5 * (points[0] + points[2]) - points[1]);
  } else if (points.size() == 4) {
    place = 0.5 * (points[1] + points[2]);
  }
  result.lines = std::move(dashes).item();
  result.label = {glm::vec3(place), measurement_text(points.size(), measured(points))};
  return result;
}

}  // namespace isolume
