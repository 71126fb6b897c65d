// Dynamics: atoms that move under a force field, step by step.
#include "compute/dynamics/dynamics.h"

#include <fmt/core.h>

#include <cmath>

#include "compute/base/job_part.h"
#include "molecule/base/error.h"

namespace isolume {

double fastest_period(const ForceField& field) {
  double fastest = 0;  // angular frequency, squared
  for (const auto* list : {&field.bonds, &field.urey_bradley}) {
    for (const BondTerm& t : *list) {
      const double a = field.masses[t.atoms[0]];
      const double b = field.masses[t.atoms[1]];
      if (a <= 0 || b <= 0) continue;
      fastest = std::max(fastest, 2 * t.force * acceleration_unit * (1 / a + 1 / b));
    }
  }
  return fastest > 0 ? 2 * units::pi / std::sqrt(fastest) : 0;
}

void check_dynamics(const DynamicsOptions& o, const ForceField& field) {
  const auto fail = [](const std::string& message) { throw Error("dynamics: " + message, Error::Kind::usage); };
  if (field.masses.size() != field.atom_count() || field.atom_count() == 0) fail("the force field has no masses");
  for (std::size_t i = 0; i < field.masses.size(); ++i) {
    if (!(field.masses[i] > 0)) {
      fail(fmt::format("atom {} has a mass of {}; virtual sites are not supported", i + 1, field.masses[i]));
    }
  }
  if (!(o.temperature >= 0) || !std::isfinite(o.temperature)) {
    fail(fmt::format("a temperature of {} K; expected 0 or more", o.temperature));
  }
  if (o.langevin && (!(o.friction > 0) || !std::isfinite(o.friction))) {
    fail(fmt::format("a friction of {} per ps; expected more than 0", o.friction));
  }
  if (!(o.time_step > 0) || !std::isfinite(o.time_step)) {
    fail(fmt::format("a time step of {} fs; expected more than 0", o.time_step * 1000));
  }
  const double period = fastest_period(field);
  const double most = period > 0 ? period / units::pi : 0.02;
  if (o.time_step >= most) {
    fail(
        fmt::format("a time step of {:.3g} fs; the fastest bond vibrates in {:.3g} fs, and a step must be below {:.3g} "
                    "fs to be stable (1 fs is usual; bonds are not held rigid)",
                    o.time_step * 1000, period * 1000, most * 1000));
  }
  if (o.near_every < 1 || o.far_every < o.near_every || o.far_every % o.near_every != 0) {
    fail(
        fmt::format("short-range forces every {} steps and long-range forces every {}; expected 1 or more, and the "
                    "second a multiple of the first",
                    o.near_every, o.far_every));
  }
  const double longest = static_cast<double>(o.far_every) * o.time_step;
  if (o.far_every > 1 && period > 0 && longest >= period / 2) {
    fail(fmt::format(
        "forces every {:.3g} fs; the fastest bond vibrates in {:.3g} fs, and forces that are evaluated less "
        "often than every {:.3g} fs resonate with it",
        longest * 1000, period * 1000, period / 2 * 1000));
  }
}

namespace {

/// The straight line of least squares through the total energies.
struct EnergyLine {
  explicit EnergyLine(std::span<const DynamicsSample> samples) {
    const double n = static_cast<double>(samples.size());
    double time = 0, energy = 0;
    for (const DynamicsSample& s : samples) time += s.time / n, energy += s.total() / n;
    double tt = 0, te = 0;
    for (const DynamicsSample& s : samples) {
      tt += (s.time - time) * (s.time - time);
      te += (s.time - time) * (s.total() - energy);
    }
    slope = tt > 0 ? te / tt : 0;
    for (const DynamicsSample& s : samples) squares += std::pow(s.total() - energy - slope * (s.time - time), 2);
  }
  double slope = 0;    ///< kcal/mol/ps
  double squares = 0;  ///< of the distances, kcal^2/mol^2
};

/// The first sample of those that have settled.
std::size_t settled_from(std::span<const DynamicsSample> samples) {
  constexpr std::size_t fewest = 20, starts = 50;
  if (samples.size() < fewest) return 0;
  const std::size_t last = samples.size() / 2;
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t k = 0; k <= starts; ++k) {
    const std::size_t start = k * last / starts;
    const double count = static_cast<double>(samples.size() - start);
    const double error = EnergyLine(samples.subspan(start)).squares / (count * count);
    if (error >= least) continue;
    least = error;
    best = start;
  }
  return best;
}

}  // namespace

