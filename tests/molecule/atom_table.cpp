// The table of atoms: they come back as they were given, and what they share is kept once.
#include "molecule/atom_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include <limits>
#include <random>
#include <stdexcept>
#include <string>

namespace isolume {
namespace {

void expect_same(const Atom& a, const Atom& b) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.residue, b.residue);
  EXPECT_EQ(a.serial, b.serial);
  EXPECT_EQ(bits(a.charge), bits(b.charge));
  EXPECT_EQ(bits(a.radius), bits(b.radius));
  EXPECT_EQ(bits(a.mass), bits(b.mass));
  EXPECT_EQ(bits(a.occupancy), bits(b.occupancy));
  EXPECT_EQ(bits(a.b_factor), bits(b.b_factor));
  EXPECT_EQ(a.element, b.element);
  EXPECT_EQ(a.formal_charge, b.formal_charge);
  EXPECT_EQ(a.altloc, b.altloc);
  EXPECT_EQ(a.hetero, b.hetero);
}

/// Any of a few values in every field, so that atoms share kinds and differ in a single field.
Atom random_atom(std::mt19937& random) {
  const auto one_of = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const float odd[] = {0.0f, -0.0f, 1.0f, std::numeric_limits<float>::quiet_NaN(), 1e-40f};
  Atom a;
  a.name = "N" + std::to_string(one_of(3));
  a.type = one_of(2) ? "T" : "";
  a.residue = static_cast<std::uint32_t>(one_of(1000));
  a.serial = one_of(1000) - 500;
  a.charge = odd[one_of(5)];
  a.radius = odd[one_of(2)];
  a.mass = odd[one_of(2)];
  a.element = static_cast<std::uint8_t>(one_of(2));
  a.formal_charge = static_cast<std::int8_t>(one_of(3) - 1);
  a.altloc = one_of(2) ? 'A' : ' ';
  a.hetero = one_of(2) != 0;
  return a;
}

std::vector<Atom> random_atoms(unsigned seed, int count, bool measured) {
  std::mt19937 random(seed);
  std::vector<Atom> atoms;
  for (int i = 0; i < count; ++i) {
    atoms.push_back(random_atom(random));
    if (measured && i > count / 2) {
      atoms.back().occupancy = static_cast<float>(random() % 100) / 100;
      atoms.back().b_factor = static_cast<float>(random() % 3) - 1;
    }
  }
  return atoms;
}

void expect_same(const AtomTable& table, const std::vector<Atom>& atoms) {
  ASSERT_EQ(table.size(), atoms.size());
  for (std::size_t i = 0; i < atoms.size() && !testing::Test::HasFailure(); ++i) expect_same(table[i], atoms[i]);
}

TEST(AtomTable, GivesAtomsBackAsTheyWere) {
  for (const bool measured : {false, true}) {
    const std::vector<Atom> atoms = random_atoms(1, 5000, measured);
    AtomTable table;
    for (const Atom& atom : atoms) table.push_back(atom);
    expect_same(table, atoms);
    table.finish();
    expect_same(table, atoms);
    expect_same(AtomTable(atoms), atoms);
    std::size_t i = 0;
    for (const Atom& atom : table) expect_same(atom, atoms[i++]);
    EXPECT_EQ(i, atoms.size());
  }
}

TEST(AtomTable, ChangesTheOneThatIsMeant) {
  std::vector<Atom> atoms = random_atoms(2, 2000, false);
  AtomTable table(atoms);
  table.finish();
  std::mt19937 random(3);
  for (int k = 0; k < 4000; ++k) {
    const std::size_t i = random() % atoms.size();
    if (k % 3 == 0) {
      atoms[i] = random_atom(random);
      atoms[i].b_factor = static_cast<float>(k % 2);
      table.set(i, atoms[i]);
    } else if (k % 3 == 1) {
      const auto charge = static_cast<float>(random() % 100);
      atoms[i].charge = charge;
      table.change(i, [&](Atom& atom) { atom.charge = charge; });
    } else {
      atoms[i].residue = static_cast<std::uint32_t>(k);
      atoms[i].serial = -k;
      table.set_residue(i, static_cast<std::uint32_t>(k));
      table.set_serial(i, -k);
    }
  }
  expect_same(table, atoms);
  table.change_all([](Atom& atom, std::size_t i) { atom.occupancy = static_cast<float>(i); });
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].occupancy = static_cast<float>(i);
  expect_same(table, atoms);
}

