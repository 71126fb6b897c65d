// Times fields of the electron density: density with its Hessian and ELF on the grid of C60 that others published for,
// the exact potential at points, the potential on a grid by a mesh, critical points, Hirshfeld charges, and contacts of
// 100 000 free atoms and of two parts of C60.
//
//     bench_density-fields [--device D] [--threads N] [--data DIR] [--points N] [--accuracy X] [--exponent P]
//                          [--benchmark_filter=REGEX]
//
// --accuracy (hartree/e) and --exponent (bohr^-2) are those of potentials by a mesh.
// DIR holds the files (qm-computed); rows whose file is not there are left out. A time is that of a whole call: the
// median of repeated calls. Errors are against double precision on the CPU at 500 points, of fields at 2000.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <random>
#include <regex>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/gradient_model.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/electron_density/mesh/density_mesh.h"
#include "compute/electron_density/promolecule.h"
#include "compute/electron_density/topology/critical_points.h"
#include "compute/orbitals/electron_density.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

/// Median seconds of calls: at least three, for a second.
template <class Compute>
double seconds_of(const Compute& compute) {
  using Clock = std::chrono::steady_clock;
  compute();
  std::vector<double> times;
  const auto start = Clock::now();
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  while (times.size() < 3 || (times.size() < 100 && since(start) < 1)) {
    const auto begin = Clock::now();
    compute();
    times.push_back(since(begin));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Wall and processor seconds of calls; the latter of all threads, for machines that others use.
struct Spent {
  double wall, processor;
};
template <class Compute>
Spent spent_by(const Compute& compute) {
  std::vector<double> processor;
  const double wall = seconds_of([&] {
    const std::clock_t begin = std::clock();
    compute();
    processor.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  });
  std::sort(processor.begin(), processor.end());
  return {wall, processor[processor.size() / 2]};
}

void print(const std::string& name, const std::string& problem, double seconds, double points, double error) {
  std::printf("%-28s %-40s %12.3f ms %10.4f us/point %10.1e\n", name.c_str(), problem.c_str(), 1e3 * seconds,
              1e6 * seconds / points, error);
  std::fflush(stdout);
}

void print_steps(const std::vector<LaunchEntry>& steps) {
  for (const LaunchEntry& step : steps)
    std::printf("  %-36s %8.3f ms %5zu%s\n", step.name.c_str(), 1e3 * step.seconds, step.launches,
                step.cuda ? "" : " (host)");
  std::fflush(stdout);
}

/// Indices of some points of a grid.
std::vector<std::size_t> some(const Grid& grid, std::size_t count) {
  std::mt19937_64 random(2);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(random() % grid.size());
  return chosen;
}

std::vector<glm::dvec3> points_of(const Grid& grid, std::span<const std::size_t> chosen) {
  std::vector<glm::dvec3> points;
  const auto counts = glm::u64vec3(grid.counts);
  for (const std::size_t at : chosen) {
    points.push_back(units::angstrom_in_bohr * grid.point(static_cast<double>(at % counts.x),
                                                          static_cast<double>(at / counts.x % counts.y),
                                                          static_cast<double>(at / counts.x / counts.y)));
  }
  return points;
}

void time_measures(const std::string& file, const Orbitals& orbitals, const Grid& grid, Device device) {
  const SpinEvaluator evaluator(orbitals, false);
  DeviceArray<float> values(grid.size(), device);
  const auto chosen = some(grid, 2000);
  const auto points = points_of(grid, chosen);
  std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
  evaluator.reference(points, alpha, beta);
  for (const char* name : {"gradient", "elf", "rdg", "laplacian", "sign-lambda2"}) {
    const DensityMeasureInfo& info = *find_density_measure(name);
    Job job;
    std::size_t computed = 0;
    const auto fill = [&] { computed = measure_on_grid(evaluator, info, grid, values.span(), job); };
    const Spent spent = spent_by(fill);
    const std::vector<float> host = values.copy_to_host();
    double error = 0, scale = 0;
    for (const float value : host) {
      if (value < 1e30f) scale = std::max(scale, std::abs(double{value}));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      // Reduced gradients far from the molecule are large and of no use: those count where they are drawn.
      const double expected = measure_value(info.measure, alpha[i], beta[i]);
      if (std::abs(expected) > 1e6) continue;
      error = std::max(
          error, std::abs(double{host[chosen[i]]} - expected) / std::min(scale, std::max(1.0, std::abs(expected))));
    }
    print(fmt::format("{} {}", file, name),
          fmt::format("{} functions, {} x {} x {}, {} computed; {:.2f} s processor", orbitals.basis->function_count(),
                      grid.counts.x, grid.counts.y, grid.counts.z, computed, spent.processor),
          spent.wall, static_cast<double>(grid.size()), error);
    if (!device.is_cuda()) continue;
    const LaunchRecord record;
    fill();
    print_steps(record.entries());
  }
}

void time_potential(const std::string& file, const Orbitals& orbitals, std::size_t count, Device device) {
  Job job;
  const auto begin = std::chrono::steady_clock::now();
  const DensityPotential potential(orbitals, density_weights(orbitals, DensityKind::electron), {}, job);
  const std::chrono::duration<double> pairs = std::chrono::steady_clock::now() - begin;
  // On a sphere around the molecule's atoms and within it, as points of a surface are.
  std::mt19937_64 random(7);
  std::vector<glm::dvec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = [&] { return 2 * static_cast<double>(random() >> 11) * 0x1.0p-53 - 1; };
    glm::dvec3 way(part(), part(), part());
    points.push_back(orbitals.centres[random() % orbitals.centres.size()] + 5.0 * way);
  }
  std::vector<double> values(count);
  for (const bool field : {false, true}) {
    std::vector<glm::dvec3> slopes(field ? count : 0);
    const double seconds = seconds_of([&] { potential.at(points, values, slopes, job, device); });
    const std::size_t checked = std::min<std::size_t>(500, count);
    std::vector<double> exact(checked);
    potential.at(std::span(points).first(checked), exact, {}, job);
    double error = 0;
    for (std::size_t i = 0; i < checked; ++i) error = std::max(error, std::abs(exact[i] - values[i]));
    print(fmt::format("{} {}", file, field ? "potential and field" : "potential"),
          fmt::format("{} functions, {} pairs ({:.0f} ms)", orbitals.basis->function_count(), potential.sources(),
                      1e3 * pairs.count()),
          seconds, static_cast<double>(count), error);
  }
}

/// The potential on a grid by a mesh, all of a call but the density's Hermite Gaussians; errors at 2000 points.
void time_mesh(const std::string& file, const Orbitals& orbitals, const Grid& grid, double accuracy, double exponent,
               Device device) {
  Job job;
  const DensityPotential potential(orbitals, density_weights(orbitals, DensityKind::electron), orbitals.nuclear_charges,
                                   job);
  DeviceArray<float> map(grid.size(), device, "values");
  std::vector<double> processor;
  DensityMeshPlan plan;
  const auto make_plan = [&] {
    plan = plan_density_mesh(potential.density(), potential.centres(), potential.charges(), grid, accuracy, exponent,
                             job, device);
  };
  const auto fill = [&] {
    const DensityPotentialMesh mesh(potential.density(), plan, job, device);
    mesh.on_grid(grid, 1, map.span(), job);
  };
  const double wall = seconds_of([&] {
    const std::clock_t begin = std::clock();
    make_plan();
    fill();
    processor.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  });
  const double planned = device.is_cuda() ? seconds_of(make_plan) : 0, filled = device.is_cuda() ? seconds_of(fill) : 0;
  std::vector<LaunchEntry> steps;
  if (device.is_cuda()) {
    const LaunchRecord record;
    fill();
    steps = record.entries();
  }
  const std::vector<float> values = map.copy_to_host();
  std::sort(processor.begin(), processor.end());
  const auto chosen = some(grid, 2000);
  const auto points = points_of(grid, chosen);
  std::vector<double> exact(points.size());
  potential.at(points, exact, {}, job, device);
  double error = 0, squares = 0, whole = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double difference = double{values[chosen[i]]} - exact[i];
    error = std::max(error, std::abs(difference));
    squares += difference * difference;
    whole += exact[i] * exact[i];
  }
  const double seconds = processor[processor.size() / 2];
  std::printf(
      "mesh %s: %zu functions, %d x %d x %d; mesh %d x %d x %d, %zu centres; %.2f s processor, %.2f s wall, %.4f "
      "us/point; error %.1e hartree/e, relative %.1e\n",
      file.c_str(), orbitals.basis->function_count(), grid.counts.x, grid.counts.y, grid.counts.z, plan.padded.x,
      plan.padded.y, plan.padded.z, plan.sites.size(), seconds, wall, 1e6 * seconds / static_cast<double>(grid.size()),
      error, std::sqrt(squares / whole));
  if (device.is_cuda()) {
    std::printf("  of which on the CPU: plan %.2f ms; the rest %.2f ms\n", 1e3 * planned, 1e3 * filled);
    print_steps(steps);
  }
  std::fflush(stdout);
}

