// Times steps of dynamics by each method, and shows that they are stable: drift of the energy, temperature of the bath.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>

#include "compute/dynamics/dynamics.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/hcp/hcp_energy.h"
#include "compute/electrostatics/msm/msm_forces.h"
#include "formats/read.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

struct System {
  std::string name;
  std::shared_ptr<const ForceField> field;
  HcpHierarchy hierarchy;
  Frame frame;
};

System load(const std::string& name, const std::vector<std::string>& files, const glm::dvec3& box = {}) {
  const auto molecules = read_files(files);
  const Molecule& m = molecules.front();
  System s{name, m.force_field, HcpHierarchy::from_topology(*m.topology), m.trajectory->frame(0)};
  if (box.x > 0) s.frame.cell.vectors = glm::dmat3(box.x, 0, 0, 0, box.y, 0, 0, 0, box.z);
  return s;
}

struct Method {
  const char* name;
  bool periodic;
  std::unique_ptr<Electrostatics> (*make)(const System&, const ElectrostaticProblem&, Device);
};

HcpOptions hcp(double first, double second, const Dielectric& dielectric) {
  HcpOptions o;
  o.thresholds = {first, second, HcpOptions::never};
  o.dielectric = dielectric;
  return o;
}

const Method methods[] = {
    {"direct, all atoms, vacuum", false,
     [](const System&, const ElectrostaticProblem& p, Device d) { return direct_electrostatics(p, d); }},
    {"all atoms, sigmoidal", false,
     [](const System& s, const ElectrostaticProblem& p, Device d) {
       return hcp_electrostatics(p, s.hierarchy, hcp(HcpOptions::never, HcpOptions::never, Dielectric::sigmoidal()), d);
     }},
    {"hcp 15, sigmoidal", false,
     [](const System& s, const ElectrostaticProblem& p, Device d) {
       return hcp_electrostatics(p, s.hierarchy, hcp(15, HcpOptions::never, Dielectric::sigmoidal()), d);
     }},
    {"msm 9, not periodic", false,
     [](const System&, const ElectrostaticProblem& p, Device d) {
       MsmOptions m;
       m.cutoff = 9, m.spacing = 1, m.degree = 7, m.smoothing = 4;
       return msm_electrostatics(p, m, false, d);
     }},
    {"spme 9, order 4, 1e-5", true,
     [](const System& s, const ElectrostaticProblem& p, Device d) {
       return spme_electrostatics(p, complete_spme({}, s.frame.cell), d);
     }},
    {"spme 9, order 6, 1e-6", true,
     [](const System& s, const ElectrostaticProblem& p, Device d) {
       SpmeOptions o;
       o.tolerance = 1e-6, o.order = 6, o.spacing = 0.7;
       return spme_electrostatics(p, complete_spme(o, s.frame.cell), d);
     }},
    {"msm 9, periodic", true,
     [](const System&, const ElectrostaticProblem& p, Device d) {
       MsmOptions m;
       m.cutoff = 9, m.spacing = 1, m.degree = 7, m.smoothing = 4;
       return msm_electrostatics(p, m, true, d);
     }},
};

struct Wanted {
  double constant_energy_ps, bath_ps;
};

Dynamics make(const System& s, const Method& method, Device device, const DynamicsOptions& options) {
  const Cell cell = method.periodic ? s.frame.cell : Cell();
  LennardJonesOptions lj;
  lj.cutoff = method.periodic ? 9 : 12;
  lj.switching = 0.85 * lj.cutoff;
  auto electrostatics = method.make(s, force_field_problem(*s.field, cell), device);
  return Dynamics(MolecularForces::create(s.field, std::move(electrostatics), cell, lj), precise(s.frame.positions),
                  options);
}