TEST(AtomTable, ChangesOfKindsAreThoseOfTheirAtoms) {
  std::vector<Atom> atoms = random_atoms(4, 2000, true);
  AtomTable table(atoms);
  const auto change = [](Atom& atom) {
    if (atom.element == 1) atom.mass = 12.5f;
  };
  table.change_kinds(change);
  for (Atom& atom : atoms) change(atom);
  expect_same(table, atoms);
  // Those that are added afterwards are found among the changed ones.
  for (const Atom& atom : random_atoms(5, 500, true)) {
    atoms.push_back(atom);
    table.push_back(atom);
  }
  expect_same(table, atoms);
}

TEST(AtomTable, PartsAreJoinedInOrder) {
  for (const auto& [first, second] : {std::pair(false, false), std::pair(false, true), std::pair(true, false)}) {
    std::vector<Atom> atoms = random_atoms(6, 700, first), more = random_atoms(7, 900, second);
    AtomTable table(atoms), next(more);
    table.append(std::move(next), 17);
    for (Atom& atom : more) {
      atom.residue += 17;
      atoms.push_back(atom);
    }
    expect_same(table, atoms);
    AtomTable all;
    all.append(std::move(table), 0);
    expect_same(all, atoms);
  }
}

TEST(AtomTable, NewOnesAreAsAnAtomWithoutValues) {
  AtomTable table(random_atoms(8, 10, true));
  table.resize(14);
  expect_same(table[13], Atom{});
  table.resize(3);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_THROW(table.at(3), std::out_of_range);
  table.clear();
  EXPECT_TRUE(table.empty());
}

TEST(AtomTable, ServesAlgorithms) {
  std::vector<Atom> atoms = random_atoms(9, 300, false);
  for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].serial = static_cast<std::int32_t>(2 * i);
  const AtomTable table(atoms);
  EXPECT_EQ(std::count_if(table.begin(), table.end(), [](const Atom& a) { return a.hetero; }),
            std::count_if(atoms.begin(), atoms.end(), [](const Atom& a) { return a.hetero; }));
  const auto found =
      std::lower_bound(table.begin(), table.end(), 101, [](const Atom& a, int serial) { return a.serial < serial; });
  EXPECT_EQ(found - table.begin(), 51);
  EXPECT_EQ(found->serial, 102);
}

// The atoms of waters: 12 bytes each. Where every charge is another: 24 more, and no more than twice that of room to
// grow.
TEST(AtomTable, TakesFewBytes) {
  constexpr std::size_t count = 30'000;
  Atom o, h;
  o.name = "OW";
  o.element = 8;
  h.name = "HW1";
  h.element = 1;
  AtomTable waters;
  waters.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Atom atom = i % 3 == 0 ? o : h;
    atom.serial = static_cast<std::int32_t>(i);
    waters.push_back(atom);
  }
  waters.finish();
  EXPECT_LE(waters.bytes(), 12 * count + 100);
  AtomTable charged = waters;
  charged.change_all([](Atom& atom, std::size_t i) { atom.charge = static_cast<float>(i); });
  charged.finish();
  EXPECT_LE(charged.bytes(), (12 + 24) * count * 9 / 8 + 100);
  EXPECT_EQ(charged[count - 1].charge, static_cast<float>(count - 1));
}

}  // namespace
}  // namespace isolume
