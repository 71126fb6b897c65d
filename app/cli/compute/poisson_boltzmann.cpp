// Poisson-Boltzmann on the command line: reports and solvation energies.
#include "app/cli/compute/poisson_boltzmann.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute/npy.h"
#include "app/cli/compute/within_tolerance.h"
#include "app/cli/residue_table.h"
#include "compute/base/host_memory.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/base/usual_spacing.h"
#include "compute/electrostatics/method.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {

using Json = nlohmann::ordered_json;

Json poisson_boltzmann_json(const PoissonBoltzmannOptions& o, const PoissonBoltzmannResult& r) {
  Json ions = Json::array();
  for (const IonSpecies& ion : o.ions)
    ions.push_back({{"charge", ion.charge}, {"concentration", ion.concentration}, {"radius", ion.radius}});
  const double kappa = o.inverse_debye_length();
  Json json{{"name", "pb"},
            {"equation", o.ion_size > 0 ? "size-modified"
                         : o.nonlinear  ? "non-linear"
                                        : "linear"},
            {"solute_dielectric", o.solute_permittivity},
            {"solvent_dielectric", o.solvent_permittivity},
            {"temperature", o.temperature},
            {"ionic_strength", o.ionic_strength()},
            {"ions", ions},
            {"ion_radius", pb_ion_radius(o)},
            {"debye_length", kappa > 0 ? Json(1 / kappa) : Json(nullptr)},
            {"boundary_surface", o.boundary == DielectricBoundary::van_der_waals ? "vdw"
                                 : o.boundary == DielectricBoundary::spline ? (o.spline_degree == 7 ? "spl4" : "spline")
                                 : o.boundary == DielectricBoundary::smooth ? "smooth"
                                 : o.boundary == DielectricBoundary::gaussian ? "gaussian"
                                                                              : "ses"},
            {"probe_radius", o.probe_radius},
            {"focus", o.focus},
            {"grids", r.grids},
            {"solved_counts", {r.counts.x, r.counts.y, r.counts.z}},
            {"cycles", r.cycles},
            {"residual", r.residual}};
  if (o.boundary == DielectricBoundary::smooth || o.boundary == DielectricBoundary::spline) json["width"] = o.width;
  if (o.boundary == DielectricBoundary::gaussian) json["width"] = o.gaussian_width;
  if (o.ion_size > 0) json["ion_size"] = o.ion_size;
  if (o.membrane)
    json["membrane"] = {{"centre", o.membrane->centre},
                        {"thickness", o.membrane->thickness},
                        {"dielectric", o.membrane->permittivity},
                        {"pore", o.membrane->pore ? Json(*o.membrane->pore) : Json("enclosed by the molecule")}};
  if (o.nonlinear) json["newton_steps"] = r.newton_steps;
  return json;
}

std::size_t memory_with(const std::vector<ChargedSphere>& atoms, const Grid& grid,
                        const PoissonBoltzmannOptions& options, Device device) {
  return poisson_boltzmann_memory(atoms, grid, options, device) + (device.is_cuda() ? 0 : resident_growth());
}

void say_of_ions(Run& run, const PoissonBoltzmannOptions& options) {
  const double largest = pb_ion_radius(options);
  const bool several = std::any_of(options.ions.begin(), options.ions.end(), [&](const IonSpecies& ion) {
    return ion.concentration > 0 && ion.charge != 0 && ion.radius != largest;
  });
  if (several)
    run.say(
        fmt::format("note: the ions' radii differ; the largest, {:g} A, keeps all of them from the atoms", largest));
}

