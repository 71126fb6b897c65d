// The solute, the sites where ions may be, and which ions.
#include "app/cli/sampling/ion_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/electrostatics/molecule_charges.h"
#include "compute/sampling/ion_structure.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"
#include "molecule/residue_kinds.h"

namespace isolume::cli {
namespace {

// The solute, and where ions may go.
struct Places {
  std::vector<PointCharge> charges;     ///< of the solute
  std::vector<glm::dvec3> solute;       ///< atoms that ions keep away from
  std::vector<glm::dvec3> waters;       ///< oxygens, with --replace-water
  std::vector<std::uint32_t> residues;  ///< of those
  double total = 0;                     ///< e
};

Places places_of(const Molecule& molecule, const Frame& frame, const IonWorkOptions& options) {
  const bool replace_water = options.replace_water;
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
    throw Error(fmt::format("{}: the file has no waters", options.replace_water_name), Error::Kind::usage);
  if (places.solute.empty()) throw Error("there are no atoms but water: nothing has a potential", Error::Kind::usage);
  return places;
}

// The sites, without their potential.
void fill_sites(IonWork& work, const IonWorkOptions& options, const Places& places, const Cell& cell, Job& job) {
  if (options.replace_water) {
    for (const std::uint32_t i : free_places(places.waters, places.solute, options.distance_solute, job)) {
      work.sites.places.push_back(places.waters[i]);
      work.residues.push_back(places.residues[i]);
    }
  }
  std::vector<glm::dvec3> all = places.solute;
  all.insert(all.end(), places.waters.begin(), places.waters.end());
  const double padding = options.padding >= 0 ? options.padding : options.replace_water || cell.exists() ? 0 : 12;
  work.lattice = ion_lattice(all, padding, options.spacing);
  const glm::dvec3 extent = glm::dvec3(work.lattice.counts - 1) * options.spacing;
  work.volume = cell.exists() ? cell.volume() : extent.x * extent.y * extent.z;
  if (options.replace_water) return;
  work.sites.lattice = work.lattice;
  work.sites.points =
      free_lattice_points(work.lattice, atoms_and_images(places.solute, cell, work.lattice, options.distance_solute),
                          options.distance_solute, job);
  require_memory(ion_sites_memory(work.sites.size()), Device::cpu(), "the sites of ions");
}

void choose_ions(IonWork& work, const IonWorkOptions& options, const std::function<void(const std::string&)>& note) {
  const Salt salt = salt_of(options.salt);
  std::vector<IonCount> counts = ion_counts(options.counts);
  const int charge = static_cast<int>(std::lround(work.total));
  if (std::abs(work.total - charge) > 0.01)
    note(fmt::format("warning: the total charge {:.4g} e is not whole; {} e is made up for", work.total, charge));
  if (options.concentration >= 0) {
    work.salt_units = salt_units(options.concentration, work.volume);
    counts = {{salt.cation, *work.salt_units * salt.cations}, {salt.anion, *work.salt_units * salt.anions}};
  }
  if (options.neutralise) add_neutralising(counts, salt, charge);
  const IonOrder order = options.order == "alternating" ? IonOrder::alternating : IonOrder::neutralise_first;
  work.kinds = ion_sequence(counts, charge, order);
  if (work.kinds.empty()) throw Error("no ions are asked for: the counts are 0", Error::Kind::usage);
}

}  // namespace

void check_ions(const IonWorkOptions& options) {
  salt_of(options.salt);
  ion_counts(options.counts);
}

IonWork ion_work(const Molecule& molecule, const Frame& frame, const IonWorkOptions& options,
                 const std::function<void(const std::string&)>& note, Job& job) {
  require_charges(molecule);
  const Places places = places_of(molecule, frame, options);
  IonWork work;
  work.charges = places.charges;
  work.total = places.total;
  fill_sites(work, options, places, frame.cell, job);
  choose_ions(work, options, note);
  if (work.kinds.size() > work.sites.size())
    throw Error(fmt::format("{} ions do not fit: {} sites are {:g} angstrom from the solute{}", work.kinds.size(),
                            work.sites.size(), options.distance_solute,
                            options.replace_water
                                ? std::string()
                                : fmt::format("; a box of water is filled by {}", options.replace_water_name)),
                Error::Kind::usage);
  const double apart = options.placement.ion_distance;
  if (const std::size_t most = most_apart(work.sites, apart, work.kinds.size(), job); most < work.kinds.size())
    throw Error(fmt::format("{} ions do not fit: no more than {} of the {} sites are {:g} angstrom from each other; "
                            "lower the distance between ions or their number",
                            work.kinds.size(), most, work.sites.size(), apart),
                Error::Kind::usage);
  if (frame.cell.exists() && !options.replace_water)
    note("note: images in the cell keep ions away, but do not count in the potential");
  return work;
}

std::vector<PlacedIon> placed_ions(IonWork& work, const IonWorkOptions& options, Device device, Job& job) {
  fill_site_potential(work.charges, work.sites, device, job);
  std::vector<double> charges;
  for (const IonKind* kind : work.kinds) charges.push_back(kind->charge);
  return place_ions(work.charges, work.sites, charges, options.placement, device, job);
}

Molecule with_placed_ions(const Molecule& molecule, std::size_t frame, const IonWork& work,
                          const std::vector<PlacedIon>& placed) {
  std::vector<IonPlace> ions;
  std::vector<std::uint32_t> removed;
  for (std::size_t n = 0; n < placed.size(); ++n) {
    ions.push_back({work.kinds[n], work.sites.place(placed[n].site)});
    if (!work.residues.empty()) removed.push_back(work.residues[placed[n].site]);
  }
  return with_ions(molecule, frame, removed, ions);
}

std::string ion_table(const IonWork& work, const std::vector<PlacedIon>& placed) {
  std::string text =
      "ion,name,charge (e),x (angstrom),y (angstrom),z (angstrom),energy (kcal/mol),gap (kcal/mol),ties,sites\n";
  for (std::size_t n = 0; n < placed.size(); ++n) {
    const glm::dvec3 p = work.sites.place(placed[n].site);
    text += fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{:.9f},{},{},{}\n", n + 1, work.kinds[n]->name,
                        work.kinds[n]->charge, p.x, p.y, p.z, placed[n].energy,
                        std::isfinite(placed[n].gap) ? fmt::format("{:.3e}", placed[n].gap) : "", placed[n].ties,
                        placed[n].candidates);
  }
  return text;
}

}  // namespace isolume::cli
