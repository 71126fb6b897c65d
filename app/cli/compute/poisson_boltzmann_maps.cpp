// compute potential --method pb: maps of the reaction potential, the field and the charge of the ions.
#include "app/cli/compute/poisson_boltzmann_maps.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "app/cli/compute/poisson_boltzmann.h"
#include "compute/base/map_values.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/bytes/input_files.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* formats = "cube cub dx mrc map ccp4 vdb";

Json error_of(const MapError& error, double factor, const std::string& unit) {
  return {{"rms", error.rms * factor},
          {"max", error.max * factor},
          {"relative", error.relative},
          {"points", error.points},
          {"unit", unit}};
}

std::string estimated(const MapError& error, double factor, const std::string& unit) {
  return fmt::format("estimated error {:.2g} {} rms, {:.2g} at most, by steps twice as long", error.rms * factor, unit,
                     error.max * factor);
}

}  // namespace

std::array<std::string, 3> PoissonBoltzmannMapFiles::components() const {
  const std::filesystem::path path(field);
  std::array<std::string, 3> names;
  for (std::size_t axis = 0; axis < 3; ++axis)
    names[axis] =
        (path.parent_path() / fmt::format("{}_{}{}", path.stem().string(), "xyz"[axis], path.extension().string()))
            .string();
  return names;
}

void add_poisson_boltzmann_map_options(Verb command, PoissonBoltzmannMapFiles& files) {
  const char* heading = "Poisson-Boltzmann (--method pb)";
  command
      .option("--reaction-out", files.reaction,
              "pb: a map of the reaction potential, the potential less Coulomb's in the solute's dielectric")
      .type_name("FILE")
      .writes()
      .group(heading);
  command
      .option("--field-out", files.field,
              "pb: a map of the field's magnitude in the unit per angstrom; next to it its components, of E.dx in "
              "E_x.dx, E_y.dx and E_z.dx")
      .type_name("FILE")
      .writes()
      .group(heading);
  command
      .option(
          "--ions-out", files.ions,
          "pb: a map of the charge of the ions in e/A^3; the report has their total and what Gauss's law says of it")
      .type_name("FILE")
      .writes()
      .group(heading);
}

void check_poisson_boltzmann_maps(const PoissonBoltzmannMapFiles& files, const std::vector<std::string>& inputs,
                                  const std::string& out) {
  for (const std::string& path : {files.reaction, files.field, files.ions})
    if (!path.empty()) check_output(path, formats);
  if (files.field.empty()) return;
  std::vector<std::string> outputs{out, files.reaction, files.ions, files.field};
  for (const std::string& component : files.components()) outputs.push_back(component);
  check_outputs(outputs, inputs);
}

std::size_t further_maps_memory(const Grid& grid, const PoissonBoltzmannMapFiles& files) {
  const std::size_t maps =
      (files.reaction.empty() ? 0 : 1) + (files.field.empty() ? 0 : 3) + (files.ions.empty() ? 0 : 1);
  return files.any() ? poisson_boltzmann_fields_memory(grid) + maps * grid.size() * sizeof(float) : 0;
}

PoissonBoltzmannFurtherMaps::PoissonBoltzmannFurtherMaps(Run& run, PotentialWork& work, const Grid& grid,
                                                         const PoissonBoltzmannMapFiles& files,
                                                         std::span<float> potential) {
  const auto& options = std::get<PoissonBoltzmannOptions>(work.potential);
  const std::size_t solver = poisson_boltzmann_memory(work.charges.spheres, grid, options, run.device);
  const std::size_t predicted =
      memory_with(work.charges.spheres, grid, options, run.device) + further_maps_memory(grid, files);
  const std::size_t kept = poisson_boltzmann_fields_memory(grid);
  const std::size_t on_host = kept + (run.device.is_cuda() ? 0 : solver);
  require_memory(on_host, Device::cpu(), "maps of Poisson-Boltzmann");
  PoissonBoltzmannMapsOut out;
  out.potential = potential;
  const auto map = [&](HostValues& values, const std::string& path, const char* what) {
    values = HostValues(grid.size(), on_host, path, what);
    return values.span();
  };
  if (!files.reaction.empty()) out.reaction = map(reaction_, files.reaction, "reaction potential");
  if (!files.ions.empty()) out.ions = map(ions_, files.ions, "charge of the ions");
  for (std::size_t axis = 0; axis < 3 && !files.field.empty(); ++axis)
    out.field[axis] = map(field_[axis], files.field, "field");
  const LaunchRecord record;
  made_ = poisson_boltzmann_fields(work.charges.spheres, grid, options, out, run.device, run.job());
  run.report.kernels(record.entries());
  run.report.memory(predicted, peak_memory(run.device));
  work.room.solved = made_.solved;
}

