// SPME's mesh on the CPU: from charges to the potential on the mesh.
#include "compute/electrostatics/ewald/spme_solver_cpu.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/fft/fft_cpu.h"

namespace isolume {

namespace {

/// Sums over waves; `share` is 1/2 for waves whose opposite is counted as well.
struct WaveSums {
  double energy = 0;
  double virial[6] = {};

  /// A wave and its opposite, which the half spectrum leaves out: factor times the square of the charges' transform.
  void add(const SpmeInfluence& f, const double (&w)[3], double e, double share) {
    e *= share;
    if (e == 0) return;
    const double w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    const double spread = 2 * (1 / w2 + f.exponent) * e;
    energy += e;
    for (int a = 0; a < 3; ++a) virial[a] += e - spread * w[a] * w[a];
    virial[3] -= spread * w[0] * w[1];
    virial[4] -= spread * w[0] * w[2];
    virial[5] -= spread * w[1] * w[2];
  }
};

/// Of a row of waves along x.
void row_sums(const SpmeInfluence& f, const float* g, const std::complex<float>* s, int half, int j, int k,
              WaveSums& sums) {
  double base[3];
  f.wave(0, j, k, base);
  for (int i = 0; i < half; ++i) {
    const double w[3] = {base[0] + i * f.dual[0], base[1] + i * f.dual[1], base[2] + i * f.dual[2]};
    sums.add(f, w, static_cast<double>(g[i] * std::norm(s[i])), i == 0 ? 0.5 : 1.0);
  }
}

/// Of lines of waves along z, whose transform is twice that of the charges and whose factors are half of them.
void line_sums(const SpmeInfluence& f, const MeshConvolution::Lines& lines, int nz, const SpmeSolverCpu::AddSums& add) {
  WaveSums sums;
  for (int k = 0; k < nz; ++k) {
    const float* const re = lines.spectrum + static_cast<std::size_t>(k) * 2 * fft_lanes;
    const float* const g = lines.factors + static_cast<std::size_t>(k) * fft_lanes;
    for (int lane = 0; lane < lines.count; ++lane) {
      const float im = re[static_cast<std::size_t>(lane) + fft_lanes];
      double w[3];
      f.wave(lines.i, lines.j0 + lane, k, w);
      sums.add(f, w, static_cast<double>(g[lane] * (re[lane] * re[lane] + im * im)), lines.i == 0 ? 0.25 : 0.5);
    }
  }
  add(static_cast<std::size_t>(lines.i) * static_cast<std::size_t>(f.n[1]) + static_cast<std::size_t>(lines.j0),
      sums.energy, sums.virial);
}

}  // namespace

SpmeSolverCpu::SpmeSolverCpu(const SpmeOptions& options, const Cell& cell) {
  const glm::ivec3 n = options.mesh;
  mesh_.n = n;
  mesh_.stride = MeshView::padded(n.x);
  values_.resize(static_cast<std::size_t>(mesh_.stride) * static_cast<std::size_t>(n.y) *
                 static_cast<std::size_t>(n.z));
  mesh_.values = values_.data();
  for (int y = 0; y < n.y + MeshView::reach; ++y) {
    row_places_.push_back(static_cast<std::size_t>(y % n.y) * static_cast<std::size_t>(mesh_.stride));
  }
  for (int z = 0; z < n.z + MeshView::reach; ++z) {
    plane_places_.push_back(static_cast<std::size_t>(z % n.z) * static_cast<std::size_t>(n.y) *
                            static_cast<std::size_t>(mesh_.stride));
  }
  mesh_.rows = row_places_.data();
  mesh_.planes = plane_places_.data();
  if (MeshConvolution::supports(n)) {
    convolution_ = std::make_unique<MeshConvolution>(n);
  } else {
    spectrum_.resize(fft_spectrum_size(n));
    influence_.resize(spectrum_.size());
  }
  set_cell(options, cell);
}

void SpmeSolverCpu::set_cell(const SpmeOptions& options, const Cell& cell) {
  options_ = options;
  tables_ = std::make_unique<SpmeTables>(options, cell);
  frame_ = MeshFrame(tables_->inverse, mesh_.n);
  const glm::ivec3 n = mesh_.n;
  const int half = n.x / 2 + 1;
  Job job;
  if (convolution_) {
    convolution_->set([&](int i, int j, int k) { return tables_->influence.value(i, j, k); }, job);
    return;
  }
  parallel_for(static_cast<std::size_t>(n.z), job, "mesh", [&](std::size_t k) {
    float* out = influence_.data() + k * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(half);
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < half; ++i) *out++ = static_cast<float>(tables_->influence.value(i, j, static_cast<int>(k)));
    }
  });
}

