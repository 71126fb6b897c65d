// Energy and forces of a force field on CUDA; the neighbour list is built on the host when something has moved too far.
#include <algorithm>

#include "compute/base/launch.cuh"
#include "compute/dynamics/bonded_terms.h"
#include "compute/dynamics/dynamics_bodies.h"
#include "compute/dynamics/lennard_jones.h"
#include "compute/dynamics/neighbour_list.h"
#include "compute/electrostatics/energy/energy_device.cuh"

namespace isolume {

namespace {

constexpr int block_size = 128;
/// Places in the sums: by kind of bonded term, then the pairs and the correction maps.
constexpr int pair_sum = BondedTerm::kinds, correction_sum = pair_sum + 1;

/// Single precision for the electrostatics and the pairs; the flag says that an atom has moved too far for the list.
__global__ void place_kernel(const Vector3* positions, const Vector3* built_at, const std::uint32_t* types,
                             std::uint32_t atoms, double most2, float* single, float4* typed, int* stale) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const Vector3 p = positions[i];
  const float x = static_cast<float>(p.x), y = static_cast<float>(p.y), z = static_cast<float>(p.z);
  single[3 * i] = x;
  single[3 * i + 1] = y;
  single[3 * i + 2] = z;
  typed[i] = make_float4(x, y, z, __uint_as_float(types[i]));
  const Vector3 d = p - built_at[i];
  // Not a number counts as moved: the host reports it.
  if (!(dot(d, d) < most2)) *stale = 1;
}

__global__ void __launch_bounds__(block_size)
    bonded_kernel(const BondedTerm* terms, std::uint32_t count, ImageBox box, const Vector3* positions, bool energies,
                  Vector3* parts, double* sums) {
  const std::uint32_t t = blockIdx.x * block_size + threadIdx.x;
  double values[BondedTerm::kinds] = {};
  if (t < count) {
    const BondedTerm term = terms[t];
    Vector3 force[4];
    const double energy = bonded_energy(
        term, box, [&](int k) { return positions[term.atom[k]]; }, force);
    for (int k = 0; k < 4; ++k) parts[4 * static_cast<std::size_t>(t) + k] = force[k];
    for (int k = 0; k < BondedTerm::kinds; ++k) values[k] = term.kind == k ? energy : 0.0;
  }
  if (energies) {
    double* const to[BondedTerm::kinds] = {sums, sums + 1, sums + 2, sums + 3, sums + 4};
    add_block_sums(values, to);
  }
}

__global__ void __launch_bounds__(block_size)
    correction_kernel(const PackedCorrection* terms, std::uint32_t count, const CorrectionNode* nodes, ImageBox box,
                      const Vector3* positions, bool energies, Vector3* parts, double* sums) {
  const std::uint32_t t = blockIdx.x * block_size + threadIdx.x;
  double energy[1] = {};
  if (t < count) {
    const PackedCorrection term = terms[t];
    Vector3 force[8];
    energy[0] = correction_energy(
        term, nodes, box, [&](int k) { return positions[term.atom[k]]; }, force);
    for (int k = 0; k < 8; ++k) parts[8 * static_cast<std::size_t>(t) + k] = force[k];
  }
  if (energies) {
    double* const to[1] = {sums + correction_sum};
    add_block_sums(energy, to);
  }
}

struct PairView {
  const float4* atoms;
  const float2* table;  ///< A and B
  const std::uint32_t* offsets;
  const std::uint32_t* partners;
  std::uint32_t types;
};

/// The force of the listed pairs of atom i that this lane has, and their energy.
__device__ __forceinline__ Vector3 pair_force(const PairView& pairs, const SwitchedCutoff<float>& cutoff,
                                              const ImageBox& box, std::uint32_t i, std::uint32_t lane, float& e) {
  const float4 own = pairs.atoms[i];
  const float2* const row = pairs.table + static_cast<std::size_t>(__float_as_uint(own.w)) * pairs.types;
  float fx = 0, fy = 0, fz = 0;
  float inverse[9], vectors[9];
  for (int k = 0; k < 9; ++k) {
    inverse[k] = static_cast<float>(box.inverse[k]);
    vectors[k] = static_cast<float>(box.vectors[k]);
  }
  for (std::uint32_t k = pairs.offsets[i] + lane; k < pairs.offsets[i + 1]; k += 32) {
    const float4 other = pairs.atoms[pairs.partners[k]];
    float d[3] = {own.x - other.x, own.y - other.y, own.z - other.z};
    if (box.periodic) {
      float n[3];
      for (int a = 0; a < 3; ++a) n[a] = rintf(inverse[a] * d[0] + inverse[3 + a] * d[1] + inverse[6 + a] * d[2]);
      for (int a = 0; a < 3; ++a) d[a] -= n[0] * vectors[a] + n[1] * vectors[3 + a] + n[2] * vectors[6 + a];
    }
    const float r2 = fmaxf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], static_cast<float>(lennard_jones_least2));
    if (!(r2 < cutoff.cutoff2)) continue;
    const float2 ab = row[__float_as_uint(other.w)];
    float slope = 0;
    e += lennard_jones(r2, sqrtf(r2), ab.x, ab.y, cutoff, &slope);
    fx += slope * d[0];
    fy += slope * d[1];
    fz += slope * d[2];
  }
  return {static_cast<double>(fx), static_cast<double>(fy), static_cast<double>(fz)};
}

