// isolume compute energy --binding: binding energies of two partners, and tables of residues.
#include "app/cli/compute/binding_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/cli/compute/npy.h"
#include "app/cli/compute/poisson_boltzmann.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/binding/binding.h"
#include "compute/binding/mean_error.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/force_field/force_field.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"
#include "molecule/trajectory.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Term {
  const char* name;
  double (*value)(const BindingTerms&);
};
constexpr Term terms[] = {{"lennard_jones", [](const BindingTerms& t) { return t.lennard_jones; }},
                          {"coulomb", [](const BindingTerms& t) { return t.coulomb; }},
                          {"polar", [](const BindingTerms& t) { return t.polar; }},
                          {"nonpolar", [](const BindingTerms& t) { return t.nonpolar; }},
                          {"total", [](const BindingTerms& t) { return t.total(); }}};

std::string quoted(const std::string& text) {
  return text.find_first_of(",\" ") == std::string::npos ? text : "\"" + text + "\"";
}

/// "A,12A,ALA": the columns chain, number and name of a residue.
std::string residue_columns(const Topology& topology, std::uint32_t number) {
  const Residue& residue = topology.residues[number];
  const Chain& chain = topology.chains[residue.chain];
  return fmt::format("{},{}{},{}", quoted(chain.id.empty() ? chain.segment : chain.id), residue.number,
                     residue.insertion == ' ' ? "" : std::string(1, residue.insertion), quoted(residue.name));
}

std::string csv_terms(const BindingTerms& t) {
  std::string line;
  for (const Term& term : terms) line += fmt::format(",{:.6f}", term.value(t));
  return line;
}

std::string heading() {
  std::string line;
  for (const Term& term : terms) line += fmt::format(",{} (kcal/mol)", term.name);
  return line;
}

/// What every residue contributes, frame by frame.
struct ResidueShares {
  std::map<std::uint32_t, std::size_t> rows;  ///< of residues, in their order
  std::vector<std::uint8_t> partner;          ///< of rows
  std::vector<BindingTerms> sums;             ///< over the frames
  std::vector<std::vector<double>> totals;    ///< of rows and frames
  BindingTerms rest;

  ResidueShares(const Topology& topology, const Binding& binding) {
    for (const std::uint32_t atom : binding.atoms()) rows.emplace(topology.atoms[atom].residue, 0);
    std::size_t next = 0;
    for (auto& [residue, row] : rows) row = next++;
    partner.resize(next);
    sums.resize(next);
    totals.resize(next);
    for (std::size_t i = 0; i < binding.atoms().size(); ++i)
      partner[rows.at(topology.atoms[binding.atoms()[i]].residue)] = binding.partner()[i];
  }
  void add(const Topology& topology, const Binding& binding, const BindingFrame& frame) {
    std::vector<BindingTerms> own(sums.size());
    for (std::size_t i = 0; i < binding.atoms().size(); ++i)
      own[rows.at(topology.atoms[binding.atoms()[i]].residue)] += frame.atoms[i];
    for (std::size_t row = 0; row < own.size(); ++row) {
      sums[row] += own[row];
      totals[row].push_back(own[row].total());
    }
    rest += frame.rest;
  }
  void write(const std::string& path, const Topology& topology) const {
    write_atomically(path, [&](std::ostream& out) {
      out << "chain,number,name,partner" << heading() << ",standard error of total (kcal/mol)\n";
      const auto mean = [&](BindingTerms sum) {
        const double part = 1.0 / static_cast<double>(totals.front().size());
        return BindingTerms{sum.lennard_jones * part, sum.coulomb * part, sum.polar * part, sum.nonpolar * part};
      };
      for (const auto& [residue, row] : rows)
        out << residue_columns(topology, residue) << ',' << partner[row] + 1 << csv_terms(mean(sums[row]))
            << fmt::format(",{:.6f}\n", mean_error(totals[row]).error);
      out << ",,rest," << csv_terms(mean(rest)) << ",\n";
    });
  }
};

Json terms_json(const BindingTerms& t, bool with_lennard_jones) {
  Json json{{"internal", 0.0}};
  for (const Term& term : terms) json[term.name] = term.value(t);
  if (!with_lennard_jones) json["lennard_jones"] = nullptr;
  json["electrostatic"] = t.coulomb + t.polar;
  return json;
}

Json mean_json(const SeriesError& m) {
  return {{"mean", m.mean},
          {"standard_deviation", m.deviation},
          {"standard_error", m.values > 1 ? Json(m.error) : Json(nullptr)},
          {"statistical_inefficiency", m.inefficiency},
          {"independent_blocks", m.blocks()},
          {"enough_blocks", m.enough()}};
}

