// isolume compute orbital: molecular orbitals on grids, at points, or as a table along the frames.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/orbital_output.h"
#include "app/cli/slice_option.h"
#include "app/documents/frames.h"
#include "app/documents/localised.h"
#include "compute/orbitals/orbital.h"
#include "formats/file_patterns.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

std::string spoken(const OrbitalCommand& options, const ChosenOrbital& chosen, const nlohmann::ordered_json& entry) {
  std::string text;
  if (options.choice.follow) {
    text += fmt::format(", overlap {:.4f}{}{}", chosen.overlap, chosen.sign < 0 ? ", phase turned" : "",
                        chosen.weak ? ", a weak match" : "");
  }
  if (entry.contains("isovalue"))
    text += fmt::format(", isovalue {:.5f} encloses {:g} %", entry["isovalue"].get<double>(),
                        100 * entry["enclosed"].get<double>());
  return text;
}

/// "homo in 37 frames, smallest overlap 0.9812".
std::string said_of_table(const nlohmann::ordered_json& entries) {
  std::map<std::string, std::size_t> rows;
  double least = INFINITY;
  for (const auto& entry : entries) {
    ++rows[entry["orbital"].get<std::string>()];
    if (entry.contains("overlap") && entry["overlap"].is_number())
      least = std::min(least, std::abs(entry["overlap"].get<double>()));
  }
  std::string text;
  for (const auto& [orbital, count] : rows)
    text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", orbital, counted(count, "frame"));
  return std::isfinite(least) ? text + fmt::format(", smallest overlap {:.4f}", least) : text;
}

void on_grids(Run& run, const OrbitalCommand& options, const std::shared_ptr<const Molecule>& molecule,
              const std::vector<ChosenOrbital>& all, nlohmann::ordered_json& entries) {
  const bool several_orbitals = options.choice.orbitals.size() > 1;
  const bool several_frames = all.size() > options.choice.orbitals.size();
  const bool table = is_table(options.grid.out);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ChosenOrbital& chosen = all[i];
    const double n = static_cast<double>(all.size());
    run.progress.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n,
                      all.size() > 1 ? fmt::format("orbital {} of frame {}", chosen.asked, chosen.frame) : "");
    if (!chosen.orbitals) continue;
    if (table && options.enclosed == 0) continue;
    if (!options.slice.empty()) {
      write_orbital_slice(run, options, molecule, chosen,
                          orbital_file_name(options, chosen, several_orbitals, several_frames), entries[i]);
      continue;
    }
    Volume volume = compute_orbital_volume(run, options, molecule, all, chosen, entries[i]);
    if (table) continue;
    const std::string path = orbital_file_name(options, chosen, several_orbitals, several_frames);
    volume.name = orbital_title(chosen);
    write_volume(path, volume, molecule->atom_count() > 0 ? molecule.get() : nullptr, chosen.frame,
                 fmt::format("{}, bohr^-3/2, computed by Isolume", volume.name));
    entries[i]["file"] = path;
    run.report.phase("write");
    run.say(fmt::format("{}: {}, {} x {} x {} points on {}{}", path, volume.name, volume.grid.counts.x,
                        volume.grid.counts.y, volume.grid.counts.z, to_string(run.device),
                        spoken(options, chosen, entries[i])));
  }
  if (table) {
    write_atomically(options.grid.out, [&](std::ostream& out) { out << orbital_table(entries); });
    run.say(fmt::format("{}: {}", options.grid.out, said_of_table(entries)));
  }
}

void at_points(Run& run, const OrbitalCommand& options, const std::vector<ChosenOrbital>& all) {
  const std::vector<glm::dvec3> points = read_points(options.grid.at);
  run.report.input(options.grid.at);
  run.report.device(Device::cpu());
  run.report.phase("plan");
  std::vector<std::vector<double>> columns;
  for (const ChosenOrbital& chosen : all) {
    std::vector<double>& values = columns.emplace_back(points.size(), std::nan(""));
    if (!chosen.orbitals) continue;
    in_tiles(points.size(), run.job(), "orbital at points", [&](std::size_t begin, std::size_t end) {
      orbital_reference(*chosen.orbitals, chosen.which, std::span(points).subspan(begin, end - begin),
                        std::span(values).subspan(begin, end - begin));
    });
    for (double& value : values) value *= chosen.sign;
  }
  run.report.phase("compute");
  run.report.unit = "bohr^-3/2";
  run.report.result["points"] = points.size();
  write_columns(options.grid.out, columns);
}

