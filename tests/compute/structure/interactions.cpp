// Interactions by geometry: hand-made pairs at both sides of each threshold, and a protein against plain loops.
#include "compute/structure/interactions.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "compute/structure/interface_area.h"
#include "molecule/base/error.h"

namespace isolume::test {
namespace {

constexpr InteractionKinds every{true, true, true, true, true, true, true};

/// Residues one after another, each with its bonds.
struct Model {
  TopologyBuilder builder;
  Frame frame;
  int residues = 0;

  std::uint32_t add(const char* residue, const char* name, std::uint8_t element, glm::vec3 place, bool fresh = false) {
    residues += fresh ? 1 : 0;
    Atom atom;
    atom.name = name;
    atom.element = element;
    builder.add(atom, residue, residues, ' ', "A");
    frame.positions.push_back(place);
    return static_cast<std::uint32_t>(frame.positions.size()) - 1;
  }
  void bond(std::uint32_t a, std::uint32_t b) {
    builder.topology().bonds.push_back({std::min(a, b), std::max(a, b), 1});
  }
  /// A hexagon of carbons, 1.39 angstrom long, about a centre; `u` and `v` span its plane.
  void ring(glm::vec3 centre, glm::vec3 u, glm::vec3 v, const char* residue = "LIG") {
    const char* names[] = {"C1", "C2", "C3", "C4", "C5", "C6"};
    const auto first = static_cast<std::uint32_t>(frame.positions.size());
    for (int i = 0; i < 6; ++i) {
      const float t = static_cast<float>(i * M_PI / 3);
      add(residue, names[i], 6, centre + 1.39f * (std::cos(t) * u + std::sin(t) * v), i == 0);
    }
    for (std::uint32_t i = 0; i < 6; ++i) bond(first + i, first + (i + 1) % 6);
  }
  std::vector<Interaction> find(const InteractionKinds& kinds = every) {
    const Topology topology = builder.finish();
    const std::vector<std::uint8_t> all(topology.atoms.size(), 1);
    Job job;
    return interactions(topology, interaction_sites(topology, frame), frame, all, {}, kinds, {}, job);
  }
};

InteractionKinds only(std::initializer_list<InteractionKind> kinds) {
  InteractionKinds result{};
  for (const InteractionKind kind : kinds) result[static_cast<std::size_t>(kind)] = true;
  return result;
}

constexpr glm::vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
const InteractionKinds stacked = only({InteractionKind::stacking, InteractionKind::edge_stacking});

TEST(Interactions, RingsFaceToFace) {
  Model model;
  model.ring({0, 0, 0}, x, y);
  model.ring({1.6f, 0, 3.4f}, x, y);
  const auto found = model.find(stacked);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, InteractionKind::stacking);
  EXPECT_NEAR(found[0].distance, std::hypot(1.6, 3.4), 1e-4);
  EXPECT_NEAR(found[0].angle, 0, 1e-2);
  EXPECT_EQ(found[0].first.size(), 6u);
  for (const auto& [offset, height, there] :
       {std::tuple{1.9f, 3.4f, true}, {2.1f, 3.4f, false}, {0.0f, 5.4f, true}, {0.0f, 5.6f, false}}) {
    Model other;
    other.ring({0, 0, 0}, x, y);
    other.ring({offset, 0, height}, x, y);
    EXPECT_EQ(other.find(stacked).size(), there ? 1u : 0u) << offset << " " << height;
  }
}

TEST(Interactions, RingsEdgeToFaceAndAtAnAngleBetween) {
  for (const auto& [degrees, kind] : {std::pair{88.0, 2}, {61.0, 2}, {59.0, 0}, {45.0, 0}, {31.0, 0}, {29.0, 1}}) {
    Model model;
    model.ring({0, 0, 0}, x, y);
    const auto t = static_cast<float>(degrees * M_PI / 180);
    model.ring({0, 0, 5.0f}, std::cos(t) * x + std::sin(t) * z, y);
    const auto found = model.find(stacked);
    ASSERT_EQ(found.size(), kind > 0 ? 1u : 0u) << degrees;
    if (kind == 0) continue;
    EXPECT_EQ(found[0].kind, kind == 1 ? InteractionKind::stacking : InteractionKind::edge_stacking) << degrees;
    EXPECT_NEAR(found[0].angle, degrees, 1e-2);
  }
}

TEST(Interactions, AChairOfSaturatedCarbonsIsNoAromaticRing) {
  Model model;
  model.ring({0, 0, 0}, x, y);
  for (std::size_t i = 0; i < 6; ++i) model.frame.positions[i].z += i % 2 ? 0.25f : -0.25f;  // cyclohexane
  model.ring({0, 0, 3.6f}, x, y);
  EXPECT_TRUE(model.find(stacked).empty());
}

TEST(Interactions, SaltBridgesUpToFourAngstrom) {
  for (const float distance : {2.8f, 3.9f, 4.1f}) {
    Model model;
    model.add("LYS", "NZ", 7, {0, 0, 0}, true);
    const auto c = model.add("ASP", "CG", 6, {distance + 1.0f, 0.8f, 0}, true);
    const auto near = model.add("ASP", "OD1", 8, {distance, 0, 0});
    const auto far = model.add("ASP", "OD2", 8, {distance + 2.2f, 0.2f, 0});
    model.bond(c, near);
    model.bond(c, far);
    const auto found = model.find(only({InteractionKind::salt_bridge}));
    ASSERT_EQ(found.size(), distance < 4 ? 1u : 0u) << distance;
    if (found.empty()) continue;
    EXPECT_EQ(found[0].first, std::vector<std::uint32_t>{0});
    EXPECT_EQ(found[0].second, std::vector<std::uint32_t>{near});
    EXPECT_FLOAT_EQ(found[0].distance, distance);
  }
}

TEST(Interactions, ACarboxylicAcidWithItsHydrogenHasNoCharge) {
  Model model;
  model.add("LYS", "NZ", 7, {0, 0, 0}, true);
  const auto c = model.add("ASH", "CG", 6, {4, 0.8f, 0}, true), a = model.add("ASH", "OD1", 8, {3, 0, 0}),
             b = model.add("ASH", "OD2", 8, {5, 0, 0}), h = model.add("ASH", "HD2", 1, {6, 0, 0});
  model.bond(c, a);
  model.bond(c, b);
  model.bond(b, h);
  EXPECT_TRUE(model.find(only({InteractionKind::salt_bridge})).empty());
}

TEST(Interactions, CationsOverRings) {
  for (const auto& [side, height, there] : {std::tuple{0.0f, 3.5f, true},
                                            {0.0f, 5.9f, true},
                                            {0.0f, 6.1f, false},
                                            {1.9f, 4.0f, true},
                                            {2.1f, 4.0f, false}}) {
    Model model;
    model.ring({0, 0, 0}, x, y);
    model.add("LYS", "NZ", 7, {side, 0, height}, true);
    EXPECT_EQ(model.find(only({InteractionKind::cation_pi})).size(), there ? 1u : 0u) << side << " " << height;
  }
}

TEST(Interactions, ClashesAndContactsByOverlap) {
  // Two carbons, 1.70 angstrom each.
  for (const auto& [distance, kind] : {std::pair{2.79f, 2}, {2.81f, 1}, {3.79f, 1}, {3.81f, 0}}) {
    Model model;
    model.add("LIG", "C1", 6, {0, 0, 0}, true);
    model.add("LIG", "C1", 6, {distance, 0, 0}, true);
    const auto found = model.find();
    ASSERT_EQ(found.size(), kind > 0 ? 1u : 0u) << distance;
    if (kind == 0) continue;
    EXPECT_EQ(found[0].kind, kind == 2 ? InteractionKind::clash : InteractionKind::contact) << distance;
    EXPECT_NEAR(found[0].overlap, 3.4 - double(distance), 1e-5);
  }
  // Nitrogen (1.55) and oxygen (1.52) may be hydrogen-bonded: 0.4 less.
  for (const float distance : {2.0f, 2.2f}) {
    Model model;
    model.add("LIG", "N1", 7, {0, 0, 0}, true);
    model.add("LIG", "O1", 8, {distance, 0, 0}, true);
    const auto found = model.find(only({InteractionKind::clash}));
    EXPECT_EQ(found.size(), distance < 2.07f ? 1u : 0u) << distance;
  }
}

TEST(Interactions, AtomsNearByBondsDoNotClash) {
  for (const int atoms : {5, 6}) {  // a chain bent back onto its first atom: the last is four or five bonds away
    Model model;
    std::uint32_t last = 0;
    for (int i = 0; i < atoms; ++i) {
      const float t = static_cast<float>(i) * 2 * static_cast<float>(M_PI) / static_cast<float>(atoms);
      last = model.add("LIG", "C1", 6, {1.4f * std::cos(t), 1.4f * std::sin(t), 0.2f * static_cast<float>(i)}, i == 0);
      if (i > 0) model.bond(last - 1, last);
    }
    EXPECT_EQ(model.find(only({InteractionKind::clash})).size(), atoms == 6 ? 1u : 0u) << atoms;
  }
}

TEST(Interactions, OnlyBetweenTheTwoSets) {
  Model model;
  for (int i = 0; i < 3; ++i) model.add("LIG", "C1", 6, {2.5f * static_cast<float>(i), 0, 0}, true);
  const Topology topology = model.builder.finish();
  const InteractionSites sites = interaction_sites(topology, model.frame);
  Job job;
  const auto count = [&](std::vector<std::uint8_t> first, std::vector<std::uint8_t> second) {
    return interactions(topology, sites, model.frame, first, second, every, {}, job).size();
  };
  EXPECT_EQ(count({1, 1, 1}, {}), 2u);
  EXPECT_EQ(count({1, 1, 0}, {}), 1u);
  EXPECT_EQ(count({1, 0, 0}, {0, 1, 1}), 1u);
  EXPECT_EQ(count({0, 1, 0}, {1, 0, 1}), 2u);
  EXPECT_EQ(count({1, 0, 0}, {0, 0, 1}), 0u);
  EXPECT_THROW(interactions(topology, sites, model.frame, std::vector<std::uint8_t>(2, 1), {}, every, {}, job), Error);
}

// A crowd of lysines, aspartates and rings: cell lists find what plain loops find.
TEST(Interactions, CellListsAgreeWithPlainLoops) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<float> side(0, 28), angle(-1, 1);
  const auto place = [&] { return glm::vec3(side(engine), side(engine), side(engine)); };
  Model model;
  for (int i = 0; i < 60; ++i) {
    model.add("LYS", "NZ", 7, place(), true);
    const glm::vec3 at = place();
    const auto c = model.add("ASP", "CG", 6, at, true), a = model.add("ASP", "OD1", 8, at + glm::vec3(1.2f, 0.3f, 0)),
               b = model.add("ASP", "OD2", 8, at + glm::vec3(-0.6f, 1.1f, 0));
    model.bond(c, a);
    model.bond(c, b);
    const glm::vec3 u = glm::normalize(glm::vec3(angle(engine), angle(engine), angle(engine)));
    const glm::vec3 v = glm::normalize(glm::cross(u, glm::vec3(angle(engine), angle(engine), angle(engine))));
    const glm::vec3 n = glm::cross(u, v), centre = place();
    model.ring(centre, u, v);
    if (i % 10 == 0) model.ring(centre + 3.6f * n, u, v);
    if (i % 10 == 3) model.ring(centre + 5.0f * n, n, v);
    if (i % 10 == 6) model.add("LYS", "NZ", 7, centre + 4.0f * n, true);
  }
  const Topology topology = model.builder.finish();
  const InteractionSites sites = interaction_sites(topology, model.frame);
  EXPECT_EQ(sites.rings.size(), 72u);
  EXPECT_EQ(sites.positive.size(), 66u);
  EXPECT_EQ(sites.negative.size(), 60u);
  std::vector<std::uint8_t> first(topology.atoms.size(), 0), second(topology.atoms.size(), 0);
  for (std::size_t i = 0; i < first.size(); ++i) (i % 3 ? first : second)[i] = 1;
  InteractionKinds kinds = every;
  kinds[static_cast<std::size_t>(InteractionKind::hydrogen_bond)] = false;
  Job job;
  for (const bool two : {false, true}) {
    const std::vector<std::uint8_t> all(topology.atoms.size(), 1);
    const auto& from = two ? first : all;
    const std::span<const std::uint8_t> to =
        two ? std::span<const std::uint8_t>(second) : std::span<const std::uint8_t>();
    const auto fast = interactions(topology, sites, model.frame, from, to, kinds, {}, job);
    const auto plain = interactions_reference(topology, sites, model.frame, from, to, kinds, {});
    ASSERT_EQ(fast.size(), plain.size());
    std::array<int, interaction_kinds> counts{};
    for (std::size_t i = 0; i < fast.size(); ++i) {
      EXPECT_EQ(fast[i].kind, plain[i].kind);
      EXPECT_EQ(fast[i].first, plain[i].first);
      EXPECT_EQ(fast[i].second, plain[i].second);
      EXPECT_EQ(fast[i].distance, plain[i].distance);
      ++counts[static_cast<std::size_t>(fast[i].kind)];
    }
    if (two) continue;
    for (std::size_t k = 1; k < counts.size(); ++k) EXPECT_GT(counts[k], 0) << name(static_cast<InteractionKind>(k));
  }
}

