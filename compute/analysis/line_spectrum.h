// Spectra of lines, broadened: infrared, Raman, absorption of excited states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace isolume {

enum class LineShape : std::uint8_t { lorentzian, gaussian };

/// A line at `position`, with the integral that it has once it is broadened.
struct SpectralLine {
  double position = 0, area = 0;
};

/// A line of area 1 at a distance from its middle, with full width `width` at half its height.
/// Lorentzian: (w / 2 pi) / (d^2 + w^2 / 4); Gaussian: (2 / w) sqrt(ln 2 / pi) exp(-4 ln 2 d^2 / w^2).
double line_shape(LineShape shape, double distance, double width);

/// sum_k area_k line_shape(x - position_k) at every x. Throws Error (usage) where the width is not above 0.
std::vector<double> broadened(std::span<const SpectralLine> lines, LineShape shape, double width,
                              std::span<const double> x);

/// The integral of the molar absorption coefficient over wavenumbers, L mol^-1 cm^-2, of an infrared intensity of
/// 1 km/mol: 100 / ln 10.
double absorption_of_intensity();
/// The same of an oscillator strength of 1: N_A e^2 / (4 epsilon_0 m_e c^2 ln 10) = 2.315e8 (R. S. Mulliken, J. Chem.
/// Phys. 7 (1939) 14).
double absorption_of_strength();

}  // namespace isolume
