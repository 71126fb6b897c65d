// Poisson-Boltzmann: closed formulas, laws that every solution keeps, another program's values, and what is refused.
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

#include "compute/electrostatics/poisson_boltzmann/pb_media.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/electrostatics/poisson_boltzmann/pb_solution.h"

namespace isolume {
namespace {

using namespace test;
using PoissonBoltzmann = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PoissonBoltzmann);

/// Born's energy with an electrolyte that begins at R + ion radius, kcal/mol.
double born(double charge, double radius, double ion_radius, const PoissonBoltzmannOptions& o) {
  const double kappa = o.inverse_debye_length(), a = radius + ion_radius;
  return -charge * charge * bjerrum * kT / 2 *
         ((1 / o.solute_permittivity - 1 / o.solvent_permittivity) / radius +
          kappa / (o.solvent_permittivity * (1 + kappa * a))) /
         kJ;
}

/// A sphere without a charge of its own, and charges without radii in it.
std::vector<ChargedSphere> sphere(double radius, const std::vector<std::pair<glm::dvec3, double>>& charges) {
  std::vector<ChargedSphere> atoms{{glm::vec3(0), 0, static_cast<float>(radius)}};
  for (const auto& [position, charge] : charges) atoms.push_back({glm::vec3(position), static_cast<float>(charge), 0});
  return atoms;
}

TEST(PoissonBoltzmannOptions, have_the_length_of_their_ions) {
  // sqrt(8 pi l N_A I / eps): pb-computed, analytic.json.
  EXPECT_NEAR(salt(0.15, 2).inverse_debye_length(), 0.12728218167158462, 1e-9);
  PoissonBoltzmannOptions several;
  several.ions = {{2, 0.05, 2}, {-1, 0.1, 2}};
  EXPECT_DOUBLE_EQ(several.ionic_strength(), 0.15);
}

TEST_P(PoissonBoltzmann, gives_borns_energies) {
  struct Case {
    double radius, charge, strength, inside, step, tolerance;
  };
  for (const Case& c : {Case{3, 1, 0.15, 2, 0.5, 0.001}, Case{3, -2, 0, 1, 0.5, 0.001}, Case{5, 1, 0.15, 1, 0.5, 0.001},
                        Case{2, 1, 0.15, 1, 0.5, 0.003}, Case{1, 1, 0, 1, 0.5, 0.004}, Case{3, 1, 0.15, 2, 1, 0.003}}) {
    const PoissonBoltzmannOptions options = salt(c.strength, 2, c.inside);
    const glm::vec3 centre(0.06f, -0.1f, 0.15f);
    const std::vector<ChargedSphere> atoms{{centre, static_cast<float>(c.charge), static_cast<float>(c.radius)}};
    const Solution s = solve_map(GetParam(), atoms, cube(c.radius + 7, c.step), options);
    const double exact = born(c.charge, c.radius, 2, options);
    EXPECT_NEAR(s.result.solvation_energy, exact, c.tolerance * std::abs(exact)) << c.radius << " " << c.step;
    EXPECT_LE(s.result.residual, 1.5 * options.tolerance);
    // The reaction potential is the energy's.
    EXPECT_NEAR(0.5 * c.charge * s.result.reaction_potential[0] * units::ev_in_kcal_per_mol, s.result.solvation_energy,
                1e-9 * std::abs(exact));
  }
}

TEST_P(PoissonBoltzmann, gives_the_potential_of_an_ion_in_an_electrolyte) {
  const PoissonBoltzmannOptions options = salt(0.15, 2);
  const double kappa = options.inverse_debye_length(), radius = 3, a = 5, ei = 2, eo = 78.54;
  const Solution s = solve_map(GetParam(), {{{0, 0, 0}, 1, 3}}, cube(14, 0.5), options);
  const auto exact = [&](double r) {
    if (r < radius) return bjerrum * (1 / (ei * r) - (1 / ei - 1 / eo) / radius - kappa / (eo * (1 + kappa * a)));
    if (r < a) return bjerrum / eo * (1 / r - kappa / (1 + kappa * a));
    return bjerrum * std::exp(-kappa * (r - a)) / (eo * r * (1 + kappa * a));
  };
  // Nodes along an axis and a diagonal, inside too.
  for (const glm::dvec3 direction : {glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 1), glm::dvec3(1, 1, -1)}) {
    for (double t = 0.5; t <= 12; t += 0.5) {
      const double r = t * glm::length(direction);
      if (r > 12) break;
      EXPECT_NEAR(s.at(t * direction), exact(r), r < radius ? 0.1 : 0.012) << r;
    }
  }
}