Json molecules_json(const std::array<double, 3>& values) {
  return {{"complex", values[0]}, {"first", values[1]}, {"second", values[2]}};
}

double usual_spacing(const Grid& grid, double spacing) {
  const int longest = std::max({grid.counts.x, grid.counts.y, grid.counts.z});
  return std::max(0.5, std::ceil(longest * spacing / 256 * 100) / 100);
}

std::vector<std::uint8_t> mask_of(const std::string& text, const Molecule& molecule, const Frame& frame) {
  std::vector<std::uint8_t> mask = Selection(text).mask(*molecule.topology, frame);
  if (std::find(mask.begin(), mask.end(), 1) == mask.end())
    throw Error("--binding: " + empty_selection(text, *molecule.topology), Error::Kind::usage);
  return mask;
}

/// All frames of one choice, and what is made of them.
struct Series {
  std::vector<std::size_t> frames;
  std::vector<BindingFrame> values;  ///< their atoms' shares are given away

  std::vector<double> of(const Term& term) const {
    std::vector<double> list;
    for (const BindingFrame& value : values) list.push_back(term.value(value.sum));
    return list;
  }
  void write(const std::string& path, bool pb) const {
    write_atomically(path, [&](std::ostream& out) {
      out << "frame,internal (kcal/mol)" << heading();
      if (pb) out << ",polar with steps twice as long (kcal/mol)";
      out << ",area buried (A^2),nearest atoms (A)\n";
      for (std::size_t i = 0; i < values.size(); ++i) {
        const BindingFrame& v = values[i];
        out << frames[i] << ",0" << csv_terms(v.sum);
        if (pb) out << fmt::format(",{:.6f}", v.coarse_polar());
        out << fmt::format(",{:.3f},{:.4f}\n", v.areas[1] + v.areas[2] - v.areas[0], v.nearest);
      }
    });
  }
};

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

}  // namespace

void add_binding_options(Verb command, BindingChoice& o) {
  const char* heading_text = "Binding (--method pb or gb)";
  command
      .option("--binding", o.partners,
              "two selections: the energy of the complex less those of the partners, with the complex's positions")
      .expected(2)
      .type_name("S1 S2")
      .group(heading_text);
  command.option("--frames", o.frames, "with --binding: A:B:STEP (B excluded), from 0").group(heading_text);
  command
      .option("--residues", o.residues,
              "pb, gb: what every residue contributes; with --binding the mean over the frames")
      .type_name("F.csv")
      .writes()
      .group(heading_text);
  command.option("--surface-tension", o.surface_tension, "with --binding: kcal/(mol A^2), of the area (0.0072)")
      .range(0.0, 10.0)
      .group(heading_text);
  command.option("--surface-offset", o.surface_offset, "with --binding: kcal/mol, of every molecule (0)")
      .range(-100.0, 100.0)
      .group(heading_text);
  command
      .option("--pressure", o.pressure, "with --binding: kcal/(mol A^3), of the solvent-accessible volume (0: without)")
      .range(0.0, 10.0)
      .group(heading_text);
}

void check_binding_choice(const BindingChoice& o, PotentialMethod method, const std::string& out) {
  const bool solvent = method == PotentialMethod::pb || method == PotentialMethod::gb;
  if (!o.residues.empty()) {
    if (!solvent) throw Error("--residues belongs to --method pb or gb", Error::Kind::usage);
    check_output(o.residues, "csv");
  }
  if (o.given()) {
    if (!solvent) throw Error("--binding belongs to --method pb or gb", Error::Kind::usage);
    if (!out.empty()) check_output(out, "csv");
    return;
  }
  const auto alone = [](bool given, const char* option) {
    if (given) throw Error(fmt::format("{} belongs to --binding", option), Error::Kind::usage);
  };
  alone(!o.frames.empty(), "--frames");
  alone(o.surface_tension >= 0, "--surface-tension");
  alone(o.surface_offset > -1e300, "--surface-offset");
  alone(o.pressure >= 0, "--pressure");
}

