// Morphing: the way from one conformation of a molecule to another, as positions in between.
#include "compute/structure/morph.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <utility>

#include "compute/analysis/superposition.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t most_domains = 16;
constexpr int most_rounds = 200;
constexpr double near_enough = 0.005;  // angstrom
constexpr double no_turn = 1e-6;       // radians

std::vector<glm::dvec3> some(const std::vector<glm::dvec3>& places, const std::vector<std::uint32_t>& atoms) {
  std::vector<glm::dvec3> found;
  found.reserve(atoms.size());
  for (const std::uint32_t atom : atoms) found.push_back(places[atom]);
  return found;
}

}  // namespace

glm::dvec3 Morph::Screw::operator()(glm::dvec3 place, double t) const {
  const glm::dquat turn = glm::angleAxis(t * angle, axis);
  return centre + turn * (place - centre) + t * shift;
}

double Morph::turn(std::size_t domain) const {
  return glm::degrees(screws_[domain].angle);
}

void Morph::add_screw(const std::vector<std::uint32_t>& atoms) {
  Screw screw;
  screw.motion = superpose(some(start_, atoms), some(end_, atoms)).motion;
  screw.core = atoms.size();
  glm::dquat turn = screw.motion.rotation;
  if (turn.w < 0) turn = -turn;  // the shorter way
  const glm::dvec3 imaginary(turn.x, turn.y, turn.z);
  const double sine = glm::length(imaginary);
  screw.angle = 2 * std::atan2(sine, turn.w);
  if (screw.angle < no_turn) {
    screw.angle = 0;
    screw.shift = screw.motion.translation;
  } else {
    screw.axis = imaginary / sine;
    const glm::dvec3 along = glm::dot(screw.axis, screw.motion.translation) * screw.axis;
    const glm::dvec3 across = screw.motion.translation - along;
    screw.centre = 0.5 * (across + glm::cross(screw.axis, across) / std::tan(0.5 * screw.angle));
    screw.shift = along;
  }
  screws_.push_back(screw);
}

