// isolume compute orbital: molecular orbitals on grids, at points, or as a table along the frames.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "app/cli/compute.h"
#include "app/cli/orbital_choice.h"
#include "app/session/frames.h"
#include "compute/orbitals/enclosed_probability.h"
#include "compute/orbitals/orbital.h"
#include "formats/file_patterns.h"
#include "formats/write.h"
#include "molecule/error.h"
#include "molecule/units.h"

namespace isolume::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  GridOptions grid;
  OrbitalChoice choice;
  double enclosed = 0;  ///< as given: 0.9 or 90
  double margin = -1;
  double cutoff = 1e-3;
  std::size_t points = 0;
};

constexpr std::size_t samples = 1000;

/// A fraction from "0.9" or "90" (percent).
double fraction_of(double given) {
  const double fraction = given > 1 ? given / 100 : given;
  if (given != 0 && !(fraction > 0 && fraction < 1))
    throw Error(fmt::format("--enclosed {}: expected a part between 0 and 1, or a percentage between 1 and 100", given),
                Error::Kind::usage);
  return fraction;
}

bool is_table(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".csv" || extension == ".txt" || extension == ".dat";
}

/// "psi.cube" of orbital homo-1 in frame 7, where there are several of both, as "psi_homo-1_0007.cube".
std::string file_name(const Options& options, const ChosenOrbital& chosen, bool several_orbitals, bool several_frames) {
  const fs::path path(options.grid.out);
  std::string stem = path.filename().string(), extension;
  if (stem.ends_with(".gz")) {
    extension = ".gz";
    stem.resize(stem.size() - 3);
  }
  const std::size_t point = stem.rfind('.');
  extension = (point == std::string::npos ? "" : stem.substr(point)) + extension;
  stem = stem.substr(0, point);
  if (several_orbitals) stem += "_" + chosen.asked;
  if (several_frames) stem += fmt::format("_{:04}", chosen.frame);
  return (path.parent_path() / (stem + extension)).string();
}

/// The grid that the options ask for; nothing for the one that suits the orbital.
std::optional<Grid> grid_of(const Options& options, const Molecule& molecule, const std::vector<ChosenOrbital>& all,
                            const ChosenOrbital& chosen) {
  if (const auto like = grid_like(options.grid)) return like;
  const Orbitals& orbitals = *chosen.orbitals;
  const auto covering = [&](double spacing) {
    if (options.margin < 0) return orbital_grid(orbitals, chosen.which, spacing, options.cutoff);
    // One grid for all frames: around the atoms of every one of them.
    glm::dvec3 lower(1e300), upper(-1e300);
    for (const ChosenOrbital& other : all) {
      for (const glm::vec3& position : frame_at(molecule, other.frame).positions) {
        lower = glm::min(lower, glm::dvec3(position));
        upper = glm::max(upper, glm::dvec3(position));
      }
    }
    return Grid::covering(lower - options.margin, upper + options.margin, spacing);
  };
  if (options.grid.spacing > 0) return covering(options.grid.spacing);
  if (options.points == 0 && options.margin < 0) return std::nullopt;
  const double points = options.points > 0 ? static_cast<double>(options.points) : 1e6;
  const glm::dvec3 edges = glm::dvec3(covering(1).counts - 1);
  double spacing = std::cbrt(edges.x * edges.y * edges.z / points);
  // A grid has a point more than steps along each edge: a few turns find the finest within the budget.
  for (int i = 0; i < 20 && static_cast<double>(covering(spacing).size()) > points; ++i) spacing *= 1.01;
  return covering(spacing);
}

Volume compute_volume(Run& run, const Options& options, const std::shared_ptr<const Molecule>& molecule,
                      const std::vector<ChosenOrbital>& all, const ChosenOrbital& chosen,
                      nlohmann::ordered_json& entry) {
  const Orbitals& orbitals = *chosen.orbitals;
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.field.orbital = std::to_string(chosen.number);
  request.field.spin = options.choice.spin;
  request.molecule = molecule;
  request.frame = chosen.frame;
  request.device = run.device;
  request.grid = grid_of(options, *molecule, all, chosen);
  Volume volume = compute_reported(run, request);
  const Frame frame = frame_at(*molecule, chosen.frame);
  const auto sampled = sample_points(volume.grid, frame.positions, samples);
  std::vector<glm::dvec3> points;
  for (const std::size_t i : sampled) points.push_back(point_of(volume.grid, i));
  std::vector<double> exact(points.size());
  orbital_reference(orbitals, chosen.which, points, exact);
  const auto error = sampled_error(volume.grid, volume.values, sampled, exact, "double precision at sampled points");
  if (run.report.error.is_null() || run.report.error["max"] < error["max"]) run.report.error = error;
  double norm = 0;
  for (float& value : volume.values) {
    value *= static_cast<float>(chosen.sign);
    norm += static_cast<double>(value) * value;
  }
  const double cell = std::abs(glm::determinant(volume.grid.step)) * std::pow(units::angstrom_in_bohr, 3);
  entry.update(range_of(volume.values));
  entry["norm_on_grid"] = norm * cell;
  if (const double fraction = fraction_of(options.enclosed); fraction > 0) {
    entry["enclosed"] = fraction;
    entry["isovalue"] = enclosed_probability_isovalue(volume.values, fraction);
  }
  run.report.phase("compute");
  return volume;
}