TEST_P(PoissonBoltzmann, is_the_same_on_a_part_of_the_grid) {
  PoissonBoltzmannOptions options = salt(0.15, 2);
  const glm::dvec3 centre(-7.1, 4.2, 6.3);
  const std::vector<ChargedSphere> atoms{{glm::vec3(centre), 1, 3}};
  const Grid grid = cube(20, 0.5);
  Job job;
  Span<float> none;
  none.device = GetParam();
  const PoissonBoltzmannResult whole = poisson_boltzmann(atoms, grid, options, none, job);
  options.core = PoissonBoltzmannReach{centre - 9.0, centre + 9.0};
  const PoissonBoltzmannResult part = poisson_boltzmann(atoms, grid, options, none, job);
  const double exact = born(1, 3, 2, options);
  EXPECT_NEAR(part.solvation_energy, exact, 0.001 * std::abs(exact));
  EXPECT_NEAR(part.solvation_energy, whole.solvation_energy, 1e-4 * std::abs(exact));
  EXPECT_NEAR(part.coarse_energy, whole.coarse_energy, 1e-4 * std::abs(exact));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_GE(part.counts[axis], 37);
    EXPECT_LT(part.counts[axis], whole.counts[axis]);
  }
  std::vector<float> potential(grid.size());
  EXPECT_THROW(poisson_boltzmann(atoms, grid, options, Span<float>(potential), job), Error);
}

// Series of Kirkwood, and Tanford and Kirkwood, with 120 to 160 terms at 40 digits: pb-computed, analytic.json.
TEST_P(PoissonBoltzmann, gives_kirkwoods_energies) {
  struct Case {
    double radius, ion_radius, strength, inside, energy;  // kJ/mol
    std::vector<std::pair<glm::dvec3, double>> charges;
  };
  const std::vector<Case> cases{{10, 2, 0.15, 2, -93.68491348703101, {{{0, 0, 8}, 1}}},
                                {6, 2, 0.15, 4, -39.25021947689036, {{{1, 2, 3}, 1}, {{-2, 0.5, -2.5}, -1}}},
                                {8, 0, 1, 2, -281.0798171945913, {{{3, 0, 4}, -2}}},
                                {14,
                                 2,
                                 0.15,
                                 4,
                                 -245.877285235425,
                                 {{{1.8676, -2.4922, 11.5888}, 1},
                                  {{-11.0601, 4.5499, -0.9862}, -1},
                                  {{-1.9905, 5.9874, -10.2073}, 1},
                                  {{-5.8973, -0.6837, 10.4286}, 1},
                                  {{0.5164, 5.1941, -10.8053}, -1},
                                  {{-8.7764, 6.8682, -4.4501}, -1},
                                  {{-0.3253, 3.7741, -11.3864}, 1},
                                  {{-7.3526, -0.5744, -9.4663}, -1}}}};
  for (const Case& c : cases) {
    PoissonBoltzmannOptions options = salt(c.strength, c.ion_radius, c.inside);
    options.boundary = DielectricBoundary::van_der_waals;
    const Solution s = solve_map(GetParam(), sphere(c.radius, c.charges), cube(c.radius + 6, 0.5), options);
    EXPECT_NEAR(s.result.solvation_energy * kJ, c.energy, 0.003 * std::abs(c.energy)) << c.radius;
    // What is said of the error holds.
    EXPECT_LE(std::abs(s.result.solvation_energy - c.energy / kJ), 1.5 * s.result.solvation_error) << c.radius;
  }
}