/// Critical points with their bond paths. The error is the largest gradient beyond the nuclei.
void time_critical_points(const std::string& file, const Orbitals& orbitals, Device device) {
  Job job;
  const DensityEvaluator evaluator(orbitals, density_weights(orbitals, DensityKind::electron));
  CriticalPoints found;
  const auto search = [&] { found = critical_points(evaluator, orbitals.centres, job, 1e-9, device); };
  const Spent spent = spent_by(search);
  double residual = 0;
  for (const CriticalPoint& point : found.points) {
    if (point.kind != CriticalKind::nucleus) residual = std::max(residual, glm::length(point.values.gradient));
  }
  print(
      fmt::format("{} critical points", file),
      fmt::format("{} starts: {} + {} + {} + {}, sum {}; {:.2f} s processor", found.starts,
                  found.count(CriticalKind::nucleus), found.count(CriticalKind::bond), found.count(CriticalKind::ring),
                  found.count(CriticalKind::cage), found.poincare_hopf(), spent.processor),
      spent.wall, static_cast<double>(found.starts), residual);
  const LaunchRecord record;
  search();
  print_steps(record.entries());
}

/// Reduced gradient and sign(lambda2) rho of free atoms, about as dense as in a protein with its hydrogens, in a box in
/// their middle; then with the copies to the host.
void time_promolecule(Device device) {
  constexpr std::size_t count = 100000;
  constexpr double per_atom = 10;  // cubic angstrom
  const double edge = std::cbrt(count * per_atom);
  std::mt19937_64 random(5);
  const auto part = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  const int kinds[] = {1, 6, 1, 8, 1, 6, 1, 7};
  std::vector<glm::dvec3> positions;
  std::vector<int> elements;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = part(), y = part(), z = part();
    positions.push_back(units::angstrom_in_bohr * edge * glm::dvec3(x, y, z));
    elements.push_back(kinds[i % 8]);
  }
  const Promolecule promolecule(positions, elements);
  Grid grid;
  grid.counts = glm::ivec3(256);
  grid.step = glm::dmat3(0.1);
  grid.origin = glm::dvec3(0.5 * edge - 12.75);
  Job job;
  DeviceArray<float> values(grid.size(), device, "values"), signs(grid.size(), device, "values");
  const auto fill = [&] {
    promolecule.on_grid(PromoleculeField::rdg, PromoleculeField::sign_lambda2, grid, values.span(), signs.span(), job);
  };
  std::vector<float> host(grid.size()), host_signs(grid.size());
  const auto copy = [&] {
    copy_memory(host.data(), Device::cpu(), values.data(), device, grid.size() * sizeof(float));
    copy_memory(host_signs.data(), Device::cpu(), signs.data(), device, grid.size() * sizeof(float));
  };
  const Spent spent = spent_by(fill);
  copy();
  double error = 0;
  for (const std::size_t at : some(grid, 500)) {
    const glm::dvec3 point = points_of(grid, std::span(&at, 1)).front();
    const PromoleculePoint exact = promolecule.reference(point);
    if (exact.density.density > 1) continue;  // next to a nucleus
    error = std::max(error, std::abs(double{host[at]} - map_value(PromoleculeField::rdg, exact)));
  }
  print("promolecule contacts", fmt::format("100 000 atoms, 256^3; {:.2f} s processor", spent.processor), spent.wall,
        static_cast<double>(grid.size()), error);
  {
    const LaunchRecord record;
    fill();
    print_steps(record.entries());
  }
  if (!device.is_cuda()) return;
  print("  with both maps on the host", "", seconds_of([&] {
          fill();
          copy();
        }),
        static_cast<double>(grid.size()), error);
}