/// A warp for each atom: its listed pairs (where there are offsets), its parts of bonded terms (the same) and its
/// electrostatic force (where there are any), each lane always the same ones, so that the sum does not depend on the
/// order in which threads run.
__global__ void __launch_bounds__(block_size)
    sum_kernel(PairView pairs, SwitchedCutoff<float> cutoff, ImageBox box, const std::uint32_t* part_offsets,
               const std::uint32_t* slots, const Vector3* parts, const float* electric, std::uint32_t count,
               bool energies, Vector3* forces, double* sums) {
  const std::uint32_t i = blockIdx.x * (block_size / 32) + threadIdx.x / 32;
  const std::uint32_t lane = threadIdx.x % 32;
  double energy[1] = {};
  if (i < count) {
    float e = 0;
    Vector3 force{0, 0, 0};
    if (pairs.offsets) force = pair_force(pairs, cutoff, box, i, lane, e);
    if (part_offsets) {
      for (std::uint32_t k = part_offsets[i] + lane; k < part_offsets[i + 1]; k += 32) force = force + parts[slots[k]];
    }
    force = {warp_sum(force.x), warp_sum(force.y), warp_sum(force.z)};
    if (lane == 0 && electric) {
      force = force + Vector3{static_cast<double>(electric[3 * i]), static_cast<double>(electric[3 * i + 1]),
                              static_cast<double>(electric[3 * i + 2])};
    }
    if (lane == 0) forces[i] = force;
    energy[0] = 0.5 * static_cast<double>(e);
  }
  if (energies) {
    double* const to[1] = {sums + pair_sum};
    add_block_sums(energy, to);
  }
}