void binding_energy(Run& run, std::shared_ptr<const Molecule> molecule, const BindingChoice& choice,
                    const PotentialOptions& method, double spacing, std::size_t frame_number, const std::string& out) {
  const Topology& topology = *molecule->topology;
  BindingOptions options;
  const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&method);
  if (pb != nullptr)
    options.polar = *pb;
  else
    options.polar = std::get<GeneralisedBornOptions>(method);
  if (spacing > 0) options.spacing = spacing;
  if (choice.surface_tension >= 0) options.surface_tension = choice.surface_tension;
  if (choice.surface_offset > -1e300) options.surface_offset = choice.surface_offset;
  if (choice.pressure >= 0) options.pressure = choice.pressure;
  Series series;
  series.frames = choice.frames.empty() ? std::vector<std::size_t>{frame_number}
                                        : parse_frames(choice.frames, molecule->frame_count());
  const auto positions = [&](std::size_t number) { return molecule->trajectory->frame(number).positions; };
  const Frame first = molecule->trajectory->frame(series.frames.front());
  const std::array<std::vector<std::uint8_t>, 2> masks{mask_of(choice.partners[0], *molecule, first),
                                                       mask_of(choice.partners[1], *molecule, first)};
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
    const double wide = usual_spacing(binding.grid(), options.spacing);
    if (wide > options.spacing) {
      options.spacing = wide;
      binding = prepared();
    }
  }
  if (pb != nullptr) run.report.grid(binding.grid());
  const std::size_t left_out = topology.atoms.size() - binding.atoms().size();
  const bool lennard_jones = molecule->force_field != nullptr;
  if (!lennard_jones)
    run.say("note: the file has no force field (a PRMTOP has), so the Lennard-Jones energy is not part of the total");
  run.report.phase("plan");

  ResidueShares shares(topology, binding);
  {
    const LaunchRecord record;
    for (std::size_t i = 0; i < series.frames.size(); ++i) {
      BindingFrame value = binding.evaluate(positions(series.frames[i]), run.job());
      if (i == 0 && value.nearest > 6)
        run.say(
            fmt::format("note: the partners' nearest atoms are {:.1f} angstrom apart; are they in different images "
                        "of the cell?",
                        value.nearest));
      shares.add(topology, binding, value);
      value.atoms = {};
      series.values.push_back(std::move(value));
    }
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  const bool single = series.values.size() == 1;
  const BindingFrame& head = series.values.front();
  Json& result = run.report.result;
  double error = 0;
  if (pb != nullptr) {
    if (single) {
      result["spacings"] = other_spacings(run, options, head, topology, molecule->force_field, masks,
                                          positions(series.frames.front()), error);
    } else {
      std::vector<double> apart;
      for (const BindingFrame& value : series.values) apart.push_back(value.coarse_polar() - value.sum.polar);
      result["polar_change_with_steps_twice_as_long"] = mean_json(mean_error(apart))["mean"].get<double>();
      error = std::abs(mean_error(apart).mean);
    }
    run.report.error = {{"rms", error},
                        {"max", error},
                        {"relative", head.sum.polar == 0 ? 0.0 : std::abs(error / head.sum.polar)},
                        {"points", single ? 2 : series.values.size()},
                        {"reference", single ? "grids with steps 1.5 and 2 times as long" : exact_name(method)},
                        {"of", "polar part of the binding energy, kcal/mol"}};
    run.report.method = poisson_boltzmann_json(*pb, {});
    for (const char* key : {"grids", "solved_counts", "cycles", "residual"}) run.report.method.erase(key);
  } else {
    run.report.method = generalised_born_json(std::get<GeneralisedBornOptions>(method));
  }
  run.report.memory(binding.memory(), peak_memory(run.device));
  run.report.phase("check");
  run.report.method["partners"] = choice.partners;
  run.report.method["positions"] = "of the complex for all three; internal energies cancel";
  run.report.method["lennard_jones"] = lennard_jones ? Json(molecule->force_field->source) : Json(nullptr);
  run.report.method["surface_tension"] = options.surface_tension;
  run.report.method["surface_offset"] = options.surface_offset;
  run.report.method["pressure"] = options.pressure;
  run.report.unit = "kcal/mol";
  result["frames"] = series.values.size();
  result["atoms"] = binding.atoms().size();
  result["atoms_left_out"] = left_out;
  Json means = Json::object();
  for (const Term& term : terms) means[term.name] = mean_json(mean_error(series.of(term)));
  if (!lennard_jones) means["lennard_jones"] = nullptr;
  const SeriesError total = mean_error(series.of(terms[4]));
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
  if (!out.empty()) series.write(out, pb != nullptr);
  if (!choice.residues.empty()) shares.write(choice.residues, topology);
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", total.mean);
  std::string parts;
  for (const Term& term : terms)
    if (&term != &terms[4] && (lennard_jones || &term != &terms[0]))
      parts += fmt::format("{}{} {:.3f}", parts.empty() ? "" : ", ", term.name, mean_error(series.of(term)).mean);
  run.say(fmt::format("binding energy of {} and {} atoms, {}: {}; {}",
                      binding.atoms().size() - std::count(binding.partner().begin(), binding.partner().end(), 1),
                      std::count(binding.partner().begin(), binding.partner().end(), 1), to_string(run.device),
                      describe(method), parts));
  if (pb != nullptr && single) {
    std::string list;
    for (const Json& entry : result["spacings"])
      list += fmt::format("{}{:.3f} at {:.3g} A", list.empty() ? "" : ", ", entry["electrostatic"].get<double>(),
                          entry["spacing"].get<double>());
    run.say(fmt::format("coulomb + polar against the grid's steps: {}; the polar part is known to {:.2g} kcal/mol",
                        list, error));
  }
  if (!single) {
    run.say(fmt::format("mean of {} frames: standard error {:.3f}, of {:.1f} frames one is independent",
                        series.values.size(), total.error, total.inefficiency));
    if (!total.enough())
      run.say(
          fmt::format("warning: {:.1f} independent blocks are too few (6 or more) for a standard error that can be "
                      "relied on; take more frames, or a longer trajectory",
                      total.blocks()));
  }
  run.finish();
}

