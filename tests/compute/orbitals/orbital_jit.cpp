// Kernels compiled at run time: the same numbers as the general one, a cache that survives damage, and failures.
#include "compute/orbitals/orbital_jit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compute/base/cuda_library.h"
#include "compute/base/kernel_cache.h"
#include "compute/base/nvrtc.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using namespace test;

/// A cache folder of its own, and the way back.
class OwnCache {
 public:
  OwnCache() {
    folder_ = fs::temp_directory_path() / ("isolume-kernels-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    if (const char* value = std::getenv("XDG_CACHE_HOME")) before_ = value;
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    forget_compiled_orbitals();
  }
  ~OwnCache() {
    forget_compiled_orbitals();
    set_compiled_orbitals(CompiledUse::automatic);
    fs::remove_all(folder_);
    if (before_.empty()) {
      ::unsetenv("XDG_CACHE_HOME");
    } else {
      ::setenv("XDG_CACHE_HOME", before_.c_str(), 1);
    }
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    return found;
  }

 private:
  fs::path folder_;
  std::string before_;
};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(KernelCache, GivesBackWhatItWasGivenAndNothingElse) {
  const OwnCache cache;
  const std::vector<char> code{'c', 'o', 'd', 'e', '\0', '!'};
  EXPECT_FALSE(read_kernel("a key"));
  write_kernel("a key", code);
  ASSERT_TRUE(read_kernel("a key"));
  EXPECT_EQ(*read_kernel("a key"), code);
  EXPECT_FALSE(read_kernel("another key"));
  ASSERT_EQ(cache.files().size(), 1u) << "no unfinished file stays behind";
  // Every byte changed, and every length that it can be cut to.
  const fs::path file = cache.files()[0];
  const std::string whole = bytes_of(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write_bytes(file, damaged);
    EXPECT_FALSE(read_kernel("a key")) << "byte " << i;
    write_bytes(file, whole.substr(0, i));
    EXPECT_FALSE(read_kernel("a key")) << "cut to " << i;
  }
  write_bytes(file, whole + "x");
  EXPECT_FALSE(read_kernel("a key"));
  write_bytes(file, whole);
  EXPECT_TRUE(read_kernel("a key"));
}

TEST(KernelCache, KeepsNothingWhereItCannot) {
  const OwnCache cache;
  ::setenv("XDG_CACHE_HOME", "/proc/isolume", 1);
  write_kernel("a key", {'x'});
  EXPECT_FALSE(read_kernel("a key"));
}

/// s to d functions on two atoms, two orbitals.
Orbitals two_atoms() {
  Basis basis;
  for (std::uint32_t atom = 0; atom < 2; ++atom) {
    for (std::uint8_t l = 0; l < 3; ++l) {
      Shell shell;
      shell.centre = atom;
      shell.l = l;
      shell.exponents = {3.1 - l, 0.4 + 0.1 * l};
      shell.coefficients = {0.4, 0.7};
      basis.shells.push_back(shell);
    }
  }
  basis.normalise();
  Orbitals orbitals;
  orbitals.centres = {{0.1, -0.2, 0.3}, {1.9, 0.4, -0.5}};
  orbitals.orbitals.resize(2);
  Random random(5);
  for (std::size_t i = 0; i < 2 * basis.function_count(); ++i) orbitals.coefficients.push_back(random(-1, 1));
  orbitals.basis = std::make_shared<const Basis>(basis);
  return orbitals;
}

const Grid grid = make_grid({-3, -3, -3}, {0.21, 0.19, 0.2}, {35, 33, 37});

std::vector<float> amplitudes(Device device, const Orbitals& orbitals, const OrbitalOptions& options) {
  Job job;
  return on_device<float>(device, grid.size(), [&](Span<float> out) { orbital(orbitals, 1, grid, out, job, options); });
}

TEST(CompiledOrbitalSource, IsAcceptedByTheCompiler) {
  if (!nvrtc_present()) GTEST_SKIP() << nvrtc_status();
  const auto plan = orbital_plan(two_atoms().basis);
  for (const bool fine : {true, false}) {
    for (const char* architecture : {"sm_75", "sm_86", "sm_90", "sm_120"}) {
      EXPECT_GT(nvrtc_compile(compiled_orbital_source(*plan, fine), "test", architecture).size(), 1000u)
          << architecture;
    }
  }
  try {
    nvrtc_compile("this is no program", "test", "sm_90");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("error"), std::string::npos) << error.what();
  }
}

