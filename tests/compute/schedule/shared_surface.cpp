// Surfaces of Gaussian densities and volumes that devices make in slabs: the mesh of the whole, whatever fails.
#include <gtest/gtest.h>

#include <atomic>

#include "compute/base/device_fault.h"
#include "compute/base/memory_error.h"
#include "compute/isosurface/surface_tiles.h"
#include "molecule/base/error.h"
#include "tests/compute/isosurface/surface_meshes.h"

namespace isolume {
namespace {

using namespace test;

/// A Gaussian surface of some atoms on a grid of `layers` layers; `act` is called with the number of the call (from 0)
/// before layers are made, and may throw.
class AtomSurface {
 public:
  using Act = std::function<void(int call)>;

  explicit AtomSurface(int layers) : grid(make_grid({-16, -15, -17}, {0.8, 0.9, 34.0 / layers}, {41, 34, layers})) {}

  SurfaceTiles tiles(Act act = [](int) {}) {
    calls_ = 0;
    SurfaceTiles surface;
    surface.what = "Gaussian surface";
    surface.grid = grid;
    surface.coloured = true;
    surface.source = [this, act](Device device) {
      struct Resident {
        DensityAtoms atoms;
        DensityWorkspace workspace;
      };
      auto resident = std::make_shared<Resident>();
      resident->atoms = DensityAtoms(atoms, device);
      return [this, act, resident](LayerRange range, Values values, Colours colours, Job& job) {
        act(calls_++);
        gaussian_density_layers(resident->atoms, grid, range, {}, values, colours, job, resident->workspace);
      };
    };
    surface.exact = [this](glm::dvec3 point) {
      double density = 0;
      gaussian_density_reference(atoms, Grid{point, glm::dmat3(1), glm::ivec3(1)}, {}, std::span(&density, 1), {});
      return density;
    };
    return surface;
  }

  Mesh whole(Device device) const {
    Job job;
    DeviceArray<float> values(grid.size(), device);
    DeviceArray<glm::u8vec4> colours(grid.size(), device);
    gaussian_density(atoms, grid, {}, values.span(), colours.span(), job);
    return marching_cubes(values.span(), grid, {}, colours.span(), job);
  }

  Grid grid;
  std::vector<DensityAtom> atoms = random_atoms(1500, 4, 14);

 private:
  std::atomic<int> calls_{0};
};

using SharedSurface = OnDevice;
ISOLUME_ON_EVERY_DEVICE(SharedSurface);

TEST_P(SharedSurface, IsTheMeshOfTheWhole) {
  for (const int layers : {2, 16, 17, 18, 33, 50, 97}) {
    SCOPED_TRACE(layers);
    AtomSurface surface(layers);
    const Mesh expected = surface.whole(GetParam());
    EXPECT_FALSE(expected.triangles.empty());
    for (const std::size_t count : {1, 2, 3}) {
      const std::vector<Device> devices(count, GetParam());
      TileReport report;
      Job job;
      expect_same(surface_in_tiles(surface.tiles(), devices, report, job), expected);
      std::size_t parts = 0;
      for (const WorkerRecord& worker : report.workers) parts += worker.parts;
      EXPECT_EQ(parts, static_cast<std::size_t>((layers + 14) / 16));
    }
  }
}

TEST_P(SharedSurface, IsTheSameAfterFaults) {
  AtomSurface surface(97);
  const Mesh expected = surface.whole(GetParam());
  struct Fault {
    const char* name;
    std::function<void()> give;
  };
  const Device lost = GetParam();
  const Fault faults[] = {{"launch", [] { throw Error("launch failed"); }},
                          {"memory", [] { throw MemoryError("surface: needs more"); }},
                          {"sticky", [lost] { throw DeviceFault("illegal address", lost, 700, true); }}};
  for (const Fault& fault : faults) {
    for (const int call : {0, 1, 3}) {
      SCOPED_TRACE(std::string(fault.name) + " at call " + std::to_string(call));
      std::atomic<bool> failed{false};
      const std::vector<Device> two(2, GetParam());
      TileReport report;
      Job job;
      const Mesh found = surface_in_tiles(surface.tiles([&](int n) {
        if (n != call) return;
        failed = true;
        fault.give();
      }),
                                          two, report, job);
      expect_same(found, expected);
      EXPECT_EQ(report.workers[0].faults + report.workers[1].faults, failed ? 1u : 0u);
      EXPECT_TRUE(failed || call > 1) << "each device has a first tile";
    }
  }
}

TEST(SharedSurfaceOf, WrongValuesAreNotTaken) {
  AtomSurface surface(97);
  SurfaceTiles tiles = surface.tiles();
  const auto exact = tiles.exact;
  tiles.exact = [exact](glm::dvec3 point) { return exact(point) + 0.01; };
  const std::vector<Device> two(2, Device::cpu());
  TileReport report;
  Job job;
  try {
    surface_in_tiles(tiles, two, report, job);
    FAIL() << "wrong values were taken";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("slabs 0 to 5 of 6 are missing"), std::string::npos) << message;
    EXPECT_NE(message.find("spot check"), std::string::npos) << message;
  }
}

TEST(SharedSurfaceOf, AreHeldToTheMemoryThatIsThere) {
  AtomSurface surface(97);
  SurfaceTiles tiles = surface.tiles();
  int largest = 0;
  // As if more than 40 layers at a time did not fit.
  tiles.workspace = [&](int layers) -> std::size_t {
    if (layers > 40) throw MemoryError("surface: needs more");
    largest = std::max(largest, layers);
    return 0;
  };
  const std::vector<Device> one{Device::cpu()};
  TileReport report;
  Job job;
  expect_same(surface_in_tiles(tiles, one, report, job), surface.whole(Device::cpu()));
  EXPECT_LE(largest, 40);
  EXPECT_GT(report.tiles, 2u);
}

}  // namespace
}  // namespace isolume