void PoissonBoltzmannFurtherMaps::write(Run& run, const PotentialWork& work, const Grid& grid,
                                        const PoissonBoltzmannMapFiles& files, const std::string& unit) {
  const std::string method = describe(work.potential);
  Json& result = run.report.result;
  const Molecule* const molecule = work.molecule.get();
  if (!files.reaction.empty()) {
    scale_values(reaction_.span(), work.factor);
    const std::string quality = estimated(made_.reaction, work.factor, unit);
    write_volume(files.reaction, VolumeView(grid, reaction_.span(), "reaction potential", unit), molecule, work.frame,
                 fmt::format("reaction potential in {}, {}, {}, by Isolume", unit, quality, method));
    result["reaction_potential"] = {{"file", files.reaction}, {"error", error_of(made_.reaction, work.factor, unit)}};
    result["reaction_potential"].update(range_of(reaction_.span()));
    run.say(fmt::format("{}: reaction potential, {}", files.reaction, quality));
  }
  if (!files.field.empty()) {
    const std::string quality = estimated(made_.field, work.factor, unit + "/A");
    write_field(work, grid, files, unit, fmt::format("{}, {}, by Isolume", quality, method));
    result["field"] = {{"file", files.field},
                       {"components", files.components()},
                       {"error", error_of(made_.field, work.factor, unit + "/A")}};
    result["field"].update(range_of(field_[0].span()));  // of the magnitude
    run.say(fmt::format("{}: magnitude of the field, and its components next to it, {}", files.field, quality));
  }
  if (!files.ions.empty()) {
    const std::string quality = estimated(made_.ions, 1, "e/A^3");
    write_volume(files.ions, VolumeView(grid, ions_.span(), "charge of the ions", "e/A^3"), molecule, work.frame,
                 fmt::format("charge of the ions in e/A^3, {}, {}, by Isolume", quality, method));
    result["ion_charge_map"] = {{"file", files.ions}, {"error", error_of(made_.ions, 1, "e/A^3")}};
    result["ion_charge_map"].update(range_of(ions_.span()));
    run.say(fmt::format("{}: charge of the ions, {}", files.ions, quality));
  }
  const PoissonBoltzmannCharges& charges = made_.charges;
  result["ion_charge"] = charges.ions;
  result["solute_charge_in_box"] = charges.solute;
  result["charge_by_flux"] = charges.sum ? Json(*charges.sum) : Json(nullptr);
  run.say(fmt::format("charge in the box: ions {:.4g} e, solute {:.4g} e; {}", charges.ions, charges.solute,
                      charges.sum ? fmt::format("both together by the flux through its faces {:.4g} e", *charges.sum)
                                  : "no flux is taken, since the solute or a membrane reaches its faces"));
}

void PoissonBoltzmannFurtherMaps::write_field(const PotentialWork& work, const Grid& grid,
                                              const PoissonBoltzmannMapFiles& files, const std::string& unit,
                                              const std::string& comment) {
  const std::array<std::string, 3> names = files.components();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    scale_values(field_[axis].span(), work.factor);
    write_volume(names[axis],
                 VolumeView(grid, field_[axis].span(), fmt::format("field along {}", "xyz"[axis]), unit + "/A"),
                 work.molecule.get(), work.frame,
                 fmt::format("{} component of the field in {}/A, {}", "xyz"[axis], unit, comment));
  }
  // The magnitude takes the place of the first, which is written.
  const std::span<float> x = field_[0].span(), y = field_[1].span(), z = field_[2].span();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::hypot(x[i], y[i], z[i]);
  write_volume(files.field, VolumeView(grid, x, "magnitude of the field", unit + "/A"), work.molecule.get(), work.frame,
               fmt::format("magnitude of the field in {}/A, {}", unit, comment));
}

}  // namespace isolume::cli
