// A method of computing potentials with its parameters.
#include "app/fields/potential_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Settings = PotentialSettings;

PotentialMethod method_of(Settings::Method method, bool periodic) {
  switch (method) {
    case Settings::Method::automatic:
      return periodic ? PotentialMethod::msm : PotentialMethod::direct;
    case Settings::Method::direct:
      return PotentialMethod::direct;
    case Settings::Method::cutoff:
      return PotentialMethod::cutoff;
    case Settings::Method::msm:
      return PotentialMethod::msm;
    case Settings::Method::debye_hueckel:
      return PotentialMethod::debye_hueckel;
    case Settings::Method::spme:
      return PotentialMethod::spme;
    case Settings::Method::hcp:
      return PotentialMethod::hcp;
  }
  return PotentialMethod::direct;
}

std::string describe(const HcpOptions& options) {
  std::string text = options.charges == 2 ? "2 charges each" : "1 charge each";
  const char* const names[] = {"groups", "chains", "complexes"};
  for (std::size_t level = 0; level < options.thresholds.size(); ++level) {
    if (options.thresholds[level] == HcpOptions::never) continue;
    text += fmt::format("{} {} beyond {:g} A", level == 0 ? " for" : ",", names[level], options.thresholds[level]);
  }
  return text;
}

}  // namespace

PotentialOptions basic_options(const PotentialSettings& settings, const Cell& cell) {
  PotentialOptions options;
  const auto method = settings.method;
  const bool wants_cell =
      method == Settings::Method::spme ||
      (settings.periodic && (method == Settings::Method::automatic || method == Settings::Method::msm));
  if (wants_cell && !cell.exists())
    throw Error(method == Settings::Method::spme
                    ? "particle-mesh Ewald sums periodic systems, and this frame has no cell; choose another method"
                    : "periodic: this frame has no cell; turn it off, or open a file that has one",
                Error::Kind::usage);
  if (settings.medium == Settings::Medium::sigmoidal) {
    if (method == Settings::Method::msm || wants_cell)
      throw Error(
          "the sigmoidal dielectric belongs to the direct, cutoff and hierarchical sums, which are not periodic",
          Error::Kind::usage);
    options.dielectric = Dielectric::sigmoidal();
  } else {
    options.dielectric = Dielectric::constant(settings.dielectric);
  }
  options.method = method_of(method, wants_cell);
  options.cutoff.cutoff = settings.cutoff;
  if (wants_cell) {
    options.cell = options.msm.cell = cell;
    if (options.method == PotentialMethod::msm) options.msm.periodic = {true, true, true};
  }
  if (options.method == PotentialMethod::hcp)
    options.hcp.thresholds = HcpOptions::parse_thresholds(settings.hcp_thresholds);
  options.hcp.charges = settings.hcp_charges;
  options.debye_hueckel = {settings.ionic_strength, settings.temperature, settings.solvent_dielectric};
  return options;
}

PotentialOptions settled_options(const PotentialSettings& settings, const Cell& cell,
                                 std::span<const ChargedSphere> spheres, const Grid& grid, Device device, bool moving) {
  PotentialOptions options = basic_options(settings, cell);
  const bool automatic = settings.method == Settings::Method::automatic;
  // In about a second; where every frame has its own, in a hundredth.
  const double quick_pairs = (device.is_cuda() ? 1e12 : 1e10) * (moving ? 0.01 : 1);
  if (automatic && options.method == PotentialMethod::direct && !has_sigmoidal_dielectric(options) &&
      static_cast<double>(spheres.size()) * static_cast<double>(grid.size()) > quick_pairs) {
    options.method = PotentialMethod::msm;
  }
  if (has_accuracy(options.method)) choose_parameters(settings.accuracy, spheres, grid, device, options);
  return options;
}

double choose_parameters(double accuracy, std::span<const ChargedSphere> spheres, const Grid& grid, Device device,
                         PotentialOptions& options) {
  if (options.method == PotentialMethod::spme) {
    const SpmePlanned planned = plan_spme(accuracy, spheres.size(), options.cell, device).front();
    options.spme = planned.options;
    return planned.expected_error;
  }
  const MsmPlanned planned = plan_msm(accuracy, point_charges_of(spheres), grid, device, options.msm);
  options.msm = planned.options;
  return planned.expected_error;
}

bool has_accuracy(PotentialMethod method) {
  return method == PotentialMethod::msm || method == PotentialMethod::spme;
}

std::array<bool, 3> periodic_axes(const PotentialOptions& options) {
  if (options.method == PotentialMethod::spme) return {true, true, true};
  if (options.method == PotentialMethod::msm) return options.msm.periodic;
  return {};
}

bool is_periodic(const PotentialOptions& options) {
  const auto axes = periodic_axes(options);
  return axes[0] || axes[1] || axes[2];
}

bool is_fully_periodic(const PotentialOptions& options) {
  const auto axes = periodic_axes(options);
  return axes[0] && axes[1] && axes[2];
}

