// Physical constants and conversions; the only place in the program where they stand.
#pragma once

namespace isolume::units {

// CODATA 2018 (exact where marked).
inline constexpr double bohr_in_angstrom = 0.529177210903;
inline constexpr double hartree_in_ev = 27.211386245988;
inline constexpr double hartree_in_inverse_cm = 219474.6313632;
inline constexpr double dalton_per_a3_in_g_per_cm3 = 1.66053906660;
inline constexpr double avogadro = 6.02214076e23;                ///< 1/mol, exact
inline constexpr double boltzmann = 1.380649e-23;                ///< J/K, exact
inline constexpr double elementary_charge = 1.602176634e-19;     ///< C, exact
inline constexpr double vacuum_permittivity = 8.8541878128e-12;  ///< F/m

inline constexpr double speed_of_light = 299792458.0;  ///< m/s, exact
/// One e angstrom in debye (4.80320): a debye is 1e-21 C m^2/s divided by the speed of light.
inline constexpr double debye_per_e_angstrom = elementary_charge * 1e-10 * speed_of_light / 1e-21;

inline constexpr double angstrom_in_bohr = 1.0 / bohr_in_angstrom;
inline constexpr double calorie_in_joule = 4.184;  ///< thermochemical, exact
inline constexpr double nm_in_angstrom = 10.0;
/// The time unit of CHARMM and NAMD, angstrom * sqrt(Da / (kcal/mol)), in ps: sqrt(1e-23 / 4184) s.
inline constexpr double akma_time_in_ps = 0.048888213;
inline constexpr double pi = 3.14159265358979323846;

/// e / (4 pi eps0 * 1 angstrom), in volts: the potential of one elementary charge at a distance of one angstrom
/// (14.3996 V).
inline constexpr double coulomb_volt_angstrom = elementary_charge / (4.0 * pi * vacuum_permittivity) * 1e10;

/// Energy of one elementary charge at one volt, in kcal/mol (23.0605 kcal/mol).
inline constexpr double ev_in_kcal_per_mol = elementary_charge * avogadro / (calorie_in_joule * 1000.0);

/// Coulomb's constant in kcal/mol * angstrom / e^2 (332.0637).
inline constexpr double coulomb_kcal_angstrom = coulomb_volt_angstrom * ev_in_kcal_per_mol;

/// k T / e in volts at a temperature in kelvin (0.025693 V at 298.15 K).
constexpr double thermal_voltage(double kelvin) {
  return boltzmann * kelvin / elementary_charge;
}

}  // namespace isolume::units
