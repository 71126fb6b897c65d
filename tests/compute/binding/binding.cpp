// Binding energies: closed formulas, sums of shares, and what is refused.
#include "compute/binding/binding.h"

#include <numeric>

#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

using namespace test;
using BindingEnergy = OnDevice;
ISOLUME_ON_EVERY_DEVICE(BindingEnergy);

constexpr double coulomb = units::coulomb_kcal_angstrom;

struct Sphere {
  glm::vec3 position;
  float charge, radius;
  bool second;
};

/// Carbons, each a residue.
struct System {
  Topology topology;
  std::vector<glm::vec3> positions;
  std::vector<std::uint8_t> first, second;

  explicit System(const std::vector<Sphere>& spheres) {
    TopologyBuilder builder;
    int number = 0;
    for (const Sphere& sphere : spheres) {
      Atom atom;
      atom.name = "C";
      atom.element = 6;
      atom.charge = sphere.charge;
      atom.radius = sphere.radius;
      builder.add(atom, "ION", ++number, ' ', sphere.second ? "B" : "A");
      positions.push_back(sphere.position);
      first.push_back(!sphere.second);
      second.push_back(sphere.second);
    }
    topology = builder.finish();
    for (std::size_t i = 0; i < spheres.size(); ++i)
      topology.atoms.change(i, [&](Atom& atom) { atom.radius = spheres[i].radius; });
  }
  Binding binding(const BindingOptions& options, Device device, std::shared_ptr<const ForceField> field = {}) const {
    return Binding(topology, std::move(field), first, second, options, device);
  }
};

PoissonBoltzmannOptions water(double inside, double strength) {
  PoissonBoltzmannOptions o;
  o.solute_permittivity = inside;
  o.ions = {{1, strength, 2.0}, {-1, strength, 2.0}};
  return o;
}

BindingFrame evaluate(Binding binding, const std::vector<glm::vec3>& positions) {
  Job job;
  return binding.evaluate(positions, job);
}

void expect_that_shares_add_up(const BindingFrame& frame) {
  BindingTerms sum = frame.rest;
  for (const BindingTerms& terms : frame.atoms) sum += terms;
  EXPECT_NEAR(sum.lennard_jones, frame.sum.lennard_jones, 1e-9);
  EXPECT_NEAR(sum.coulomb, frame.sum.coulomb, 1e-9);
  EXPECT_NEAR(sum.polar, frame.sum.polar, 1e-9 * std::abs(frame.polar[0]));
  EXPECT_NEAR(sum.nonpolar, frame.sum.nonpolar, 1e-9);
  EXPECT_NEAR(frame.polar[0] - frame.polar[1] - frame.polar[2], frame.sum.polar, 1e-7 * std::abs(frame.polar[0]));
}

// Two ions 6 angstrom apart in water without salt: series of multipoles about both spheres, pb-computed, analytic.json
// (two_spheres_I0), less Born's energies.
TEST_P(BindingEnergy, of_two_ions_is_that_of_the_series) {
  const System ions({{{0, 0, 0}, 1, 3, false}, {{0, 0, 6}, -1, 2, true}});
  BindingOptions options;
  options.polar = [] {
    PoissonBoltzmannOptions o = water(1, 0);
    o.boundary = DielectricBoundary::van_der_waals;
    return o;
  }();
  options.spacing = 0.25;
  const BindingFrame frame = evaluate(ions.binding(options, GetParam()), ions.positions);
  const double born = -0.5 * coulomb * (1 - 1 / 78.54) * (1 / 3.0 + 1 / 2.0);
  const double exact = -574.3252023802053 / units::calorie_in_joule - born;  // -0.66
  EXPECT_NEAR(frame.sum.coulomb, -coulomb / 6, 1e-6);
  EXPECT_NEAR(frame.sum.coulomb + frame.sum.polar, exact, 0.05);
  // What is known of the grid's error holds the exact value.
  EXPECT_LE(std::abs(frame.sum.coulomb + frame.sum.polar - exact),
            2 * std::abs(frame.coarse_polar() - frame.sum.polar));
  EXPECT_NEAR(frame.nearest, 6, 1e-6);
  expect_that_shares_add_up(frame);
}

