// isolume compute energy --binding: binding energies of two partners.
#include "app/cli/energy/binding_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include "app/cli/compute/poisson_boltzmann.h"
#include "app/cli/compute/within_tolerance.h"
#include "app/cli/energy/alanine_scan.h"
#include "app/cli/energy/binding_series.h"
#include "app/cli/residue_table.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/base/usual_spacing.h"
#include "compute/binding/binding.h"
#include "compute/over_time/running_statistics.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/force_field/force_field.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"
#include "molecule/trajectory.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint8_t> mask_of(const std::string& text, const Molecule& molecule, const Frame& frame) {
  std::vector<std::uint8_t> mask = Selection(text).mask(*molecule.topology, frame);
  if (std::find(mask.begin(), mask.end(), 1) == mask.end())
    throw Error("--binding: " + empty_selection(text, *molecule.topology), Error::Kind::usage);
  return mask;
}

/// The polar part with other steps, of the first frame: what the grid does to the result.
Json other_spacings(Run& run, const BindingOptions& options, const BindingFrame& own, const Topology& topology,
                    const std::shared_ptr<const ForceField>& field,
                    const std::array<std::vector<std::uint8_t>, 2>& masks, std::span<const glm::vec3> positions,
                    double& error) {
  const auto entry = [&](double spacing, double polar, const char* how) {
    error = std::max(error, std::abs(polar - own.sum.polar));
    return Json{{"spacing", spacing}, {"polar", polar}, {"electrostatic", polar + own.sum.coulomb}, {"how", how}};
  };
  BindingOptions wider = options;
  wider.spacing = 1.5 * options.spacing;
  Binding binding(topology, field, masks[0], masks[1], wider, run.device);
  binding.cover(positions);
  const BindingFrame frame = binding.evaluate(positions, run.job());
  return Json::array({entry(options.spacing, own.sum.polar, "the result"),
                      entry(wider.spacing, frame.sum.polar, "a grid of its own"),
                      entry(2 * options.spacing, own.coarse_polar(), "every second node")});
}

BindingOptions options_of(const BindingChoice& choice, const PotentialOptions& method, double spacing) {
  BindingOptions options;
  if (const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&method))
    options.polar = *pb;
  else
    options.polar = std::get<GeneralisedBornOptions>(method);
  if (spacing > 0) options.spacing = spacing;
  if (choice.surface_tension >= 0) options.surface_tension = choice.surface_tension;
  if (choice.surface_offset > -1e300) options.surface_offset = choice.surface_offset;
  if (choice.pressure >= 0) options.pressure = choice.pressure;
  return options;
}

/// Evaluates all frames, each with its scan where there is one, and adds them to the series and the residues' shares.
void compute_frames(Run& run, Binding& binding, const Topology& topology,
                    const std::function<std::vector<glm::vec3>(std::size_t)>& positions, std::size_t at_once,
                    BindingSeries& series, ResidueShares& shares, AlanineScan* scan) {
  const LaunchRecord record;
  const auto take = [&](std::size_t i, BindingFrame&& value) {
    if (i == 0 && value.nearest > 6)
      run.say(
          fmt::format("note: the partners' nearest atoms are {:.1f} angstrom apart; are they in different images "
                      "of the cell?",
                      value.nearest));
    shares.add(topology, binding, value);
    value.atoms = {};
    series.values.push_back(std::move(value));
  };
  for (std::size_t i = 0; scan && i < series.frames.size(); ++i) {
    const std::vector<glm::vec3> at = positions(series.frames[i]);
    const double share = 1.0 / static_cast<double>(series.frames.size()), from = static_cast<double>(i) * share;
    JobPart own(run.job(), from, from + 0.1 * share), others(run.job(), from + 0.1 * share, from + share);
    BindingFrame value = binding.evaluate(at, own);
    scan->add(binding, at, value, others);
    take(i, std::move(value));
  }
  if (!scan)
    evaluate_frames(
        binding, series.frames.size(), at_once, [&](std::size_t i) { return positions(series.frames[i]); }, take,
        run.job());
  run.report.kernels(record.entries());
}

