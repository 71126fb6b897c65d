// The things of a scene as files: atoms and frames, volumes, the values of fields, and the surfaces of fields and
// representations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/documents/documents.h"
#include "compute/base/device.h"
#include "compute/base/job.h"

namespace isolume {

/// One thing that can be written.
struct DataSource {
  enum class Kind : std::uint8_t { molecule, volume, field, representation };
  Kind kind = Kind::molecule;
  std::size_t molecule = 0;  ///< index into Scene::molecules
  std::size_t index = 0;     ///< of the volume in the molecule, or of the field or representation in the scene
  std::string title;         ///< "1hpv.pdb, 1 631 atoms"; fields and representations have none, the window names them
  std::string extensions;    ///< that it can be written as, without dots, separated by spaces, the usual one first

  bool takes(std::string_view extension) const;
  /// Whether a file of this extension gets triangles of it, and whether atoms and frames.
  bool makes_mesh(std::string_view extension) const;
  bool makes_atoms(std::string_view extension) const;
};

/// All that a scene can be written as; molecules that are not loaded are left out.
std::vector<DataSource> data_sources(const Scene& scene, const Documents& documents);

/// What goes into the file.
struct DataExport {
  DataSource source;
  std::string path;               ///< its extension decides the format
  std::string selection = "all";  ///< of a molecule: its atoms; a representation has its own
  std::string folder{};           ///< for the paths in the scene that the file carries; empty: the file's own
  /// Of atoms: frames `first` to `last`, every `step`-th; last is included.
  std::size_t first = 0, last = 0, step = 1;
};

/// Writes it as the scene shows it: whole molecules, superposed frames, the colours and the isovalue of a surface, in
/// the frame of the scene. Mesh formats get surfaces, and representations as triangles (solid_mesh.h) without clipping
/// planes; the others values, of representations the atoms. Returns what was written, "1 631 atoms, 10 frames". Throws
/// Error (usage) for a format that cannot hold it, a selection of nothing, a field without a surface there, and a path
/// that is a file of the scene; nothing is written then.
std::string export_data(const Scene& scene, Documents& documents, const DataExport& what, Device device, Job& job);

}  // namespace isolume