void write_residue_energies(const std::string& path, const Topology& topology, std::span<const double> energies,
                            const std::string& what) {
  std::vector<double> sums(topology.residues.size(), 0.0), charges(topology.residues.size(), 0.0);
  for (std::size_t i = 0; i < energies.size(); ++i) {
    sums[topology.atoms[i].residue] += energies[i];
    charges[topology.atoms[i].residue] += static_cast<double>(topology.atoms[i].charge);
  }
  write_atomically(path, [&](std::ostream& out) {
    out << "chain,number,name,charge (e)," << what << '\n';
    for (std::uint32_t r = 0; r < sums.size(); ++r)
      out << residue_columns(topology, r) << fmt::format(",{:.6f},{:.6f}\n", charges[r], sums[r]);
  });
}

Json generalised_born_json(const GeneralisedBornOptions& o) {
  const double kappa = o.inverse_debye_length();
  return {{"name", "gb"},
          {"model", "OBC II"},
          {"alpha", o.alpha},
          {"beta", o.beta},
          {"gamma", o.gamma},
          {"offset", o.offset},
          {"solute_dielectric", o.solute_permittivity},
          {"solvent_dielectric", o.solvent_permittivity},
          {"temperature", o.temperature},
          {"ionic_strength", o.ionic_strength},
          {"screening_factor", o.screening_factor},
          {"screening_length", kappa > 0 ? Json(1 / kappa) : Json(nullptr)}};
}

void generalised_born_energy(Run& run, const GeneralisedBornOptions& options, const Topology& topology,
                             const std::vector<glm::vec3>& positions, const std::string& atoms_out,
                             const std::string& residues) {
  std::vector<GeneralisedBornAtom> atoms;
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    const Atom& atom = topology.atoms[i];
    atoms.push_back({positions[i], atom.charge, atom.radius, screening_scale(atom.element)});
  }
  run.report.phase("plan");
  GeneralisedBornResult born;
  {
    const LaunchRecord record;
    born = generalised_born(atoms, options, run.device, run.job());
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(atoms.size() * 64, peak_memory(run.device));
  run.report.method = generalised_born_json(options);
  run.report.unit = "kcal/mol";
  const auto [least, most] = std::minmax_element(born.radii.begin(), born.radii.end());
  run.report.result["energy"] = born.energy;
  run.report.result["solvation_energy"] = born.energy;
  run.report.result["atoms"] = atoms.size();
  run.report.result["total_charge"] = topology.total_charge();
  run.report.result["born_radii"] = {{"minimum", *least}, {"maximum", *most}};
  if (!atoms_out.empty()) write_npy(atoms_out, std::vector<float>(born.energies.begin(), born.energies.end()));
  if (!residues.empty()) write_residue_energies(residues, topology, born.energies, "polar solvation energy (kcal/mol)");
  run.report.phase("write");
  fmt::print("{:.6f} kcal/mol\n", born.energy);
  run.say(fmt::format("polar solvation energy of {} atoms (total charge {:.4g} e), {}: {}", atoms.size(),
                      topology.total_charge(), to_string(run.device), describe(options)));
  run.finish();
}

}  // namespace isolume::cli
