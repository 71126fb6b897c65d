// Times forces by hierarchical charge partitioning on systems of the sizes and partitions of the published comparison,
// and on structures of files; errors are those against all atoms in double precision.
#include <fmt/core.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/hcp/dielectric_error.h"
#include "compute/electrostatics/hcp/hcp_complexes.h"
#include "compute/electrostatics/hcp/hcp_energy.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

/// One structure of Table 1 of Anandakrishnan, Daga, Onufriev, Feng (2016).
struct Structure {
  const char* name;
  std::size_t atoms, groups, subunits;
  double h1, h2;
  bool shell;
};

constexpr Structure structures[] = {
    {"B-DNA, 10 base pairs", 632, 20, 2, 15, HcpOptions::never, false},
    {"immunoglobulin binding domain", 726, 46, 1, 15, HcpOptions::never, false},
    {"ubiquitin", 1231, 76, 1, 15, HcpOptions::never, false},
    {"thioredoxin", 1654, 108, 1, 15, HcpOptions::never, false},
    {"carboxypeptidase A", 4793, 307, 1, 15, 66, false},
    {"hemoglobin", 8782, 574, 4, 15, 66, false},
    {"nucleosome core particle", 25101, 1268, 10, 21, 90, false},
    {"microtubule sheet", 158016, 10332, 24, 15, 48, false},
    {"virus capsid", 475500, 30700, 60, 15, 66, true},
};

struct System {
  ElectrostaticProblem problem;
  HcpHierarchy hierarchy;
  std::vector<glm::vec3> positions;
};

/// A made-up structure with those numbers of atoms, groups and subunits: every subunit a ball at the density of protein
/// (0.095 atoms per cubic angstrom), the balls evenly on a sphere where it is a shell, else as near to each other as
/// they fit; groups on a jittered lattice in the ball, each followed by the nearest that is left, as a chain runs;
/// atoms around the middle of their group, one group in four with a charge of 1, as in a protein, or every group, as in
/// a nucleic acid.
System make_system(const Structure& s, bool all_charged) {
  std::mt19937_64 engine(11);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1.0p-53);
  };
  const double per_group = static_cast<double>(s.atoms) / static_cast<double>(s.groups) / 0.095;  // cubic angstrom
  std::vector<std::vector<glm::dvec3>> subunits(s.subunits);
  const auto cells = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(s.subunits))));
  for (std::size_t u = 0; u < s.subunits; ++u) {
    const std::size_t count = s.groups * (u + 1) / s.subunits - s.groups * u / s.subunits;
    const double radius = std::cbrt(per_group * static_cast<double>(count) * 3 / (4 * 3.14159265));
    glm::dvec3 middle(0);
    if (s.shell) {
      // A Fibonacci lattice; at 125 angstrom sixty balls of 27 angstrom nearly touch.
      const double z = 1 - (2.0 * static_cast<double>(u) + 1) / static_cast<double>(s.subunits);
      const double angle = 2.399963 * static_cast<double>(u);
      middle = 125.0 * glm::dvec3(std::sqrt(1 - z * z) * glm::dvec2(std::cos(angle), std::sin(angle)), z);
    } else {
      const int i = static_cast<int>(u);
      middle = 1.8 * radius * glm::dvec3(i % cells, i / cells % cells, i / cells / cells);
    }
    std::vector<glm::dvec3> places;
    const double cell = std::cbrt(per_group);
    const int reach = static_cast<int>(radius / cell) + 2;
    for (int i = -reach; i <= reach; ++i)
      for (int j = -reach; j <= reach; ++j)
        for (int k = -reach; k <= reach; ++k)
          places.emplace_back(i * cell + uniform(-1, 1), j * cell + uniform(-1, 1), k * cell + uniform(-1, 1));
    std::sort(places.begin(), places.end(),
              [](const glm::dvec3& a, const glm::dvec3& b) { return glm::dot(a, a) < glm::dot(b, b); });
    places.resize(count);
    for (std::size_t i = 0; i + 1 < count; ++i) {
      std::size_t next = i + 1;
      for (std::size_t j = i + 2; j < count; ++j)
        if (glm::distance(places[i], places[j]) < glm::distance(places[i], places[next])) next = j;
      std::swap(places[i + 1], places[next]);
    }
    for (const glm::dvec3& p : places) subunits[u].push_back(middle + p);
  }

  System system;
  auto& [groups, units, wholes] = system.hierarchy.first;
  groups = units = {0};
  std::size_t group = 0;
  for (const auto& members : subunits) {
    for (const glm::dvec3& middle : members) {
      const std::size_t end = s.atoms * (group + 1) / s.groups;
      const std::size_t begin = s.atoms * group / s.groups;
      const double sign = group % 8 < 4 ? 1 : -1;
      const double net = all_charged || group % 4 == 0 ? sign : 0;
      double sum = 0;
      for (std::size_t a = begin; a < end; ++a) {
        const double q = a + 1 == end ? net - sum : uniform(-0.5, 0.5);
        sum += q;
        system.problem.charges.push_back(static_cast<float>(q));
        system.positions.emplace_back(middle + glm::dvec3(uniform(-3, 3), uniform(-3, 3), uniform(-3, 3)));
      }
      groups.push_back(static_cast<std::uint32_t>(system.problem.charges.size()));
      ++group;
    }
    units.push_back(static_cast<std::uint32_t>(group));
  }
  wholes = {0, static_cast<std::uint32_t>(units.size() - 1)};
  return system;
}

