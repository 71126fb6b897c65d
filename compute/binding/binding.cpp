// Binding energies of two partners in a solvent, from positions of their complex.
#include "compute/binding/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/analysis/sasa.h"
#include "compute/analysis/superposition.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/molecular_surface/accessible_volume.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error("binding: " + message, Error::Kind::usage);
}

/// The parts of a frame's work.
constexpr double pairs_end = 0.05, nonpolar_begin = 0.95;

constexpr double margin = 6;  // angstrom about a molecule, beyond which a coarser grid does

}  // namespace

BindingTerms& BindingTerms::operator+=(const BindingTerms& other) {
  lennard_jones += other.lennard_jones;
  coulomb += other.coulomb;
  polar += other.polar;
  nonpolar += other.nonpolar;
  return *this;
}

double BindingOptions::solute_permittivity() const {
  return std::visit([](const auto& model) { return model.solute_permittivity; }, polar);
}

Binding::Binding(const Topology& topology, std::shared_ptr<const ForceField> field, std::span<const std::uint8_t> first,
                 std::span<const std::uint8_t> second, const BindingOptions& options, Device device)
    : field_(std::move(field)), options_(options), device_(device) {
  if (!options_.neck.empty() && options_.neck.size() != topology.atoms.size())
    refuse("GB-neck2 needs its parameters for every atom");
  std::size_t shared = 0, firsts = 0, seconds = 0;
  bool charged = false;
  std::vector<std::uint8_t> side(topology.atoms.size(), 2);
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    shared += first[i] && second[i];
    firsts += first[i] != 0;
    seconds += second[i] != 0;
    if (!first[i] && !second[i]) continue;
    const Atom& atom = topology.atoms[i];
    side[i] = first[i] ? 0 : 1;
    atoms_.push_back(static_cast<std::uint32_t>(i));
    partner_.push_back(side[i]);
    system_.charges.push_back(atom.charge);
    system_.radii.push_back(std::max(0.0f, atom.radius));
    system_.born.push_back(options_.neck.empty() ? born_parameters(atom.element) : options_.neck[i]);
    if (field_) system_.types.push_back(field_->types[i]);
    charged = charged || atom.charge != 0;
  }
  system_.partner = partner_;
  if (firsts == 0 || seconds == 0)
    refuse(fmt::format("the {} selection holds no atoms", firsts == 0 ? "first" : "second"));
  if (shared > 0) refuse(fmt::format("the selections share {} atoms; expected two that share none", shared));
  if (!charged) refuse("all charges of the partners are 0");
  const auto bonded = [&](std::uint32_t a, std::uint32_t b) {
    if (side[a] + side[b] != 1) return;
    refuse(fmt::format("atoms {} and {} of the two partners are bonded; expected partners without a bond between them",
                       a + 1, b + 1));
  };
  if (topology.has_bonds)
    for (const Bond& bond : topology.bonds) bonded(bond.a, bond.b);
  if (field_)
    for (const BondTerm& bond : field_->bonds) bonded(bond.atoms[0], bond.atoms[1]);
}

std::vector<glm::dvec3> Binding::placed(std::span<const glm::vec3> positions) {
  std::vector<glm::dvec3> at;
  for (const std::uint32_t atom : atoms_) at.emplace_back(positions[atom]);
  if (first_.empty()) {
    glm::dvec3 middle(0);
    for (const glm::dvec3& place : at) middle += place / static_cast<double>(at.size());
    for (glm::dvec3& place : at) place -= middle;
    first_ = at;
    return at;
  }
  const RigidMotion motion = superpose(at, first_).motion;
  for (glm::dvec3& place : at) place = motion(place);
  return at;
}

void Binding::cover(std::span<const glm::vec3> positions) {
  const std::vector<glm::dvec3> at = placed(positions);
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (const std::size_t molecule : {std::size_t{0}, std::size_t{1} + partner_[i]}) {
      reach_[molecule].lower = glm::min(reach_[molecule].lower, at[i] - static_cast<double>(system_.radii[i]));
      reach_[molecule].upper = glm::max(reach_[molecule].upper, at[i] + static_cast<double>(system_.radii[i]));
    }
  }
}

Grid Binding::grid() const {
  return Grid::covering(reach_[0].lower - margin, reach_[0].upper + margin, options_.spacing);
}

