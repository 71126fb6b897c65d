// What the vectors of marching cubes share: values as floats, which edges of a row cross the surface. For each target.

// Highway's way to have a header once a target.
#if defined(ISOLUME_MARCHING_CUBES_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_MARCHING_CUBES_LANES
#undef ISOLUME_MARCHING_CUBES_LANES
#else
#define ISOLUME_MARCHING_CUBES_LANES
#endif

#include <cstring>

#include <hwy/highway.h>

#include "compute/base/storage.h"
#include "compute/isosurface/marching_cubes_math.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> load_values(D d, const float* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> load_values(D d, const Half* from) {
  const hn::Rebind<hwy::float16_t, D> dh;
  return hn::PromoteTo(d, hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(from)));
}
template <class D>
HWY_INLINE hn::Vec<D> load_values(D d, const Unorm8* from) {
  const hn::RebindToSigned<D> di;
  const hn::Rebind<std::uint8_t, D> db;
  const auto whole = hn::PromoteTo(di, hn::LoadU(db, reinterpret_cast<const std::uint8_t*>(from)));
  return hn::Mul(hn::ConvertTo(d, whole), hn::Set(d, 1.0f / 255.0f));
}

/// Eight words of 32 points or fewer: what is done at once of a row.
using Words = hn::CappedTag<std::uint32_t, 8>;
using WordVec = hn::Vec<Words>;
HWY_INLINE int word_lanes() {
  return static_cast<int>(hn::Lanes(Words()));
}

/// As IsoGrid::has_next() for the words from w on; none behind the row.
HWY_INLINE WordVec has_next(const IsoGrid& g, int w) {
  const Words d;
  const auto which = hn::Iota(d, static_cast<std::uint32_t>(w));
  const auto last = hn::Set(d, static_cast<std::uint32_t>(g.words - 1));
  const auto ends = hn::IfThenElseZero(hn::Eq(which, last), hn::Set(d, g.has_next(g.words - 1)));
  return hn::IfThenElse(hn::Lt(which, last), hn::Set(d, ~0u), ends);
}

/// The words moved by one point; the word behind the last one is read.
HWY_INLINE WordVec next_points(const std::uint32_t* bits) {
  const Words d;
  return hn::Or(hn::ShiftRight<1>(hn::LoadU(d, bits)), hn::ShiftLeft<31>(hn::LoadU(d, bits + 1)));
}

/// As CrossedEdges, for the words from w on.
struct CrossedWords {
  WordVec along[3];

  HWY_INLINE CrossedWords(const IsoGrid& g, const std::uint32_t* bits, int w, int j, int k) {
    const Words d;
    const std::uint32_t* at = bits + g.word(w, j, k);
    const WordVec here = hn::LoadU(d, at);
    const auto there =
        hn::Lt(hn::Iota(d, static_cast<std::uint32_t>(w)), hn::Set(d, static_cast<std::uint32_t>(g.words)));
    along[0] = hn::And(hn::Xor(here, next_points(at)), has_next(g, w));
    along[1] = hn::Zero(d);
    along[2] = hn::Zero(d);
    if (j + 1 < g.ny) along[1] = hn::IfThenElseZero(there, hn::Xor(here, hn::LoadU(d, at + g.words)));
    if (k + 1 < g.nz) along[2] = hn::IfThenElseZero(there, hn::Xor(here, hn::LoadU(d, at + g.word(0, 0, 1))));
  }
  HWY_INLINE bool none() const {
    return hn::AllTrue(Words(), hn::Eq(hn::Or(hn::Or(along[0], along[1]), along[2]), hn::Zero(Words())));
  }
};

/// The cells of the words from w on whose corners differ.
HWY_INLINE WordVec mixed_cells(const IsoGrid& g, const std::uint32_t* bits, int w, int j, int k) {
  const Words d;
  WordVec any = hn::Zero(d);
  WordVec all = hn::Set(d, ~0u);
  for (int row = 0; row < 4; ++row) {
    const std::uint32_t* at = bits + g.word(w, j + (row & 1), k + (row >> 1));
    const WordVec here = hn::LoadU(d, at);
    const WordVec next = next_points(at);
    any = hn::Or(any, hn::Or(here, next));
    all = hn::And(all, hn::And(here, next));
  }
  return hn::And(hn::AndNot(all, any), has_next(g, w));
}

/// Four rows of points around a row of cells: a word of each and the next one's first points above it.
struct CellRows {
  std::uint64_t row[4];

  HWY_INLINE void load(const IsoGrid& g, const std::uint32_t* bits, int w, int j, int k) {
    for (int r = 0; r < 4; ++r) {
      std::memcpy(&row[r], bits + g.word(w, j + (r & 1), k + (r >> 1)), sizeof(row[r]));
    }
  }
  HWY_INLINE unsigned case_of(int bit) const {
    return static_cast<unsigned>((row[0] >> bit & 3u) | (row[1] >> bit & 3u) << 2 | (row[2] >> bit & 3u) << 4 |
                                 (row[3] >> bit & 3u) << 6);
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();
#endif
