// Poisson-Boltzmann where the dielectric is not two constants: Gaussians, several permittivities, a membrane.
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"

#include <algorithm>
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;
using PoissonBoltzmannMedia = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PoissonBoltzmannMedia);

PoissonBoltzmannOptions pure(double inside, double outside = 78.54) {
  PoissonBoltzmannOptions options;
  options.solute_permittivity = inside;
  options.solvent_permittivity = outside;
  options.ions = {};
  options.boundary = DielectricBoundary::van_der_waals;
  return options;
}

ChargedSphere atom(glm::vec3 place, float charge, float radius, float permittivity = 0) {
  return {place, charge, radius, permittivity};
}

Grid box(glm::dvec3 half, double step, glm::dvec3 centre = glm::dvec3(0)) {
  glm::ivec3 n(0);
  for (int axis = 0; axis < 3; ++axis) n[axis] = 2 * static_cast<int>(std::lround(half[axis] / step)) + 1;
  return make_grid(centre - 0.5 * step * glm::dvec3(n - 1), glm::dvec3(step), n);
}

PoissonBoltzmannResult solve(Device device, const std::vector<ChargedSphere>& atoms, const Grid& grid,
                             const PoissonBoltzmannOptions& options) {
  Job job;
  Span<float> none;
  none.device = device;
  return poisson_boltzmann(atoms, grid, options, none, job);
}

/// What a value may be off by that moved by `change` from steps 2 h to h. Of a method of first order, as this is at a
/// surface, the change is the error; with two grids alone three times that is a bound (the grid convergence index:
/// Roache, Annu. Rev. Fluid Mech. 29, 123 (1997)). `least` is what single precision leaves of a value.
double allowed(double change, double value) {
  constexpr double least = 1e-5;
  return 3 * std::abs(change) + least * std::abs(value);
}
double allowed(const PoissonBoltzmannResult& r) {
  return allowed(r.solvation_energy - r.coarse_energy, r.solvation_energy);
}

/// kT/e, and by what they may be off.
struct AtPoints {
  std::vector<double> values, allowed;
};
AtPoints at_points(Device device, const std::vector<ChargedSphere>& atoms, const Grid& grid,
                   const PoissonBoltzmannOptions& options, const std::vector<glm::dvec3>& points) {
  Job job;
  const PoissonBoltzmannPoints found = poisson_boltzmann_at(atoms, grid, options, points, device, job);
  AtPoints at;
  for (std::size_t i = 0; i < points.size(); ++i) {
    at.values.push_back(found.potential[i] / volts);
    at.allowed.push_back(allowed(found.errors[i] / volts, at.values[i]));
  }
  return at;
}

/// kT/e, of a charge in a slab from -d/2 to d/2 of permittivity m in water w, itself left out: images of the images
/// (Parsegian, Nature 221, 844 (1969), for the charge in the middle).
struct Slab {
  double d, m, w;
  double share() const { return (m - w) / (m + w); }

  /// In the slab, of a charge at (0, 0, from) and at a distance `away` from its axis.
  double inside(double from, double away, double z, bool itself) const {
    double sum = 0;
    for (int n = -400; n <= 400; ++n) {
      if (n == 0 && !itself) continue;
      // The n-th image is at n d + (-1)^n from.
      const double image = n * d + (n % 2 == 0 ? from : -from);
      sum += std::pow(share(), std::abs(n)) / std::hypot(away, z - image);
    }
    return bjerrum / m * sum;
  }
  /// Above it, in the water.
  double above(double from, double away, double z) const {
    double sum = 0;
    for (int n = 0; n <= 400; ++n) {
      const double image = n == 0 ? from : -(n * d + (n % 2 == 0 ? -from : from));
      sum += std::pow(share(), n) / std::hypot(away, z - image);
    }
    return bjerrum * 2 / (m + w) * sum;
  }
};

