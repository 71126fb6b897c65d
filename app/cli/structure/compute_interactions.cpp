// isolume compute interactions: hydrogen bonds, salt bridges, stacking, clashes and contacts in every frame.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/cli/cell_option.h"
#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/over_time/line_part.h"
#include "app/cli/over_time/pair_history.h"
#include "app/cli/over_time/part_origin.h"
#include "app/cli/over_time/part_run.h"
#include "app/documents/frames.h"
#include "compute/analysis/analysis.h"
#include "compute/base/job_part.h"
#include "compute/structure/interactions.h"
#include "compute/structure/interface_area.h"
#include "formats/write/write.h"
#include "molecule/assembly.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

// "2 hydrogen bonds", "1 clash", "3 stacking".
std::string counted_kind(std::size_t count, const std::string& kind) {
  if (kind.ends_with("stacking") || kind == "cation-pi") return fmt::format("{} {}", count, kind);
  return kind == "clash" ? counted(count, count == 1 ? kind : "clashe") : counted(count, kind);
}

struct Options {
  std::vector<std::string> files, kinds;
  std::string frames = "0", selection = "all", with, cell, assembly, out, occupancy, timeline, partial;
  InteractionRules rules;
  bool interface = false;
};

InteractionKinds kinds_of(const Options& options) {
  InteractionKinds kinds{};
  if (options.kinds.empty()) {  // contacts are many: on request
    kinds.fill(true);
    kinds[static_cast<std::size_t>(InteractionKind::contact)] = !options.with.empty();
  }
  for (const std::string& word : options.kinds) kinds[static_cast<std::size_t>(interaction_from_name(word))] = true;
  return kinds;
}

/// "A"; of an assembly with the copy, "A:2_645".
std::string chain_text(const Topology& topology, const Chain& chain) {
  return is_assembly(topology) && !chain.segment.empty() ? chain.id + ":" + chain.segment : chain.id.text();
}

std::string residue_text(const Topology& topology, std::uint32_t r) {
  const Residue& residue = topology.residues[r];
  return fmt::format("{},{},{}{}", csv_field(chain_text(topology, topology.chains[residue.chain])),
                     csv_field(residue.name), residue.number,
                     residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
}

std::string atoms_text(const Topology& topology, const Interaction& interaction,
                       const std::vector<std::uint32_t>& atoms) {
  const std::string text = partner_text(topology, interaction.kind, atoms);
  return csv_field(text.substr(text.rfind('/') + 1));
}

std::string number(float value) {
  return std::isfinite(value) ? fmt::format("{:.2f}", value) : std::string();
}

void add_rows(std::string& text, const Topology& topology, const std::vector<Interaction>& found, std::size_t frame) {
  for (const Interaction& i : found)
    text += fmt::format(
        "{},{},{},{},{},{},{:.3f},{},{}\n", frame, name(i.kind),
        residue_text(topology, topology.atoms[i.first.front()].residue), atoms_text(topology, i, i.first),
        residue_text(topology, topology.atoms[i.second.front()].residue), atoms_text(topology, i, i.second), i.distance,
        number(i.angle),
        i.kind == InteractionKind::clash || i.kind == InteractionKind::contact ? number(i.overlap) : std::string());
}

Json rows_as_json(const Topology& topology, const std::vector<Interaction>& found, std::size_t frame) {
  Json rows = Json::array();
  for (const Interaction& i : found) {
    Json row{{"frame", frame},
             {"kind", name(i.kind)},
             {"first", partner_text(topology, i.kind, i.first)},
             {"second", partner_text(topology, i.kind, i.second)},
             {"first_atoms", i.first},
             {"second_atoms", i.second},
             {"distance", i.distance}};
    if (std::isfinite(i.angle)) row["angle"] = i.angle;
    if (i.kind == InteractionKind::clash || i.kind == InteractionKind::contact) row["overlap"] = i.overlap;
    rows.push_back(std::move(row));
  }
  return rows;
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(path, [&](std::ostream& out) { out << text; });
  }
}

constexpr const char* heading =
    "frame,interaction,chain,residue,number,atoms,chain 2,residue 2,number 2,atoms 2,distance (angstrom),angle "
    "(degrees),overlap (angstrom)\n";

using Find = std::function<std::vector<Interaction>(std::size_t number, const Frame& frame, Job& job)>;

