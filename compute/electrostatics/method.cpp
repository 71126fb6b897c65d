// What the options of a method mean: in words, its cell, dielectric and periodicity.
#include "compute/electrostatics/method.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "molecule/base/error.h"

namespace isolume {
namespace {

std::string in_words(const HcpOptions& options) {
  std::string text = options.charges == 2 ? "2 charges each" : "1 charge each";
  const char* const names[] = {"groups", "chains", "complexes"};
  for (std::size_t level = 0; level < options.thresholds.size(); ++level) {
    if (options.thresholds[level] == HcpOptions::never) continue;
    text += fmt::format("{} {} beyond {:g} A", level == 0 ? " for" : ",", names[level], options.thresholds[level]);
  }
  return text;
}

std::string in_words(const CutoffOptions& options) {
  if (options.form == CutoffForm::switched)
    return fmt::format("cutoff at {:g} A, switched from {:g} A", options.cutoff, options.switching);
  return fmt::format("cutoff at {:g} A, {}", options.cutoff, options.form == CutoffForm::plain ? "plain" : "shifted");
}

std::string medium_in_words(const Dielectric& d) {
  if (d.kind == Dielectric::Kind::sigmoidal)
    return fmt::format("sigmoidal dielectric (D = {:g}, S = {:g}/A)", d.bulk, d.slope);
  return d.bulk != 1 ? fmt::format("dielectric constant {:g}", d.bulk) : "vacuum";
}

}  // namespace

PotentialMethod method_of(const PotentialOptions& options) {
  return static_cast<PotentialMethod>(options.index() + 1);
}
static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(PotentialMethod::gb) - 1, PotentialOptions>,
                   GeneralisedBornOptions>,
    "the options are in the order of the methods");
static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(PotentialMethod::msm) - 1, PotentialOptions>,
                   MsmMethod>);

PotentialOptions usual_options(PotentialMethod method) {
  switch (method) {
    case PotentialMethod::automatic:
      break;
    case PotentialMethod::direct:
      return DirectOptions{};
    case PotentialMethod::cutoff:
      return CutoffOptions{};
    case PotentialMethod::msm:
      return MsmMethod{};
    case PotentialMethod::debye_hueckel:
      return DebyeHueckelOptions{};
    case PotentialMethod::spme:
      return SpmeMethod{};
    case PotentialMethod::hcp:
      return HcpMethod{};
    case PotentialMethod::pb:
      return PoissonBoltzmannOptions{};
    case PotentialMethod::gb:
      return GeneralisedBornOptions{};
  }
  throw Error("the method has to be named: " + list_of_methods(), Error::Kind::usage);
}

bool has_accuracy(PotentialMethod method) {
  return method == PotentialMethod::msm || method == PotentialMethod::spme;
}

bool has_accuracy(const PotentialOptions& options) {
  return has_accuracy(method_of(options));
}

std::array<bool, 3> periodic_axes(const PotentialOptions& options) {
  if (std::holds_alternative<SpmeMethod>(options)) return {true, true, true};
  if (const auto* const multilevel = std::get_if<MsmMethod>(&options)) return multilevel->msm.periodic;
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
  static const Cell none;
  if (const auto* const mesh = std::get_if<SpmeMethod>(&options)) return mesh->cell;
  const auto* const multilevel = std::get_if<MsmMethod>(&options);
  return multilevel != nullptr ? multilevel->msm.cell : none;
}

void set_cell(PotentialOptions& options, const Cell& cell) {
  if (auto* const mesh = std::get_if<SpmeMethod>(&options)) mesh->cell = cell;
  if (auto* const multilevel = std::get_if<MsmMethod>(&options)) multilevel->msm.cell = cell;
}

Dielectric dielectric_of(const PotentialOptions& options) {
  switch (method_of(options)) {
    case PotentialMethod::direct:
      return std::get<DirectOptions>(options).dielectric;
    case PotentialMethod::cutoff:
      return std::get<CutoffOptions>(options).dielectric;
    case PotentialMethod::msm:
      return Dielectric::constant(std::get<MsmMethod>(options).dielectric);
    case PotentialMethod::spme:
      return Dielectric::constant(std::get<SpmeMethod>(options).dielectric);
    case PotentialMethod::hcp:
      return std::get<HcpMethod>(options).hcp.dielectric;
    case PotentialMethod::automatic:
    case PotentialMethod::debye_hueckel:
    case PotentialMethod::pb:
    case PotentialMethod::gb:
      break;
  }
  return {};
}

bool has_sigmoidal_dielectric(const PotentialOptions& options) {
  return dielectric_of(options).kind == Dielectric::Kind::sigmoidal;
}

bool is_fast_direct(const PotentialOptions& options) {
  const auto* const direct = std::get_if<DirectOptions>(&options);
  return direct != nullptr && direct->accuracy > 0 && !has_sigmoidal_dielectric(options);
}

double charge_divisor(const PotentialOptions& options) {
  return has_sigmoidal_dielectric(options) ? 1.0 : dielectric_of(options).bulk;
}

void check_options(const PotentialOptions& options) {
  const Dielectric d = dielectric_of(options);
  if (!(d.bulk >= 1) || !std::isfinite(d.bulk))
    throw Error(fmt::format("a dielectric constant of {}; expected 1 or more", d.bulk), Error::Kind::usage);
  const auto* const mesh = std::get_if<SpmeMethod>(&options);
  if (mesh != nullptr && !mesh->cell.exists())
    throw Error("spme sums periodic systems; there is no cell", Error::Kind::usage);
  const auto* const parts = std::get_if<HcpMethod>(&options);
  if (parts != nullptr && !parts->parts)
    throw Error("hcp needs the parts of the molecule: residues and chains", Error::Kind::usage);
}

std::string describe(const PotentialOptions& options) {
  const std::string medium = medium_in_words(dielectric_of(options));
  switch (method_of(options)) {
    case PotentialMethod::automatic:
      break;
    case PotentialMethod::direct:
      if (is_fast_direct(options))
        return fmt::format("direct sum with far charges interpolated, to {:g}, {}",
                           std::get<DirectOptions>(options).accuracy, medium);
      return "direct sum, " + medium;
    case PotentialMethod::cutoff:
      return in_words(std::get<CutoffOptions>(options)) + ", " + medium;
    case PotentialMethod::msm:
      return fmt::format("multilevel summation, {}, {}", describe(std::get<MsmMethod>(options).msm), medium);
    case PotentialMethod::debye_hueckel: {
      const auto& h = std::get<DebyeHueckelOptions>(options);
      return fmt::format("Debye-Hueckel, {:g} mol/l, {:g} K, dielectric constant {:g}", h.ionic_strength, h.temperature,
                         h.permittivity);
    }
    case PotentialMethod::spme: {
      // With what the cell decides.
      const auto& [spme, cell, dielectric, fixed] = std::get<SpmeMethod>(options);
      return fmt::format("particle-mesh Ewald, {}, {}", describe(cell.exists() ? complete_spme(spme, cell) : spme),
                         medium);
    }
    case PotentialMethod::hcp:
      return fmt::format("hierarchical charge partitioning, {}, {}", in_words(std::get<HcpMethod>(options).hcp),
                         medium);
    case PotentialMethod::pb:
      return describe(std::get<PoissonBoltzmannOptions>(options));
    case PotentialMethod::gb:
      return describe(std::get<GeneralisedBornOptions>(options));
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
