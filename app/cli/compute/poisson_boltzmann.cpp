// Poisson-Boltzmann on the command line: its options, maps and solvation energies.
#include "app/cli/compute/poisson_boltzmann.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/compute/npy.h"
#include "app/fields/field_atoms.h"
#include "app/fields/host_values.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

IonSpecies ion_of(const std::string& text, double radius) {
  double values[3] = {0, 0, radius};
  int found = 0;
  for (std::size_t at = 0; at <= text.size() && found < 3;) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    const auto [next, fault] = std::from_chars(text.data() + at, text.data() + end, values[found]);
    if (fault != std::errc() || next != text.data() + end) break;
    ++found;
    at = end + 1;
    if (end == text.size()) return {values[0], found < 2 ? -1 : values[1], values[2]};
  }
  throw Error(
      fmt::format("--ions {}: expected CHARGE:CONCENTRATION or CHARGE:CONCENTRATION:RADIUS, such as 2:0.05:2", text),
      Error::Kind::usage);
}

Json method_of(const PoissonBoltzmannOptions& o, const PoissonBoltzmannResult& r) {
  Json ions = Json::array();
  for (const IonSpecies& ion : o.ions)
    ions.push_back({{"charge", ion.charge}, {"concentration", ion.concentration}, {"radius", ion.radius}});
  const double kappa = o.inverse_debye_length();
  Json json{{"name", "pb"},
            {"equation", o.nonlinear ? "non-linear" : "linear"},
            {"solute_dielectric", o.solute_permittivity},
            {"solvent_dielectric", o.solvent_permittivity},
            {"temperature", o.temperature},
            {"ionic_strength", o.ionic_strength()},
            {"ions", ions},
            {"debye_length", kappa > 0 ? Json(1 / kappa) : Json(nullptr)},
            {"boundary_surface", o.boundary == DielectricBoundary::van_der_waals ? "vdw"
                                 : o.boundary == DielectricBoundary::smooth      ? "smooth"
                                                                                 : "ses"},
            {"probe_radius", o.probe_radius},
            {"focus", o.focus},
            {"grids", r.grids},
            {"solved_counts", {r.counts.x, r.counts.y, r.counts.z}},
            {"cycles", r.cycles},
            {"residual", r.residual}};
  if (o.boundary == DielectricBoundary::smooth) json["width"] = o.width;
  if (o.nonlinear) json["newton_steps"] = r.newton_steps;
  return json;
}

void put_energy(Json& result, const PoissonBoltzmannResult& r) {
  result["solvation_energy"] = r.solvation_energy;
  result["solvation_error"] = r.solvation_error;
  result["energy_unit"] = "kcal/mol";
  result["charges_outside_grid"] = r.outside;
}

constexpr const char* reference_name = "the solution with steps twice as long";

void say_without_radii(Run& run, const std::vector<ChargedSphere>& atoms) {
  const auto without = static_cast<std::size_t>(
      std::count_if(atoms.begin(), atoms.end(), [](const ChargedSphere& atom) { return !(atom.radius > 0); }));
  run.report.result["atoms_without_radius"] = without;
}

}  // namespace

std::string PoissonBoltzmannChoice::given() const {
  if (nonlinear) return "--nonlinear";
  if (focus) return "--focus";
  if (no_focus) return "--no-focus";
  if (solute_dielectric >= 0) return "--solute-dielectric";
  if (ion_radius >= 0) return "--ion-radius";
  if (probe_radius >= 0) return "--probe-radius";
  if (width >= 0) return "--boundary-width";
  if (!surface.empty()) return "--boundary-surface";
  return ions.empty() ? "" : "--ions";
}

