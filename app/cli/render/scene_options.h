// The options that make or change a scene on the command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/render/look_options.h"
#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume::cli {

struct SceneOptions {
  LookOptions look;
  std::vector<std::string> files;
  std::string selection, style, colour, surface, colour_by, background, assembly, cell;
  std::vector<std::string> orbitals;  ///< each a field of its own
  bool extremes = false;              ///< of what colours the surfaces, labelled
  std::string localise;               ///< "pipek-mezey", "boys"; empty for canonical orbitals
  Spin spin = Spin::alpha;
  bool follow = false;
  bool trust = false;   ///< opens what a session names outside its folder
  double enclosed = 0;  ///< as given: 0.9 or 90
  double isovalue = 0;
  double spacing = 0;
  double range = 0;                     ///< in the unit shown
  std::string preset{};                 ///< for a task (app/view/task_presets.h)
  double offset = 0;                    ///< angstrom, of --colour-by potential and map
  std::string method, unit;             ///< of the potential
  std::string charges;                  ///< of the potential, by name
  bool build_missing = false;           ///< side chains, with those charges
  std::string contacts, contacts_with;  ///< two groups of atoms; of the second empty: all others
  std::string map;                      ///< a file whose volume colours surfaces
  std::vector<std::string> templates;
  bool periodic = false;
  int smoothing = 0;          ///< frames on each side; 0: as the scene has it
  double mates = -1;          ///< angstrom; below 0 for none
  double probe = -1;          ///< angstrom
  std::string slice;          ///< a plane, instead of the orbitals' surfaces
  std::string surface_style;  ///< surface, mesh or points
  double opacity = -1;
  std::vector<std::string> labels;       ///< selections
  std::vector<std::string> label_texts;  ///< what is written: one for all of them, or one each
  bool tiles = false;
  bool box = false;
  std::vector<std::string> clip_planes;  ///< as clip_plane_of (app/view/clip_planes.h) reads them
  std::string clip_cuts;                 ///< what they cut
  std::vector<std::string> values;       ///< path=value
};
void add_scene_options(Verb command, SceneOptions& options);

/// The scene of a session file, or the usual look of files, with the changes that the options name. `note` receives
/// what was left out of a session file. Throws Error.
Scene scene_of(const SceneOptions& options, Documents& documents, double aspect,
               const std::function<void(const std::string&)>& note);

}  // namespace isolume::cli
