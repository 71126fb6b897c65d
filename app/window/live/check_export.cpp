// Refuses exports that would overwrite a file of the scene.
#include "app/window/live/check_export.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "app/scene/path_part.h"
#include "formats/bytes/input_files.h"

namespace isolume {

void check_export(const QString& path, const Scene& scene) {
  std::vector<std::string> inputs;
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      std::transform(paths->begin(), paths->end(), std::back_inserter(inputs), file_of);
  check_outputs({path.toStdString()}, inputs);
}

}  // namespace isolume