TEST_P(BindingEnergy, of_far_ions_is_screened) {
  const System ions({{{0, 0, 0}, 1, 2, false}, {{24, 0, 0}, 1, 2, true}});
  BindingOptions options;
  options.polar = water(2, 0.1);
  const double kappa = std::get<PoissonBoltzmannOptions>(options.polar).inverse_debye_length();
  const BindingFrame frame = evaluate(ions.binding(options, GetParam()), ions.positions);
  const double screened = coulomb / 78.54 / 24 * std::exp(-kappa * (24 - 8)) / std::pow(1 + kappa * 4, 2);
  EXPECT_NEAR(frame.sum.coulomb + frame.sum.polar, screened, 0.01);
  // Neither is nearer to the surface of the other than water is.
  EXPECT_NEAR(frame.sum.nonpolar, 0, 1e-9);
  EXPECT_NEAR(frame.atoms[0].polar, frame.atoms[1].polar, 0.01);
}

TEST_P(BindingEnergy, adds_up_over_atoms_with_either_model) {
  Random random(3);
  std::vector<Sphere> spheres;
  for (int i = 0; i < 40; ++i)
    spheres.push_back({glm::vec3(3.0 * (i % 5) + random(0, 1), 3.0 * (i / 5 % 4) + random(0, 1), 3.4 * (i / 20)),
                       static_cast<float>(random(-0.5, 0.5)), static_cast<float>(random(1.4, 2)), i >= 20});
  const System lumps(spheres);
  BindingOptions options;
  options.surface_offset = 0.9;
  options.pressure = 0.01;
  options.polar = water(2, 0.15);
  std::get<PoissonBoltzmannOptions>(options.polar).nonlinear = true;
  const BindingFrame pb = evaluate(lumps.binding(options, GetParam()), lumps.positions);
  expect_that_shares_add_up(pb);
  EXPECT_NEAR(pb.rest.nonpolar, -0.9 + 0.01 * (pb.volumes[0] - pb.volumes[1] - pb.volumes[2]), 1e-9);
  EXPECT_NE(pb.rest.polar, 0);
  options.polar = GeneralisedBornOptions{};
  const BindingFrame born = evaluate(lumps.binding(options, GetParam()), lumps.positions);
  expect_that_shares_add_up(born);
  EXPECT_EQ(born.rest.polar, 0);
  EXPECT_EQ(born.areas, pb.areas);
}

TEST_P(BindingEnergy, has_the_area_of_the_caps_and_lennard_jones) {
  const double r = 2, probe = 1.4, apart = 4;
  const System pair({{{0, 0, 0}, 0.1f, 2, false}, {{4, 0, 0}, -0.1f, 2, true}});
  auto field = std::make_shared<ForceField>();
  field->types = {0, 1};
  field->type_count = 2;
  field->lj_a = {1e6, 8e5, 8e5, 1e6};
  field->lj_b = {500, 400, 400, 500};
  BindingOptions options;
  options.polar = GeneralisedBornOptions{};
  options.surface_tension = 0.01;
  options.pressure = 0.02;
  const BindingFrame frame = evaluate(pair.binding(options, GetParam(), field), pair.positions);
  EXPECT_NEAR(frame.sum.lennard_jones, 8e5 / std::pow(4, 12) - 400 / std::pow(4, 6), 1e-9);
  EXPECT_NEAR(frame.atoms[0].lennard_jones, frame.sum.lennard_jones / 2, 1e-12);
  // Of each sphere of r + probe a cap of this height is in the other.
  const double height = r + probe - apart / 2;
  const double buried = 2 * 2 * units::pi * (r + probe) * height;
  EXPECT_NEAR(frame.areas[1] + frame.areas[2] - frame.areas[0], buried, 0.01 * buried);
  const double lens = 2 * units::pi * height * height * (r + probe - height / 3);
  const double ball = 4 * units::pi / 3 * std::pow(r + probe, 3);
  EXPECT_NEAR(frame.volumes[1], ball, 0.005 * ball);
  EXPECT_NEAR(frame.volumes[0], 2 * ball - lens, 0.01 * ball);
  EXPECT_NEAR(frame.sum.nonpolar,
              0.01 * (frame.areas[0] - frame.areas[1] - frame.areas[2]) +
                  0.02 * (frame.volumes[0] - frame.volumes[1] - frame.volumes[2]),
              1e-9);
}

