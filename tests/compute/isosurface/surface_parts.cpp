// Surfaces in parts and frame after frame: slabs, layers, atoms that stay on the device, memory that stays.
#include <atomic>

#include "compute/base/cuda_api.h"
#include "compute/isosurface/slab_surface.h"
#include "tests/compute/isosurface/surface_meshes.h"
#include "tests/support/allocations.h"

namespace isolume {
namespace {

using namespace test;
using SurfaceParts = OnDevice;
ISOLUME_ON_EVERY_DEVICE(SurfaceParts);

struct Result {
  std::vector<float> density;
  std::vector<glm::vec3> colours;
  bool operator==(const Result&) const = default;
};

Result from_host(Device device, const std::vector<DensityAtom>& atoms, const Grid& grid) {
  Job job;
  DeviceArray<float> rho(grid.size(), device);
  DeviceArray<glm::vec3> colours(grid.size(), device);
  gaussian_density(atoms, grid, {}, rho.span(), colours.span(), job);
  return {rho.copy_to_host(), colours.copy_to_host()};
}

Result resident(const DensityAtoms& atoms, const Grid& grid, DensityWorkspace& workspace) {
  Job job;
  DeviceArray<float> rho(grid.size(), atoms.device());
  DeviceArray<glm::vec3> colours(grid.size(), atoms.device());
  gaussian_density(atoms, grid, {}, rho.span(), colours.span(), job, workspace);
  return {rho.copy_to_host(), colours.copy_to_host()};
}

TEST_P(SurfaceParts, AtomsOnTheDeviceGiveTheSameAndMove) {
  Job job;
  DensityWorkspace workspace;
  for (const std::size_t count : {1000, 20, 3000}) {
    std::vector<DensityAtom> atoms = random_atoms(count, count, 8);
    const Grid grid = make_grid({-9, -9, -9}, {0.7, 0.75, 0.8}, {27, 25, 24});
    DensityAtoms there(atoms, GetParam());
    EXPECT_EQ(resident(there, grid, workspace), from_host(GetParam(), atoms, grid));
    Random random(7);
    std::vector<glm::vec3> positions;
    for (DensityAtom& atom : atoms) positions.push_back(atom.position += glm::vec3(random.in_box(-1, 1)));
    there.move(positions, job);
    EXPECT_EQ(resident(there, grid, workspace), from_host(GetParam(), atoms, grid));
    EXPECT_EQ(copy_to_host(there.positions()), positions);
  }
}

TEST_P(SurfaceParts, AMovedAtomThatIsNowhereIsNamed) {
  Job job;
  const std::vector<DensityAtom> atoms = random_atoms(300, 1, 8);
  DensityAtoms there(atoms, GetParam());
  std::vector<glm::vec3> positions(300, glm::vec3(1));
  positions[41].y = NAN;
  there.move(positions, job);
  DensityWorkspace workspace;
  const Grid grid = make_grid({-3, -3, -3}, {1, 1, 1}, {7, 7, 7});
  try {
    resident(there, grid, workspace);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("atom 42"), std::string::npos) << error.what();
  }
  positions[41].y = 0;
  there.move(positions, job);
  EXPECT_GT(resident(there, grid, workspace).density[3 + 7 * (3 + 7 * 3)], 0);
  EXPECT_THROW(there.move(std::vector<glm::vec3>(299), job), Error);
}

TEST_P(SurfaceParts, LayersAreThoseOfTheWhole) {
  const std::vector<DensityAtom> atoms = random_atoms(2000, 4, 15);
  const Grid grid = make_grid({-16, -15, -17}, {0.8, 0.9, -0.7}, {41, 33, 50});
  const Result whole = from_host(GetParam(), atoms, grid);
  const DensityAtoms there(atoms, GetParam());
  DensityWorkspace workspace;
  Job job;
  const std::size_t points = 41 * 33;
  for (const LayerRange layers : {LayerRange{0, 16}, {16, 32}, {32, 18}, {48, 2}, {0, 50}, {16, 0}}) {
    DeviceArray<float> rho(points * layers.count, GetParam());
    DeviceArray<glm::vec3> colours(points * layers.count, GetParam());
    gaussian_density_layers(there, grid, layers, {}, rho.span(), colours.span(), job, workspace);
    const auto begin = static_cast<std::ptrdiff_t>(points * layers.first);
    const auto end = static_cast<std::ptrdiff_t>(points * (layers.first + layers.count));
    EXPECT_EQ(rho.copy_to_host(), std::vector<float>(whole.density.begin() + begin, whole.density.begin() + end));
    EXPECT_EQ(colours.copy_to_host(),
              std::vector<glm::vec3>(whole.colours.begin() + begin, whole.colours.begin() + end));
  }
  EXPECT_THROW(gaussian_density_layers(there, grid, {40, 11}, {}, {}, {}, job, workspace), Error);
}

/// A source that copies layers of volumes that are somewhere whole.
LayerSource layers_of(const DeviceArray<float>& values, const DeviceArray<glm::vec3>& colours, const Grid& grid) {
  return [&](LayerRange layers, Values out, Colours colours_out, Job&) {
    const std::size_t begin = grid.index(0, 0, layers.first);
    copy_memory(out.data, out.device, values.data() + begin, values.device(), out.size * sizeof(float));
    if (colours_out.empty()) return;
    copy_memory(colours_out.data, out.device, colours.data() + begin, values.device(), out.size * sizeof(glm::vec3));
  };
}

TEST_P(SurfaceParts, SlabsMakeTheMeshOfTheWhole) {
  Job job;
  for (const glm::ivec3 counts : {glm::ivec3(33, 9, 16),
                                  {20, 31, 17},
                                  {65, 12, 18},
                                  {12, 13, 19},
                                  {40, 10, 50},
                                  {31, 33, 96},
                                  {5, 5, 2},
                                  {5, 1, 40}}) {
    const Grid grid =
        counts.z % 2 ? make_skewed_grid({3, -2, 1}, 0.7, counts) : make_grid({-1, 2, 3}, {1, 0.5, 0.7}, counts);
    Random random(static_cast<std::uint64_t>(counts.z));
    std::vector<float> noise;
    std::vector<glm::vec3> tints;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      noise.push_back(static_cast<float>(random(-1, 1)));
      tints.emplace_back(random.in_box(0, 1));
    }
    const auto values = DeviceArray<float>::from_host(noise, GetParam());
    const auto colours = DeviceArray<glm::vec3>::from_host(tints, GetParam());
    const MarchingCubesOptions options{0.1f, counts.z % 3 != 0};
    const Mesh whole = marching_cubes(values.span(), grid, options, colours.span(), job);
    for (const int layers : {16, 32, 48}) {
      SlabVolume volume{
          grid, GetParam(), Storage::float32, true, Storage::float32, layers, layers_of(values, colours, grid)};
      MarchingCubes slabs = marching_cubes_in_slabs(volume, options);
      expect_same(marching_cubes(slabs, GetParam(), {}, true, job), whole);
      volume.coloured = false;
      MarchingCubes plain = marching_cubes_in_slabs(volume, options);
      EXPECT_EQ(marching_cubes(plain, GetParam(), {}, false, job).triangles, whole.triangles);
    }
  }
  SlabVolume odd;
  odd.layers = 24;
  EXPECT_THROW(marching_cubes_in_slabs(odd, {}), Error);
}

