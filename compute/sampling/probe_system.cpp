// Atoms, images and tables of a probe's field.
#include "compute/sampling/probe_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

void check(std::span<const ProbedAtom> atoms, const Probe& probe, std::span<const glm::dquat> orientations,
           const ProbeOptions& options) {
  if (!(options.temperature > 0) || !std::isfinite(options.temperature) || !(options.cutoff >= 1) ||
      !(options.cutoff <= 100))
    throw Error(fmt::format("a probe needs a temperature above 0 and a cutoff of 1 to 100 angstrom, not {} K and {} "
                            "angstrom",
                            options.temperature, options.cutoff),
                Error::Kind::usage);
  if (probe.sites.empty() || orientations.empty())
    throw Error("a probe needs a site and an orientation", Error::Kind::usage);
  const auto wrong = [](double sigma, double epsilon, double charge, glm::dvec3 place) {
    return !(sigma >= 0) || !(epsilon >= 0) || !std::isfinite(sigma + epsilon + charge + place.x + place.y + place.z);
  };
  for (const ProbeSite& site : probe.sites)
    if (wrong(site.sigma, site.epsilon, site.charge, site.place))
      throw Error("a site of the probe has a negative or no number", Error::Kind::usage);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (wrong(atoms[i].sigma, atoms[i].epsilon, atoms[i].charge, atoms[i].position))
      throw Error(fmt::format("atom {}: sigma and epsilon of 0 or more and finite coordinates are needed", i + 1),
                  Error::Kind::usage);
  if (options.buckingham.empty()) return;
  if (probe.sites.size() != 1 || options.charges)
    throw Error("Buckingham's law is of a probe of one site, without charges", Error::Kind::usage);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (atoms[i].kind >= options.buckingham.size())
      throw Error(fmt::format("atom {}: its kind has no parameters of Buckingham's law", i + 1), Error::Kind::usage);
}

using Key = std::array<double, 3>;

std::uint32_t number_of(std::map<Key, std::uint32_t>& known, const Key& key) {
  return known.emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
}

/// What makes atoms of one kind.
Key key_of(const ProbedAtom& atom, const ProbeOptions& options) {
  if (!options.buckingham.empty()) return {static_cast<double>(atom.kind), 0, 0};
  return {atom.sigma, atom.epsilon, options.charges ? atom.charge : 0.0};
}

bool acts(const ProbedAtom& atom, const ProbeOptions& options) {
  if (!options.buckingham.empty()) return options.buckingham[atom.kind].a > 0;
  return atom.epsilon != 0 || (options.charges && atom.charge != 0);
}

ProbeLaw law_of(const Key& atom, const Key& site, const ProbeOptions& options) {
  const double kt = probe_kt(options.temperature);
  if (!options.buckingham.empty()) {
    const BuckinghamPair& pair = options.buckingham[static_cast<std::size_t>(atom[0])];
    const double top = pair.extrema().top;
    return {pair.a / kt, pair.b, pair.c / kt, top * top};
  }
  const double sigma = options.mixing == LjMixing::geometric ? std::sqrt(atom[0] * site[0]) : 0.5 * (atom[0] + site[0]);
  const double epsilon = std::sqrt(atom[1] * site[1]), s6 = std::pow(sigma, 6);
  return {4 * epsilon * s6 * s6 / kt, 4 * epsilon * s6 / kt,
          options.charges ? units::coulomb_kcal_angstrom * atom[2] * site[2] / kt : 0.0};
}

/// How far the law goes below 0, kT, charges aside.
double depth_of(const Key& atom, const ProbeLaw& law, const ProbeOptions& options) {
  if (options.buckingham.empty()) return law.a > 0 ? law.b * law.b / (4 * law.a) : 0;
  const BuckinghamPair& pair = options.buckingham[static_cast<std::size_t>(atom[0])];
  const double bottom = pair.extrema().bottom;
  return std::isfinite(bottom) ? std::max(0.0, -pair.energy(bottom) / probe_kt(options.temperature)) : 0;
}

/// Within which a law is above an energy (kT) that no depth of other atoms is likely to make up for, angstrom.
double wall_of(const Key& atom, const ProbeLaw& law, const ProbeOptions& options) {
  constexpr double wall = 4 * probe_ceiling;
  if (!(law.a > 0)) return 0;
  if (options.buckingham.empty())
    return std::pow((law.b + std::sqrt(law.b * law.b + 4 * law.a * wall)) / (2 * law.a), -1.0 / 6);
  const double top = options.buckingham[static_cast<std::size_t>(atom[0])].extrema().top;
  return std::max(top, law.a > wall ? std::log(law.a / wall) / law.b : 0.0);
}

}  // namespace

BuckinghamPair::Extrema BuckinghamPair::extrema() const {
  if (!(a >= 0) || !(c >= 0) || !std::isfinite(a + b + c) || (a > 0 && !(b > 0)) || (a == 0 && c > 0))
    throw Error(fmt::format("Buckingham's law needs A and C of 0 or more and B above 0, not {}, {} and {}", a, b, c),
                Error::Kind::usage);
  const double infinity = std::numeric_limits<double>::infinity();
  if (c == 0) return {0, infinity};
  // V' = 0 where r^7 exp(-b r) = 6 c / (a b); the left side is highest at 7 / b.
  const double middle = 7 / b, level = std::log(6 * c / (a * b));
  const auto above = [&](double r) { return 7 * std::log(r) - b * r > level; };
  if (!above(middle))
    throw Error(fmt::format("Buckingham's law with A = {}, B = {}, C = {} has no barrier: it attracts at any distance",
                            a, b, c),
                Error::Kind::usage);
  double inner = 0, outer = middle, far = 2 * middle;
  while (above(far)) far *= 2;
  double near = middle;
  for (int i = 0; i < 200; ++i) {
    const double low = 0.5 * (inner + outer), high = 0.5 * (near + far);
    (above(low) ? outer : inner) = low;
    (above(high) ? near : far) = high;
  }
  return {outer, near};
}