class MolecularForcesCuda final : public MolecularForces {
 public:
  MolecularForcesCuda(std::shared_ptr<const ForceField> field, std::unique_ptr<Electrostatics> electrostatics,
                      const Cell& cell, const LennardJonesOptions& options)
      : MolecularForces(std::move(field), std::move(electrostatics), cell),
        box_(image_box(cell)),
        cutoff_(options),
        list_(*field_, cell, options.cutoff, options.margin),
        most2_(list_.margin() * list_.margin() / 4) {
    const BondedTerms terms = BondedTerms::of(*field_);
    const LennardJonesTable table(*field_);
    const Device on = device();
    term_count_ = static_cast<std::uint32_t>(terms.terms.size());
    type_count_ = table.count;
    terms_ = DeviceArray<BondedTerm>::from_host(terms.terms, on, "bonded terms");
    part_offsets_ = DeviceArray<std::uint32_t>::from_host(terms.offsets, on, "bonded terms");
    slots_ = DeviceArray<std::uint32_t>::from_host(terms.slots, on, "bonded terms");
    parts_ = DeviceArray<Vector3>(std::max<std::size_t>(1, terms.places()), on, "bonded terms");
    corrections_ = DeviceArray<PackedCorrection>::from_host(terms.corrections, on, "correction maps");
    nodes_ = DeviceArray<CorrectionNode>::from_host(terms.nodes, on, "correction maps");
    term_bytes_ = terms.bytes();
    types_ = DeviceArray<std::uint32_t>::from_host(table.types, on, "Lennard-Jones");
    table_ = DeviceArray<float>::from_host(table.pairs, on, "Lennard-Jones");
    single_ = DeviceArray<glm::vec3>(atoms(), on, "dynamics");
    electric_ = DeviceArray<glm::vec3>(atoms(), on, "dynamics");
    typed_ = DeviceArray<float4>(atoms(), on, "dynamics");
    built_at_ = DeviceArray<glm::dvec3>(atoms(), on, "dynamics");
    sums_ = DeviceArray<double>(correction_sum + 1, on, "dynamics");
    stale_ = DeviceArray<int>(1, on, "dynamics");
  }

  void evaluate(Span<const glm::dvec3> positions, Span<glm::dvec3> forces, bool energies, Job& job) override {
    electric(positions, ElectrostaticPart::all, energies, job);
    refresh_list(positions, job);
    if (energies) {
      cuda_check(cuda_api().set_bytes(sums_.data(), 0, sums_.size() * sizeof(double), stream().handle()), "dynamics");
    }
    bonded(positions, energies);
    sum(true, true, true, energies, forces);
  }

  void evaluate_terms(ForceTerms terms, Span<const glm::dvec3> positions, Span<glm::dvec3> forces, Job& job) override {
    job.check();
    if (terms == ForceTerms::bonded) {
      bonded(positions, false);
      return sum(false, true, false, false, forces);
    }
    electric(positions, electrostatic_part(terms), false, job);
    if (terms == ForceTerms::near) refresh_list(positions, job);
    sum(terms == ForceTerms::near, false, true, false, forces);
  }

  MolecularEnergies energies() override {
    double sums[correction_sum + 1];
    copy_memory(sums, Device::cpu(), sums_.data(), device(), sizeof(sums), stream().handle());
    MolecularEnergies e;
    e.bonds = sums[BondedTerm::bond];
    e.angles = sums[BondedTerm::angle];
    e.dihedrals = sums[BondedTerm::dihedral];
    e.impropers = sums[BondedTerm::improper];
    e.lennard_jones_14 = sums[BondedTerm::pair14];
    e.lennard_jones = sums[pair_sum];
    e.corrections = sums[correction_sum];
    e.electrostatics = electrostatics_->sums().energy();
    return e;
  }
  std::size_t list_builds() const override { return list_.builds(); }
  std::size_t memory() const override {
    return electrostatics_->memory() + term_bytes_ + partners_.size() * 4 + atoms() * 72;
  }

 private:
  static constexpr int warps = block_size / 32;

  /// Positions in single precision, the flag of the list, and the electrostatic forces.
  void electric(Span<const glm::dvec3> positions, ElectrostaticPart part, bool energies, Job& job) {
    const auto count = static_cast<std::uint32_t>(atoms());
    cuda_check(cuda_api().set_bytes(stale_.data(), list_.builds() == 0 ? 1 : 0, sizeof(int), stream().handle()),
               "dynamics");
    launch("dynamics: positions", stream(), place_kernel, blocks_for(count, block_size), CudaDim{block_size, 1, 1},
           reinterpret_cast<const Vector3*>(positions.data), reinterpret_cast<const Vector3*>(built_at_.data()),
           types_.data(), count, most2_, reinterpret_cast<float*>(single_.data()), typed_.data(), stale_.data());
    electrostatics_->start(Span<const glm::vec3>(single_.span()), {electric_.span(), {}, energies, part}, job);
  }

