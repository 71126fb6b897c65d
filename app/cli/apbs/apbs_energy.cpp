// isolume compute energy --apbs: an input file of APBS, computed here.
#include "app/cli/compute/apbs_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/apbs/apbs_input.h"
#include "app/cli/compute/poisson_boltzmann.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/pb_maps.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Results of a block, kcal/mol.
struct Solved {
  double coulomb = 0, reaction = 0, coarse = 0;
  double self = 0;  ///< sum of q^2 over the permittivity of the solute and the step: what grids add, to a factor
  double total() const { return coulomb + reaction; }
};

/// A file by its name, or next to the input.
std::string found(const std::string& name, const std::string& input) {
  if (std::filesystem::exists(name)) return name;
  const std::filesystem::path beside = std::filesystem::path(input).parent_path() / name;
  return std::filesystem::exists(beside) ? beside.string() : name;
}

std::vector<ChargedSphere> spheres_of(const Molecule& molecule) {
  const Frame frame = frame_at(molecule, 0);
  std::vector<ChargedSphere> spheres;
  for (std::size_t i = 0; i < molecule.topology->atoms.size(); ++i) {
    const Atom& atom = molecule.topology->atoms[i];
    spheres.push_back({frame.positions[i], atom.charge, std::max(0.0f, atom.radius)});
  }
  return spheres;
}

glm::dvec3 middle_of(const std::vector<ChargedSphere>& spheres) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& sphere : spheres) {
    lower = glm::min(lower, glm::dvec3(sphere.position));
    upper = glm::max(upper, glm::dvec3(sphere.position));
  }
  return 0.5 * (lower + upper);
}

