// The methods of electrostatics on the command line: the options of maps, energies and dynamics.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/compute/poisson_boltzmann_options.h"
#include "app/cli/options.h"
#include "compute/electrostatics/method.h"

namespace isolume::cli {

/// What was given on the command line; empty or negative where it was not.
struct MethodOptions {
  std::string method = "direct";
  double accuracy = -1;
  double tolerance = -1;
  double cutoff = -1, switching = -1, lattice_spacing = -1;
  int degree = -1, smoothing = -1;
  bool published = false;
  std::string form, dielectric, periodic, radii, basis;
  double ionic_strength = -1, temperature = 298.15, permittivity = -1;
  double screening_factor = -1;  ///< gb
  std::string gb_model;          ///< gb
  int order = -1;                ///< spme
  std::vector<int> mesh;         ///< spme
  double mesh_spacing = -1;      ///< spme
  double alpha = -1;             ///< spme
  std::string thresholds;        ///< hcp
  std::string complexes;         ///< hcp
  int charges = -1;              ///< hcp
  PoissonBoltzmannChoice pb;
  bool open = false;  ///< msm: as --periodic none
  std::string unit = "V";
};
/// What a method is to compute; it decides which methods and which of their options there are.
enum class MethodUse { map, energy, forces };

/// True for a method that computes that.
bool computes(MethodUse use, PotentialMethod method);
/// A method by its name. Throws Error (usage) that names what there is.
PotentialMethod potential_method(const std::string& name, MethodUse use = MethodUse::map);

/// The method of a field, automatic among them; none for no name. Throws Error (usage) as potential_method() does.
std::optional<PotentialMethod> method_of_field(const std::string& name);

/// Which chains make a complex (chain_complexes()).
inline std::string complexes_choice(const MethodOptions& options) {
  return options.complexes.empty() ? "auto" : options.complexes;
}

inline constexpr const char* usual_thresholds = "15/66";
void add_method_options(Verb command, MethodOptions& options, MethodUse use = MethodUse::map);

/// The method with its parameters (those that chooses_parameters() speaks of only where given), for charges in
/// `cell` (perhaps none). Throws Error (usage) for an option that does not belong to the method, and for periodicity
/// without a cell.
PotentialOptions potential_options(const MethodOptions& options, const Cell& cell, MethodUse use = MethodUse::map);

/// The parameters of a method for a report. `chosen_by` is accuracy where `chosen`.
nlohmann::ordered_json method_json(const PotentialOptions& method, const MethodOptions& options, bool chosen);

/// True where the parameters of multilevel summation or of particle-mesh Ewald are not given, so that they may be
/// chosen and made finer: of msm wherever none is given, of spme where moreover an accuracy or a tolerance is.
bool chooses_parameters(const MethodOptions& options);

/// Radii as --radii says. Throws Error (usage).
void set_radii(std::vector<ChargedSphere>& spheres, const MethodOptions& options);

/// By what volts are multiplied to give the unit.
double unit_factor(const MethodOptions& options);

/// "constant:4" or "sigmoidal"; empty is constant:1. Throws Error (usage).
Dielectric dielectric_of(const std::string& text);

}  // namespace isolume::cli
