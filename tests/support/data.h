// Where the test data are.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace isolume::test {

/// The project's own small files, tests/data; ISOLUME_TEST_DATA in the environment wins (tests carried elsewhere).
std::string data(const std::string& name);

/// The large collection next to the checkout (ISOLUME_SHARED_DATA in the environment wins), else the excerpts of it in
/// tests/data/collection. Tests that need a file which neither has are skipped.
std::string shared_data(const std::string& name);

}  // namespace isolume::test

/// Skips the test, saying so, where a file of the large collection is not there.
#define ISOLUME_NEEDS(path)                                         \
  if (!std::filesystem::exists(path)) {                             \
    GTEST_SKIP() << "needs " << (path) << ", which is not present"; \
  }
