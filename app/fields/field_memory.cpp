// What the fields of a window keep on the device from frame to frame.
#include "app/fields/field_memory.h"

#include <algorithm>
#include <atomic>

#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

constexpr std::size_t block = std::size_t{1} << 14;

template <class T>
DeviceArray<T> kept_or_new(DeviceArray<T>& kept, std::size_t count, Device device, const char* what) {
  if (kept.size() == count && kept.device() == device) return std::move(kept);
  kept = {};
  return DeviceArray<T>(count, device, what);
}

}  // namespace

const DensityAtoms& FieldPlace::atoms(std::span<const DensityAtom> atoms, Job& job, Stream* stream) {
  const bool known = atoms_ && looks_.size() == atoms.size();
  std::atomic<bool> same{known};
  if (known) {
    positions_.resize(atoms.size());
    parallel_for((atoms.size() + block - 1) / block, job, "atoms", [&](std::size_t b) {
      for (std::size_t i = b * block; i < std::min(atoms.size(), (b + 1) * block); ++i) {
        positions_[i] = atoms[i].position;
        if (looks_[i] != glm::vec4(atoms[i].radius, atoms[i].colour)) same = false;
      }
    });
  }
  if (same) {
    atoms_->move(positions_, job, stream);
    return *atoms_;
  }
  if (atoms_) {
    atoms_->assign(atoms);
  } else {
    atoms_.emplace(atoms, device_);
  }
  looks_.clear();
  for (const DensityAtom& atom : atoms) looks_.emplace_back(atom.radius, atom.colour);
  return *atoms_;
}

void FieldPlace::keep_atoms(std::vector<DensityAtom> atoms) {
  constexpr std::size_t most = std::size_t{64} << 20;  // bytes that are worth their place between frames
  if (atoms.capacity() * sizeof(DensityAtom) <= most) atom_room_ = std::move(atoms);
}

DeviceArray<float> FieldPlace::values(std::size_t count) {
  return kept_or_new(values_, count, device_, "field values");
}

DeviceArray<glm::u8vec4> FieldPlace::colours(std::size_t count) {
  return kept_or_new(colours_, count, device_, "field colours");
}

DeviceArray<float> FieldPlace::scalars(std::size_t count) {
  return kept_or_new(scalars_, count, device_, "potential on the surface");
}

void FieldPlace::keep(DeviceArray<float> values, DeviceArray<glm::u8vec4> colours, DeviceArray<float> scalars) {
  values_ = std::move(values);
  colours_ = std::move(colours);
  scalars_ = std::move(scalars);
}

MarchingCubes& FieldPlace::cubes(std::size_t number, ConstValues volume, const Grid& grid,
                                 const MarchingCubesOptions& options) {
  std::optional<MarchingCubes>& cubes = cubes_.at(number);
  if (cubes) {
    cubes->reset(volume, grid, options);
  } else {
    cubes.emplace(volume, grid, options);
  }
  return *cubes;
}

}  // namespace isolume