// Two spheres with a charge each; series of order 26 about both centres: pb-computed, analytic.json.
TEST_P(PoissonBoltzmann, gives_the_energy_of_two_spheres) {
  PoissonBoltzmannOptions options = salt(0.15, 0);
  options.boundary = DielectricBoundary::van_der_waals;
  const std::vector<ChargedSphere> atoms{
      {{0, 0, 0}, 0, 3}, {{0, 0, 6}, 0, 2}, {{0, 0, 0.5f}, 1, 0}, {{0, 0, 6.2f}, -1, 0}};
  const Solution s = solve_map(GetParam(), atoms, cube(11, 0.5, {0.1, 0.2, 3}), options);
  // The potential of the other sphere's charge counts there; here Coulomb's with the solute's permittivity does not.
  const double pair = bjerrum * kT / (2 * 5.7) * -1;
  EXPECT_NEAR(s.result.solvation_energy * kJ + pair, -290.2287905162676, 0.003 * 290.2);
}

/// A charge in the lower of two half-spaces: potentials by image charges.
TEST_P(PoissonBoltzmann, gives_the_image_of_a_charge_behind_a_plane) {
  const double e1 = 2, e2 = 78.54, h = 3;
  PoissonBoltzmannOptions options = salt(0, 2);
  PbProblem problem;
  problem.counts = glm::ivec3(49);
  problem.step = glm::dvec3(0.5);
  problem.origin = glm::dvec3(-12, -12, -12.2);
  const std::vector<ChargedSphere> atoms{{{0, 0, -3}, 1, 1}};
  std::vector<float> depth(problem.size());
  for (std::size_t node = 0; node < problem.size(); ++node) depth[node] = static_cast<float>(-problem.point(node).z);
  Job job;
  pb_discretise(atoms, atoms, PbMedia{}, depth, {}, options, problem, job);
  const auto exact = [&](glm::dvec3 p) {
    const double image = bjerrum / e1 * (e1 - e2) / (e1 + e2) / glm::distance(p, glm::dvec3(0, 0, h));
    return p.z < 0 ? image : 2 * bjerrum / (e1 + e2) / glm::distance(p, glm::dvec3(0, 0, -h));
  };
  std::vector<double> u(problem.size(), 0.0), expected;
  for (std::size_t node = 0; node < problem.size(); ++node) {
    const glm::ivec3 place = problem.place(node);
    expected.push_back(exact(problem.point(node)));
    if (glm::any(glm::equal(place, glm::ivec3(0))) || glm::any(glm::equal(place, problem.counts - 1)))
      u[node] = expected[node];
  }
  const PbProgress progress = GetParam().is_cuda() ? pb_solve_cuda(problem, options, u, GetParam(), job)
                                                   : pb_solve_cpu(problem, options, u, job);
  EXPECT_LE(progress.residual, options.tolerance);
  const Difference d = compare(u, expected);
  EXPECT_LT(d.rms, 1e-3 * d.scale_rms);
  EXPECT_LT(d.largest, 8e-3 * d.scale);
}

// What comes out of a box in a solvent without ions is the charge in it.
TEST_P(PoissonBoltzmann, keeps_gausss_law) {
  const std::vector<ChargedSphere> atoms{
      {{0, 0, 0}, 1, 2}, {{2.2f, 0.4f, 0}, 1, 1.5f}, {{-1, 1.8f, 0.5f}, -0.5f, 1.7f}};
  const Solution s = solve_map(GetParam(), atoms, cube(12, 0.5), salt(0, 2));
  const Grid& grid = s.map.grid;
  for (const int margin : {2, 6, 10}) {
    double flux = 0;
    const int low = margin, high = grid.counts.x - 1 - margin;
    const auto value = [&](glm::ivec3 p) { return static_cast<double>(s.map.values[grid.index(p.x, p.y, p.z)]); };
    // Faces of cells half a step outside of the nodes low ... high.
    for (int axis = 0; axis < 3; ++axis) {
      for (int a = low; a <= high; ++a) {
        for (int b = low; b <= high; ++b) {
          for (const int side : {0, 1}) {
            glm::ivec3 inner;
            inner[axis] = side ? high : low;
            inner[(axis + 1) % 3] = a;
            inner[(axis + 2) % 3] = b;
            glm::ivec3 outer = inner;
            outer[axis] += side ? 1 : -1;
            flux += (value(inner) - value(outer)) * grid.step[0][0];
          }
        }
      }
    }
    EXPECT_NEAR(78.54 * flux / (4 * units::pi * bjerrum), 1.5, 0.01 * 1.5) << margin;
  }
}

