// Scenes as MolViewSpec files.
#pragma once

#include <string>
#include <vector>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A scene as MolViewSpec (version 1, https://molstar.org/mol-view-spec-docs): the structure files with their paths
/// relative to the file's folder, the model or assembly, moves, representations and surfaces of atoms with their
/// selections as words or as chains, ranges of residues and atoms, single colours, elements and chains, opacity, texts,
/// clipping planes, camera and background. `left_out`: a sentence for each thing that the format has no place for.
struct MolViewSpec {
  std::string json;
  std::vector<std::string> left_out;
};

/// For a file in `folder`. Throws Error, of structures that cannot be read and of scenes that leave nothing to write.
MolViewSpec molviewspec_of(const Scene& scene, Documents& documents, const std::string& folder);

/// Writes it as a file of `folder`, the path's own where none is given; the sentences of what is left out.
std::vector<std::string> write_molviewspec(const std::string& path, const Scene& scene, Documents& documents,
                                           const std::string& folder = "");

}  // namespace isolume
