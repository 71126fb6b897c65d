// Ions: every step of placements made elsewhere, the reference, ties, neutrality, and what is refused.
#include "compute/sampling/ion_placement.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/sampling/ion_kinds.h"
#include "formats/read.h"
#include "molecule/base/units.h"
#include "molecule/molecule.h"
#include "tests/compute/base/devices.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

using namespace test;
using Ions = OnDevice;
ISOLUME_ON_EVERY_DEVICE(Ions);

IonSites lattice_sites(const std::vector<PointCharge>& charges, const Grid& grid,
                       const LargeVector<std::uint32_t>& points, Device device, double exact_pairs = 1e300) {
  IonSites sites;
  sites.lattice = grid;
  sites.points = points;
  Job job;
  fill_site_potential(charges, sites, device, job, exact_pairs);
  EXPECT_EQ(sites.map != nullptr, exact_pairs == 0);
  return sites;
}

std::vector<glm::dvec3> places_of(const IonSites& sites) {
  std::vector<glm::dvec3> places;
  for (const std::uint32_t number : sites.points) {
    const glm::ivec3 p = lattice_point(sites.lattice, number);
    places.push_back(sites.lattice.point(p.x, p.y, p.z));
  }
  return places;
}

// Both protocols of one protein, every step: the site, its energy, the gap, the ties and how many sites were open.
void follows(const std::string& name, const std::string& pqr, Device device, double exact_pairs) {
  const std::string path = shared_data("ions/" + name + ".json"), structure = shared_data(pqr);
  ISOLUME_NEEDS(path);
  ISOLUME_NEEDS(structure);
  std::ifstream file(path);
  const nlohmann::json known = nlohmann::json::parse(file);
  const Molecule molecule = read_file(structure);
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<PointCharge> charges;
  std::vector<glm::dvec3> atoms;
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    charges.push_back({frame.positions[i], molecule.topology->atoms[i].charge});
    atoms.push_back(decimal_position(frame.positions[i]));
  }
  Job job;
  const Grid grid = ion_lattice(atoms, known["padding"], 1);
  const LargeVector<std::uint32_t> points = free_lattice_points(grid, atoms, known["min_solute_distance"], job);
  const IonSites sites = lattice_sites(charges, grid, points, device, exact_pairs);
  IonPlacementOptions options;
  options.dielectric = known["epsilon"];
  options.ion_distance = known["min_ion_distance"];
  for (const auto& [protocol, steps] : known["protocols"].items()) {
    SCOPED_TRACE(protocol);
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      EXPECT_EQ(grid.origin[axis], steps["lattice_origin"][a].get<double>());
      EXPECT_EQ(grid.counts[axis], steps["lattice_nodes"][a].get<int>());
    }
    const auto& placements = steps["placements"];
    std::vector<double> sequence;
    for (const auto& step : placements) sequence.push_back(ion_kind(step["ion"].get<std::string>()).charge);
    const std::vector<PlacedIon> placed = place_ions(charges, sites, sequence, options, device, job);
    ASSERT_EQ(placed.size(), placements.size());
    for (std::size_t n = 0; n < placed.size(); ++n) {
      const auto& step = placements[n];
      const glm::ivec3 site = lattice_point(grid, points[placed[n].site]) + glm::ivec3(grid.origin);
      const glm::ivec3 expected(step["site"][0].get<int>(), step["site"][1].get<int>(), step["site"][2].get<int>());
      EXPECT_EQ(site, expected) << n;
      // Positions and charges are floats here: some 1e-7 of the energy.
      EXPECT_NEAR(placed[n].energy, step["energy_kcal_mol"].get<double>(), 2e-6) << n;
      if (exact_pairs > 1) {
        EXPECT_NEAR(placed[n].gap, step["next_best_gap"].get<double>(), 2e-6) << n;
      }
      EXPECT_EQ(placed[n].ties, step["ties"].get<std::size_t>()) << n;
      EXPECT_EQ(placed[n].candidates, step["candidates"].get<std::size_t>()) << n;
    }
  }
}

TEST_P(Ions, OfUbiquitin) {
  follows("1ubq", "charges/1ubq_amber_propka7.pqr", GetParam(), 1e300);
}

TEST_P(Ions, OfUbiquitinWithAMapInSinglePrecision) {
  follows("1ubq", "charges/1ubq_amber_propka7.pqr", GetParam(), 0);
}

TEST_P(Ions, OfANegativeProtein) {
  follows("1ajj", "structures/pqr/1ajj.pqr", GetParam(), 1e300);
}

TEST_P(Ions, OfAPositiveProtein) {
  follows("fas2", "structures/pqr/fas2.pqr", GetParam(), 1e300);
}

