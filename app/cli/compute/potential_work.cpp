// The first steps of compute potential and compute compare: charges, method and grid from their options.
#include "app/cli/compute/potential_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/cli/compute/poisson_boltzmann.h"
#include "app/cli/prepared_charges.h"
#include "app/cli/residue_charges.h"
#include "app/documents/frames.h"
#include "molecule/base/error.h"

namespace isolume::cli {

PotentialWork read_charges(Run& run, const GridOptions& options, const std::string& selection,
                           const std::vector<std::string>& templates, const CellTreatment& cell,
                           const UsualCharges& usual) {
  PotentialWork work;
  work.molecule = read_molecule(options.files, {}, cell);
  work.frame = options.frame.value_or(0);
  check_frame(*work.molecule, work.frame);
  if (!templates.empty()) {
    work.molecule = with_templates(run, *work.molecule, templates, Unmatched::refused, work.frame);
    work.frame = 0;  // the only one that is left
  } else {
    work.molecule = with_usual_charges(run, work.molecule, usual, work.frame);
  }
  work.selection = selection;
  work.like = grid_like(options);
  work.charges = molecule_charges(*work.molecule, frame_at(*work.molecule, work.frame), selection);
  return work;
}

PotentialOptions potential_of(const PotentialWork& work, const MethodOptions& method) {
  PotentialOptions potential = potential_options(method, work.charges.cell);
  if (auto* const parts = std::get_if<HcpMethod>(&potential))
    parts->parts = charge_parts(*work.molecule->topology, work.charges.atoms, complexes_choice(method));
  auto* const pb = std::get_if<PoissonBoltzmannOptions>(&potential);
  if (pb != nullptr && pb->membrane) pb->membrane->centre -= work.charges.origin.z;
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

glm::ivec3 counts_of(const std::string& text) {
  glm::ivec3 counts(0);
  int found = 0;
  bool whole = false;  // nothing follows the last number
  for (std::size_t at = 0; at <= text.size() && found < 3;) {
    const std::size_t end = std::min(text.find_first_of(",xX", at), text.size());
    const auto [next, fault] = std::from_chars(text.data() + at, text.data() + end, counts[found]);
    if (fault != std::errc() || next != text.data() + end || counts[found] < 1) break;
    ++found;
    at = end + 1;
    whole = end == text.size();
    if (whole) break;
  }
  if (found == 1) counts = glm::ivec3(counts.x);
  if (!whole || (found != 1 && found != 3) || counts.x < 1)
    throw Error(fmt::format("--counts {}: expected one number of points, or three as in 64,64,80", text),
                Error::Kind::usage);
  const double points = double(counts.x) * double(counts.y) * double(counts.z);
  if (!(points < 4294967296.0))
    throw Error(fmt::format("--counts {}: {:.3g} points are more than 2^32", text, points), Error::Kind::usage);
  return counts;
}

Grid potential_grid_of(const MapGridOptions& options, const GridOptions& common, const PotentialWork& work,
                       const PotentialOptions& method) {
  if (work.like && !options.given()) return *work.like;
  const Cell& cell = periodic_cell(method);
  if (is_fully_periodic(method) && cell.exists()) {
    if (options.padding >= 0)
      throw Error("--padding: the grid of a periodic map is the cell; give --counts or --spacing", Error::Kind::usage);
    return options.counts.empty() ? cell_grid(cell, common.spacing) : cell_grid(cell, counts_of(options.counts));
  }
  const double padding = options.padding >= 0 ? options.padding : 12;
  const ChargeExtent box = box_around(work.charges.spheres, work.charges.origin, padding);
  return options.counts.empty() ? potential_grid(box, common.spacing) : potential_grid(box, counts_of(options.counts));
}

}  // namespace isolume::cli