/// The error of the polar part by the steps of the grid, kcal/mol; it and its parts go into the report.
double report_grid_error(Run& run, const BindingOptions& options, const PotentialOptions& method,
                         const Topology& topology, const std::shared_ptr<const ForceField>& field,
                         const std::array<std::vector<std::uint8_t>, 2>& masks,
                         const std::function<std::vector<glm::vec3>(std::size_t)>& positions,
                         const BindingSeries& series) {
  const bool single = series.values.size() == 1;
  const BindingFrame& head = series.values.front();
  Json& result = run.report.result;
  double error = 0;
  if (single) {
    result["spacings"] =
        other_spacings(run, options, head, topology, field, masks, positions(series.frames.front()), error);
  } else {
    std::vector<double> apart;
    for (const BindingFrame& value : series.values) apart.push_back(value.coarse_polar() - value.sum.polar);
    result["polar_change_with_steps_twice_as_long"] = series_statistics(apart).mean;
    error = std::abs(series_statistics(apart).mean);
  }
  run.report.error = {{"rms", error},
                      {"max", error},
                      {"relative", head.sum.polar == 0 ? 0.0 : std::abs(error / head.sum.polar)},
                      {"points", single ? 2 : series.values.size()},
                      {"reference", single ? "grids with steps 1.5 and 2 times as long" : exact_name(method)},
                      {"of", "polar part of the binding energy, kcal/mol"}};
  return error;
}

/// Shortens the steps until the polar part of one frame is known well enough; `binding` becomes that with these steps.
void meet_tolerance(Run& run, double tolerance, bool fixed, BindingOptions& options, Binding& binding,
                    const std::function<Binding()>& prepared, std::span<const glm::vec3> positions,
                    const std::function<double(const BindingFrame&, std::span<const glm::vec3>)>& error_of) {
  SteppedRun what;
  what.tolerance = tolerance;
  what.fixed = fixed;
  what.fixed_by = "--spacing";
  what.grid_of = [&](double step) {
    options.spacing = step;
    binding = prepared();
    return binding.grid();
  };
  what.memory = [&](const Grid&) { return binding.memory(); };
  what.solve = [&](const Grid&) {
    Binding::Starts starts;
    const BindingFrame own = binding.evaluate(positions, starts, run.job());
    return own.sum.polar == 0 ? 0.0 : std::abs(error_of(own, positions) / own.sum.polar);
  };
  Grid grid = binding.grid();
  within_tolerance(run, what, grid);
}

void say_energy(Run& run, const Binding& binding, const PotentialOptions& method, GeneralisedBornModel model,
                const BindingSeries& series, bool lennard_jones) {
  std::string parts;
  for (const BindingTerm& term : binding_terms)
    if (&term != &binding_terms[4] && (lennard_jones || &term != &binding_terms[0]))
      parts +=
          fmt::format("{}{} {:.3f}", parts.empty() ? "" : ", ", term.name, series_statistics(series.of(term)).mean);
  run.say(fmt::format(
      "binding energy of {} and {} atoms, {}: {}; {}",
      binding.atoms().size() - std::count(binding.partner().begin(), binding.partner().end(), 1),
      std::count(binding.partner().begin(), binding.partner().end(), 1), to_string(run.device),
      model == GeneralisedBornModel::neck2 ? describe_neck(std::get<GeneralisedBornOptions>(method)) : describe(method),
      parts));
}

/// How the energy changes with the steps of the grid.
void say_spacings(Run& run, const Json& spacings, double error) {
  std::string list;
  for (const Json& entry : spacings)
    list += fmt::format("{}{:.3f} at {:.3g} A", list.empty() ? "" : ", ", entry["electrostatic"].get<double>(),
                        entry["spacing"].get<double>());
  run.say(fmt::format("coulomb + polar against the grid's steps: {}; the polar part is known to {:.2g} kcal/mol", list,
                      error));
}

void say_mean(Run& run, std::size_t frames, const MeanError& mean) {
  run.say(mean.known()
              ? fmt::format("mean of {} frames: standard error {:.3f}, of {:.1f} frames one is independent", frames,
                            mean.standard_error, mean.inefficiency)
              : fmt::format("warning: {} frames, of which few are independent, are too few for a standard error of "
                            "the mean; take more frames, or a longer trajectory",
                            frames));
}

}  // namespace

