// APOLAR blocks of APBS's input files: energies by the solvent-accessible area and volume.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <span>
#include <string>

#include "app/cli/apbs/apbs_words.h"
#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"

namespace isolume::cli {

/// An APOLAR block: gamma times the area and press times the volume. What they need of the solvent's density (bconc)
/// has no counterpart here.
struct ApbsApolar {
  std::string name;  ///< its number where it has none
  int line = 0;
  int molecule = 1;
  double tension = 0;       ///< kJ/(mol angstrom^2)
  double pressure = 0;      ///< kJ/(mol angstrom^3)
  double probe_radius = 0;  ///< angstrom
  glm::dvec3 spacing{0.0};  ///< of the volume's grid, angstrom
};

/// After the word APOLAR, up to END. `molecules` is how many were read, `note` takes differences from APBS. Throws
/// Error::in_file as read_apbs_input() does.
ApbsApolar read_apolar(ApbsWords& words, const ApbsWord& begin, const std::string& number, int molecules,
                       const std::function<void(const std::string&)>& note);

struct ApbsApolarEnergy {
  double area = 0;    ///< angstrom^2
  double volume = 0;  ///< angstrom^3, 0 where the pressure is
  double energy = 0;  ///< kJ/mol
};
ApbsApolarEnergy apolar_energy(std::span<const ChargedSphere> atoms, const ApbsApolar& apolar, Device device, Job& job);

}  // namespace isolume::cli
