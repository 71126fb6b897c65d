// The memory that a Poisson-Boltzmann computation is said to take, against what the process takes.
#include <malloc.h>

#include "compute/base/host_memory.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;  // these keep more than is asked for
#else
constexpr bool sanitized = false;
#endif

/// A ball of atoms as dense as a protein, about 0.1 of them in a cubic angstrom.
std::vector<ChargedSphere> ball(double radius) {
  std::vector<ChargedSphere> atoms;
  Random random(3);
  const int most = static_cast<int>(radius / 2.15);
  for (int k = -most; k <= most; ++k) {
    for (int j = -most; j <= most; ++j) {
      for (int i = -most; i <= most; ++i) {
        const glm::dvec3 at = 2.15 * glm::dvec3(i, j, k) + random.in_box(-0.6, 0.6);
        if (glm::length(at) < radius)
          atoms.push_back({glm::vec3(at), static_cast<float>(random(-0.5, 0.5)), static_cast<float>(random(1.2, 2))});
      }
    }
  }
  return atoms;
}

void expect_memory(const std::vector<ChargedSphere>& atoms, const Grid& grid, const PoissonBoltzmannOptions& options,
                   const char* what) {
  const std::size_t predicted = poisson_boltzmann_memory(atoms, grid, options, Device::cpu());
  Job job;
  ::malloc_trim(0);  // what earlier tests have freed would be taken again, and not be seen
  begin_resident_part();
  poisson_boltzmann(atoms, grid, options, Span<float>(), job);
  const std::size_t taken = resident_part_peak();
  EXPECT_NEAR(static_cast<double>(predicted), static_cast<double>(taken), 0.2 * static_cast<double>(taken))
      << what << ", " << atoms.size() << " atoms";
}

TEST(PoissonBoltzmannMemory, is_what_is_taken) {
  if (sanitized) GTEST_SKIP() << "sanitizers have memory of their own";
  const std::vector<ChargedSphere> small = ball(16), large = ball(45);
  ASSERT_GT(large.size(), 30'000u);
  PoissonBoltzmannOptions options = salt(0.15, 2);
  expect_memory(small, cube(30, 0.5), options, "a fine grid");
  // Of a part of a large molecule the wider boxes, and the atoms themselves, take the most.
  expect_memory(large, cube(8, 0.5, {43, 0, 0}), options, "a part");
  options.nonlinear = true;
  expect_memory(small, cube(30, 0.5), options, "non-linear");
}

}  // namespace
}  // namespace isolume
