// The builder of topologies, their invariants and the table of neighbours.
#include "molecule/topology.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

Atom atom(const char* name, int element) {
  Atom a;
  a.name = name;
  a.element = static_cast<std::uint8_t>(element);
  return a;
}

TEST(Topology, BuilderStartsResiduesAndChainsWhereTheKeyChanges) {
  TopologyBuilder builder;
  builder.add(atom("N", 7), "ALA", 1, ' ', "A");
  builder.add(atom("CA", 6), "ALA", 1, ' ', "A");
  builder.add(atom("N", 7), "ALA", 1, 'B', "A");        // another insertion code
  builder.add(atom("N", 7), "GLY", 1, 'B', "A");        // another name
  builder.add(atom("O", 8), "GLY", 1, 'B', "A", "S2");  // another segment
  builder.end_chain();
  builder.add(atom("O", 8), "GLY", 1, 'B', "A", "S2");  // the same key after the end of a chain
  const Topology t = builder.finish();
  ASSERT_EQ(t.residues.size(), 5u);
  ASSERT_EQ(t.chains.size(), 3u);
  EXPECT_EQ(t.residues[0].atom_count, 2u);
  EXPECT_EQ(t.chains[0].residue_count, 3u);
  EXPECT_EQ(t.chains[1].segment, "S2");
  EXPECT_EQ(t.chain_of(5).first_residue, 4u);
  EXPECT_EQ(t.residue_of(3).name, "GLY");
}

TEST(Topology, FinishFillsMassesAndRadiiAndOrdersBonds) {
  TopologyBuilder builder;
  for (int i = 0; i < 4; ++i) builder.add(atom("C", 6), "LIG", 1, ' ', "A");
  builder.topology().atoms.change(1, [](Atom& atom) { atom.mass = 13.5f; });
  builder.topology().bonds = {{3, 2, 1}, {0, 1, 1}, {1, 0, 2}, {2, 3, 1}};
  const Topology t = builder.finish();
  EXPECT_FLOAT_EQ(t.atoms[0].mass, 12.011f);
  EXPECT_FLOAT_EQ(t.atoms[1].mass, 13.5f);
  EXPECT_FLOAT_EQ(t.atoms[0].radius, 1.70f);
  EXPECT_EQ(t.bonds, (std::vector<Bond>{{0, 1, 2}, {2, 3, 1}}));
}

TEST(Topology, NeighboursStandInAscendingOrder) {
  TopologyBuilder builder;
  for (int i = 0; i < 5; ++i) builder.add(atom("C", 6), "LIG", 1, ' ', "A");
  builder.topology().bonds = {{2, 4, 1}, {0, 2, 1}, {1, 2, 1}, {0, 4, 1}};
  const BondTable table = bond_table(builder.finish());
  EXPECT_EQ(table.offsets, (std::vector<std::uint32_t>{0, 2, 3, 6, 6, 8}));
  EXPECT_EQ(table.items, (std::vector<std::uint32_t>{2, 4, 2, 0, 1, 4, 0, 2}));
}

TEST(Topology, ValidateNamesTheBrokenInvariant) {
  TopologyBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add(atom("C", 6), "LIG", i, ' ', "A");
  const Topology good = builder.finish();
  EXPECT_NO_THROW(good.validate());
  const auto breaks = [&](auto change) {
    Topology t = good;
    change(t);
    EXPECT_THROW(t.validate(), Error);
  };
  breaks([](Topology& t) { t.atoms.set_residue(1, 2); });
  breaks([](Topology& t) { t.residues[1].first_atom = 2; });
  breaks([](Topology& t) { t.residues[2].atom_count = 0xffffffff; });
  breaks([](Topology& t) { t.residues.pop_back(); });
  breaks([](Topology& t) { t.residues[1].chain = 1; });
  breaks([](Topology& t) { t.chains[0].residue_count = 2; });
  breaks([](Topology& t) { t.bonds = {{1, 1, 1}}; });
  breaks([](Topology& t) { t.bonds = {{1, 3, 1}}; });
  breaks([](Topology& t) { t.bonds = {{0, 1, 1}, {0, 1, 2}}; });
  breaks([](Topology& t) { t.bonds = {{1, 2, 1}, {0, 1, 1}}; });
}

}  // namespace
}  // namespace isolume
