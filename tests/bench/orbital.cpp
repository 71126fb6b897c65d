// Times orbitals: the six cases of the published comparison of kernels, many orbitals at once, and a sequence of
// frames.
//
//     bench_orbital [--device D] [--threads N] [--data DIR] [--benchmark_filter=REGEX] [--benchmark_format=json]
//
// DIR holds the files (qm-computed); rows whose file is not there are left out. A time is that of a whole call, from
// the orbitals in host memory to the amplitudes on the device: the median of repeated calls, and half the range between
// the first and third quartile. Errors are against the double-precision reference at 2000 points of the grid.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "compute/orbitals/orbital_jit.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

struct Settings {
  Device device;
  fs::path data = "../shared/data/qm-computed";
  std::regex filter{"."};
  bool json = false;
};

/// A line of the table.
struct Row {
  std::string name, problem, how;
  double wall = 0, spread = 0;  ///< seconds
  double kernels = 0;           ///< seconds of launches on a CUDA device, by events
  double points = 0;
  double error = -1;  ///< largest, of the largest value; negative where it does not apply
};

class Bench {
 public:
  explicit Bench(Settings settings) : settings_(std::move(settings)) {}
  void run();

 private:
  bool wanted(const std::string& name) const { return std::regex_search("orbital " + name, settings_.filter); }
  std::optional<Molecule> open(const std::string& file) const;
  template <class Compute>
  void measure(Row row, const Compute& compute);
  void one_case(const std::string& name, const std::string& file, const Grid& grid);
  void many(const std::string& name, const std::string& file, double spacing);
  void sequence(double spacing);
  void print() const;

  Settings settings_;
  std::vector<Row> rows_;
};

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A grid centred on the origin.
Grid centred(double step, glm::ivec3 counts) {
  Grid grid;
  grid.step = glm::dmat3(step);
  grid.origin = -0.5 * step * glm::dvec3(counts - 1);
  grid.counts = counts;
  return grid;
}

std::optional<Molecule> Bench::open(const std::string& file) const {
  const fs::path path = settings_.data / file;
  if (!fs::exists(path)) {
    std::fprintf(stderr, "%s is not there\n", path.c_str());
    return {};
  }
  return read_file(path.string());
}

/// Calls compute() once for warmth, then until half a second or 200 calls are over; at least five times.
template <class Compute>
void Bench::measure(Row row, const Compute& compute) {
  compute();
  std::vector<double> times;
  const Clock::time_point start = Clock::now();
  while (times.size() < 5 || (times.size() < 200 && since(start) < 0.5)) {
    const Clock::time_point begin = Clock::now();
    compute();
    times.push_back(since(begin));
  }
  std::sort(times.begin(), times.end());
  row.wall = times[times.size() / 2];
  row.spread = 0.5 * (times[times.size() * 3 / 4] - times[times.size() / 4]);
  LaunchRecord record;
  compute();
  std::string steps;
  for (const LaunchEntry& entry : record.entries()) {
    if (entry.cuda) row.kernels += entry.seconds;
    steps += fmt::format("  {} {:.3f} ms", entry.name, 1e3 * entry.seconds);
  }
  std::fprintf(stderr, "%s, %s: %.3f ms;%s\n", row.name.c_str(), row.how.c_str(), 1e3 * row.wall, steps.c_str());
  rows_.push_back(std::move(row));
}

/// Largest difference from `expected` over the largest |value|, at sampled points of the grid.
template <class Expected>
double sampled_error(const Grid& grid, std::span<const float> values, std::size_t count, const Expected& expected) {
  double scale = 0;
  for (const float value : values) scale = std::max(scale, std::abs(double{value}));
  std::mt19937_64 random(2);
  std::vector<glm::dvec3> points;
  std::vector<double> found, sought(count);
  for (std::size_t i = 0; i < count; ++i) {
    glm::ivec3 at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = static_cast<int>(random() % static_cast<unsigned>(grid.counts[axis]));
    points.push_back(grid.point(at.x, at.y, at.z));
    found.push_back(double{values[grid.index(at.x, at.y, at.z)]});
  }
  expected(points, sought);
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(found[i] - sought[i]));
  return largest / scale;
}

