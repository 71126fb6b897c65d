// isolume compute hbonds --bonds, --correlation: occupancy and lifetime of each hydrogen bond.
#include "app/cli/compute/bond_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

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

Clock clock_of(const AnalysisTable& table, double given) {
  if (given > 0) return {given, "ps"};
  const std::vector<double>& frames = table.columns.front().values;
  const bool timed = table.columns.size() > 1 && table.columns[1].name == "time";
  const std::vector<double>& times = timed ? table.columns[1].values : frames;
  const double step = (times.back() - times.front()) / static_cast<double>(std::max<std::size_t>(times.size(), 2) - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(std::abs(times[i] - times[i - 1] - step) <= 1e-3 * step))
      throw Error(fmt::format("frames {} and {} are {:g} apart and the mean is {:g}; lifetimes need frames evenly in "
                              "time, or --step",
                              frames[i - 1], frames[i], times[i] - times[i - 1], step),
                  Error::Kind::usage);
  if (!(step > 0)) throw Error("lifetimes need frames that ascend in time, or --step", Error::Kind::usage);
  return {step, timed ? "ps" : "frames"};
}

std::string number(double value, int digits = 5) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : std::string();
}

/// What tables say of an atom, and of a hydrogen alone.
struct AtomTexts {
  std::function<std::string(std::uint32_t)> atom, name;
};