TEST_P(SurfaceParts, AVolumeBeyondTheLimitGoesThroughInSlabs) {
  const std::vector<DensityAtom> atoms = random_atoms(4000, 11, 20);
  const Grid grid = gaussian_density_grid(atoms, {}, 0.6);
  Job job;
  DensityAtoms there(atoms, GetParam());
  DensityWorkspace workspace;
  SlabVolume volume{grid, GetParam(), Storage::float32, true, Storage::unorm8, 0, {}};
  volume.source = [&](LayerRange layers, Values values, Colours colours, Job& j) {
    gaussian_density_layers(there, grid, layers, {}, values, colours, j, workspace);
  };
  DeviceArray<float> rho(grid.size(), GetParam());
  DeviceArray<glm::u8vec4> colours(grid.size(), GetParam());
  gaussian_density(atoms, grid, {}, rho.span(), colours.span(), job);
  const Mesh whole = marching_cubes(rho.span(), grid, {}, colours.span(), job);
  const auto working = [&](int layers) { return gaussian_density_memory(atoms.size(), grid, GetParam(), layers); };
  volume.layers = grid.counts.z;
  const std::size_t all = slab_memory(grid, GetParam(), grid.counts.z, Storage::float32, true, Storage::unorm8);
  EXPECT_EQ(layers_that_fit(volume, all + working(grid.counts.z), working), grid.counts.z);
  EXPECT_EQ(layers_that_fit(volume, 1000, working), 0);
  const std::size_t limit = working(32) + all * 3 / 4;
  volume.layers = layers_that_fit(volume, limit, working);
  ASSERT_GT(volume.layers, 0);
  ASSERT_LT(volume.layers, grid.counts.z);
  reset_peak_memory();
  const std::size_t before = allocated_memory(GetParam());
  MarchingCubes slabs = marching_cubes_in_slabs(volume, {});
  const SurfaceCounts counts = slabs.count(job);
  EXPECT_LE(peak_memory(GetParam()) - before, limit);
  EXPECT_EQ(counts.triangles, whole.triangles.size());
  expect_same(marching_cubes(slabs, GetParam(), {}, true, job), whole);
}

