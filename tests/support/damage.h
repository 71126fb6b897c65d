// Damages the bytes of a file in all the ways that a reader must survive.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume::test {

/// Reads `bytes` as one format, and every frame of what comes out; true where that worked. An Error is the other
/// permitted outcome; anything else fails the test.
inline bool survives(const Format& format, std::string bytes) {
  try {
    const Molecule molecule = format.read(ByteSource::from_bytes(std::move(bytes), "damaged"));
    for (std::size_t i = 0; i < std::min<std::size_t>(molecule.frame_count(), 20); ++i) {
      const Frame frame = molecule.trajectory->frame(i);
      EXPECT_EQ(frame.positions.size(), molecule.trajectory->atom_count());
    }
    for (const auto& volume : molecule.volumes) EXPECT_EQ(volume->values.size(), volume->grid.size());
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "an exception that is no Error: " << error.what();
    return false;
  }
}

/// Cuts `bytes` at every length (every step-th), flips single bits and overwrites words by large numbers, with a fixed
/// seed. Returns how many of the damaged files were still readable.
inline int survives_damage(const Format& format, const std::string& bytes, std::size_t step = 1, int mutations = 1000) {
  int readable = 0;
  for (std::size_t length = 0; length < bytes.size(); length += step) {
    readable += survives(format, bytes.substr(0, length)) ? 1 : 0;
  }
  std::mt19937 random(20240521);
  const auto at = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  for (int i = 0; i < mutations; ++i) {
    std::string damaged = bytes;
    const std::size_t region = i % 2 == 0 ? damaged.size() : std::min<std::size_t>(damaged.size(), 600);
    const std::size_t place = at(region);
    switch (i % 5) {
      case 0:
      case 1:
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << at(8)));
        break;
      case 2:
        damaged[place] = static_cast<char>(random());
        break;
      case 3:
        for (std::size_t k = 0; k < 4 && place + k < damaged.size(); ++k) damaged[place + k] = k == 0 ? '\x7f' : '\xff';
        break;
      default:
        damaged.erase(place, 1 + at(8));
    }
    readable += survives(format, std::move(damaged)) ? 1 : 0;
  }
  return readable;
}

}  // namespace isolume::test