EnergyDrift energy_drift(std::span<const DynamicsSample> samples, std::size_t atoms) {
  EnergyDrift drift;
  if (samples.size() < 2 || atoms == 0) return drift;
  const std::span<const DynamicsSample> settled = samples.subspan(settled_from(samples));
  const EnergyLine line(settled);
  drift.per_atom_and_ns = line.slope * 1000 / static_cast<double>(atoms);
  drift.rms = std::sqrt(line.squares / static_cast<double>(settled.size()));
  drift.from = settled.front().time;
  drift.span = settled.back().time - settled.front().time;
  return drift;
}

Dynamics::Dynamics(std::unique_ptr<MolecularForces> forces, std::span<const glm::dvec3> positions,
                   const DynamicsOptions& options)
    : forces_(std::move(forces)), options_(options) {
  check_dynamics(options_, forces_->field());
  if (positions.size() != forces_->atoms()) {
    throw Error(fmt::format("dynamics: {} positions for {} atoms", positions.size(), forces_->atoms()),
                Error::Kind::usage);
  }
  const Device device = forces_->device();
  host_masses_ = forces_->field().masses;
  masses_ = DeviceArray<double>::from_host(host_masses_, device, "masses");
  positions_ = DeviceArray<glm::dvec3>::from_host(positions, device, "positions");
  velocities_ = DeviceArray<glm::dvec3>::from_host(std::vector<glm::dvec3>(positions.size(), glm::dvec3(0)), device,
                                                   "velocities");
  forces_now_ = DeviceArray<glm::dvec3>(positions.size(), device, "forces");
  if (!has_multiple_steps()) return;
  if (options_.far_every != options_.near_every && !forces_->has_far()) {
    throw Error(fmt::format("dynamics: electrostatics by {} has no long-range part that could be evaluated less often "
                            "than the short-range one (spme and msm have one)",
                            forces_->electrostatics().name()),
                Error::Kind::usage);
  }
  some_forces_ = DeviceArray<glm::dvec3>(positions.size(), device, "forces");
}

void Dynamics::draw_velocities() {
  std::vector<glm::dvec3> v(host_masses_.size());
  glm::dvec3 momentum(0);
  double mass = 0;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    // Drawn for use 1: the Langevin noise of no step.
    const Vector3 r = normal_numbers(options_.seed, 0, i, 1);
    const double spread = std::sqrt(boltzmann_kcal * options_.temperature * acceleration_unit / host_masses_[i]);
    v[i] = spread * glm::dvec3(r.x, r.y, r.z);
    momentum += host_masses_[i] * v[i];
    mass += host_masses_[i];
  }
  for (glm::dvec3& one : v) one -= momentum / mass;
  copy_memory(velocities_.data(), forces_->device(), v.data(), Device::cpu(), v.size() * sizeof(glm::dvec3),
              forces_->stream().handle());
}

void Dynamics::set_velocities(std::span<const glm::vec3> velocities) {
  std::vector<glm::dvec3> v(velocities.begin(), velocities.end());
  if (v.size() != host_masses_.size()) {
    throw Error(fmt::format("dynamics: {} velocities for {} atoms", v.size(), host_masses_.size()), Error::Kind::usage);
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v[i].x + v[i].y + v[i].z)) {
      throw Error(fmt::format("dynamics: the velocity of atom {} is not a finite number", i + 1), Error::Kind::usage);
    }
  }
  copy_memory(velocities_.data(), forces_->device(), v.data(), Device::cpu(), v.size() * sizeof(glm::dvec3),
              forces_->stream().handle());
}

void Dynamics::pull(std::shared_ptr<const MapPotential> map, std::vector<double> weights) {
  if (weights.size() != host_masses_.size())
    throw Error(fmt::format("dynamics: {} weights for {} atoms", weights.size(), host_masses_.size()),
                Error::Kind::usage);
  map_ = std::make_shared<const MapForces>(std::move(map), std::move(weights), forces_->device());
  have_forces_ = have_energies_ = false;
}

MolecularEnergies Dynamics::energies_now() const {
  MolecularEnergies energies = forces_->energies();
  energies.map = map_ ? map_energy_ : 0;
  return energies;
}