TEST(SurfaceArcs, serve_grids_of_several_steps) {
  std::vector<DensityAtom> atoms;
  Random random(5);
  while (atoms.size() < 14) {
    const glm::dvec3 at = random.in_box(-3, 3);
    if (std::none_of(atoms.begin(), atoms.end(),
                     [&](const DensityAtom& a) { return glm::distance(glm::dvec3(a.position), at) < 1.2; }))
      atoms.push_back({glm::vec3(at), static_cast<float>(random(1.1, 1.9)), {}});
  }
  const MolecularSurfaceOptions options{SolventSurface::excluded, 1.4f};
  Job job;
  const SurfaceArcs arcs(atoms, options, job);
  for (const double step : {1.5, 0.75, 0.5}) {
    const Grid grid = box(glm::dvec3(6), step);
    std::vector<float> depth(grid.size()), directly(grid.size());
    arcs.depth(grid, Span<float>(depth), job);
    molecular_surface(atoms, grid, options, Span<float>(directly), {}, job);
    EXPECT_EQ(depth, directly) << step;
    std::vector<double> expected(grid.size());
    molecular_surface_reference(atoms, grid, options, expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // 0.01 of a step at the surface, at most, and in the inverse of the distance to the probes' centres elsewhere.
      if (std::abs(expected[i]) < 0.5) {
        ASSERT_NEAR(static_cast<double>(depth[i]), expected[i], 0.03 * step) << step << " " << i;
      }
    }
  }
}

TEST(PoissonBoltzmannSlab, has_parsegians_energy_as_its_series) {
  const Slab slab{30, 2, 78.54};
  const double series = slab.inside(0, 0, 0, false);
  EXPECT_NEAR(series, -2 * bjerrum / (2 * 30) * std::log(2 * 78.54 / (78.54 + 2)), 1e-3 * std::abs(series));
  // The potential is continuous at the face.
  EXPECT_NEAR(slab.inside(4, 3, 15, true), slab.above(4, 3, 15), 1e-3 * slab.above(4, 3, 15));
}

// A charge in a sphere of the membrane's own permittivity.
TEST_P(PoissonBoltzmannMedia, of_a_charge_in_a_membrane_are_those_of_the_images) {
  const Slab slab{20, 2, 78.54};
  PoissonBoltzmannOptions options = pure(slab.m, slab.w);
  options.membrane = PoissonBoltzmannMembrane{1, slab.d, slab.m, std::nullopt, std::nullopt};
  for (const double from : {0.0, 5.0}) {
    const std::vector<ChargedSphere> atoms{atom(glm::vec3(0.1f, -0.2f, static_cast<float>(1 + from)), 1, 3)};
    const double exact = slab.inside(from, 0, from, false);
    double last = 1e300;
    for (const double step : {1.0, 0.5}) {
      const PoissonBoltzmannResult r = solve(GetParam(), atoms, box({14, 14, 18}, step), options);
      const double apart = std::abs(r.reaction_potential[0] / volts - exact);
      const double energy = units::ev_in_kcal_per_mol * volts / 2;  // of a unit charge in 1 kT/e
      EXPECT_LE(apart, std::min(allowed(r) / energy, (step == 1 ? 0.12 : 0.04) * std::abs(exact)))
          << from << " " << step << " " << apart / exact;
      EXPECT_LT(apart, last);
      last = apart;
    }
    const AtPoints at =
        at_points(GetParam(), atoms, box({14, 14, 18}, 0.5), options, {{6, 0, 1}, {0, 9, 4}, {0, 0, 14}, {4, 3, 13}});
    const auto away = [](double x, double y) { return std::hypot(x - 0.1, y + 0.2); };
    EXPECT_NEAR(at.values[0], slab.inside(from, away(6, 0), 0, true), std::min(at.allowed[0], 0.5));
    EXPECT_NEAR(at.values[1], slab.inside(from, away(0, 9), 3, true), std::min(at.allowed[1], 0.5));
    // Outside of the slab the change alone, which is the error that is shown, is enough.
    EXPECT_NEAR(at.values[2], slab.above(from, away(0, 0), 13), at.allowed[2] / 3);
    EXPECT_NEAR(at.values[3], slab.above(from, away(4, 3), 12), at.allowed[3] / 3);
  }
}