void SpmeSolverCpu::solve(std::span<const glm::vec3> positions, std::span<const float> charges, const AddSums& add,
                          Job& job) {
  sort(positions, charges, job);
  spread(job);
  convolution_ ? convolve(add, job) : transform(add, job);
}

void SpmeSolverCpu::convolve(const AddSums& add, Job& job) {
  MeshConvolution::Look look;
  if (add) {
    look = [&](const MeshConvolution::Lines& lines) { line_sums(tables_->influence, lines, mesh_.n.z, add); };
  }
  convolution_->run(mesh_.values, mesh_.stride, look, job);
}

void SpmeSolverCpu::transform(const AddSums& add, Job& job) {
  each_row(job, [&](float* row) {
    for (int i = 0; i < options_.order - 1; ++i) row[i % mesh_.n.x] += row[mesh_.n.x + i];
  });
  {
    const PhaseTimer timer("mesh: transform");
    fft_forward(mesh_.n, mesh_.values, spectrum_.data(), mesh_.stride);
  }
  job.check();
  multiply(add, job);
  {
    const PhaseTimer timer("mesh: transform back");
    fft_backward(mesh_.n, spectrum_.data(), mesh_.values, mesh_.stride);
  }
  job.check();
  each_row(job, [&](float* row) {
    for (int i = 0; i < 8; ++i) row[mesh_.n.x + i] = row[i % mesh_.n.x];
  });
}

void SpmeSolverCpu::locate(glm::dvec3 position, MeshAtom& a) const {
  const glm::dvec3 f = tables_->inverse * position;
  for (int axis = 0; axis < 3; ++axis) {
    const double u = (f[axis] - std::floor(f[axis])) * mesh_.n[axis];
    const int base = std::min(static_cast<int>(u), mesh_.n[axis] - 1);
    a.at[axis] = static_cast<std::uint16_t>(base);
    a.beyond[axis] = static_cast<float>(u - base);
  }
}

/// Slabs of mesh planes, an even number of them so that every second can be filled at the same time, each at least as
/// thick as a spline reaches.
int SpmeSolverCpu::slabs() const {
  const int most = mesh_.n.z / (2 * std::max(options_.order, 6));
  return 2 * std::min(most, 4 * thread_count());
}

int SpmeSolverCpu::first_plane(int slab) const {
  return slab * mesh_.n.z / std::max(slabs(), 1);
}

