// A timeline of residues with its picture, as a thread of the pool makes it.
#include "app/window/over_time/timeline_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/models/labels.h"
#include "app/window/over_time/residue_rows.h"
#include "compute/base/device_fault.h"
#include "compute/density_maps/map_windows.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"

namespace isolume {
namespace {

/// The model of a correlation, in the first frame.
void take_model(const LineRequest& asked, TimelineRequest& request) {
  const Grid& grid = asked.map->grid;
  if (!grid.axis_aligned())
    throw Error(fmt::format("{} is on a grid that is not along x, y and z, which maps of models need", asked.map_name),
                Error::Kind::usage);
  check_resolution(request.map.resolution, grid, "a resolution of", asked.map_name);
  const Frame first = frame_at(*asked.molecule, request.frames.front());
  request.map.map = asked.map.get();
  request.map.model = usual_model_atoms(*asked.molecule->topology, first);
  if (request.map.model.empty()) throw Error("the model has no atoms but water", Error::Kind::usage);
  std::vector<glm::vec3> places;
  for (const std::uint32_t i : request.map.model) places.push_back(first.positions[i]);
  check_meeting(grid, places, asked.map_name, "move the model by Compute: Fit in map with Search all places");
}

/// The numbers of the colours, and what the axis says of them.
HeatColours colours_of(const Timeline& line, TimelineKind kind, QString& title) {
  HeatColours colours;
  title = QStringLiteral("Frame");
  if (kind == TimelineKind::structure) {
    colours.classes.assign(structure_colours().begin(), structure_colours().end());
    return colours;
  }
  double lowest = 1, largest = 0;
  for (const float value : line.values) {
    if (!std::isfinite(value)) continue;
    lowest = std::min(lowest, static_cast<double>(value));
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  QString unit = to_qt(line.unit);
  unit.replace(QLatin1String("angstrom^2"), QStringLiteral("\u00c5\u00b2"))
      .replace(QLatin1String("angstrom"), QStringLiteral("\u00c5"));
  if (!unit.isEmpty()) unit.prepend(QChar(0x202f));
  if (kind == TimelineKind::correlation) {
    // Most residues are near 1: what is seen is how far below.
    colours.low = std::clamp(std::floor(10 * lowest) / 10, 0.0, 0.9);
    title += QStringLiteral("; white %1%2 to dark 1")
                 .arg(colours.low, 0, 'g', 2)
                 .arg(lowest < 0 ? QStringLiteral(" or less") : QString());
  } else if (kind == TimelineKind::potential) {
    colours.signs = true;
    colours.high = largest > 0 ? largest : 1;
    title += QStringLiteral("; red \u2212%1 to blue %1%2").arg(colours.high, 0, 'g', 3).arg(unit);
  } else {
    colours.high = std::max(colours.high, largest);
    title += QStringLiteral("; white 0 to dark %1%2").arg(colours.high, 0, 'g', 3).arg(unit);
  }
  return colours;
}

}  // namespace

const QList<QColor>& structure_colours() {
  static const QList<QColor> colours{QColor(226, 230, 234), QColor(204, 76, 104), QColor(158, 58, 120),
                                     QColor(112, 48, 110),  QColor(237, 174, 73), QColor(140, 184, 216)};
  return colours;
}

MadeLine make_line(LineRequest asked, Job& job) {
  TimelineRequest& request = asked.request;
  request.molecule = asked.molecule.get();
  if (request.kind == TimelineKind::correlation) take_model(asked, request);
  MadeLine made;
  made.line = on_device_or_another(
      request.device,
      [&](Device on) {
        request.device = on;
        return timeline(request, job);
      },
      [](const DeviceFault&, Device) {});  // whoever computes next says so
  const Topology& topology = *request.molecule->topology;
  HeatPicture& picture = made.picture;
  picture.rows = made.line.rows.size();
  picture.columns = made.line.frames.size();
  picture.values = made.line.values;
  std::vector<std::uint32_t> residues;
  for (const TimelineRow& row : made.line.rows) residues.push_back(row.residue);
  picture.row_names = residue_titles(topology, residues);
  picture.breaks = chain_breaks(topology, residues);
  for (const std::size_t frame : made.line.frames) picture.column_names += QString::number(frame);
  draw_heat(picture, colours_of(made.line, request.kind, picture.x));
  return made;
}

}  // namespace isolume