// The reaction potential of one charge at another is that of the other at the one.
TEST_P(PoissonBoltzmann, is_reciprocal) {
  std::vector<ChargedSphere> atoms{{{0, 0, 0}, 1, 2}, {{2.5f, 0.3f, 0.7f}, 0, 1.6f}, {{-1.2f, 2.1f, -0.9f}, 0, 1.8f}};
  const Grid grid = cube(10, 0.5);
  const double there = solve_map(GetParam(), atoms, grid, salt(0.15, 2)).result.reaction_potential[2];
  std::swap(atoms[0].charge, atoms[2].charge);
  const double back = solve_map(GetParam(), atoms, grid, salt(0.15, 2)).result.reaction_potential[0];
  EXPECT_NEAR(there, back, 0.003 * std::abs(there));
}

TEST_P(PoissonBoltzmann, agrees_with_the_reference) {
  Random random(5);
  std::vector<ChargedSphere> atoms;
  for (int i = 0; i < 12; ++i)
    atoms.push_back(
        {glm::vec3(random.in_box(-3, 3)), static_cast<float>(random(-1, 1)), static_cast<float>(random(1, 2))});
  for (const bool nonlinear : {false, true}) {
    PoissonBoltzmannOptions options = salt(0.5, 1);
    options.nonlinear = nonlinear;
    options.tolerance = 1e-8;
    PbProblem problem;
    problem.counts = glm::ivec3(17, 21, 25);
    problem.step = glm::dvec3(0.8, 0.7, 0.6);
    problem.origin = glm::dvec3(-6.4, -7, -7.2);
    std::vector<float> depth, ion_depth;
    for (std::size_t node = 0; node < problem.size(); ++node) {
      float deepest = -100;
      for (const ChargedSphere& atom : atoms)
        deepest = std::max(deepest, atom.radius - glm::distance(glm::vec3(problem.point(node)), atom.position));
      depth.push_back(deepest);
      ion_depth.push_back(deepest + 1);
    }
    Job job;
    pb_discretise(atoms, atoms, PbMedia{}, depth, ion_depth, options, problem, job);
    std::vector<double> u(problem.size(), 0.0), expected(problem.size(), 0.0);
    const PbProgress progress = GetParam().is_cuda() ? pb_solve_cuda(problem, options, u, GetParam(), job)
                                                     : pb_solve_cpu(problem, options, u, job);
    EXPECT_LE(progress.residual, options.tolerance);
    EXPECT_LE(pb_solve_reference(problem, options, expected).residual, options.tolerance);
    const Difference d = compare(u, expected);
    EXPECT_GT(d.scale_rms, 1);
    EXPECT_LT(d.largest, 1e-5 * d.scale);
  }
}

// The radial equation integrated inwards (rtol 1e-12): pb-computed, analytic.json, nonlinear_sphere_z20.
TEST_P(PoissonBoltzmann, gives_the_non_linear_layer_about_a_sphere) {
  PoissonBoltzmannOptions options = salt(0.15, 2);
  options.nonlinear = true;
  const Solution s = solve_map(GetParam(), {{{0, 0, 0}, 20, 10}}, cube(18, 0.5), options);
  const auto near = [&](double r, double expected, double tolerance) {
    EXPECT_NEAR(s.at({r, 0, 0}), expected, tolerance) << r;
    EXPECT_NEAR(s.at(r / std::sqrt(3.0) * glm::dvec3(1, -1, 1)), expected, tolerance) << r;
  };
  near(12.873684, 2.855900504791929, 0.04);
  near(13.905263, 2.246987010004333, 0.03);
  near(14.936842, 1.799520988811495, 0.03);
  // The linear equation has 4.7 kT/e at the layer's edge, this one 3.58.
  near(12, 3.580706599598077, 0.05);
  EXPECT_GT(s.result.newton_steps, 1);
}

