// Random numbers by counter: the same for an atom and a step whatever the device and the order of threads.
#pragma once

#include <cmath>
#include <cstdint>

#include "compute/dynamics/vector3.h"
#include "molecule/base/units.h"

namespace isolume {

struct RandomBlock {
  std::uint32_t word[4];
};

/// Philox-4x32 with ten rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011,
/// doi:10.1145/2063384.2063405.
ISOLUME_HOST_DEVICE inline RandomBlock philox(RandomBlock counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// Three independent numbers of the standard normal distribution for (seed, step, atom), by Box and Muller. `use`
/// tells draws for different purposes apart.
ISOLUME_HOST_DEVICE inline Vector3 normal_numbers(std::uint64_t seed, std::uint64_t step, std::uint32_t atom,
                                                  std::uint32_t use) {
  const RandomBlock r = philox({{static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32), atom, use}},
                               static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
  const auto uniform = [](std::uint32_t word) { return (static_cast<double>(word) + 0.5) * 0x1p-32; };
  const double radius = sqrt(-2 * log(uniform(r.word[0])));
  const double second = sqrt(-2 * log(uniform(r.word[2])));
  const double angle = 2 * units::pi * uniform(r.word[1]);
  return {radius * cos(angle), radius * sin(angle), second * cos(2 * units::pi * uniform(r.word[3]))};
}

}  // namespace isolume