/// Hirshfeld's charges, free atoms included. The error is that of the number of electrons.
void time_hirshfeld(const std::string& file, const Orbitals& orbitals, Device device) {
  std::vector<int> elements;
  for (const double charge : orbitals.nuclear_charges) elements.push_back(static_cast<int>(std::lround(charge)));
  Job job;
  HirshfeldCharges found;
  const auto integrate = [&] { found = hirshfeld_charges(orbitals, elements, orbitals.nuclear_charges, job, device); };
  const Spent spent = spent_by(integrate);
  print(fmt::format("{} Hirshfeld", file),
        fmt::format("{} atoms, {} points; {:.2f} s processor", elements.size(), found.points, spent.processor),
        spent.wall, static_cast<double>(found.points), std::abs(found.electrons - orbitals.electron_count()));
  const LaunchRecord record;
  integrate();
  print_steps(record.entries());
}

/// delta-g between the halves of C60, without and with sign(lambda2) rho, which needs second derivatives.
void time_gradient_model(const std::string& file, const Orbitals& orbitals, Device device) {
  const std::size_t atoms = orbitals.centres.size();
  std::vector<std::uint8_t> parts(atoms, 1);
  std::fill(parts.begin() + static_cast<std::ptrdiff_t>(atoms / 2), parts.end(), 2);
  const HirshfeldGradientModel model(orbitals, std::vector<int>(atoms, 6), parts);
  Grid grid;
  grid.counts = glm::ivec3(device.is_cuda() ? 151 : 48);
  grid.step = glm::dmat3(15.0 / (grid.counts.x - 1));
  grid.origin = glm::dvec3(-7.5);
  Job job;
  DeviceArray<float> values(grid.size(), device, "values"), signs(grid.size(), device, "values");
  for (const bool with_signs : {false, true}) {
    const auto fill = [&] {
      if (with_signs) {
        model.on_grid(PromoleculeField::delta_g_inter, PromoleculeField::sign_lambda2, grid, values.span(),
                      signs.span(), job);
      } else {
        model.on_grid(PromoleculeField::delta_g_inter, grid, values.span(), job);
      }
    };
    const Spent spent = spent_by(fill);
    const std::vector<float> host = values.copy_to_host();
    double error = 0;
    for (const std::size_t at : some(grid, 100)) {
      const glm::dvec3 point = points_of(grid, std::span(&at, 1)).front();
      error = std::max(error, std::abs(double{host[at]} - model.reference(point).delta_g_inter));
    }
    print(fmt::format("{} delta-g{}", file, with_signs ? ", signs" : ""),
          fmt::format("{}^3; {:.2f} s processor", grid.counts.x, spent.processor), spent.wall,
          static_cast<double>(grid.size()), error);
    const LaunchRecord record;
    fill();
    print_steps(record.entries());
  }
}