void Dynamics::compute_forces(bool energies, Job& job) {
  have_forces_ = false;
  forces_->evaluate(positions_.span(), forces_now_.span(), energies, job);
  add_map(job);
  // With multiple time steps these are not the forces that a step begins with.
  have_forces_ = !has_multiple_steps();
  have_energies_ = energies;
}

void Dynamics::add_map(Job& job) {
  if (!map_) return;
  JobPart quiet(job);
  map_energy_ = map_->add(positions_.span(), forces_now_.span(), forces_->stream(), quiet);
}

/// The forces that act at a step: near and far ones only where they are due, with the weight of the steps that they
/// stand for, which makes two half kicks of the integrator the impulses of r-RESPA.
void Dynamics::compute_step_forces(std::uint64_t at_step, bool energies, Job& job) {
  if (!has_multiple_steps()) return compute_forces(energies, job);
  have_forces_ = have_energies_ = false;
  forces_->evaluate_terms(ForceTerms::bonded, positions_.span(), forces_now_.span(), job);
  const auto add = [&](ForceTerms terms, std::size_t every) {
    if (at_step % every != 0) return;
    forces_->evaluate_terms(terms, positions_.span(), some_forces_.span(), job);
    add_scaled(static_cast<double>(every), some_forces_.span(), forces_now_.span(), forces_->stream());
  };
  add(ForceTerms::near, options_.near_every);
  if (forces_->has_far()) add(ForceTerms::far, options_.far_every);
  add_map(job);
  have_forces_ = true;
}

void Dynamics::advance(std::size_t steps, Job& job) {
  IntegratorStep step = options_.langevin ? IntegratorStep::langevin_baoab(options_.time_step, options_.friction,
                                                                           options_.temperature, options_.seed)
                                          : IntegratorStep::verlet(options_.time_step);
  if (!have_forces_) compute_step_forces(step_, false, job);
  for (std::size_t k = 0; k < steps; ++k) {
    job.check();
    step.number = step_;
    Stream& stream = forces_->stream();
    integrate_before(step, masses_.span(), forces_now_.span(), positions_.span(), velocities_.span(), stream);
    // The last step's energies are what sample() will be asked for.
    compute_step_forces(step_ + 1, k + 1 == steps, job);
    integrate_after(step, masses_.span(), forces_now_.span(), velocities_.span(), stream);
    ++step_;
  }
}

DynamicsSample Dynamics::sample(Job& job) {
  if (step_ % options_.far_every != 0) {
    throw Error(fmt::format("dynamics: a sample at step {}; long-range forces are evaluated every {} steps", step_,
                            options_.far_every),
                Error::Kind::usage);
  }
  if (has_multiple_steps()) {
    if (!have_forces_) compute_step_forces(step_, false, job);
    forces_->evaluate(positions_.span(), some_forces_.span(), true, job);
  } else if (!have_energies_ || !have_forces_) {
    compute_forces(true, job);
  }
  DynamicsSample s;
  s.step = step_;
  s.time = static_cast<double>(step_) * options_.time_step;
  s.energies = energies_now();
  if (!std::isfinite(s.energies.potential())) {
    throw Error(
        fmt::format("dynamics: the energy at step {} is not a finite number: the time step is too long, or "
                    "atoms overlap at the start (minimise first)",
                    step_));
  }
  forces_->stream().synchronize("dynamics");
  const std::vector<glm::dvec3> v = velocities_.copy_to_host();
  for (std::size_t i = 0; i < v.size(); ++i) s.kinetic += 0.5 * host_masses_[i] * glm::dot(v[i], v[i]);
  s.kinetic /= acceleration_unit;
  // Without a bath the momentum of the whole stays what draw_velocities() made it.
  const double freedom = 3 * static_cast<double>(v.size()) - (options_.langevin ? 0 : 3);
  s.temperature = freedom > 0 ? 2 * s.kinetic / (freedom * boltzmann_kcal) : 0;
  return s;
}

Frame Dynamics::frame() const {
  forces_->stream().synchronize("dynamics");
  Frame frame;
  for (const glm::dvec3 p : positions_.copy_to_host()) frame.positions.emplace_back(p);
  for (const glm::dvec3 v : velocities_.copy_to_host()) frame.velocities.emplace_back(v);
  frame.cell = forces_->cell();
  frame.time = static_cast<double>(step_) * options_.time_step;
  frame.has_time = true;
  return frame;
}

}  // namespace isolume