/// The first 40 atoms of crambin with AMBER's charges, of pdb2pqr 3.6.1 with PROPKA at pH 7.
std::vector<ChargedSphere> peptide() {
  return {
      {{17.047f, 14.099f, 3.625f}, 0.1812f, 1.8240f},   {{16.967f, 12.784f, 4.338f}, 0.0034f, 1.9080f},
      {{15.685f, 12.755f, 5.133f}, 0.6163f, 1.9080f},   {{15.268f, 13.825f, 5.594f}, -0.5722f, 1.6612f},
      {{18.170f, 12.703f, 5.337f}, 0.4514f, 1.9080f},   {{19.334f, 12.829f, 4.463f}, -0.6764f, 1.7210f},
      {{18.150f, 11.546f, 6.304f}, -0.2554f, 1.9080f},  {{17.115f, 13.932f, 2.646f}, 0.1934f, 0.6000f},
      {{16.944f, 12.070f, 3.646f}, 0.1087f, 1.1000f},   {{18.142f, 13.494f, 5.933f}, -0.0323f, 1.3870f},
      {{17.592f, 11.775f, 7.108f}, 0.0627f, 1.4870f},   {{17.761f, 10.732f, 5.862f}, 0.0627f, 1.4870f},
      {{19.083f, 11.333f, 6.609f}, 0.0627f, 1.4870f},   {{16.226f, 14.625f, 3.824f}, 0.1934f, 0.6000f},
      {{17.852f, 14.591f, 3.943f}, 0.1934f, 0.6000f},   {{19.855f, 13.646f, 4.713f}, 0.4070f, 0.0000f},
      {{15.115f, 11.555f, 5.265f}, -0.4157f, 1.8240f},  {{13.856f, 11.469f, 6.066f}, -0.0389f, 1.9080f},
      {{14.164f, 10.785f, 7.379f}, 0.5973f, 1.9080f},   {{14.993f, 9.862f, 7.443f}, -0.5679f, 1.6612f},
      {{12.732f, 10.711f, 5.261f}, 0.3654f, 1.9080f},   {{13.308f, 9.439f, 4.926f}, -0.6761f, 1.7210f},
      {{12.484f, 11.442f, 3.895f}, -0.2438f, 1.9080f},  {{15.562f, 10.775f, 4.820f}, 0.2719f, 0.6000f},
      {{13.548f, 12.399f, 6.243f}, 0.1007f, 1.3870f},   {{11.957f, 10.566f, 5.874f}, 0.0043f, 1.3870f},
      {{11.951f, 10.842f, 3.307f}, 0.0642f, 1.4870f},   {{11.986f, 12.285f, 4.073f}, 0.0642f, 1.4870f},
      {{13.365f, 11.642f, 3.479f}, 0.0642f, 1.4870f},   {{13.089f, 9.197f, 3.975f}, 0.4102f, 0.0000f},
      {{13.488f, 11.241f, 8.417f}, -0.4157f, 1.8240f},  {{13.660f, 10.707f, 9.787f}, 0.0429f, 1.9080f},
      {{12.269f, 10.431f, 10.323f}, 0.5973f, 1.9080f},  {{11.393f, 11.308f, 10.185f}, -0.5679f, 1.6612f},
      {{14.368f, 11.748f, 10.691f}, -0.0790f, 1.9080f}, {{15.885f, 12.426f, 10.016f}, -0.1081f, 2.0000f},
      {{12.817f, 12.012f, 8.202f}, 0.2719f, 0.6000f},   {{14.152f, 9.852f, 9.720f}, 0.0766f, 1.3870f},
      {{13.720f, 12.493f, 10.849f}, 0.0910f, 1.3870f},  {{14.572f, 11.296f, 11.560f}, 0.0910f, 1.3870f},
  };
}

