// The options of a potential's method as the settings of a field say.
#include "app/fields/potential_settings.h"

#include "molecule/base/error.h"

namespace isolume {

PotentialOptions basic_options(const PotentialSettings& settings, const Cell& cell) {
  const PotentialMethod method = settings.method;
  const bool automatic = method == PotentialMethod::automatic;
  const bool wants_cell =
      method == PotentialMethod::spme || (settings.periodic && (automatic || method == PotentialMethod::msm));
  if (wants_cell && !cell.exists())
    throw Error(method == PotentialMethod::spme
                    ? "particle-mesh Ewald sums periodic systems, and this frame has no cell; choose another method"
                    : "periodic: this frame has no cell; turn it off, or open a file that has one",
                Error::Kind::usage);
  const bool sigmoidal = settings.medium == PotentialSettings::Medium::sigmoidal;
  if (sigmoidal && (method == PotentialMethod::msm || wants_cell))
    throw Error("the sigmoidal dielectric belongs to the direct, cutoff and hierarchical sums, which are not periodic",
                Error::Kind::usage);
  const Dielectric dielectric = sigmoidal ? Dielectric::sigmoidal() : Dielectric::constant(settings.dielectric);
  switch (automatic ? (wants_cell ? PotentialMethod::msm : PotentialMethod::direct) : method) {
    case PotentialMethod::automatic:
    case PotentialMethod::direct:
      break;
    case PotentialMethod::cutoff: {
      CutoffOptions options;
      options.cutoff = settings.cutoff;
      options.dielectric = dielectric;
      return options;
    }
    case PotentialMethod::msm: {
      MsmMethod options;
      options.dielectric = dielectric.bulk;
      if (wants_cell) {
        options.msm.cell = cell;
        options.msm.periodic = {true, true, true};
      }
      return options;
    }
    case PotentialMethod::spme:
      return SpmeMethod{{}, cell, dielectric.bulk};
    case PotentialMethod::hcp: {
      HcpMethod options;
      options.hcp.thresholds = HcpOptions::parse_thresholds(settings.hcp_thresholds);
      options.hcp.charges = settings.hcp_charges;
      options.hcp.dielectric = dielectric;
      return options;
    }
    case PotentialMethod::debye_hueckel:
      return DebyeHueckelOptions{settings.ionic_strength, settings.temperature, settings.solvent_dielectric};
    case PotentialMethod::pb: {
      PoissonBoltzmannOptions options;
      options.nonlinear = settings.nonlinear;
      options.solute_permittivity = settings.solute_dielectric;
      options.solvent_permittivity = settings.solvent_dielectric;
      options.temperature = settings.temperature;
      options.ions = {{1, settings.ionic_strength, 2.0}, {-1, settings.ionic_strength, 2.0}};
      return options;
    }
    case PotentialMethod::gb:
      throw Error("generalised Born has energies; it makes no maps of the potential", Error::Kind::usage);
  }
  return DirectOptions{dielectric, 0};
}

PotentialOptions settled_options(const PotentialSettings& settings, const Cell& cell,
                                 std::span<const ChargedSphere> spheres, const Grid& grid, Device device, bool moving) {
  PotentialOptions options = basic_options(settings, cell);
  const bool automatic = settings.method == PotentialMethod::automatic;
  // In about a second; where every frame has its own, in a hundredth.
  const double quick_pairs = (device.is_cuda() ? 1e12 : 1e10) * (moving ? 0.01 : 1);
  if (automatic && std::holds_alternative<DirectOptions>(options) && !has_sigmoidal_dielectric(options) &&
      static_cast<double>(spheres.size()) * static_cast<double>(grid.size()) > quick_pairs) {
    MsmMethod multilevel;
    multilevel.dielectric = dielectric_of(options).bulk;
    options = multilevel;
  }
  if (has_accuracy(options)) choose_parameters(settings.accuracy, spheres, grid, device, options);
  return options;
}

}  // namespace isolume