  void refresh_list(Span<const glm::dvec3> positions, Job& job) {
    int stale = 0;
    copy_memory(&stale, Device::cpu(), stale_.data(), device(), sizeof(int), stream().handle());
    if (stale != 0) build_list(positions, job);
    job.check();
  }

  void bonded(Span<const glm::dvec3> positions, bool energies) {
    const auto* const at = reinterpret_cast<const Vector3*>(positions.data);
    launch("dynamics: bonded terms", stream(), bonded_kernel, blocks_for(term_count_, block_size),
           CudaDim{block_size, 1, 1}, terms_.data(), term_count_, box_, at, energies, parts_.data(), sums_.data());
    if (corrections_.empty()) return;
    const auto maps = static_cast<std::uint32_t>(corrections_.size());
    launch("dynamics: correction maps", stream(), correction_kernel, blocks_for(maps, block_size),
           CudaDim{block_size, 1, 1}, corrections_.data(), maps, nodes_.data(), box_, at, energies,
           parts_.data() + 4 * std::size_t{term_count_}, sums_.data());
  }

  void sum(bool with_pairs, bool with_bonded, bool with_electric, bool energies, Span<glm::dvec3> forces) {
    const auto count = static_cast<std::uint32_t>(atoms());
    const PairView pairs{typed_.data(), reinterpret_cast<const float2*>(table_.data()),
                         with_pairs ? offsets_.data() : nullptr, partners_.data(), type_count_};
    launch("dynamics: pairs and sums", stream(), sum_kernel, blocks_for(count, warps), CudaDim{block_size, 1, 1}, pairs,
           cutoff_, box_, with_bonded ? part_offsets_.data() : nullptr, slots_.data(), parts_.data(),
           with_electric ? reinterpret_cast<const float*>(electric_.data()) : nullptr, count, energies,
           reinterpret_cast<Vector3*>(forces.data), sums_.data());
  }

  void build_list(Span<const glm::dvec3> positions, Job& job) {
    std::vector<glm::dvec3> host(positions.size);
    void* const queue = stream().handle();
    copy_memory(host.data(), Device::cpu(), positions.data, device(), positions.bytes(), queue);
    list_.build(host, job);
    copy_memory(built_at_.data(), device(), positions.data, device(), positions.bytes(), queue);
    upload(list_.offsets(), offsets_);
    upload(list_.partners(), partners_);
  }

  /// Into the array that is there where it is long enough.
  void upload(const std::vector<std::uint32_t>& values, DeviceArray<std::uint32_t>& to) {
    if (to.size() < values.size() || to.empty()) {
      to = DeviceArray<std::uint32_t>(values.size() + values.size() / 8 + 1, device(), "neighbour list");
    }
    if (values.empty()) return;
    copy_memory(to.data(), device(), values.data(), Device::cpu(), values.size() * 4, stream().handle());
  }

  ImageBox box_;
  SwitchedCutoff<float> cutoff_;
  NeighbourList list_;
  double most2_;
  std::uint32_t term_count_ = 0, type_count_ = 0;
  std::size_t term_bytes_ = 0;
  DeviceArray<BondedTerm> terms_;
  DeviceArray<PackedCorrection> corrections_;
  DeviceArray<CorrectionNode> nodes_;
  DeviceArray<std::uint32_t> part_offsets_, slots_, types_, offsets_, partners_;
  DeviceArray<float> table_;
  DeviceArray<Vector3> parts_;
  DeviceArray<glm::vec3> single_, electric_;
  DeviceArray<float4> typed_;
  DeviceArray<glm::dvec3> built_at_;
  DeviceArray<double> sums_;
  DeviceArray<int> stale_;
};

}  // namespace

std::unique_ptr<MolecularForces> molecular_forces_cuda(std::shared_ptr<const ForceField> field,
                                                       std::unique_ptr<Electrostatics> electrostatics, const Cell& cell,
                                                       const LennardJonesOptions& options) {
  return std::make_unique<MolecularForcesCuda>(std::move(field), std::move(electrostatics), cell, options);
}

}  // namespace isolume
