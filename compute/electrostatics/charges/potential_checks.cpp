// Checks that the dispatchers of the potential methods share: passes over all charges, on all threads.
#include "compute/electrostatics/charges/potential_checks.h"

#include <algorithm>
#include <atomic>

#include "compute/base/parallel_for.h"

namespace isolume {

namespace {

constexpr std::size_t part = 32768;

}  // namespace

void check_charges(std::span<const PointCharge> charges) {
  std::atomic<bool> broken{false};
  Job job;
  parallel_for((charges.size() + part - 1) / part, job, "checking charges", [&](std::size_t n) {
    const std::size_t end = std::min(charges.size(), (n + 1) * part);
    // Zero times what is finite is zero; anything else stays.
    float sum[4] = {};
    for (std::size_t i = n * part; i < end; ++i) {
      sum[0] += 0 * charges[i].position.x;
      sum[1] += 0 * charges[i].position.y;
      sum[2] += 0 * charges[i].position.z;
      sum[3] += 0 * charges[i].charge;
    }
    if (!(sum[0] == 0 && sum[1] == 0 && sum[2] == 0 && sum[3] == 0)) broken = true;
  });
  if (!broken) return;
  check_finite(charges, "charge",
               [](const PointCharge& c) { return c.position.x + c.position.y + c.position.z + c.charge; });
}

ChargeBox charge_box(std::span<const PointCharge> charges) {
  std::vector<ChargeBox> boxes((charges.size() + part - 1) / part);
  Job job;
  parallel_for(boxes.size(), job, "extent of the charges", [&](std::size_t n) {
    const std::size_t end = std::min(charges.size(), (n + 1) * part);
    ChargeBox box;
    for (std::size_t i = n * part; i < end; ++i) {
      box.lower = glm::min(box.lower, charges[i].position);
      box.upper = glm::max(box.upper, charges[i].position);
    }
    boxes[n] = box;
  });
  ChargeBox all;
  for (const ChargeBox& box : boxes) {
    all.lower = glm::min(all.lower, box.lower);
    all.upper = glm::max(all.upper, box.upper);
  }
  return all;
}

}  // namespace isolume
