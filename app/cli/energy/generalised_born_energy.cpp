// isolume compute energy --method gb: the polar solvation energy of a frame.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/compute/npy.h"
#include "app/cli/energy/binding_energy.h"
#include "app/cli/residue_table.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/generalised_born/neck_parameters.h"

namespace isolume::cli {

using Json = nlohmann::ordered_json;

Json generalised_born_json(const GeneralisedBornOptions& o, GeneralisedBornModel model) {
  const double kappa = o.inverse_debye_length();
  const bool neck = model == GeneralisedBornModel::neck2;
  const auto of_atoms = [neck](double value) { return neck ? Json("by element") : Json(value); };
  return {{"name", "gb"},
          {"model", neck ? "GB-neck2" : "OBC II"},
          {"radii", neck ? "mbondi3, by elements, bonds and residues" : "the file's"},
          {"alpha", of_atoms(o.alpha)},
          {"beta", of_atoms(o.beta)},
          {"gamma", of_atoms(o.gamma)},
          {"offset", neck ? neck_offset : o.offset},
          {"solute_dielectric", o.solute_permittivity},
          {"solvent_dielectric", o.solvent_permittivity},
          {"temperature", o.temperature},
          {"ionic_strength", o.ionic_strength},
          {"screening_factor", o.screening_factor},
          {"screening_length", kappa > 0 ? Json(1 / kappa) : Json(nullptr)}};
}

void generalised_born_energy(Run& run, const GeneralisedBornOptions& options, GeneralisedBornModel model,
                             const Topology& topology, const Frame& frame, const std::string& atoms_out,
                             const std::string& residues) {
  const bool with_necks = model == GeneralisedBornModel::neck2;
  std::vector<NeckAtom> necked;
  std::vector<GeneralisedBornAtom> atoms;
  if (with_necks) {
    const std::vector<NeckParameters> parameters = neck_parameters(topology, frame);
    for (std::size_t i = 0; i < topology.atoms.size(); ++i)
      necked.push_back({frame.positions[i], topology.atoms[i].charge, parameters[i]});
  } else {
    for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
      const Atom& atom = topology.atoms[i];
      atoms.push_back({frame.positions[i], atom.charge, atom.radius, screening_scale(atom.element)});
    }
  }
  run.report.phase("plan");
  GeneralisedBornResult born;
  {
    const LaunchRecord record;
    born = with_necks ? generalised_born_neck(necked, options, run.job())
                      : generalised_born(atoms, options, run.device, run.job());
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(topology.atoms.size() * 64, peak_memory(run.device));
  run.report.method = generalised_born_json(options, model);
  run.report.unit = "kcal/mol";
  const auto [least, most] = std::minmax_element(born.radii.begin(), born.radii.end());
  run.report.result["energy"] = born.energy;
  run.report.result["solvation_energy"] = born.energy;
  run.report.result["atoms"] = topology.atoms.size();
  run.report.result["total_charge"] = topology.total_charge();
  run.report.result["born_radii"] = {{"minimum", *least}, {"maximum", *most}};
  if (!atoms_out.empty()) write_npy(atoms_out, std::vector<float>(born.energies.begin(), born.energies.end()));
  if (!residues.empty()) write_residue_energies(residues, topology, born.energies, "polar solvation energy (kcal/mol)");
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", born.energy);
  run.say(fmt::format("polar solvation energy of {} atoms (total charge {:.4g} e), {}: {}", topology.atoms.size(),
                      topology.total_charge(), to_string(run.device),
                      with_necks ? describe_neck(options) : describe(options)));
  run.finish();
}

}  // namespace isolume::cli
