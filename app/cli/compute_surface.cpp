// isolume compute surface: a density or isosurface as a mesh.
#include <fmt/format.h>

#include "app/cli/compute.h"
#include "app/session/device_volume.h"
#include "app/session/documents.h"
#include "app/session/frames.h"
#include "compute/isosurface/marching_cubes.h"
#include "compute/memory.h"
#include "formats/file_patterns.h"
#include "formats/write.h"
#include "molecule/error.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::size_t frame = 0;
  std::string kind = "gaussian";
  std::string selection = "all";
  std::string colour_by;
  std::string orbital;
  Spin spin = Spin::alpha;
  std::uint32_t volume = 0;
  double isovalue = 0;
  double spacing = 0;
  float radius_scale = 1;
  std::string out;
};

FieldRequest request_of(const Options& options, const std::shared_ptr<const Molecule>& molecule, Device device) {
  FieldRequest request;
  Field& field = request.field;
  field.selection = options.selection;
  field.isovalue = options.isovalue;
  field.spacing = options.spacing;
  field.radius_scale = options.radius_scale;
  field.spin = options.spin;
  field.volume = options.volume;
  if (options.kind == "iso") {
    const bool orbital = !options.orbital.empty() || (molecule->volumes.empty() && !molecule->orbitals.empty());
    field.kind = orbital ? Field::Kind::orbital : Field::Kind::volume;
    field.orbital = options.orbital.empty() ? "homo" : options.orbital;
    if (!options.colour_by.empty())
      throw Error("--colour-by colours by atoms, which only --kind gaussian does", Error::Kind::usage);
  } else if (options.colour_by == "potential") {
    field.paint = Field::Paint::potential;
  } else if (!options.colour_by.empty()) {
    field.colouring = colouring_from_name(options.colour_by);
  }
  request.molecule = molecule;
  request.frame = options.frame;
  request.device = device;
  return request;
}

void run_surface(const Common& common, const Options& options) {
  check_output(options.out, "ply obj stl glb");
  check_not_input(options.out, options.files);
  Run run(common);
  for (const std::string& file : expand_paths(options.files)) run.report.input(file);
  Documents documents;
  const std::vector<SceneMolecule> opened = documents.open(options.files);
  if (opened.size() != 1)
    throw Error(fmt::format("the files make {} molecules; this command takes one", opened.size()), Error::Kind::usage);
  const auto molecule = documents.molecule(opened.front());
  if (frame_in(*molecule, options.frame) != options.frame)
    throw Error(fmt::format("frame {}: there are 0 to {}", options.frame, frame_in(*molecule, options.frame)),
                Error::Kind::usage);
  const FieldRequest request = request_of(options, molecule, run.device);
  run.report.phase("read");
  const FieldPlan plan = plan_field(request);
  run.report.grid(plan.grid);
  run.report.phase("plan");
  const auto isovalue = static_cast<float>(effective_isovalue(request.field));
  const LaunchRecord record;
  const DeviceVolume field = compute_on_device(request, run.job());
  const bool above = request.field.kind == Field::Kind::gaussian || isovalue > 0;
  const Mesh mesh = marching_cubes(field.values.span(), field.grid, {isovalue, above}, field.colours.span(), run.job());
  run.report.kernels(record.entries());
  run.report.memory(plan.bytes, peak_memory(run.device));
  run.report.phase("compute");
  if (mesh.triangles.empty()) {
    const auto range = range_of(field.values.copy_to_host());
    throw Error(fmt::format("no surface: {} has values from {:g} to {:g}, and the isovalue is {:g}", field.name,
                            range["minimum"].get<double>(), range["maximum"].get<double>(), isovalue),
                Error::Kind::usage);
  }
  run.report.method = {
      {"name", "marching cubes of " + field.name}, {"kind", options.kind},           {"isovalue", isovalue},
      {"radius_scale", options.radius_scale},      {"selection", options.selection}, {"frame", options.frame}};
  run.report.unit = "angstrom";
  if (field.legend) {
    run.report.method["colours"] = {{"title", field.legend->title},
                                    {"unit", field.legend->unit},
                                    {"lower", field.legend->lower},
                                    {"upper", field.legend->upper},
                                    {"method", field.legend->method}};
    run.report.error = {{"rms", field.legend->error},
                        {"relative", field.legend->relative_error},
                        {"reference", "of the colours: direct double-precision sum at sampled points"}};
  }
  run.report.result = {{"vertices", mesh.vertex_count()},
                       {"triangles", mesh.triangles.size()},
                       {"area", surface_area(mesh)},
                       {"volume", enclosed_volume(mesh)},
                       {"euler_characteristic", euler_characteristic(mesh)}};
  write_mesh(options.out, mesh, fmt::format("{} at {:g}, computed by Isolume", field.name, isovalue));
  run.report.phase("write");
  run.say(fmt::format("{}: {} at {:g}, {} triangles, {:.1f} angstrom^2", options.out, field.name, isovalue,
                      mesh.triangles.size(), surface_area(mesh)));
  run.finish();
}

}  // namespace

void add_compute_surface(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(
      parent, "surface", "a Gaussian density surface of atoms, or an isosurface of a volume or orbital, as a mesh",
      "isolume compute surface crambin.pdb.gz --select protein --colour-by chain --out surface.ply",
      [&commands, options] { run_surface(commands.common, *options); });
  command.add_option("FILE", options->files, "a structure, with what belongs to it")->required();
  command.add_option("--kind", options->kind, "gaussian (of atoms) or iso (of a volume or orbital of the file)")
      ->check(CLI::IsMember({"gaussian", "iso"}));
  command.add_option("--out", options->out, "ply, obj, stl or glb")->required()->type_name("FILE");
  command.add_option("--select", options->selection, "which atoms (gaussian)");
  command.add_option("--colour-by", options->colour_by, "element, chain, residue ..., or potential (gaussian)");
  command.add_option("--isovalue", options->isovalue, "where the surface is (gaussian 0.5, orbital and volume 0.05)");
  command.add_option("--spacing", options->spacing, "angstrom between grid points")->check(CLI::Range(1e-3, 1e3));
  command.add_option("--radius-scale", options->radius_scale, "width of the Gaussians in van der Waals radii")
      ->check(CLI::Range(0.05, 20.0));
  command.add_option("--orbital", options->orbital, "homo, lumo+1, or a number from 1 (iso)");
  command.add_option("--spin", options->spin, "alpha or beta (iso)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Spin>{{"alpha", Spin::alpha}, {"beta", Spin::beta}},
                                          CLI::ignore_case))
      ->option_text("alpha|beta");
  command.add_option("--volume", options->volume, "which volume of the file, from 0 (iso)");
  command.add_option("--frame", options->frame, "which frame, from 0");
}

}  // namespace isolume::cli
