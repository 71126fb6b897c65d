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
#include "app/documents/frames.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/molecule_charges.h"
#include "compute/sampling/ion_placement.h"
#include "compute/sampling/ion_structure.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/missing.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files, templates;
  UsualCharges charges;
  std::string salt = "NaCl", counts, order = "alternating", out, table;
  double concentration = -1, distance_solute = 5, spacing = 1, padding = -1;
  IonPlacementOptions placement;
  bool neutralise = false, replace_water = false;
  std::size_t frame = 0;
};

// Wrong options are reported before any file is read.
void check(const Options& options) {
  const bool counted = !options.counts.empty(), concentrated = options.concentration >= 0;
  if (options.concentration > 20)
    throw Error(fmt::format("--concentration {0:g}: it is in mol/l (M), at most 20; for {0:g} mmol/l write {1:g}",
                            options.concentration, options.concentration / 1000),
                Error::Kind::usage);
  if (counted && concentrated) throw Error("--count and --concentration exclude each other", Error::Kind::usage);
  if (!counted && !concentrated && !options.neutralise)
    throw Error("how many ions? --concentration, --count or --neutralise is missing", Error::Kind::usage);
  if (options.out.empty() && options.table.empty())
    throw Error("--out is missing: where should the structure with its ions go? (--table alone writes the table)",
                Error::Kind::usage);
  if (options.replace_water && options.padding >= 0)
    throw Error("--padding makes a lattice; --replace-water has the waters instead", Error::Kind::usage);
  if (!options.out.empty()) check_output(options.out, "pdb pqr gro");
  if (!options.table.empty()) check_output(options.table, "csv");
  salt_of(options.salt);
  ion_counts(options.counts);
}

// The solute, and where ions may go.
struct Places {
  std::vector<PointCharge> charges;     ///< of the solute
  std::vector<glm::dvec3> solute;       ///< atoms that ions keep away from
  std::vector<glm::dvec3> waters;       ///< oxygens, with --replace-water
  std::vector<std::uint32_t> residues;  ///< of those
  double total = 0;                     ///< e
};

Places places_of(const Molecule& molecule, const Frame& frame, bool replace_water) {
  Places places;
  const Topology& topology = *molecule.topology;
  const std::vector<std::uint32_t> chosen = chosen_atoms("all", topology, frame);
  for (const std::uint32_t i : chosen) {
    const Atom& atom = topology.atoms[i];
    const glm::dvec3 place =
        has_precise_positions(frame) ? frame.precise_positions[i] : decimal_position(frame.positions[i]);
    if (replace_water && residue_kind(topology, atom.residue) == ResidueKind::water) {
      if (atom.element != 8) continue;
      places.waters.push_back(place);
      places.residues.push_back(atom.residue);
      continue;
    }
    places.solute.push_back(place);
    places.total += static_cast<double>(atom.charge);
    if (atom.charge != 0) places.charges.push_back({glm::vec3(place), atom.charge});
  }
  if (replace_water && places.waters.empty())
    throw Error("--replace-water: the file has no waters", Error::Kind::usage);
  if (places.solute.empty()) throw Error("there are no atoms but water: nothing has a potential", Error::Kind::usage);
  return places;
}

// The sites and their potential.
struct Candidates {
  IonSites sites;
  std::vector<std::uint32_t> water;  ///< indices of the waters
  Grid grid;
  double volume = 0;  ///< angstrom^3, for the concentration
};

Candidates candidates_of(Run& run, const Options& options, const Places& places, const Cell& cell) {
  Candidates found;
  if (options.replace_water) {
    found.water = free_places(places.waters, places.solute, options.distance_solute, run.job());
    for (const std::uint32_t i : found.water) found.sites.places.push_back(places.waters[i]);
  }
  std::vector<glm::dvec3> all = places.solute;
  all.insert(all.end(), places.waters.begin(), places.waters.end());
  const double padding = options.padding >= 0 ? options.padding : options.replace_water || cell.exists() ? 0 : 12;
  found.grid = ion_lattice(all, padding, options.spacing);
  const glm::dvec3 extent = glm::dvec3(found.grid.counts - 1) * options.spacing;
  found.volume = cell.exists() ? cell.volume() : extent.x * extent.y * extent.z;
  if (options.replace_water) return found;
  found.sites.lattice = found.grid;
  found.sites.points =
      free_lattice_points(found.grid, atoms_and_images(places.solute, cell, found.grid, options.distance_solute),
                          options.distance_solute, run.job());
  require_memory(ion_sites_memory(found.sites.size()), Device::cpu(), "the sites of ions");
  return found;
}