double BuckinghamPair::energy(double r) const {
  return a * std::exp(-b * r) - c / std::pow(r, 6);
}

double probe_kt(double temperature) {
  return units::boltzmann * units::avogadro / (units::calorie_in_joule * 1000) * temperature;
}

GridBox box_of(const Grid& grid) {
  GridBox box{grid.point(0, 0, 0), grid.point(0, 0, 0)};
  for (int corner = 1; corner < 8; ++corner) {
    const glm::dvec3 p = grid.point(corner & 1 ? grid.counts.x - 1 : 0, corner & 2 ? grid.counts.y - 1 : 0,
                                    corner & 4 ? grid.counts.z - 1 : 0);
    box.lower = glm::min(box.lower, p);
    box.upper = glm::max(box.upper, p);
  }
  return box;
}

ProbeSystem probe_system(std::span<const ProbedAtom> atoms, const Cell& cell, const Probe& probe,
                         std::span<const glm::dquat> orientations, glm::dvec3 lower, glm::dvec3 upper,
                         const ProbeOptions& options) {
  check(atoms, probe, orientations, options);
  ProbeSystem system;
  system.cutoff = options.cutoff;
  system.terms = !options.buckingham.empty() ? ProbeTerms::buckingham
                 : options.charges           ? ProbeTerms::with_charges
                                             : ProbeTerms::lennard_jones;
  system.reach = options.cutoff + probe_extent(probe);
  std::map<Key, std::uint32_t> site_kinds, atom_kinds;
  for (const ProbeSite& site : probe.sites)
    system.site_kind.push_back(number_of(site_kinds, {site.sigma, site.epsilon, options.charges ? site.charge : 0.0}));
  system.site_kinds = site_kinds.size();
  for (const glm::dquat& turn : orientations)
    for (const ProbeSite& site : probe.sites) system.offsets.push_back(turn * site.place);
  // All images of the atoms that are in the box and what the probe reaches around it.
  const glm::dvec3 low = lower - system.reach, high = upper + system.reach;
  const bool periodic = cell.exists();
  const glm::dmat3 inverse = periodic ? glm::inverse(cell.vectors) : glm::dmat3(1.0);
  glm::dvec3 first(1e300), last(-1e300);
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 f =
        inverse * glm::dvec3(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z);
    first = glm::min(first, f);
    last = glm::max(last, f);
  }
  std::vector<glm::dvec3> places;
  std::vector<std::uint32_t> kinds;
  for (const ProbedAtom& atom : atoms) {
    if (!acts(atom, options)) continue;
    const std::uint32_t kind = number_of(atom_kinds, key_of(atom, options));
    const auto add = [&](glm::dvec3 place) {
      if (glm::any(glm::lessThan(place, low)) || glm::any(glm::greaterThan(place, high))) return;
      places.push_back(place);
      kinds.push_back(kind);
    };
    if (!periodic) {
      add(atom.position);
      continue;
    }
    const glm::dvec3 f = inverse * atom.position, from = glm::ceil(first - f), to = glm::floor(last - f);
    for (double k = from.z; k <= to.z; ++k)
      for (double j = from.y; j <= to.y; ++j)
        for (double i = from.x; i <= to.x; ++i) add(atom.position + cell.vectors * glm::dvec3(i, j, k));
  }
  system.laws.resize(std::max<std::size_t>(1, atom_kinds.size()) * system.site_kinds);
  system.depths.resize(std::max<std::size_t>(1, atom_kinds.size()));
  for (const auto& [atom, row] : atom_kinds) {
    std::vector<double> depth(system.site_kinds);
    for (const auto& [site, column] : site_kinds) {
      const ProbeLaw law = law_of(atom, site, options);
      system.laws[row * system.site_kinds + column] = law;
      depth[column] = depth_of(atom, law, options);
      system.near = std::clamp(wall_of(atom, law, options), system.near, system.cutoff);
    }
    for (const std::uint32_t kind : system.site_kind) system.depths[row] += depth[kind];
  }
  system.middle = 0.5 * (lower + upper);
  std::vector<Ball> balls;
  for (const glm::dvec3& place : places) {
    const glm::vec3 p(place - system.middle);
    balls.push_back({p.x, p.y, p.z, 0});
  }
  if (balls.empty()) {  // one that nothing meets, so that there are cells
    system.starts = {0, 0};
    system.cells = {{0, 0, 0}, 0, {1, 1, 1}};
    return system;
  }
  BallCells cells = sort_into_cells(balls, probe_cell);
  system.cells = cells.grid;
  system.starts = std::move(cells.starts);
  for (const std::uint32_t i : cells.order) {
    system.places.push_back(places[i]);
    system.kinds.push_back(kinds[i]);
  }
  return system;
}

}  // namespace isolume
