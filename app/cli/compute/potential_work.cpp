// What compute potential and compute compare begin with: the charges that are asked for, and the method.
#include "app/cli/compute/potential_work.h"

#include "app/cli/compute/poisson_boltzmann.h"

#include "app/cli/residue_charges.h"
#include "app/documents/frames.h"

namespace isolume::cli {

PotentialWork read_charges(Run& run, const GridOptions& options, const std::string& selection,
                           const std::vector<std::string>& templates, const CellTreatment& cell) {
  PotentialWork work;
  work.molecule = read_molecule(options.files, {}, cell);
  work.frame = options.frame.value_or(0);
  check_frame(*work.molecule, work.frame);
  if (!templates.empty()) {
    work.molecule = with_templates(run, *work.molecule, templates, Unmatched::refused, work.frame);
    work.frame = 0;  // the only one that is left
  }
  work.selection = selection;
  work.like = grid_like(options);
  work.charges = molecule_charges(*work.molecule, frame_at(*work.molecule, work.frame), selection);
  return work;
}

PotentialOptions potential_of(const PotentialWork& work, const MethodOptions& method) {
  PotentialOptions potential = potential_options(method, work.charges.cell);
  if (auto* const parts = std::get_if<HcpMethod>(&potential))
    parts->parts = charge_parts(*work.molecule->topology, work.charges.atoms);
  return potential;
}

nlohmann::ordered_json method_json(const MethodOptions& options, const PotentialWork& work) {
  if (const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&work.potential)) {
    nlohmann::ordered_json json = poisson_boltzmann_json(*pb, work.room.solved);
    json["selection"] = work.selection;
    json["frame"] = work.frame;
    return json;
  }
  nlohmann::ordered_json json{{"name", options.method}, {"selection", work.selection}, {"frame", work.frame}};
  json.update(method_json(work.potential, options, chooses_parameters(options)));
  json["zero"] = describe_zero(work.potential, work.charges.total);
  return json;
}

nlohmann::ordered_json error_json(const MapError& error, const PotentialWork& work) {
  nlohmann::ordered_json json{{"rms", error.rms * work.factor},
                              {"max", error.max * work.factor},
                              {"relative", error.relative},
                              {"points", error.points},
                              {"reference", exact_name(work.potential)}};
  if (error.near_points > 0)
    json["near_charges"] = {
        {"rms", error.near_rms * work.factor}, {"relative", error.near_relative}, {"points", error.near_points}};
  return json;
}

double chosen_accuracy(const MethodOptions& method) {
  return method.accuracy > 0 ? method.accuracy : usual_accuracy;
}

}  // namespace isolume::cli