TEST_P(Ions, AgreeWithTheReferenceAtRandomCharges) {
  Random random(3);
  std::vector<PointCharge> charges;
  std::vector<glm::dvec3> atoms;
  for (int i = 0; i < 40; ++i) {
    const glm::vec3 p(random.in_box(-6, 6));
    charges.push_back({p, static_cast<float>(random(-1, 1))});
    atoms.emplace_back(p);
  }
  Job job;
  const Grid grid = ion_lattice(atoms, 4.3, 0.9);
  const LargeVector<std::uint32_t> points = free_lattice_points(grid, atoms, 2.1, job);
  const std::vector<double> sequence{1, -1, 2, -1, -1, 1, 1, -1};
  IonPlacementOptions options;
  options.dielectric = 4;
  options.ion_distance = 3.2;
  for (const double exact_pairs : {1e300, 0.0}) {
    const IonSites sites = lattice_sites(charges, grid, points, GetParam(), exact_pairs);
    const std::vector<PlacedIon> expected = place_ions_reference(charges, places_of(sites), sequence, options);
    const std::vector<PlacedIon> placed = place_ions(charges, sites, sequence, options, GetParam(), job);
    ASSERT_EQ(placed.size(), expected.size());
    for (std::size_t n = 0; n < placed.size(); ++n) {
      EXPECT_EQ(placed[n].site, expected[n].site) << n;
      EXPECT_EQ(placed[n].ties, expected[n].ties) << n;
      EXPECT_EQ(placed[n].candidates, expected[n].candidates) << n;
      EXPECT_NEAR(placed[n].energy, expected[n].energy, 1e-9 * std::abs(expected[n].energy)) << n;
    }
  }
}

TEST_P(Ions, OneChargeHasItsNearestSitesInTheirOrder) {
  // Around one charge at a lattice point all sites at the same distance are equal: x slowest, z fastest.
  const std::vector<PointCharge> charges{{{0, 0, 0}, -1}};
  const std::vector<glm::dvec3> atoms{{0, 0, 0}};
  Job job;
  const Grid grid = ion_lattice(atoms, 6, 1);
  const LargeVector<std::uint32_t> points = free_lattice_points(grid, atoms, 5, job);
  const IonSites sites = lattice_sites(charges, grid, points, GetParam());
  const std::vector<double> sequence{1};
  const std::vector<PlacedIon> placed = place_ions(charges, sites, sequence, {}, GetParam(), job);
  EXPECT_EQ(placed[0].ties, 30u);  // (5,0,0): 6, (4,3,0): 24
  EXPECT_EQ(sites.place(placed[0].site), glm::dvec3(-5, 0, 0));
  EXPECT_NEAR(placed[0].energy, -units::coulomb_kcal_angstrom / 80 / 5, 1e-12);
  EXPECT_NEAR(placed[0].gap, units::coulomb_kcal_angstrom / 80 * (1 / 5.0 - 1 / std::sqrt(26.0)), 1e-12);
  std::size_t outside = 0;
  for (int x = -6; x <= 6; ++x)
    for (int y = -6; y <= 6; ++y)
      for (int z = -6; z <= 6; ++z) outside += x * x + y * y + z * z >= 25;
  EXPECT_EQ(placed[0].candidates, outside);
}

// As a test of every point with every atom says; where none is left, most atoms are never looked at.
TEST(IonSites, AreThoseFarFromEveryAtom) {
  Random random(3);
  std::vector<glm::dvec3> atoms;
  for (int i = 0; i < 300; ++i) atoms.push_back(random.in_box(0, 20));
  const Grid grid = ion_lattice(atoms, 6, 1.1);
  Job job;
  for (const double distance : {0.0, 1.3, 5.0, 9.5, 60.0}) {
    std::vector<glm::ivec3> expected;
    for (int i = 0; i < grid.counts.x; ++i)
      for (int j = 0; j < grid.counts.y; ++j)
        for (int k = 0; k < grid.counts.z; ++k)
          if (std::none_of(atoms.begin(), atoms.end(),
                           [&](glm::dvec3 a) { return glm::distance(a, grid.point(i, j, k)) < distance - 1e-9; }))
            expected.emplace_back(i, j, k);
    std::uint64_t tested = 0;
    std::vector<glm::ivec3> found;
    for (const std::uint32_t number : free_lattice_points(grid, atoms, distance, job, &tested))
      found.push_back(lattice_point(grid, number));
    EXPECT_EQ(found, expected) << distance;
    if (distance == 60.0) {
      EXPECT_TRUE(expected.empty());
      EXPECT_EQ(tested, grid.size()) << "one atom takes all of a layer";
    }
  }
}

