// Reading any file: the format is found by content, then by extension.
#include "formats/read.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

#include "formats/bytes/opened_files.h"
#include "formats/bytes/text.h"
#include "formats/complete.h"
#include "formats/foreign_formats.h"
#include "formats/kept_files.h"
#include "formats/orbitals/cjson.h"
#include "formats/orbitals/fchk.h"
#include "formats/orbitals/gamess.h"
#include "formats/orbitals/gaussian_log.h"
#include "formats/orbitals/molden.h"
#include "formats/orbitals/orbital_sequence.h"
#include "formats/orbitals/orca_json.h"
#include "formats/orbitals/qcschema.h"
#include "formats/orbitals/wfn.h"
#include "formats/structures/bcif.h"
#include "formats/structures/gro.h"
#include "formats/structures/mmcif.h"
#include "formats/structures/mol2.h"
#include "formats/structures/npy.h"
#include "formats/structures/pdb.h"
#include "formats/structures/pqr.h"
#include "formats/structures/sdf.h"
#include "formats/structures/xyz.h"
#include "formats/topologies/charmm_crd.h"
#include "formats/topologies/charmm_parameters.h"
#include "formats/topologies/gromacs_topology.h"
#include "formats/topologies/prmtop.h"
#include "formats/topologies/psf.h"
#include "formats/trajectories/amber_netcdf.h"
#include "formats/trajectories/amber_restart.h"
#include "formats/trajectories/dcd.h"
#include "formats/trajectories/namd_coordinates.h"
#include "formats/trajectories/trr.h"
#include "formats/trajectories/xtc.h"
#include "formats/volumes/ccp4.h"
#include "formats/volumes/cube.h"
#include "formats/volumes/dx.h"
#include "molecule/base/error.h"
#include "molecule/base/work_part.h"

// One include and one line in the table for each format.

namespace isolume {

const std::vector<Format>& formats() {
  // clang-format off
  static const std::vector<Format> table = {
      // structures
      pdb_format,
      pdbqt_format,
      mmcif_format,
      bcif_format,
      pqr_format,
      gro_format,
      xyz_format,
      psf_format,
      prmtop_format,
      gromacs_topology_format,
      mol2_format,
      sdf_format,
      npy_format,
      // trajectories
      dcd_format,
      xtc_format,
      trr_format,
      amber_netcdf_format,
      amber_restart_format,
      charmm_crd_format,  // after the other with its extension
      namd_coordinates_format,
      namd_velocities_format,  // after the other with its content
      // orbitals
      molden_format,
      fchk_format,
      gamess_format,
      gaussian_log_format,
      wfn_format,
      wfx_format,
      qcschema_format,
      cjson_format,
      orca_json_format,
      // parameters
      charmm_parameters_format,
      // volumes
      ccp4_format,
      cube_format,
      dx_format,
  };
  // clang-format on
  return table;
}

namespace {

bool has_extension(const Format& format, std::string_view name) {
  std::string_view rest = format.extensions;
  for (std::string_view extension = next_token(rest); !extension.empty(); extension = next_token(rest)) {
    if (name.size() > extension.size() && name.ends_with(extension) && name[name.size() - extension.size() - 1] == '.')
      return true;
  }
  return false;
}

std::string all_formats() {
  std::string list;
  for (const Format& format : formats()) list += (list.empty() ? "" : ", ") + std::string(format.name);
  return list;
}

}  // namespace

const Format& detect_format(const ByteSource& source) {
  if (source.bytes().empty()) throw Error::in_file(source.name(), 0, "the file is empty");
  constexpr int sure = 80;
  constexpr int likely = 50;
  constexpr int guess = 30;
  const std::string name = source.base_name();
  const Format* best = nullptr;
  const Format* by_extension = nullptr;
  int best_score = 0;
  int extension_score = -1;
  for (const Format& format : formats()) {
    const int score = format.sniff(source);
    if (score > best_score) {
      best = &format;
      best_score = score;
    }
    if (score > extension_score && has_extension(format, name)) {
      by_extension = &format;
      extension_score = score;
    }
  }
  if (best_score >= sure) {
    // Of two equally sure, the one whose extension it is (cube and XYZ may look alike).
    return extension_score == best_score ? *by_extension : *best;
  }
  if (const std::string foreign = foreign_format(source); !foreign.empty()) {
    throw Error::in_file(source.name(), 0, foreign);
  }
  if (by_extension && (extension_score > 0 || best_score < likely)) return *by_extension;
  if (best_score >= guess) return *best;
  throw Error::in_file(source.name(), 0, "neither content nor extension is of a known format (" + all_formats() + ")");
}

namespace {

/// Frames of a file that may be cut short by another program while it is open. The last one that was decoded is kept,
/// unless it is in memory anyway: bonds, the camera, the picture and counts all ask for the same.
class WatchedTrajectory final : public Trajectory {
 public:
  WatchedTrajectory(std::shared_ptr<const Trajectory> frames, std::shared_ptr<const ByteSource> source)
      : frames_(std::move(frames)), source_(std::move(source)) {}
  std::size_t frame_count() const override { return frames_->frame_count(); }
  std::size_t atom_count() const override { return frames_->atom_count(); }
  bool holds(std::size_t index) const override { return frames_->holds(index); }
  Frame frame(std::size_t index) const override {
    if (frames_->holds(index)) {
      source_->check_whole();
      return frames_->frame(index);
    }
    std::shared_ptr<const Frame> kept;
    {
      const std::lock_guard lock(mutex_);
      if (kept_ && kept_index_ == index) kept = kept_;
    }
    try {
      if (!kept) kept = std::make_shared<const Frame>(frames_->frame(index));
      source_->check_whole();
      {
        const std::lock_guard lock(mutex_);
        kept_ = kept;
        kept_index_ = index;
      }
      return *kept;
    } catch (const Error&) {
      source_->check_whole();  // rather than what the reader made of the zeros
      throw;
    }
  }
  Frame leading_frame(std::size_t index, std::size_t atoms) const override {
    if (atoms >= atom_count()) return frame(index);
    try {
      Frame frame = frames_->leading_frame(index, atoms);
      source_->check_whole();
      return frame;
    } catch (const Error&) {
      source_->check_whole();
      throw;
    }
  }

