// A timeline of residues with its picture, as a thread of the pool makes it.
#pragma once

#include <QColor>
#include <QList>
#include <memory>
#include <string>

#include "app/window/over_time/heat_map.h"
#include "compute/timeline/timeline.h"
#include "molecule/molecule.h"

namespace isolume {

/// What the thread is asked: values only. Pointers of `request` are filled in there.
struct LineRequest {
  TimelineRequest request;
  std::shared_ptr<const Molecule> molecule;
  std::shared_ptr<const Volume> map;  ///< of correlations, with its name
  std::string map_name;
};

struct MadeLine {
  Timeline line;
  HeatPicture picture;
};

/// Of SecondaryStructure by its number, as cartoons are coloured.
const QList<QColor>& structure_colours();

/// Computes on the device of the request, or on another where that fails. Throws Error as timeline(); of a correlation
/// with a map also (usage) before work where the map's points cannot hold the resolution, or map and model do not meet.
MadeLine make_line(LineRequest asked, Job& job);

}  // namespace isolume
