// Spectra of lines, broadened: infrared, Raman, absorption of excited states.
#include "compute/analysis/line_spectrum.h"

#include <cmath>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

double line_shape(LineShape shape, double distance, double width) {
  if (shape == LineShape::lorentzian) return width / (2 * units::pi) / (distance * distance + width * width / 4);
  const double ln2 = std::log(2.0), part = distance / width;
  return 2 / width * std::sqrt(ln2 / units::pi) * std::exp(-4 * ln2 * part * part);
}

std::vector<double> broadened(std::span<const SpectralLine> lines, LineShape shape, double width,
                              std::span<const double> x) {
  if (!(width > 0)) throw Error("the width of a line should be above 0", Error::Kind::usage);
  std::vector<double> values(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const SpectralLine& line : lines) values[i] += line.area * line_shape(shape, x[i] - line.position, width);
  return values;
}

double absorption_of_intensity() {
  return 100 / std::log(10.0);  // 1 km/mol = 1e5 cm/mol; 1 L = 1000 cm^3
}

double absorption_of_strength() {
  constexpr double electron_mass = 9.1093837015e-31;  // kg
  const double integral =
      units::avogadro * units::elementary_charge * units::elementary_charge /
      (4 * units::vacuum_permittivity * electron_mass * units::speed_of_light * units::speed_of_light);  // m/mol
  return integral / 10 / std::log(10.0);  // m/mol = 100 cm/mol; 1 L = 1000 cm^3
}

}  // namespace isolume
