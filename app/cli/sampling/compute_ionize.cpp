// isolume compute ionize: ions placed one by one at the best point of the potential.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/prepared_charges.h"
#include "app/cli/residue_charges.h"
#include "app/cli/sampling/ion_work.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files, templates;
  UsualCharges charges;
  std::string out, table;
  IonWorkOptions ions;
  std::size_t frame = 0;
};

// Wrong options are reported before any file is read.
void check(const Options& options) {
  const IonWorkOptions& ions = options.ions;
  const bool counted = !ions.counts.empty(), concentrated = ions.concentration >= 0;
  if (ions.concentration > 20)
    throw Error(fmt::format("--concentration {0:g}: it is in mol/l (M), at most 20; for {0:g} mmol/l write {1:g}",
                            ions.concentration, ions.concentration / 1000),
                Error::Kind::usage);
  if (counted && concentrated) throw Error("--count and --concentration exclude each other", Error::Kind::usage);
  if (!counted && !concentrated && !ions.neutralise)
    throw Error("how many ions? --concentration, --count or --neutralise is missing", Error::Kind::usage);
  if (options.out.empty() && options.table.empty())
    throw Error("--out is missing: where should the structure with its ions go? (--table alone writes the table)",
                Error::Kind::usage);
  if (ions.replace_water && ions.padding >= 0)
    throw Error("--padding makes a lattice; --replace-water has the waters instead", Error::Kind::usage);
  if (!options.out.empty()) check_output(options.out, "pdb pqr gro");
  if (!options.table.empty()) check_output(options.table, "csv");
  check_ions(ions);
}

void report_ions(Run& run, const Options& options, const IonWork& work, const std::vector<PlacedIon>& placed) {
  const IonWorkOptions& ions_asked = options.ions;
  Json ions = Json::array(), counts = Json::object();
  double after = work.total, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < placed.size(); ++n) {
    const glm::dvec3 p = work.sites.place(placed[n].site);
    ions.push_back({{"name", work.kinds[n]->name},
                    {"place", {p.x, p.y, p.z}},
                    {"energy", placed[n].energy},
                    {"gap", std::isfinite(placed[n].gap) ? Json(placed[n].gap) : Json()},
                    {"ties", placed[n].ties},
                    {"sites", placed[n].candidates}});
    const std::string name(work.kinds[n]->name);
    counts[name] = counts.value(name, 0) + 1;
    after += work.kinds[n]->charge;
    smallest = std::min(smallest, placed[n].gap);
  }
  run.report.method = {{"name", "greedy placement on the potential"},
                       {"sites", ions_asked.replace_water ? "waters" : "lattice"},
                       {"spacing", ions_asked.spacing},
                       {"dielectric", ions_asked.placement.dielectric},
                       {"distance_solute", ions_asked.distance_solute},
                       {"distance_ions", ions_asked.placement.ion_distance},
                       {"order", ions_asked.order},
                       {"frame", options.frame}};
  run.report.unit = "kcal/mol";
  run.report.error = {
      {"reference", "direct sum in double precision"}, {"uncertainty_of_map", work.sites.uncertainty}, {"unit", "V"}};
  if (work.salt_units) run.report.result["salt_units"] = *work.salt_units;
  run.report.result["volume"] = work.volume;
  run.report.result["sites"] = work.sites.size();
  run.report.result["counts"] = counts;
  run.report.result["charge_before"] = work.total;
  run.report.result["charge_after"] = after;
  run.report.result["smallest_gap"] = std::isfinite(smallest) ? Json(smallest) : Json();
  run.report.result["ions"] = ions;
}