std::string spoken(const Options& options, const ChosenOrbital& chosen, const nlohmann::ordered_json& entry) {
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

void on_grids(Run& run, const Options& options, const std::shared_ptr<const Molecule>& molecule,
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
    Volume volume = compute_volume(run, options, molecule, all, chosen, entries[i]);
    if (table) continue;
    const std::string path = file_name(options, chosen, several_orbitals, several_frames);
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
    run.say(fmt::format("{}: {} rows", options.grid.out, entries.size()));
  }
}

void at_points(Run& run, const Options& options, const std::vector<ChosenOrbital>& all) {
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

void check(const Options& options) {
  if (options.grid.at.empty() && is_table(options.grid.out)) {
    check_output(options.grid.out, "csv txt dat");
    check_not_input(options.grid.out, options.grid.files);
  } else {
    check_grid_options(options.grid);
  }
  if (options.margin >= 0 && !options.grid.like.empty())
    throw Error("--margin and --grid exclude each other", Error::Kind::usage);
  fraction_of(options.enclosed);
}

void run_orbital(const Common& common, Options options) {
  options.grid.files = expand_paths(options.grid.files);
  check(options);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  const auto molecule = read_molecule(options.grid.files);
  const std::vector<ChosenOrbital> all = choose_orbitals(molecule, options.choice, run.job());
  run.report.phase("read");
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const ChosenOrbital& chosen : all) entries.push_back(orbital_entry(chosen, options.choice));
  const ChosenOrbital& first = all.front();
  run.report.method = {{"name", "orbital"},
                       {"orbital", first.asked},
                       {"index", first.which + 1},
                       {"spin", options.choice.spin == Spin::alpha ? "alpha" : "beta"},
                       {"frame", first.frame}};
  if (options.choice.follow) run.report.method["followed_from"] = options.choice.from.value_or(first.frame);
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
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_orbital(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(
      parent, "orbital", "molecular orbitals, in bohr^-3/2, of one frame or followed through many",
      "isolume compute orbital water.molden --orbital homo-1 --spacing 0.1 --out psi.cube\n"
      "  isolume compute orbital water.molden --orbital homo --orbital lumo --enclosed 0.9 --out psi.cube\n"
      "  isolume compute orbital 'frame_*.molden' --frames : --follow --out homo.cube\n"
      "  isolume compute orbital 'frame_*.molden' --frames : --follow --from 10 --out homo.csv",
      [&commands, options] { run_orbital(commands.common, *options); });
  CLI::Option* frame = add_grid_options(command, options->grid,
                                        "cube, dx, mrc, map or ccp4, one file each; csv: a table of the orbitals, or "
                                        "with --at their values (default there: stdout)");
  frame->each([options](const std::string&) { options->choice.frame = options->grid.frame; });
  command
      .add_option("--orbital", options->choice.orbitals,
                  "homo, lumo, homo-1, lumo+2, or a number from 1; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->delimiter(',')
      ->default_str("homo");
  command.add_option("--spin", options->choice.spin, "alpha or beta")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Spin>{{"alpha", Spin::alpha}, {"beta", Spin::beta}},
                                          CLI::ignore_case))
      ->option_text("alpha|beta");
  command.add_option("--frames", options->choice.frames, "A:B:STEP (B excluded): each of these frames")
      ->excludes(frame)
      ->type_name("A:B:STEP");
  command.add_flag(
      "--follow", options->choice.follow,
      "follow each orbital by its overlap from frame to frame, and keep its phase; else its name is looked "
      "up in every frame");
  command.add_option("--from", options->choice.from, "the frame in which --orbital names what is followed (the first)");
  command
      .add_option("--enclosed", options->enclosed,
                  "also the isovalue whose surface holds this part of the electron: 0.9, or 90 for percent")
      ->check(CLI::Range(1e-6, 99.999999))
      ->type_name("P");
  command
      .add_option("--margin", options->margin,
                  "angstrom of the grid around the atoms of all frames, instead of as far as the orbital reaches")
      ->check(CLI::Range(0.0, 1000.0))
      ->type_name("A");
  command.add_option("--cutoff", options->cutoff, "bohr^-3/2 below which an orbital is cut off at the grid's border")
      ->check(CLI::Range(1e-12, 1.0));
  command.add_option("--points", options->points, "choose the spacing such that a grid has about this many points")
      ->check(CLI::Range(std::size_t{8}, std::size_t{1} << 32));
}

}  // namespace isolume::cli