// What is wrong on the faces is wrong by no more anywhere inside (the maximum principle). The sums there know no
// membrane, so they must be far: four thicknesses beyond the grid.
TEST_P(PoissonBoltzmannMedia, of_a_membrane_have_faces_far_from_it) {
  const Slab slab{20, 2, 78.54};
  PoissonBoltzmannOptions options = pure(slab.m, slab.w);
  options.membrane = PoissonBoltzmannMembrane{0, slab.d, slab.m, std::nullopt, std::nullopt};
  const std::vector<ChargedSphere> atoms{atom({0.1f, -0.2f, 0}, 1, 3)};
  const auto wrong = [&](double thicknesses) {
    const double side = 16 + thicknesses * slab.d, top = 20 + thicknesses * slab.d, water = bjerrum / slab.w;
    return std::max(std::abs(slab.inside(0, side, 0, true) - water / side),
                    std::abs(slab.above(0, 0, top) - water / top));
  };
  const double left = wrong(4);
  EXPECT_LT(left, 0.4 * wrong(2));
  const AtPoints at = at_points(GetParam(), atoms, box({16, 16, 20}, 0.5), options,
                                {{14, 0, 14}, {0, -13, -15}, {0, 0, 18}, {9, 9, -17}});
  const std::vector<glm::dvec2> places{
      {std::hypot(13.9, 0.2), 14}, {std::hypot(0.1, 12.8), 15}, {std::hypot(0.1, 0.2), 18}, {std::hypot(8.9, 9.2), 17}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double exact = slab.above(0, places[i].x, places[i].y);
    EXPECT_NEAR(at.values[i], exact, left + at.allowed[i]) << i;
    EXPECT_LT(at.allowed[i], 0.05 * exact) << i;  // or it would say nothing
  }
}

TEST_P(PoissonBoltzmannMedia, of_a_membrane_of_water_are_those_without) {
  PoissonBoltzmannOptions options = pure(2);
  const std::vector<ChargedSphere> atoms{atom({0.1f, -0.2f, 0.3f}, 1, 2), atom({2, 1, -1}, -1, 1.5f)};
  const Grid grid = box({8, 8, 8}, 0.5);
  const PoissonBoltzmannResult alone = solve(GetParam(), atoms, grid, options);
  const double plain = alone.solvation_energy;
  options.membrane = PoissonBoltzmannMembrane{0, 10, 78.54, std::nullopt, std::nullopt};
  // Both have their own boxes; each may be off by its own error.
  const PoissonBoltzmannResult water = solve(GetParam(), atoms, grid, options);
  EXPECT_NEAR(water.solvation_energy, plain, std::min(allowed(water) + allowed(alone), 2e-3 * std::abs(plain)));
  // A pore as wide as the box leaves no membrane near. The energy of a dipole p in a cavity of radius R of water
  // changes by less than C p^2 / (R^3 2) (Onsager's factor below 1/2): 0.006 kcal/mol of this one with R = 60.
  options.membrane->permittivity = 2;
  options.membrane->pore = 60;
  const PoissonBoltzmannResult open = solve(GetParam(), atoms, grid, options);
  EXPECT_NEAR(open.solvation_energy, plain, std::min(allowed(open) + allowed(alone) + 0.006, 5e-3 * std::abs(plain)));
  options.membrane->pore = 0;
  EXPECT_GT(solve(GetParam(), atoms, grid, options).solvation_energy, plain + 5);
}

/// A ring of spheres about z: what it encloses is water, in its own planes alone.
std::vector<ChargedSphere> ring() {
  std::vector<ChargedSphere> atoms;
  for (int layer = -2; layer <= 2; ++layer)
    for (int i = 0; i < 24; ++i) {
      const double angle = 2 * units::pi * i / 24;
      atoms.push_back(atom(glm::vec3(8 * std::cos(angle), 8 * std::sin(angle), 2 * layer), 0, 1.8f));
    }
  atoms.front().charge = 1;
  return atoms;
}

TEST(PoissonBoltzmannPore, is_what_the_molecule_encloses_in_a_plane) {
  PoissonBoltzmannOptions options = pure(2);
  options.membrane = PoissonBoltzmannMembrane{0, 16, 2, std::nullopt, std::nullopt};
  Job job;
  const std::vector<ChargedSphere> atoms = ring();
  const PbSlab slab(atoms, options, job);
  EXPECT_FALSE(slab.holds({0, 0, 0}));
  EXPECT_FALSE(slab.holds({4, 1, 3}));
  EXPECT_TRUE(slab.holds({0, 0, 7.5}));  // above the ring
  EXPECT_TRUE(slab.holds({11, 0, 0}));
  EXPECT_TRUE(slab.holds({100, 0, 0}));
  EXPECT_FALSE(slab.holds({11, 0, 8.5}));  // outside of the slab
  options.membrane->pore = 3;
  const PbSlab cylinder(atoms, options, job);
  EXPECT_FALSE(cylinder.holds({0, 2.9, 7}));
  EXPECT_TRUE(cylinder.holds({0, 3.1, 0}));
}

