// Generalised Born: checks, and the choice of the body.
#include "compute/electrostatics/generalised_born/generalised_born.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "compute/base/checks.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/generalised_born/generalised_born_bodies.h"
#include "compute/electrostatics/generalised_born/generalised_born_sums.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error("generalised Born: " + message, Error::Kind::usage);
}

void within(double value, double least, double most, const char* what) {
  if (value >= least && value <= most) return;
  refuse(fmt::format("{} of {:g}; expected {:g} to {:g}", what, value, least, most));
}

}  // namespace

void check_generalised_born(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& o) {
  within(o.solute_permittivity, 1, 1000, "a permittivity of the solute");
  within(o.solvent_permittivity, 1, 1000, "a permittivity of the solvent");
  within(o.temperature, 1, 1e4, "a temperature in K");
  within(o.ionic_strength, 0, 100, "an ionic strength in mol/l");
  within(o.screening_factor, 0, 1, "a factor of the screening");
  within(o.offset, 0, 0.5, "an offset in angstrom");
  if (atoms.empty()) refuse("no atoms");
  std::vector<glm::vec3> positions;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const GeneralisedBornAtom& atom = atoms[i];
    if (!std::isfinite(atom.position.x + atom.position.y + atom.position.z + atom.charge + atom.radius + atom.scale))
      refuse(fmt::format("atom {} has a value that is not finite", i + 1));
    if (!(static_cast<double>(atom.radius) > o.offset + 0.01) || atom.radius > 100)
      refuse(fmt::format("atom {}: a radius of {:g} angstrom; expected {:g} to 100, as of a PQR or PRMTOP file", i + 1,
                         atom.radius, o.offset + 0.01));
    if (!(atom.scale >= 0 && atom.scale <= 2))
      refuse(fmt::format("atom {}: a scale of {:g}; expected 0 to 2", i + 1, atom.scale));
    positions.push_back(atom.position);
  }
  constexpr double least = 0.01;
  const NeighbourGrid grid(positions, least);
  for (std::size_t i = 0; i < positions.size(); ++i)
    grid.visit(positions[i], [&](std::size_t other, double) -> bool {
      if (other == i) return false;
      refuse(fmt::format("atoms {} and {} overlap: they are less than {:g} angstrom apart", std::min(i, other) + 1,
                         std::max(i, other) + 1, least));
    });
}

double GeneralisedBornOptions::inverse_debye_length() const {
  DebyeHueckelOptions solvent;
  solvent.ionic_strength = ionic_strength;
  solvent.temperature = temperature;
  solvent.permittivity = solvent_permittivity;
  return screening_factor * solvent.inverse_debye_length();
}

float screening_scale(int element) {
  switch (element) {
    case 1:
    case 8:
      return 0.85f;
    case 6:
      return 0.72f;
    case 7:
      return 0.79f;
    case 9:
      return 0.88f;
    case 15:
      return 0.86f;
    case 16:
      return 0.96f;
    default:
      return 0.8f;
  }
}

GeneralisedBornResult generalised_born(std::span<const GeneralisedBornAtom> atoms,
                                       const GeneralisedBornOptions& options, Device device, Job& job) {
  check_generalised_born(atoms, options);
  require_memory(atoms.size() * 64, device, "generalised Born");
  GeneralisedBornResult result;
  result.radii.resize(atoms.size());
  result.energies.resize(atoms.size());
  job.check();
  if (device.is_cuda()) {
    generalised_born_cuda(atoms, options, result, device, job);
  } else {
    generalised_born_cpu(atoms, options, result, job);
  }
  result.energy = std::accumulate(result.energies.begin(), result.energies.end(), 0.0);
  return result;
}

std::string describe(const GeneralisedBornOptions& o) {
  const GeneralisedBornOptions usual;
  const bool second = o.alpha == usual.alpha && o.beta == usual.beta && o.gamma == usual.gamma;
  return fmt::format("generalised Born ({}), permittivities {:g} and {:g}, ionic strength {:g} mol/l",
                     second ? "OBC II" : fmt::format("alpha {:g}, beta {:g}, gamma {:g}", o.alpha, o.beta, o.gamma),
                     o.solute_permittivity, o.solvent_permittivity, o.ionic_strength);
}

}  // namespace isolume
