// Distances, angles and dihedrals of a scene: their values and their drawing.
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

/// A line from a to b with ticks across it, which are seen from all sides, and numbers at the longer ones.
MeasurementDrawing draw_ruler(glm::dvec3 a, glm::dvec3 b, glm::u8vec4 colour) {
  const double length = glm::distance(a, b);
  MeasurementDrawing result;
  result.label = {glm::vec3(b), measurement_text(2, length)};
  if (!(length > 0)) return result;
  const glm::dvec3 along = (b - a) / length;
  const glm::dvec3 side =
      glm::normalize(glm::cross(along, std::abs(along.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0)));
  const glm::dvec3 other = glm::cross(along, side);
  const RulerSteps steps = ruler_steps(length);
  const double half = std::clamp(0.012 * length, 0.04, 1.0);
  Dashes lines;
  lines.segment(a, b, colour);
  const auto tick = [&](double at, double reach) {
    const glm::dvec3 place = a + at * along;
    lines.segment(place - reach * side, place + reach * side, colour);
    lines.segment(place - reach * other, place + reach * other, colour);
  };
  const auto every = static_cast<long>(std::lround(steps.number / steps.tick));
  const auto last = static_cast<long>(std::floor(length / steps.tick + 1e-6));
  for (long i = 0; i <= last; ++i) {
    const double at = static_cast<double>(i) * steps.tick;
    const bool numbered = i % every == 0;
    tick(at, numbered ? 2 * half : half);
    if (numbered && i > 0 && length - at > 0.4 * steps.number)
      result.ticks.push_back({glm::vec3(a + at * along), fmt::format("{:g}", at)});
  }
  tick(length, 2 * half);
  result.lines = std::move(lines).item();
  return result;
}

}  // namespace

RulerSteps ruler_steps(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(length, 1e-6) / 8)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (length / (factor * power) <= 8) return {factor * power / (factor == 2 ? 4 : 5), factor * power};
  return {2 * power, 10 * power};
}

const char* measurement_name(const Measurement& measurement) {
  const std::size_t atoms = ends_of(measurement);
  return measurement.ruler && atoms == 2 ? "ruler" : measurement_name(atoms);
}

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
  for (const ScenePoint& point : measurement.points) points.push_back(point.position);
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
                                    const std::string& name, std::span<const glm::dvec3> drawn) {
  MeasurementDrawing result;
  if (points.empty()) return result;
  if (drawn.size() != points.size()) drawn = points;
  if (points.size() == 1) {
    result.label = {glm::vec3(drawn[0]), name};
    return result;
  }
  if (measurement.ruler && points.size() == 2) return draw_ruler(drawn[0], drawn[1], measurement.colour);
  Dashes dashes;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) dashes.line(drawn[i], drawn[i + 1], measurement.colour);
  glm::dvec3 place = 0.5 * (drawn[0] + drawn[1]);
  if (points.size() == 3) {
    add_arc(dashes, drawn[1], drawn[0], drawn[2], measurement.colour);
    place = drawn[1] + 0.3 * (0.5 * (drawn[0] + drawn[2]) - drawn[1]);
  } else if (points.size() == 4) {
    place = 0.5 * (drawn[1] + drawn[2]);
  }
  result.lines = std::move(dashes).item();
  result.label = {glm::vec3(place), measurement_text(points.size(), measured(points))};
  return result;
}

}  // namespace isolume