void put_solvation_energy(Run& run, const PoissonBoltzmannResult& r, const std::vector<ChargedSphere>& atoms) {
  Json& result = run.report.result;
  result["solvation_energy"] = r.solvation_energy;
  result["solvation_error"] = r.solvation_error;
  result["energy_unit"] = "kcal/mol";
  result["charges_outside_grid"] = r.outside;
  if (r.outside > 0)
    run.say(fmt::format(
        "note: {} of {} charges are outside of the grid; their part of the energy is that of a larger "
        "box with longer steps",
        r.outside, std::count_if(atoms.begin(), atoms.end(), [](const ChargedSphere& a) { return a.charge != 0; })));
  const auto without = static_cast<std::size_t>(
      std::count_if(atoms.begin(), atoms.end(), [](const ChargedSphere& atom) { return !(atom.radius > 0); }));
  result["atoms_without_radius"] = without;
}

void poisson_boltzmann_energy(Run& run, const PoissonBoltzmannOptions& options, std::vector<ChargedSphere> atoms,
                              double spacing, double tolerance, const std::string& atoms_out,
                              const std::string& residues, const Topology& topology) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& atom : atoms) {
    lower = glm::min(lower, glm::dvec3(atom.position) - static_cast<double>(atom.radius));
    upper = glm::max(upper, glm::dvec3(atom.position) + static_cast<double>(atom.radius));
  }
  constexpr double margin = 6;  // beyond which a coarser grid does
  lower -= margin;
  upper += margin;
  const glm::dvec3 edges = upper - lower;
  const double usual = usual_spacing_of_solution(std::max({edges.x, edges.y, edges.z}));
  Grid grid = Grid::covering(lower, upper, spacing > 0 ? spacing : usual);
  run.report.phase("plan");
  say_of_ions(run, options);
  PoissonBoltzmannResult result;
  std::size_t predicted = 0;
  SteppedRun what;
  what.tolerance = tolerance;
  what.fixed = spacing > 0;
  what.fixed_by = "--spacing";
  what.atoms = atoms;
  what.options = &options;
  what.grid_of = [&](double step) { return Grid::covering(lower, upper, step); };
  what.solve = [&](const Grid& with) {
    predicted = std::max(predicted, memory_with(atoms, with, options, run.device));
    const LaunchRecord record;
    Span<float> none;
    none.device = run.device;
    result = poisson_boltzmann(atoms, with, options, none, run.job());
    run.report.kernels(record.entries());
    return result.solvation_energy == 0 ? 0.0 : std::abs(result.solvation_error / result.solvation_energy);
  };
  within_tolerance(run, what, grid);
  run.report.grid(grid);
  run.report.phase("compute");
  run.report.memory(predicted, peak_memory(run.device));
  run.report.method = poisson_boltzmann_json(options, result);
  run.report.unit = "kcal/mol";
  run.report.error = {
      {"rms", result.solvation_error},
      {"max", result.solvation_error},
      {"relative", result.solvation_energy == 0 ? 0.0 : std::abs(result.solvation_error / result.solvation_energy)},
      {"points", 1},
      {"reference", exact_name(options)},
      {"of", "solvation energy, kcal/mol"}};
  double total = 0;
  for (const ChargedSphere& atom : atoms) total += static_cast<double>(atom.charge);
  put_solvation_energy(run, result, atoms);
  run.report.result["energy"] = result.solvation_energy;
  run.report.result["atoms"] = atoms.size();
  run.report.result["total_charge"] = total;
  std::vector<double> own;
  for (std::size_t i = 0; i < atoms.size(); ++i)
    own.push_back(0.5 * static_cast<double>(atoms[i].charge) * result.reaction_potential[i] *
                  units::ev_in_kcal_per_mol);
  if (!atoms_out.empty()) write_npy(atoms_out, std::vector<float>(own.begin(), own.end()));
  if (!residues.empty()) write_residue_energies(residues, topology, own, "polar solvation energy (kcal/mol)");
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", result.solvation_energy);
  run.say(
      fmt::format("polar solvation energy of {} atoms (total charge {:.4g} e), {}: {}, {} x {} x {} points, estimated "
                  "error {:.2g} kcal/mol",
                  atoms.size(), total, to_string(run.device), describe(options), grid.counts.x, grid.counts.y,
                  grid.counts.z, result.solvation_error));
}

}  // namespace isolume::cli
