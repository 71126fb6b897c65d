// Alanine scans: what is exchanged, and the change of the energy by it.
#include "compute/binding/alanine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compute/preparation/residue_tables.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

struct Placed {
  const char* name;
  int element;
  glm::vec3 at;
};
/// Serine within a chain: bond lengths and angles of a peptide.
const std::vector<Placed> serine{{"N", 7, {0, 0, 0}},
                                 {"H", 1, {-0.5f, 0.84f, 0}},
                                 {"CA", 6, {1.458f, 0, 0}},
                                 {"HA", 1, {1.8f, -0.51f, 0.9f}},
                                 {"C", 6, {2, 1.42f, 0}},
                                 {"O", 8, {1.25f, 2.39f, 0}},
                                 {"CB", 6, {1.99f, -0.77f, -1.21f}},
                                 {"HB2", 1, {1.65f, -0.3f, -2.13f}},
                                 {"HB3", 1, {3.08f, -0.77f, -1.19f}},
                                 {"OG", 8, {1.53f, -2.12f, -1.17f}},
                                 {"HG", 1, {0.605f, -2.12f, -0.878f}}};
const glm::vec3 ion_place(1.2f, -5.5f, -2.5f);

/// Serine with charges of a table, and an ion as the other partner.
struct System {
  Topology topology;
  std::vector<glm::vec3> positions;
  std::vector<std::uint8_t> first, second;

  explicit System(const std::string& name = "SER", const char* like = "SER") {
    const ChargedResidue& table = *charged_residue(ChargeSet::ff14sb, like);
    TopologyBuilder builder;
    for (const Placed& placed : serine) {
      Atom atom;
      atom.name = placed.name;
      atom.element = static_cast<std::uint8_t>(placed.element);
      if (const std::size_t i = table.find(placed.name); i < table.atoms.size()) {
        atom.charge = static_cast<float>(table.atoms[i].charge);
        atom.radius = std::max(0.6f, table.atoms[i].radius);
      }
      builder.add(atom, name, 5, ' ', "A");
      positions.push_back(placed.at);
    }
    Atom ion;
    ion.name = "NA";
    ion.element = 11;
    ion.charge = 1;
    ion.radius = 1.5f;
    builder.add(ion, "NA", 1, ' ', "B");
    positions.push_back(ion_place);
    std::vector<float> radii;
    for (const Atom& atom : builder.topology().atoms) radii.push_back(atom.radius);
    topology = builder.finish();
    for (std::size_t i = 0; i < radii.size(); ++i)
      topology.atoms.change(i, [&](Atom& atom) { atom.radius = radii[i]; });
    topology.has_charges = true;
    first.assign(positions.size(), 1);
    first.back() = 0;
    second.assign(positions.size(), 0);
    second.back() = 1;
  }
  std::uint32_t atom(const std::string& name) const {
    std::uint32_t i = 0;
    while (topology.atoms[i].name != name) ++i;
    return i;
  }
};

BindingOptions with_pb(double spacing) {
  BindingOptions options;
  PoissonBoltzmannOptions pb;
  pb.boundary = DielectricBoundary::van_der_waals;
  options.polar = pb;
  options.spacing = spacing;
  return options;
}

TEST(AlanineScan, ExchangesTheSideChain) {
  const System system;
  const AlanineCut cut = alanine_cut(system.topology, system.positions, 0);
  ASSERT_EQ(cut.skipped, "");
  EXPECT_EQ(cut.source, "ff14sb");
  EXPECT_EQ(cut.mutation.removed, (std::vector<std::uint32_t>{system.atom("OG"), system.atom("HG")}));
  ASSERT_EQ(cut.mutation.added.size(), 1u);
  EXPECT_EQ(cut.mutation.added[0].carrier, system.atom("CB"));
  EXPECT_EQ(cut.mutation.added[0].towards, system.atom("OG"));
  EXPECT_NEAR(cut.mutation.added[0].length, 1.09, 1e-9);
  EXPECT_NEAR(static_cast<double>(cut.mutation.added[0].charge), 0.0603, 1e-6);
  EXPECT_NEAR(static_cast<double>(cut.mutation.added[0].radius), 1.487, 1e-5);
  double charge = static_cast<double>(cut.mutation.added[0].charge);
  for (const auto& changed : cut.mutation.changed) charge += static_cast<double>(changed.charge);
  EXPECT_EQ(cut.mutation.changed.size(), 9u);
  EXPECT_NEAR(charge, 0, 1e-6);  // alanine is neutral
  EXPECT_NEAR(cut.charge_change, 0, 1e-6);
}

