// Fields as lines along which they fall, instead of surfaces.
#pragma once

#include "app/fields/fields.h"
#include "compute/field_lines/field_lines.h"

namespace isolume {

/// True where a field is shown as lines: potentials and volumes that are not sliced.
bool shows_lines(const Field& field);

/// The lines of a field (compute/field_lines/field_lines.h) with their values in its unit.
struct ComputedLines {
  std::vector<FieldLine> lines;
  Grid grid;
  FieldLegend legend;  ///< colours as drawn
  std::string name;
  std::size_t predicted_bytes = 0;
};

/// Computes the field on its grid (of a potential, where its spacing is 0, on a finer one than for surfaces) on the
/// request's device, and its lines in host memory: of potentials those that leave or reach the surface of the atoms
/// that count (half an angstrom outside their radii), of volumes those through the surfaces at the isovalue; or those
/// through the places of Field::seeds that are more than an angstrom from the centres of atoms. Throws Error, also
/// where no such place is within the grid.
ComputedLines compute_lines(const FieldRequest& request, Job& job, FieldMemory* memory = nullptr);

/// The lines as a result that can be drawn: tubes coloured by the value, each with an arrow that points to lower values
/// (of a potential: the way of a positive charge).
FieldResult lines_result(const FieldRequest& request, Job& job, FieldMemory* memory);

}  // namespace isolume