std::size_t Binding::memory() const {
  const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&options_.polar);
  if (pb == nullptr) return atoms_.size() * 128;
  // What counts of them is their number and their extent.
  std::vector<ChargedSphere> atoms(std::max<std::size_t>(2, atoms_.size()), {glm::vec3(reach_[0].lower), 0, 0});
  atoms.back().position = glm::vec3(reach_[0].upper);
  return poisson_boltzmann_memory(atoms, grid(), *pb, device_) + 3 * grid().size() * 20;
}

BindingFrame Binding::evaluate(std::span<const glm::vec3> positions, Job& job) {
  if (!(reach_[0].lower.x <= reach_[0].upper.x)) cover(positions);
  return evaluate(positions, starts_, job);
}

BindingFrame Binding::evaluate(std::span<const glm::vec3> positions, Starts& starts, Job& job) {
  System system = system_;
  system.at = placed(positions);
  BindingFrame frame;
  evaluate({system, frame, starts}, job);
  return frame;
}

std::size_t Binding::frames_at_once() const {
  if (device_.is_cuda() || !std::holds_alternative<PoissonBoltzmannOptions>(options_.polar)) return 1;
  const std::size_t threads = static_cast<std::size_t>(thread_count()) / 2;
  return std::clamp<std::size_t>(available_memory(device_) / (2 * memory()), 1, std::max<std::size_t>(threads, 1));
}

BindingFrame Binding::evaluate(std::span<const glm::vec3> positions, const BindingMutation& mutation,
                               const BindingFrame& own, Job& job) {
  int partner = 0;
  const System system = mutated(mutation, partner, positions);
  BindingFrame frame;
  const auto known = static_cast<std::size_t>(partner == 0 ? 2 : 1);
  frame.polar[known] = own.polar[known];
  frame.coarse[known] = own.coarse[known];
  frame.areas[known] = own.areas[known];
  frame.volumes[known] = own.volumes[known];
  evaluate({system, frame, starts_, static_cast<int>(known)}, job);
  return frame;
}

void Binding::evaluate(const Work& work, Job& job) {
  BindingFrame& frame = work.frame;
  frame.atoms.resize(work.system.at.size());
  pairs(work, job);
  JobPart polar(job, pairs_end, nonpolar_begin);
  if (const auto* const pb = std::get_if<PoissonBoltzmannOptions>(&options_.polar))
    poisson_boltzmann_part(*pb, work, polar);
  else
    generalised_born_part(std::get<GeneralisedBornOptions>(options_.polar), work, polar);
  nonpolar_part(work, job);
  frame.sum = frame.rest;
  for (const BindingTerms& terms : frame.atoms) frame.sum += terms;
}

Binding::System Binding::mutated(const BindingMutation& mutation, int& partner, std::span<const glm::vec3> positions) {
  const std::vector<glm::dvec3> at = placed(positions);
  const auto number = [&](std::uint32_t atom) {
    const auto found = std::lower_bound(atoms_.begin(), atoms_.end(), atom);
    if (found == atoms_.end() || *found != atom)
      refuse(fmt::format("atom {} of a mutation is in neither partner", atom + 1));
    return static_cast<std::size_t>(found - atoms_.begin());
  };
  std::vector<char> gone(atoms_.size(), 0);
  System all = system_;
  all.at = at;
  std::array<bool, 2> touched{};
  const auto touch = [&](std::size_t i) { touched[partner_[i]] = true; };
  for (const std::uint32_t atom : mutation.removed) {
    gone[number(atom)] = 1;
    touch(number(atom));
  }
  for (const BindingMutation::Changed& changed : mutation.changed) {
    const std::size_t i = number(changed.atom);
    all.charges[i] = changed.charge;
    all.radii[i] = changed.radius;
    if (field_) all.types[i] = field_->types[changed.like];
    touch(i);
  }
  if (touched[0] == touched[1]) refuse("a mutation has to be of one partner");
  partner = touched[0] ? 0 : 1;
  System system;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (gone[i]) continue;
    system.at.push_back(all.at[i]);
    system.charges.push_back(all.charges[i]);
    system.radii.push_back(all.radii[i]);
    system.born.push_back(all.born[i]);
    system.partner.push_back(all.partner[i]);
    if (field_) system.types.push_back(all.types[i]);
  }
  for (const BindingMutation::Added& added : mutation.added) {
    const glm::dvec3 from = at[number(added.carrier)], along = at[number(added.towards)] - from;
    if (partner_[number(added.carrier)] != partner) refuse("a mutation has to be of one partner");
    if (!(glm::length(along) > 1e-3)) refuse("atoms of a mutation are at the same place");
    system.at.push_back(from + glm::normalize(along) * added.length);
    system.charges.push_back(added.charge);
    system.radii.push_back(added.radius);
    system.born.push_back(born_parameters(added.element));
    system.partner.push_back(static_cast<std::uint8_t>(partner));
    if (field_) system.types.push_back(field_->types[added.like]);
  }
  return system;
}