std::string atom_text(const Topology& topology, std::uint32_t atom) {
  const Residue& residue = topology.residue_of(atom);
  return fmt::format("{},{},{}{},{}", csv_field(topology.chains[residue.chain].id.text()),
                     csv_field(residue.name.text()), residue.number,
                     residue.insertion == ' ' ? "" : std::string(1, residue.insertion),
                     csv_field(topology.atoms[atom].name.text()));
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

AtomTexts texts_of(const Topology& topology) {
  return {[&](std::uint32_t atom) { return atom_text(topology, atom); },
          [&](std::uint32_t atom) { return csv_field(topology.atoms[atom].name.text()); }};
}

// Names of a part: of atoms by their numbers, of hydrogens with this bit.
constexpr std::uint64_t hydrogen_bit = std::uint64_t{1} << 40;

AtomTexts texts_of(const FramePart& part) {
  const auto text = [&part](std::uint64_t key) {
    const auto found = part.names.find(key);
    return found == part.names.end() ? std::string("?") : found->second;
  };
  return {[text](std::uint32_t atom) { return text(atom); },
          [text](std::uint32_t atom) { return text(atom | hydrogen_bit); }};
}

constexpr const char* options_word = "options of lifetimes";

std::string bonds_text(const AtomTexts& texts, const std::vector<HydrogenBondHistory>& bonds,
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
    text += fmt::format("{},{},{},{},{:.5f},{},{},{:.3f},{},{},{},{}\n", texts.atom(bond.donor),
                        bond.hydrogen == bond.donor ? "" : texts.name(bond.hydrogen), texts.atom(bond.acceptor),
                        bond.frames.size(), life.occupancy, number(occupancy_error(bond, frames), 3), life.formed,
                        bond.distance, std::isfinite(bond.angle) ? fmt::format("{:.2f}", bond.angle) : "",
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

void BondTables::write(const std::string& bonds_path, const std::string& correlation_path) const {
  for (const auto& [path, text] : {std::pair(&bonds_path, &bonds), std::pair(&correlation_path, &correlation)})
    if (!path->empty()) write_atomically(*path, [text = text](std::ostream& out) { out << *text; });
}

namespace {

// The atoms of both selections, as analyse() took them; the second is empty where there is one.
struct Masks {
  Masks(const AnalysisRequest& request, const AnalysisTable& table) {
    const Topology& topology = *request.molecule->topology;
    const Frame at = request.molecule->trajectory->frame(request.opening.value_or(request.frames.front()));
    first = Selection(table.selection).mask(topology, at);
    if (!request.other.empty()) second = Selection(request.other).mask(topology, at);
  }
  std::vector<std::uint8_t> first, second;
};

BondTables tables_of(const std::vector<HydrogenBondHistory>& bonds, const AtomTexts& texts, const AnalysisTable& table,
                     const BondTableOptions& options, Job& job) {
  const std::size_t frames = table.rows();
  const Clock clock = clock_of(table, options.lifetime.step);
  BondLifetimeOptions lifetime = options.lifetime;
  lifetime.step = clock.step;
  if (options.longest > 0) lifetime.longest = static_cast<std::size_t>(std::round(options.longest / clock.step));
  if (lifetime.longest >= frames)
    throw Error(fmt::format("--longest-lag {:g}: the frames are {:g} {} long", options.longest,
                            clock.step * static_cast<double>(frames - 1), clock.unit),
                Error::Kind::usage);
  std::vector<std::vector<std::uint32_t>> lists;
  for (const HydrogenBondHistory& bond : bonds) lists.push_back(bond.frames);
  const BondLifetimes lives = bond_lifetimes(lists, frames, lifetime, job);
  BondTables tables;
  tables.bonds = bonds_text(texts, bonds, lives, frames, clock, options.least, job);
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

}  // namespace

BondTables bond_tables(const AnalysisRequest& request, const AnalysisTable& table, const BondTableOptions& options,
                       Job& job) {
  const Masks masks(request, table);
  const auto bonds = hydrogen_bond_history(*request.molecule, request.frames, masks.first, masks.second,
                                           request.bond_rule, request.device, job);
  return tables_of(bonds, texts_of(*request.molecule->topology), table, options, job);
}

void add_bonds(FramePart& part, const AnalysisRequest& request, const AnalysisTable& table,
               const BondTableOptions& options, Job& job) {
  const Topology& topology = *request.molecule->topology;
  const Masks masks(request, table);
  std::vector<FrameArray> arrays = hydrogen_bond_arrays(*request.molecule, request.frames, masks.first, masks.second,
                                                        request.bond_rule, request.device, job);
  for (FrameArray& array : arrays) part.arrays.push_back(std::move(array));
  FrameArray& kept = part.arrays.emplace_back();
  kept.name = options_word;
  kept.rule = FrameArray::Rule::same;
  kept.numbers = {options.least, options.longest, static_cast<double>(options.lifetime.gap), options.lifetime.step,
                  static_cast<double>(options.lifetime.blocks)};
  const AtomTexts texts = texts_of(topology);
  for (const HydrogenBondHistory& bond : hydrogen_bond_history(part)) {
    for (const std::uint32_t atom : {bond.donor, bond.acceptor}) part.names.emplace(atom, texts.atom(atom));
    part.names.emplace(bond.hydrogen | hydrogen_bit, texts.name(bond.hydrogen));
  }
}

bool has_bonds(const FramePart& part) {
  return std::any_of(part.arrays.begin(), part.arrays.end(),
                     [](const FrameArray& array) { return array.name == options_word; });
}

BondTables bond_tables(const FramePart& part, const AnalysisTable& table, Job& job) {
  const std::vector<double>& kept = part.array(options_word).numbers;
  // As the options' ranges are.
  if (kept.size() != 5 || !(kept[2] >= 0 && kept[2] <= 1e6) || !(kept[4] >= 2 && kept[4] <= 100))
    throw Error("the part has not the options of its lifetimes", Error::Kind::input);
  BondTableOptions options;
  options.least = kept[0];
  options.longest = kept[1];
  options.lifetime.gap = static_cast<std::size_t>(kept[2]);
  options.lifetime.step = kept[3];
  options.lifetime.blocks = static_cast<std::size_t>(kept[4]);
  return tables_of(hydrogen_bond_history(part), texts_of(part), table, options, job);
}

}  // namespace isolume::cli