// APBS 3.4.1 with mg-manual, lpbe, mdh, srfm mol, sdens 20, 193 points along 40 angstrom: solvated less homogeneous
// (permittivity 2, no ions) energies, and potentials at nodes 1.5 to 5 angstrom from the atoms. With 129 points its
// energy is -215.86 kJ/mol, with this many -212.87.
TEST_P(PoissonBoltzmann, agrees_with_apbs) {
  struct Place {
    glm::dvec3 point;
    double potential;  // kT/e
  };
  const std::vector<Place> places{
      {{5.6, 11.9, 12.1}, 0.0594}, {{5.6, 14.4, 9.6}, 0.1049},   {{8.1, 9.4, 7.1}, 0.2394},
      {{8.1, 9.4, 12.1}, 0.0979},  {{8.1, 11.9, 9.6}, 0.0040},   {{8.1, 14.4, -0.4}, 0.3019},
      {{8.1, 14.4, 2.1}, 0.3647},  {{10.6, 4.4, 9.6}, 0.1402},   {{10.6, 6.9, 7.1}, 0.1719},
      {{10.6, 14.4, 2.1}, 0.6650}, {{10.6, 14.4, 9.6}, 0.2273},  {{10.6, 16.9, 4.6}, 0.4986},
      {{13.1, 4.4, 9.6}, 0.1234},  {{13.1, 6.9, 2.1}, 0.6214},   {{13.1, 6.9, 14.6}, 0.2363},
      {{13.1, 9.4, 14.6}, 0.3729}, {{13.1, 16.9, 14.6}, 0.1564}, {{15.6, 6.9, -0.4}, 0.4522},
      {{15.6, 6.9, 2.1}, 0.5474},  {{15.6, 16.9, 14.6}, 0.1712}, {{18.1, 6.9, 7.1}, 0.0144},
      {{18.1, 9.4, 2.1}, 0.9887},  {{18.1, 9.4, 14.6}, 0.1637},  {{23.1, 9.4, 2.1}, 0.2968},
  };
  const Solution s = solve_map(GetParam(), peptide(), cube(14, 0.5, {15.6, 11.9, 7.1}), salt(0.15, 2));
  EXPECT_NEAR(s.result.solvation_energy * kJ, -212.87, 0.03 * 212.87);
  double square = 0;
  for (const Place& place : places) {
    const double apart = s.at(place.point) - place.potential;
    square += apart * apart;
    EXPECT_LT(std::abs(apart), 0.06) << place.potential;
  }
  EXPECT_LT(std::sqrt(square / static_cast<double>(places.size())), 0.02);
}

TEST_P(PoissonBoltzmann, moves_with_the_molecule) {
  const Grid grid = cube(13, 0.5, {15.6, 11.9, 7.1});
  const PoissonBoltzmannResult at_rest = solve_map(GetParam(), peptide(), grid, salt(0.15, 2)).result;
  std::vector<ChargedSphere> moved = peptide();
  for (ChargedSphere& atom : moved) atom.position += glm::vec3(0.21f, -0.13f, 0.17f);
  const PoissonBoltzmannResult shifted = solve_map(GetParam(), moved, grid, salt(0.15, 2)).result;
  EXPECT_NEAR(shifted.solvation_energy, at_rest.solvation_energy, at_rest.solvation_error);
  EXPECT_GT(at_rest.solvation_error, 0);
}

TEST_P(PoissonBoltzmann, turns_with_the_molecule) {
  const glm::dvec3 centre(15.6, 11.9, 7.1);
  const Grid grid = cube(15, 0.5, centre);
  const PoissonBoltzmannResult at_rest = solve_map(GetParam(), peptide(), grid, salt(0.15, 2)).result;
  for (const glm::dvec3 axis : {glm::dvec3(1, 2, 3), glm::dvec3(-2, 1, 0.5), glm::dvec3(0.3, -1, 1)}) {
    // By an angle that is no symmetry of the grid (Rodrigues' formula).
    const glm::dvec3 n = glm::normalize(axis);
    const double angle = 0.4 + axis.x * 0.5;
    std::vector<ChargedSphere> turned = peptide();
    for (ChargedSphere& atom : turned) {
      const glm::dvec3 v = glm::dvec3(atom.position) - centre;
      atom.position = glm::vec3(centre + v * std::cos(angle) + glm::cross(n, v) * std::sin(angle) +
                                n * glm::dot(n, v) * (1 - std::cos(angle)));
    }
    const PoissonBoltzmannResult result = solve_map(GetParam(), turned, grid, salt(0.15, 2)).result;
    EXPECT_NEAR(result.solvation_energy, at_rest.solvation_energy, at_rest.solvation_error) << axis.x;
  }
}