// Never fewer than fit, by trying all subsets; as many as fit on a lattice of cubes.
TEST(IonSites, AreNoMoreThanTheCubesOfTheirDistance) {
  Random random(7);
  Job job;
  for (int round = 0; round < 20; ++round) {
    IonSites sites;
    for (int i = 0; i < 10; ++i) sites.places.push_back(random.in_box(-9, 9));
    for (const double distance : {0.5, 4.0, 9.0, 15.0, 60.0}) {
      std::size_t most = 0;
      for (unsigned set = 1; set < 1u << 10; ++set) {
        bool apart = true;
        for (std::size_t i = 0; i < 10; ++i)
          for (std::size_t j = 0; j < i; ++j)
            if ((set >> i & 1u) != 0 && (set >> j & 1u) != 0 &&
                glm::distance(sites.places[i], sites.places[j]) < distance)
              apart = false;
        if (apart) most = std::max(most, static_cast<std::size_t>(std::popcount(set)));
      }
      const std::size_t found = most_apart(sites, distance, 100, job);
      EXPECT_GE(found, most) << distance;
      EXPECT_LE(found, 10u);
      EXPECT_EQ(most_apart(sites, distance, 1, job), 1u);
      EXPECT_TRUE(distance < 60 || found == 1u);
    }
  }
  IonSites corners;
  const std::vector<glm::dvec3> atoms{{0, 0, 0}, {20, 20, 20}};
  corners.lattice = ion_lattice(atoms, 0, 20);
  for (std::uint32_t i = 0; i < 8; ++i) corners.points.push_back(i);
  EXPECT_EQ(most_apart(corners, 20, 100, job), 8u);
  EXPECT_EQ(most_apart(corners, 35, 100, job), 1u);  // the diagonal is 34.6
  EXPECT_EQ(most_apart(corners, 0, 100, job), 8u);
}

TEST_P(Ions, StopsWhereNoneFits) {
  const std::vector<PointCharge> charges{{{0, 0, 0}, -1}};
  IonSites sites;
  sites.places = {{5, 0, 0}, {6, 0, 0}, {12, 0, 0}};
  sites.potential = {-3, -2, -1};
  Job job;
  const std::vector<double> sequence{1, -1, 1};
  try {
    place_ions(charges, sites, sequence, {}, GetParam(), job);
    FAIL() << "placed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("only 2 of 3 ions fit"), std::string::npos) << error.what();
  }
  expect_cancelled(GetParam(), [&](Job& stopped) { place_ions(charges, sites, sequence, {}, GetParam(), stopped); });
}

TEST(IonKinds, MakeSaltsAndNeutraliseThem) {
  const Salt magnesium = salt_of("mgcl2");
  EXPECT_EQ(magnesium.cation->name, "MG");
  EXPECT_EQ(magnesium.anions, 2);
  EXPECT_EQ(salt_of("NaCl").anion->name, "CL");
  EXPECT_EQ(ion_kind("Na+").element, 11);
  EXPECT_THROW(salt_of("NaCl2"), Error);
  EXPECT_THROW(salt_of("H2O"), Error);
  EXPECT_THROW(ion_kind("XX"), Error);
  EXPECT_EQ(salt_units(0.15, 201376.0), 18);  // 0.15 mol/l of 201 376 angstrom^3 are 18.19
  for (int charge = -7; charge <= 7; ++charge) {
    std::vector<IonCount> counts{{magnesium.cation, 3}, {magnesium.anion, 6}};
    add_neutralising(counts, magnesium, charge);
    int total = charge;
    for (const IonCount& c : counts) total += c.kind->charge * c.count;
    EXPECT_EQ(total, 0) << charge;
    EXPECT_GE(counts[0].count, 3);
    EXPECT_GE(counts[1].count, 6);
  }
}

TEST(IonKinds, AreOrderedAsAsked) {
  const auto names = [](const std::vector<const IonKind*>& kinds) {
    std::string text;
    for (const IonKind* kind : kinds) text += kind->charge > 0 ? '+' : '-';
    return text;
  };
  const IonKind &na = ion_kind("NA"), &cl = ion_kind("CL");
  EXPECT_EQ(names(ion_sequence({{&na, 5}, {&cl, 2}}, -3, IonOrder::alternating)), "+-+-+++");
  EXPECT_EQ(names(ion_sequence({{&na, 5}, {&cl, 2}}, -3, IonOrder::neutralise_first)), "++++-+-");
  EXPECT_EQ(names(ion_sequence({{&na, 2}, {&cl, 5}}, 3, IonOrder::neutralise_first)), "----+-+");
  EXPECT_EQ(names(ion_sequence({{&na, 2}, {&cl, 2}}, 0, IonOrder::neutralise_first)), "+-+-");
}

}  // namespace
}  // namespace isolume
