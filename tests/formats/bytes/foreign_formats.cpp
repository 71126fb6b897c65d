// Files of formats that are not read: what they are, and what to do.
#include "formats/foreign_formats.h"

#include "tests/formats/structures/structures.h"

namespace isolume {
namespace {

using test::expect_error;

struct Foreign {
  const char* name;
  std::string text;
  const char* words;
};

TEST(ForeignFormats, AreNamedWithTheirWayOut) {
  const std::string vasp =
      "NaCl\n 1.0\n 5.6 0 0\n 0 5.6 0\n 0 0 5.6\n Na Cl\n "
      "1 1\nDirect\n 0 0 0\n 0.5 0.5 0.5\n";
  const std::string binary(64, '\0');
  for (const Foreign& f : std::vector<Foreign>{
           {"dvb.out", "\n  * O   R   C   A *\n", "orca_2mkl dvb -molden"},
           {"a.log", "  Psi4: An Open-Source Ab Initio Electronic Structure Package\n",
            "psi4.molden(wfn, \"a.molden\")"},
           {"a.out", "  Welcome to Q-Chem\n", "GUI = 2"},
           {"a.out",
            " |                           x T B                           |\n "
            "| S. Grimme |\n",
            "xtb with --molden"},
           {"a.out", " CP2K| version string: CP2K version 9.1\n", "&MO_MOLDEN"},
           {"a.out", " TURBOMOLE V7.3\n", "tm2molden"},
           {"a.out", " Northwest Computational Chemistry Package (NWChem) 7.0\n", "moldenfile"},
           {"a.out", " ***  PROGRAM SYSTEM MOLPRO  ***\n", "put,molden,a.molden"},
           {"run.tpr", std::string("\0\0\0\x0d\0\0\0\x0cVERSION 2020.1\0\0\0\0", 26),
            "gmx editconf -f run.tpr -mead run.pqr"},
           {"run.tng", std::string("\x49\0\0\0\0\0\0\0", 8) + binary + "GENERAL INFO" + binary,
            "gmx trjconv -f run.tng"},
           {"md.edr", std::string("\xff\xff\x26\xfd\0\0\0\5\0\0\0\1", 12), "compute timeline FILE --of energy"},
           {"x.lammpstrj", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n", "a LAMMPS dump"},
           {"x.data",
            "LAMMPS data file\n\n 2 atoms\n 1 atom types\n\n 0 1 xlo xhi\n 0 1 "
            "ylo yhi\n",
            "a LAMMPS data file"},
           {"1abc.mmtf", std::string("\xde\0\x20\xab", 4) + "mmtfVersion" + binary, "an MMTF structure"},
           {"POSCAR", vasp, "a VASP structure"},
           {"CHGCAR", vasp + "\n 2 2 2\n 1 2 3 4 5 6 7 8\n", "a VASP volume"},
           {"x.h5", "\x89HDF\r\n\x1a\n" + binary, "an HDF5 file"},
           {"x.h5md", "\x89HDF\r\n\x1a\n" + binary + "h5md", "an H5MD trajectory"},
           {"x.mkl", "$MKL\n#\n", "an ORCA MKL file"},
           {"x.cml", "<?xml version=\"1.0\"?>\n<cml>\n", "obabel x.cml -O x.mol2"},
           {"x.dms", std::string("SQLite format 3\0", 16), "a Desmond structure"},
           {"x.mdcrd", "title\n   1.000   2.000   3.000\n   4.000   5.000   6.000\n", "trajout x.nc"},
           {"x.arc", "     2 water\n     1  O  0.0 0.0 0.0  1  2\n     2  H  1.0 0.0 0.0  2  1\n",
            "topology_format=\"TXYZ\""},
           {"x.chk", "\x89HDF\r\n\x1a\n" + binary, "from_chkfile(\"x.molden\""},
           {"x.xsf", "CRYSTAL\nPRIMVEC\n 1 0 0\n", "an XCrySDen file"}}) {
    SCOPED_TRACE(f.name);
    expect_error(f.text, f.name, 0, f.words);
    expect_error(f.text, f.name, 0, "which is not read");
    expect_error(f.text, "unnamed", 0, "which is not read");
  }
}

TEST(ForeignFormats, OthersAreNotMistakenForThem) {
  EXPECT_EQ(foreign_format(*ByteSource::from_bytes("HEADER\nATOM\n", "x.pdb")), "");
  EXPECT_EQ(test::read_text("1\n made of a LAMMPS dump\nH 0 0 0\n", "h.xyz").format, "XYZ");
  expect_error("nothing that is known\n", "x.unknown", 0, "neither content nor extension");
}

}  // namespace
}  // namespace isolume
