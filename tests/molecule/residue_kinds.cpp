// Residue names of the PDB and of the force fields.
#include "molecule/residue_kinds.h"

#include <gtest/gtest.h>

namespace isolume {
namespace {

TEST(ResidueKinds, KnowsTheNamesOfTheField) {
  struct Known {
    ResidueKind kind;
    std::vector<const char*> names;
  };
  for (const Known& known :
       {Known{ResidueKind::protein, {"ALA", "TRP", "HIE", "HSD", "CYX", "MSE", "NALA", "CGLU", "ASH", "LYN", "SEP"}},
        Known{ResidueKind::nucleic, {"A", "U", "DA", "DG5", "RC3", "GUA", "PSU"}},
        Known{ResidueKind::water, {"HOH", "WAT", "SOL", "TIP3", "TIP4P", "SPC", "HO4", "hoh"}},
        Known{ResidueKind::ion, {"NA", "CL", "NA+", "CL-", "SOD", "CLA", "POT", "ZN", "MG", "CA"}},
        Known{ResidueKind::lipid, {"POPC", "DPPC", "CHL1", "DOPE"}},
        Known{ResidueKind::sugar, {"NAG", "MAN", "BGLC", "FUC"}},
        Known{ResidueKind::other, {"HEM", "ATP", "LIG", "SO4", "", "A name that is too long"}}}) {
    for (const char* name : known.names) EXPECT_EQ(residue_kind(name), known.kind) << name;
  }
}

Topology residue(const char* name, const std::vector<std::pair<const char*, int>>& atoms) {
  TopologyBuilder builder;
  for (const auto& [atom_name, element] : atoms) {
    Atom atom;
    atom.name = atom_name;
    atom.element = static_cast<std::uint8_t>(element);
    builder.add(atom, name, 1, ' ', "A");
  }
  return builder.finish();
}

TEST(ResidueKinds, LooksAtTheAtomsWhereTheNameSaysNothing) {
  EXPECT_EQ(residue_kind(residue("XYZ", {{"N", 7}, {"CA", 6}, {"C", 6}, {"O", 8}, {"CB", 6}}), 0),
            ResidueKind::protein);
  EXPECT_EQ(residue_kind(residue("XYZ", {{"N", 7}, {"CA", 6}, {"C", 6}}), 0), ResidueKind::other);
  EXPECT_EQ(residue_kind(residue("XYZ", {{"P", 15}, {"O5'", 8}, {"C3'", 6}}), 0), ResidueKind::nucleic);
  EXPECT_EQ(residue_kind(residue("XYZ", {{"IR", 77}}), 0), ResidueKind::ion);
  EXPECT_EQ(residue_kind(residue("XYZ", {{"O", 8}}), 0), ResidueKind::other);
  EXPECT_EQ(residue_kind(residue("HOH", {{"O", 8}}), 0), ResidueKind::water);
}

}  // namespace
}  // namespace isolume