const Cell& periodic_cell(const PotentialOptions& options) {
  return options.method == PotentialMethod::spme ? options.cell : options.msm.cell;
}

bool has_sigmoidal_dielectric(const PotentialOptions& options) {
  return options.dielectric.kind == Dielectric::Kind::sigmoidal;
}

bool is_fast_direct(const PotentialOptions& options) {
  return options.method == PotentialMethod::direct && options.fast_accuracy > 0 && !has_sigmoidal_dielectric(options);
}

double charge_divisor(const PotentialOptions& options) {
  return options.method == PotentialMethod::debye_hueckel || has_sigmoidal_dielectric(options)
             ? 1.0
             : options.dielectric.bulk;
}

std::vector<PointCharge> point_charges_of(std::span<const ChargedSphere> spheres, double divisor) {
  std::vector<PointCharge> charges;
  point_charges_of(spheres, divisor, charges);
  return charges;
}

void point_charges_of(std::span<const ChargedSphere> spheres, double divisor, std::vector<PointCharge>& charges) {
  constexpr std::size_t block = std::size_t{1} << 13;
  charges.resize(spheres.size());
  Job job;
  parallel_for((spheres.size() + block - 1) / block, job, "charges", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(spheres.size(), (b + 1) * block); ++i)
      charges[i] = {spheres[i].position, static_cast<float>(static_cast<double>(spheres[i].charge) / divisor)};
  });
}

void check_options(const PotentialOptions& options) {
  const Dielectric& d = options.dielectric;
  if (!(d.bulk >= 1) || !std::isfinite(d.bulk))
    throw Error(fmt::format("a dielectric constant of {}; expected 1 or more", d.bulk), Error::Kind::usage);
  if (has_accuracy(options.method) && has_sigmoidal_dielectric(options))
    throw Error(fmt::format("{} sums 1/r, so its dielectric is constant; direct, cutoff and hcp take the sigmoidal one",
                            options.method == PotentialMethod::msm ? "msm" : "spme"),
                Error::Kind::usage);
  if (options.method == PotentialMethod::spme && !options.cell.exists())
    throw Error("spme sums periodic systems; there is no cell", Error::Kind::usage);
  if (options.method == PotentialMethod::hcp && !options.parts)
    throw Error("hcp needs the parts of the molecule: residues and chains", Error::Kind::usage);
}

std::string describe(const PotentialOptions& options) {
  const Dielectric& d = options.dielectric;
  std::string medium = "vacuum";
  if (has_sigmoidal_dielectric(options)) {
    medium = fmt::format("sigmoidal dielectric (D = {:g}, S = {:g}/A)", d.bulk, d.slope);
  } else if (d.bulk != 1) {
    medium = fmt::format("dielectric constant {:g}", d.bulk);
  }
  const CutoffOptions& c = options.cutoff;
  const DebyeHueckelOptions& h = options.debye_hueckel;
  switch (options.method) {
    case PotentialMethod::direct:
      if (is_fast_direct(options))
        return fmt::format("direct sum with far charges interpolated, to {:g}, {}", options.fast_accuracy, medium);
      return "direct sum, " + medium;
    case PotentialMethod::cutoff:
      if (c.form == CutoffForm::switched)
        return fmt::format("cutoff at {:g} A, switched from {:g} A, {}", c.cutoff, c.switching, medium);
      return fmt::format("cutoff at {:g} A, {}, {}", c.cutoff, c.form == CutoffForm::plain ? "plain" : "shifted",
                         medium);
    case PotentialMethod::msm:
      return fmt::format("multilevel summation, {}, {}", isolume::describe(options.msm), medium);
    case PotentialMethod::debye_hueckel:
      return fmt::format("Debye-Hueckel, {:g} mol/l, {:g} K, dielectric constant {:g}", h.ionic_strength, h.temperature,
                         h.permittivity);
    case PotentialMethod::spme: {
      // With what the cell decides.
      const Cell& cell = periodic_cell(options);
      return fmt::format("particle-mesh Ewald, {}, {}",
                         isolume::describe(cell.exists() ? complete_spme(options.spme, cell) : options.spme), medium);
    }
    case PotentialMethod::hcp:
      return fmt::format("hierarchical charge partitioning, {}, {}", describe(options.hcp), medium);
  }
  return {};
}

std::string describe_zero(const PotentialOptions& options, double total_charge) {
  if (!is_periodic(options)) return "0 at infinity";
  const auto axes = periodic_axes(options);
  if (is_fully_periodic(options))
    return std::abs(total_charge) > 1e-3 ? "mean over the cell 0; the net charge is neutralised by a uniform background"
                                         : "mean over the cell 0";
  return (axes[0] ? 1 : 0) + (axes[1] ? 1 : 0) + (axes[2] ? 1 : 0) == 2
             ? "a layer of net charge has -2 pi C |z| / area far away; no background"
             : "a line of net charge has -2 C ln(distance / period) / period far away; no background";
}

}  // namespace isolume
