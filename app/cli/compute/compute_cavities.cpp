// isolume compute cavities: rooms for solvent in a molecule, as a table and as a mesh.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/fields/field_atoms.h"
#include "app/fields/solvent_surface.h"
#include "compute/base/memory.h"
#include "compute/isosurface/marching_cubes.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files;
  std::size_t frame = 0;
  std::string assembly, cell;
  std::string selection = "protein or nucleic";
  double spacing = 0.5;
  float probe = 1.4f;
  float outer = pocket_probe;
  CavityOptions cavities{30};
  std::string out, mesh;
};

// "A/GLY12 A/ALA13", each residue once, in order.
std::string lining_text(const Cavity& cavity, const Topology& topology, const std::vector<std::uint32_t>& chosen) {
  std::string text;
  std::uint32_t last = ~0u;
  for (const std::uint32_t atom : cavity.lining) {
    const std::uint32_t residue = topology.atoms[chosen[atom]].residue;
    if (residue == last) continue;
    last = residue;
    const Residue& r = topology.residues[residue];
    const Chain& chain = topology.chains[r.chain];
    text += fmt::format("{}{}{}{}{}{}", text.empty() ? "" : " ", chain.id, chain.id.empty() ? "" : "/", r.name,
                        r.number, r.insertion == ' ' ? "" : std::string(1, r.insertion));
  }
  return plain(text);
}

void write_mesh_of(const Options& options, const Grid& grid, std::vector<float> depth, Job& job) {
  const Mesh mesh = marching_cubes(Span<const float>(Span<float>(depth)), grid, {0, true}, {}, job);
  if (mesh.triangles.empty())
    throw Error("there are no cavities for --mesh; a smaller --minimum may find some", Error::Kind::usage);
  write_mesh(options.mesh, mesh, fmt::format("cavities, probe {:g} A, computed by Isolume", options.probe));
}

void run_cavities(const Common& common, const Options& options) {
  if (!options.out.empty()) check_output(options.out, "csv");
  if (!options.mesh.empty()) check_output(options.mesh, "ply obj stl glb x3d");
  Run run(common);
  for (const std::string& file : options.files) run.report.input(file);
  const auto molecule = read_molecule(options.files, options.assembly, cell_treatment(options.cell));
  check_frame(*molecule, options.frame);
  Field field;
  field.kind = Field::Kind::cavities;
  field.selection = options.selection;
  field.spacing = options.spacing;
  field.probe_radius = static_cast<double>(options.probe);
  const auto chosen = field_atoms(field, molecule, options.frame);
  const std::vector<DensityAtom> atoms = surface_atoms(*chosen);
  run.report.phase("read");
  const Grid grid = solvent_grid(field, atoms);
  run.report.grid(grid);
  const std::size_t bytes = solvent_memory(field, atoms, grid, run.device) + grid.size() * 4 * sizeof(float);
  require_memory(bytes, Device::cpu(), "cavities");
  run.report.phase("plan");
  const LaunchRecord record;
  const Cavities found =
      cavities_of(atoms, grid, options.probe, options.outer, options.cavities, run.device, run.job());
  run.report.kernels(record.entries());
  run.report.memory(bytes, peak_memory(run.device));
  run.report.phase("compute");
  std::string text = "cavity,kind,volume (angstrom^3),x (angstrom),y (angstrom),z (angstrom),atoms,residues\n";
  Json list = Json::array();
  double total = 0;
  for (std::size_t i = 0; i < found.list.size(); ++i) {
    const Cavity& c = found.list[i];
    const std::string lining = lining_text(c, *molecule->topology, chosen->chosen->numbers);
    const char* const kind = c.open ? "pocket" : "cavity";
    text += fmt::format("{},{},{:.2f},{:.3f},{:.3f},{:.3f},{},{}\n", i + 1, kind, c.volume, c.centre.x, c.centre.y,
                        c.centre.z, c.lining.size(), lining);
    list.push_back({{"kind", kind},
                    {"volume", c.volume},
                    {"centre", {c.centre.x, c.centre.y, c.centre.z}},
                    {"atoms", c.lining.size()},
                    {"residues", lining}});
    total += c.volume;
  }
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  if (!options.mesh.empty()) write_mesh_of(options, grid, found.depth, run.job());
  run.report.method = {{"name", "flood fill between solvent-excluded surfaces"},
                       {"probe_radius", options.probe},
                       {"outer_probe_radius", options.outer},
                       {"removal_distance", options.cavities.removal},
                       {"minimum_volume", options.cavities.minimum_volume},
                       {"selection", options.selection},
                       {"frame", options.frame}};
  run.report.unit = "angstrom^3";
  run.report.result = {{"cavities", list}, {"volume", total}};
  run.report.phase("write");
  run.say(fmt::format("{}{} cavities or pockets, {:.1f} angstrom^3", options.out.empty() ? "" : options.out + ": ",
                      found.list.size(), total));
  run.finish();
}

}  // namespace

void add_compute_cavities(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(parent, "cavities", "cavities and pockets: volume, centre and lining residues",
                                    "isolume compute cavities protein.pdb --out cavities.csv --mesh cavities.ply",
                                    [&commands, options] { run_cavities(commands.common, *options); });
  command.option("FILE", options->files, "a structure, with what belongs to it").required();
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
  command.option("--mesh", options->mesh, "their surface: ply, obj, stl, glb or x3d").type_name("FILE").writes();
  command.option("--probe", options->probe, "radius of the solvent's probe, angstrom").range(0.1, 20.0);
  command.option("--outer", options->outer, "radius of the probe that closes pockets, angstrom; 0: cavities alone")
      .range(0.0, 50.0);
  command
      .option("--removal", options->cavities.removal,
              "removal distance: trims pockets this far from the surface of the outer probe, angstrom; 0: no trimming")
      .range(0.0, 50.0);
  command.option("--minimum", options->cavities.minimum_volume, "smallest volume, angstrom^3").range(0.0, 1e9);
  command.option("--spacing", options->spacing, "angstrom between grid points").range(0.05, 10.0);
  command.option("--select", options->selection, "atoms to include");
  command.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
  add_cell_option(command, options->cell);
  command.option("--frame", options->frame, "which frame, from 0");
}

}  // namespace isolume::cli
