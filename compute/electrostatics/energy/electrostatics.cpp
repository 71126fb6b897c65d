// Electrostatics: checks that every method makes before it computes.
#include "compute/electrostatics/energy/electrostatics.h"

#include "compute/base/checks.h"
#include "compute/base/device_array.h"

namespace isolume {

double ElectrostaticProblem::total_charge() const {
  double sum = 0;
  for (const float q : charges) sum += static_cast<double>(q);
  return sum;
}

void ElectrostaticProblem::check(const char* what) const {
  if (charges.empty()) throw Error(fmt::format("{}: there are no charges", what), Error::Kind::usage);
  for (std::size_t i = 0; i < charges.size(); ++i) {
    if (std::isfinite(charges[i])) continue;
    throw Error(fmt::format("{}: the charge of atom {} is not a finite number", what, i + 1), Error::Kind::usage);
  }
  exclusions.check(charges.size());
}

Electrostatics::Electrostatics(ElectrostaticProblem problem, Device device, const char* what)
    : problem_(std::move(problem)), device_(device) {
  problem_.check(what);
  stream_ = std::make_unique<Stream>(device);
}

void Electrostatics::set_cell(const Cell& cell) {
  problem_.cell = cell;
}

void Electrostatics::start(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) {
  const std::string what = name();
  const auto check_size = [&](std::size_t size, const char* kind) {
    if (size == problem_.atoms()) return;
    throw Error(fmt::format("{}: {} {} for {} atoms", what, size, kind, problem_.atoms()), Error::Kind::usage);
  };
  check_size(positions.size, "positions");
  if (!out.forces.empty()) check_size(out.forces.size, "forces");
  if (!out.energies.empty()) check_size(out.energies.size, "energies");
  for (const Device on : {positions.device, out.forces.empty() ? device_ : out.forces.device,
                          out.energies.empty() ? device_ : out.energies.device}) {
    if (on == device_) continue;
    throw Error(fmt::format("{}: memory on {} for a computation on {}", what, to_string(on), to_string(device_)),
                Error::Kind::usage);
  }
  if (out.part != ElectrostaticPart::all && (!splits() || out.sums || !out.energies.empty())) {
    throw Error(fmt::format("{}: {}", what,
                            splits() ? "a part has forces, no energies" : "its forces have no near and far part"),
                Error::Kind::usage);
  }
  if (!device_.is_cuda()) {
    check_finite(std::span<const glm::vec3>(positions.data, positions.size), "atom",
                 [](glm::vec3 p) { return p.x + p.y + p.z; });
  }
  job.check();
  compute(positions, out, job);
}

ElectrostaticSums Electrostatics::evaluate(Span<const glm::vec3> positions, const ElectrostaticOutput& out, Job& job) {
  start(positions, out, job);
  if (!out.sums) {
    stream_->synchronize(name().c_str());
    return {};
  }
  const ElectrostaticSums result = sums();
  if (!std::isfinite(result.energy())) {
    check_finite(std::span<const glm::vec3>(copy_to_host(positions)), "atom",
                 [](glm::vec3 p) { return p.x + p.y + p.z; });
  }
  return result;
}

std::vector<glm::dvec3> precise(std::span<const glm::vec3> positions) {
  return {positions.begin(), positions.end()};
}

}  // namespace isolume
