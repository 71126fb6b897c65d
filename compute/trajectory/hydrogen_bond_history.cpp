// The hydrogen bonds of each frame.
#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <optional>
#include <unordered_map>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/frames/frame_bonds.h"
#include "compute/trajectory/hydrogen_bond_lifetimes.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t frames_at_once = 32;  // frames that are searched at once

constexpr std::size_t batch_bytes = std::size_t{64} << 20;  // of their points on a CUDA device

float angle_at(const Frame& frame, const HydrogenBond& bond) {
  if (bond.hydrogen == bond.donor) return NAN;
  const glm::dvec3 at(frame.positions[bond.hydrogen]);
  const glm::dvec3 p = glm::normalize(glm::dvec3(frame.positions[bond.donor]) - at);
  const glm::dvec3 q = glm::normalize(glm::dvec3(frame.positions[bond.acceptor]) - at);
  return static_cast<float>(glm::degrees(std::acos(std::clamp(glm::dot(p, q), -1.0, 1.0))));
}

struct Found {
  std::vector<HydrogenBond> bonds;
  std::vector<float> angles;

  void add_angles(const Frame& frame) {
    angles.clear();
    for (const HydrogenBond& bond : bonds) angles.push_back(angle_at(frame, bond));
  }
};

// Histories while frames are added one after another.
class Histories {
 public:
  void add(std::size_t place, std::uint64_t pair, std::uint32_t hydrogen, double distance, double angle) {
    const auto [at, fresh] = places_.emplace(pair, all_.size());
    if (fresh) {
      all_.push_back({static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair), hydrogen, {}, 0, 0});
      bytes_ += sizeof(HydrogenBondHistory) + 64;
    }
    HydrogenBondHistory& history = all_[at->second];
    history.frames.push_back(static_cast<std::uint32_t>(place));
    history.distance += distance;
    history.angle += angle;
    bytes_ += 2 * sizeof(std::uint32_t);
  }
  double bytes() const { return static_cast<double>(bytes_); }

  std::vector<HydrogenBondHistory> finish() {
    for (HydrogenBondHistory& history : all_) {
      history.distance /= static_cast<double>(history.frames.size());
      history.angle /= static_cast<double>(history.frames.size());
    }
    std::sort(all_.begin(), all_.end(), [](const HydrogenBondHistory& a, const HydrogenBondHistory& b) {
      return a.donor != b.donor ? a.donor < b.donor : a.acceptor < b.acceptor;
    });
    return std::move(all_);
  }

 private:
  std::vector<HydrogenBondHistory> all_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::size_t bytes_ = 0;
};

std::uint64_t pair_of(const HydrogenBond& bond) {
  return (std::uint64_t{bond.donor} << 32) | bond.acceptor;
}

// Frames whose bonds a CUDA device finds together.
class OnCuda {
 public:
  OnCuda(const HydrogenBondSites& sites, const HydrogenBondRule& rule, Device device)
      : bonds_(sites, rule, device), device_(device) {}

  std::size_t batch() const {
    const std::size_t bytes = std::max<std::size_t>(1, bonds_.atoms().size()) * sizeof(glm::vec3);
    return std::clamp<std::size_t>(batch_bytes / bytes, 1, frames_at_once);
  }

  std::vector<std::vector<HydrogenBond>> find(std::span<const Frame> frames, Job& job) {
    const std::vector<std::uint32_t>& atoms = bonds_.atoms();
    const std::size_t points = atoms.size();
    if (points == 0) return std::vector<std::vector<HydrogenBond>>(frames.size());
    std::vector<glm::vec3> places(frames.size() * points);
    parallel_for(frames.size(), job, "hydrogen bonds", [&](std::size_t f) {
      for (std::size_t i = 0; i < points; ++i) places[f * points + i] = frames[f].positions[atoms[i]];
    });
    const auto there = DeviceArray<glm::vec3>::from_host(places, device_, "points of frames");
    FrameGroup group;
    group.frames = frames.size();
    group.points = points;
    group.positions = there.span();
    return bonds_.of(group, job);
  }

 private:
  FrameBonds bonds_;
  Device device_;
};

