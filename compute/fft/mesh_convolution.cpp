// MeshConvolution: a real periodic mesh whose waves are each multiplied by a real number, on the CPU.
#include "compute/fft/mesh_convolution.h"

#include <algorithm>
#include <cmath>

#include "compute/base/device.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/fft/mesh_convolution_cpu.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

std::size_t in_lanes(int n) {
  return (static_cast<std::size_t>(n) + fft_lanes - 1) / fft_lanes;
}

}  // namespace

bool MeshConvolution::supports(glm::ivec3 n) {
  return n.x >= 16 && n.x % 2 == 0 && FftPlan::supports(n.x / 2) && FftPlan::supports(n.y) && FftPlan::supports(n.z);
}

MeshConvolution::MeshConvolution(glm::ivec3 n) : n_(n), along_x_(n.x / 2), along_y_(n.y), along_z_(n.z) {
  view_.n = n;
  view_.half = n.x / 2;
  view_.slabs = in_lanes(n.z);
  view_.blocks = in_lanes(n.y);
  const auto waves = static_cast<std::size_t>(view_.half + 1);
  planes_.resize(view_.slabs * static_cast<std::size_t>(n.y) * waves * 2 * fft_lanes);
  spectrum_.resize(waves * view_.blocks * static_cast<std::size_t>(n.z) * 2 * fft_lanes);
  factors_.assign(waves * view_.blocks * static_cast<std::size_t>(n.z) * fft_lanes, 0.0f);
  rooms_ = decltype(rooms_)([room = convolution_room(view_)] { return LargeVector<float>(room, 0.0f); });
  for (int k = 0; k <= view_.half / 2; ++k) {
    turns_.push_back(static_cast<float>(std::cos(-2 * units::pi * k / n.x)));
    turns_.push_back(static_cast<float>(std::sin(-2 * units::pi * k / n.x)));
  }
}

void MeshConvolution::set(const std::function<double(int i, int j, int k)>& factor, Job& job) {
  parallel_for(static_cast<std::size_t>(view_.half + 1), job, "mesh", [&](std::size_t i) {
    for (int j = 0; j < n_.y; ++j) {
      const auto block = static_cast<std::size_t>(j) / fft_lanes, lane = static_cast<std::size_t>(j) % fft_lanes;
      float* const out = factors_.data() + view_.line(i, block) * fft_lanes + lane;
      for (int k = 0; k < n_.z; ++k) {
        out[static_cast<std::size_t>(k) * fft_lanes] = static_cast<float>(0.5 * factor(static_cast<int>(i), j, k));
      }
    }
  });
}

void MeshConvolution::run(float* values, int stride, const Look& look, Job& job) {
  View view = view_;
  view.planes = planes_.data();
  view.spectrum = spectrum_.data();
  view.factors = factors_.data();
  view.along_x = &along_x_;
  view.along_y = &along_y_;
  view.along_z = &along_z_;
  view.turns = turns_.data();
  const auto rows = static_cast<std::size_t>(n_.y), waves = static_cast<std::size_t>(view.half + 1);
  const auto row = [&](bool back, std::size_t slab, std::size_t y, float* room) {
    convolve_rows(view, back, slab, y, values, static_cast<std::size_t>(stride), room);
  };
  // Of as many slabs as every thread can have the same number of, a thread keeps one in its cache; of the others rows
  // and columns are shared out.
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::size_t whole = view.slabs / threads * threads;
  const auto planes = [&](bool back) {
    const PhaseTimer timer(back ? "mesh: transform back" : "mesh: transform");
    parallel_for(whole, job, "mesh", [&](std::size_t slab) {
      float* const room = rooms_.local().data();
      for (std::size_t y = 0; !back && y < rows; ++y) row(back, slab, y, room);
      for (std::size_t i = 0; i < waves; ++i) convolve_columns(view, back, slab, i, room);
      for (std::size_t y = 0; back && y < rows; ++y) row(back, slab, y, room);
    });
    if (whole == view.slabs) return;
    constexpr std::size_t some = 8;
    const auto share = [&](std::size_t count, const auto& use) {
      const std::size_t parts = (count + some - 1) / some;
      parallel_for((view.slabs - whole) * parts, job, "mesh", [&](std::size_t part) {
        float* const room = rooms_.local().data();
        const std::size_t begin = part % parts * some;
        for (std::size_t k = begin; k < std::min(count, begin + some); ++k) use(whole + part / parts, k, room);
      });
    };
    const auto columns = [&] {
      share(waves, [&](std::size_t slab, std::size_t i, float* room) { convolve_columns(view, back, slab, i, room); });
    };
    if (back) columns();
    share(rows, [&](std::size_t slab, std::size_t y, float* room) { row(back, slab, y, room); });
    if (!back) columns();
  };
  planes(false);
  {
    const PhaseTimer timer("mesh: influence");
    parallel_for(waves, job, "mesh", [&](std::size_t i) {
      float* const room = rooms_.local().data();
      for (std::size_t block = 0; block < view.blocks; ++block) convolve_lines(view, i, block, look, room);
    });
  }
  planes(true);
}

}  // namespace isolume