/// The same as a part: lines of frames, and their pairs of residues.
void run_part(Run& run, const Options& options, const Molecule& molecule, const std::vector<std::size_t>& frames,
              const Find& find) {
  const Topology& topology = *molecule.topology;
  const ResidueTexts texts = [&](std::uint32_t residue) { return residue_text(topology, residue); };
  PartRun made(run, options.partial, "interactions", frames);
  made.finish([&](std::span<const std::size_t> some, Job& job) {
    std::vector<std::string> lines(some.size());
    std::vector<PairsOfFrame> pairs;
    for (std::size_t i = 0; i < some.size(); ++i) {
      job.check();
      job.progress(static_cast<double>(i) / static_cast<double>(some.size()), "interactions");
      JobPart quiet(job);
      const auto found = find(some[i], frame_at(molecule, some[i]), quiet);
      add_rows(lines[i], topology, found, some[i]);
      pairs.push_back(residue_pairs(topology, found));
    }
    FramePart part = line_part("interactions", heading, options.selection, {some.begin(), some.end()}, lines);
    add_pairs(part, pairs, texts);
    return part;
  });
  run.report.phase("compute");
  if (!options.out.empty()) write_text(options.out, table_of_lines(made.part()));
  if (!options.occupancy.empty())
    write_text(options.occupancy, pairs_of(made.part()).occupancy_table(frames.size(), texts));
  if (!options.timeline.empty()) write_text(options.timeline, pairs_of(made.part()).timeline_table(frames, texts));
  run.report.method = {{"name", "geometry"}, {"selection", options.selection}, {"with", options.with}};
  run.report.result = {{"part", {{"file", options.partial}, {"frames", frames_in_words(made.part().frames)}}}};
  run.report.phase("write");
  run.say(fmt::format("{}: interactions of {}", options.partial, counted(frames.size(), "frame")));
  run.finish();
}

void run_interactions(const Common& common, const Options& options) {
  const InteractionKinds kinds = kinds_of(options);
  if (!options.out.empty()) check_output(options.out, "csv json");
  for (const std::string& path : {options.occupancy, options.timeline})
    if (!path.empty()) check_output(path, "csv");
  check_part_path(options.partial);
  if (!options.partial.empty() && (options.interface || options.out.ends_with(".json")))
    throw Error(
        "--partial keeps the lines of csv and the pairs of residues: neither --interface nor json belongs to it",
        Error::Kind::usage);
  if (options.interface && options.with.empty())
    throw Error("--interface needs the other side: --with SELECTION", Error::Kind::usage);
  const Selection first_words(options.selection), second_words(options.with.empty() ? "none" : options.with);
  Run run(common, false);
  for (const std::string& file : options.files) run.report.input(file);
  const auto molecule = read_molecule(options.files, options.assembly, cell_treatment(options.cell));
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  const Topology& topology = *molecule->topology;
  const std::vector<std::size_t> frames = parse_frames(options.frames, molecule->frame_count());
  run.report.phase("read");
  const InteractionSites sites =
      interaction_sites(topology, frame_at(*molecule, options.partial.empty() ? frames.front() : 0));
  const bool as_json = options.out.ends_with(".json");
  const auto check_selections = [&](const std::vector<std::uint8_t>& first, const std::vector<std::uint8_t>& second) {
    if (std::find(first.begin(), first.end(), 1) == first.end())
      throw Error(empty_selection(options.selection, topology), Error::Kind::usage);
    if (!second.empty() && std::find(second.begin(), second.end(), 1) == second.end())
      throw Error("--with: " + empty_selection(options.with, topology), Error::Kind::usage);
  };
  if (!options.partial.empty())
    return run_part(run, options, *molecule, frames, [&](std::size_t number, const Frame& frame, Job& job) {
      const auto first = first_words.mask(topology, frame);
      const auto second = options.with.empty() ? std::vector<std::uint8_t>{} : second_words.mask(topology, frame);
      if (number == frames.front()) check_selections(first, second);
      return interactions(topology, sites, frame, first, second, kinds, options.rules, job);
    });
  std::string text = heading;
  Json rows = Json::array(), areas = Json::array();
  PairHistory all;
  std::array<std::size_t, interaction_kinds> counts{};
  for (std::size_t k = 0; k < frames.size(); ++k) {
    run.job().check();
    run.job().progress(static_cast<double>(k) / static_cast<double>(frames.size()), "interactions");
    const Frame frame = frame_at(*molecule, frames[k]);
    const auto first = first_words.mask(topology, frame);
    const auto second = options.with.empty() ? std::vector<std::uint8_t>{} : second_words.mask(topology, frame);
    if (k == 0) check_selections(first, second);
    const auto found = interactions(topology, sites, frame, first, second, kinds, options.rules, run.job());
    for (const Interaction& i : found) ++counts[static_cast<std::size_t>(i.kind)];
    if (as_json) {
      for (Json& row : rows_as_json(topology, found, frames[k])) rows.push_back(std::move(row));
    } else {
      add_rows(text, topology, found, frames[k]);
    }
    all.add(residue_pairs(topology, found), k);
    if (options.interface) {
      const InterfaceArea area = interface_area(topology, frame, first, second, {}, run.job());
      areas.push_back({{"frame", frames[k]},
                       {"area", area.area()},
                       {"first", area.first},
                       {"second", area.second},
                       {"both", area.both}});
    }
  }
  run.report.phase("compute");
  Json counted_kinds = Json::object();
  for (int k = 0; k < interaction_kinds; ++k)
    if (kinds[static_cast<std::size_t>(k)])
      counted_kinds[name(static_cast<InteractionKind>(k))] = counts[static_cast<std::size_t>(k)];
  if (as_json) {
    Json tree{{"frames", frames}, {"counts", counted_kinds}, {"interactions", std::move(rows)}};
    if (options.interface) tree["interface (angstrom^2)"] = areas;
    text = tree.dump(1) + "\n";
  }
  const ResidueTexts texts = [&](std::uint32_t residue) { return residue_text(topology, residue); };
  const bool tables = !options.occupancy.empty() || !options.timeline.empty();
  if (!options.out.empty() || !tables) write_text(options.out, text);
  if (!options.occupancy.empty()) write_text(options.occupancy, all.occupancy_table(frames.size(), texts));
  if (!options.timeline.empty()) write_text(options.timeline, all.timeline_table(frames, texts));
  run.report.method = {{"name", "geometry"},
                       {"selection", options.selection},
                       {"with", options.with},
                       {"hydrogen_bond_distance", options.rules.hydrogen_bonds.distance},
                       {"hydrogen_bond_angle", options.rules.hydrogen_bonds.angle},
                       {"salt_bridge", options.rules.salt_bridge},
                       {"ring_distance", options.rules.ring_distance},
                       {"cation_distance", options.rules.cation_distance},
                       {"clash", options.rules.clash}};
  run.report.result = {{"frames", frames.size()}, {"pairs", all.size()}, {"counts", counted_kinds}};
  if (options.interface) run.report.result["interface"] = areas;
  run.report.phase("write");
  std::string summary;
  for (const auto& [kind, n] : counted_kinds.items())
    if (n.get<std::size_t>() > 0) summary += (summary.empty() ? "" : ", ") + counted_kind(n.get<std::size_t>(), kind);
  if (options.interface)
    summary += fmt::format("; interface {:.1f} angstrom^2{}", areas.back()["area"].get<double>(),
                           frames.size() > 1 ? " in the last frame" : "");
  run.say(fmt::format("{}{} in {}", options.out.empty() ? "" : options.out + ": ",
                      summary.empty() ? "no interactions" : summary, counted(frames.size(), "frame")));
  run.finish();
}

}  // namespace