TEST(PoissonBoltzmannPore, has_ions_and_the_membrane_has_none) {
  PoissonBoltzmannOptions options = pure(2);
  options.ions = {{1, 0.15, 2}, {-1, 0.15, 2}};
  options.membrane = PoissonBoltzmannMembrane{0, 16, 2, std::nullopt, std::nullopt};
  Job job;
  const std::vector<ChargedSphere> atoms = ring();
  const PbMediaMaker media(atoms, options, job);
  PbProblem problem;
  PbBox whole;
  whole.step = glm::dvec3(1);
  whole.counts = glm::ivec3(33);
  whole.origin = glm::dvec3(-16);
  pb_form(atoms, media, whole, options, problem, job);
  const auto node = [&](int x, int y, int z) { return problem.index({x + 16, y + 16, z + 16}); };
  EXPECT_GT(problem.kappa[node(0, 0, 0)], 0);
  EXPECT_EQ(problem.kappa[node(14, 0, 0)], 0);
  EXPECT_GT(problem.kappa[node(14, 0, 12)], 0);
  EXPECT_EQ(problem.cx[node(14, 0, 0)], 2);
  EXPECT_NEAR(static_cast<double>(problem.cx[node(0, 0, 0)]), 78.54, 1e-4);
}

// Spheres that do not touch, each with its own permittivity, and the solvent's own for the second.
TEST_P(PoissonBoltzmannMedia, of_several_permittivities_are_those_of_the_series) {
  const double es = 78.54, ea = 4, a = 3, r = 7;
  const PoissonBoltzmannOptions options = pure(2, es);
  const std::vector<ChargedSphere> atoms{atom({0, 0, 0}, 1, 3, 4), atom({0, 0, 7}, -1, 2, 78.54f)};
  const PoissonBoltzmannResult result = solve(GetParam(), atoms, box({9, 9, 12}, 0.5, {0, 0, 3}), options);
  // Of the second the sphere of the first is all that is there: Kirkwood's series for a charge outside.
  double image = 0;
  for (int n = 1; n < 200; ++n)
    image += (es - ea) * n / (ea * n + es * (n + 1)) * std::pow(a, 2 * n + 1) / std::pow(r, 2 * n + 2);
  const double second = bjerrum * (-image / es + (1 / es - 1 / ea) / r);  // less the first's potential in its own
  const PoissonBoltzmannResult coarse = solve(GetParam(), atoms, box({9, 9, 12}, 1, {0, 0, 3}), options);
  const auto bound = [&](std::size_t i) {
    const double value = result.reaction_potential[i] / volts;
    return allowed(value - coarse.reaction_potential[i] / volts, value);
  };
  EXPECT_NEAR(result.reaction_potential[1] / volts, second, std::min(bound(1), 0.02 * std::abs(second)));
  const double first = bjerrum * (-(1 / ea - 1 / es) / a - (1 / es - 1 / es) / r);
  EXPECT_NEAR(result.reaction_potential[0] / volts, first, std::min(bound(0), 0.01 * std::abs(first)));
}

TEST_P(PoissonBoltzmannMedia, of_the_same_permittivity_everywhere_are_those_of_one) {
  const std::vector<ChargedSphere> one{atom({0.1f, 0, 0}, 1, 2), atom({2.3f, 0.2f, 0}, -0.5f, 1.8f)};
  std::vector<ChargedSphere> own = one;
  for (ChargedSphere& sphere : own) sphere.permittivity = 4;
  const Grid grid = box({9, 9, 9}, 0.5);
  const double expected = solve(GetParam(), one, grid, pure(4)).solvation_energy;
  const PoissonBoltzmannResult several = solve(GetParam(), own, grid, pure(2));
  // The same equation on the same grid: no error of the discretisation is between them.
  EXPECT_NEAR(several.solvation_energy, expected, 2e-4 * std::abs(expected));
}

// Green's reciprocity: the potential at one place of a charge at another is that with the places exchanged.
TEST_P(PoissonBoltzmannMedia, of_touching_permittivities_are_reciprocal) {
  const PoissonBoltzmannOptions options = pure(2);
  const auto potential = [&](bool first, double step) {
    std::vector<ChargedSphere> atoms{atom({0, 0, 0}, 0, 4, 2), atom({5, 0, 0}, 0, 4, 10)};
    atoms[first ? 0 : 1].charge = 1;
    return at_points(GetParam(), atoms, box({14, 10, 10}, step, {2.5, 0, 0}), options,
                     {first ? glm::dvec3(5, 0, 0) : glm::dvec3(0, 0, 0)});
  };
  double last = 1e300;
  for (const double step : {0.5, 0.25}) {
    const AtPoints one = potential(true, step), other = potential(false, step);
    const double apart = std::abs(one.values[0] - other.values[0]);
    const double most = (step == 0.5 ? 0.04 : 0.02) * std::abs(other.values[0]);
    EXPECT_LE(apart, std::min(one.allowed[0] + other.allowed[0], most)) << one.values[0] << " " << other.values[0];
    EXPECT_LT(apart, last);
    last = apart;
    EXPECT_GT(std::abs(one.values[0]), 3);
  }
}

