// Poisson-Boltzmann with the splines of APBS: their permittivities, and the energies of radial ones.
#include <cmath>

#include "compute/electrostatics/poisson_boltzmann/pb_maps.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;

/// Of an ion about which the permittivity depends on the distance alone: C q^2 / 2 times the integral of
/// (1/eps(r) - 1/ei) / r^2, eps by the spline between R - w and R + w.
void check_spline_energy(int degree) {
  PoissonBoltzmannOptions options = salt(0, 2, 2);
  options.boundary = DielectricBoundary::spline;
  options.width = 0.5;
  options.spline_degree = degree;
  const double radius = 3, ei = 2, eo = 78.54;
  double exact = 0;
  const int parts = 100000;
  for (int i = 0; i < parts; ++i) {
    const double s = 2.0 * (i + 0.5) / parts, r = radius - options.width + options.width * s;
    const double t = s / 2, seventh = std::pow(t, 4) * (35 - 84 * t + 70 * t * t - 20 * t * t * t);
    const double eps = ei + (eo - ei) * (degree == 7 ? seventh : 0.75 * s * s - 0.25 * s * s * s);
    exact += (1 / eps - 1 / ei) / (r * r) * 2 * options.width / parts;
  }
  exact += (1 / eo - 1 / ei) / (radius + options.width);
  exact *= units::coulomb_kcal_angstrom / 2;
  double error = 0;
  for (const double step : {0.5, 0.25}) {
    const Solution s = solve_map(Device::cpu(), {{{0.06f, -0.1f, 0.15f}, 1, 3}}, cube(10, step), options);
    const double apart = std::abs(s.result.solvation_energy / exact - 1);
    EXPECT_LE(apart, step == 0.5 ? 0.03 : 0.01);
    if (error > 0) {
      EXPECT_LT(apart, error);
    }
    error = apart;
  }
}

TEST(PoissonBoltzmannSplines, give_the_energy_of_a_radial_permittivity) {
  check_spline_energy(3);
}
TEST(PoissonBoltzmannSplines, of_degree_7_give_the_energy_of_theirs) {
  check_spline_energy(7);
}

/// The permittivity of the edges along x, whose middles are at `first` and then every `step` along x.
std::vector<double> permittivities(const std::vector<ChargedSphere>& atoms, glm::dvec3 first, double step, int count,
                                   double width) {
  PoissonBoltzmannOptions options = salt(0, 2);
  options.boundary = DielectricBoundary::spline;
  options.spline_degree = 7;
  options.width = width;
  Job job;
  const Grid grid = make_grid(first - glm::dvec3(step / 2, 0, 0), glm::dvec3(step), {count + 1, 2, 2});
  const std::vector<float> found = poisson_boltzmann_maps(atoms, grid, options, job).dielectric[0];
  return {found.begin(), found.begin() + count};
}

// APBS 3.4.1, srfm spl4, swin 0.5, write dielx: dime 33, glen 9.6, gcent 0.
TEST(PoissonBoltzmannSplines, of_degree_7_are_those_of_apbs) {
  const std::vector<ChargedSphere> atoms{{{-0.7f, 0.2f, 0.1f}, 1, 1.5f}, {{1.3f, -0.4f, 0.3f}, -1, 1.8f}};
  struct Value {
    glm::dvec3 place;
    double permittivity;
  };
  for (const Value& v : {Value{{12, 12, 15}, 39.85108}, Value{{15, 10, 15}, 76.11621}, Value{{17, 20, 16}, 26.80456},
                         Value{{20, 10, 16}, 2.593543}, Value{{21, 18, 12}, 46.33836}, Value{{22, 19, 17}, 3.005062},
                         Value{{23, 9, 17}, 62.91844}, Value{{23, 15, 21}, 6.328801}}) {
    const glm::dvec3 middle = glm::dvec3(-4.65, -4.8, -4.8) + 0.3 * v.place;
    EXPECT_NEAR(permittivities(atoms, middle, 0.3, 1, 0.5)[0], v.permittivity, 1e-5 * v.permittivity + 1e-5);
  }
}

