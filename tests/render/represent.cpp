// Tests of representations: what they draw of atoms and bonds, and where.
#include "render/represent/represent.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "render/represent/curve.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

using Items = std::vector<std::shared_ptr<const DrawItem>>;

std::vector<SecondaryStructure> structure_of(const Topology& topology) {
  std::vector<SecondaryStructure> result;
  for (const Residue& residue : topology.residues) result.push_back(residue.structure);
  return result;
}

Items draw(const Peptide& p, Style style, std::vector<std::uint8_t> mask = {}) {
  if (mask.empty()) mask.assign(p.topology.atoms.size(), 1);
  const auto colours = colour_atoms(p.topology, Colouring::element, {});
  return represent(p.topology, p.frame, mask, style, {}, colours, structure_of(p.topology), 1, 1);
}

template <class Shape>
const Shape* find(const Items& items) {
  for (const auto& item : items)
    if (const auto* shape = std::get_if<Shape>(&item->shape)) return shape;
  return nullptr;
}

/// Every vertex is near its atom, no triangle is long, normals are unit vectors that agree with their triangles.
void check_ribbon(const Items& items, const Frame& frame) {
  const Surface* surface = find<Surface>(items);
  ASSERT_NE(surface, nullptr);
  const Mesh& mesh = *surface->mesh;
  ASSERT_EQ(surface->parts.size(), mesh.positions.size());
  ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    ASSERT_LT(glm::distance(mesh.positions[i], frame.positions[surface->parts[i]]), 4.5f);
    ASSERT_NEAR(glm::length(mesh.normals[i]), 1, 1e-4);
  }
  std::size_t against = 0;
  for (const glm::uvec3& t : mesh.triangles) {
    const glm::vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
    ASSERT_LT(std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)}), 3.0f);
    const glm::vec3 face = glm::cross(b - a, c - a);
    if (glm::length(face) < 1e-5f) continue;
    const glm::vec3 mean = mesh.normals[t.x] + mesh.normals[t.y] + mesh.normals[t.z];
    against += glm::dot(face, mean) < 0;
  }
  EXPECT_LT(static_cast<double>(against), 0.02 * static_cast<double>(mesh.triangles.size()));
}

TEST(Represent, CartoonFollowsTheChain) {
  const Peptide fold = small_fold();
  const Items items = draw(fold, Style::cartoon);
  check_ribbon(items, fold.frame);
  // Every residue's alpha carbon is there to be picked.
  const Surface* surface = find<Surface>(items);
  ASSERT_NE(surface, nullptr);
  EXPECT_EQ(std::set<std::uint32_t>(surface->parts.begin(), surface->parts.end()).size(),
            fold.topology.residues.size());
}

TEST(Represent, CartoonBreaksWhereTheChainDoes) {
  const Peptide fold = small_fold();
  // Residues 8 and 9, inside the helix, are not drawn; residue 25 lacks its alpha carbon.
  std::vector<std::uint8_t> mask(fold.topology.atoms.size(), 1);
  for (const std::size_t residue : {8u, 9u})
    for (std::size_t i = 4 * residue; i < 4 * residue + 4; ++i) mask[i] = 0;
  mask[4 * 25 + 1] = 0;
  const Items items = draw(fold, Style::cartoon, mask);
  check_ribbon(items, fold.frame);
  for (const glm::vec3& p : find<Surface>(items)->mesh->positions)
    EXPECT_GT(glm::distance(p, 0.5f * (fold.frame.positions[4 * 8 + 1] + fold.frame.positions[4 * 9 + 1])), 0.5f);
}

TEST(Represent, ResiduesBrokenAtAFaceAreNotDrawnAcrossTheCell) {
  Peptide fold = small_fold();
  // From the alpha carbon of residue 10 on in the next cell; its nitrogen is still bonded to residue 9.
  for (std::size_t i = 4 * 10 + 1; i < fold.frame.positions.size(); ++i) fold.frame.positions[i] += glm::vec3(60, 0, 0);
  EXPECT_EQ(find<Cylinders>(draw(fold, Style::trace))->cylinders.size(), fold.topology.residues.size() - 2);
}