// Calls take(place in the list, bonds) for all frames in their order, and done(frames so far) after some of them.
template <typename Take, typename Done>
void search(const Molecule& molecule, std::span<const std::size_t> frames, std::span<const std::uint8_t> first,
            std::span<const std::uint8_t> second, const HydrogenBondRule& rule, Device device, Job& job,
            const Take& take, const Done& done) {
  const HydrogenBondSites sites(*molecule.topology, first, second);
  std::optional<OnCuda> cuda;
  std::size_t most = frames_at_once;
  if (device.is_cuda()) most = cuda.emplace(sites, rule, device).batch();
  std::vector<Found> found(most);
  for (std::size_t begin = 0; begin < frames.size(); begin += most) {
    const std::size_t count = std::min(most, frames.size() - begin);
    Job quiet;
    std::vector<Frame> read(cuda ? count : 0);
    parallel_for(count, quiet, "hydrogen bonds", [&](std::size_t i) {
      job.check();
      Frame frame = molecule.trajectory->frame(frames[begin + i]);
      if (cuda) {
        read[i] = std::move(frame);
      } else {
        found[i].bonds = sites.find(frame.positions, rule);
        found[i].add_angles(frame);
      }
    });
    if (cuda) {
      auto bonds = cuda->find(read, job);
      parallel_for(count, quiet, "hydrogen bonds", [&](std::size_t i) {
        found[i].bonds = std::move(bonds[i]);
        found[i].add_angles(read[i]);
      });
    }
    for (std::size_t i = 0; i < count; ++i) take(begin + i, found[i]);
    done(begin + count);
    job.progress(static_cast<double>(begin + count) / static_cast<double>(frames.size()), "hydrogen bonds");
    job.check();
  }
}

constexpr const char* lengths_word = "hydrogen bonds of frames";

}  // namespace

std::vector<HydrogenBondHistory> hydrogen_bond_history(const Molecule& molecule, std::span<const std::size_t> frames,
                                                       std::span<const std::uint8_t> first,
                                                       std::span<const std::uint8_t> second,
                                                       const HydrogenBondRule& rule, Device device, Job& job) {
  Histories all;
  search(
      molecule, frames, first, second, rule, device, job,
      [&](std::size_t place, const Found& found) {
        for (std::size_t k = 0; k < found.bonds.size(); ++k)
          all.add(place, pair_of(found.bonds[k]), found.bonds[k].hydrogen, static_cast<double>(found.bonds[k].distance),
                  static_cast<double>(found.angles[k]));
      },
      [&](std::size_t count) {
        // What the frames that are left will take, as these did.
        const double left = static_cast<double>(frames.size() - count) / static_cast<double>(count);
        require_memory(static_cast<std::size_t>(all.bytes() * left), Device::cpu(), "hydrogen bonds of all frames");
      });
  return all.finish();
}

std::vector<FrameArray> hydrogen_bond_arrays(const Molecule& molecule, std::span<const std::size_t> frames,
                                             std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                             const HydrogenBondRule& rule, Device device, Job& job) {
  using Rule = FrameArray::Rule;
  FrameArray lengths{lengths_word, Rule::rows, 1, {}, true},
      bonds{"donors and acceptors", Rule::lists, 1, lengths_word, true},
      hydrogens{"hydrogens", Rule::lists, 1, lengths_word, true},
      shapes{"distances and angles", Rule::lists, 2, lengths_word};
  search(
      molecule, frames, first, second, rule, device, job,
      [&](std::size_t, const Found& found) {
        lengths.counts.push_back(found.bonds.size());
        for (std::size_t k = 0; k < found.bonds.size(); ++k) {
          bonds.counts.push_back(pair_of(found.bonds[k]));
          hydrogens.counts.push_back(found.bonds[k].hydrogen);
          shapes.numbers.push_back(static_cast<double>(found.bonds[k].distance));
          shapes.numbers.push_back(static_cast<double>(found.angles[k]));
        }
      },
      [](std::size_t) {});
  return {std::move(lengths), std::move(bonds), std::move(hydrogens), std::move(shapes)};
}

std::vector<HydrogenBondHistory> hydrogen_bond_history(const FramePart& part) {
  const std::vector<std::uint64_t>&lengths = part.array(lengths_word).counts,
        &bonds = part.array("donors and acceptors").counts, &hydrogens = part.array("hydrogens").counts;
  const std::vector<double>& shapes = part.array("distances and angles").numbers;
  if (lengths.size() != part.frames.size() || hydrogens.size() != bonds.size() || shapes.size() != 2 * bonds.size())
    throw Error("the part has not what belongs to hydrogen bonds", Error::Kind::input);
  Histories all;
  std::size_t at = 0;
  for (std::size_t place = 0; place < lengths.size(); ++place)
    for (std::uint64_t k = 0; k < lengths[place] && at < bonds.size(); ++k, ++at)
      all.add(place, bonds[at], static_cast<std::uint32_t>(hydrogens[at]), shapes[2 * at], shapes[2 * at + 1]);
  return all.finish();
}

}  // namespace isolume
