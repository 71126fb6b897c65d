// The options of the command line for the appearance of a scene, not for its contents.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "app/scene/scene.h"

namespace isolume::cli {

struct LookOptions {
  std::string material;         ///< of all representations and fields
  std::string outline;          ///< of all representations: "on", "off", or a colour and perhaps a width
  std::string surface_outline;  ///< of all fields
  std::string images;           ///< "2x2x1": periodic images of every molecule
  std::string map_copies;       ///< "1x1x0": of every volume, to each side
  std::string legends;          ///< "scales", "all", "none"
  std::string scale_bar;        ///< "angstrom", "nm"
  double text_points = 0;       ///< size of letters; 0: by the picture's height
  bool cloud = false;           ///< orbitals, potentials and volumes by volume rendering
  std::string lines_from;       ///< where field lines go through
  bool interatomic = false;     ///< the surfaces between atoms with them
  bool bond_paths = false;      ///< electron densities as critical points and bond paths
  int field_lines = 0;          ///< potentials and volumes as so many lines at most; 0: not
  bool shadows = false;
  double depth_of_field = 0;  ///< percent of the picture's height
};

void add_look_options(Verb command, LookOptions& options);

/// Throws Error (usage) that names what there is.
void apply_look(Scene& scene, const LookOptions& options);

}  // namespace isolume::cli
