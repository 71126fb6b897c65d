// Input files of APBS, as they are.
#pragma once

#include <glm/glm.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/apbs/apbs_apolar.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume::cli {

/// The middle of a grid: a point, or that of a molecule.
struct ApbsCentre {
  int molecule = 0;  ///< from 1; 0: the point
  glm::dvec3 point{0.0};
};

/// A map other than the potential that a block writes: dielx, diely, dielz, kappa, charge, smol, sspl, vdw, ivdw, ndens
/// or qdens.
struct ApbsMap {
  std::string kind, stem;
};

/// An ELEC block.
struct ApbsElec {
  std::string name;  ///< its number where it has none
  int line = 0;
  bool focuses = false;  ///< mg-auto, mg-para: a coarse box first
  glm::ivec3 counts{0};
  glm::dvec3 lengths{0.0};  ///< of the (fine) grid's box
  ApbsCentre centre;
  int molecule = 1;
  PoissonBoltzmannOptions options;
  int charge_degree = 3;  ///< of the splines by which a map of the charge has it: chgm spl0 (1), spl2 (3), spl4 (5)
  std::vector<std::string> potentials;  ///< stems of the DX files to write
  std::vector<ApbsMap> maps;            ///< likewise
};

/// print elecEnergy a - b end, or apolEnergy
struct ApbsPrint {
  bool apolar = false;
  std::string text;
  std::vector<std::pair<double, std::size_t>> terms;  ///< factor and number of the ELEC block, or of the APOLAR block
};

struct ApbsInput {
  std::vector<std::string> molecules;  ///< PQR files
  std::vector<ApbsElec> elecs;
  std::vector<ApbsApolar> apolars;
  std::vector<ApbsPrint> prints;
  std::vector<std::string> notes;  ///< differences from APBS's computation, each once
};

/// READ (mol pqr), ELEC (mg-auto, mg-manual, mg-para), APOLAR, and PRINT elecEnergy and apolEnergy. Throws
/// Error::in_file for a keyword that is not known, with what there is, for one that is known and has no counterpart
/// here, and for one that is missing.
ApbsInput read_apbs_input(const std::string& path);

}  // namespace isolume::cli