void Bench::one_case(const std::string& name, const std::string& file, const Grid& grid) {
  if (!wanted(name)) return;
  const std::optional<Molecule> molecule = open(file);
  if (!molecule) return;
  const Orbitals& orbitals = *molecule->orbitals_at(0);
  const std::size_t which = orbitals.homo().value();
  DeviceArray<float> out(grid.size(), settings_.device);
  for (const OrbitalAccuracy accuracy : {OrbitalAccuracy::fine, OrbitalAccuracy::preview}) {
    for (const bool screening : {true, false}) {
      for (const bool compiled : {false, true}) {
        if (compiled && !settings_.device.is_cuda()) continue;
        if (accuracy == OrbitalAccuracy::preview && !screening) continue;
        OrbitalOptions options;
        options.accuracy = accuracy;
        options.screening = screening;
        options.compiled = compiled;
        Row row;
        row.name = name;
        row.problem = fmt::format("{} functions, {} x {} x {}", orbitals.basis->function_count(), grid.counts.x,
                                  grid.counts.y, grid.counts.z);
        row.how = fmt::format("{}, {}{}", accuracy == OrbitalAccuracy::fine ? "fine" : "preview",
                              screening ? "screened" : "all functions", compiled ? ", compiled for the basis" : "");
        row.points = static_cast<double>(grid.size());
        const auto compute = [&] {
          Job job;
          orbital(orbitals, which, grid, out.span(), job, options);
        };
        set_compiled_orbitals(compiled ? CompiledUse::always : CompiledUse::never);
        const Clock::time_point begin = Clock::now();
        compute();
        if (compiled)
          std::fprintf(stderr, "first call %.0f ms; %s\n", 1e3 * since(begin), compiled_orbitals_status().c_str());
        row.error = sampled_error(grid, out.copy_to_host(), 2000, [&](const auto& points, auto& values) {
          orbital_reference(orbitals, which, points, values);
        });
        measure(row, compute);
      }
    }
  }
}

void Bench::many(const std::string& name, const std::string& file, double spacing) {
  if (!wanted(name + " density")) return;
  const std::optional<Molecule> molecule = open(file);
  if (!molecule) return;
  const Orbitals& orbitals = *molecule->orbitals_at(0);
  const Grid grid = orbital_grid(orbitals, orbitals.homo().value(), spacing);
  std::vector<std::size_t> occupied;
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    if (orbitals.orbitals[i].occupation > 0) occupied.push_back(i);
  }
  Row row;
  row.name = name;
  row.problem = fmt::format("{} orbitals, {} functions, {} x {} x {}", occupied.size(),
                            orbitals.basis->function_count(), grid.counts.x, grid.counts.y, grid.counts.z);
  row.points = static_cast<double>(grid.size());
  DeviceArray<float> out(grid.size() * occupied.size(), settings_.device);
  Job job;
  const auto amplitudes = [&] { orbital_amplitudes(orbitals, occupied, grid, out.span(), job); };
  amplitudes();
  std::vector<float> values = out.copy_to_host();
  const std::size_t last = (occupied.size() - 1) * grid.size();
  row.how = "all occupied orbitals";
  row.error = sampled_error(grid, std::span(values).subspan(last, grid.size()), 500, [&](const auto& points, auto& to) {
    orbital_reference(orbitals, occupied.back(), points, to);
  });
  measure(row, amplitudes);
  const Span<float> one(out.data(), grid.size(), settings_.device);
  const auto density = [&] { electron_density(orbitals, DensityKind::electron, grid, one, job); };
  density();
  values = copy_to_host(one);
  row.how = "electron density";
  row.error = sampled_error(grid, values, 500,
                            [&](const auto& points, auto& to) { electron_density_reference(orbitals, points, to); });
  measure(row, density);
}

