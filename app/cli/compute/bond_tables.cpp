// isolume compute hbonds --bonds, --correlation: occupancy and lifetime of each hydrogen bond.
#include "app/cli/compute/bond_tables.h"

#include <fmt/format.h>

#include <cmath>

#include "compute/over_time/running_statistics.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The unit of lags, and how many of it are between two frames.
struct Clock {
  double step = 1;
  std::string unit = "frames";
};

Clock clock_of(const AnalysisRequest& request, const AnalysisTable& table, double given) {
  if (given > 0) return {given, "ps"};
  std::vector<double> times;
  if (table.columns.size() > 1 && table.columns[1].name == "time") {
    times = table.columns[1].values;
  } else {
    for (const std::size_t frame : request.frames) times.push_back(static_cast<double>(frame));
  }
  const double step = (times.back() - times.front()) / static_cast<double>(std::max<std::size_t>(times.size(), 2) - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(std::abs(times[i] - times[i - 1] - step) <= 1e-3 * step))
      throw Error(fmt::format("frames {} and {} are {:g} apart and the mean is {:g}; lifetimes need frames evenly in "
                              "time, or --step",
                              request.frames[i - 1], request.frames[i], times[i] - times[i - 1], step),
                  Error::Kind::usage);
  if (!(step > 0)) throw Error("lifetimes need frames that ascend in time, or --step", Error::Kind::usage);
  return {step, table.columns.size() > 1 && table.columns[1].name == "time" ? "ps" : "frames"};
}

std::string number(double value, int digits = 5) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : std::string();
}

std::string atom_text(const Topology& topology, std::uint32_t atom) {
  const Residue& residue = topology.residue_of(atom);
  return fmt::format("{},{},{}{},{}", csv_field(topology.chains[residue.chain].id), csv_field(residue.name),
                     residue.number, residue.insertion == ' ' ? "" : std::string(1, residue.insertion),
                     csv_field(topology.atoms[atom].name));
}

/// The standard error of the part of the frames in which the bond is there.
double occupancy_error(const HydrogenBondHistory& bond, std::size_t frames) {
  std::vector<double> there(frames);
  for (const std::uint32_t frame : bond.frames) there[frame] = 1;
  return series_statistics(there).error.standard_error;
}

std::string lifetime_text(const Lifetime& life) {
  return number(life.value) + "," + number(life.error, 3);
}

std::string bonds_text(const Topology& topology, const std::vector<HydrogenBondHistory>& bonds,
                       const BondLifetimes& lives, std::size_t frames, const Clock& clock, double least, Job& job) {
  std::string text = fmt::format(
      "chain,residue,number,donor,hydrogen,chain 2,residue 2,number 2,acceptor,frames,occupancy,occupancy error,"
      "formed,mean distance (angstrom),mean angle (degrees),longest ({0}),continuous lifetime ({0}),"
      "continuous error ({0}),intermittent lifetime ({0}),intermittent error ({0})\n",
      clock.unit);
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    job.check();
    const HydrogenBondHistory& bond = bonds[i];
    const BondLifetime& life = lives.bonds[i];
    if (life.occupancy < least) continue;
    text += fmt::format("{},{},{},{},{:.5f},{},{},{:.3f},{},{},{},{}\n", atom_text(topology, bond.donor),
                        bond.hydrogen == bond.donor ? "" : csv_field(topology.atoms[bond.hydrogen].name),
                        atom_text(topology, bond.acceptor), bond.frames.size(), life.occupancy,
                        number(occupancy_error(bond, frames), 3), life.formed, bond.distance,
                        std::isfinite(bond.angle) ? fmt::format("{:.2f}", bond.angle) : "",
                        number(static_cast<double>(life.longest) * clock.step), lifetime_text(life.continuous),
                        lifetime_text(life.intermittent));
  }
  return text;
}

std::string correlation_text(const BondLifetimes& lives, const Clock& clock) {
  std::string text = fmt::format("lag ({}),C,C error,S,S error\n", clock.unit);
  for (std::size_t t = 0; t < lives.lags.size(); ++t)
    text += fmt::format("{:.8g},{},{},{},{}\n", lives.lags[t], number(lives.intermittent[t], 7),
                        number(lives.intermittent_error[t], 3), number(lives.continuous[t], 7),
                        number(lives.continuous_error[t], 3));
  return text;
}

