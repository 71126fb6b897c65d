// Reading several files into as few molecules as they make.
#include "formats/read.h"

#include "molecule/error.h"

namespace isolume {

std::vector<Molecule> read_files(const std::vector<std::string>& paths, const ReadLimits& limits) {
  std::vector<Molecule> molecules;
  for (const std::string& path : paths) molecules.push_back(read_file(path, limits));
  return molecules;
}

}  // namespace isolume
