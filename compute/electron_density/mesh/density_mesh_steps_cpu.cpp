// The mesh of a density's potential on the CPU: its tables, its convolution, and what is read from it.

#include <algorithm>
#include <cmath>
#include <complex>

#include "compute/base/large_vector.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electron_density/mesh/density_mesh_bodies.h"
#include "compute/electron_density/mesh/density_mesh_body.h"
#include "compute/electron_density/mesh/density_mesh_sites.h"
#include "compute/electron_density/mesh/density_mesh_spline.h"
#include "compute/fft/fft_cpu.h"
#include "compute/fft/mesh_convolution.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr int slab_planes = 8;

/// Points first ... end - 1 of a row that are within `reach` of a point.
glm::ivec2 within(glm::dvec3 from, glm::dvec3 step, int count, glm::dvec3 point, double reach) {
  const double square = glm::dot(step, step);
  const glm::dvec3 away = point - from;
  const double middle = square > 0 ? glm::dot(away, step) / square : 0;
  const glm::dvec3 least = away - middle * step;
  const double left = reach * reach - glm::dot(least, least);
  if (left <= 0) return glm::ivec2(0);
  if (square == 0) return glm::ivec2(0, count);
  const double half = std::sqrt(left / square);
  return glm::ivec2(static_cast<int>(std::clamp(std::ceil(middle - half), 0.0, static_cast<double>(count))),
                    static_cast<int>(std::clamp(std::floor(middle + half) + 1, 0.0, static_cast<double>(count))));
}

class DensityMeshCpu final : public DensityMeshBody {
 public:
  DensityMeshCpu(const HermiteDensity& density, DensityMeshPlan& plan, Job& job) : plan_(plan) {
    {
      const PhaseTimer timer("potential of the density: sites");
      tables_ = site_tables(density, plan, job);
    }
    stride_ = (plan_.padded.x + 8 + 15) / 16 * 16;
    mesh_.resize(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(plan_.padded.y) *
                 static_cast<std::size_t>(plan_.padded.z));
    convolve(job);
  }

  void on_grid(const Grid& grid, double factor, Span<float> values, Job& job) const override;

 private:
  void spread(Job& job);
  void convolve(Job& job);

  const DensityMeshPlan& plan_;
  SiteTables tables_;
  int stride_ = 0;           ///< of a row of the mesh
  LargeVector<float> mesh_;  ///< of plan.padded points: the density, then the splines of its potential
};

void DensityMeshCpu::spread(Job& job) {
  const PhaseTimer timer("potential of the density: to the mesh");
  const MeshRows rows{mesh_.data(),
                      static_cast<std::size_t>(stride_),
                      static_cast<std::size_t>(plan_.padded.y),
                      plan_.origin,
                      plan_.step,
                      plan_.counts};
  const std::size_t plane = rows.stride * rows.rows;
  parallel_for(static_cast<std::size_t>(plan_.padded.z), job, "mesh",
               [&](std::size_t k) { std::fill_n(mesh_.data() + k * plane, plane, 0.0f); });
  const int slabs = (plan_.counts.z + slab_planes - 1) / slab_planes;
  parallel_for(static_cast<std::size_t>(slabs), job, "potential of the density: to the mesh", [&](std::size_t slab) {
    const int first = static_cast<int>(slab) * slab_planes, end = std::min(first + slab_planes, plan_.counts.z);
    std::size_t looked = 0;
    for (const MeshSource& source : plan_.sources) {
      if (++looked % 64 == 0) job.check();
      spread_source(source, plan_.coefficients.data() + source.first, rows, first, end);
    }
  });
}

void DensityMeshCpu::convolve(Job& job) {
  const glm::ivec3 n = plan_.padded;
  MeshConvolution convolution(n);
  {
    const PhaseTimer timer("potential of the density: kernel");
    // erf(sqrt(q) r) / r between all points of the mesh: the padding holds the negative distances.
    const double h = plan_.step, root = std::sqrt(kernel_exponent(plan_.exponent));
    const double scale = h * h * h / (static_cast<double>(n.x) * n.y * n.z);
    parallel_for(static_cast<std::size_t>(n.z), job, "mesh", [&](std::size_t k) {
      const double z = h * std::min(static_cast<int>(k), n.z - static_cast<int>(k));
      for (int j = 0; j < n.y; ++j) {
        const double y = h * std::min(j, n.y - j);
        float* const to = mesh_.data() + (k * static_cast<std::size_t>(n.y) + static_cast<std::size_t>(j)) *
                                             static_cast<std::size_t>(stride_);
        for (int i = 0; i < n.x; ++i) {
          const double x = h * std::min(i, n.x - i), r = std::sqrt(x * x + y * y + z * z), s = root * r;
          to[i] = static_cast<float>(s > 6 ? 1 / r : s > 0 ? std::erf(s) / r : 2 * root / std::sqrt(units::pi));
        }
      }
    });
    LargeVector<std::complex<float>> spectrum(fft_spectrum_size(n));
    fft_forward(n, mesh_.data(), spectrum.data(), stride_, &job);
    const auto bx = spline_spectrum(n.x), by = spline_spectrum(n.y), bz = spline_spectrum(n.z);
    const auto half = static_cast<std::size_t>(n.x / 2 + 1);
    convolution.set(
        [&](int i, int j, int k) {
          const double x = 2.0 * i / n.x, y = 2.0 * std::min(j, n.y - j) / n.y, z = 2.0 * std::min(k, n.z - k) / n.z;
          if (x * x + y * y + z * z >= 1) return 0.0;
          const std::size_t at =
              static_cast<std::size_t>(i) +
              half * (static_cast<std::size_t>(j) + static_cast<std::size_t>(n.y) * static_cast<std::size_t>(k));
          return scale * static_cast<double>(spectrum[at].real()) /
                 (bx[static_cast<std::size_t>(i)] * by[static_cast<std::size_t>(j)] * bz[static_cast<std::size_t>(k)]);
        },
        job);
  }
  spread(job);
  convolution.run(mesh_.data(), stride_, {}, job);
}

