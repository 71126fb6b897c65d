// The potential at the sites of ions on the CPU: blocks of sites on all threads.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/sampling/ion_placement_bodies.h"

namespace isolume {
namespace {

constexpr std::size_t block = 8192;  // sites of a task
constexpr double infinite = std::numeric_limits<double>::infinity();

class IonFieldCpu final : public IonField {
 public:
  IonFieldCpu(const IonSites& sites, Job& job)
      : sites_(sites), values_(sites.size()), open_(sites.size()), blocks_((sites.size() + block - 1) / block) {
    parallel_for(blocks_, job, "ions", [&](std::size_t b) {
      LatticeWalk walk(sites.lattice);
      const std::size_t end = std::min(values_.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) {
        open_[i] = 1;
        if (!sites.map) {
          values_[i] = sites.potential[i];
          continue;
        }
        walk.go(sites.points[i]);
        const glm::ivec3 p = walk.point();
        values_[i] = static_cast<double>(sites.map->data()[sites.lattice.index(p.x, p.y, p.z)]);
      }
    });
  }

  IonBest step(const IonUpdate& update, double charge, Job& job) override {
    std::vector<IonBest> found(blocks_, IonBest{infinite, 0});
    const bool on_lattice = !sites_.points.empty();
    parallel_for(blocks_, job, "ions", [&](std::size_t b) {
      IonBest best{infinite, 0};
      LatticeWalk walk(sites_.lattice);
      const std::size_t end = std::min(values_.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) {
        if (open_[i] == 0) continue;
        if (update.closest2 >= 0) {
          if (on_lattice) walk.go(sites_.points[i]);
          const glm::dvec3 place = on_lattice ? walk.place() : sites_.places[i];
          const double dx = place.x - update.x, dy = place.y - update.y, dz = place.z - update.z;
          const double r2 = dx * dx + dy * dy + dz * dz;
          if (r2 < update.closest2 || r2 == 0) {
            open_[i] = 0;
            continue;
          }
          values_[i] += update.strength / std::sqrt(r2);
        }
        best.energy = std::min(best.energy, charge * values_[i]);
        ++best.open;
      }
      found[b] = best;
    });
    IonBest best{infinite, 0};
    for (const IonBest& part : found) {
      best.energy = std::min(best.energy, part.energy);
      best.open += part.open;
    }
    return best;
  }

  IonHits within(double limit, double charge, Job& job) override {
    std::vector<IonHits> found(blocks_);
    parallel_for(blocks_, job, "ions", [&](std::size_t b) {
      IonHits& hits = found[b];
      hits.next = infinite;
      const std::size_t end = std::min(values_.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) {
        if (open_[i] == 0) continue;
        const double energy = charge * values_[i];
        if (energy <= limit) {
          hits.sites.push_back(static_cast<std::uint32_t>(i));
          hits.values.push_back(values_[i]);
        } else {
          hits.next = std::min(hits.next, energy);
        }
      }
    });
    IonHits all;
    all.next = infinite;
    for (const IonHits& hits : found) {
      all.sites.insert(all.sites.end(), hits.sites.begin(), hits.sites.end());
      all.values.insert(all.values.end(), hits.values.begin(), hits.values.end());
      all.next = std::min(all.next, hits.next);
    }
    return all;
  }

 private:
  const IonSites& sites_;
  LargeVector<double> values_;  // V
  LargeVector<std::uint8_t> open_;
  std::size_t blocks_;
};

}  // namespace

std::unique_ptr<IonField> ion_field_cpu(const IonSites& sites, Job& job) {
  return std::make_unique<IonFieldCpu>(sites, job);
}

}  // namespace isolume