void add_compute_interactions(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "interactions", "hydrogen bonds, salt bridges, stacking, clashes and contacts, as a table",
      "isolume compute interactions complex.pdb --select ligand --with 'not ligand' --out pocket.csv\n"
      "  isolume compute interactions system.gro run.xtc --kinds 'salt bridge' --frames : --occupancy bridges.csv",
      [&commands, options] { run_interactions(commands.common, *options); });
  command.option("FILE", options->files, "a structure, perhaps with its trajectory").required();
  command.option("--select", options->selection, "atoms of one partner");
  command.option("--with", options->with, "atoms of the other partner (default: those of --select)");
  command
      .option("--kinds", options->kinds,
              "hydrogen-bond, salt-bridge, stacking, edge-stacking, cation-pi, clash, contact (default: all; contacts "
              "only with --with)")
      .delimiter(',');
  command.option("--out", options->out, "csv or json, a row for each interaction (default: csv to stdout)")
      .type_name("FILE")
      .writes();
  command.option("--occupancy", options->occupancy, "csv: in which part of the frames two residues interact")
      .type_name("FILE")
      .writes();
  command.option("--timeline", options->timeline, "csv: the same as 0 or 1 in every frame").type_name("FILE").writes();
  command.flag("--interface", options->interface, "also the area that the two partners bury, angstrom^2");
  command.option("--distance", options->rules.hydrogen_bonds.distance, "hydrogen bonds: donor to acceptor, angstrom")
      .range(0.1, 10.0);
  command.option("--angle", options->rules.hydrogen_bonds.angle, "hydrogen bonds: at the hydrogen, degrees")
      .range(0.0, 180.0);
  command.option("--salt-bridge", options->rules.salt_bridge, "N to O, angstrom").range(0.1, 20.0);
  command.option("--clash", options->rules.clash, "overlap of van der Waals spheres, angstrom").range(-2.0, 3.0);
  command.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
  add_cell_option(command, options->cell);
  command.option("--frame,--frames", options->frames, "A:B:STEP (B excluded), or one frame, from 0");
  add_partial_option(command, options->partial);
}

}  // namespace isolume::cli
