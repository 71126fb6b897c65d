// The integrators of motion: half a step before the forces, half a step after them.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>

#include "compute/base/span.h"
#include "compute/base/stream.h"
#include "compute/dynamics/random_numbers.h"

namespace isolume {

/// Acceleration in angstrom/ps^2 of 1 Da by 1 kcal/(mol angstrom); kinetic energy in kcal/mol is m v^2 / 2 over it.
inline constexpr double acceleration_unit = units::calorie_in_joule * 100;
/// kcal/(mol K).
inline constexpr double boltzmann_kcal = units::boltzmann * units::avogadro / (units::calorie_in_joule * 1000);

/// One step of length `step_length`.
///
/// * velocity Verlet (Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76, 637 (1982), doi:10.1063/1.442716): v += h/2
/// a;
///   x += h v; forces; v += h/2 a.
/// * Langevin dynamics by the splitting BAOAB (Leimkuhler, Matthews, Appl. Math. Res. Express 2013, 34,
///   doi:10.1093/amrx/abs010): v += h/2 a; x += h/2 v; v = c v + sqrt((1 - c^2) kT/m) R, c = exp(-gamma h); x += h/2 v;
///   forces; v += h/2 a.
struct IntegratorStep {
  double step_length = 0.001;  ///< ps
  bool langevin = false;
  double keep = 1;     ///< c
  double thermal = 0;  ///< (1 - c^2) k T in Da angstrom^2/ps^2
  std::uint64_t seed = 0, number = 0;

  static IntegratorStep verlet(double step_length);
  /// Friction gamma in 1/ps, temperature in K.
  static IntegratorStep langevin_baoab(double step_length, double friction, double temperature, std::uint64_t seed);
};

/// What happens to one atom before the forces are computed.
ISOLUME_HOST_DEVICE inline void before_forces(const IntegratorStep& s, std::uint32_t atom, double mass, Vector3 force,
                                              Vector3& x, Vector3& v) {
  v = v + (0.5 * s.step_length * acceleration_unit / mass) * force;
  if (!s.langevin) {
    x = x + s.step_length * v;
    return;
  }
  x = x + (0.5 * s.step_length) * v;
  v = s.keep * v + sqrt(s.thermal / mass) * normal_numbers(s.seed, s.number, atom, 0);
  x = x + (0.5 * s.step_length) * v;
}

ISOLUME_HOST_DEVICE inline void after_forces(const IntegratorStep& s, double mass, Vector3 force, Vector3& v) {
  v = v + (0.5 * s.step_length * acceleration_unit / mass) * force;
}

/// The same for all atoms, on the device of the spans, in the stream. Positions in angstrom, velocities in angstrom/ps,
/// forces in kcal/(mol angstrom), masses in Da.
void integrate_before(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                      Span<glm::dvec3> positions, Span<glm::dvec3> velocities, Stream& stream);
/// to += weight * forces.
void add_scaled(double weight, Span<const glm::dvec3> forces, Span<glm::dvec3> to, Stream& stream);
void integrate_after(const IntegratorStep& step, Span<const double> masses, Span<const glm::dvec3> forces,
                     Span<glm::dvec3> velocities, Stream& stream);

}  // namespace isolume