void binding_energy(Run& run, std::shared_ptr<const Molecule> molecule, const BindingChoice& choice,
                    const PotentialOptions& method, GeneralisedBornModel model, double spacing,
                    std::size_t frame_number, const std::string& out) {
  const Topology& topology = *molecule->topology;
  const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&method);
  BindingOptions options = options_of(choice, method, spacing);
  BindingSeries series;
  series.frames = choice.frames.empty() ? std::vector<std::size_t>{frame_number}
                                        : parse_frames(choice.frames, molecule->frame_count());
  const auto positions = [&](std::size_t number) { return molecule->trajectory->frame(number).positions; };
  const Frame first = molecule->trajectory->frame(series.frames.front());
  const std::array<std::vector<std::uint8_t>, 2> masks{mask_of(choice.partners[0], *molecule, first),
                                                       mask_of(choice.partners[1], *molecule, first)};
  if (model == GeneralisedBornModel::neck2) {
    std::vector<std::uint8_t> wanted = masks[0];
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = masks[0][i] != 0 || masks[1][i] != 0 ? 1 : 0;
    options.neck = neck_parameters(topology, first, wanted);
  }
  const auto prepared = [&] {
    Binding binding(topology, molecule->force_field, masks[0], masks[1], options, run.device);
    for (const std::size_t number : series.frames) {
      run.job().check();
      binding.cover(positions(number));
    }
    return binding;
  };
  Binding binding = prepared();
  if (pb != nullptr && spacing <= 0) {
    const glm::ivec3 steps = binding.grid().counts;
    const double wide = usual_spacing_of_solution(options.spacing * std::max({steps.x, steps.y, steps.z}));
    if (wide > options.spacing) {
      options.spacing = wide;
      binding = prepared();
    }
  }
  if (choice.tolerance > 0)
    meet_tolerance(run, choice.tolerance, spacing > 0, options, binding, prepared, positions(series.frames.front()),
                   [&](const BindingFrame& own, std::span<const glm::vec3> at) {
                     double error = 0;
                     other_spacings(run, options, own, topology, molecule->force_field, masks, at, error);
                     return error;
                   });
  if (pb != nullptr) run.report.grid(binding.grid());
  const std::size_t left_out = topology.atoms.size() - binding.atoms().size();
  const bool lennard_jones = molecule->force_field != nullptr;
  if (!lennard_jones)
    run.say("note: the file has no force field (a PRMTOP has), so the Lennard-Jones energy is not part of the total");
  run.report.phase("plan");

  ResidueShares shares(topology, binding);
  std::optional<AlanineScan> scan;
  if (!choice.alanine.empty()) scan.emplace(choice.alanine, *molecule, first, binding);
  // A scan starts each of its solutions from the one before.
  const std::size_t at_once = scan ? 1 : std::min(binding.frames_at_once(), series.frames.size());
  const auto begun = std::chrono::steady_clock::now();
  compute_frames(run, binding, topology, positions, at_once, series, shares, scan ? &*scan : nullptr);
  run.report.phase("compute");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  run.report.result["seconds_per_frame"] = spent.count() / static_cast<double>(series.values.size());
  const bool single = series.values.size() == 1;
  const BindingFrame& head = series.values.front();
  Json& result = run.report.result;
  double error = 0;
  if (pb != nullptr) {
    error = report_grid_error(run, options, method, topology, molecule->force_field, masks, positions, series);
    run.report.method = poisson_boltzmann_json(*pb, {});
    for (const char* key : {"grids", "solved_counts", "cycles", "residual"}) run.report.method.erase(key);
  } else {
    run.report.method = generalised_born_json(std::get<GeneralisedBornOptions>(method), model);
  }
  run.report.memory(at_once * binding.memory(), peak_memory(run.device));
  run.report.phase("check");
  run.report.method["partners"] = choice.partners;
  run.report.method["positions"] = "of the complex for all three; internal energies cancel";
  run.report.method["lennard_jones"] = lennard_jones ? Json(molecule->force_field->source) : Json(nullptr);
  run.report.method["surface_tension"] = options.surface_tension;
  run.report.method["surface_offset"] = options.surface_offset;
  run.report.method["pressure"] = options.pressure;
  run.report.unit = "kcal/mol";
  result["frames"] = series.values.size();
  result["frames_at_once"] = at_once;
  result["atoms"] = binding.atoms().size();
  result["atoms_left_out"] = left_out;
  Json means = Json::object();
  for (const BindingTerm& term : binding_terms) means[term.name] = mean_json(series.of(term));
  if (!lennard_jones) means["lennard_jones"] = nullptr;
  const PointStatistics total = series_statistics(series.of(binding_terms[4]));
  result["energy"] = total.mean;
  if (single) {
    result["terms"] = terms_json(head.sum, lennard_jones);
    result["polar_of"] = molecules_json(head.polar);
    result["areas"] = molecules_json(head.areas);
    if (options.pressure != 0) result["volumes"] = molecules_json(head.volumes);
    result["nearest_atoms"] = head.nearest;
  } else {
    result["internal"] = 0.0;
    result["means"] = means;
  }
  if (scan) result["alanine_scan"] = scan->json(topology, pb != nullptr);
  if (!out.empty()) series.write(out, pb != nullptr);
  if (scan && !choice.scan_out.empty()) scan->write(choice.scan_out, topology, pb != nullptr);
  if (!choice.residues.empty()) shares.write(choice.residues, topology);
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", total.mean);
  if (scan) scan->say(run, topology, pb != nullptr);
  say_energy(run, binding, method, model, series, lennard_jones);
  if (pb != nullptr && single) say_spacings(run, result["spacings"], error);
  if (!single) say_mean(run, series.values.size(), total.error);
  run.finish();
}

}  // namespace isolume::cli
