// isolume compute surface: a surface of atoms or an isosurface, as a mesh of one frame or of many.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/cell_option.h"
#include "app/cli/charge_sets.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/mesh_scalars.h"
#include "app/cli/compute/method_options.h"
#include "app/cli/compute/surface_export.h"
#include "app/cli/made.h"
#include "app/cli/scene_input.h"
#include "app/documents/documents.h"
#include "app/documents/frames.h"
#include "app/documents/table_charges.h"
#include "app/fields/device_volume.h"
#include "app/fields/field_atoms.h"
#include "app/fields/field_grid.h"
#include "app/fields/potential_paint.h"
#include "app/scene/built_in_tables.h"
#include "app/view/usual_potential.h"
#include "compute/analysis/mesh_shape.h"
#include "compute/base/memory.h"
#include "compute/isosurface/marching_cubes.h"
#include "formats/file_patterns.h"
#include "formats/read.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// In the order of Field::Quality.
constexpr const char* qualities[] = {"low", "medium", "high", "maximum"};

struct Options {
  std::vector<std::string> files;
  std::string frames = "0";
  std::string assembly, cell;
  std::string kind = "gaussian";
  std::string selection;  ///< empty: all; of potentials the polymers
  std::string colour_by, map, method, unit, charges;
  bool build_missing = false;
  std::string orbital;
  Spin spin = Spin::alpha;
  std::uint32_t volume = 0;
  double isovalue = 0;
  double spacing = 0;
  double probe = 1.4;
  double offset = 0;
  double range = 0;
  double frames_per_second = 20;
  int smooth = 0;
  bool periodic = false;
  float radius_scale = 1;
  std::string beads = "atoms", quality = "medium";
  std::string out;

  bool by(const char* what) const { return colour_by == what; }
};

Field field_of(const Options& options, const Molecule& molecule) {
  Field field;
  field.selection = !options.selection.empty()                         ? options.selection
                    : options.by("potential") && options.kind != "iso" ? polymer_selection(molecule)
                                                                       : "all";
  field.isovalue = options.isovalue;
  field.spacing = options.spacing;
  field.radius_scale = options.radius_scale;
  field.beads = options.beads == "residues" ? Field::Beads::residues : Field::Beads::atoms;
  field.quality = static_cast<Field::Quality>(std::find(std::begin(qualities), std::end(qualities), options.quality) -
                                              std::begin(qualities));
  field.probe_radius = options.probe;
  field.spin = options.spin;
  field.volume = options.volume;
  field.paint_offset = options.offset;
  field.periodic = options.periodic;
  field.paint_range = options.range;
  if (options.periodic && (options.kind == "iso" || options.kind == "cavities"))
    throw Error("--periodic is for gaussian, ses and sas", Error::Kind::usage);
  if (options.kind == "iso") {
    const bool orbital = !options.orbital.empty() || (molecule.volumes.empty() && !molecule.orbitals.empty());
    field.kind = orbital ? Field::Kind::orbital : Field::Kind::volume;
    field.orbital = options.orbital.empty() ? "homo" : options.orbital;
    if (!options.colour_by.empty() && !options.by("curvature") && !options.by("map"))
      throw Error(
          "--colour-by colours by atoms, which only --kind gaussian does, ses, sas and cavities as well; iso "
          "takes curvature and map",
          Error::Kind::usage);
    return field;
  }
  if (options.kind == "ses") field.kind = Field::Kind::solvent_excluded;
  if (options.kind == "sas") field.kind = Field::Kind::solvent_accessible;
  if (options.kind == "cavities") field.kind = Field::Kind::cavities;
  if (field.kind != Field::Kind::gaussian && options.isovalue != 0)
    throw Error("--isovalue is for gaussian and iso; the other surfaces are where they are", Error::Kind::usage);
  if (options.by("potential")) {
    paint_by_usual_potential(field, molecule);
    set_potential(field, method_of_field(options.method), options.unit, options.range);
    if (options.range > 0) field.paint_range = options.range;
  } else if (!options.colour_by.empty() && !options.by("curvature") && !options.by("map")) {
    field.colouring = colouring_from_name(options.colour_by);
  }
  return field;
}

// What a surface comes to, apart from its mesh.
struct Made {
  Mesh mesh;
  std::string name;
  Json method, error, result;
};

