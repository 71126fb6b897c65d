// Coulomb's sums at points: checks, where lattices are, and the choice of the body.
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/charges/charge_box.h"
#include "compute/electrostatics/coulomb_sum/coulomb_lattice.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

// Below, lattices take longer than the pairs on an H200 or on two cores.
constexpr std::size_t least_charges = 12'000;
constexpr double least_pairs = 1e9;

}  // namespace

bool coulomb_sum_may_have_lattices(std::size_t charges) {
  return charges >= least_charges;
}

bool coulomb_sum_by_lattices(std::size_t charges, std::size_t points) {
  return coulomb_sum_may_have_lattices(charges) &&
         static_cast<double>(charges) * static_cast<double>(points) >= least_pairs;
}

glm::dvec3 coulomb_middle(std::span<const PointCharge> charges) {
  glm::dvec3 sum(0);
  for (const PointCharge& charge : charges) sum += glm::dvec3(charge.position);
  return charges.empty() ? sum : sum / static_cast<double>(charges.size());
}

CoulombLatticePlan::CoulombLatticePlan(std::size_t charges, glm::dvec3 lower, glm::dvec3 upper) {
  constexpr double unit = 8, room = 1;
  lower = unit * glm::floor((lower - room) / unit);
  upper = unit * glm::ceil((upper + room) / unit);
  box.origin = lower;
  box.counts = glm::ivec3(2);
  for (int axis = 0; axis < 3; ++axis) {
    box.step[axis] = glm::dvec3(0);
    box.step[axis][axis] = upper[axis] - lower[axis];
  }
  // Sparse charges, as of a shell, get wider lattices and longer cutoffs, with the same error.
  const glm::dvec3 extent = upper - lower;
  const double spacing =
      std::cbrt(extent.x * extent.y * extent.z / (nodes * static_cast<double>(std::max<std::size_t>(1, charges))));
  options.spacing = std::max(least, std::ceil(8 * spacing) / 8);
  options.cutoff = ratio * options.spacing;
  options.degree = degree;
  options.smoothing = smoothing;
  options.basis = MsmBasisKind::bspline;
}

bool CoulombLatticePlan::holds(glm::dvec3 lower, glm::dvec3 upper) const {
  const glm::dvec3 end = box.point(1, 1, 1);
  return glm::all(glm::greaterThanEqual(lower, box.origin)) && glm::all(glm::lessThanEqual(upper, end));
}

CoulombTaps::CoulombTaps(const MsmBasis& basis) {
  for (std::size_t tap = 0; tap < CoulombLatticePlan::taps; ++tap)
    for (std::size_t power = 0; power < CoulombLatticePlan::taps; ++power)
      weight[tap][power] = static_cast<float>(basis.coefficient[tap][power]);
}

CoulombSum::CoulombSum(std::vector<PointCharge> charges, glm::dvec3 lower, glm::dvec3 upper, Device device)
    : charges_(std::move(charges)), lower_(lower), upper_(upper), device_(device) {
  if (charges_.empty()) return;
  const ChargeBox box = charge_box(charges_);
  expect(glm::dvec3(box.lower), glm::dvec3(box.upper));
}

CoulombSum::~CoulombSum() = default;

void CoulombSum::expect(glm::dvec3 lower, glm::dvec3 upper) {
  lower_ = glm::min(lower_, lower);
  upper_ = glm::max(upper_, upper);
}

CoulombLattice& CoulombSum::lattices(glm::dvec3 lower, glm::dvec3 upper, Job& job) {
  if (lattice_ && lattice_->holds(lower, upper)) return *lattice_;
  const PhaseTimer timer("Coulomb sum: lattices");
  lattice_.reset();
  expect(lower, upper);
  const CoulombLatticePlan plan(charges_.size(), lower_, upper_);
  require_memory(coulomb_sum_memory(charges_.size(), lower_, upper_, device_).most, device_, "Coulomb sum");
  lattice_ =
      device_.is_cuda() ? coulomb_lattice_cuda(charges_, plan, device_, job) : coulomb_lattice_cpu(charges_, plan, job);
  return *lattice_;
}

void CoulombSum::at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> gradients,
                    Job& job) {
  if (potential.size() != points.size() || (!gradients.empty() && gradients.size() != points.size()))
    throw Error(fmt::format("Coulomb sum: {} values and {} gradients for {} points", potential.size(), gradients.size(),
                            points.size()),
                Error::Kind::usage);
  job.check();
  if (points.empty()) return;
  if (charges_.empty()) {
    std::fill(potential.begin(), potential.end(), 0.0);
    std::fill(gradients.begin(), gradients.end(), glm::dvec3(0));
    return;
  }
  if (!coulomb_sum_by_lattices(charges_.size(), points.size())) {
    const PhaseTimer timer("Coulomb sum: pairs");
    return device_.is_cuda() ? coulomb_direct_cuda(charges_, points, potential, gradients, device_, job)
                             : coulomb_direct_cpu(charges_, points, potential, gradients, job);
  }
  glm::dvec3 lower(points.front()), upper(points.front());
  for (const glm::dvec3& point : points) {
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
  }
  CoulombLattice& lattice = lattices(lower, upper, job);
  const PhaseTimer timer("Coulomb sum: points");
  lattice.at(points, potential, gradients, job);
}

CoulombSumMemory coulomb_sum_memory(std::size_t charges, glm::dvec3 lower, glm::dvec3 upper, Device device) {
  CoulombSumMemory memory;
  if (charges == 0) return memory;
  const CoulombLatticePlan plan(charges, lower, upper);
  const glm::dvec3 extent = plan.box.point(1, 1, 1) - plan.box.origin;
  const glm::dvec3 nodes = extent / plan.options.spacing + static_cast<double>(CoulombLatticePlan::taps);
  const glm::dvec3 cells = (extent + 2 * plan.options.cutoff) / plan.side() + 1.0;
  const auto finest = static_cast<std::size_t>(nodes.x * nodes.y * nodes.z);
  // A charge's copy and place in its cell; the finest lattice; the cells. While they are made, the lists that charges
  // are sorted by, and all of multilevel summation, whose charges a single one is for.
  memory.kept = charges * (sizeof(PointCharge) + 16) + finest * sizeof(float) +
                static_cast<std::size_t>(cells.x * cells.y * cells.z) * 4;
  const PointCharge one{glm::vec3(0.5 * (lower + upper)), 1};
  const std::size_t lists = charges * (device.is_cuda() ? 96 : 160);
  const std::size_t made = MsmField::memory({&one, 1}, plan.box, plan.options, device, 1) + lists;
  // On a device multilevel summation keeps what it has, for other charges.
  if (device.is_cuda()) memory.kept += made;
  memory.most = memory.kept + made;
  return memory;
}

}  // namespace isolume
