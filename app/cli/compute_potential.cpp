// isolume compute potential: the electrostatic potential of the charges of a file.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/compute.h"
#include "app/session/device_volume.h"
#include "compute/potential/error_estimate.h"
#include "formats/write.h"
#include "molecule/error.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  std::string method = "direct";
  std::string selection = "all";
};

FieldRequest request_of(const Options& options, const std::shared_ptr<const Molecule>& molecule, Device device) {
  FieldRequest request;
  request.field.kind = Field::Kind::potential;
  request.field.selection = options.selection;
  request.field.spacing = options.grid.spacing;
  request.molecule = molecule;
  request.frame = options.grid.frame;
  request.device = device;
  request.grid = grid_like(options.grid);
  return request;
}

void at_points(Run& run, const Options& options, std::span<const PointCharge> charges) {
  const std::vector<glm::dvec3> points = read_points(options.grid.at);
  run.report.input(options.grid.at);
  run.report.device(Device::cpu());
  run.report.phase("plan");
  std::vector<double> values(points.size());
  in_tiles(points.size(), run.job(), "potential at points", [&](std::size_t begin, std::size_t end) {
    direct_potential_reference(charges, std::span(points).subspan(begin, end - begin),
                               std::span(values).subspan(begin, end - begin));
  });
  run.report.phase("compute");
  run.report.unit = "V";
  run.report.result["points"] = points.size();
  write_values(options.grid.out, values);
}

void on_grid(Run& run, const Options& options, const FieldRequest& request, std::span<const PointCharge> charges) {
  const Volume volume = compute_reported(run, request);
  const MapError error = potential_error(charges, volume.grid, volume.values);
  run.report.error = {{"rms", error.rms},
                      {"max", error.max},
                      {"relative", error.relative},
                      {"points", error.points},
                      {"reference", "direct double-precision sum at sampled points"}};
  run.report.result.update(range_of(volume.values));
  run.report.phase("compute");
  write_volume(options.grid.out, volume, request.molecule.get(), options.grid.frame,
               "electrostatic potential, V, direct sum in vacuum, computed by Isolume");
  run.say(fmt::format("{}: potential of {} charges, {} x {} x {} points on {}, error {:.2g} V rms ({:.1e} relative)",
                      options.grid.out, charges.size(), volume.grid.counts.x, volume.grid.counts.y,
                      volume.grid.counts.z, to_string(run.device), error.rms, error.relative));
}

void run_potential(const Common& common, const Options& options) {
  check_grid_options(options.grid);
  if (options.method != "direct")
    throw Error(fmt::format("--method {}: this version has direct", options.method), Error::Kind::usage);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  const auto molecule = read_molecule(options.grid.files);
  if (options.grid.frame >= std::max<std::size_t>(1, molecule->frame_count()))
    throw Error(fmt::format("frame {}: there are 0 to {}", options.grid.frame, molecule->frame_count() - 1),
                Error::Kind::usage);
  const FieldRequest request = request_of(options, molecule, run.device);
  const std::vector<PointCharge> charges = point_charges(request);
  run.report.phase("read");
  double total = 0;
  for (const PointCharge& charge : charges) total += charge.charge;
  run.report.method = {{"name", options.method},
                       {"selection", options.selection},
                       {"frame", options.grid.frame},
                       {"boundary", "vacuum, not periodic"}};
  run.report.result = {{"charges", charges.size()}, {"total_charge", total}};
  if (options.grid.at.empty()) {
    on_grid(run, options, request, charges);
  } else {
    at_points(run, options, charges);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_potential(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(parent, "potential", "electrostatic potential of partial charges, in volts",
                                   "isolume compute potential protein.pqr --method direct --spacing 1 --out phi.dx",
                                   [&commands, options] { run_potential(commands.common, *options); });
  add_grid_options(command, options->grid, "cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)");
  command.add_option("--method", options->method, "direct: the exact sum over all charges, in vacuum");
  command.add_option("--select", options->selection, "whose charges count");
}

}  // namespace isolume::cli
