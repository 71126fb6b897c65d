// The choice of a method for energies and forces of charges, as compute energy and compute dynamics take it.
#include "app/cli/compute/electrostatics_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/msm/msm_forces.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

SpmeOptions choose_spme(Run& run, const ElectrostaticsChoice& o, const ElectrostaticProblem& problem) {
  if (o.accuracy <= 0) {
    SpmeOptions s;
    s.cutoff = o.cutoff > 0 ? o.cutoff : usual_cutoff(s.cutoff, problem.cell);
    if (o.alpha > 0) s.alpha = o.alpha;
    if (o.order > 0) s.order = o.order;
    if (o.mesh_spacing > 0) s.spacing = o.mesh_spacing;
    for (std::size_t i = 0; i < o.mesh.size(); ++i) s.mesh[static_cast<int>(i)] = o.mesh[i];
    return complete_spme(s, problem.cell);
  }
  const auto plans = plan_spme(o.accuracy, problem.atoms(), problem.cell, run.device, std::max(o.cutoff, 0.0));
  Json list = Json::array();
  for (const SpmePlanned& p : plans) {
    list.push_back({{"parameters", describe(p.options)}, {"expected_error", p.expected_error}, {"seconds", p.seconds}});
  }
  run.report.result["plans"] = list;
  return plans.front().options;
}

void describe_spme(Json& json, const SpmeOptions& s, const ElectrostaticsChoice& o, const Cell& cell) {
  json["cutoff"] = s.cutoff;
  json["alpha"] = s.alpha;
  json["order"] = s.order;
  json["mesh"] = {s.mesh.x, s.mesh.y, s.mesh.z};
  json["chosen_by"] = o.accuracy > 0 ? "accuracy" : "options";
  json["expected_error"] = spme_expected_error(s, cell);
  json["boundary"] = "periodic along abc of the cell, conducting surroundings (no surface term)";
  json["background"] = "a net charge is neutralised by a uniform background";
}

}  // namespace

void add_electrostatics_options(Verb command, ElectrostaticsChoice& o, bool solvation) {
  const std::string methods =
      "direct (all pairs, not periodic), spme (periodic), msm (either), hcp (far residues and chains by a charge or "
      "two)";
  const Option method = command.option(
      "--method", o.method, solvation ? methods + ", pb (polar solvation energy by Poisson-Boltzmann)" : methods);
  solvation ? method.one_of({"direct", "spme", "msm", "hcp", "pb"}) : method.one_of({"direct", "spme", "msm", "hcp"});
  add_hcp_options(command, o.hcp);
  command.option("--cell", o.cell, "the cell in place of the file's: A B C, or A B C ALPHA BETA GAMMA in degrees")
      .type_name("A")
      .expected(3, 6);
  command.option("--accuracy", o.accuracy, "spme: relative RMS error of forces to choose parameters for")
      .range(1e-7, 0.1);
  command.option("--cutoff", o.cutoff, "spme, msm: of the sum over pairs (9, or the most that the cell allows)")
      .type_name("A")
      .positive();
  command.option("--alpha", o.alpha, "spme: Ewald's parameter (so that erfc(alpha cutoff) = 1e-5)")
      .type_name("1/A")
      .positive();
  command.option("--order", o.order, "spme: of the splines, 4 to 8 (4)").range(4, 8);
  command.option("--mesh", o.mesh, "spme: mesh points along the cell vectors").expected(3);
  command.option("--mesh-spacing", o.mesh_spacing, "spme: largest distance of mesh points (1)")
      .type_name("A")
      .positive();
  command.option("--lattice-spacing", o.lattice_spacing, "msm: of the finest lattice (1)").type_name("A").positive();
  command.option("--degree", o.degree, "msm: of the interpolation, 3, 5 or 7 (7)").one_of({3, 5, 7});
  command.option("--smoothing", o.smoothing, "msm: order of the Taylor series, 2 to 4 (4)").range(2, 4);
  command.flag("--open", o.open, "msm: not periodic although the file has a cell");
}

