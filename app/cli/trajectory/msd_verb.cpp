// isolume compute msd: mean square displacement and diffusion coefficient.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

#include "app/cli/compute/compute_runs.h"
#include "app/cli/trajectory/trajectory.h"
#include "compute/base/memory.h"
#include "compute/trajectory/mean_square_displacement.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  FrameSetOptions set;
  MsdOptions msd{.step = 0};
  bool by_molecule = false, with_drift = false;
  std::string range = "0.1:0.5";
};

/// Atoms of a set that bonds join, in groups; each atom by itself where there are no bonds.
std::vector<std::vector<std::uint32_t>> molecules_of(const Topology& topology,
                                                     const std::vector<std::uint32_t>& atoms) {
  std::vector<std::uint32_t> root(topology.atoms.size());
  for (std::uint32_t i = 0; i < root.size(); ++i) root[i] = i;
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Bond& bond : topology.bonds) root[find(bond.a)] = find(bond.b);
  std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < atoms.size(); ++i) groups[find(atoms[i])].push_back(i);
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [first, group] : groups) result.push_back(std::move(group));
  return result;
}

/// The time between frames: given, or that of the files.
double step_of(const Options& o, const FrameSet& set) {
  if (o.msd.step > 0) return o.msd.step;
  if (set.times.empty())
    throw Error("the files do not say the time of their frames; give --step, in ps", Error::Kind::usage);
  const double step = (set.times.back() - set.times.front()) / static_cast<double>(set.times.size() - 1);
  for (std::size_t i = 1; i < set.times.size(); ++i)
    if (!(std::abs(set.times[i] - set.times[i - 1] - step) <= 1e-3 * step))
      throw Error(
          fmt::format("frames {} and {} are {:g} ps apart and the mean is {:g}; a mean square displacement needs "
                      "frames evenly in time, or --step",
                      set.frames[i - 1], set.frames[i], set.times[i] - set.times[i - 1], step),
          Error::Kind::usage);
  return step;
}

void parse_range(const std::string& text, MsdOptions& options) {
  const std::size_t colon = text.find(':');
  const auto number = [&](std::string_view part) {
    double value = 0;
    const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (fault != std::errc() || end != part.data() + part.size() || !(value >= 0 && value <= 1))
      throw Error(fmt::format("--fit {}: expected two parts of the longest lag, 0.1:0.5", text), Error::Kind::usage);
    return value;
  };
  if (colon == std::string::npos) number("");
  options.first = number(std::string_view(text).substr(0, colon));
  options.last = number(std::string_view(text).substr(colon + 1));
}

void run_msd(const Common& common, const Options& o) {
  if (!o.set.out.empty()) check_output(o.set.out, "csv");
  MsdOptions options = o.msd;
  parse_range(o.range, options);
  options.without_drift = !o.with_drift;
  Run run(common, false);
  FrameSetOptions given = o.set;
  if (given.selection.empty()) given.selection = "water and name O OW OH2";
  ReadFrames read = read_frame_set(run, common, given, "mean square displacement");
  options.step = step_of(o, read.set);
  FrameSet particles = std::move(read.set);
  follow_through_cells(particles);
  if (o.by_molecule) {
    std::vector<double> masses;
    for (const std::uint32_t atom : particles.atoms)
      masses.push_back(std::max(1e-6, static_cast<double>(read.molecule->topology->atoms[atom].mass)));
    particles = centres_of(particles, molecules_of(*read.molecule->topology, particles.atoms), masses);
  }
  const MeanSquareDisplacement found = mean_square_displacement(particles, options, run.job());
  run.report.phase("compute");
  std::string text = "lag (ps),msd (angstrom^2),x (angstrom^2),y (angstrom^2),z (angstrom^2)\n";
  for (std::size_t i = 0; i < found.lags.size(); ++i)
    text += fmt::format("{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n", found.lags[i], found.values[i], found.x[i], found.y[i],
                        found.z[i]);
  write_text(o.set.out, text);
  run.report.unit = "angstrom^2";
  run.report.method.erase("superposed");
  run.report.method["particles"] = particles.atoms.size();
  run.report.method["step"] = options.step;
  run.report.method["drift_removed"] = options.without_drift && particles.atoms.size() > 1;
  run.report.method["fitted_lags"] = {found.lags[found.from], found.lags[found.to]};
  run.report.result = {{"diffusion_coefficient", found.diffusion},
                       {"standard_error", std::isfinite(found.error) ? Json(found.error) : Json(nullptr)},
                       {"unit", "1e-5 cm^2/s"},
                       {"exponent", found.exponent}};
  run.report.phase("write");
  if (std::abs(found.exponent - 1) > 0.2)
    run.say(
        fmt::format("note: the curve grows as the lag to the power of {:.2f} and not 1, so the slope is no diffusion "
                    "coefficient yet; take other lags with --fit, or longer runs",
                    found.exponent));
  run.say(fmt::format("{}D = {:.4g}{} x 1e-5 cm^2/s of {}, lags {:g} to {:g} ps",
                      o.set.out.empty() ? "" : o.set.out + ": ", found.diffusion,
                      std::isfinite(found.error) ? fmt::format(" +- {:.2g}", found.error) : ", error not known,",
                      counted(particles.atoms.size(), "particle"), found.lags[found.from], found.lags[found.to]));
  run.finish();
}

}  // namespace

void add_compute_msd(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "msd", "mean square displacement over lags, and the diffusion coefficient with its error",
      "isolume compute msd md.gro md.xtc --select 'name OW' --out msd.csv\n"
      "  isolume compute msd md.gro md.xtc --select 'resname LIG' --by-molecule --fit 0.05:0.3 --out msd.csv",
      [&commands, o] { run_msd(commands.common, *o); });
  add_frame_set_options(command, o->set, "oxygens of water", "csv: lags and values (default: stdout)", false);
  command.flag("--by-molecule", o->by_molecule,
               "centres of mass of molecules (atoms joined by bonds) instead of atoms");
  command.flag("--with-drift", o->with_drift, "do not subtract the motion of the mean of all particles");
  command.option("--step", o->msd.step, "ps between frames (default: that of the files)").range(1e-9, 1e9);
  command.option("--fit", o->range, "which lags the line is fitted to, parts of the longest one: 0.1:0.5");
  command.option("--blocks", o->msd.blocks, "parts of the time that the error is estimated from").range(2, 100);
}

}  // namespace isolume::cli