void check(const OrbitalCommand& options) {
  if (!options.slice.empty()) {
    if (!options.grid.at.empty() || !options.grid.like.empty() || options.margin >= 0 || options.points > 0)
      throw Error("--slice takes a plane, so --at, --grid, --margin and --points make no sense with it",
                  Error::Kind::usage);
    check_output(options.grid.out, "ply obj stl glb");
    parse_slice(options.slice);
  } else if (options.range > 0) {
    throw Error("--range is for the colours of --slice", Error::Kind::usage);
  } else if (options.grid.at.empty() && is_table(options.grid.out)) {
    check_output(options.grid.out, "csv txt dat");
  } else {
    check_grid_options(options.grid);
  }
  if (options.localise_virtuals && options.localise.empty())
    throw Error("--localise-virtuals belongs to --localise", Error::Kind::usage);
  const bool on_grid = options.slice.empty() && options.grid.at.empty();
  if (orbital_accuracy(options.accuracy) != OrbitalAccuracy::fine && !on_grid)
    throw Error("--accuracy is for grids: points and planes are always fine", Error::Kind::usage);
  if (options.margin >= 0 && !options.grid.like.empty())
    throw Error("--margin and --grid exclude each other", Error::Kind::usage);
  enclosed_fraction(options.enclosed);
}

/// The molecule with localised orbitals where they are asked for.
std::shared_ptr<const Molecule> with_orbitals_of(Run& run, const OrbitalCommand& options,
                                                 const std::shared_ptr<const Molecule>& read) {
  if (options.localise.empty()) return read;
  PathPart part;
  part.method = options.localise;
  part.virtuals = options.localise_virtuals;
  auto molecule = std::make_shared<Molecule>(*read);
  const LocalisationSummary summary = localise(*molecule, localisation_of(part), run.job());
  run.report.result["localisation"] = {{"method", options.localise},
                                       {"virtual_orbitals", options.localise_virtuals},
                                       {"functional", summary.functional},
                                       {"gradient", summary.gradient},
                                       {"sweeps", summary.sweeps},
                                       {"frames", summary.frames},
                                       {"not_converged", summary.unconverged}};
  run.say(fmt::format("localised by {} in {}, largest gradient {:.1e}",
                      options.localise == "boys" ? "Boys" : "Pipek and Mezey", counted(summary.frames, "frame"),
                      summary.gradient));
  if (summary.unconverged > 0) run.say("warning: " + molecule->warnings.back());
  return molecule;
}