Made make_surface(Run& run, const Options& options, const FieldRequest& request, const Volume* map) {
  Made made;
  const FieldPlan plan = plan_field(request);
  run.report.grid(plan.grid);
  run.report.phase("plan");
  const auto isovalue = static_cast<float>(effective_isovalue(request.field));
  const bool above = wraps_atoms(request.field.kind) || isovalue > 0;
  Mesh& mesh = made.mesh;
  std::optional<SharedMesh> shared;
  if (run.devices.size() > 1) shared = mesh_by_devices(request, run.devices, {isovalue, above}, run.job());
  if (shared) run.worked(shared->report.workers);
  const bool found = shared && !shared->mesh.triangles.empty();
  const DeviceVolume field = found ? std::move(shared->of) : compute_on_device(request, run.job());
  mesh = found ? std::move(shared->mesh) : field.mesh({isovalue, above}, run.job());
  run.report.memory(plan.bytes, peak_memory(run.device));
  if (mesh.triangles.empty()) {
    const auto range = range_of(field.host_values(run.job()));
    throw Error(fmt::format("no surface: {} has values from {:g} to {:g}, and the isovalue is {:g}", field.name,
                            range["minimum"].get<double>(), range["maximum"].get<double>(), isovalue),
                Error::Kind::usage);
  }
  const double smoothed = smooth_mesh(mesh, options.smooth, run.job());
  made.name = field.name;
  made.method = {{"name", "marching cubes of " + field.name},
                 {"kind", options.kind},
                 {"isovalue", isovalue},
                 {"radius_scale", options.radius_scale},
                 {"selection", request.field.selection},
                 {"frame", request.frame}};
  if (options.kind == "gaussian") {
    made.method["beads"] = options.beads;
    made.method["quality"] = options.quality;
    made.method["cutoff_sigmas"] = gaussian_options(request.field).cutoff_sigmas;
  }
  if (options.kind == "ses" || options.kind == "sas" || options.kind == "cavities")
    made.method["probe_radius"] = options.probe;
  if (options.periodic) made.method["periodic"] = true;
  if (plan.layers > 0) made.method["layers_at_a_time"] = plan.layers;
  if (options.smooth > 0) made.method["smoothing"] = {{"name", "Taubin 0.5/-0.53"}, {"steps", options.smooth}};
  if (field.legend) {
    made.method["colours"] = {{"title", field.legend->title},         {"unit", field.legend->unit},
                              {"lower", field.legend->lower},         {"upper", field.legend->upper},
                              {"offset", request.field.paint_offset}, {"method", field.legend->method}};
    made.error = {{"rms", field.legend->error},
                  {"relative", field.legend->relative_error},
                  {"reference", request.field.potential.method == PotentialMethod::pb
                                    ? "the solution with steps twice as long"
                                    : "of the colours: direct double-precision sum at sampled points"}};
  }
  if (options.by("potential")) {
    const auto atoms = field_atoms(request.field, request.molecule, request.frame);
    mesh.scalars.push_back(potential_scalar(request.field, *atoms, field, mesh, run.job()));
  }
  if (options.by("curvature")) {
    MeshCurvature curvature = mesh_curvature(mesh, run.job());
    mesh.scalars.push_back({"mean curvature", "1/angstrom", std::move(curvature.mean)});
    mesh.scalars.push_back({"gaussian curvature", "1/angstrom^2", std::move(curvature.gaussian)});
  }
  if (map) mesh.scalars.push_back({"map", map->unit, sample_at_vertices(*map, mesh, options.offset)});
  if (map || options.by("curvature")) {
    const MeshScalar& scalar = mesh.scalars.front();
    const double range = colour_by_scalar(mesh, scalar, options.range);
    made.method["colours"] = {
        {"title", scalar.name}, {"unit", scalar.unit}, {"lower", -range}, {"upper", range}, {"offset", options.offset}};
  }
  const MeshParts parts = mesh_parts(mesh);
  made.result = {{"vertices", mesh.vertex_count()},
                 {"triangles", mesh.triangles.size()},
                 {"area", surface_area(mesh)},
                 {"volume", enclosed_volume(mesh)},
                 {"euler_characteristic", euler_characteristic(mesh)},
                 {"parts", parts.parts},
                 {"border_edges", parts.border_edges}};
  if (options.periodic) made.result["volume"] = nullptr;  // of a surface that the faces of the cell cut
  if (options.smooth > 0) made.result["volume_change_of_smoothing"] = smoothed;
  for (const MeshScalar& scalar : mesh.scalars) made.result["scalars"][scalar.name] = range_of(scalar.values);
  return made;
}