TEST(PoissonBoltzmannSplines, of_degree_7_begin_and_end_with_three_derivatives) {
  // From R - w to R + w that are 1 apart; the sum of binomials is the polynomial whose derivative goes as (t (1 -
  // t))^3.
  const std::vector<ChargedSphere> atoms{{{0, 0, 0}, 1, 2}};
  const double ei = 2, eo = 78.54, first = 1.42, step = 0.04;
  const std::vector<double> eps = permittivities(atoms, {first, 0, 0}, step, 30, 0.5);
  const auto share = [&](double t) {
    double sum = 0;
    for (int k = 4, ways = 35; k <= 7; ways = ways * (7 - k) / (k + 1), ++k)
      sum += ways * std::pow(t, k) * std::pow(1 - t, 7 - k);
    return sum;
  };
  for (std::size_t i = 0; i < eps.size(); ++i) {
    const double t = first + step * static_cast<double>(i) - 1.5;
    EXPECT_NEAR(eps[i], ei + (eo - ei) * (t <= 0 ? 0 : t >= 1 ? 1 : share(t)), 2e-5) << t;
  }
  // As the fourth power of the distance from either end.
  const double near = permittivities(atoms, {1.52, 0, 0}, 0.02, 1, 0.5)[0] - ei, far = eps[3] - ei;
  EXPECT_NEAR(std::log2(far / near), 4 + std::log2(share(0.04) / (16 * share(0.02))), 0.01);
  EXPECT_GT(std::log2(far / near), 3.9);
  EXPECT_LT(std::log2(far / near), 4);
  EXPECT_EQ(eps[0], ei);
  EXPECT_NEAR(eps.back(), eo, 1e-5);
}

// The same input: Born's ion in an electrolyte, 97^3 nodes with steps of 1/3 angstrom. APBS: -120.920 kJ/mol.
TEST(PoissonBoltzmannSplines, of_degree_7_have_the_energy_of_apbs) {
  PoissonBoltzmannOptions options = salt(0.15, 2);
  options.boundary = DielectricBoundary::spline;
  options.spline_degree = 7;
  options.width = 0.3;
  options.focus = false;
  const Solution s = solve_map(Device::cpu(), {{{0, 0, 0}, 1, 3}}, cube(16, 1.0 / 3), options);
  EXPECT_NEAR(s.result.solvation_energy * kJ, -120.920, 0.003 * 120.920);
}

// Splines of degree p have the sum, and the first moment, of what they spread.
TEST(PoissonBoltzmannCharge, is_kept_where_it_is_spread) {
  const std::vector<ChargedSphere> atoms{{{0.13f, -0.4f, 0.71f}, 0.7f, 1}, {{1.9f, 0.2f, -1.1f}, -0.3f, 1}};
  const Grid grid = make_grid({-5, -5, -5}, {0.5, 0.4, 0.25}, {21, 26, 41});
  for (const int degree : {1, 3, 5}) {
    const std::vector<float> density = spread_charge(atoms, grid, degree);
    double sum = 0;
    glm::dvec3 moment(0.0), expected(0.0);
    std::size_t nodes = 0;
    for (int k = 0; k < grid.counts.z; ++k) {
      for (int j = 0; j < grid.counts.y; ++j) {
        for (int i = 0; i < grid.counts.x; ++i) {
          const double value = static_cast<double>(density[grid.index(i, j, k)]) * 0.5 * 0.4 * 0.25;
          sum += value;
          moment += value * grid.point(i, j, k);
          nodes += value != 0;
        }
      }
    }
    for (const ChargedSphere& atom : atoms) expected += static_cast<double>(atom.charge) * glm::dvec3(atom.position);
    EXPECT_NEAR(sum, 0.4, 1e-6) << degree;
    EXPECT_LT(glm::distance(moment, expected), 1e-6) << degree;
    EXPECT_LE(nodes, 2u * static_cast<unsigned>((degree + 1) * (degree + 1) * (degree + 1))) << degree;
  }
  // A charge on a node: the cubic spline has 4/6 and 1/6 along each axis.
  const Grid unit = make_grid({-4, -4, -4}, glm::dvec3(1), glm::ivec3(9));
  const std::vector<float> at_node = spread_charge(std::vector<ChargedSphere>{{{0, 0, 0}, 1, 1}}, unit, 3);
  EXPECT_NEAR(static_cast<double>(at_node[unit.index(4, 4, 4)]), 8.0 / 27, 1e-6);
  EXPECT_NEAR(static_cast<double>(at_node[unit.index(5, 4, 4)]), 2.0 / 27, 1e-6);
  EXPECT_NEAR(static_cast<double>(at_node[unit.index(5, 3, 5)]), 1.0 / 216, 1e-7);
}

}  // namespace
}  // namespace isolume