int run(bench::Words& words) {
  const Device device = words.device();
  const fs::path data = words.text("--data", "../shared/data/qm-computed");
  if (const int threads = words.integer("--threads", 0); threads > 0) set_thread_count(threads);
  const int count = words.integer("--points", device.is_cuda() ? 100000 : 500);
  const std::regex filter(words.text("--benchmark_filter", "."));
  const double accuracy = std::stod(words.text("--accuracy", "1e-5"));
  const double exponent = std::stod(words.text("--exponent", "0"));
  words.rest();
  const auto asks_for = [&](const std::string& name) { return std::regex_search(name, filter); };
  const auto open = [&](const std::string& file) -> std::shared_ptr<const Orbitals> {
    const fs::path path = data / file;
    if (!fs::exists(path)) {
      std::fprintf(stderr, "%s is not there\n", path.c_str());
      return nullptr;
    }
    return read_file(path.string()).orbitals_at(0);
  };
  Grid published;
  published.step = glm::dmat3(13.1 / 259);
  published.counts = {258, 260, 254};
  published.origin = -0.5 * (13.1 / 259) * glm::dvec3(published.counts - 1);
  for (const char* file : {"C60-A.molden", "C60-B.molden.gz"}) {
    if (!asks_for(fmt::format("{} fields", file))) continue;
    if (const auto orbitals = open(file)) time_measures(file, *orbitals, published, device);
  }
  for (const char* file :
       {"H2O-631Gd-cart.molden", "Thr-A.molden", "Thr-B.molden", "NiCO4-TZVP-sph.molden", "C60-B.molden.gz"}) {
    if (!asks_for(fmt::format("{} potential", file))) continue;
    if (const auto orbitals = open(file)) time_potential(file, *orbitals, static_cast<std::size_t>(count), device);
  }
  for (const char* file : {"H2O-631Gd-cart.molden", "Thr-B.molden", "NiCO4-TZVP-sph.molden", "C60-B.molden.gz"}) {
    if (!asks_for(fmt::format("{} mesh", file))) continue;
    if (const auto orbitals = open(file)) time_mesh(file, *orbitals, published, accuracy, exponent, device);
  }
  for (const char* file : {"Thr-B.molden", "C60-B.molden.gz"}) {
    if (!asks_for(fmt::format("{} critical", file))) continue;
    if (const auto orbitals = open(file)) time_critical_points(file, *orbitals, device);
  }
  for (const char* file : {"Thr-B.molden", "C60-B.molden.gz"}) {
    if (!asks_for(fmt::format("{} Hirshfeld", file))) continue;
    if (const auto orbitals = open(file)) time_hirshfeld(file, *orbitals, device);
  }
  if (asks_for("promolecule")) time_promolecule(device);
  if (asks_for("C60-B.molden.gz delta-g")) {
    if (const auto orbitals = open("C60-B.molden.gz")) time_gradient_model("C60-B.molden.gz", *orbitals, device);
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_density-fields [--device D] [--threads N] [--data FOLDER] [--points N] [--accuracy X] [--exponent P] "
      "[--benchmark_filter=REGEX]",
      count, words, isolume::run);
}
