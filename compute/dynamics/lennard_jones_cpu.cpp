// Lennard-Jones energies and forces of listed pairs on the CPU, in vectors over the partners of an atom.
#include "compute/base/parallel_for.h"
#include "compute/dynamics/lennard_jones.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/dynamics/lennard_jones_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_LENNARD_JONES_ROW
#define ISOLUME_LENNARD_JONES_ROW
namespace isolume {

/// What the sum over the partners of one atom reads, and what it gives.
struct LennardJonesRow {
  const float *x, *y, *z;
  const std::uint32_t* types;
  const float* pairs;  ///< the row of the table for the atom's own type
  const std::uint32_t* partners;
  std::size_t count;
  float own[3];
  double force[3];
  double energy;
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool periodic, bool energy>
void sum(LennardJonesRow& row, const ImageBox& box, const SwitchedCutoff<float>& cutoff) {
  const hn::CappedTag<float, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToUnsigned<decltype(d)> du;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V cutoff2 = hn::Set(d, cutoff.cutoff2);
  const V switching = hn::Set(d, cutoff.switching);
  const V per_width = hn::Set(d, cutoff.per_width);
  const V least2 = hn::Set(d, static_cast<float>(lennard_jones_least2));
  const V one = hn::Set(d, 1.0f);
  V inverse[9], vectors[9];
  if constexpr (periodic) {
    for (int k = 0; k < 9; ++k) {
      inverse[k] = hn::Set(d, static_cast<float>(box.inverse[k]));
      vectors[k] = hn::Set(d, static_cast<float>(box.vectors[k]));
    }
  }
  V fx = hn::Zero(d), fy = fx, fz = fx, e = fx;
  for (std::size_t begin = 0; begin < row.count; begin += lanes) {
    const std::size_t left = row.count - begin;
    const auto real = hn::FirstN(d, left);
    // Beyond the end the first partner is in, and does not count.
    alignas(64) std::uint32_t padded[16];
    const std::uint32_t* at = row.partners + begin;
    if (left < lanes) {
      for (std::size_t k = 0; k < lanes; ++k) padded[k] = at[k < left ? k : 0];
      at = padded;
    }
    const auto j = hn::BitCast(di, hn::LoadU(du, at));
    V dx = hn::Sub(hn::Set(d, row.own[0]), hn::GatherIndex(d, row.x, j));
    V dy = hn::Sub(hn::Set(d, row.own[1]), hn::GatherIndex(d, row.y, j));
    V dz = hn::Sub(hn::Set(d, row.own[2]), hn::GatherIndex(d, row.z, j));
    if constexpr (periodic) {
      V n[3];
      for (int a = 0; a < 3; ++a) {
        n[a] = hn::Round(hn::MulAdd(inverse[a], dx, hn::MulAdd(inverse[3 + a], dy, hn::Mul(inverse[6 + a], dz))));
      }
      for (int a = 0; a < 3; ++a) {
        dx = hn::NegMulAdd(n[a], vectors[3 * a], dx);
        dy = hn::NegMulAdd(n[a], vectors[3 * a + 1], dy);
        dz = hn::NegMulAdd(n[a], vectors[3 * a + 2], dz);
      }
    }
    const V r2 = hn::Max(hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz))), least2);
    const auto counts = hn::And(real, hn::Lt(r2, cutoff2));
    const auto type = hn::BitCast(
        di, hn::ShiftLeft<1>(hn::BitCast(du, hn::GatherIndex(di, reinterpret_cast<const int*>(row.types), j))));
    const V a = hn::GatherIndex(d, row.pairs, type);
    const V b = hn::GatherIndex(d, row.pairs + 1, type);
    const V inverse2 = hn::Div(one, r2);
    const V inverse6 = hn::Mul(inverse2, hn::Mul(inverse2, inverse2));
    const V repulsion = hn::Mul(a, hn::Mul(inverse6, inverse6));
    const V attraction = hn::Mul(b, inverse6);
    const V own = hn::Sub(repulsion, attraction);
    const V slope = hn::Mul(hn::MulSub(hn::Set(d, 12.0f), repulsion, hn::Mul(hn::Set(d, 6.0f), attraction)), inverse2);
    const V root = hn::Sqrt(r2);
    const V x = hn::Max(hn::Mul(hn::Sub(root, switching), per_width), hn::Zero(d));
    const V x2 = hn::Mul(x, x);
    const V inner = hn::NegMulAdd(x, hn::NegMulAdd(hn::Set(d, 6.0f), x, hn::Set(d, 15.0f)), hn::Set(d, 10.0f));
    const V s = hn::NegMulAdd(hn::Mul(x2, x), inner, one);
    const V rest = hn::Sub(one, x);
    const V ds = hn::Mul(hn::Mul(hn::Set(d, 30.0f), per_width), hn::Mul(x2, hn::Mul(rest, rest)));
    V force = hn::MulAdd(s, slope, hn::Div(hn::Mul(own, ds), root));
    force = hn::IfThenElseZero(counts, force);
    fx = hn::MulAdd(force, dx, fx);
    fy = hn::MulAdd(force, dy, fy);
    fz = hn::MulAdd(force, dz, fz);
    if constexpr (energy) e = hn::Add(e, hn::IfThenElseZero(counts, hn::Mul(s, own)));
  }
  const auto reduce = [&](V v) HWY_ATTR { return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, v))); };
  row.force[0] = reduce(fx);
  row.force[1] = reduce(fy);
  row.force[2] = reduce(fz);
  row.energy = energy ? reduce(e) : 0;
}

