// Normal modes of a molecule.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isolume {

/// One normal mode as a file gives it.
struct VibrationalMode {
  double frequency = 0;                  ///< cm^-1; negative for imaginary ones
  std::optional<double> intensity;       ///< infrared, km/mol
  std::optional<double> raman;           ///< activity, angstrom^4/Da
  std::vector<glm::dvec3> displacement;  ///< Cartesian, one an atom, not weighted by mass; any norm
  std::string symmetry;                  ///< "A1", empty where the file names none
};

/// The modes at one geometry.
struct Vibrations {
  std::vector<VibrationalMode> modes;
  std::vector<glm::dvec3> positions;  ///< bohr; empty where the file does not say them with the modes
};

/// sum_a m_a |e_a|^2 of the displacement normalised to 1, in the unit of the masses.
double reduced_mass(const VibrationalMode& mode, std::span<const double> masses);

/// The largest overlap between two modes, weighted by mass: 0 for the eigenvectors of one Hessian with these masses.
double largest_mode_overlap(const Vibrations& vibrations, std::span<const double> masses);

}  // namespace isolume