/// Orbital, two lobes and the arrays that OpenGL draws, frame by frame.
void Bench::sequence(double spacing) {
  if (!wanted("threonine sequence")) return;
  std::vector<std::string> files;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(settings_.data / "threonine_chi1", fault)) {
    if (entry.path().extension() == ".molden") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) return;
  std::vector<std::shared_ptr<const Orbitals>> frames;
  for (const std::string& file : files) frames.push_back(read_file(file).orbitals_at(0));
  const std::size_t which = frames[0]->homo().value();
  const Grid grid = orbital_grid(*frames[0], which, spacing);
  DeviceArray<float> amplitude(grid.size(), settings_.device);
  struct Lobe {
    DeviceArray<glm::vec3> positions, normals;
    DeviceArray<glm::uvec3> triangles;
    std::optional<MarchingCubes> cubes;  // kept from frame to frame, as the window does
  } lobes[2];
  for (Lobe& lobe : lobes) {
    constexpr std::size_t room = 1 << 18;
    lobe.positions = DeviceArray<glm::vec3>(room, settings_.device);
    lobe.normals = DeviceArray<glm::vec3>(room, settings_.device);
    lobe.triangles = DeviceArray<glm::uvec3>(2 * room, settings_.device);
  }
  for (const OrbitalAccuracy accuracy : {OrbitalAccuracy::fine, OrbitalAccuracy::preview}) {
    std::size_t frame = 0, vertices = 0;
    Row row;
    row.name = "threonine sequence";
    row.how = fmt::format("a frame: {} orbital and two lobes", accuracy == OrbitalAccuracy::fine ? "fine" : "preview");
    row.points = static_cast<double>(grid.size());
    OrbitalOptions options;
    options.accuracy = accuracy;
    const auto compute = [&] {
      Job job;
      orbital(*frames[frame], which, grid, amplitude.span(), job, options);
      vertices = 0;
      for (int sign = 0; sign < 2; ++sign) {
        Lobe& lobe = lobes[sign];
        MarchingCubesOptions surface;
        surface.isovalue = sign == 0 ? 0.05f : -0.05f;
        surface.inside_above = sign == 0;
        const Span<float> volume = amplitude.span();
        if (lobe.cubes) {
          lobe.cubes->reset(volume, grid, surface);
        } else {
          lobe.cubes.emplace(volume, grid, surface);
        }
        const SurfaceCounts counts = lobe.cubes->count(job);
        lobe.cubes->fill({lobe.positions.data(), counts.vertices, settings_.device},
                         {lobe.normals.data(), counts.vertices, settings_.device},
                         {lobe.triangles.data(), counts.triangles, settings_.device}, {}, {}, job);
        vertices += counts.vertices;
      }
      frame = (frame + 1) % frames.size();
    };
    compute();
    row.problem =
        fmt::format("{} frames, {} functions, {} x {} x {}, {} vertices", frames.size(),
                    frames[0]->basis->function_count(), grid.counts.x, grid.counts.y, grid.counts.z, vertices);
    measure(row, compute);
  }
}

void Bench::print() const {
  if (settings_.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const Row& r : rows_) {
      all.push_back({{"name", "orbital " + r.name},
                     {"problem", r.problem},
                     {"how", r.how},
                     {"device", to_string(settings_.device)},
                     {"seconds", r.wall},
                     {"spread", r.spread},
                     {"points_per_second", r.points / r.wall}});
      if (settings_.device.is_cuda()) all.back()["kernel_seconds"] = r.kernels;
      if (r.error >= 0) all.back()["relative_error"] = r.error;
    }
    std::printf("%s\n", nlohmann::json{{"benchmarks", all}}.dump(1).c_str());
    return;
  }
  std::printf("%-20s %-44s %-48s %10s %8s %9s %10s %8s\n", "orbital", "problem", "how", "wall [ms]", "+-", "kernels",
              "points/s", "error");
  for (const Row& r : rows_) {
    std::printf("%-20s %-44s %-48s %10.3f %8.3f %9.3f %10.3g %8s\n", r.name.c_str(), r.problem.c_str(), r.how.c_str(),
                1e3 * r.wall, 1e3 * r.spread, 1e3 * r.kernels, r.points / r.wall,
                r.error < 0 ? "" : fmt::format("{:.1e}", r.error).c_str());
  }
}

void Bench::run() {
  // The published C60 grid; those of the other two are not published, and are taken at the same fineness.
  const Grid c60 = centred(13.1 / 259, {258, 260, 254});
  const Grid threonine = centred(0.06, {224, 224, 224});
  const Grid krypton = centred(0.05, {200, 200, 200});
  one_case("C60-B", "C60-B.molden.gz", c60);
  one_case("C60-A", "C60-A.molden", c60);
  one_case("Thr-B", "Thr-B.molden", threonine);
  one_case("Thr-A", "Thr-A.molden", threonine);
  one_case("Kr-B", "Kr-C-cart.molden", krypton);
  one_case("Kr-A", "Kr-A.molden", krypton);
  many("C60-B", "C60-B.molden.gz", 0.25);
  many("Thr-B", "Thr-B.molden", 0.2);
  sequence(0.2);
  print();
}

int run(bench::Words& words) {
  Settings settings;
  settings.device = words.device();
  settings.data = words.text("--data", settings.data);
  if (const int threads = words.integer("--threads", 0); threads > 0) set_thread_count(threads);
  settings.filter = std::regex(words.text("--benchmark_filter", "."));
  settings.json = words.json();
  words.rest();
  for (const DeviceInfo& info : list_devices()) {
    if (info.device == settings.device) std::fprintf(stderr, "device: %s\n", info.name.c_str());
  }
  Bench(std::move(settings)).run();
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_orbital [--device D] [--data FOLDER] [--threads N] [--benchmark_filter=REGEX] [--benchmark_format=json]",
      count, words, isolume::run);
}