void run_orbital(const Common& common, OrbitalCommand options) {
  options.choice.frame = options.grid.frame;
  options.grid.files = expand_paths(options.grid.files);
  check(options);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  const auto molecule = with_orbitals_of(run, options, read_molecule(options.grid.files));
  const std::vector<ChosenOrbital> all = choose_orbitals(molecule, options.choice, run.job());
  std::vector<std::string> warnings;
  for (const ChosenOrbital& one : all) {
    if (!one.orbitals) continue;
    const bool occupied = one.orbitals->orbitals[one.which].occupation > 0.5;
    check_reading(run, *molecule, *one.orbitals, occupied, options.choice.force, warnings);
  }
  run.report.phase("read");
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const ChosenOrbital& chosen : all) entries.push_back(orbital_entry(chosen, options.choice));
  const ChosenOrbital& first = all.front();
  run.report.method = {{"name", "orbital"},
                       {"orbital", first.asked},
                       {"index", first.which + 1},
                       {"spin", options.choice.spin == Spin::alpha ? "alpha" : "beta"},
                       {"frame", first.frame}};
  if (options.grid.at.empty() && options.slice.empty()) run.report.method["accuracy"] = options.accuracy;
  if (options.choice.follow) run.report.method["followed_from"] = *options.choice.from;
  if (options.grid.at.empty()) {
    on_grids(run, options, molecule, all, entries);
  } else {
    at_points(run, options, all);
  }
  if (all.size() == 1) {
    run.report.result.update(entries.front());
  } else {
    run.report.result["orbitals"] = entries;
  }
  if (!warnings.empty()) run.report.result["warnings"] = warnings;
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_orbital(Commands& commands, Verb parent) {
  auto options = std::make_shared<OrbitalCommand>();
  const Verb command = commands.add(
      parent, "orbital", "molecular orbitals, in bohr^-3/2, of one frame or followed through many",
      "isolume compute orbital water.molden --orbital homo-1 --spacing 0.1 --out psi.cube\n"
      "  isolume compute orbital water.molden --orbital homo --orbital lumo --enclosed 0.9 --out psi.cube\n"
      "  isolume compute orbital 'frame_*.molden' --frames : --follow --out homo.cube\n"
      "  isolume compute orbital water.molden --localise pipek-mezey --orbital 2,3,4,5 --out bonds.cube\n"
      "  isolume compute orbital water.molden --orbital lumo --slice x:0.2 --out slice.glb\n"
      "  isolume compute orbital 'frame_*.molden' --frames : --follow --from 10 --out homo.csv",
      [&commands, options] { run_orbital(commands.common, *options); });
  command
      .option(
          "--localise,--localize", options->localise,
          "localised orbitals instead of canonical ones, in every frame: pipek-mezey (Mulliken populations) or boys; "
          "the numbers are those of the canonical ones, energies expectation values")
      .one_of({"pipek-mezey", "boys"});
  command.flag("--localise-virtuals,--localize-virtuals", options->localise_virtuals, "the virtual orbitals too");
  const Option frame = add_grid_options(command, options->grid,
                                        "cube, dx, mrc, map or ccp4, one file each; csv: a table of the orbitals, or "
                                        "with --at their values (default there: stdout)");
  command
      .option("--orbital", options->choice.orbitals, "homo, lumo, homo-1, lumo+2, or a number from 1; may be repeated")
      .repeated()
      .delimiter(',')
      .default_text("homo");
  command.spin(options->choice.spin, "alpha or beta");
  command.option("--frames", options->choice.frames, "A:B:STEP (B excluded): each of these frames")
      .excludes(frame)
      .type_name("A:B:STEP");
  command.flag("--follow", options->choice.follow,
               "follow each orbital by its overlap from frame to frame, and keep its phase; otherwise its name is "
               "looked up in every frame");
  command.option("--from", options->choice.from,
                 "the frame in which --orbital names the orbital to follow (default: the first)");
  command
      .option("--enclosed", options->enclosed,
              "also the isovalue with this enclosed probability: 0.9, or 90 for percent")
      .range(1e-6, 99.999999)
      .type_name("P");
  command
      .option("--margin", options->margin,
              "margin of the grid around the atoms of all frames, angstrom (default: as far as the orbital reaches)")
      .range(0.0, 1000.0)
      .type_name("A");
  command.option("--cutoff", options->cutoff, "bohr^-3/2 below which an orbital is cut off at the grid's border")
      .range(1e-12, 1.0);
  command
      .option("--slice", options->slice,
              "on a plane, as a coloured mesh (--out ply, obj, stl, glb): x, y, z (across it, through the middle of "
              "the atoms) or a selection of atoms; behind a colon angstrom along the normal: z:0.5")
      .type_name("PLANE");
  command.option("--range", options->range, "of --slice: value of the full colours (twice the isovalue)")
      .range(1e-9, 1e9);
  command
      .option("--accuracy", options->accuracy,
              "fine: to 1e-6 of the largest value; preview: to 5e-4, where that is faster")
      .option_text("fine|preview");
  command.flag("--force", options->choice.force, "also of orbitals that fail the self-check of their file");
  command.option("--points", options->points, "set the spacing so that a grid has about this many points")
      .range(std::size_t{8}, std::size_t{1} << 32);
}

}  // namespace isolume::cli
