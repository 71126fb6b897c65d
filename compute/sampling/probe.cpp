// The probes that are built in, and even sets of orientations.
#include "compute/sampling/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double kcal_per_kelvin = units::boltzmann * units::avogadro / (units::calorie_in_joule * 1000);
constexpr double per_half_minimum = 1.7817974362806785;  // sigma of half the distance of the minimum: 2 / 2^(1/6)

ProbeSite on_axis(double z, double sigma, double epsilon, double charge = 0) {
  return {{0, 0, z}, sigma, epsilon, charge};
}

// CHARMM27's oxygen (OM) and carbon (CM) of gases at a heme.
constexpr double om_sigma = 1.7 * per_half_minimum, om_epsilon = 0.12;
constexpr double cm_sigma = 2.1 * per_half_minimum, cm_epsilon = 0.11;

std::vector<Probe> make_probes() {
  return {
      {"Ar", "OPLS-AA (opls_097)", {on_axis(0, 3.401, 0.978638 / units::calorie_in_joule)}},
      {"CH4", "TraPPE-UA, Martin and Siepmann 1998, doi:10.1021/jp972543+", {on_axis(0, 3.73, 148 * kcal_per_kelvin)}},
      {"CO",
       "CHARMM27, types CM and OM, bond 1.128 A",
       {on_axis(-0.564, cm_sigma, cm_epsilon, 0.021), on_axis(0.564, om_sigma, om_epsilon, -0.021)}},
      {"H2", "Buch 1994, doi:10.1063/1.466962, one site", {on_axis(0, 2.96, 34.2 * kcal_per_kelvin)}},
      {"N2",
       "TraPPE, Potoff and Siepmann 2001, doi:10.1002/aic.690470719",
       {on_axis(-0.55, 3.31, 36.0 * kcal_per_kelvin, -0.482), on_axis(0, 0, 0, 0.964),
        on_axis(0.55, 3.31, 36.0 * kcal_per_kelvin, -0.482)}},
      {"NO",
       "CHARMM27, types NH1 and OM, without charges, bond 1.151 A: a combination of this program",
       {on_axis(-0.5755, 1.85 * per_half_minimum, 0.20), on_axis(0.5755, om_sigma, om_epsilon)}},
      {"O2",
       "CHARMM27, type OM, without charges, bond 1.21 A",
       {on_axis(-0.605, om_sigma, om_epsilon), on_axis(0.605, om_sigma, om_epsilon)}},
      {"Xe",
       "sigma 3.975 A, epsilon 214.7 K: a definition of this program",
       {on_axis(0, 3.975, 214.7 * kcal_per_kelvin)}},
  };
}

bool same(const ProbeSite& a, const ProbeSite& b) {
  return a.sigma == b.sigma && a.epsilon == b.epsilon && a.charge == b.charge;
}

// The direction of the line that all sites are on; 0 where they are not on one through the middle, or all are there.
glm::dvec3 axis_of(const Probe& probe) {
  glm::dvec3 axis(0);
  for (const ProbeSite& site : probe.sites)
    if (glm::length(site.place) > glm::length(axis)) axis = site.place;
  if (glm::length(axis) < 1e-6) return glm::dvec3(0);
  axis = glm::normalize(axis);
  for (const ProbeSite& site : probe.sites)
    if (glm::length(glm::cross(axis, site.place)) > 1e-6) return glm::dvec3(0);
  return axis;
}

bool ends_equal(const Probe& probe) {
  return std::all_of(probe.sites.begin(), probe.sites.end(), [&](const ProbeSite& a) {
    return std::any_of(probe.sites.begin(), probe.sites.end(),
                       [&](const ProbeSite& b) { return same(a, b) && glm::length(a.place + b.place) < 1e-6; });
  });
}

glm::dquat turn(glm::dvec3 from, glm::dvec3 to) {
  const double cosine = glm::dot(from, to);
  if (cosine < -1 + 1e-12) {
    const glm::dvec3 other = std::abs(from.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    return glm::angleAxis(units::pi, glm::normalize(glm::cross(from, other)));
  }
  const glm::dvec3 axis = glm::cross(from, to);
  return glm::normalize(glm::dquat(1 + cosine, axis.x, axis.y, axis.z));
}

}  // namespace

const std::vector<Probe>& built_in_probes() {
  static const std::vector<Probe> probes = make_probes();
  return probes;
}

const Probe& built_in_probe(std::string_view name) {
  const auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
  };
  std::string names;
  for (const Probe& probe : built_in_probes()) {
    if (lower(probe.name) == lower(name)) return probe;
    names += (names.empty() ? "" : ", ") + probe.name;
  }
  throw Error(fmt::format("'{}' is neither a file nor a known probe; known are {}", name.substr(0, 60), names),
              Error::Kind::usage);
}

std::vector<glm::dquat> probe_orientations(const Probe& probe, int count) {
  if (count < 1 || count > 100'000)
    throw Error(fmt::format("{} orientations: from 1 to 100 000 can be sampled", count), Error::Kind::usage);
  if (probe_extent(probe) < 1e-6) return {glm::dquat(1, 0, 0, 0)};
  std::vector<glm::dquat> turns;
  const glm::dvec3 axis = axis_of(probe);
  if (glm::length(axis) > 0) {
    const bool half = ends_equal(probe);
    const double golden = units::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < count; ++i) {
      const double z = half ? 1 - (i + 0.5) / count : 1 - (2.0 * i + 1) / count;
      const double r = std::sqrt(1 - z * z);
      turns.push_back(turn(axis, {r * std::cos(golden * i), r * std::sin(golden * i), z}));
    }
    return turns;
  }
  constexpr double psi = 1.533751168755204288118041;  // psi^4 = psi + 4
  for (int i = 0; i < count; ++i) {
    const double s = i + 0.5, t = s / count, d = 2 * units::pi * s;
    const double r = std::sqrt(t), q = std::sqrt(1 - t), a = d / std::sqrt(2.0), b = d / psi;
    turns.emplace_back(q * std::cos(b), r * std::sin(a), r * std::cos(a), q * std::sin(b));
  }
  return turns;
}

double probe_extent(const Probe& probe) {
  double extent = 0;
  for (const ProbeSite& site : probe.sites) extent = std::max(extent, glm::length(site.place));
  return extent;
}

}  // namespace isolume