std::vector<const IonKind*> sequence_of(Run& run, const Options& options, double volume, double total) {
  const Salt salt = salt_of(options.salt);
  std::vector<IonCount> counts = ion_counts(options.counts);
  const int charge = static_cast<int>(std::lround(total));
  if (std::abs(total - charge) > 0.01)
    run.say(fmt::format("warning: the total charge {:.4g} e is not whole; {} e is made up for", total, charge));
  if (options.concentration >= 0) {
    const int units = salt_units(options.concentration, volume);
    counts = {{salt.cation, units * salt.cations}, {salt.anion, units * salt.anions}};
    run.report.result["salt_units"] = units;
  }
  if (options.neutralise) add_neutralising(counts, salt, charge);
  const IonOrder order = options.order == "alternating" ? IonOrder::alternating : IonOrder::neutralise_first;
  std::vector<const IonKind*> sequence = ion_sequence(counts, charge, order);
  if (sequence.empty()) throw Error("no ions are asked for: the counts are 0", Error::Kind::usage);
  return sequence;
}

std::string table_of(const std::vector<const IonKind*>& kinds, const std::vector<PlacedIon>& placed,
                     const IonSites& sites) {
  std::string text =
      "ion,name,charge (e),x (angstrom),y (angstrom),z (angstrom),energy (kcal/mol),gap (kcal/mol),ties,sites\n";
  for (std::size_t n = 0; n < placed.size(); ++n) {
    const glm::dvec3 p = sites.place(placed[n].site);
    text += fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{:.9f},{},{},{}\n", n + 1, kinds[n]->name, kinds[n]->charge, p.x,
                        p.y, p.z, placed[n].energy,
                        std::isfinite(placed[n].gap) ? fmt::format("{:.3e}", placed[n].gap) : "", placed[n].ties,
                        placed[n].candidates);
  }
  return text;
}

