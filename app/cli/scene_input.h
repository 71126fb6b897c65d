// A session in the place of a structure: its molecule, and the names of its selections.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/molecule.h"

namespace CLI {
class App;
}

namespace isolume::cli {

/// By name, and of JSON files, which may hold other things, by content.
bool is_scene(const std::string& path);

/// What "session.isolume" (of one molecule) or "session.isolume#molecule=1" (from 0) means.
struct SceneInput {
  std::string file;
  Scene scene;
  std::uint32_t molecule = 0;
};
/// Empty where none of the files is a scene. Throws Error (usage) where other files are with it, where it has not such
/// a molecule, or where it names files outside its folder.
std::optional<SceneInput> scene_input(const std::vector<std::string>& files);

/// The files behind a path on the command line: itself, or a session and those of its molecule. Throws as
/// scene_input().
std::vector<std::string> files_of_input(const std::string& path);

/// Whether sessions may name files outside their folders: --trust-paths of the one command of the program.
bool& sessions_trusted();

/// The molecule of a scene entry as the scene has it: its charges, cell, assembly and place.
std::shared_ptr<const Molecule> scene_molecule(SceneMolecule entry);

/// Writes out the named selections (@name) in the options of a command that was parsed: those of the session among its
/// files. Throws Error (usage) that says where names come from where there is no session.
void write_out_names(CLI::App& command);

}  // namespace isolume::cli
