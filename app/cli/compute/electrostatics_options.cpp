// The choice of a method for energies and forces of charges, as compute energy and compute dynamics take it.
#include "app/cli/compute/electrostatics_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/electrostatics/hcp/hcp_complexes.h"
#include "compute/electrostatics/method_energy.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The fastest of the parameters that reach --accuracy; the report lists them all.
void choose_spme(Run& run, double accuracy, const ElectrostaticProblem& problem, SpmeMethod& method) {
  const auto plans = plan_spme(accuracy, problem.atoms(), problem.cell, run.device, method.fixed_cutoff);
  Json list = Json::array();
  for (const SpmePlanned& p : plans) {
    list.push_back({{"parameters", describe(p.options)}, {"expected_error", p.expected_error}, {"seconds", p.seconds}});
  }
  run.report.result["plans"] = list;
  method.spme = plans.front().options;
}

}  // namespace

void add_electrostatics_options(Verb command, ElectrostaticsChoice& o, MethodUse use) {
  add_method_options(command, o.method, use);
  command.option("--cell", o.cell, "the cell in place of the file's: A B C, or A B C ALPHA BETA GAMMA in degrees")
      .type_name("A")
      .expected(3, 6);
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

void check_electrostatics_choice(const ElectrostaticsChoice& o, MethodUse use) {
  // A cell of 1 stands for the file's.
  potential_options(o.method, Cell{glm::dmat3(1.0)}, use);
}

ChosenElectrostatics make_electrostatics(Run& run, const ElectrostaticsChoice& o, MethodUse use,
                                         const ElectrostaticProblem& problem, const Topology& topology, Json& method) {
  ChosenElectrostatics chosen{potential_options(o.method, problem.cell, use), nullptr};
  auto* const spme = std::get_if<SpmeMethod>(&chosen.options);
  const bool by_accuracy = spme != nullptr && o.method.accuracy > 0;
  if (by_accuracy) choose_spme(run, o.method.accuracy, problem, *spme);
  HcpHierarchy parts;
  const PotentialMethod name = method_of(chosen.options);
  if (name == PotentialMethod::hcp || name == PotentialMethod::direct) {
    parts = HcpHierarchy::from_topology(topology, chain_complexes(topology, complexes_choice(o.method)));
  }
  if (auto* const hcp = std::get_if<HcpMethod>(&chosen.options)) hcp->parts = std::make_shared<HcpHierarchy>(parts);
  method.update(method_json(chosen.options, o.method, by_accuracy));
  if (spme != nullptr)
    method["expected_error"] = spme_expected_error(complete_spme(spme->spme, problem.cell), problem.cell);
  if (is_periodic(chosen.options)) method["background"] = "a net charge is neutralised by a uniform background";
  chosen.body = electrostatics(chosen.options, problem, std::move(parts), run.device);
  return chosen;
}

}  // namespace isolume::cli