void check_options(const Options& options) {
  check_output(options.out, "ply obj stl glb x3d");
  if (!options.by("potential") && (!options.method.empty() || !options.unit.empty()))
    throw Error("--method and --unit go with --colour-by potential", Error::Kind::usage);
  if (options.kind != "gaussian" && (options.beads != "atoms" || options.quality != "medium"))
    throw Error("--beads and --quality belong to --kind gaussian", Error::Kind::usage);
  if (options.by("map") != !options.map.empty())
    throw Error("--colour-by map and --map FILE go together", Error::Kind::usage);
}

void run_surface(const Common& common, const Options& options) {
  check_options(options);
  Run run(common);
  for (const std::string& file : expand_paths(options.files)) run.report.input(file);
  Documents documents;
  const auto session = scene_input(options.files);
  std::vector<SceneMolecule> opened =
      session ? std::vector{session->scene.molecules[session->molecule]} : documents.open(options.files);
  if (opened.size() != 1)
    throw Error(fmt::format("the files make {} molecules; this command takes one", opened.size()), Error::Kind::usage);
  if (!session || !options.assembly.empty()) opened.front().assembly = options.assembly;
  if (!session || !options.cell.empty()) opened.front().cell = cell_treatment(options.cell);
  const std::string tables = scene_tables(options.charges, options.build_missing);
  if (!tables.empty()) {
    opened.front().templates = {tables};
  } else if (options.by("potential") && options.charges.empty() && takes_tables(*documents.molecule(opened.front()))) {
    opened.front().templates = {usual_tables};
    run.say("note: " + options.files.front() + " has no charges: hydrogens and charges of AMBER ff14SB are used");
  }
  const auto molecule = documents.molecule(opened.front());
  const std::vector<std::size_t> frames = parse_frames(
      options.frames, std::max<std::size_t>(1, std::max(molecule->frame_count(), molecule->orbitals.size())));
  std::shared_ptr<const Volume> map;
  if (!options.map.empty()) {
    run.report.input(options.map);
    const Molecule file = read_file(options.map);
    if (file.volumes.empty()) throw Error(options.map + " has no volume", Error::Kind::usage);
    map = file.volumes.front();
  }
  FieldRequest request;
  request.field = field_of(options, *molecule);
  request.colours_everywhere = options.smooth > 0;
  if (options.selection.empty() && request.field.selection != "all")
    run.say(fmt::format("note: the surface is that of \"{}\", as render draws it; --select all is for all atoms",
                        request.field.selection));
  request.molecule = molecule;
  request.device = run.device;
  run.report.phase("read");
  run.report.unit = "angstrom";
  Json inputs;
  const LaunchRecord record;
  SurfaceExport output(options.out, frames.size(), options.frames_per_second);
  Json results = Json::array();
  std::string last;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    run.job().check();
    const double n = static_cast<double>(frames.size());
    if (frames.size() > 1)
      run.progress.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n,
                        fmt::format("frame {} ({} of {})", frames[i], i + 1, frames.size()));
    request.frame = frames[i];
    Made made = make_surface(run, options, request, map.get());
    run.report.phase("compute");
    run.report.method = made.method;
    if (!made.error.is_null()) run.report.error = made.error;
    if (inputs.is_null()) {
      inputs = run.report.json()["inputs"];
      for (Json& input : inputs)
        input["path"] = std::filesystem::path(input["path"].get<std::string>()).filename().string();
    }
    const Json origin{{"version", ISOLUME_VERSION},
                      {"command", carried_command(common.arguments)},
                      {"inputs", inputs},
                      {"method", made.method},
                      {"result", made.result}};
    output.add(frames[i], made.mesh,
               fmt::format("{} at {:g}, computed by Isolume", made.name, effective_isovalue(request.field)),
               origin.dump(-1, ' ', false, Json::error_handler_t::replace));
    run.report.phase("write");
    last = fmt::format("{} at {:g}, {} triangles, {:.1f} angstrom^2", made.name, effective_isovalue(request.field),
                       made.mesh.triangles.size(), made.result["area"].get<double>());
    if (!options.periodic) last += fmt::format(", {:.1f} angstrom^3", made.result["volume"].get<double>());
    made.result["frame"] = frames[i];
    results.push_back(std::move(made.result));
  }
  run.report.kernels(record.entries());
  run.report.result = results.back();
  if (frames.size() > 1) run.report.result["frames"] = results;
  const std::vector<std::string> written = output.finish();
  run.report.result["files"] = written;
  run.report.phase("write");
  run.say(fmt::format("{}{}: {}{}", written.front(), written.size() > 1 ? " to " + written.back() : "",
                      frames.size() > 1 ? fmt::format("{} frames; the last: ", frames.size()) : "", last));
  run.finish();
}

}  // namespace