 private:
  std::shared_ptr<const Trajectory> frames_;
  std::shared_ptr<const ByteSource> source_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Frame> kept_;
  mutable std::size_t kept_index_ = 0;
};

}  // namespace

Molecule read_source(std::shared_ptr<const ByteSource> source) {
  Molecule molecule;
  try {
    const Format& format = detect_format(*source);
    const WorkPart part(0, 0.8);
    molecule = format.read(source);
    if (molecule.format.empty()) molecule.format = format.name;
  } catch (const Error&) {
    source->check_whole();
    throw;
  }
  source->check_whole();
  check_one_basis(molecule, source->name());
  // Data already in memory are as they were read.
  const bool in_memory = std::dynamic_pointer_cast<const MemoryTrajectory>(molecule.trajectory) != nullptr ||
                         (molecule.trajectory && only_velocities(*molecule.trajectory));
  if (molecule.trajectory && !in_memory)
    molecule.trajectory = std::make_shared<WatchedTrajectory>(std::move(molecule.trajectory), std::move(source));
  const WorkPart part(0.8, 1);
  complete(molecule);
  return molecule;
}

Molecule read_file(const std::string& path, const ReadLimits& limits) {
  std::shared_ptr<const ByteSource> source;
  const double unpacked = path.ends_with(".gz") ? 0.3 : 0.0;
  {
    const WorkPart part(0, unpacked);
    source = ByteSource::open(path, limits);
  }
  if (std::optional<Molecule> kept = kept_molecule(*source)) return *std::move(kept);
  const WorkPart part(unpacked, 1);
  std::shared_ptr<const ByteSource> copy = copy_to_keep(*source);
  const std::uint64_t before = times_opened();
  Molecule molecule = read_source(copy ? copy : std::move(source));
  molecule.paths = {path};
  // What other files are part of, as those that a topology includes, follows from more than the bytes of this one.
  if (copy && times_opened() == before) keep_molecule(std::move(copy), molecule);
  return molecule;
}

}  // namespace isolume