void dispatch(LennardJonesRow& row, const ImageBox& box, const SwitchedCutoff<float>& cutoff, bool energy) {
  if (box.periodic) {
    energy ? sum<true, true>(row, box, cutoff) : sum<true, false>(row, box, cutoff);
  } else {
    energy ? sum<false, true>(row, box, cutoff) : sum<false, false>(row, box, cutoff);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(dispatch);

LennardJonesTable::LennardJonesTable(const ForceField& field) : types(field.types), count(field.type_count) {
  for (std::size_t k = 0; k < field.lj_a.size(); ++k) {
    pairs.push_back(static_cast<float>(field.lj_a[k]));
    pairs.push_back(static_cast<float>(field.lj_b[k]));
  }
}

LennardJonesCpu::LennardJonesCpu(const ForceField& field, const ImageBox& box, const LennardJonesOptions& options)
    : table_(field), box_(box), cutoff_(options) {
  for (auto* v : {&x_, &y_, &z_}) v->resize(field.atom_count());
}

double LennardJonesCpu::add(std::span<const glm::dvec3> positions, const NeighbourList& list, bool energy,
                            std::span<glm::dvec3> forces, Job& job) {
  const std::size_t atoms = positions.size();
  for (std::size_t i = 0; i < atoms; ++i) {
    x_[i] = static_cast<float>(positions[i].x);
    y_[i] = static_cast<float>(positions[i].y);
    z_[i] = static_cast<float>(positions[i].z);
  }
  constexpr std::size_t chunk = 128;
  const std::size_t chunks = (atoms + chunk - 1) / chunk;
  energies_.assign(chunks, 0.0);
  parallel_for(chunks, job, "Lennard-Jones", [&](std::size_t part) {
    for (std::size_t i = part * chunk; i < std::min(atoms, (part + 1) * chunk); ++i) {
      const std::uint32_t begin = list.offsets()[i];
      LennardJonesRow row{x_.data(),
                          y_.data(),
                          z_.data(),
                          table_.types.data(),
                          table_.pairs.data() + std::size_t{2} * table_.types[i] * table_.count,
                          list.partners().data() + begin,
                          list.offsets()[i + 1] - begin,
                          {x_[i], y_[i], z_[i]},
                          {},
                          0};
      HWY_DYNAMIC_DISPATCH(dispatch)(row, box_, cutoff_, energy);
      forces[i] += glm::dvec3(row.force[0], row.force[1], row.force[2]);
      energies_[part] += row.energy / 2;
    }
  });
  double total = 0;
  for (const double e : energies_) total += e;
  return total;
}

}  // namespace isolume
#endif