void Morph::find_domains(const std::vector<std::uint32_t>& trace, std::span<const std::uint32_t> residues,
                         const MorphOptions& options, Job& job) {
  std::vector<std::uint32_t> left = trace;
  std::vector<std::vector<std::uint32_t>> cores;
  while (left.size() >= std::max<std::size_t>(3, options.smallest) && cores.size() < most_domains) {
    job.check();
    const auto fit = superpose_pruned(some(end_, left), some(start_, left), options.core);
    if (fit.kept_count < options.smallest && !cores.empty()) break;
    std::vector<std::uint32_t> core, others;
    for (std::size_t i = 0; i < left.size(); ++i) (fit.kept[i] ? core : others).push_back(left[i]);
    cores.push_back(std::move(core));
    left = std::move(others);
  }
  if (cores.empty()) cores.push_back(trace);
  // The largest stays where it is.
  std::stable_sort(cores.begin(), cores.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  superposed_ = superpose(some(end_, cores.front()), some(start_, cores.front())).motion;
  for (glm::dvec3& place : end_) place = superposed_(place);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> known;  // trace atoms and their domains
  for (std::uint32_t d = 0; d < cores.size(); ++d) {
    add_screw(cores[d]);
    for (const std::uint32_t atom : cores[d]) known.emplace_back(atom, d);
  }
  const auto nearest = [&](std::uint32_t atom) {
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t domain = 0;
    for (const auto& [other, d] : known) {
      const glm::dvec3 apart = start_[other] - start_[atom];
      if (const double squared = glm::dot(apart, apart); squared < least) {
        least = squared;
        domain = d;
      }
    }
    return domain;
  };
  domain_.assign(start_.size(), 0);
  if (residues.empty()) {
    for (std::uint32_t i = 0; i < start_.size(); ++i) {
      job.check();
      domain_[i] = nearest(i);
    }
    return;
  }
  // A residue goes with its trace atom, or with its first atom.
  std::vector<std::uint32_t> chief(*std::max_element(residues.begin(), residues.end()) + 1u,
                                   std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t i = 0; i < start_.size(); ++i) chief[residues[i]] = std::min(chief[residues[i]], i);
  for (const std::uint32_t atom : trace) chief[residues[atom]] = atom;
  std::vector<std::uint32_t> of_residue(chief.size());
  for (std::size_t r = 0; r < chief.size(); ++r) {
    job.check();
    if (chief[r] < start_.size()) of_residue[r] = nearest(chief[r]);
  }
  for (std::size_t i = 0; i < start_.size(); ++i) domain_[i] = of_residue[residues[i]];
}

Morph::Morph(std::vector<glm::dvec3> start, std::vector<glm::dvec3> end, std::vector<std::uint32_t> trace,
             std::span<const std::pair<std::uint32_t, std::uint32_t>> bonds, std::span<const std::uint32_t> residues,
             const MorphOptions& options, Job& job)
    : start_(std::move(start)), end_(std::move(end)), method_(options.method) {
  const std::size_t count = start_.size();
  if (end_.size() != count || count < 3)
    throw Error("morph: takes three or more atoms, the same at both ends; there are " + std::to_string(count) +
                    " and " + std::to_string(end_.size()),
                Error::Kind::usage);
  const auto beyond = [count](std::uint32_t atom) { return atom >= count; };
  if (std::any_of(trace.begin(), trace.end(), beyond) || (!residues.empty() && residues.size() != count) ||
      std::any_of(bonds.begin(), bonds.end(), [&](const auto& b) { return beyond(b.first) || beyond(b.second); }))
    throw Error("morph: a trace atom, bond or residue is of no atom", Error::Kind::usage);
  if (trace.size() < 3) {
    trace.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) trace[i] = i;
  }
  find_domains(trace, residues, options, job);
  std::vector<std::vector<std::uint32_t>> neighbours(count);
  const auto add = [&](std::uint32_t a, std::uint32_t b, bool bond) {
    pairs_.push_back({a, b, glm::distance(start_[a], start_[b]), glm::distance(end_[a], end_[b]), bond});
  };
  for (const auto& [a, b] : bonds) {
    add(a, b, true);
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (const auto& around : neighbours)
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t k = i + 1; k < around.size(); ++k) add(around[i], around[k], false);
}

void Morph::keep_distances(std::vector<glm::dvec3>& places, double t, Job& job) const {
  for (int round = 0; round < most_rounds; ++round) {
    job.check();
    double worst = 0;
    for (const Pair& pair : pairs_) {
      const double wanted = (1 - t) * pair.start + t * pair.end;
      const glm::dvec3 apart = places[pair.b] - places[pair.a];
      const double length = glm::length(apart);
      if (!(length > 1e-9)) continue;
      worst = std::max(worst, std::abs(length - wanted));
      const glm::dvec3 move = 0.5 * (length - wanted) / length * apart;
      places[pair.a] += move;
      places[pair.b] -= move;
    }
    if (worst <= near_enough) return;
  }
}

MorphFrame Morph::at(double t, Job& job) const {
  MorphFrame frame;
  frame.places.resize(start_.size());
  if (t <= 0 || t >= 1) {
    frame.places = t <= 0 ? start_ : end_;
    return frame;
  }
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (method_ == MorphMethod::linear) {
      frame.places[i] = (1 - t) * start_[i] + t * end_[i];
      continue;
    }
    const Screw& screw = screws_[domain_[i]];
    const glm::dvec3 own = inverse(screw.motion)(end_[i]);  // the end, in the frame of the start
    frame.places[i] = screw((1 - t) * start_[i] + t * own, t);
  }
  if (method_ == MorphMethod::rigid) keep_distances(frame.places, t, job);
  for (const Pair& pair : pairs_)
    if (pair.bond)
      frame.bond_error = std::max(frame.bond_error, std::abs(glm::distance(frame.places[pair.a], frame.places[pair.b]) -
                                                             ((1 - t) * pair.start + t * pair.end)));
  return frame;
}

}  // namespace isolume