Cell given_cell(const ElectrostaticsChoice& o, const Cell& of_file) {
  if (o.cell.empty()) return of_file;
  glm::dvec3 lengths(0), angles(90);
  const auto fail = [](const std::string& what) {
    throw Error("--cell: " + what + "; expected three lengths above 0, and perhaps three angles between 0 and 180",
                Error::Kind::usage);
  };
  if (o.cell.size() != 3 && o.cell.size() != 6) fail(fmt::format("{} numbers", o.cell.size()));
  for (int axis = 0; axis < 3; ++axis) {
    lengths[axis] = o.cell[static_cast<std::size_t>(axis)];
    if (o.cell.size() == 6) angles[axis] = o.cell[static_cast<std::size_t>(axis) + 3];
    if (!(lengths[axis] > 0 && lengths[axis] < 1e6)) fail(fmt::format("a length of {}", lengths[axis]));
    if (!(angles[axis] > 0 && angles[axis] < 180)) fail(fmt::format("an angle of {}", angles[axis]));
  }
  try {
    return Cell::from_lengths_angles(lengths, angles);
  } catch (const Error& error) {  // angles that do not go together
    throw Error(fmt::format("--cell: {}", error.what()), Error::Kind::usage);
  }
}

void check_electrostatics_choice(const ElectrostaticsChoice& o) {
  const auto only = [&](const char* method, bool given, const char* option) {
    if (given && o.method != method) {
      throw Error(fmt::format("{} belongs to --method {}, not to {}", option, method, o.method), Error::Kind::usage);
    }
  };
  only("msm", o.lattice_spacing > 0, "--lattice-spacing");
  only("msm", o.degree > 0, "--degree");
  only("msm", o.smoothing > 0, "--smoothing");
  only("msm", o.open, "--open");
  if (o.cutoff > 0 && o.method != "spme" && o.method != "msm") {
    throw Error("--cutoff belongs to --method spme and msm, not to " + o.method, Error::Kind::usage);
  }
  check_hcp_choice(o.hcp, o.method);
  only("spme", o.accuracy > 0, "--accuracy");
  only("spme", o.alpha > 0, "--alpha");
  only("spme", o.order > 0, "--order");
  only("spme", o.mesh_spacing > 0, "--mesh-spacing");
  only("spme", !o.mesh.empty(), "--mesh");
  if (!o.mesh.empty() && o.mesh_spacing > 0) {
    throw Error("--mesh and --mesh-spacing exclude each other", Error::Kind::usage);
  }
  if (o.accuracy > 0 && (o.alpha > 0 || o.order > 0 || o.mesh_spacing > 0 || !o.mesh.empty())) {
    throw Error("--accuracy chooses alpha, order and mesh; it excludes them as options", Error::Kind::usage);
  }
}

std::unique_ptr<Electrostatics> make_electrostatics(Run& run, const ElectrostaticsChoice& o,
                                                    const ElectrostaticProblem& problem, const Topology& topology,
                                                    Json& method) {
  const bool periodic = o.periodic(problem.cell);
  if (o.method == "msm") {
    MsmOptions m;
    m.cutoff = o.cutoff > 0 ? o.cutoff : periodic ? usual_cutoff(9, problem.cell) : 9;
    if (o.lattice_spacing > 0) m.spacing = o.lattice_spacing;
    m.degree = o.degree > 0 ? o.degree : 7;
    m.smoothing = o.smoothing > 0 ? o.smoothing : 4;
    method["cutoff"] = m.cutoff;
    method["lattice_spacing"] = m.spacing;
    method["degree"] = m.degree;
    method["smoothing"] = m.smoothing;
    method["boundary"] =
        periodic ? "periodic along abc of the cell, conducting surroundings, neutralising background" : "not periodic";
    return msm_electrostatics(problem, m, periodic, run.device);
  }
  if (o.method == "spme") {
    const SpmeOptions s = choose_spme(run, o, problem);
    describe_spme(method, s, o, problem.cell);
    return spme_electrostatics(problem, s, run.device);
  }
  method["boundary"] = "not periodic";
  if (o.method == "direct" && !o.direct_in_dielectric()) return direct_electrostatics(problem, run.device);
  HcpHierarchy hierarchy = HcpHierarchy::from_topology(topology);
  if (o.method == "hcp") {
    describe_hcp_method(method, o.hcp, hierarchy);
    return hcp_electrostatics(problem, std::move(hierarchy), hcp_options(o.hcp), run.device);
  }
  // All atoms by the same law: no component is ever far.
  HcpOptions all_atoms = hcp_options(o.hcp);
  all_atoms.thresholds.fill(HcpOptions::never);
  method["dielectric"] = o.hcp.dielectric;
  return hcp_electrostatics(problem, std::move(hierarchy), all_atoms, run.device);
}

}  // namespace isolume::cli