void run_ionize(const Common& common, Options options) {
  check(options);
  Run run(common);
  for (const std::string& path : options.files) run.report.input(path);
  CellTreatment as_is;
  as_is.mode = CellTreatment::Mode::as_is;
  auto molecule = read_molecule(options.files, {}, as_is);
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  check_frame(*molecule, options.frame);
  if (!options.templates.empty()) {
    molecule = with_templates(run, *molecule, options.templates, Unmatched::refused, options.frame);
    options.frame = 0;
  } else {
    molecule = with_usual_charges(run, molecule, options.charges, options.frame);
  }
  const Frame frame = frame_at(*molecule, options.frame);
  run.report.phase("read");
  IonWork work = ion_work(
      *molecule, frame, options.ions, [&](const std::string& text) { run.say(text); }, run.job());
  run.report.grid(work.lattice);
  run.report.phase("plan");
  const LaunchRecord record;
  const std::vector<PlacedIon> placed = placed_ions(work, options.ions, run.device, run.job());
  run.report.kernels(record.entries());
  run.report.memory(ion_sites_memory(work.sites.size()), peak_memory(run.device));
  run.report.phase("compute");
  if (!options.out.empty()) {
    const Molecule made = with_placed_ions(*molecule, options.frame, work, placed);
    const auto writer = create_writer(options.out, made);
    writer->add(made.trajectory->frame(0));
    writer->finish();
  }
  const std::string table = ion_table(work, placed);
  if (!options.table.empty()) write_atomically(options.table, [&](std::ostream& out) { out << table; });
  report_ions(run, options, work, placed);
  run.report.phase("write");
  const double after = run.report.result["charge_after"].get<double>();
  std::string words;
  for (const auto& [name, count] : run.report.result["counts"].items())
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count.get<int>(), name);
  run.say(fmt::format("{}: {} at {} sites on {}; total charge {:.4g} e, before {:.4g} e",
                      options.out.empty() ? options.table : options.out, words, work.sites.size(),
                      to_string(run.device), std::abs(after) < 5e-5 ? 0.0 : after, work.total));
  run.finish();
}

}  // namespace

void add_compute_ionize(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "ionize", "places ions one by one at the best point of the potential",
                   "isolume compute ionize protein.pqr --salt NaCl --concentration 0.15 --neutralise --out salt.pdb\n"
                   "  isolume compute ionize protein.pqr --count NA:10,CL:12 --table ions.csv --out ions.pqr\n"
                   "  isolume compute ionize box.pqr --neutralise --replace-water --out neutral.gro",
                   [&commands, options] { run_ionize(commands.common, *options); });
  command.option("FILE", options->files, "a structure, with what belongs to it").required();
  command.option("--out", options->out, "the structure with its ions: pdb, pqr or gro").type_name("FILE").writes();
  command.option("--table", options->table, "csv of the ions: place, energy, gap to the next site")
      .type_name("FILE")
      .writes();
  command.option("--salt", options->ions.salt, "the salt: NaCl, KCl, MgCl2, ...");
  command.option("--concentration", options->ions.concentration, "of the salt in the box, mol/l").non_negative();
  command.option("--count", options->ions.counts, "numbers of ions instead: NA:10,CL:12");
  command.flag("--neutralise,--neutralize", options->ions.neutralise,
               "add ions of the salt that make the total charge 0");
  command
      .option("--order", options->ions.order,
              "alternating, or neutralise-first (counter-ions for the solute's charge, then alternating)")
      .one_of({"alternating", "neutralise-first"});
  command.option("--distance-solute", options->ions.distance_solute, "least distance from the solute's atoms, angstrom")
      .range(0.0, 1e3);
  command.option("--distance-ions", options->ions.placement.ion_distance, "least distance between ions, angstrom")
      .range(0.0, 1e3);
  command.option("--spacing", options->ions.spacing, "angstrom between the lattice's sites").range(0.01, 100.0);
  command
      .option("--padding", options->ions.padding,
              "the lattice's margin around the atoms, angstrom (12; 0 in a periodic cell)")
      .range(0.0, 1e4);
  command.flag("--replace-water", options->ions.replace_water,
               "ions take the places of waters instead of lattice sites");
  command.option("--dielectric", options->ions.placement.dielectric, "of all space").range(1.0, 1e6);
  command.option("--frame", options->frame, "which frame, from 0");
  add_template_option(command, options->templates);
  add_charge_set_option(command, options->charges);
}

}  // namespace isolume::cli