TEST_P(PoissonBoltzmann, gives_the_field_at_points) {
  const PoissonBoltzmannOptions options = salt(0.15, 2);
  const double kappa = options.inverse_debye_length(), radius = 3, a = 5, ei = 2, eo = 78.54;
  const glm::dvec3 centre(0.1, -0.2, 0.15);
  const std::vector<ChargedSphere> atoms{{glm::vec3(centre), 1, 3}};
  // kT/(e angstrom), away from the ion.
  const auto exact = [&](double r) {
    if (r < radius) return bjerrum / (ei * r * r);
    if (r < a) return bjerrum / (eo * r * r);
    return bjerrum * std::exp(-kappa * (r - a)) * (1 + kappa * r) / (eo * r * r * (1 + kappa * a));
  };
  std::vector<glm::dvec3> points;
  std::vector<double> distances{1, 2, 2.6, 3.6, 4.3, 5.5, 7, 9, 11};
  const glm::dvec3 directions[] = {glm::dvec3(1, 2, -2) / 3.0, glm::dvec3(0.6, -0.8, 0)};
  for (const glm::dvec3 direction : directions)
    for (const double r : distances) points.push_back(centre + r * direction);
  Job job;
  const PoissonBoltzmannPoints at = poisson_boltzmann_at(atoms, cube(14, 0.5), options, points, GetParam(), job, true);
  ASSERT_EQ(at.field.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = glm::distance(points[i], centre), expected = exact(r) * volts;
    const glm::dvec3 vector = expected * (points[i] - centre) / r;
    EXPECT_LT(glm::distance(at.field[i], vector), 0.03 * expected) << r;
    EXPECT_GE(at.field_errors[i], 0);
  }
  EXPECT_TRUE(poisson_boltzmann_at(atoms, cube(14, 0.5), options, points, GetParam(), job).field.empty());
}

TEST_P(PoissonBoltzmann, focuses_on_a_part_of_a_molecule) {
  const Solution whole = solve_map(GetParam(), peptide(), cube(13, 0.5, {15.6, 11.9, 7.1}), salt(0.15, 2));
  // Nodes are shared; some of the charges are outside.
  const Grid part = make_grid({12.1, 6.9, 1.1}, glm::dvec3(0.5), {13, 21, 33});
  const Solution focused = solve_map(GetParam(), peptide(), part, salt(0.15, 2));
  EXPECT_GT(focused.result.outside, 0u);
  EXPECT_GT(focused.result.grids, 1);
  double square = 0;
  std::size_t count = 0;
  for (int k = 3; k < 30; ++k) {
    for (int j = 3; j < 18; ++j) {
      for (int i = 3; i < 10; ++i) {
        const glm::dvec3 point = part.point(i, j, k);
        if (std::abs(whole.at(point)) > 3) continue;  // in the solute
        const double apart = focused.at(point) - whole.at(point);
        square += apart * apart;
        ++count;
      }
    }
  }
  EXPECT_GT(count, 100u);
  EXPECT_LT(std::sqrt(square / static_cast<double>(count)), 0.1);
}

TEST_P(PoissonBoltzmann, starts_from_the_last_frame) {
  const Grid grid = cube(11, 0.5, {15.6, 11.9, 7.1});
  PoissonBoltzmannOptions options = salt(0.15, 2);
  options.estimate_error = false;
  PoissonBoltzmannStart start;
  Job job;
  const auto energy = [&](const std::vector<ChargedSphere>& atoms, PoissonBoltzmannStart* from, int& cycles) {
    Span<float> none;
    none.device = GetParam();
    const PoissonBoltzmannResult result = poisson_boltzmann(atoms, grid, options, none, job, from);
    cycles = result.cycles;
    return result.solvation_energy;
  };
  int first = 0, same = 0, moved = 0, alone = 0;
  const double once = energy(peptide(), &start, first);
  EXPECT_NEAR(energy(peptide(), &start, same), once, 1e-5 * std::abs(once));
  EXPECT_LT(same, first);
  std::vector<ChargedSphere> next = peptide();
  for (ChargedSphere& atom : next) atom.position += glm::vec3(0.02f, 0.01f, -0.02f);
  const double from_last = energy(next, &start, moved);
  EXPECT_NEAR(from_last, energy(next, nullptr, alone), 1e-4 * std::abs(from_last));
  EXPECT_LE(moved, alone);
}

