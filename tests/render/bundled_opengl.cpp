// When a bundle's own OpenGL is taken.
#include "render/gl/bundled_opengl.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace isolume {
namespace {

namespace fs = std::filesystem;

class BundledOpenGl : public testing::Test {
 protected:
  BundledOpenGl() : folder_(fs::path(testing::TempDir()) / ("bundled_opengl_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "bin");
    fs::create_directories(folder_ / "drivers");
    put("bin/isolume");
  }
  ~BundledOpenGl() override { fs::remove_all(folder_); }
  void put(const std::string& name) { std::ofstream(folder_ / name) << "\n"; }
  fs::path found() { return software_starter(folder_ / "bin/isolume", {folder_ / "none", folder_ / "drivers"}); }

  fs::path folder_;
};

TEST_F(BundledOpenGl, IsTakenWhereNoDriverIsNamed) {
  put("bin/isolume-software");
  EXPECT_EQ(found(), folder_ / "bin/isolume-software");
  put("drivers/readme.txt");
  EXPECT_EQ(found(), folder_ / "bin/isolume-software");
  put("drivers/10_nvidia.json");
  EXPECT_EQ(found(), "");
}

TEST_F(BundledOpenGl, IsNotThereInOtherInstallations) {
  EXPECT_EQ(found(), "");
}

}  // namespace
}  // namespace isolume