std::atomic<int> allocations{0};

TEST_P(SurfaceParts, ASteadyStateAllocatesNothing) {
  const bool cuda = GetParam().is_cuda();
  static const CudaApi& real = built_in_cuda_api();
  CudaApi counting = real;
  counting.allocate = [](void** memory, std::size_t bytes, void* stream) {
    ++allocations;
    return real.allocate(memory, bytes, stream);
  };
  counting.allocate_host = [](void** memory, std::size_t bytes) {
    ++allocations;
    return real.allocate_host(memory, bytes);
  };
  Job job;
  std::vector<DensityAtom> atoms = random_atoms(5000, 3, 20);
  const Grid grid = gaussian_density_grid(atoms, {}, 0.8);
  DensityAtoms there(atoms, GetParam());
  DensityWorkspace workspace;
  DeviceArray<float> rho(grid.size(), GetParam());
  DeviceArray<glm::u8vec4> tints(grid.size(), GetParam());
  MarchingCubes cubes(rho.span(), grid, {});
  KeptArray<glm::vec3> positions, normals;
  KeptArray<glm::uvec3> triangles;
  KeptArray<glm::u8vec4> colours;
  Random random(5);
  if (cuda) set_cuda_api_for_test(&counting);
  int after_first = 0;
  std::vector<glm::vec3> moved;
  // On the CPU blocks count that are larger than what a loop over threads or a message takes.
  constexpr std::size_t least = 2048;
  count_allocations(least);
  for (int frame = 0; frame < 6; ++frame) {
    moved.clear();
    for (const DensityAtom& atom : atoms) moved.push_back(atom.position + glm::vec3(random.in_box(-0.1, 0.1)));
    there.move(moved, job);
    gaussian_density(there, grid, {}, rho.span(), tints.span(), job, workspace);
    cubes.reset(rho.span(), grid, {});
    const SurfaceCounts counts = cubes.count(job);
    EXPECT_GT(counts.triangles, 1000u);
    cubes.fill({positions.room(counts.vertices, GetParam(), "p"), counts.vertices, GetParam()},
               {normals.room(counts.vertices, GetParam(), "n"), counts.vertices, GetParam()},
               {triangles.room(counts.triangles, GetParam(), "t"), counts.triangles, GetParam()}, tints.span(),
               {colours.room(counts.vertices, GetParam(), "c"), counts.vertices, GetParam()}, job);
    if (frame != 0) continue;
    const int counted = counted_allocations();
    after_first = cuda ? allocations.exchange(0) : counted;
    count_allocations(least);
  }
  const int counted = counted_allocations();
  if (cuda) set_cuda_api_for_test(nullptr);
  if (!cuda && counted < 0) GTEST_SKIP() << "a sanitizer has the allocator";
  EXPECT_GT(after_first, 5);
  EXPECT_EQ(cuda ? allocations.load() : counted, 0);
}

}  // namespace
}  // namespace isolume