void add_compute_surface(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "surface", "a surface of atoms, or an isosurface of a volume or orbital, as a mesh",
                   "isolume compute surface crambin.pdb.gz --select protein --colour-by chain --out surface.ply\n"
                   "  isolume compute surface protein.pqr --kind ses --colour-by potential --offset 1.4 --out ses.glb\n"
                   "  isolume compute surface system.gro run.xtc --select protein --frames ::10 --out moving.glb",
                   [&commands, options] { run_surface(commands.common, *options); });
  command.option("FILE", options->files, "a structure, with what belongs to it").required();
  command
      .option("--kind", options->kind,
              "gaussian, ses, sas (solvent-excluded, -accessible), cavities (all of atoms), or iso (of a volume or "
              "orbital of the file)")
      .one_of({"gaussian", "ses", "sas", "cavities", "iso"});
  command.option("--out", options->out, "ply, obj, stl, glb or x3d; of several frames numbered, or an animated glb")
      .required()
      .type_name("FILE")
      .writes();
  command.option("--select", options->selection,
                 "which atoms (all; coloured by the potential protein or nucleic where there are some)");
  command.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
  add_cell_option(command, options->cell);
  command.option("--colour-by,--color-by", options->colour_by,
                 "element, chain, residue ..., potential, curvature, or map (with --map)");
  command.option("--map", options->map, "a volume whose values colour the surface (--colour-by map)").type_name("FILE");
  command.option("--method", options->method,
                 "of the potential: debye-hueckel (polymers), automatic (others), or another of compute potential");
  add_scene_charges_option(command, options->charges, options->build_missing);
  command.option("--unit", options->unit, "of the potential: kT/e (screened ones), V (others), or kcal/mol/e")
      .one_of({"V", "kT/e", "kcal/mol/e"});
  command.option("--offset", options->offset, "angstrom along the normal at which potential or map are taken")
      .range(-20.0, 20.0);
  command
      .option("--range", options->range,
              "value at full red (minus) and blue (plus); 5 kT/e of polymers, else by the surface")
      .range(1e-9, 1e9);
  command.option("--isovalue", options->isovalue, "where the surface is (gaussian 0.5, orbital and volume 0.05)");
  command.option("--spacing", options->spacing, "angstrom between grid points").range(1e-3, 1e3);
  command.option("--radius-scale", options->radius_scale, "width of the Gaussians in van der Waals radii")
      .range(0.05, 20.0);
  command
      .option(
          "--beads", options->beads,
          "gaussian: balls that are wrapped: atoms, or one for each residue, at its centre of mass and of its radius "
          "of gyration (atoms)")
      .one_of({"atoms", "residues"});
  command
      .option("--quality", options->quality,
              "gaussian: where a Gaussian ends: low (2 sigma), medium (2.5), high (3), maximum (4) (medium)")
      .one_of({"low", "medium", "high", "maximum"});
  command.option("--probe", options->probe, "radius of the solvent's probe, angstrom").range(0.0, 20.0);
  command.flag("--periodic", options->periodic,
               "the atoms repeat along the cell: the surface of one period, cut at its faces");
  command.option("--smooth", options->smooth, "steps of smoothing that keep the volume").range(0, 1000);
  command.option("--orbital", options->orbital, "homo, lumo+1, or a number from 1 (iso)");
  command.spin(options->spin, "alpha or beta (iso)");
  command.option("--volume", options->volume, "which volume of the file, from 0 (iso)");
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0");
  command.option("--fps", options->frames_per_second, "frames per second of an animated glb").range(0.1, 240.0);
}

}  // namespace isolume::cli