TEST_P(PoissonBoltzmann, has_other_boundaries) {
  const std::vector<ChargedSphere> atoms{{{0, 0, 0}, 1, 3}};
  const Grid grid = cube(10, 0.5);
  const double exact = born(1, 3, 2, salt(0.15, 2));
  for (const DielectricBoundary boundary : {DielectricBoundary::van_der_waals, DielectricBoundary::smooth}) {
    PoissonBoltzmannOptions options = salt(0.15, 2);
    options.boundary = boundary;
    const double energy = solve_map(GetParam(), atoms, grid, options).result.solvation_energy;
    // The mean of the inverse permittivity about the surface is that of a sharp one.
    EXPECT_NEAR(energy, exact, (boundary == DielectricBoundary::smooth ? 0.02 : 0.001) * std::abs(exact));
  }
}

TEST_P(PoissonBoltzmann, refuses_what_makes_no_sense) {
  const Grid grid = cube(8, 0.5);
  const ChargedSphere ion{{0, 0, 0}, 1, 2};
  const auto message = [&](const std::vector<ChargedSphere>& atoms, const Grid& on,
                           const PoissonBoltzmannOptions& options) -> std::string {
    try {
      solve_map(GetParam(), atoms, on, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const auto expect = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  PoissonBoltzmannOptions alone = salt(0.15, 2);
  alone.focus = false;
  expect(message({ion, {{9, 0, 0}, 1, 2}}, grid, alone), "atom 2 at (9.00, 0.00, 0.00) is outside of the grid");
  expect(message({{{0, 0, 7}, 1, 2}}, grid, alone), "the grid cuts the solute");
  expect(message({ion, {{0, 0.1f, 0}, 1, 2}}, grid, salt(0.15, 2)), "atoms 1 and 2 overlap");
  expect(message({ion, {{5, 5, 5}, 1, 0}}, grid, salt(0.15, 2)), "atom 2 is outside of every atom's radius");
  expect(message({{{0, 0, 0}, 1, 0}}, grid, salt(0.15, 2)), "no atom has a radius");
  expect(message({{{0.9f, 0.9f, 0.9f}, 1, 0.8f}}, cube(8, 2), salt(0.15, 2)), "too long");
  expect(message({}, grid, salt(0.15, 2)), "no atoms");
  PoissonBoltzmannOptions options = salt(0.15, 2);
  options.most_cycles = 1;
  options.tolerance = 1e-8;
  expect(message({ion}, grid, options), "no convergence");
  // Charges that no molecule has, by the limit of cycles as it is.
  options = salt(0.15, 2);
  options.nonlinear = true;
  expect(message({{{0, 0, 0}, 1e6f, 2}, {{5, 0, 0}, -2e6f, 2}}, grid, options),
         "largest charge is -2e+06 e, of atom 2");
  options = salt(0.15, 2);
  options.ions.pop_back();
  expect(message({ion}, grid, options), "expected a neutral electrolyte");
  options = salt(0.15, 2, 0.5);
  expect(message({ion}, grid, options), "permittivity of the solute");
  expect(message({ion}, make_skewed_grid({-8, -8, -8}, 0.5, {30, 30, 30}), salt(0.15, 2)), "axis-aligned");
  expect(message({{{0, 0, INFINITY}, 1, 2}}, grid, salt(0.15, 2)), "atom 1");
}

TEST_P(PoissonBoltzmann, can_be_cancelled) {
  expect_cancelled(GetParam(), [&](Job& job) {
    const Grid grid = cube(8, 0.5);
    on_device<float>(GetParam(), grid.size(),
                     [&](Span<float> potential) { poisson_boltzmann(peptide(), grid, salt(0.15, 2), potential, job); });
  });
}

}  // namespace
}  // namespace isolume