struct Timed {
  double seconds = 0;
  std::size_t memory = 0;
  std::vector<glm::vec3> forces;
};

/// Median of `repeats` evaluations of all forces, positions and forces staying on the device, after one to warm up.
Timed time_forces(Electrostatics& method, const System& system, int repeats) {
  const Device device = method.device();
  const auto at = DeviceArray<glm::vec3>::from_host(system.positions, device);
  DeviceArray<glm::vec3> forces(system.positions.size(), device);
  Job job;
  const ElectrostaticOutput out{forces.span(), {}, false};
  std::vector<double> times;
  for (int i = 0; i <= repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    method.evaluate(at.span(), out, job);
    if (i > 0) times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], method.memory(), forces.copy_to_host()};
}

/// RMS of the forces' difference to all atoms, over the RMS force, and the energy's relative difference, both in double
/// precision, of as many atoms as take a second or some.
struct Errors {
  double force = 0, energy = 0;
};

Errors errors_of(Electrostatics& method, const System& system, const Dielectric& dielectric,
                 std::span<const glm::vec3> forces) {
  const std::size_t atoms = system.positions.size(),
                    samples = std::min<std::size_t>(atoms, 4 * quick_energy_samples(atoms));
  const Device device = method.device();
  const auto at = DeviceArray<glm::vec3>::from_host(system.positions, device);
  DeviceArray<float> energies(atoms, device);
  Job job;
  method.evaluate(at.span(), {{}, energies.span(), true}, job);
  const ForceError force = dielectric_force_error(system.problem, dielectric, system.positions, forces, samples, job);
  const EnergyError energy = dielectric_energy_error(system.problem, dielectric, system.positions,
                                                     method.sums().energy(), energies.copy_to_host(), samples, job);
  return {force.relative, energy.relative};
}

HcpOptions options_of(const std::array<double, 3>& thresholds, bool partitioned, int charges) {
  HcpOptions options;
  options.charges = charges;
  options.thresholds.fill(HcpOptions::never);
  if (partitioned) options.thresholds = thresholds;
  options.dielectric = Dielectric::sigmoidal();
  return options;
}

/// A structure of a file with charges: residues as groups, chains as subunits; pairs along bonds are not left out, as
/// in the made-up ones.
System read_system(const std::string& path, const std::string& complexes) {
  const std::vector<Molecule> molecules = read_files({path});
  if (molecules.size() != 1 || !molecules[0].topology || molecules[0].frame_count() == 0 ||
      !molecules[0].topology->has_charges)
    throw Error(path + ": one structure with charges is needed", Error::Kind::usage);
  const Topology& topology = *molecules[0].topology;
  System system;
  for (const Atom& atom : topology.atoms) system.problem.charges.push_back(atom.charge);
  system.positions = molecules[0].trajectory->frame(0).positions;
  system.hierarchy = HcpHierarchy::from_topology(topology, chain_complexes(topology, complexes));
  return system;
}

/// What holds for all structures of a run.
struct Bench {
  Device device;
  int charges = 1;
  double per_pair = 0;  ///< seconds of the sum over all atoms on one thread, as it was measured last
};