void add_poisson_boltzmann_options(Verb command, PoissonBoltzmannChoice& o) {
  const char* heading = "Poisson-Boltzmann (--method pb)";
  command.flag("--nonlinear", o.nonlinear, "pb: the non-linear equation").group(heading);
  command.option("--solute-dielectric", o.solute_dielectric, "pb: relative permittivity of the solute (2)")
      .range(1.0, 1000.0)
      .group(heading);
  command.option("--ion-radius", o.ion_radius, "pb: how near ions come to the atoms' spheres (2)")
      .type_name("A")
      .range(0.0, 100.0)
      .group(heading);
  command.option("--ions", o.ions, "pb: a kind of ion in place of --ionic-strength; once for each kind")
      .repeated()
      .type_name("CHARGE:MOL/L[:RADIUS]")
      .group(heading);
  command
      .option("--boundary-surface", o.surface,
              "pb: where the dielectric changes: ses (solvent-excluded), vdw, or smooth (ses with a width)")
      .one_of({"ses", "vdw", "smooth"})
      .group(heading);
  command.option("--probe-radius", o.probe_radius, "pb: of the solvent-excluded surface (1.4)")
      .type_name("A")
      .range(0.0, 100.0)
      .group(heading);
  command.option("--boundary-width", o.width, "pb: of the smooth boundary (0.6)")
      .type_name("A")
      .range(0.05, 2.0)
      .group(heading);
  const Option focus =
      command.flag("--focus", o.focus, "pb: solve a larger box with a coarser grid first (the default)");
  focus.group(heading);
  command.flag("--no-focus", o.no_focus, "pb: Debye and Hückel's sums on the faces of the grid's own box")
      .excludes(focus)
      .group(heading);
}

PoissonBoltzmannOptions poisson_boltzmann_options(const PoissonBoltzmannChoice& c, double ionic_strength,
                                                  double temperature, double permittivity) {
  PoissonBoltzmannOptions o;
  o.nonlinear = c.nonlinear;
  o.focus = !c.no_focus;
  o.temperature = temperature;
  if (c.solute_dielectric >= 0) o.solute_permittivity = c.solute_dielectric;
  if (permittivity >= 0) o.solvent_permittivity = permittivity;
  if (c.probe_radius >= 0) o.probe_radius = c.probe_radius;
  if (c.surface == "vdw") o.boundary = DielectricBoundary::van_der_waals;
  if (c.surface == "smooth") o.boundary = DielectricBoundary::smooth;
  if (c.width >= 0) {
    if (o.boundary != DielectricBoundary::smooth)
      throw Error("--boundary-width belongs to --boundary-surface smooth", Error::Kind::usage);
    o.width = c.width;
  }
  if (c.probe_radius >= 0 && o.boundary == DielectricBoundary::van_der_waals)
    throw Error("--probe-radius belongs to --boundary-surface ses or smooth", Error::Kind::usage);
  const double radius = c.ion_radius >= 0 ? c.ion_radius : 2.0;
  if (!c.ions.empty()) {
    if (ionic_strength >= 0) throw Error("--ions and --ionic-strength exclude each other", Error::Kind::usage);
    o.ions.clear();
    for (const std::string& text : c.ions) o.ions.push_back(ion_of(text, radius));
  } else {
    const double strength = ionic_strength >= 0 ? ionic_strength : 0.15;
    o.ions = {{1, strength, radius}, {-1, strength, radius}};
  }
  return o;
}

void check_poisson_boltzmann(const MethodOptions& method, const PoissonBoltzmannChoice& choice) {
  check_method_places(method);
  poisson_boltzmann_options(choice, method.ionic_strength, method.temperature, method.permittivity);
}

