// HostValues: what is written stays, wherever the values are and while their pages are made.
#include "compute/base/host_values.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "compute/base/memory.h"

namespace isolume {
namespace {

// Pages of maps from 64 MiB on are made by a thread.
constexpr std::size_t count = 20'000'003;

void fill(HostValues& values) {
  // From the end: the thread begins at the other.
  for (std::size_t i = count; i-- > 0;) values.span()[i] = static_cast<float>(i % 1000);
}

std::size_t wrong(const HostValues& values) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found += values.span()[i] != static_cast<float>(i % 1000);
  return found;
}

TEST(HostValues, KeepWhatIsWrittenWhileTheirPagesAreMade) {
  HostValues values(count, 0, "", "map");
  EXPECT_FALSE(values.in_file());
  ASSERT_EQ(values.span().size(), count);
  fill(values);
  HostValues moved = std::move(values);
  EXPECT_EQ(wrong(moved), 0u);
  HostValues other(count, 0, "", "map");  // its pages may still be made when it goes
  other = std::move(moved);
  EXPECT_EQ(wrong(other), 0u);
}

TEST(HostValues, AreInAFileWhereTheMemoryIsTooSmall) {
  set_memory_limit(std::size_t{1} << 20);
  HostValues values(count, 0, (std::filesystem::temp_directory_path() / "map.dx").string(), "map");
  set_memory_limit(0);
  EXPECT_TRUE(values.in_file());
  fill(values);
  EXPECT_EQ(wrong(values), 0u);
}

}  // namespace
}  // namespace isolume
