// A method of computing potentials with its parameters: from the scene's settings, and in words.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/fields/fields.h"
#include "app/scene/scene.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/hcp/hcp.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/electrostatics/pairs/cutoff.h"

namespace isolume {

enum class PotentialMethod { direct, cutoff, msm, debye_hueckel, spme, hcp };

/// A method with its parameters.
struct PotentialOptions {
  PotentialMethod method = PotentialMethod::direct;
  Dielectric dielectric;     ///< direct, cutoff, hcp and, where constant, msm and spme
  double fast_accuracy = 0;  ///< direct, constant dielectric: the relative RMS error of its fast mode; 0: the exact sum
  CutoffOptions cutoff;      ///< its own dielectric is not used
  MsmOptions msm;
  DebyeHueckelOptions debye_hueckel;
  SpmeOptions spme;
  Cell cell;                                  ///< spme
  HcpOptions hcp;                             ///< its own dielectric is not used
  std::shared_ptr<const HcpHierarchy> parts;  ///< hcp: of the charges, by charge_parts()
};

/// The options of a method but for what depends on the charges. Throws Error (usage) where the settings make no sense
/// together, or a periodic cell is asked for and `cell` is none.
PotentialOptions basic_options(const PotentialSettings& settings, const Cell& cell);

/// What the settings of a field come to for these charges: where they say automatic, the direct sum if it takes about a
/// second at most and nothing is periodic, else multilevel summation; the parameters of that and of spme by
/// choose_parameters(). `moving`: it is for every frame of a trajectory, and the direct sum may take a hundredth of a
/// second. Throws Error (usage).
PotentialOptions settled_options(const PotentialSettings& settings, const Cell& cell,
                                 std::span<const ChargedSphere> spheres, const Grid& grid, Device device,
                                 bool moving = false);

/// Parameters of multilevel summation (plan_msm()) or particle-mesh Ewald (plan_spme()) for a relative RMS error;
/// periodicity and cell stay. Returns the error that is expected: of the potential on water (msm), of forces on a
/// medium like water (spme). Throws Error (usage) for an accuracy out of reach.
double choose_parameters(double accuracy, std::span<const ChargedSphere> spheres, const Grid& grid, Device device,
                         PotentialOptions& options);
/// True for the methods whose parameters choose_parameters() makes finer, so that a tolerance can be met.
bool has_accuracy(PotentialMethod method);

/// Along which of the cell's vectors the charges repeat, and the cell.
std::array<bool, 3> periodic_axes(const PotentialOptions& options);
bool is_periodic(const PotentialOptions& options);
bool is_fully_periodic(const PotentialOptions& options);
const Cell& periodic_cell(const PotentialOptions& options);

bool has_sigmoidal_dielectric(const PotentialOptions& options);
/// By what the charges are divided: the dielectric constant; 1 where it depends on the distance or belongs to the
/// method.
double charge_divisor(const PotentialOptions& options);
/// The fast mode of the direct sum.
bool is_fast_direct(const PotentialOptions& options);
/// The positions and charges, each divided.
std::vector<PointCharge> point_charges_of(std::span<const ChargedSphere> spheres, double divisor = 1.0);
/// The same into memory that is there.
void point_charges_of(std::span<const ChargedSphere> spheres, double divisor, std::vector<PointCharge>& charges);

/// Throws Error (usage) for a dielectric that the method does not take, a missing cell or missing parts.
void check_options(const PotentialOptions& options);

/// "multilevel summation, a = 4 A, ..., vacuum": for reports, comments and legends.
std::string describe(const PotentialOptions& options);
/// What has to be said of the zero and of a net charge.
std::string describe_zero(const PotentialOptions& options, double total_charge);

}  // namespace isolume
