// Molecules that are in no file: frames of a running simulation, maps that were averaged over frames.
#pragma once

#include <memory>
#include <string>

#include "molecule/molecule.h"

namespace isolume {

/// From here on the path (PathPart::Kind::stream, average or fit) stands for this molecule in the whole program,
/// instead of the one before: Documents::reload() shows it. Any thread may call.
void hold_molecule(const std::string& path, std::shared_ptr<const Molecule> molecule);
/// What the path stands for; null where nothing is held, as in a session that is opened later.
std::shared_ptr<const Molecule> held_molecule(const std::string& path);
/// Gives the memory back, as far as no scene shows it.
void release_molecule(const std::string& path);

}  // namespace isolume
