// Writing files: whole or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "molecule/mesh.h"
#include "molecule/molecule.h"

namespace isolume {

/// Writes a file next to its place and renames it when complete (fsync, rename): the target is the old file or the new
/// one, never a mixture. `write` fills the stream; an exception leaves the old file as it was.
void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Writes frames one after another; the file appears when finish() is called and not before.
class TrajectoryWriter {
 public:
  virtual ~TrajectoryWriter() = default;
  virtual void add(const Frame& frame) = 0;
  virtual void finish() = 0;
};

/// A writer by extension (pdb, pqr, gro, xyz, dcd; each optionally .gz for text). `atoms` selects which atoms of
/// `molecule` are written (empty: all). Throws Error (usage) that lists the extensions it knows.
std::unique_ptr<TrajectoryWriter> create_writer(const std::string& path, const Molecule& molecule,
                                                std::vector<std::uint32_t> atoms = {});

/// A DCD that is at its place from its first frame on and whole after each: for runs that somebody watches, and that
/// may be stopped. Its name replaces an older file when the first frame is added.
std::unique_ptr<TrajectoryWriter> create_growing_dcd(const std::string& path, const Molecule& molecule);

/// A volume whose values lie anywhere, in a mapped file too.
struct VolumeView {
  Grid grid;
  std::span<const float> values;  ///< grid.size(), x fastest
  std::string name, unit;

  VolumeView(const Grid& grid_, std::span<const float> values_, std::string name_, std::string unit_)
      : grid(grid_), values(values_), name(std::move(name_)), unit(std::move(unit_)) {}
  VolumeView(const Volume& volume)  // NOLINT: what takes a view takes a volume
      : VolumeView(volume.grid, volume.values, volume.name, volume.unit) {}
};

/// Writes a volume by extension: cube (with atoms where given), dx, mrc, map, ccp4, vdb. `comment` is one line that
/// says how it was made. A grid that the format cannot hold (a non-orthogonal DX is fine, a skewed origin in MRC is
/// not) is an Error. Cube and DX, which have z fastest, take 32 MiB and a sixteenth of the values' bytes, or 64 MiB;
/// the others next to none.
void write_volume(const std::string& path, const VolumeView& volume, const Molecule* atoms = nullptr,
                  std::size_t frame = 0, const std::string& comment = {});

/// Writes a mesh by extension: ply (binary, with normals, colours and scalars), obj (with its colours in an .mtl next
/// to it), stl (shape alone), x3d (with normals and colours), glb (with all, see write_glb.h). `comment` is one line,
/// `made` a JSON object that says how it was made, kept in all but stl.
void write_mesh(const std::string& path, const Mesh& mesh, const std::string& comment = {},
                const std::string& made = {});

}  // namespace isolume