// An ion's own Gaussian: the permittivity depends on the distance alone, and the field is that of Gauss's law.
TEST_P(PoissonBoltzmannMedia, of_a_gaussian_are_those_of_gausss_law) {
  PoissonBoltzmannOptions options = pure(4);
  options.boundary = DielectricBoundary::gaussian;
  const double radius = 2, s = options.gaussian_width * radius;
  const auto exact = [&](double from) {
    double sum = 0;
    const int parts = 20000;
    const double to = 60;
    for (int i = 0; i < parts; ++i) {
      // In equal steps of 1/r, from 1/from to 1/to.
      const double inverse = 1 / to + (1 / from - 1 / to) * (i + 0.5) / parts, r = 1 / inverse;
      const double rho = std::exp(-r * r / (s * s));
      sum += (1 / from - 1 / to) / parts / (rho * 4 + (1 - rho) * 78.54);
    }
    return bjerrum * (sum + 1 / (78.54 * to));
  };
  const std::vector<ChargedSphere> atoms{atom({0.06f, -0.1f, 0.15f}, 1, 2)};
  const glm::dvec3 centre(0.06f, -0.1f, 0.15f);
  double last = 1e300;
  for (const double step : {0.5, 0.25}) {
    const std::vector<double> distances{1.5, 2, 2.5, 3, 5};
    std::vector<glm::dvec3> points;
    for (const double r : distances) points.push_back(centre + r * glm::normalize(glm::dvec3(2, 1, -1)));
    const AtPoints at = at_points(GetParam(), atoms, box(glm::dvec3(9), step), options, points);
    // Where the change is near 0 at one point it says little of it: together.
    double worst = 0, square = 0, allowed_square = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      square += std::pow(at.values[i] - exact(distances[i]), 2);
      allowed_square += std::pow(at.allowed[i], 2);
      worst = std::max(worst, std::abs(at.values[i] / exact(distances[i]) - 1));
    }
    EXPECT_LE(square, allowed_square) << step;
    EXPECT_LE(worst, step == 0.5 ? 0.16 : 0.03);
    EXPECT_LT(worst, last);
    last = worst;
  }
}

TEST(PoissonBoltzmannIons, of_a_size_fill_space_at_most) {
  PoissonBoltzmannOptions options;
  options.nonlinear = true;
  options.ions = {{2, 0.05, 2}, {-1, 0.1, 2}};
  const PbIons points = pb_ions(options);
  options.ion_size = 6;
  const PbIons ions = pb_ions(options);
  const double strength = 0.05 * 4 + 0.1, volume = 216 * 6.02214076e-4;
  for (const double u : {-8.0, -1.5, -0.1, 0.2, 2.0, 7.0}) {
    const double positive = 0.05 * std::exp(-2 * u), negative = 0.1 * std::exp(u);
    const double full = 1 + volume * (positive + negative - 0.15);
    double slope = 0;
    const double term = pb_ion_term(ions, u, slope);
    EXPECT_NEAR(term, -(2 * positive - negative) / full / strength, 1e-5 * (1 + std::abs(term)));
    double ignored = 0;
    const double h = 1e-4, above = pb_ion_term(ions, u + h, ignored), below = pb_ion_term(ions, u - h, ignored);
    EXPECT_NEAR(slope, (above - below) / (2 * h), 1e-5 * (1 + std::abs(slope)));
    EXPECT_NEAR((pb_osmotic(ions, u + h) - pb_osmotic(ions, u - h)) / (2 * h), term, 1e-5 * (1 + std::abs(term)));
    EXPECT_LE(std::abs(term), std::abs(pb_ion_term(points, u, ignored)) * (1 + 1e-6));
  }
  // Where all is filled with one kind, its charge is z / a^3.
  double slope = 0;
  EXPECT_NEAR(pb_ion_term(ions, -25, slope), -2 / volume / strength, 1e-3);
}