void Binding::pairs(const Work& work, Job& job) const {
  const std::vector<glm::dvec3>& at = work.system.at;
  const std::vector<float>& charges = work.system.charges;
  const std::vector<std::uint8_t>& partner = work.system.partner;
  const std::vector<std::uint32_t>& types = work.system.types;
  BindingFrame& frame = work.frame;
  const double unit = units::coulomb_kcal_angstrom / options_.solute_permittivity();
  const std::size_t count = at.size();
  // The atoms that an atom of either partner meets.
  std::array<std::vector<std::uint32_t>, 2> others;
  for (std::uint32_t i = 0; i < count; ++i) others[1 - partner[i]].push_back(i);
  constexpr std::size_t block = 64;
  std::vector<double> nearest((count + block - 1) / block, 1e300);
  parallel_for(nearest.size(), job, "pairs between the partners", [&](std::size_t task) {
    for (std::size_t i = task * block; i < std::min(count, (task + 1) * block); ++i) {
      double coulomb = 0, dispersion = 0, least = 1e300;
      const std::size_t row = field_ ? std::size_t{types[i]} * field_->type_count : 0;
      for (const std::uint32_t j : others[partner[i]]) {
        const glm::dvec3 apart = at[i] - at[j];
        const double r2 = glm::dot(apart, apart);
        least = std::min(least, r2);
        if (r2 < 1e-4) continue;  // refused below
        coulomb += static_cast<double>(charges[j]) / std::sqrt(r2);
        if (!field_) continue;
        const std::size_t pair = row + types[j];
        const double inverse6 = 1 / (r2 * r2 * r2);
        dispersion += (field_->lj_a[pair] * inverse6 - field_->lj_b[pair]) * inverse6;
      }
      frame.atoms[i].coulomb = 0.5 * unit * static_cast<double>(charges[i]) * coulomb;
      frame.atoms[i].lennard_jones = 0.5 * dispersion;
      nearest[task] = std::min(nearest[task], least);
    }
  });
  frame.nearest = std::sqrt(*std::min_element(nearest.begin(), nearest.end()));
  if (frame.nearest < 0.01) refuse("atoms of the two partners are at the same place");
}

void Binding::poisson_boltzmann_part(const PoissonBoltzmannOptions& usual, const Work& work, Job& job) const {
  const System& system = work.system;
  BindingFrame& frame = work.frame;
  PoissonBoltzmannOptions options = usual;
  options.reach = reach_[0];
  options.tolerance = std::max(options.tolerance, 1e-5);
  const Grid box = grid();
  Span<float> none;
  none.device = device_;
  for (int molecule = 0; molecule < 3; ++molecule) {
    const auto m = static_cast<std::size_t>(molecule);
    const double sign = molecule == 0 ? 1 : -1;
    if (molecule == work.known && molecule != 0) {
      frame.rest.polar += sign * frame.polar[m];
      continue;
    }
    std::vector<ChargedSphere> spheres;
    std::vector<std::size_t> from;
    for (std::size_t i = 0; i < system.at.size(); ++i) {
      if (!system.holds(molecule, i)) continue;
      spheres.push_back({glm::vec3(system.at[i]), system.charges[i], system.radii[i]});
      from.push_back(i);
    }
    JobPart part(job, molecule / 3.0, (molecule + 1) / 3.0);
    if (molecule != 0) options.core = PoissonBoltzmannReach{reach_[m].lower - margin, reach_[m].upper + margin};
    const PoissonBoltzmannResult solved = poisson_boltzmann(spheres, box, options, none, part, &work.starts[m]);
    frame.polar[m] = solved.solvation_energy;
    frame.coarse[m] = solved.coarse_energy;
    for (std::size_t k = 0; k < from.size(); ++k)
      frame.atoms[from[k]].polar += sign * 0.5 * static_cast<double>(spheres[k].charge) * solved.reaction_potential[k] *
                                    units::ev_in_kcal_per_mol;
    frame.rest.polar += sign * solved.ion_energy;
  }
}