TEST(Represent, AlphaCarbonsAloneAreEnough) {
  const Peptide fold = small_fold();
  std::vector<std::uint8_t> mask(fold.topology.atoms.size(), 0);
  for (std::size_t i = 1; i < mask.size(); i += 4) mask[i] = 1;
  for (const Style style : {Style::cartoon, Style::tube}) check_ribbon(draw(fold, style, mask), fold.frame);
  EXPECT_EQ(find<Cylinders>(draw(fold, Style::trace, mask))->cylinders.size(), fold.topology.residues.size() - 1);
}

TEST(Represent, NothingOfNothing) {
  const Peptide fold = small_fold();
  const std::vector<std::uint8_t> none(fold.topology.atoms.size(), 0);
  for (const Style style : {Style::lines, Style::sticks, Style::ball_and_stick, Style::spheres, Style::cartoon,
                            Style::tube, Style::trace, Style::points}) {
    EXPECT_TRUE(draw(fold, style, none).empty()) << name(style);
    EXPECT_FALSE(draw(fold, style).empty()) << name(style);
  }
  std::vector<std::uint8_t> one = none;
  for (std::size_t i = 40; i < 44; ++i) one[i] = 1;
  EXPECT_TRUE(draw(fold, Style::cartoon, one).empty()) << "one residue has no direction";
}

TEST(Represent, CurveOfAHelixIsRound) {
  // Alpha carbons of the ideal helix: radius 2.3, 100 degrees and 1.5 angstrom per residue.
  Backbone helix;
  for (int i = 0; i < 16; ++i) {
    const double angle = i * 100 * M_PI / 180;
    BackboneResidue residue;
    residue.position = glm::vec3(2.3 * std::cos(angle), 2.3 * std::sin(angle), 1.5 * i);
    residue.structure = SecondaryStructure::helix;
    helix.residues.push_back(residue);
  }
  const Curve curve(helix, shapes(helix));
  for (float u = 2; u <= 13; u += 0.05f) {
    const Station station = curve.at(u);
    EXPECT_NEAR(std::hypot(station.position.x, station.position.y), 2.3, 0.04) << u;
    EXPECT_NEAR(station.position.z, 1.5f * u, 0.05) << u;
    EXPECT_NEAR(glm::dot(station.tangent, station.across), 0, 1e-5);
    // Flat on the cylinder: the direction across is in it.
    EXPECT_NEAR(glm::dot(station.across, glm::normalize(glm::vec3(glm::vec2(station.position), 0))), 0, 0.02) << u;
  }
}

TEST(Represent, SpheresAndBonds) {
  const Peptide fold = small_fold();
  const Items spheres = draw(fold, Style::spheres);
  const Spheres* shape = find<Spheres>(spheres);
  ASSERT_NE(shape, nullptr);
  ASSERT_EQ(shape->spheres.size(), fold.topology.atoms.size());
  EXPECT_FLOAT_EQ(shape->spheres[0].w, element(7).vdw_radius);
  EXPECT_EQ(shape->parts[5], 5u);
  const Items sticks = draw(fold, Style::sticks);
  const Cylinders* bonds = find<Cylinders>(sticks);
  ASSERT_NE(bonds, nullptr);
  ASSERT_EQ(bonds->cylinders.size(), fold.topology.bonds.size());
  EXPECT_EQ(bonds->parts_a[0], fold.topology.bonds[0].a);
  EXPECT_EQ(bonds->colours_a[0], glm::u8vec4(element(7).colour, 255));
  EXPECT_EQ(bonds->colours_b[0], glm::u8vec4(element(6).colour, 255));
  EXPECT_TRUE(bonds->round_ends);
}

TEST(Represent, BondsAcrossTheCellAreLeftOut) {
  Peptide pair = peptide({{-60, -45}}, {});
  pair.frame.cell = Cell::from_lengths_angles({20, 20, 20}, {90, 90, 90});
  const std::size_t all = find<Cylinders>(draw(pair, Style::sticks))->cylinders.size();
  pair.frame.positions[3] += glm::vec3(20, 0, 0);  // the oxygen's image
  EXPECT_EQ(find<Cylinders>(draw(pair, Style::sticks))->cylinders.size(), all - 1);
}

