// Nothing that the window writes replaces a file that it shows.
#include "app/window/live/check_export.h"

#include <string>
#include <vector>

#include "formats/bytes/input_files.h"

namespace isolume {

void check_export(const QString& path, const Scene& scene) {
  std::vector<std::string> inputs;
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      inputs.insert(inputs.end(), paths->begin(), paths->end());
  check_outputs({path.toStdString()}, inputs);
}

}  // namespace isolume
