// Bytes per atom of large structures, while they are read and afterwards.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "formats/read.h"
#include "molecule/molecule.h"
#include "tests/support/allocations.h"

namespace isolume {
namespace {

constexpr int waters = 64'000, edge = 40;
constexpr double apart = 3.104;

struct Site {
  const char* name;
  double x, y;
};
constexpr Site sites[] = {{"OW", 0, 0}, {"HW1", 0.957, 0}, {"HW2", -0.24, 0.927}};

/// A line for each atom of a box of water: number of the molecule and the atom, name, place (angstrom).
template <class Line>
std::string water_text(const Line& line) {
  std::string text;
  for (int i = 0; i < waters; ++i)
    for (int k = 0; k < 3; ++k)
      text += line(i + 1, 3 * i + k + 1, sites[k].name, i % edge * apart + sites[k].x,
                   i / edge % edge * apart + sites[k].y, i / edge / edge * apart);
  return text;
}

std::string gro() {
  const double side = edge * apart / 10;
  return fmt::format("water\n{}\n", 3 * waters) +
         water_text([](int molecule, int atom, const char* name, double x, double y, double z) {
           return fmt::format("{:5}{:<5}{:>5}{:5}{:8.3f}{:8.3f}{:8.3f}\n", molecule % 100'000, "SOL", name,
                              atom % 100'000, x / 10, y / 10, z / 10);
         }) +
         fmt::format("{:10.5f}{:10.5f}{:10.5f}\n", side, side, side);
}

std::string pdb() {
  return water_text([](int molecule, int atom, const char* name, double x, double y, double z) {
    return fmt::format("ATOM  {:5}  {:<3} SOL  {:4}    {:8.3f}{:8.3f}{:8.3f}  1.00  0.00           {}\n",
                       atom % 100'000, name, molecule % 10'000, x, y, z, name[0]);
  });
}

std::string pqr() {
  return water_text([](int molecule, int atom, const char* name, double x, double y, double z) {
    return fmt::format("ATOM {} {} SOL {} {:.3f} {:.3f} {:.3f} {} {}\n", atom, name, molecule, x, y, z,
                       name[0] == 'O' ? -0.834 : 0.417, 1.2);
  });
}

std::string mmcif() {
  std::string text = "data_water\nloop_\n";
  for (const char* column : {"group_PDB", "id", "type_symbol", "label_atom_id", "label_comp_id", "label_asym_id",
                             "label_seq_id", "auth_seq_id", "Cartn_x", "Cartn_y", "Cartn_z"})
    text += fmt::format("_atom_site.{}\n", column);
  return text + water_text([](int molecule, int atom, const char* name, double x, double y, double z) {
           return fmt::format("HETATM {} {} {} HOH A . {} {:.3f} {:.3f} {:.3f}\n", atom, name[0], name, molecule, x, y,
                              z);
         });
}

struct Case {
  const char* name;
  std::string (*text)();
  double kept, most;  ///< bytes per atom: of the molecule, and while it is read
};

class ReadingMemory : public testing::TestWithParam<Case> {};

TEST_P(ReadingMemory, IsFewBytesPerAtom) {
  if (test::held_bytes() < 0) GTEST_SKIP() << "a sanitizer has the allocator";
  std::string text = GetParam().text();
  ReadLimits limits;
  limits.piece = text.size() / 16;  // as many pieces as a large file has, or more
  const auto source = ByteSource::from_bytes(std::move(text), std::string("water.") + GetParam().name, limits);
  const std::ptrdiff_t before = test::held_bytes();
  test::watch_bytes();
  const Molecule molecule = read_source(source);
  const double atoms = 3.0 * waters;
  ASSERT_EQ(molecule.atom_count(), 3u * waters);
  EXPECT_EQ(molecule.topology->bonds.size(), 2u * waters);
  const double kept = static_cast<double>(test::held_bytes() - before) / atoms;
  const double most = static_cast<double>(test::most_bytes() - before) / atoms;
  const Topology& topology = *molecule.topology;
  const std::size_t bytes = topology.atoms.bytes() + topology.residues.capacity() * sizeof(Residue) +
                            topology.bonds.capacity() * sizeof(Bond);
  EXPECT_LE(static_cast<double>(bytes) / atoms, 30);
  EXPECT_LE(kept, GetParam().kept);
  EXPECT_LE(most, GetParam().most);
}

// A little above what they take. The topology has 28 of the bytes that are kept: 12 of the atom, a third of the 24 of
// the residue, two thirds of the 12 of a bond; the positions are 12 more. Room that residues may have to grow makes it
// a little more.
INSTANTIATE_TEST_SUITE_P(Formats, ReadingMemory,
                         testing::Values(Case{"gro", gro, 42, 130}, Case{"pdb", pdb, 42, 116},
                                         Case{"pqr", pqr, 42, 116}, Case{"cif", mmcif, 42, 116}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace isolume
