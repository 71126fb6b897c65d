// The CUDA bodies of the potential methods in a build without CUDA.
#include "compute/electrostatics/coulomb_sum/coulomb_lattice.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel_bodies.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/direct/fast_direct_bodies.h"
#include "compute/electrostatics/generalised_born/generalised_born_bodies.h"
#include "compute/electrostatics/hcp/hcp_bodies.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/electrostatics/pairs/cutoff_bodies.h"
#include "compute/over_time/group_potential_bodies.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

[[noreturn]] void absent() {
  throw Error("this build has no CUDA");
}

}  // namespace

void cutoff_potential_cuda(std::span<const PointCharge>, const Grid&, const CutoffOptions&, Span<float>, Job&) {
  absent();
}

void generalised_born_cuda(std::span<const GeneralisedBornAtom>, const GeneralisedBornOptions&, GeneralisedBornResult&,
                           Device, Job&) {
  absent();
}

bool msm_fast_transforms() {
  return false;
}

void msm_hide_fast_transforms_for_test(bool) {}

std::unique_ptr<MsmFieldBody> msm_field_cuda(std::span<const PointCharge>, const MsmPlan&, Device, Job&) {
  absent();
}

void exact_sum_cuda(std::span<const PointCharge>, std::span<const glm::dvec3>, std::span<double>, Device, Job&,
                    Span<const PointCharge>) {
  absent();
}

std::unique_ptr<CoulombLattice> coulomb_lattice_cuda(std::span<const PointCharge>, const CoulombLatticePlan&, Device,
                                                     Job&) {
  absent();
}

void coulomb_direct_cuda(std::span<const PointCharge>, std::span<const glm::dvec3>, std::span<double>,
                         std::span<glm::dvec3>, Device, Job&) {
  absent();
}

void fast_direct_cuda(std::span<const PointCharge>, const Grid&, int, Span<float>, Job&) {
  absent();
}

void debye_hueckel_cuda(std::span<const ChargedSphere>, std::span<const Grid>, const DebyeHueckelOptions&, Span<float>,
                        Job&) {
  absent();
}

void hcp_cuda(Span<const PointCharge>, const std::vector<HcpLevel>&, const HcpTargets&, const HcpOptions&, Span<float>,
              Job&) {
  absent();
}

void hcp_cuda(Span<const PointCharge>, const std::vector<HcpLevel>&, const HcpTargets&, const HcpOptions&,
              Span<glm::vec4>, Job&) {
  absent();
}

std::unique_ptr<Electrostatics> hcp_electrostatics_cuda(ElectrostaticProblem, HcpHierarchy, const HcpOptions&, Device) {
  absent();
}

void group_potentials_cuda(std::span<const ChargedSphere>, const ChargeGroups&, double, std::span<const glm::dvec3>,
                           std::span<GroupShare>, Device, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
