// Atoms as Gaussian densities take them: checks, and the way of new positions to a device.
#include "compute/density/density_atoms.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"

namespace isolume {

namespace {
constexpr std::size_t block = std::size_t{1} << 13;  // atoms that a thread copies
constexpr std::size_t least = std::size_t{1} << 16;  // atoms that are copied while those before travel, at least
}  // namespace

DensityAtomView view_of(std::span<const DensityAtom> atoms) {
  DensityAtomView view;
  if (atoms.empty()) return view;
  static_assert(sizeof(DensityAtom) == 7 * sizeof(float));
  view.positions = &atoms[0].position.x;
  view.looks = &atoms[0].radius;
  view.count = atoms.size();
  view.position_stride = view.look_stride = 7;
  for (const DensityAtom& atom : atoms) view.largest_radius = std::max(view.largest_radius, atom.radius);
  return view;
}

void check_density_atoms(std::span<const DensityAtom> atoms) {
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const DensityAtom& a = atoms[i];
    if (a.radius > 0 && std::isfinite(a.radius + a.position.x + a.position.y + a.position.z)) continue;
    throw Error(fmt::format("atom {}: a radius above 0 and finite coordinates are needed, not {} at ({}, {}, {})",
                            i + 1, a.radius, a.position.x, a.position.y, a.position.z),
                Error::Kind::usage);
  }
}

DensityAtoms::DensityAtoms(std::span<const DensityAtom> atoms, Device device) : device_(device) {
  assign(atoms);
}

void DensityAtoms::assign(std::span<const DensityAtom> atoms) {
  check_density_atoms(atoms);
  std::vector<glm::vec3> positions(atoms.size());
  std::vector<glm::vec4> looks(atoms.size());
  largest_radius_ = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    positions[i] = atoms[i].position;
    looks[i] = {atoms[i].radius, atoms[i].colour};
    largest_radius_ = std::max(largest_radius_, atoms[i].radius);
  }
  count_ = 0;
  if (atoms.empty()) return;
  glm::vec3* to = positions_.room(atoms.size(), device_, "positions of atoms");
  copy_memory(to, device_, positions.data(), Device::cpu(), positions.size() * sizeof(glm::vec3));
  glm::vec4* look = looks_.room(atoms.size(), device_, "radii and colours of atoms");
  copy_memory(look, device_, looks.data(), Device::cpu(), looks.size() * sizeof(glm::vec4));
  count_ = atoms.size();
}

void DensityAtoms::move(std::span<const glm::vec3> positions, Job& job, Stream* into) {
  if (positions.size() != count_) {
    throw Error(fmt::format("{} positions for {} atoms", positions.size(), count_), Error::Kind::usage);
  }
  if (count_ == 0) return;
  const PhaseTimer timer("positions of atoms");
  const auto copy = [&](glm::vec3* to, std::size_t begin, std::size_t end) {
    parallel_for((end - begin + block - 1) / block, job, "positions of atoms", [&](std::size_t b) {
      const std::size_t from = begin + b * block;
      std::memcpy(to + from, positions.data() + from, std::min(block, end - from) * sizeof(glm::vec3));
    });
  };
  if (!device_.is_cuda()) return copy(positions_.data(), 0, count_);
  std::optional<Stream> own;
  if (!into) own.emplace(device_);
  Stream& stream = into ? *into : *own;
  glm::vec3* staging = staging_.room(count_, device_, "positions of atoms");
  const std::size_t piece = std::max(least, (count_ + 3) / 4);
  for (std::size_t begin = 0; begin < count_; begin += piece) {
    const std::size_t end = std::min(count_, begin + piece);
    copy(staging, begin, end);
    cuda_check(cuda_api().copy(positions_.data() + begin, staging + begin, (end - begin) * sizeof(glm::vec3),
                               CudaApi::host_to_device, stream.handle()),
               "positions of atoms");
  }
  if (own) own->synchronize("positions of atoms");
}

DensityAtomView DensityAtoms::view() const {
  DensityAtomView view;
  view.positions = reinterpret_cast<const float*>(positions_.data());
  view.looks = reinterpret_cast<const float*>(looks_.data());
  view.count = count_;
  view.largest_radius = largest_radius_;
  return view;
}

}  // namespace isolume
