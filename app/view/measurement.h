// Distances, angles and dihedrals of a scene: their values and their drawing.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"
#include "compute/analysis/points_measure.h"
#include "compute/base/job.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Atoms and points.
inline std::size_t ends_of(const Measurement& measurement) {
  return measurement.atoms.size() + measurement.points.size();
}
/// "distance", "angle", "dihedral", "atom": by the number of atoms.
const char* measurement_name(std::size_t atoms);
/// The same, "ruler" for one that is.
const char* measurement_name(const Measurement& measurement);
/// "angstrom" or "degrees", "" for one atom.
const char* measurement_unit(std::size_t atoms);
/// "3.21 Å", "109.5°", "n/a" where there is no value.
std::string measurement_text(std::size_t atoms, double value);

/// The positions of a measurement's atoms at a frame of the scene, then its points; empty where one is not there.
std::vector<glm::dvec3> measured_points(const Measurement& measurement, const Scene& scene, Documents& documents,
                                        std::size_t frame);

/// The value in every frame of the scene. Throws Error (cancelled).
std::vector<double> measured_over_frames(const Measurement& measurement, const Scene& scene, Documents& documents,
                                         Job& job);

/// The drawing of one measurement: dashed lines, an arc at the vertex of an angle, and the text next to it; of a
/// ruler a line with ticks and the numbers at the longer ones, its length at the end. Lines are null for one atom.
struct MeasurementDrawing {
  std::shared_ptr<const DrawItem> lines;
  Label label;
  std::vector<Label> ticks{};  ///< of a ruler
};

/// Angstrom between the ticks of a ruler of this length and between those with numbers: 1, 2 or 5 times a power of ten,
/// at most eight numbers.
struct RulerSteps {
  double tick = 0, number = 0;
};
RulerSteps ruler_steps(double length);
/// `drawn`: where its ends are drawn, if not at the `points` that are measured.
MeasurementDrawing draw_measurement(const Measurement& measurement, std::span<const glm::dvec3> points,
                                    const std::string& name, std::span<const glm::dvec3> drawn = {});

}  // namespace isolume
