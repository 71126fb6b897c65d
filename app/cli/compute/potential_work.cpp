// What compute potential and compute compare begin with: the charges that are asked for, and the method.
#include "app/cli/compute/potential_work.h"

#include "app/cli/residue_charges.h"
#include "app/documents/frames.h"
#include "app/fields/potential_map.h"
#include "app/fields/potential_points.h"

namespace isolume::cli {

FieldRequest potential_request(Run& run, const GridOptions& options, const std::string& selection,
                               const std::vector<std::string>& templates, const CellTreatment& cell) {
  FieldRequest request;
  request.molecule = read_molecule(options.files, {}, cell);
  std::size_t frame = options.frame.value_or(0);
  check_frame(*request.molecule, frame);
  if (!templates.empty()) {
    request.molecule = with_templates(run, *request.molecule, templates, Unmatched::refused, frame);
    frame = 0;  // the only one that is left
  }
  request.field.kind = Field::Kind::potential;
  request.field.selection = selection;
  request.field.spacing = options.spacing;
  request.frame = frame;
  request.device = run.device;
  request.grid = grid_like(options);
  return request;
}

PotentialOptions potential_of(const FieldRequest& request, const MethodOptions& method) {
  PotentialOptions potential = potential_options(method, frame_at(*request.molecule, request.frame).cell);
  if (potential.method == PotentialMethod::hcp) potential.parts = charge_parts(request);
  return potential;
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