TEST(AlanineScan, ChangesCoulombAndLennardJonesByTheFormula) {
  const System system;
  auto field = std::make_shared<ForceField>();
  // Types: 0 all atoms of serine, 1 OG, 2 the ion.
  field->types.assign(system.positions.size(), 0);
  field->types[system.atom("OG")] = 1;
  field->types.back() = 2;
  field->type_count = 3;
  field->lj_a = {1e5, 2e5, 3e5, 2e5, 4e5, 5e5, 3e5, 5e5, 7e5};
  field->lj_b = {100, 150, 200, 150, 250, 300, 200, 300, 350};
  BindingOptions options;
  options.polar = GeneralisedBornOptions{};
  const double permittivity = options.solute_permittivity();
  Binding binding(system.topology, field, system.first, system.second, options, Device::cpu());
  Job job;
  const BindingFrame own = binding.evaluate(system.positions, job);
  const AlanineCut cut = alanine_cut(system.topology, system.positions, 0);
  const BindingFrame mutant = binding.evaluate(system.positions, cut.mutation, own, job);
  const ChargedResidue& before = *charged_residue(ChargeSet::ff14sb, "SER");
  const ChargedResidue& after = *charged_residue(ChargeSet::ff14sb, "ALA");
  double coulomb = 0, dispersion = 0;
  const auto energy = [](double a, double b, double r) { return a / std::pow(r, 12) - b / std::pow(r, 6); };
  for (const Placed& placed : serine) {
    const double r = glm::distance(glm::dvec3(placed.at), glm::dvec3(ion_place));
    const double charge = before.atoms[before.find(placed.name)].charge;
    coulomb -= charge / r;
    const bool gamma = std::string(placed.name) == "OG", gone = gamma || std::string(placed.name) == "HG";
    dispersion -= gamma ? energy(5e5, 300, r) : gone ? energy(3e5, 200, r) : 0;
    if (!gone) coulomb += after.atoms[after.find(placed.name)].charge / r;
  }
  const glm::dvec3 beta(serine[6].at), gamma(serine[9].at);
  const double r = glm::distance(beta + 1.09 * glm::normalize(gamma - beta), glm::dvec3(ion_place));
  coulomb += 0.0603 / r;
  dispersion += energy(3e5, 200, r);
  EXPECT_NEAR(mutant.sum.coulomb - own.sum.coulomb, units::coulomb_kcal_angstrom * coulomb / permittivity, 1e-4);
  EXPECT_NEAR(mutant.sum.lennard_jones - own.sum.lennard_jones, dispersion, 1e-6);
  // The ion alone is what it was; shares and the rest add up.
  EXPECT_EQ(mutant.polar[2], own.polar[2]);
  EXPECT_EQ(mutant.areas[2], own.areas[2]);
  BindingTerms sum = mutant.rest;
  for (const BindingTerms& terms : mutant.atoms) sum += terms;
  EXPECT_NEAR(sum.total(), mutant.sum.total(), 1e-9);
  EXPECT_NEAR(mutant.polar[0] - mutant.polar[1] - mutant.polar[2], mutant.sum.polar, 1e-3);
  EXPECT_NEAR(options.surface_tension * (mutant.areas[0] - mutant.areas[1] - mutant.areas[2]), mutant.sum.nonpolar,
              1e-6);
}