TEST(Interactions, NamesAreReadAndWrongOnesListed) {
  EXPECT_EQ(interaction_from_name("salt-bridge"), InteractionKind::salt_bridge);
  EXPECT_EQ(interaction_from_name("cation_pi"), InteractionKind::cation_pi);
  EXPECT_EQ(interaction_from_name("edge stacking"), InteractionKind::edge_stacking);
  EXPECT_THROW(interaction_from_name("halogen"), Error);
}

TEST(InterfaceArea, OfTwoSpheresThatOverlap) {
  // Spheres of radius R = 1.7 + 1.4 at a distance d: each loses the cap 2 pi R (R - d / 2).
  Model model;
  model.add("LIG", "C1", 6, {0, 0, 0}, true);
  model.add("LIG", "C1", 6, {3.8f, 0, 0}, true);
  const Topology topology = model.builder.finish();
  Job job;
  SasaOptions options;
  options.points = 20000;
  const InterfaceArea area = interface_area(topology, model.frame, std::vector<std::uint8_t>{1, 0},
                                            std::vector<std::uint8_t>{0, 1}, options, job);
  const double r = 3.1, whole = 4 * M_PI * r * r, cap = 2 * M_PI * r * (r - 1.9);
  EXPECT_NEAR(area.first, whole, 1e-3 * whole);
  EXPECT_NEAR(area.both, 2 * (whole - cap), 2e-3 * whole);
  EXPECT_NEAR(area.area(), cap, 2e-3 * whole);
  EXPECT_THROW(interface_area(topology, model.frame, std::vector<std::uint8_t>{1, 1}, std::vector<std::uint8_t>{0, 0},
                              options, job),
               Error);
}

}  // namespace
}  // namespace isolume::test
