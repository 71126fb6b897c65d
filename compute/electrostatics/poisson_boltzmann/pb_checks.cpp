// Checks of a Poisson-Boltzmann problem before and after its surface is known.
#include "compute/electrostatics/poisson_boltzmann/pb_checks.h"

#include <fmt/format.h>

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "compute/base/checks.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/molecular_surface/sphere_cells.h"

namespace isolume {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error("Poisson-Boltzmann: " + message, Error::Kind::usage);
}

void within(double value, double least, double most, const char* what) {
  if (value >= least && value <= most) return;
  refuse(fmt::format("{} of {:g}; expected {:g} to {:g}", what, value, least, most));
}

void check_options(const PoissonBoltzmannOptions& o) {
  within(o.solute_permittivity, 1, 1000, "a permittivity of the solute");
  within(o.solvent_permittivity, 1, 1000, "a permittivity of the solvent");
  within(o.temperature, 1, 1e4, "a temperature in K");
  within(o.probe_radius, 0, 100, "a probe radius in angstrom");
  within(o.tolerance, 1e-10, 1e-1, "a tolerance");
  if (o.spline_degree != 3 && o.spline_degree != 7)
    refuse(fmt::format("splines of degree {}; expected 3 or 7", o.spline_degree));
  if (o.boundary == DielectricBoundary::smooth || o.boundary == DielectricBoundary::spline)
    within(o.width, 0.05, 2, "a width of the boundary in angstrom");
  within(o.ion_size, 0, 20, "a size of the ions in angstrom");
  if (o.ion_size > 0 && !o.nonlinear) refuse("ions of a size belong to the non-linear equation");
  double filled = 0;
  for (const IonSpecies& ion : o.ions) filled += ion.concentration * 6.02214076e-4 * std::pow(o.ion_size, 3);
  if (filled >= 1) refuse(fmt::format("ions of {:g} angstrom at this concentration leave no room", o.ion_size));
  if (o.boundary == DielectricBoundary::gaussian) within(o.gaussian_width, 0.3, 3, "a width of the Gaussian");
  if (o.membrane) {
    within(o.membrane->thickness, 1, 1000, "a thickness of the membrane in angstrom");
    within(o.membrane->permittivity, 1, 1000, "a permittivity of the membrane");
    within(o.membrane->pore.value_or(0), 0, 1000, "a radius of the pore in angstrom");
  }
  if (o.most_cycles < 1) refuse(fmt::format("{} cycles; expected 1 or more", o.most_cycles));
  double charge = 0, strength = 0;
  std::size_t kinds = 0;
  for (const IonSpecies& ion : o.ions) {
    within(ion.charge, -10, 10, "an ion's charge");
    within(ion.concentration, 0, 100, "a concentration in mol/l");
    within(ion.radius, 0, 100, "an ion's radius in angstrom");
    charge += ion.charge * ion.concentration;
    strength += std::abs(ion.charge) * ion.concentration;
    kinds += ion.concentration > 0 && ion.charge != 0;
  }
  if (kinds > static_cast<std::size_t>(PbIons::most))
    refuse(fmt::format("{} kinds of ions; expected at most {}", kinds, PbIons::most));
  if (std::abs(charge) > 1e-6 * strength)
    refuse(fmt::format("the ions have {:g} e mol/l together; expected a neutral electrolyte", charge));
}

}  // namespace

void pb_check_overlap(std::span<const ChargedSphere> atoms) {
  constexpr float least = 0.2f;  // angstrom; bonds are longer than 0.7
  std::vector<Ball> balls;
  std::vector<std::size_t> from;
  balls.reserve(atoms.size());
  from.reserve(atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (!(atoms[i].radius > 0) || atoms[i].charge == 0) continue;
    balls.push_back({atoms[i].position.x, atoms[i].position.y, atoms[i].position.z, least});
    from.push_back(i);
  }
  if (balls.empty()) return;
  const BallCells cells = sort_into_cells(balls, 2.0);
  const auto apart = [&](std::uint32_t i, std::uint32_t k) {
    const Ball &a = cells.balls[i], &b = cells.balls[k];
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return std::sqrt(x * x + y * y + z * z);
  };
  // Of every block of atoms the first pair, so that the message is the same whatever the threads do.
  constexpr std::size_t block = 4096;
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<std::vector<Pair>> found((cells.balls.size() + block - 1) / block);
  oneapi::tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t n) {
    const auto end = static_cast<std::uint32_t>(std::min(cells.balls.size(), (n + 1) * block));
    for (auto i = static_cast<std::uint32_t>(n * block); i < end && found[n].empty(); ++i) {
      const Ball& a = cells.balls[i];
      cells.near(double{a.x}, double{a.y}, double{a.z}, double{least}, [&](std::uint32_t k) {
        if (k > i && found[n].empty() && apart(i, k) < least) found[n].emplace_back(i, k);
      });
    }
  });
  for (const std::vector<Pair>& pairs : found) {
    if (pairs.empty()) continue;
    const auto [i, k] = pairs.front();
    const std::size_t one = from[cells.order[i]], other = from[cells.order[k]];
    refuse(
        fmt::format("atoms {} and {} overlap: they are {:.3f} angstrom apart, expected {} or more (two copies, or "
                    "alternate locations, in one model?)",
                    std::min(one, other) + 1, std::max(one, other) + 1, apart(i, k), least));
  }
}

