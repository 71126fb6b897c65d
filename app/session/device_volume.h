// The scalar field of a request where it was computed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/session/fields.h"
#include "compute/device_array.h"
#include "compute/potential/direct.h"

namespace isolume {

/// Values (and colours for a gaussian field that is coloured by its atoms or by the potential) on the device of the
/// request.
struct DeviceVolume {
  Grid grid;
  DeviceArray<float> values;
  DeviceArray<glm::vec3> colours;
  std::string name, unit;
  std::optional<FieldLegend> legend;
  std::optional<ShownOrbital> orbital;
  int sign = 1;  ///< factor of the values: -1 where an orbital that is followed has turned its phase over
};

/// Predicts the bytes, refuses what does not fit, and computes. Throws Error. The values of an orbital that is followed
/// are still to be multiplied by `sign`.
DeviceVolume compute_on_device(const FieldRequest& request, Job& job);

/// The grid that compute_on_device() uses, and the bytes of the device that it takes (values, colours, workspace).
struct FieldPlan {
  Grid grid;
  std::size_t bytes = 0;
};
FieldPlan plan_field(const FieldRequest& request);

/// True for an orbital in a frame without orbitals of a molecule that has some in other frames: it is shown without.
bool shows_nothing(const FieldRequest& request);

/// The charges of a request for a potential: those of the selected atoms, of alternate locations the first. Throws
/// Error (usage) where the file has none.
std::vector<PointCharge> point_charges(const FieldRequest& request);
/// The radii (angstrom) of the same atoms: the file's, else van der Waals radii.
std::vector<float> charge_radii(const FieldRequest& request);

}  // namespace isolume
