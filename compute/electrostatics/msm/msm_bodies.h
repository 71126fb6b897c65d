// The bodies of multilevel summation, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electrostatics/charges/point_charge.h"

namespace isolume {

struct MsmPlan;

/// CUDA's transforms are done by cuFFT.
bool msm_fast_transforms();
/// As if cuFFT were not there.
void msm_hide_fast_transforms_for_test(bool hidden);

/// The finest lattice's potentials (volts) in host memory; node (x, y, z) of `counts` at (z padded.y + y) padded.x + x.
struct MsmHostLattice {
  glm::ivec3 counts{0};
  glm::ivec3 padded{0};
  std::vector<float> values;
};

/// The same where it was computed.
struct MsmNodesView {
  const float* values = nullptr;
  glm::ivec3 counts{0};
  glm::ivec3 padded{0};
};

/// A multilevel summation whose lattices are done.
class MsmFieldBody {
 public:
  virtual ~MsmFieldBody() = default;
  /// Layers [first, first + layers) of the map.
  virtual void map(int first, int layers, Span<float> potential, Job& job) = 0;
  virtual MsmHostLattice lattice() = 0;
  /// The finest lattice's potentials on the device that computes, done, for as long as this lives.
  virtual MsmNodesView nodes() = 0;
  /// Other charges for the same plan, as if it were newly made. False, and nothing was done, where that is as good.
  virtual bool renew(std::span<const PointCharge>, Job&) { return false; }
  /// On a CUDA device: the charges, and whether renew() would do anything.
  virtual Span<const PointCharge> charges_on_device() const { return {}; }
  virtual bool can_renew() const { return false; }
};
/// `charges` and `plan` must live as long as what is returned.
std::unique_ptr<MsmFieldBody> msm_field_cpu(std::span<const PointCharge> charges, const MsmPlan& plan, Job& job);
std::unique_ptr<MsmFieldBody> msm_field_cuda(std::span<const PointCharge> charges, const MsmPlan& plan, Device device,
                                             Job& job);

}  // namespace isolume