void poisson_boltzmann_map(Run& run, const GridOptions& grid_options, const MapGridOptions& map_options,
                           const MethodOptions& method, const PoissonBoltzmannChoice& choice, PotentialWork& work) {
  const PoissonBoltzmannOptions options =
      poisson_boltzmann_options(choice, method.ionic_strength, method.temperature, method.permittivity);
  const Grid grid = potential_grid_of(map_options, grid_options, work);
  run.report.grid(grid);
  run.report.device(run.device);
  run.report.phase("plan");
  HostValues values(grid.size(), poisson_boltzmann_memory(work.spheres.size(), grid, options, Device::cpu()),
                    grid_options.out, "electrostatic potential");
  PoissonBoltzmannResult result;
  {
    const LaunchRecord record;
    // A map on the host: the solver computes on the device that was asked for.
    DeviceArray<float> there(run.device.is_cuda() ? grid.size() : 0, run.device, "electrostatic potential");
    const Span<float> out =
        run.device.is_cuda() ? there.span() : Span<float>(values.span().data(), grid.size(), Device::cpu());
    result = poisson_boltzmann(work.spheres, seen_from(grid, work.origin), options, out, run.job());
    if (run.device.is_cuda())
      copy_memory(values.span().data(), Device::cpu(), there.data(), run.device, grid.size() * sizeof(float));
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(poisson_boltzmann_memory(work.spheres.size(), grid, options, run.device), peak_memory(run.device));
  run.report.method = method_of(options, result);
  run.report.method["selection"] = work.request.field.selection;
  run.report.method["frame"] = work.request.frame;
  run.report.unit = method.unit;
  const MapError& error = result.error;
  run.report.error = {{"rms", error.rms * work.factor},
                      {"max", error.max * work.factor},
                      {"relative", error.relative},
                      {"points", error.points},
                      {"reference", reference_name}};
  put_energy(run.report.result, result);
  say_without_radii(run, work.spheres);
  for (float& value : values.span()) value = static_cast<float>(value * work.factor);
  run.report.result.update(range_of(values.span()));
  const std::string& unit = method.unit;
  const std::string quality =
      fmt::format("estimated error in the solvent {:.2g} {} rms, {:.2g} at most, by steps twice as long",
                  error.rms * work.factor, unit, error.max * work.factor);
  write_volume(grid_options.out, VolumeView(grid, values.span(), "electrostatic potential", unit),
               work.request.molecule.get(), grid_options.frame.value_or(0),
               fmt::format("potential in {}, {}, total charge {:.4g} e, {}, by Isolume", unit, quality, work.total,
                           describe(options)));
  run.say(
      fmt::format("{}: potential of {} charges (total {:.4g} e), {} x {} x {} points on {}, {}, {}; solvation energy "
                  "{:.3f} kcal/mol, estimated error {:.2g}",
                  grid_options.out, work.spheres.size(), work.total, grid.counts.x, grid.counts.y, grid.counts.z,
                  to_string(run.device), describe(options), quality, result.solvation_energy, result.solvation_error));
}

void poisson_boltzmann_energy(Run& run, const PoissonBoltzmannChoice& choice, std::vector<ChargedSphere> atoms,
                              double ionic_strength, double spacing, const std::string& atoms_out) {
  const PoissonBoltzmannOptions options = poisson_boltzmann_options(choice, ionic_strength, 298.15, -1);
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& atom : atoms) {
    lower = glm::min(lower, glm::dvec3(atom.position) - static_cast<double>(atom.radius));
    upper = glm::max(upper, glm::dvec3(atom.position) + static_cast<double>(atom.radius));
  }
  constexpr double margin = 6;  // beyond which a coarser grid does
  lower -= margin;
  upper += margin;
  const glm::dvec3 edges = upper - lower;
  if (spacing <= 0) spacing = std::max(0.5, std::ceil(std::max({edges.x, edges.y, edges.z}) / 256 * 100) / 100);
  const Grid grid = Grid::covering(lower, upper, spacing);
  run.report.grid(grid);
  run.report.phase("plan");
  PoissonBoltzmannResult result;
  {
    const LaunchRecord record;
    Span<float> none;
    none.device = run.device;
    result = poisson_boltzmann(atoms, grid, options, none, run.job());
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(poisson_boltzmann_memory(atoms.size(), grid, options, run.device), peak_memory(run.device));
  run.report.method = method_of(options, result);
  run.report.unit = "kcal/mol";
  run.report.error = {
      {"rms", result.solvation_error},
      {"max", result.solvation_error},
      {"relative", result.solvation_energy == 0 ? 0.0 : std::abs(result.solvation_error / result.solvation_energy)},
      {"points", 1},
      {"reference", reference_name},
      {"of", "solvation energy, kcal/mol"}};
  double total = 0;
  for (const ChargedSphere& atom : atoms) total += static_cast<double>(atom.charge);
  put_energy(run.report.result, result);
  run.report.result["energy"] = result.solvation_energy;
  run.report.result["atoms"] = atoms.size();
  run.report.result["total_charge"] = total;
  say_without_radii(run, atoms);
  if (!atoms_out.empty()) {
    std::vector<float> own;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      own.push_back(static_cast<float>(0.5 * static_cast<double>(atoms[i].charge) * result.reaction_potential[i] *
                                       units::ev_in_kcal_per_mol));
    write_npy(atoms_out, own);
  }
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", result.solvation_energy);
  run.say(
      fmt::format("polar solvation energy of {} atoms (total charge {:.4g} e), {}: {}, {} x {} x {} points, estimated "
                  "error {:.2g} kcal/mol",
                  atoms.size(), total, to_string(run.device), describe(options), grid.counts.x, grid.counts.y,
                  grid.counts.z, result.solvation_error));
}

}  // namespace isolume::cli
