// The charges of nuclei that files of orbitals state, less effective core potentials.
#include <gtest/gtest.h>

#include "formats/read.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::vector<double> charges_in(const std::string& path) {
  return read_file(path).orbitals.at(0)->nuclear_charges;
}

using Charges = std::vector<double>;

TEST(NuclearCharges, AreThoseOfTheFile) {
  for (const char* name : {"made_up.molden", "made_up.fchk", "made_up.wfn", "made_up.wfx", "made_up_gamess.log"}) {
    EXPECT_EQ(charges_in(test::data("orbitals/" + std::string(name))), (Charges{8, 1, 1})) << name;
  }
  // [Core] of iodine: 28 electrons.
  EXPECT_EQ(charges_in(test::shared_data("qm-fields/hi_ecp.molden")), (Charges{25, 1}));
}

// Formats without them leave the elements' to the program.
TEST(NuclearCharges, AreEmptyWhereTheFileStatesNone) {
  EXPECT_EQ(charges_in(test::data("orbitals/made_up.cjson")), Charges{});
}

// ECPs of 28 and 10 electrons in a program's output (GAMESS).
TEST(NuclearCharges, OfProgramOutputs) {
  const std::string path = test::shared_data("qm/cclib_gamess/MoOCl4-sp.out");
  ISOLUME_NEEDS(path);
  EXPECT_EQ(charges_in(path), (Charges{14, 8, 7, 7, 7, 7}));
}

}  // namespace
}  // namespace isolume