void pb_check(std::span<const ChargedSphere> atoms, const Grid& grid, const PoissonBoltzmannOptions& options,
              Span<float> potential) {
  check_options(options);
  check_grid(grid, "Poisson-Boltzmann");
  if (!grid.axis_aligned()) refuse("the grid's axes are not x, y and z; expected an axis-aligned grid");
  if (std::min({grid.counts.x, grid.counts.y, grid.counts.z}) < 2) refuse("a grid of one layer; expected two or more");
  for (int axis = 0; axis < 3; ++axis)
    if (!(grid.step[axis][axis] > 0)) refuse("a grid that runs backwards; expected steps along +x, +y and +z");
  const double longest = std::max({grid.step[0][0], grid.step[1][1], grid.step[2][2]});
  const double shortest = std::min({grid.step[0][0], grid.step[1][1], grid.step[2][2]});
  if (longest > 4 * shortest)
    refuse(fmt::format("steps of {:g} and {:g} angstrom; expected none over 4 times another", shortest, longest));
  if (!potential.empty() && potential.size != grid.size())
    refuse(fmt::format("{} values for {} points", potential.size, grid.size()));
  if (!potential.empty() && options.core) refuse("a potential on the whole grid, but a solution on a part of it");
  if (atoms.empty()) refuse("no atoms");
  check_finite(atoms, "atom",
               [](const ChargedSphere& s) { return s.position.x + s.position.y + s.position.z + s.charge + s.radius; });
  bool any = false;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (atoms[i].permittivity != 0)
      within(static_cast<double>(atoms[i].permittivity), 1, 1000, "a permittivity of an atom");
    if (atoms[i].radius < 0) refuse(fmt::format("atom {}: a radius of {} angstrom", i + 1, atoms[i].radius));
    any = any || atoms[i].radius > 0;
    if (options.focus || atoms[i].charge == 0) continue;
    const glm::dvec3 at = grid.coordinates(glm::dvec3(atoms[i].position));
    if (glm::any(glm::lessThan(at, glm::dvec3(0))) || glm::any(glm::greaterThan(at, glm::dvec3(grid.counts - 1))))
      refuse(
          fmt::format("the charge of atom {} at ({:.2f}, {:.2f}, {:.2f}) is outside of the grid; expected a grid "
                      "around all charges, or focusing",
                      i + 1, atoms[i].position.x, atoms[i].position.y, atoms[i].position.z));
  }
  if (!any) refuse("no atom has a radius; expected charges and radii, as of a PQR file");
}

void pb_check_stage(std::span<const ChargedSphere> atoms, const PbStage& stage,
                    const PoissonBoltzmannOptions& options) {
  const std::vector<std::uint8_t> lost = stage.without_nodes();
  bool any = false;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const glm::dvec3 at(atoms[i].position);
    any = any || stage.box().contains(at);
    if (atoms[i].charge == 0 || !lost[i]) continue;
    double depth = -1e30;
    for (const ChargedSphere& other : atoms)
      depth = std::max(depth, static_cast<double>(other.radius) - glm::distance(at, glm::dvec3(other.position)));
    if (depth <= 0)
      refuse(
          fmt::format("the charge of atom {} is outside of every atom's radius, in the solvent; expected radii that "
                      "enclose the charges",
                      i + 1));
    refuse(fmt::format(
        "steps of {:g} angstrom are too long: no node around the charge of atom {} is in the solute; "
        "expected {:.2g} angstrom or less",
        std::max({stage.box().step.x, stage.box().step.y, stage.box().step.z}), i + 1, std::max(0.1, depth / 1.8)));
  }
  if (options.focus) return;
  if (!any) refuse("no atom is within the grid");
  if (stage.solute_on_faces()) refuse("the grid cuts the solute; expected a larger grid, or focusing");
}

}  // namespace isolume
