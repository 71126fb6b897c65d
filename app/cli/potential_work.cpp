// What compute potential and compute compare begin with: the charges that are asked for, and the method.
#include "app/cli/potential_work.h"

#include "app/session/frames.h"
#include "app/session/potential_map.h"

namespace isolume::cli {

FieldRequest potential_request(Run& run, const GridOptions& options, const std::string& selection) {
  FieldRequest request;
  request.molecule = read_molecule(options.files);
  check_frame(*request.molecule, options.frame);
  request.field.kind = Field::Kind::potential;
  request.field.selection = selection;
  request.field.spacing = options.spacing;
  request.frame = options.frame;
  request.device = run.device;
  request.grid = grid_like(options);
  return request;
}

PotentialOptions potential_of(const FieldRequest& request, const MethodOptions& method) {
  PotentialOptions potential = potential_options(method, frame_at(*request.molecule, request.frame).cell);
  if (potential.method == PotentialMethod::hcp) potential.parts = charge_parts(request);
  return potential;
}

double chosen_accuracy(const MethodOptions& method) {
  return method.accuracy > 0 ? method.accuracy : usual_accuracy;
}

}  // namespace isolume::cli