using CompiledOrbitals = OnDevice;
ISOLUME_ON_EVERY_DEVICE(CompiledOrbitals);

TEST_P(CompiledOrbitals, AreTheOrbital) {
  if (!GetParam().is_cuda()) GTEST_SKIP() << "the CPU has no compiler";
  if (!nvrtc_present()) GTEST_SKIP() << nvrtc_status();
  const OwnCache cache;
  set_compiled_orbitals(CompiledUse::always);
  const Orbitals orbitals = two_atoms();
  const std::vector<glm::dvec3> points = grid_points(grid);
  std::vector<double> expected(points.size());
  orbital_reference(orbitals, 1, points, expected);
  for (const OrbitalAccuracy accuracy : {OrbitalAccuracy::fine, OrbitalAccuracy::preview}) {
    OrbitalOptions options;
    options.accuracy = accuracy;
    const std::vector<float> compiled = amplitudes(GetParam(), orbitals, options);
    const Difference d = compare(compiled, expected);
    EXPECT_LE(d.largest, (accuracy == OrbitalAccuracy::fine ? 1e-6 : 5e-4) * d.scale);
  }
  EXPECT_NE(compiled_orbitals_status().find("2 kernels compiled, 0 read"), std::string::npos)
      << compiled_orbitals_status();
  // From disk, and past an entry that is damaged.
  forget_compiled_orbitals();
  amplitudes(GetParam(), orbitals, {});
  EXPECT_NE(compiled_orbitals_status().find("0 kernels compiled, 1 read"), std::string::npos)
      << compiled_orbitals_status();
  for (const fs::path& file : cache.files()) write_bytes(file, bytes_of(file).substr(0, 999));
  forget_compiled_orbitals();
  const Difference d = compare(amplitudes(GetParam(), orbitals, {}), expected);
  EXPECT_LE(d.largest, 1e-6 * d.scale);
  EXPECT_NE(compiled_orbitals_status().find("1 kernels compiled, 0 read"), std::string::npos)
      << compiled_orbitals_status();
}

TEST_P(CompiledOrbitals, AreChosenByTheirTimesWithoutAChangeOfTheResult) {
  if (!GetParam().is_cuda()) GTEST_SKIP() << "the CPU has no compiler";
  if (!nvrtc_present()) GTEST_SKIP() << nvrtc_status();
  const OwnCache cache;
  const Orbitals orbitals = two_atoms();
  OrbitalOptions general;
  general.compiled = false;
  const std::vector<float> expected = amplitudes(GetParam(), orbitals, general);
  double scale = 0;
  for (const float value : expected) scale = std::max(scale, std::abs(double{value}));
  set_compiled_orbitals(CompiledUse::automatic);
  const auto check = [&] {
    const std::vector<float> values = amplitudes(GetParam(), orbitals, {});
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-6 * scale);
  };
  check();
  check();  // the second one orders the kernel
  wait_for_compiled_orbitals();
  const std::string status = compiled_orbitals_status();
  EXPECT_NE(status.find("1 kernels compiled, 0 read"), std::string::npos) << status;
  for (int i = 0; i < 10; ++i) check();
  for (int i = 0; i < 10; ++i) check();
}

TEST_P(CompiledOrbitals, ThatCannotBeLoadedLeaveTheGeneralOne) {
  if (!GetParam().is_cuda()) GTEST_SKIP() << "the CPU has no compiler";
  if (!nvrtc_present()) GTEST_SKIP() << nvrtc_status();
  const OwnCache cache;
  CudaLibraryApi broken;
  // An invalid kernel: unlike 700, this leaves the device to the tests that follow.
  broken.load = [](void**, const void*) { return 218; };
  broken.kernel = [](const void**, void*, const char*) { return 218; };
  broken.unload = [](void*) { return 0; };
  set_cuda_library_api_for_test(&broken);
  set_compiled_orbitals(CompiledUse::always);
  OrbitalOptions general;
  general.compiled = false;
  const Orbitals orbitals = two_atoms();
  EXPECT_EQ(amplitudes(GetParam(), orbitals, {}), amplitudes(GetParam(), orbitals, general));
  EXPECT_NE(compiled_orbitals_status().find("loading a compiled kernel"), std::string::npos)
      << compiled_orbitals_status();
  forget_compiled_orbitals();
  set_cuda_library_api_for_test(nullptr);
}

}  // namespace
}  // namespace isolume