/// Of what is no atom of the topology: an atom of a side chain.
NeckParameters Binding::born_parameters(std::uint8_t element) const {
  NeckParameters found{0, screening_scale(element), {}};
  if (!options_.neck.empty() && !find_neck_parameters(element, false, found))
    refuse("GB-neck2 has no parameters for an atom of a mutation");
  return found;
}

void Binding::generalised_born_part(const GeneralisedBornOptions& options, const Work& work, Job& job) const {
  const System& system = work.system;
  BindingFrame& frame = work.frame;
  for (int molecule = 0; molecule < 3; ++molecule) {
    const double sign = molecule == 0 ? 1 : -1;
    if (molecule == work.known && molecule != 0) {
      frame.rest.polar += sign * frame.polar[static_cast<std::size_t>(molecule)];
      continue;
    }
    std::vector<GeneralisedBornAtom> spheres;
    std::vector<NeckAtom> necked;
    std::vector<std::size_t> from;
    for (std::size_t i = 0; i < system.at.size(); ++i) {
      if (!system.holds(molecule, i)) continue;
      const glm::vec3 at(system.at[i]);
      if (options_.neck.empty())
        spheres.push_back({at, system.charges[i], system.radii[i], system.born[i].scale});
      else
        necked.push_back({at, system.charges[i], system.born[i]});
      from.push_back(i);
    }
    JobPart part(job, molecule / 3.0, (molecule + 1) / 3.0);
    const GeneralisedBornResult born = options_.neck.empty() ? generalised_born(spheres, options, device_, part)
                                                             : generalised_born_neck(necked, options, part);
    frame.polar[static_cast<std::size_t>(molecule)] = born.energy;
    for (std::size_t k = 0; k < from.size(); ++k) frame.atoms[from[k]].polar += sign * born.energies[k];
  }
}

void Binding::nonpolar_part(const Work& work, Job& job) const {
  const System& system = work.system;
  BindingFrame& frame = work.frame;
  for (int molecule = 0; molecule < 3; ++molecule) {
    const auto m = static_cast<std::size_t>(molecule);
    const double sign = molecule == 0 ? 1 : -1;
    frame.rest.nonpolar += sign * options_.surface_offset;
    if (molecule == work.known && molecule != 0) {
      frame.rest.nonpolar += sign * (options_.surface_tension * frame.areas[m] + options_.pressure * frame.volumes[m]);
      continue;
    }
    std::vector<SasaAtom> spheres;
    std::vector<std::size_t> from;
    for (std::size_t i = 0; i < system.at.size(); ++i) {
      if (!system.holds(molecule, i) || !(system.radii[i] > 0)) continue;
      spheres.push_back({glm::vec3(system.at[i]), system.radii[i]});
      from.push_back(i);
    }
    if (spheres.empty()) continue;
    SasaOptions sasa;
    sasa.probe_radius = static_cast<float>(options_.probe_radius);
    DeviceArray<float> areas(spheres.size(), device_, "areas");
    JobPart part(job, nonpolar_begin, 1.0);
    solvent_accessible_area(spheres, sasa, areas.span(), part);
    const std::vector<float> host = areas.copy_to_host();
    for (std::size_t k = 0; k < from.size(); ++k) {
      const auto area = static_cast<double>(host[k]);
      frame.areas[m] += area;
      frame.atoms[from[k]].nonpolar += sign * options_.surface_tension * area;
    }
    if (options_.pressure == 0) continue;
    const double step = 0.5;
    const Grid box = Grid::covering(reach_[0].lower - options_.probe_radius - 2 * step,
                                    reach_[0].upper + options_.probe_radius + 2 * step, step);
    std::vector<DensityAtom> atoms;
    for (const SasaAtom& sphere : spheres) atoms.push_back({sphere.position, sphere.radius, {}});
    frame.volumes[m] = accessible_volume(atoms, options_.probe_radius, box, part);
    frame.rest.nonpolar += sign * options_.pressure * frame.volumes[m];
  }
}

}  // namespace isolume