/// Coulomb's energy of the charges in a medium, kcal/mol.
double coulomb_energy(const std::vector<ChargedSphere>& spheres, double permittivity, Job& job) {
  constexpr std::size_t block = 64;
  std::vector<double> sums((spheres.size() + block - 1) / block, 0.0);
  parallel_for(sums.size(), job, "Coulomb's energy", [&](std::size_t task) {
    for (std::size_t i = task * block; i < std::min(spheres.size(), (task + 1) * block); ++i)
      for (std::size_t j = i + 1; j < spheres.size(); ++j) {
        const double r = glm::distance(glm::dvec3(spheres[i].position), glm::dvec3(spheres[j].position));
        const double charges = static_cast<double>(spheres[i].charge) * static_cast<double>(spheres[j].charge);
        if (r > 1e-4) sums[task] += charges / r;
      }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total * units::coulomb_kcal_angstrom / permittivity;
}

Grid grid_of(const ApbsElec& elec, glm::dvec3 middle) {
  Grid grid;
  grid.counts = elec.counts;
  grid.step = glm::dmat3(0.0);
  grid.origin = middle - 0.5 * elec.lengths;
  for (int axis = 0; axis < 3; ++axis) grid.step[axis][axis] = elec.lengths[axis] / (elec.counts[axis] - 1);
  return grid;
}

void write_potentials(const ApbsElec& elec, const Grid& grid, std::vector<float> values, const std::string& what) {
  const double unit = 1 / units::thermal_voltage(elec.options.temperature);
  for (float& value : values) value = static_cast<float>(static_cast<double>(value) * unit);
  for (const std::string& stem : elec.potentials)
    write_volume(stem + ".dx", VolumeView(grid, values, "electrostatic potential", "kT/e"), nullptr, 0,
                 fmt::format("potential in kT/e, {}, by Isolume", what));
}

/// The maps besides the potential; `potential` in volts.
void write_maps(Run& run, const ApbsElec& elec, const std::vector<ChargedSphere>& spheres, const Grid& grid,
                const std::vector<float>& potential) {
  if (elec.maps.empty()) return;
  const PoissonBoltzmannMaps maps = poisson_boltzmann_maps(spheres, grid, elec.options, run.job());
  const double volts = units::thermal_voltage(elec.options.temperature);
  for (const ApbsMap& map : elec.maps) {
    Grid nodes = grid;
    std::vector<float> values;
    const char* unit = "";
    if (map.kind.starts_with("diel")) {
      const int axis = map.kind.back() - 'x';
      values = maps.dielectric[static_cast<std::size_t>(axis)];
      nodes.origin += 0.5 * grid.step[axis];
    } else if (map.kind == "kappa") {
      values = maps.ions;
    } else if (map.kind == "charge") {
      values = spread_charge(spheres, grid, elec.charge_degree);
      unit = "e/A^3";
    } else if (map.kind == "sspl") {
      values = spline_accessibility(spheres, grid, elec.options.width, 3, run.job());
    } else if (map.kind == "smol") {
      values = maps.solvent;
    } else if (map.kind == "vdw") {
      values = maps.spheres;
    } else if (map.kind == "ivdw") {
      values = maps.ions;
    } else {
      const bool number = map.kind == "ndens";
      unit = number ? "mol/l" : "e mol/l";
      for (std::size_t i = 0; i < potential.size(); ++i) {
        const IonDensity density = ion_density(elec.options, static_cast<double>(potential[i]) / volts);
        values.push_back(maps.ions[i] * static_cast<float>(number ? density.number : density.charge));
      }
    }
    write_volume(map.stem + ".dx", VolumeView(nodes, values, map.kind, unit), nullptr, 0,
                 fmt::format("{} as of APBS's write {}, {}, by Isolume", map.kind, map.kind, describe(elec.options)));
  }
}

Solved solve(Run& run, const ApbsElec& elec, const std::vector<ChargedSphere>& spheres, const Grid& grid, Json& json) {
  Solved solved;
  const PoissonBoltzmannOptions& o = elec.options;
  solved.coulomb = coulomb_energy(spheres, o.solute_permittivity, run.job());
  const double step = std::cbrt(grid.step[0][0] * grid.step[1][1] * grid.step[2][2]);
  for (const ChargedSphere& sphere : spheres)
    solved.self += static_cast<double>(sphere.charge * sphere.charge) / (o.solute_permittivity * step);
  json = {{"name", elec.name}, {"atoms", spheres.size()}, {"coulomb", solved.coulomb}};
  const bool uniform = o.solute_permittivity == o.solvent_permittivity && o.ionic_strength() == 0;
  const bool densities =  // which need the potential
      std::any_of(elec.maps.begin(), elec.maps.end(), [](const ApbsMap& map) { return map.kind.ends_with("dens"); });
  std::vector<float> potential;
  if (!uniform || !elec.potentials.empty() || densities) {
    const std::size_t size = elec.potentials.empty() && !densities ? 0 : grid.size();
    DeviceArray<float> values(size, run.device, "potential");
    Span<float> out = values.span();
    out.device = run.device;
    const PoissonBoltzmannResult result = poisson_boltzmann(spheres, grid, o, out, run.job());
    solved.reaction = result.solvation_energy;
    solved.coarse = result.coarse_energy;
    if (size > 0) potential = values.copy_to_host();
    if (size > 0) write_potentials(elec, grid, potential, describe(o));
    json["method"] = poisson_boltzmann_json(o, result);
    json["solvation_error"] = result.solvation_error;
    json["potential_error"] = {{"rms", result.error.rms}, {"max", result.error.max}, {"unit", "V"}};
  }
  write_maps(run, elec, spheres, grid, potential);
  json["reaction"] = solved.reaction;
  json["energy"] = solved.total();
  json["written"] = Json::array();
  for (const std::string& stem : elec.potentials) json["written"].push_back(stem + ".dx");
  for (const ApbsMap& map : elec.maps) json["written"].push_back(map.stem + ".dx");
  return solved;
}

}  // namespace

namespace {

void run_apbs(const Common& common, const std::string& path, bool only_maps) {
  const ApbsInput input = read_apbs_input(path);
  const auto writes = [](const ApbsElec& elec) { return !elec.potentials.empty() || !elec.maps.empty(); };
  if (only_maps && std::none_of(input.elecs.begin(), input.elecs.end(), writes))
    throw Error(path + ": no ELEC block writes a map (write pot dx NAME); compute energy --apbs prints its energies",
                Error::Kind::usage);
  Run run(common);
  run.report.input(path);
  std::vector<std::shared_ptr<const Molecule>> molecules;
  std::vector<std::string> files{path};
  for (const std::string& name : input.molecules) {
    files.push_back(found(name, path));
    run.report.input(files.back());
    molecules.push_back(read_molecule({files.back()}));
    if (!molecules.back()->topology->has_charges)
      throw Error(files.back() + ": has no charges; expected a PQR file", Error::Kind::usage);
  }
  for (const ApbsElec& elec : input.elecs) {
    std::vector<std::string> stems = elec.potentials;
    for (const ApbsMap& map : elec.maps) stems.push_back(map.stem);
    for (const std::string& stem : stems) {
      check_output(stem + ".dx", "dx");
      for (const std::string& file : files)
        if (std::filesystem::exists(stem + ".dx") && std::filesystem::equivalent(stem + ".dx", file))
          throw Error(fmt::format("{}.dx would be written over an input", stem), Error::Kind::usage);
    }
  }
  for (const std::string& note : input.notes) run.say("note: " + note);
  run.report.phase("read");
  std::vector<Solved> solved;
  Json blocks = Json::array();
  std::size_t bytes = 0;
  {
    const LaunchRecord record;
    for (const ApbsElec& elec : input.elecs) {
      if (only_maps && !writes(elec)) continue;
      const auto molecule = static_cast<std::size_t>(elec.molecule - 1);
      const std::vector<ChargedSphere> spheres = spheres_of(*molecules[molecule]);
      const glm::dvec3 middle =
          elec.centre.molecule > 0
              ? middle_of(spheres_of(*molecules[static_cast<std::size_t>(elec.centre.molecule - 1)]))
              : elec.centre.point;
      const Grid grid = grid_of(elec, middle);
      bytes = std::max(bytes, poisson_boltzmann_memory(spheres, grid, elec.options, run.device));
      blocks.emplace_back();
      solved.push_back(solve(run, elec, spheres, grid, blocks.back()));
      run.say(fmt::format("elec {}: Coulomb {:.6g}, reaction {:.6g} kJ/mol; {}", elec.name,
                          solved.back().coulomb * units::calorie_in_joule,
                          solved.back().reaction * units::calorie_in_joule, describe(elec.options)));
    }
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(bytes, peak_memory(run.device));
  std::vector<ApbsApolarEnergy> apolars;
  Json apolar_blocks = Json::array();
  for (const ApbsApolar& apolar : input.apolars) {
    if (only_maps) break;
    const ApbsApolarEnergy energy = apolar_energy(spheres_of(*molecules[static_cast<std::size_t>(apolar.molecule - 1)]),
                                                  apolar, run.device, run.job());
    apolars.push_back(energy);
    apolar_blocks.push_back({{"name", apolar.name},
                             {"area", energy.area},
                             {"volume", apolar.pressure == 0 ? Json(nullptr) : Json(energy.volume)},
                             {"kJ/mol", energy.energy},
                             {"energy", energy.energy / units::calorie_in_joule}});
    run.say(fmt::format("apolar {}: {:.6g} kJ/mol; area {:.6g} A^2{}", apolar.name, energy.energy, energy.area,
                        apolar.pressure == 0 ? "" : fmt::format(", volume {:.6g} A^3", energy.volume)));
  }
  Json prints = Json::array();
  double error = 0;
  for (const ApbsPrint& print : input.prints) {
    if (only_maps) break;
    if (print.apolar) {
      double energy = 0;  // kJ/mol
      for (const auto& [sign, number] : print.terms) energy += sign * apolars[number].energy;
      fmt::print("apolEnergy {}: {:.6f} kJ/mol, {:.6f} kcal/mol\n", print.text, energy,
                 energy / units::calorie_in_joule);
      prints.push_back({{"print", print.text},
                        {"kind", "apolEnergy"},
                        {"kJ/mol", energy},
                        {"kcal/mol", energy / units::calorie_in_joule}});
      continue;
    }
    double energy = 0, coarse = 0, self = 0, selves = 0;
    for (const auto& [sign, number] : print.terms) {
      energy += sign * solved[number].total();
      coarse += sign * (solved[number].coulomb + solved[number].coarse);
      self += sign * solved[number].self;
      selves += solved[number].self;
    }
    const bool comparable = std::abs(self) <= 1e-5 * selves;
    error = std::max(error, std::abs(energy - coarse));
    fmt::print("elecEnergy {}: {:.6f} kJ/mol, {:.6f} kcal/mol\n", print.text, energy * units::calorie_in_joule, energy);
    run.say(fmt::format("with steps twice as long {:.6g} kJ/mol", coarse * units::calorie_in_joule));
    if (!comparable)
      run.say(
          fmt::format("note: {}: the total of APBS has self energies of the charges on its grid, which do not cancel "
                      "here; this value has none",
                      print.text));
    prints.push_back({{"print", print.text},
                      {"kind", "elecEnergy"},
                      {"kJ/mol", energy * units::calorie_in_joule},
                      {"kcal/mol", energy},
                      {"error_kcal/mol", std::abs(energy - coarse)},
                      {"self_energies_cancel", comparable}});
  }
  run.report.method = {{"name", "pb"}, {"input", "APBS"}};
  run.report.unit = "kcal/mol";
  const bool electrostatic =
      std::any_of(input.prints.begin(), input.prints.end(), [](const ApbsPrint& print) { return !print.apolar; });
  if (!prints.empty() && electrostatic)
    run.report.error = {{"rms", error},
                        {"max", error},
                        {"relative", nullptr},
                        {"points", prints.size()},
                        {"reference", "the solution with steps twice as long"},
                        {"of", "printed energies, kcal/mol"}};
  run.report.result["elec"] = blocks;
  run.report.result["apolar"] = apolar_blocks;
  run.report.result["print"] = prints;
  run.report.result["notes"] = input.notes;
  for (const Json& block : blocks)
    for (const Json& file : block["written"])
      run.say(fmt::format("{}: {}", block["name"].get<std::string>(), file.get<std::string>()));
  if (prints.empty() && !only_maps) {
    for (std::size_t i = 0; i < solved.size(); ++i)
      fmt::print("{}: {:.6f} kJ/mol, {:.6f} kcal/mol\n", input.elecs[i].name,
                 solved[i].total() * units::calorie_in_joule, solved[i].total());
    for (std::size_t i = 0; i < apolars.size(); ++i)
      fmt::print("apolar {}: {:.6f} kJ/mol, {:.6f} kcal/mol\n", input.apolars[i].name, apolars[i].energy,
                 apolars[i].energy / units::calorie_in_joule);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void apbs_energy(const Common& common, const std::string& path) {
  run_apbs(common, path, false);
}

void apbs_maps(const Common& common, const std::string& path) {
  run_apbs(common, path, true);
}

}  // namespace isolume::cli
