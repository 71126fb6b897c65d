// The fast direct sum: checks, the number of nodes for an accuracy, and the choice of the body.
#include "compute/electrostatics/direct/fast_direct.h"

#include "compute/base/memory.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/direct/fast_direct_bodies.h"
#include "compute/electrostatics/direct/fast_direct_plan.h"

namespace isolume {

namespace {

// Relative RMS errors of p = 4, 6, 8 and 10 nodes per axis: the largest of those seen, rounded up.
struct Order {
  int p;
  double error;
};
constexpr Order orders[] = {{4, 1.0e-2}, {6, 6.0e-4}, {8, 5.0e-5}, {10, 5.0e-6}};

}  // namespace

int fast_direct_order(double accuracy) {
  for (const Order& order : orders) {
    if (order.error <= accuracy) return order.p;
  }
  return orders[3].p;
}

void fast_direct_potential(std::span<const PointCharge> charges, const Grid& grid, const FastDirectOptions& options,
                           Span<float> potential, Job& job) {
  if (!(options.accuracy >= 5e-6 && options.accuracy <= 0.1)) {
    throw Error(fmt::format("fast direct sum: a relative error of {}; expected 5e-6 to 0.1 (the direct sum itself is "
                            "exact)",
                            options.accuracy),
                Error::Kind::usage);
  }
  check_grid(grid, "potential");
  check_values(grid, potential, "potential");
  check_charges(charges);
  require_memory(fast_direct_memory(charges.size(), grid, options, potential.device), potential.device,
                 "fast direct sum");
  job.check();
  if (potential.empty()) return;
  if (charges.empty()) return direct_potential(charges, grid, potential, job);
  const int p = fast_direct_order(options.accuracy);
  if (potential.device.is_cuda()) {
    fast_direct_cuda(charges, grid, p, potential, job);
  } else {
    fast_direct_cpu(charges, grid, p, potential, job);
  }
}

std::size_t fast_direct_memory(std::size_t charges, const Grid& grid, const FastDirectOptions& options, Device device) {
  const auto p = static_cast<std::size_t>(fast_direct_order(options.accuracy));
  const std::size_t tiles = grid.size() / 4096 * 3 / 2 + 64;
  const std::size_t nodes = tiles * p * p * p * sizeof(double);
  // Charges before and after sorting; lists; on CUDA also the sums of parts of the lists.
  return charges * 80 + nodes + tiles * 4096 + (device.is_cuda() ? nodes * 8 + grid.size() * 4 * 8 : 0);
}

}  // namespace isolume