void SpmeSolverCpu::sort(std::span<const glm::vec3> positions, std::span<const float> charges, Job& job) {
  const PhaseTimer timer("mesh: places");
  const std::size_t atoms = positions.size();
  atoms_.resize(atoms);
  sorted_.resize(atoms);
  const int slabs = std::max(this->slabs(), 1);
  slab_rows_.resize(static_cast<std::size_t>(mesh_.n.z));
  for (int slab = 0; slab < slabs; ++slab) {
    for (int z = first_plane(slab); z < first_plane(slab + 1); ++z) {
      slab_rows_[static_cast<std::size_t>(z)] = static_cast<std::uint32_t>(slab * mesh_.n.y);
    }
  }
  // By slab, then by row: neighbours on the mesh become neighbours in memory. Each part counts its own atoms of a row
  // and then knows where they go.
  const auto rows = static_cast<std::size_t>(slabs) * static_cast<std::size_t>(mesh_.n.y);
  const std::size_t chunk = std::max<std::size_t>(4096, atoms / (4 * static_cast<std::size_t>(thread_count())) + 1);
  const std::size_t parts = (atoms + chunk - 1) / chunk;
  counts_.assign(parts * rows, 0);
  const auto row_of = [&](const MeshAtom& a) { return slab_rows_[a.at[2]] + a.at[1]; };
  parallel_for(parts, job, "mesh", [&](std::size_t part) {
    std::uint32_t* count = counts_.data() + part * rows;
    const std::size_t begin = part * chunk, end = std::min(atoms, begin + chunk);
    locate_atoms(frame_, positions.data(), charges.data(), begin, end - begin, atoms_.data() + begin);
    for (std::size_t i = begin; i < end; ++i) ++count[row_of(atoms_[i])];
  });
  first_.resize(rows + 1);
  std::uint32_t sum = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    first_[row] = sum;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::uint32_t own = counts_[part * rows + row];
      counts_[part * rows + row] = sum;
      sum += own;
    }
  }
  first_[rows] = sum;
  parallel_for(parts, job, "mesh", [&](std::size_t part) {
    std::uint32_t* next = counts_.data() + part * rows;
    for (std::size_t i = part * chunk; i < std::min(atoms, (part + 1) * chunk); ++i) {
      sorted_[next[row_of(atoms_[i])]++] = atoms_[i];
    }
  });
}

void SpmeSolverCpu::spread(Job& job) {
  const PhaseTimer timer("mesh: charges");
  const glm::ivec3 n = mesh_.n;
  const int slabs = this->slabs();
  const auto clear = [&](int first, int last) {
    std::fill(values_.data() + mesh_.planes[first],
              last < n.z ? values_.data() + mesh_.planes[last] : values_.data() + values_.size(), 0.0f);
  };
  const auto fill = [&](int s) {
    const std::uint32_t begin = first_[static_cast<std::size_t>(s) * static_cast<std::size_t>(n.y)];
    const std::uint32_t end = first_[static_cast<std::size_t>(s + 1) * static_cast<std::size_t>(n.y)];
    spread_charges(options_.order, sorted_.data() + begin, end - begin, mesh_);
  };
  if (slabs == 0) {
    clear(0, n.z);
    fill(0);
    return;
  }
  // A slab's charges reach into the next one: first the even slabs, with the next one cleared, then the odd ones.
  const auto count = static_cast<std::size_t>(slabs / 2);
  parallel_for(count, job, "mesh: charges", [&](std::size_t s) {
    const int even = 2 * static_cast<int>(s);
    clear(first_plane(even), first_plane(even + 2));
    fill(even);
  });
  parallel_for(count, job, "mesh: charges", [&](std::size_t s) { fill(2 * static_cast<int>(s) + 1); });
}

void SpmeSolverCpu::multiply(const AddSums& add, Job& job) {
  const PhaseTimer timer("mesh: influence");
  const glm::ivec3 n = mesh_.n;
  const int half = n.x / 2 + 1;
  parallel_for(static_cast<std::size_t>(n.z), job, "mesh", [&](std::size_t k) {
    const std::size_t start = k * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(half);
    const float* g = influence_.data() + start;
    std::complex<float>* s = spectrum_.data() + start;
    WaveSums sums;
    for (int j = 0; j < n.y; ++j, g += half, s += half) {
      if (add) row_sums(tables_->influence, g, s, half, j, static_cast<int>(k), sums);
      for (int i = 0; i < half; ++i) s[i] = {s[i].real() * g[i], s[i].imag() * g[i]};
    }
    if (add) add(k, sums.energy, sums.virial);
  });
}

template <class Use>
void SpmeSolverCpu::each_row(Job& job, const Use& use) {
  parallel_for(static_cast<std::size_t>(mesh_.n.z), job, "mesh", [&](std::size_t z) {
    for (int y = 0; y < mesh_.n.y; ++y) use(mesh_.row(y, static_cast<int>(z)));
  });
}

}  // namespace isolume