void DensityMeshCpu::on_grid(const Grid& grid, double factor, Span<float> values, Job& job) const {
  const PhaseTimer timer("potential of the density: from the mesh");
  const glm::dmat3 step = units::angstrom_in_bohr * grid.step;
  const glm::dvec3 origin = units::angstrom_in_bohr * grid.origin;
  const auto on_mesh = [&](glm::dvec3 point) { return (point - plan_.origin) / plan_.step; };
  const auto row_at = [&](int j, int k) {
    return mesh_.data() +
           (static_cast<std::size_t>(k) * static_cast<std::size_t>(plan_.padded.y) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(stride_);
  };
  const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
  // Along x, the same in all rows of an aligned grid.
  const bool aligned = grid.axis_aligned();
  std::vector<int> starts(nx);
  std::vector<float> weights(16 * nx, 0.0f);
  int least = plan_.counts.x, most = 0;
  for (std::size_t i = 0; aligned && i < nx; ++i) {
    const SplinePlace place(on_mesh(origin + static_cast<double>(i) * step[0]).x);
    starts[i] = place.start;
    for (std::size_t w = 0; w < spline_order; ++w) weights[16 * i + w] = static_cast<float>(place.weights[w]);
    least = std::min(least, place.start);
    most = std::max(most, place.start + spline_order);
  }
  for (int& start : starts) start -= least;
  const auto length = aligned ? static_cast<std::size_t>(most - least) : 0;

  parallel_for(static_cast<std::size_t>(grid.counts.z), job, "potential of the density", [&](std::size_t k) {
    thread_local std::vector<float> plane, row;
    const glm::dvec3 corner = origin + static_cast<double>(k) * step[2];
    int y_least = plan_.counts.y, y_most = 0;
    if (aligned) {
      const SplinePlace z(on_mesh(corner).z);
      for (const double j : {0.0, static_cast<double>(ny - 1)}) {
        const int start = SplinePlace(on_mesh(corner + j * step[1]).y).start;
        y_least = std::min(y_least, start);
        y_most = std::max(y_most, start + spline_order);
      }
      plane.resize(length * static_cast<std::size_t>(y_most - y_least));
      row.assign(length + 16, 0.0f);
      float mixed[spline_order];
      for (std::size_t w = 0; w < spline_order; ++w) mixed[w] = static_cast<float>(z.weights[w]);
      for (int y = y_least; y < y_most; ++y) {
        const float* rows[spline_order];
        for (int w = 0; w < spline_order; ++w) rows[w] = row_at(y, z.start + w) + least;
        mix_rows(rows, mixed, length, plane.data() + static_cast<std::size_t>(y - y_least) * length);
      }
    }
    std::vector<const SiteTable*> near;
    for (const SiteTable& table : tables_.sites) {
      // The plane's own sites: those that its infinite plane reaches.
      const glm::dvec3 normal = glm::cross(step[0], step[1]);
      const double size = glm::length(normal);
      if (size > 0 && std::abs(glm::dot(table.centre - corner, normal)) > table.reach * size) continue;
      near.push_back(&table);
    }
    for (std::size_t j = 0; j < ny; ++j) {
      job.check();
      const glm::dvec3 from = corner + static_cast<double>(j) * step[1];
      float* const out = values.data + (k * ny + j) * nx;
      if (aligned) {
        const SplinePlace y(on_mesh(from).y);
        const float* rows[spline_order];
        float mixed[spline_order];
        for (int w = 0; w < spline_order; ++w) {
          rows[w] = plane.data() + static_cast<std::size_t>(y.start - y_least + w) * length;
          mixed[w] = static_cast<float>(y.weights[static_cast<std::size_t>(w)]);
        }
        mix_rows(rows, mixed, length, row.data());
        read_row(row.data(), starts.data(), weights.data(), nx, out);
      } else {
        for (std::size_t i = 0; i < nx; ++i) {
          const glm::dvec3 at = on_mesh(from + static_cast<double>(i) * step[0]);
          const SplinePlace x(at.x), y(at.y), z(at.z);
          alignas(64) float of_x[16] = {};
          for (std::size_t w = 0; w < spline_order; ++w) of_x[w] = static_cast<float>(x.weights[w]);
          double sum = 0;
          for (int c = 0; c < spline_order; ++c) {
            for (int b = 0; b < spline_order; ++b) {
              const float* const of_row = row_at(y.start + b, z.start + c) + x.start;
              float part = 0;
              for (int a = 0; a < spline_order; ++a) part += of_x[a] * of_row[a];
              sum += y.weights[static_cast<std::size_t>(b)] * z.weights[static_cast<std::size_t>(c)] *
                     static_cast<double>(part);
            }
          }
          out[i] = static_cast<float>(sum);
        }
      }
      for (const SiteTable* table : near) {
        const glm::ivec2 part = within(from, step[0], grid.counts.x, table->centre, table->reach);
        if (part.x >= part.y) continue;
        add_site(*table, tables_.numbers.data() + table->first, from, step[0], part.x, part.y, out);
      }
      for (std::size_t i = 0; i < nx; ++i)
        out[i] = static_cast<float>(std::min(factor * static_cast<double>(out[i]), 1e30));
    }
  });
}

}  // namespace

std::unique_ptr<DensityMeshBody> density_mesh_cpu(const HermiteDensity& density, DensityMeshPlan& plan, Job& job) {
  return std::make_unique<DensityMeshCpu>(density, plan, job);
}

}  // namespace isolume