// The same as the mutant made by hand, as two systems of their own.
TEST(AlanineScan, EqualsTheEnergyOfTheMutant) {
  const System system;
  System mutant("ALA", "ALA");
  mutant.topology.atoms.change(mutant.atom("OG"), [](Atom& atom) {
    atom.charge = 0.0603f;  // HB1, by another name
    atom.radius = 1.487f;
    atom.element = 1;
  });
  for (const char* name : {"HB2", "HB3"})
    mutant.topology.atoms.change(mutant.atom(name), [](Atom& atom) { atom.radius = 1.487f; });
  const glm::vec3 beta = serine[6].at;
  mutant.positions[9] = beta + 1.09f * glm::normalize(serine[9].at - beta);
  mutant.first[10] = 0;  // HG
  for (const bool pb : {false, true}) {
    BindingOptions options = with_pb(0.35);
    if (!pb) options.polar = GeneralisedBornOptions{};
    Job job;
    Binding binding(system.topology, nullptr, system.first, system.second, options, Device::cpu());
    const BindingFrame own = binding.evaluate(system.positions, job);
    const AlanineCut cut = alanine_cut(system.topology, system.positions, 0);
    const BindingFrame scanned = binding.evaluate(system.positions, cut.mutation, own, job);
    Binding other(mutant.topology, nullptr, mutant.first, mutant.second, options, Device::cpu());
    const BindingFrame made = other.evaluate(mutant.positions, job);
    EXPECT_NEAR(scanned.sum.coulomb, made.sum.coulomb, 1e-4);
    EXPECT_NEAR(scanned.sum.nonpolar, made.sum.nonpolar, 1e-4);
    // With another grid, where there is one.
    EXPECT_NEAR(scanned.sum.polar, made.sum.polar, pb ? 0.15 : 1e-3);
    EXPECT_GT(std::abs(made.sum.coulomb - own.sum.coulomb), 1);
  }
}

TEST(AlanineScan, OfAlanineToAlanineIsZero) {
  // Alanine whose third hydrogen has the name, and the place, of a gamma atom.
  System system("SER", "ALA");
  Topology& t = system.topology;
  for (const char* name : {"OG", "HB2", "HB3"}) {
    t.atoms.change(system.atom(name), [](Atom& atom) {
      atom.charge = 0.0603f;
      atom.radius = 1.487f;
    });
  }
  system.positions[9] = serine[6].at + 1.09f * glm::normalize(serine[9].at - serine[6].at);
  t.atoms.change(system.atom("HG"), [](Atom& atom) { atom.radius = 0; });
  system.positions[10] = system.positions[9] + glm::vec3(0, 0.3f, 0);
  const AlanineCut cut = alanine_cut(t, system.positions, 0);
  ASSERT_EQ(cut.skipped, "");
  Binding binding(t, nullptr, system.first, system.second, with_pb(0.4), Device::cpu());
  Job job;
  const BindingFrame own = binding.evaluate(system.positions, job);
  const BindingFrame same = binding.evaluate(system.positions, cut.mutation, own, job);
  EXPECT_NEAR(same.sum.coulomb, own.sum.coulomb, 1e-4);
  EXPECT_NEAR(same.sum.polar, own.sum.polar, 1e-3);
  EXPECT_NEAR(same.sum.nonpolar, own.sum.nonpolar, 1e-4);
  EXPECT_NEAR(same.coarse_polar(), own.coarse_polar(), 1e-3);
}

TEST(AlanineScan, SaysWhatItSkipsAndWhatChangesTheCharge) {
  const auto skipped = [](const System& system) { return alanine_cut(system.topology, system.positions, 0).skipped; };
  EXPECT_EQ(skipped(System("ALA", "ALA")), "it is ALA");
  EXPECT_EQ(skipped(System("GLY", "SER")), "it is GLY");
  EXPECT_NE(skipped(System("LIG", "SER")).find("no amino acid"), std::string::npos);
  System strange;
  strange.topology.atoms.change(strange.atom("N"), [](Atom& atom) { atom.charge = -0.7f; });
  EXPECT_NE(skipped(strange).find("of no built-in set"), std::string::npos);
  System charged;
  charged.topology.atoms.change(charged.atom("HG"), [](Atom& atom) { atom.charge -= 1; });
  const AlanineCut cut = alanine_cut(charged.topology, charged.positions, 0);
  EXPECT_EQ(cut.skipped, "");
  EXPECT_NEAR(cut.charge_change, 1, 1e-5);
  System bare;
  for (const char* name : {"HB2", "HB3"})
    bare.topology.atoms.change(bare.atom(name), [](Atom& atom) { atom.element = 6; });
  EXPECT_NE(skipped(bare), "");
}

TEST(AlanineScan, FindsTheInterface) {
  const System system;
  const Binding binding(system.topology, nullptr, system.first, system.second, {}, Device::cpu());
  EXPECT_EQ(interface_residues(system.topology, binding, system.positions).size(), 2u);
  std::vector<glm::vec3> apart = system.positions;
  apart.back().y -= 20;
  EXPECT_TRUE(interface_residues(system.topology, binding, apart).empty());
}

}  // namespace
}  // namespace isolume
