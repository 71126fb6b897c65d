// Parameters from text, and a chain of five atoms that they make a force field of.
#pragma once

#include <fstream>

#include "molecule/force_field/charmm.h"
#include "molecule/force_field/force_field.h"
#include "tests/formats/structures/structures.h"
#include "tests/support/damage.h"

namespace isolume::test {

inline std::string text_of(const char* name) {
  std::ifstream in(test::data(name));
  return {std::istreambuf_iterator<char>(in), {}};
}

inline CharmmParameters parameters(const std::string& text, const std::string& name = "p.prm") {
  const Molecule molecule = read_text(text, name);
  EXPECT_EQ(molecule.format, "CHARMM parameters");
  return molecule.charmm_parameters ? *molecule.charmm_parameters : CharmmParameters();
}

/// Five atoms in a chain, with one improper and one cross-term; `types` of the atoms in order.
inline std::string chain(const std::vector<std::string>& types, const std::string& first = "PSF CMAP") {
  std::string text = first + "\n\n       1 !NTITLE\n REMARKS chain\n\n       5 !NATOM\n";
  for (std::size_t i = 0; i < types.size(); ++i) {
    text += std::to_string(i + 1) + " CH 1 CHN A" + std::to_string(i) + " " + types[i] + " 0." + std::to_string(i) +
            "5 12.011 0\n";
  }
  return text +
         "\n       4 !NBOND: bonds\n       1       2       3       2       3       4       4       5\n"
         "\n       3 !NTHETA: angles\n       1       2       3       2       3       4       3       4       5\n"
         "\n       2 !NPHI: dihedrals\n       1       2       3       4       5       4       3       2\n"
         "\n       1 !NIMPHI: impropers\n       4       2       3       1\n"
         "\n       0 !NNB\n\n       0       0       0       0       0\n"
         "\n       0       0 !NUMLP NUMLPH\n"
         "\n       1 !NCRTERM: cross-terms\n       1       2       3       4       2       3       4       5\n";
}
inline const std::vector<std::string> usual = {"A1", "B1", "C1", "C1", "C1"};

inline ForceField combined(const std::string& psf, const CharmmParameters& p) {
  const Molecule molecule = read_text(psf, "chain.psf");
  return charmm_force_field(*molecule.topology, *molecule.charmm_terms, p);
}

inline std::string fault(const std::string& psf, const CharmmParameters& p) {
  try {
    combined(psf, p);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    return error.what();
  }
  return "none";
}

inline std::string with(const std::string& what, const std::string& other) {
  std::string text = chain(usual);
  return text.replace(text.find(what), what.size(), other);
}

}  // namespace isolume::test
