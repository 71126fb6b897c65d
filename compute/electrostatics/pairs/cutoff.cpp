// Cutoff summation: checks, and the choice of the body.
#include "compute/electrostatics/pairs/cutoff.h"
#include "compute/electrostatics/pairs/cutoff_bodies.h"

#include "compute/base/memory.h"
#include "compute/electrostatics/charges/potential_checks.h"

namespace isolume {

namespace {

void check_options(const CutoffOptions& options) {
  const auto fail = [](const std::string& message) { throw Error("cutoff sum: " + message, Error::Kind::usage); };
  if (!(options.cutoff > 0) || !std::isfinite(options.cutoff)) {
    fail(fmt::format("a cutoff of {} angstrom; expected more than 0", options.cutoff));
  }
  if (options.form == CutoffForm::switched && !(options.switching >= 0 && options.switching < options.cutoff)) {
    fail(fmt::format("switching from {} angstrom with a cutoff of {}; expected 0 to the cutoff", options.switching,
                     options.cutoff));
  }
  if (!(options.dielectric.bulk >= 1) || !std::isfinite(options.dielectric.bulk)) {
    fail(fmt::format("a relative permittivity of {}; expected 1 or more", options.dielectric.bulk));
  }
  if (options.dielectric.kind == Dielectric::Kind::sigmoidal && !(options.dielectric.slope > 0)) {
    fail(fmt::format("a dielectric slope of {} per angstrom; expected more than 0", options.dielectric.slope));
  }
}

}  // namespace

void cutoff_potential(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                      Span<float> potential, Job& job) {
  check_options(options);
  check_grid(grid, "cutoff sum");
  check_values(grid, potential, "cutoff sum");
  check_charges(charges);
  require_memory(cutoff_potential_memory(charges.size(), grid, options, potential.device), potential.device,
                 "cutoff sum");
  job.check();
  if (potential.empty()) return;
  const Grid solid = solid_grid(grid, "cutoff sum");
  if (potential.device.is_cuda()) {
    cutoff_potential_cuda(charges, solid, options, potential, job);
  } else {
    cutoff_potential_cpu(charges, solid, options, potential, job);
  }
}

std::size_t cutoff_potential_memory(std::size_t charges, const Grid&, const CutoffOptions&, Device device) {
  // Coordinates and charge, before and after sorting; keys, boxes and the sort's own on CUDA.
  return charges * (device.is_cuda() ? 80 : 96) + (std::size_t{1} << 20);
}

}  // namespace isolume
