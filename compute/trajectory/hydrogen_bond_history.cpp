// Which hydrogen bonds there are in which frames.
#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>
#include <unordered_map>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/trajectory/hydrogen_bond_lifetimes.h"

namespace isolume {
namespace {

constexpr std::size_t batch = 32;  // frames that are searched at once

struct Found {
  std::vector<HydrogenBond> bonds;
  std::vector<float> angles;
};

float angle_at(const Frame& frame, const HydrogenBond& bond) {
  if (bond.hydrogen == bond.donor) return NAN;
  const glm::dvec3 at(frame.positions[bond.hydrogen]);
  const glm::dvec3 p = glm::normalize(glm::dvec3(frame.positions[bond.donor]) - at);
  const glm::dvec3 q = glm::normalize(glm::dvec3(frame.positions[bond.acceptor]) - at);
  return static_cast<float>(glm::degrees(std::acos(std::clamp(glm::dot(p, q), -1.0, 1.0))));
}

}  // namespace

std::vector<HydrogenBondHistory> hydrogen_bond_history(const Molecule& molecule, std::span<const std::size_t> frames,
                                                       std::span<const std::uint8_t> first,
                                                       std::span<const std::uint8_t> second,
                                                       const HydrogenBondRule& rule, Job& job) {
  const Topology& topology = *molecule.topology;
  std::vector<std::uint8_t> mask(first.begin(), first.end());
  for (std::size_t i = 0; i < second.size(); ++i) mask[i] |= second[i];
  const auto between = [&](const HydrogenBond& bond) {
    return second.empty() || (first[bond.donor] && second[bond.acceptor]) ||
           (second[bond.donor] && first[bond.acceptor]);
  };
  std::vector<HydrogenBondHistory> all;
  std::unordered_map<std::uint64_t, std::size_t> places;
  std::size_t bytes = 0;
  std::vector<Found> found(batch);
  for (std::size_t begin = 0; begin < frames.size(); begin += batch) {
    const std::size_t count = std::min(batch, frames.size() - begin);
    Job quiet;
    parallel_for(count, quiet, "hydrogen bonds", [&](std::size_t i) {
      job.check();
      const Frame frame = molecule.trajectory->frame(frames[begin + i]);
      found[i].bonds = hydrogen_bonds(topology, frame, mask, rule);
      std::erase_if(found[i].bonds, [&](const HydrogenBond& bond) { return !between(bond); });
      found[i].angles.clear();
      for (const HydrogenBond& bond : found[i].bonds) found[i].angles.push_back(angle_at(frame, bond));
    });
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < found[i].bonds.size(); ++k) {
        const HydrogenBond& bond = found[i].bonds[k];
        const auto [place, fresh] = places.emplace((std::uint64_t{bond.donor} << 32) | bond.acceptor, all.size());
        if (fresh) {
          all.push_back({bond.donor, bond.acceptor, bond.hydrogen, {}, 0, 0});
          bytes += sizeof(HydrogenBondHistory) + 64;
        }
        HydrogenBondHistory& history = all[place->second];
        history.frames.push_back(static_cast<std::uint32_t>(begin + i));
        history.distance += static_cast<double>(bond.distance);
        history.angle += static_cast<double>(found[i].angles[k]);
        bytes += 2 * sizeof(std::uint32_t);
      }
    }
    // What the frames that are left will take, as these did.
    const double left = static_cast<double>(frames.size() - begin - count) / static_cast<double>(begin + count);
    require_memory(static_cast<std::size_t>(static_cast<double>(bytes) * left), Device::cpu(),
                   "hydrogen bonds of all frames");
    job.progress(static_cast<double>(begin + count) / static_cast<double>(frames.size()), "hydrogen bonds");
    job.check();
  }
  for (HydrogenBondHistory& history : all) {
    history.distance /= static_cast<double>(history.frames.size());
    history.angle /= static_cast<double>(history.frames.size());
  }
  std::sort(all.begin(), all.end(), [](const HydrogenBondHistory& a, const HydrogenBondHistory& b) {
    return a.donor != b.donor ? a.donor < b.donor : a.acceptor < b.acceptor;
  });
  return all;
}

}  // namespace isolume