// A highly charged sphere in ions of a size, and the equation along the radius by finite differences.
TEST_P(PoissonBoltzmannMedia, of_ions_of_a_size_are_those_of_the_radial_equation) {
  PoissonBoltzmannOptions options = pure(2);
  options.nonlinear = true;
  options.ions = {{1, 0.2, 0}, {-1, 0.2, 0}};
  const double radius = 5, charge = 20, end = 60;
  const std::vector<ChargedSphere> atoms{atom({0, 0, 0}, 20, 5)};
  std::vector<double> at_surface;
  for (const double size : {0.0, 8.0}) {
    options.ion_size = size;
    const PbIons ions = pb_ions(options);
    const double kappa2 = std::pow(options.inverse_debye_length(), 2);
    // Unknowns at r_i; the flux r^2 phi' is -charge l / eps at the surface, and phi 0 at the end. Newton's steps.
    const int n = 4000;
    const double h = (end - radius) / n;
    std::vector<double> phi(n + 1, 0.0);
    for (int i = 0; i <= n; ++i) phi[i] = 5 * std::exp(-i * h / 4);
    phi[n] = 0;
    for (int round = 0; round < 60; ++round) {
      std::vector<double> a(n), b(n), c(n), f(n);
      for (int i = 0; i < n; ++i) {
        const double r = radius + i * h, up = std::pow(r + h / 2, 2) / h, down = i > 0 ? std::pow(r - h / 2, 2) / h : 0;
        const double cell = i > 0 ? r * r * h : radius * radius * h / 2;
        double slope = 0;
        const double term = pb_ion_term(ions, phi[i], slope);
        f[i] = up * (phi[i + 1] - phi[i]) - cell * kappa2 * term;
        f[i] += i > 0 ? -down * (phi[i] - phi[i - 1]) : bjerrum * charge / 78.54;
        a[i] = down;
        b[i] = -up - down - cell * kappa2 * slope;
        c[i] = up;
      }
      for (int i = 1; i < n; ++i) {
        const double m = a[i] / b[i - 1];
        b[i] -= m * c[i - 1];
        f[i] -= m * f[i - 1];
      }
      double change = 0, most = 0;
      std::vector<double> step(n);
      for (int i = n; i-- > 0;) {
        step[i] = change = (-f[i] - (i + 1 < n ? c[i] * change : 0)) / b[i];
        most = std::max(most, std::abs(change));
      }
      const double scale = most > 1 ? 1 / most : 1;
      for (int i = 0; i < n; ++i) phi[i] += scale * step[i];
    }
    const auto exact = [&](double r) {
      const double t = (r - radius) / h;
      const int i = static_cast<int>(t);
      return phi[i] + (t - i) * (phi[i + 1] - phi[i]);
    };
    const std::vector<glm::dvec3> points{{6.5, 0, 0}, {0, 8, 0}, {0, 0, -11}};
    const AtPoints at = at_points(GetParam(), atoms, box(glm::dvec3(16), 0.5), options, points);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_NEAR(at.values[i], exact(glm::length(points[i])), std::min(at.allowed[i], 0.03 * exact(6.5)))
          << size << " " << i;
    at_surface.push_back(at.values[0]);
  }
  EXPECT_GT(at_surface[1], 1.2 * at_surface[0]);  // ions of a size screen less
}

TEST(PoissonBoltzmannMediaChecks, name_what_is_wrong) {
  const std::vector<ChargedSphere> atoms{atom({0, 0, 0}, 1, 2)};
  const auto message = [&](PoissonBoltzmannOptions options, std::vector<ChargedSphere> list) -> std::string {
    try {
      solve(Device::cpu(), list, box(glm::dvec3(8), 1), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  PoissonBoltzmannOptions options = pure(2);
  options.membrane = PoissonBoltzmannMembrane{0, 0, 2, std::nullopt, std::nullopt};
  EXPECT_NE(message(options, atoms).find("thickness of the membrane"), std::string::npos);
  options.membrane = PoissonBoltzmannMembrane{0, 20, 0.5, std::nullopt, std::nullopt};
  EXPECT_NE(message(options, atoms).find("permittivity of the membrane"), std::string::npos);
  EXPECT_NE(message(pure(2), {atom({0, 0, 0}, 1, 2, 0.5f)}).find("permittivity of an atom"), std::string::npos);
}

}  // namespace
}  // namespace isolume