void run_one(const System& s, const Method& method, Device device, const Wanted& wanted) {
  Job job;
  const auto run = [&](bool langevin, double step, double length, std::vector<DynamicsSample>& samples) {
    DynamicsOptions o;
    o.langevin = langevin;
    o.time_step = step;
    Dynamics dynamics = make(s, method, device, o);
    if (s.frame.velocities.empty()) {
      dynamics.minimise(300, 1, job);
      dynamics.draw_velocities();
      // The minimum's potential energy takes half of what was drawn: let it spread before anything is measured.
      dynamics.advance(langevin ? 0 : 400, job);
    } else {
      dynamics.set_velocities(s.frame.velocities);
    }
    const auto steps = static_cast<std::size_t>(std::llround(length / step));
    const std::size_t every = std::max<std::size_t>(1, steps / 100);
    samples.push_back(dynamics.sample(job));
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < steps; k += every) {
      dynamics.advance(every, job);
      samples.push_back(dynamics.sample(job));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / static_cast<double>(steps);
  };
  std::vector<DynamicsSample> constant, bath;
  const double seconds = run(false, 0.0005, wanted.constant_energy_ps, constant);
  const EnergyDrift drift = energy_drift(constant, s.field->atom_count());
  const double kt = boltzmann_kcal * 300;
  fmt::print("{:<16} {:<26} {:>9.3f} {:>10.3g} {:>11.3g} {:>11.3g}", s.name, method.name, 1e3 * seconds,
             0.0005 * 86400 / seconds * 1e-3, drift.per_atom_and_ns / kt,
             drift.rms / static_cast<double>(s.field->atom_count()) / kt);
  if (wanted.bath_ps > 0) {
    const double langevin_seconds = run(true, 0.001, wanted.bath_ps, bath);
    double mean = 0, squares = 0;
    const std::size_t half = bath.size() / 2;
    for (std::size_t k = half; k < bath.size(); ++k) mean += bath[k].temperature;
    mean /= static_cast<double>(bath.size() - half);
    for (std::size_t k = half; k < bath.size(); ++k) squares += std::pow(bath[k].temperature - mean, 2);
    fmt::print(" {:>9.3f} {:>7.0f} +- {:<4.0f} {:>10.1f} {:>10.1f}", 1e3 * langevin_seconds, mean,
               std::sqrt(squares / static_cast<double>(bath.size() - half)), bath.front().energies.potential(),
               bath.back().energies.potential());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

int run(bench::Words& words) {
  const Wanted wanted{words.number("--time", 1), words.number("--bath", 2)};
  const std::string folder = words.text("--data", ISOLUME_SHARED_DATA), filter = words.text("--system", "");
  const std::string parameters = words.text("--parameters", ISOLUME_TEST_DATA "/dynamics");
  const std::string only = words.text("--method", "");
  const Device device = words.device();
  if (!words.asks_for("dynamics")) return 0;
  words.rest();
  if (!std::filesystem::exists(folder + "/structures/t4l")) {
    fmt::print("bench_dynamics needs {}, which is not present (--data FOLDER)\n", folder);
    return 0;
  }
  fmt::print(
      "Velocity Verlet at 0.5 fs for {} ps, then Langevin (BAOAB, 1/ps, 300 K) at 1 fs for {} ps, on {}. Drift: the "
      "slope "
      "of the\ntotal energy per atom and ns, and its RMS distance from the line per atom, in kT at 300 K. Potential "
      "energies in kcal/mol.\n\n"
      "{:<16} {:<26} {:>9} {:>10} {:>11} {:>11} {:>9} {:>15} {:>10} {:>10}\n",
      wanted.constant_energy_ps, wanted.bath_ps, to_string(device), "system", "electrostatics", "ms/step", "ns/day",
      "drift", "rms", "ms/step", "temperature, K", "E first", "E last");
  const std::string structures = folder + "/structures/", numbers = parameters + "/", made_up = numbers + "made_up.prm";
  const System systems[] = {
      load("trpzip2", {folder + "/trajectories/tz2/tz2.parm7", folder + "/trajectories/tz2/tz2.nc"}),
      load("T4 lysozyme", {structures + "t4l/complex.prmtop.gz", structures + "t4l/complex.crd"}),
      load("dipeptide, water",
           {structures + "ala2/alanine-dipeptide.prmtop", structures + "ala2/alanine-dipeptide.crd"}),
      load("DHFR, water", {structures + "jac/JAC.prmtop.gz", structures + "jac/JAC.inpcrd"}),
      // By PSF files and parameters made up for tests, with correction maps.
      load("CHARMM protein", {structures + "parv.psf", structures + "parv.pdb", made_up, numbers + "parv_numbers.rtf"}),
      load("CHARMM peptide",
           {structures + "ala3_solv.psf", structures + "ala3_solv.crd", made_up, numbers + "ala3_numbers.rtf"},
           {32.71195, 32.99596, 33.00715}),
  };
  for (const System& s : systems) {
    if (!filter.empty() && s.name.find(filter) == std::string::npos) continue;
    for (const Method& method : methods) {
      if (std::string(method.name).find(only) == std::string::npos) continue;
      if (method.periodic == s.frame.cell.exists()) run_one(s, method, device, wanted);
    }
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_dynamics [--device D] [--data FOLDER] [--system NAME] [--method NAME] [--parameters FOLDER] [--time PS] "
      "[--bath PS]",
      count, words, isolume::run);
}
