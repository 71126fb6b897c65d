// isolume compute orbital: one molecular orbital on a grid or at points.
#include <fmt/format.h>

#include "app/cli/compute.h"
#include "app/session/frames.h"
#include "compute/orbitals/orbital.h"
#include "formats/write.h"
#include "molecule/error.h"
#include "molecule/units.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  std::string orbital = "homo";
  Spin spin = Spin::alpha;
};

constexpr std::size_t samples = 1000;

void at_points(Run& run, const Options& options, const Orbitals& orbitals, std::size_t which) {
  const std::vector<glm::dvec3> points = read_points(options.grid.at);
  run.report.input(options.grid.at);
  run.report.device(Device::cpu());
  run.report.phase("plan");
  std::vector<double> values(points.size());
  in_tiles(points.size(), run.job(), "orbital at points", [&](std::size_t begin, std::size_t end) {
    orbital_reference(orbitals, which, std::span(points).subspan(begin, end - begin),
                      std::span(values).subspan(begin, end - begin));
  });
  run.report.phase("compute");
  run.report.unit = "bohr^-3/2";
  run.report.result["points"] = points.size();
  write_values(options.grid.out, values);
}

void on_grid(Run& run, const Options& options, const std::shared_ptr<const Molecule>& molecule,
             const Orbitals& orbitals, std::size_t which) {
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.field.orbital = options.orbital;
  request.field.spin = options.spin;
  request.molecule = molecule;
  request.frame = options.grid.frame;
  request.device = run.device;
  request.grid = grid_like(options.grid);
  if (!request.grid && options.grid.spacing > 0) request.grid = orbital_grid(orbitals, which, options.grid.spacing);
  const Volume volume = compute_reported(run, request);
  const Frame frame = frame_at(*molecule, options.grid.frame);
  const auto chosen = sample_points(volume.grid, frame.positions, samples);
  std::vector<glm::dvec3> points;
  for (const std::size_t i : chosen) points.push_back(point_of(volume.grid, i));
  std::vector<double> exact(points.size());
  orbital_reference(orbitals, which, points, exact);
  run.report.error = sampled_error(volume.grid, volume.values, chosen, exact, "double precision at sampled points");
  double norm = 0;
  for (const float value : volume.values) norm += static_cast<double>(value) * value;
  const glm::dmat3& step = volume.grid.step;
  const double cell = std::abs(glm::determinant(step)) * std::pow(units::angstrom_in_bohr, 3);
  run.report.result.update(range_of(volume.values));
  run.report.result["norm_on_grid"] = norm * cell;
  run.report.phase("compute");
  write_volume(options.grid.out, volume, molecule->atom_count() > 0 ? molecule.get() : nullptr, options.grid.frame,
               fmt::format("{}, bohr^-3/2, computed by Isolume", volume.name));
  run.say(fmt::format("{}: {}, {} x {} x {} points on {}", options.grid.out, volume.name, volume.grid.counts.x,
                      volume.grid.counts.y, volume.grid.counts.z, to_string(run.device)));
}

void run_orbital(const Common& common, const Options& options) {
  check_grid_options(options.grid);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  const auto molecule = read_molecule(options.grid.files);
  const auto orbitals = orbitals_of(*molecule, options.grid.frame);
  if (options.grid.frame >= molecule->orbitals.size())
    throw Error(fmt::format("frame {}: the orbitals have 0 to {}", options.grid.frame, molecule->orbitals.size() - 1),
                Error::Kind::usage);
  const std::size_t which = orbitals->find(options.orbital, options.spin);
  run.report.phase("read");
  const Orbital& found = orbitals->orbitals[which];
  run.report.method = {{"name", "orbital"},
                       {"orbital", options.orbital},
                       {"index", which + 1},
                       {"spin", found.spin == Spin::alpha ? "alpha" : "beta"},
                       {"frame", options.grid.frame}};
  run.report.result = {{"role", orbitals->role(which)},
                       {"energy_hartree", found.energy},
                       {"occupation", found.occupation},
                       {"norm_residual_of_file", orbitals->norm_residual}};
  if (options.grid.at.empty()) {
    on_grid(run, options, molecule, *orbitals, which);
  } else {
    at_points(run, options, *orbitals, which);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_orbital(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(parent, "orbital", "one molecular orbital, in bohr^-3/2",
                                   "isolume compute orbital water.molden --orbital homo-1 --spacing 0.1 --out psi.cube",
                                   [&commands, options] { run_orbital(commands.common, *options); });
  add_grid_options(command, options->grid, "cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)");
  command.add_option("--orbital", options->orbital, "homo, lumo, homo-1, lumo+2, or a number from 1");
  command.add_option("--spin", options->spin, "alpha or beta")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Spin>{{"alpha", Spin::alpha}, {"beta", Spin::beta}},
                                          CLI::ignore_case))
      ->option_text("alpha|beta");
}

}  // namespace isolume::cli