void measure(Bench& bench, const std::string& name, const System& system, const std::array<double, 3>& thresholds) {
  const std::size_t atoms = system.positions.size();
  const double pairs = static_cast<double>(atoms) * static_cast<double>(atoms);
  const auto options = [&](bool partitioned) { return options_of(thresholds, partitioned, bench.charges); };
  const auto make = [&](bool partitioned, Device on) {
    return hcp_electrostatics(system.problem, system.hierarchy, options(partitioned), on);
  };
  double one_thread_hcp = 0;
  {
    const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
    if (atoms <= 9000 || bench.per_pair == 0) {
      const std::size_t few = std::min<std::size_t>(atoms, 9000);
      System part = system;
      if (few < atoms) {  // the first ones, as one group
        part.problem.charges.resize(few);
        part.positions.resize(few);
        part.hierarchy.first = {std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(few)}, {0, 1}, {0, 1}};
      }
      const auto method = hcp_electrostatics(part.problem, part.hierarchy, options(false), Device::cpu());
      bench.per_pair = time_forces(*method, part, 3).seconds / static_cast<double>(few * few);
    }
    one_thread_hcp = time_forces(*make(true, Device::cpu()), system, atoms > 100000 ? 1 : 3).seconds;
  }
  const double one_thread = bench.per_pair * pairs;
  const auto on_cpu = make(true, Device::cpu());
  const Timed hcp = time_forces(*on_cpu, system, atoms > 100000 ? 3 : 9);
  Errors errors = errors_of(*on_cpu, system, options(true).dielectric, hcp.forces);
  Timed gpu_all, gpu_hcp;
  if (bench.device.is_cuda()) {
    gpu_all = time_forces(*make(false, bench.device), system, atoms > 100000 ? 3 : 9);
    const auto there = make(true, bench.device);
    gpu_hcp = time_forces(*there, system, 21);
    errors = errors_of(*there, system, options(true).dielectric, gpu_hcp.forces);
  }
  const auto milliseconds = [](double t) { return t > 0 ? fmt::format("{:.3f}", t * 1e3) : std::string("-"); };
  const auto times = [](double a, double b) { return b > 0 ? fmt::format("{:.1f}", a / b) : std::string("-"); };
  fmt::print("{:<30} {:>8} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9} {:>10} {:>8} {:>8}\n", name, atoms,
             milliseconds(one_thread), milliseconds(hcp.seconds), milliseconds(gpu_all.seconds),
             milliseconds(gpu_hcp.seconds), times(one_thread, gpu_all.seconds), times(one_thread, one_thread_hcp),
             times(one_thread, gpu_hcp.seconds), fmt::format("{:.1e}", errors.force),
             fmt::format("{:.1e}", errors.energy));
  if (atoms >= 475500)
    fmt::print("\nMemory for {} atoms: {} on the CPU{}\n", atoms, bytes_in_words(hcp.memory),
               bench.device.is_cuda() ? ", " + bytes_in_words(gpu_hcp.memory) + " on " + to_string(bench.device) : "");
  std::fflush(stdout);
}

int run(bench::Words& words) {
  Bench bench;
  bench.device = words.device();
  if (!words.asks_for("hcp")) return 0;
  bench.charges = words.integer("--charges", 1);
  const bool all_charged = words.flag("--all-charged");
  const std::string thresholds = words.text("--thresholds", "");
  const std::string complexes = words.text("--complexes", "auto");
  const std::vector<std::string> wanted = words.rest();
  const bool of_files = !thresholds.empty();
  fmt::print(
      "Forces, sigmoidal dielectric, {} for a component; {}\n"
      "all-atom on one CPU thread is measured up to 9 000 atoms and extrapolated by the number of pairs beyond.\n"
      "Errors: RMS force, relative to all atoms in double precision, and the energy's.\n\n"
      "{:<30} {:>8} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9} {:>10} {:>8} {:>8}\n",
      bench.charges == 1 ? "one charge" : "two charges",
      of_files
          ? "structures of files with residues, chains and complexes;"
          : fmt::format("made-up structures with the published numbers\nof atoms, groups and subunits, {} charged;",
                        all_charged ? "every group" : "one group in four"),
      "structure", "atoms", "1 thread/ms", "CPU HCP/ms", "GPU all/ms", "GPU HCP/ms", "x GPU", "x HCP", "x both",
      "error", "energy");
  if (of_files) {
    if (wanted.empty()) throw Error("--thresholds goes with files", Error::Kind::usage);
    const std::array<double, 3> distances = HcpOptions::parse_thresholds(thresholds);
    for (const std::string& path : wanted)
      measure(bench, std::filesystem::path(path).stem().string(), read_system(path, complexes), distances);
    return 0;
  }
  for (const Structure& s : structures) {
    const auto is_this = [&](const std::string& word) { return std::string(s.name).find(word) != std::string::npos; };
    if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), is_this)) continue;
    measure(bench, s.name, make_system(s, all_charged), {s.h1, s.h2, HcpOptions::never});
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_hcp [--device D] [--charges 1|2] [--all-charged] [WORD OF A STRUCTURE'S NAME...]\n"
      "bench_hcp [--device D] [--charges 1|2] --thresholds H1[/H2[/H3]] [--complexes C] FILE.pqr...",
      count, words, isolume::run);
}
