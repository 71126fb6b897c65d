// The normal modes of a file as a table.
#include "app/cli/quantum/mode_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "molecule/elements.h"

namespace isolume::cli {
namespace {

std::string optional_text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::vector<double> masses_of(const Molecule& molecule) {
  std::vector<double> masses;
  for (const Atom& atom : molecule.topology->atoms) masses.push_back(static_cast<double>(element(atom.element).mass));
  return masses;
}

std::string mode_table(const Vibrations& vibrations, const std::vector<double>& masses, const Molecule& molecule) {
  std::string text =
      "mode,frequency (cm^-1),intensity (km/mol),Raman activity (angstrom^4/Da),reduced mass (Da),"
      "largest displacement,symmetry\n";
  for (std::size_t i = 0; i < vibrations.modes.size(); ++i) {
    const VibrationalMode& mode = vibrations.modes[i];
    const auto most = std::ranges::max_element(mode.displacement, {}, [](glm::dvec3 d) { return glm::dot(d, d); });
    const auto atom = static_cast<std::size_t>(most - mode.displacement.begin());
    text += fmt::format("{},{},{},{},{:.5f},{}{},{}\n", i + 1, mode.frequency, optional_text(mode.intensity),
                        optional_text(mode.raman), reduced_mass(mode, masses),
                        element(molecule.topology->atoms[atom].element).symbol, atom + 1, mode.symmetry);
  }
  return text;
}

}  // namespace isolume::cli