TEST(Represent, OfAlternateLocationsTheFirst) {
  Peptide p = peptide({{-60, -45}}, {});
  p.topology.atoms.change(2, [](Atom& atom) { atom.altloc = 'B'; });
  p.topology.atoms.change(3, [](Atom& atom) { atom.altloc = 'C'; });
  EXPECT_EQ(find<Spheres>(draw(p, Style::spheres))->parts, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Represent, PositionsThatAreNoNumbersAreLeftOut) {
  Peptide fold = small_fold();
  fold.frame.positions[41] = glm::vec3(std::numeric_limits<float>::quiet_NaN());
  for (const Style style : {Style::spheres, Style::sticks, Style::cartoon, Style::points})
    for (const auto& item : draw(fold, style)) {
      std::vector<glm::vec3> points;
      if (const auto* surface = std::get_if<Surface>(&item->shape)) points = surface->mesh->positions;
      if (const auto* spheres = std::get_if<Spheres>(&item->shape))
        points.assign(spheres->spheres.begin(), spheres->spheres.end());
      if (const auto* bonds = std::get_if<Cylinders>(&item->shape))
        for (const auto& c : bonds->cylinders) points.insert(points.end(), {c.a, c.b});
      EXPECT_FALSE(points.empty());
      for (const glm::vec3& p : points) ASSERT_TRUE(std::isfinite(p.x + p.y + p.z)) << name(style);
    }
}

TEST(Represent, CountsThatDisagreeAreAnError) {
  const Peptide p = peptide({{-60, -45}}, {});
  const std::vector<std::uint8_t> mask(3, 1);
  EXPECT_THROW(represent(p.topology, p.frame, mask, Style::spheres, {}, {}, {}, 1, 1), Error);
}

TEST(Colours, NamesGoBothWays) {
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(style_from_name(name(static_cast<Style>(i))), static_cast<Style>(i));
    EXPECT_EQ(colouring_from_name(name(static_cast<Colouring>(i))), static_cast<Colouring>(i));
  }
  EXPECT_EQ(style_from_name("Ball-and_stick"), Style::ball_and_stick);
  try {
    style_from_name("balls");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("ball and stick"), std::string::npos);
  }
}

TEST(Colours, ByElementChargeChainAndFactor) {
  Peptide p = peptide({{-60, -45}, {-60, -45}}, {});
  Topology& t = p.topology;
  const glm::u8vec4 green(30, 160, 60, 255);
  EXPECT_EQ(colour_atoms(t, Colouring::element, green)[1], green) << "carbon";
  EXPECT_EQ(colour_atoms(t, Colouring::element, green)[0], glm::u8vec4(element(7).colour, 255));
  EXPECT_EQ(colour_atoms(t, Colouring::uniform, green)[6], green);
  t.has_charges = true;
  t.atoms.change(0, [](Atom& atom) { atom.charge = -1; });
  t.atoms.change(1, [](Atom& atom) { atom.charge = 0; });
  t.atoms.change(2, [](Atom& atom) { atom.charge = 1; });
  const auto charges = colour_atoms(t, Colouring::charge, {});
  EXPECT_GT(charges[0].r, charges[0].b + 100) << "negative is red";
  EXPECT_EQ(charges[1], glm::u8vec4(247, 247, 247, 255));
  EXPECT_GT(charges[2].b, charges[2].r + 100) << "positive is blue";
  for (std::size_t i = 0; i < t.atoms.size(); ++i)
    t.atoms.change(i, [&](Atom& atom) { atom.b_factor = 10.0f * static_cast<float>(i); });
  const auto factors = colour_atoms(t, Colouring::b_factor, {});
  const auto luma = [](glm::u8vec4 c) { return 0.299 * c.r + 0.587 * c.g + 0.114 * c.b; };
  for (std::size_t i = 1; i < factors.size(); ++i) EXPECT_GE(luma(factors[i]), luma(factors[i - 1])) << "ever brighter";
  EXPECT_EQ(factors.front(), glm::u8vec4(0x44, 0x01, 0x54, 255));
  EXPECT_EQ(factors.back(), glm::u8vec4(0xFD, 0xE7, 0x25, 255));
  const auto chains = colour_atoms(t, Colouring::chain, {});
  EXPECT_EQ(chains.front(), chains.back());
}