Json as_json(const Lifetime& life, const std::string& unit) {
  const auto value = [](double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); };
  return {{"value", value(life.value)},
          {"standard_error", value(life.error)},
          {"lower_bound", life.lower_bound},
          {"unit", unit}};
}

std::string in_words(const Lifetime& life, const std::string& unit) {
  if (!std::isfinite(life.value)) return "not known";
  return fmt::format("{}{:.4g}{} {}", life.lower_bound ? "at least " : "", life.value,
                     std::isfinite(life.error) ? fmt::format(" +- {:.2g}", life.error) : "", unit);
}

}  // namespace

void add_bond_table_options(Verb verb, BondTableOptions& options) {
  verb.option("--bonds", options.bonds, "csv: each bond with its occupancy, lifetimes and their standard errors")
      .type_name("FILE")
      .writes();
  verb.option("--correlation", options.correlation,
              "csv: C(t) (bonded again or still) and S(t) (without interruption) of all bonds")
      .type_name("FILE")
      .writes();
  verb.option("--least-occupancy", options.least, "--bonds lists those of at least this part of the frames")
      .range(0.0, 1.0);
  verb.option("--longest-lag", options.longest, "ps (frames without times) that C and S reach (default: half)")
      .range(1e-9, 1e12);
  verb.option("--gap", options.lifetime.gap, "frames for which a bond may be broken and still count in S")
      .range(0, 1'000'000);
  verb.option("--step", options.lifetime.step, "ps between frames (default: that of the files)").range(1e-9, 1e9);
  verb.option("--blocks", options.lifetime.blocks, "parts of the time that errors of lifetimes are estimated from")
      .range(2, 100);
}

void BondTables::write(const BondTableOptions& options) const {
  for (const auto& [path, text] : {std::pair(&options.bonds, &bonds), std::pair(&options.correlation, &correlation)})
    if (!path->empty()) write_atomically(*path, [text = text](std::ostream& out) { out << *text; });
}

BondTables bond_tables(const AnalysisRequest& request, const AnalysisTable& table, const BondTableOptions& options,
                       Job& job) {
  const Topology& topology = *request.molecule->topology;
  const std::size_t frames = request.frames.size();
  const Clock clock = clock_of(request, table, options.lifetime.step);
  BondLifetimeOptions lifetime = options.lifetime;
  lifetime.step = clock.step;
  if (options.longest > 0) lifetime.longest = static_cast<std::size_t>(std::round(options.longest / clock.step));
  if (lifetime.longest >= frames)
    throw Error(fmt::format("--longest-lag {:g}: the frames are {:g} {} long", options.longest,
                            clock.step * static_cast<double>(frames - 1), clock.unit),
                Error::Kind::usage);
  const Frame at = request.molecule->trajectory->frame(request.frames.front());
  const std::vector<std::uint8_t> first = Selection(table.selection).mask(topology, at);
  std::vector<std::uint8_t> second;
  if (!request.other.empty()) second = Selection(request.other).mask(topology, at);
  const auto bonds = hydrogen_bond_history(*request.molecule, request.frames, first, second, request.bond_rule, job);
  std::vector<std::vector<std::uint32_t>> lists;
  for (const HydrogenBondHistory& bond : bonds) lists.push_back(bond.frames);
  const BondLifetimes lives = bond_lifetimes(lists, frames, lifetime, job);
  BondTables tables;
  tables.bonds = bonds_text(topology, bonds, lives, frames, clock, options.least, job);
  tables.correlation = correlation_text(lives, clock);
  tables.result = {{"bonds", bonds.size()},
                   {"bonds_in_a_frame", lives.all.occupancy},
                   {"formed", lives.all.formed},
                   {"plateau", std::isfinite(lives.all.plateau) ? Json(lives.all.plateau) : Json(nullptr)},
                   {"longest_lag", lives.lags.back()},
                   {"continuous_lifetime", as_json(lives.all.continuous, clock.unit)},
                   {"intermittent_lifetime", as_json(lives.all.intermittent, clock.unit)}};
  tables.summary =
      fmt::format("{}: continuous lifetime {}, intermittent {}", counted(bonds.size(), "different bond"),
                  in_words(lives.all.continuous, clock.unit), in_words(lives.all.intermittent, clock.unit));
  return tables;
}

}  // namespace isolume::cli