TEST_P(BindingEnergy, of_a_moved_frame_is_the_same_and_starts_from_the_last) {
  const System ions({{{0, 0, 0}, 1, 2, false}, {{3.5f, 0, 0}, -0.5f, 1.8f, false}, {{0, 4.5f, 1}, -1, 2, true}});
  BindingOptions options;
  options.polar = water(2, 0.15);
  Binding binding = ions.binding(options, GetParam());
  std::vector<glm::vec3> moved;  // turned by 90 degrees about z, and shifted
  for (const glm::vec3& p : ions.positions) moved.emplace_back(-p.y + 30, p.x - 20, p.z + 7);
  binding.cover(ions.positions);
  binding.cover(moved);
  Job job;
  const BindingFrame one = binding.evaluate(ions.positions, job), other = binding.evaluate(moved, job);
  EXPECT_NEAR(other.sum.polar, one.sum.polar, 1e-3);
  EXPECT_NEAR(other.sum.total(), one.sum.total(), 1e-3);
}

TEST(Binding, of_several_frames_at_once_is_that_of_each) {
  const System ions({{{0, 0, 0}, 1, 2, false}, {{0, 0, 4.5f}, -1, 2, true}});
  BindingOptions options;
  options.polar = water(2, 0.15);
  const auto positions = [](std::size_t i) {
    return std::vector<glm::vec3>{{0, 0, 0}, {0, 0, 4.5f + 0.3f * static_cast<float>(i)}};
  };
  constexpr std::size_t count = 5;
  const auto frames = [&](std::size_t at_once) {
    Binding binding = ions.binding(options, Device::cpu());
    for (std::size_t i = 0; i < count; ++i) binding.cover(positions(i));
    std::vector<BindingFrame> found;
    Job job;
    evaluate_frames(
        binding, count, at_once, positions,
        [&](std::size_t i, BindingFrame&& frame) {
          EXPECT_EQ(i, found.size());
          found.push_back(std::move(frame));
        },
        job);
    return found;
  };
  const std::vector<BindingFrame> one = frames(1);
  for (const std::size_t at_once : {std::size_t{2}, std::size_t{3}, std::size_t{9}}) {
    const std::vector<BindingFrame> several = frames(at_once);
    ASSERT_EQ(several.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(several[i].sum.coulomb, -coulomb / 2 / (4.5 + 0.3 * static_cast<double>(i)), 1e-4);
      EXPECT_NEAR(several[i].sum.polar, one[i].sum.polar, 1e-5 * std::abs(one[i].polar[0])) << at_once << " " << i;
      expect_that_shares_add_up(several[i]);
    }
  }
  // What one frame throws comes out, and nothing is taken of those with it.
  Binding binding = ions.binding(options, Device::cpu());
  binding.cover(positions(0));
  Job job;
  std::size_t taken = 0;
  EXPECT_THROW(evaluate_frames(
                   binding, 2, 2,
                   [&](std::size_t i) {
                     return std::vector<glm::vec3>{{0, 0, 0}, {0, 0, i ? 0 : 5}};
                   },
                   [&](std::size_t, BindingFrame&&) { ++taken; }, job),
               Error);
  EXPECT_EQ(taken, 0U);
}

TEST(Binding, refuses_what_makes_no_pair) {
  const System ions({{{0, 0, 0}, 1, 2, false}, {{6, 0, 0}, -1, 2, true}});
  const std::vector<std::uint8_t> none(2, 0), both(2, 1);
  const auto message = [&](const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                           const Topology& topology) -> std::string {
    try {
      const Binding binding(topology, nullptr, a, b, {}, Device::cpu());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(none, ions.second, ions.topology).find("first selection holds no atoms"), std::string::npos);
  EXPECT_NE(message(both, ions.second, ions.topology).find("share 1 atoms"), std::string::npos);
  Topology bonded = ions.topology;
  bonded.has_bonds = true;
  bonded.bonds = {{0, 1, 1}};
  EXPECT_NE(message(ions.first, ions.second, bonded).find("are bonded"), std::string::npos);
  Topology bare = ions.topology;
  bare.atoms.change_kinds([](Atom& kind) { kind.charge = 0; });
  EXPECT_NE(message(ions.first, ions.second, bare).find("all charges"), std::string::npos);
}

}  // namespace
}  // namespace isolume