TEST(Colours, CopiesOfAnAssemblyHaveThoseOfTheChainTheyCopy) {
  Topology topology;
  for (int copy = 0; copy < 3; ++copy)
    for (const char* id : {"A", "B"}) {
      const auto number = static_cast<std::uint32_t>(topology.chains.size());
      topology.chains.push_back({id, std::to_string(copy + 1), number, 1});
      Residue residue;
      residue.chain = number;
      residue.first_atom = number;
      residue.atom_count = 1;
      topology.residues.push_back(residue);
      Atom atom;
      atom.residue = number;
      topology.atoms.push_back(atom);
    }
  topology.notes = {"Assembly 1 was built by 3 operators."};
  const auto colours = colour_atoms(topology, Colouring::chain, {});
  EXPECT_EQ(colours[0], colours[2]);
  EXPECT_EQ(colours[1], colours[5]);
  EXPECT_NE(colours[0], colours[1]);
  topology.notes.clear();  // segments of a file are chains of their own
  EXPECT_NE(colour_atoms(topology, Colouring::chain, {})[0], colour_atoms(topology, Colouring::chain, {})[2]);
}

TEST(Colours, EveryMoleculeHasOne) {
  Topology topology;
  topology.atoms.resize(2);
  topology.residues.resize(1);
  topology.chains.resize(1);
  ColourRule rule;
  rule.colouring = Colouring::molecule;
  rule.molecule = "a.pdb";
  const AtomColours first = colour_atoms(topology, rule, {}, {}, {}, {});
  rule.number = 1;
  EXPECT_EQ(first.colours[0], first.colours[1]);
  EXPECT_NE(first.colours[0], colour_atoms(topology, rule, {}, {}, {}, {}).colours[0]);
  ASSERT_TRUE(first.key);
  EXPECT_EQ(first.key->title, "Molecule");
  EXPECT_EQ(first.key->entries.at(0).first, "a.pdb");
  EXPECT_EQ(colouring_from_name("molecule"), Colouring::molecule);
}

TEST(Represent, StopsWhereItWasAskedToAndSaysHowFarItIs) {
  // A chain of carbon in the plane, every atom with a displacement, a velocity and a residue of its own.
  constexpr std::uint32_t count = 30'000;
  Topology topology;
  Frame frame;
  topology.chains.push_back({});
  topology.chains[0].residue_count = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    Atom atom;
    atom.name = "CA";
    atom.element = 6;
    atom.radius = 1.7f;
    atom.residue = i;
    topology.atoms.push_back(atom);
    Residue residue;
    residue.name = "GLY";
    residue.number = static_cast<std::int32_t>(i);
    residue.first_atom = i;
    residue.atom_count = 1;
    topology.residues.push_back(residue);
    if (i > 0) topology.bonds.push_back({i - 1, i, 1});
    frame.positions.emplace_back(3.8f * static_cast<float>(i % 100), 20.0f * static_cast<float>(i / 100), i % 2);
    frame.velocities.emplace_back(1, 0, 0);
  }
  const std::vector<std::uint8_t> all(count, 1);
  const auto colours = colour_atoms(topology, Colouring::element, {});
  StyleOptions options;
  options.vectors = VectorKind::velocities;
  for (int s = 0; s < style_count; ++s) {
    const auto style = static_cast<Style>(s);
    if (style == Style::hydrogen_bonds) continue;  // carbon has none
    std::atomic<bool> stop = false;
    const StopScope scope(&stop);
    int reports = 0, last = 1 << 30;
    double before = 0;
    const auto draw = [&] {
      represent(topology, frame, all, style, options, colours, {}, 1, 1, Material::standard, {}, [&](double part) {
        EXPECT_GE(part, before);
        EXPECT_LE(part, 1);
        before = part;
        stop = ++reports == last;
      });
    };
    draw();
    EXPECT_GE(reports, 5) << name(style);
    last = reports / 2;
    reports = 0;
    before = 0;
    EXPECT_THROW(draw(), Error) << name(style);
    EXPECT_EQ(reports, last) << name(style) << ": nothing more is made";
  }
}

}  // namespace
}  // namespace isolume::test