void report_ions(Run& run, const Options& options, const std::vector<const IonKind*>& kinds,
                 const std::vector<PlacedIon>& placed, const Candidates& found, double total) {
  Json ions = Json::array(), counts = Json::object();
  double after = total, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < placed.size(); ++n) {
    const glm::dvec3 p = found.sites.place(placed[n].site);
    ions.push_back({{"name", kinds[n]->name},
                    {"place", {p.x, p.y, p.z}},
                    {"energy", placed[n].energy},
                    {"gap", std::isfinite(placed[n].gap) ? Json(placed[n].gap) : Json()},
                    {"ties", placed[n].ties},
                    {"sites", placed[n].candidates}});
    const std::string name(kinds[n]->name);
    counts[name] = counts.value(name, 0) + 1;
    after += kinds[n]->charge;
    smallest = std::min(smallest, placed[n].gap);
  }
  run.report.method = {{"name", "greedy placement on the potential"},
                       {"sites", options.replace_water ? "waters" : "lattice"},
                       {"spacing", options.spacing},
                       {"dielectric", options.placement.dielectric},
                       {"distance_solute", options.distance_solute},
                       {"distance_ions", options.placement.ion_distance},
                       {"order", options.order},
                       {"frame", options.frame}};
  run.report.unit = "kcal/mol";
  run.report.error = {
      {"reference", "direct sum in double precision"}, {"uncertainty_of_map", found.sites.uncertainty}, {"unit", "V"}};
  run.report.result["volume"] = found.volume;
  run.report.result["sites"] = found.sites.size();
  run.report.result["counts"] = counts;
  run.report.result["charge_before"] = total;
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
  require_charges(*molecule);
  const Frame frame = frame_at(*molecule, options.frame);
  const Places places = places_of(*molecule, frame, options.replace_water);
  run.report.phase("read");
  Candidates found = candidates_of(run, options, places, frame.cell);
  run.report.grid(found.grid);
  const std::vector<const IonKind*> kinds = sequence_of(run, options, found.volume, places.total);
  if (kinds.size() > found.sites.size())
    throw Error(fmt::format("{} ions do not fit: {} sites are {:g} angstrom from the solute{}", kinds.size(),
                            found.sites.size(), options.distance_solute,
                            options.replace_water ? "" : "; a box of water is filled by --replace-water"),
                Error::Kind::usage);
  if (frame.cell.exists() && !options.replace_water)
    run.say("note: images in the cell keep ions away, but do not count in the potential");
  run.report.phase("plan");
  const LaunchRecord record;
  fill_site_potential(places.charges, found.sites, run.device, run.job());
  std::vector<double> charges;
  for (const IonKind* kind : kinds) charges.push_back(kind->charge);
  const std::vector<PlacedIon> placed =
      place_ions(places.charges, found.sites, charges, options.placement, run.device, run.job());
  run.report.kernels(record.entries());
  run.report.memory(ion_sites_memory(found.sites.size()), peak_memory(run.device));
  run.report.phase("compute");
  std::vector<IonPlace> ions;
  std::vector<std::uint32_t> removed;
  for (std::size_t n = 0; n < placed.size(); ++n) {
    ions.push_back({kinds[n], found.sites.place(placed[n].site)});
    if (options.replace_water) removed.push_back(places.residues[found.water[placed[n].site]]);
  }
  if (!options.out.empty()) {
    const Molecule made = with_ions(*molecule, options.frame, removed, ions);
    const auto writer = create_writer(options.out, made);
    writer->add(made.trajectory->frame(0));
    writer->finish();
  }
  const std::string table = table_of(kinds, placed, found.sites);
  if (!options.table.empty()) write_atomically(options.table, [&](std::ostream& out) { out << table; });
  report_ions(run, options, kinds, placed, found, places.total);
  run.report.phase("write");
  const double after = run.report.result["charge_after"].get<double>();
  std::string words;
  for (const auto& [name, count] : run.report.result["counts"].items())
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count.get<int>(), name);
  run.say(fmt::format("{}: {} at {} sites on {}; total charge {:.4g} e, before {:.4g} e",
                      options.out.empty() ? options.table : options.out, words, found.sites.size(),
                      to_string(run.device), std::abs(after) < 5e-5 ? 0.0 : after, places.total));
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
  command.option("--salt", options->salt, "the salt: NaCl, KCl, MgCl2, ...");
  command.option("--concentration", options->concentration, "of the salt in the box, mol/l").non_negative();
  command.option("--count", options->counts, "numbers of ions instead: NA:10,CL:12");
  command.flag("--neutralise,--neutralize", options->neutralise, "add ions of the salt that make the total charge 0");
  command
      .option("--order", options->order,
              "alternating, or neutralise-first (counter-ions for the solute's charge, then alternating)")
      .one_of({"alternating", "neutralise-first"});
  command.option("--distance-solute", options->distance_solute, "least distance from the solute's atoms, angstrom")
      .range(0.0, 1e3);
  command.option("--distance-ions", options->placement.ion_distance, "least distance between ions, angstrom")
      .range(0.0, 1e3);
  command.option("--spacing", options->spacing, "angstrom between the lattice's sites").range(0.01, 100.0);
  command
      .option("--padding", options->padding,
              "the lattice's margin around the atoms, angstrom (12; 0 in a periodic cell)")
      .range(0.0, 1e4);
  command.flag("--replace-water", options->replace_water, "ions take the places of waters instead of lattice sites");
  command.option("--dielectric", options->placement.dielectric, "of all space").range(1.0, 1e6);
  command.option("--frame", options->frame, "which frame, from 0");
  add_template_option(command, options->templates);
  add_charge_set_option(command, options->charges);
}

}  // namespace isolume::cli
