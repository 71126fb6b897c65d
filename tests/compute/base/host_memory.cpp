// What the host has to give: limits of control groups of both versions, and of the program.
#include "compute/base/host_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

class HostMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "isolume-groups-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(folder_ + "/" + name).parent_path());
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::string folder_;
};

TEST_F(HostMemoryTest, ControlGroupsLeaveTheirLimitLessWhatIsUsed) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  // Version 2: what is used counts the cache of files, which can be had back.
  put("two/memory.max", "1000000\n");
  put("two/memory.current", "700000\n");
  put("two/memory.stat", "anon 400000\ninactive_file 250000\nactive_file 50000\n");
  EXPECT_EQ(control_group_memory({folder_ + "/two"}), 1000000u - (700000u - 250000u));
  // Version 1.
  put("one/memory.limit_in_bytes", "500000\n");
  put("one/memory.usage_in_bytes", "480000\n");
  put("one/memory.stat", "cache 90000\ninactive_file 1\ntotal_inactive_file 80000\n");
  EXPECT_EQ(control_group_memory({folder_ + "/one"}), 500000u - (480000u - 80000u));
  EXPECT_EQ(control_group_memory({folder_ + "/one", folder_ + "/two"}), 100000u);
  // Full, without a limit, and absent.
  put("full/memory.max", "1000\n");
  put("full/memory.current", "5000\n");
  EXPECT_EQ(control_group_memory({folder_ + "/full"}), 0u);
  // Version 1 says "none" as the largest number of pages.
  put("open/memory.limit_in_bytes", "9223372036854771712\n");
  put("open/memory.usage_in_bytes", "480000\n");
  EXPECT_EQ(control_group_memory({folder_ + "/open"}), none);
  put("free/memory.max", "max\n");
  put("free/memory.current", "5000\n");
  EXPECT_EQ(control_group_memory({folder_ + "/free", folder_ + "/absent"}), none);
}

TEST_F(HostMemoryTest, TheProgramKnowsWhatItTakes) {
  reset_peak_memory();
  constexpr std::size_t bytes = std::size_t{96} << 20;
  {
    std::vector<char> taken(bytes, 1);
    EXPECT_GE(resident_memory(), bytes);
    EXPECT_GT(taken[bytes / 2], 0);
  }
  EXPECT_GE(resident_peak(), bytes - (std::size_t{8} << 20));
  EXPECT_LT(host_memory().available, std::numeric_limits<std::size_t>::max());
}

}  // namespace
}  // namespace isolume
