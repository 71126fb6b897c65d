// Residue templates from files.
#include "formats/read_templates.h"

#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

void add(ResidueTemplates& templates, const std::vector<std::string>& paths) {
  const std::vector<Molecule> read = read_files(paths);
  if (read.size() != 1)
    throw Error("templates: " + paths.front() + " and what belongs to it make " + std::to_string(read.size()) +
                    " structures; expected a topology with its coordinates, or PQR files",
                Error::Kind::input);
  templates.add(read.front());
}

}  // namespace

ResidueTemplates read_templates(const std::vector<std::string>& paths) {
  ResidueTemplates templates;
  std::vector<std::string> together;
  for (const std::string& path : paths) {
    if (path.ends_with(".pqr") || path.ends_with(".pqr.gz")) {
      add(templates, {path});
    } else {
      together.push_back(path);
    }
  }
  if (!together.empty()) add(templates, together);
  return templates;
}

}  // namespace isolume
