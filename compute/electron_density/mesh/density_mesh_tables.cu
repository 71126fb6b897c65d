// The short-ranged part of a density's potential on CUDA: moments of sharp Gaussians about their sites, and tables of
// what they differ by from smooth ones, by harmonics.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "compute/base/launch.cuh"
#include "compute/electron_density/boys_function.cuh"
#include "compute/electron_density/mesh/density_mesh_kernels.h"
#include "compute/electron_density/mesh/density_mesh_sites.h"
#include "compute/electron_density/mesh/site_harmonics.h"

namespace isolume {

namespace {

constexpr int threads = 128;
constexpr int orders = most_site_order + 1;
constexpr int most_powers = hermite_count(most_site_order);
constexpr int most_harmonics = harmonic_count(most_site_order);
constexpr std::size_t batch_of_groups = 8192;  // so that their moments take some ten MB
constexpr int table_rows = 8;                  // rows of a block
constexpr int table_groups = 8;                // groups whose radial functions a block has at a time
constexpr double pi = 3.14159265358979323846;

/// Sources of one exponent at a site.
struct Group {
  double exponent;
  unsigned site, begin, end;  // of the members
};

struct SumTask {
  const HermiteSource* sources;
  const double* coefficients;
  const unsigned* members;
  const Group* groups;
  const SiteOnDevice* sites;
  unsigned stride;    // of the moments, in numbers
  unsigned group0;    // first group of the batch
  double* moments;    // by group of the batch, then by site of the batch
  double* harmonics;  // the same
};

/// Where the numbers of degree N begin in harmonics_of_powers() of all degrees, one after the other.
__host__ __device__ constexpr int matrix_first(int degree) {
  int first = 0;
  for (int n = 0; n < degree; ++n) first += ((n + 1) * (n + 2) / 2) * ((n + 1) * (n + 2) / 2);
  return first;
}

/// Moments about the site: the derivatives with respect to a source's centre as a Taylor series.
__global__ void __launch_bounds__(threads) moments_kernel(const __grid_constant__ SumTask task) {
  __shared__ double steps[3][orders];  // shift^n / n!
  __shared__ double from[most_powers];
  const Group group = task.groups[task.group0 + blockIdx.x];
  const SiteOnDevice& site = task.sites[group.site];
  const int count = hermite_count(static_cast<int>(site.order));
  constexpr int most = (most_powers + threads - 1) / threads;
  double sums[most] = {};
  int of[most][3];
  for (int q = 0; q < most; ++q) {
    // The powers of this thread's numbers.
    const int place = static_cast<int>(threadIdx.x) + q * threads;
    int n = 0;
    while (hermite_count(n) <= place) ++n;
    const int within = place - (n > 0 ? hermite_count(n - 1) : 0);
    int m = 0;
    while ((m + 1) * (m + 2) / 2 <= within) ++m;
    of[q][0] = n - m;
    of[q][2] = within - m * (m + 1) / 2;
    of[q][1] = m - of[q][2];
  }
  for (unsigned member = group.begin; member < group.end; ++member) {
    const HermiteSource& source = task.sources[task.members[member]];
    const int order = source.order;
    const double factor = 0.5 * sqrt(pi / source.exponent);
    __syncthreads();
    for (int h = static_cast<int>(threadIdx.x); h < hermite_count(order); h += threads)
      from[h] = factor * task.coefficients[source.first + static_cast<unsigned>(h)];
    if (threadIdx.x < 3) {
      const double at = threadIdx.x == 0 ? source.centre.x : threadIdx.x == 1 ? source.centre.y : source.centre.z;
      const double shift = at - site.centre[threadIdx.x];
      double step = 1;
      for (int n = 0; n < orders; ++n) {
        steps[threadIdx.x][n] = step;
        step *= shift / (n + 1);
      }
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < most; ++q) {
      if (static_cast<int>(threadIdx.x) + q * threads >= count) break;
      const int t = of[q][0], u = of[q][1], v = of[q][2];
      double sum = 0;
      for (int i = 0; i <= min(t, order); ++i) {
        double of_i = 0;
        for (int j = 0; j <= min(u, order - i); ++j) {
          double of_j = 0;
          for (int k = 0; k <= min(v, order - i - j); ++k)
            of_j = fma(from[hermite_place(i, j, k)], steps[2][v - k], of_j);
          of_i = fma(of_j, steps[1][u - j], of_i);
        }
        sum = fma(of_i, steps[0][t - i], sum);
      }
      sums[q] += sum;
    }
  }
  double* const to = task.moments + static_cast<std::size_t>(blockIdx.x) * task.stride;
#pragma unroll
  for (int q = 0; q < most; ++q) {
    const int h = static_cast<int>(threadIdx.x) + q * threads;
    if (h < count) to[h] = sums[q];
  }
}

/// Moments of all groups of a site together.
__global__ void __launch_bounds__(threads)
    whole_kernel(const __grid_constant__ SumTask task, unsigned site0, unsigned groups, double* whole) {
  const SiteOnDevice& site = task.sites[site0 + blockIdx.x];
  const int count = hermite_count(static_cast<int>(site.order));
  double* const of_batch = task.moments + (static_cast<std::size_t>(groups) + blockIdx.x) * task.stride;
  double* const to = whole + static_cast<std::size_t>(site0 + blockIdx.x) * task.stride;
  for (int h = static_cast<int>(threadIdx.x); h < count; h += threads) {
    double sum = 0;
    for (unsigned g = 0; g < site.groups; ++g)
      sum += task.moments[static_cast<std::size_t>(site.first_group - task.group0 + g) * task.stride +
                          static_cast<unsigned>(h)];
    to[h] = sum;
    of_batch[h] = -sum;  // what the smooth Gaussians take away
  }
}

/// Sums of derivatives as harmonics of derivatives times powers of the Laplacian.
__global__ void __launch_bounds__(threads)
    harmonics_kernel(const __grid_constant__ SumTask task, unsigned site0, unsigned groups, const double* matrices) {
  __shared__ double from[most_powers];
  const unsigned site = blockIdx.x < groups ? task.groups[task.group0 + blockIdx.x].site : site0 + blockIdx.x - groups;
  const int order = static_cast<int>(task.sites[site].order), count = hermite_count(order);
  const std::size_t at = static_cast<std::size_t>(blockIdx.x) * task.stride;
  for (int h = static_cast<int>(threadIdx.x); h < count; h += threads) from[h] = task.moments[at + h];
  __syncthreads();
  for (int h = static_cast<int>(threadIdx.x); h < count; h += threads) {
    int degree = 0;
    while (hermite_count(degree) <= h) ++degree;
    const int begin = degree > 0 ? hermite_count(degree - 1) : 0, size = hermite_count(degree) - begin;
    const int row = h - begin;
    const double* matrix = matrices + matrix_first(degree) + row * size;
    double sum = 0;
    for (int p = 0; p < size; ++p) sum = fma(matrix[p], from[begin + p], sum);
    // Row: n by n, 2 l + 1 of each, l = degree - 2 n.
    int n = 0, k = row;
    while (k >= 2 * (degree - 2 * n) + 1) k -= 2 * (degree - 2 * n++) + 1;
    const int l = degree - 2 * n;
    task.harmonics[at + harmonic_first(order, n) + l * l + k] = sum;
  }
}

struct TableTask {
  const Group* groups;
  const SiteOnDevice* sites;
  unsigned stride, group0, batch_groups, site0;
  const double* harmonics;
  const double* boys;
  double exponent;   // of the mesh
  double step;       // between rows
  double threshold;  // hartree/e
  float* numbers;
  int* last;  // by site: the last row that is larger than the threshold
};

/// Functions of the distance of one group, in the order of harmonics_first() but one number an l:
/// d^l (1/r d/dr)^l Laplacian^n erf(sqrt(p) r) / r.
__device__ void radial_functions(const double* boys, double exponent, double r, int order, double* to) {
  double of[most_boys_order + 1] = {};
  scaled_boys<most_boys_order>(boys, exponent * r * r, exponent, order, of);
  const double factor = 2 * sqrt(exponent / pi), r2 = r * r;
#pragma unroll
  for (int n = 0; n <= most_boys_order; ++n) of[n] = n <= order ? factor * of[n] : 0.0;
  for (int n = 0; 2 * n <= order; ++n) {
    double power = 1;
#pragma unroll
    for (int l = 0; l <= most_site_order; ++l) {
      if (l <= order - 2 * n) {
        *to = power * of[l];
        to += table_rows;
      }
      power *= r;
    }
    // The Laplacian of (1/r d/dr)^l f is (2 l + 3) (1/r d/dr)^(l+1) f + r^2 (1/r d/dr)^(l+2) f.
#pragma unroll
    for (int l = 0; l + 2 <= most_boys_order; ++l)
      of[l] = fma(static_cast<double>(2 * l + 3), of[l + 1], r2 * of[l + 2]);
  }
}

__global__ void __launch_bounds__(threads) table_kernel(const __grid_constant__ TableTask task) {
  constexpr int functions = (most_site_order / 2 + 1) * (most_site_order / 2 + 1);
  constexpr int most = (most_harmonics + threads - 1) / threads;
  static_assert(table_rows * table_groups <= threads);
  __shared__ double radial[table_groups][functions * table_rows];
  __shared__ float sizes[threads / 32][table_rows];
  const unsigned s = task.site0 + blockIdx.x;
  const SiteOnDevice& site = task.sites[s];
  const unsigned row0 = blockIdx.y * table_rows;
  if (row0 >= site.rows) return;
  const int order = static_cast<int>(site.order), thread = static_cast<int>(threadIdx.x);
  double sums[most][table_rows] = {};
  int degree[most];
  for (int q = 0; q < most; ++q) {
    int l = 0;
    while (harmonic_count(l) <= thread + q * threads) ++l;
    degree[q] = l;
  }
  // The groups, and after them the Gaussian of the mesh.
  for (unsigned begin = 0; begin <= site.groups; begin += table_groups) {
    const unsigned count = min(site.groups + 1 - begin, static_cast<unsigned>(table_groups));
    __syncthreads();
    if (threadIdx.x < count * table_rows) {
      const unsigned g = threadIdx.x / table_rows, row = threadIdx.x % table_rows;
      const double exponent =
          begin + g < site.groups ? task.groups[site.first_group + begin + g].exponent : task.exponent;
      const double r = site.radius * expm1(task.step * (row0 + row));
      radial_functions(task.boys, exponent, r, order, &radial[g][row]);
    }
    __syncthreads();
    for (unsigned g = 0; g < count; ++g) {
      const std::size_t slot = begin + g < site.groups ? site.first_group - task.group0 + begin + g
                                                       : static_cast<std::size_t>(task.batch_groups) + (s - task.site0);
      const double* const harmonics = task.harmonics + slot * task.stride;
#pragma unroll
      for (int q = 0; q < most; ++q) {
        int first = 0, function = degree[q];
        for (int n = 0; degree[q] + 2 * n <= order; ++n) {
          const double factor = harmonics[first + thread + q * threads];
          const double* const of = &radial[g][function * table_rows];
#pragma unroll
          for (int row = 0; row < table_rows; ++row) sums[q][row] = fma(factor, of[row], sums[q][row]);
          first += harmonic_count(order - 2 * n);
          function += order - 2 * n + 1;
        }
      }
    }
  }
  float* const numbers = task.numbers + site.first;
#pragma unroll
  for (int q = 0; q < most; ++q) {
    const int l = degree[q];
    if (l > order) continue;
    const int k = thread + q * threads - l * l, m = (k + 1) / 2;
    const int place = harmonic_place(order, l, m, k > 0 && k % 2 == 0);
#pragma unroll
    for (int row = 0; row < table_rows; ++row) {
      if (row0 + row < site.rows)
        numbers[static_cast<std::size_t>(row0 + row) * 4 * site.pairs + place] = static_cast<float>(sums[q][row]);
    }
  }
#pragma unroll
  for (int row = 0; row < table_rows; ++row) {
    float size = 0;
#pragma unroll
    for (int q = 0; q < most; ++q) size += degree[q] <= order ? static_cast<float>(fabs(sums[q][row])) : 0.0f;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) size += __shfl_xor_sync(~0u, size, step);
    if (thread % 32 == 0) sizes[thread / 32][row] = size;
  }
  __syncthreads();
  if (thread < table_rows && row0 + thread < site.rows) {
    double size = 0;
    for (int w = 0; w < threads / 32; ++w) size += sizes[w][thread];
    const double r = site.radius * expm1(task.step * (row0 + thread));
    size += fabs(site.nucleus) * erfc(sqrt(task.exponent) * r) / fmax(r, 1e-30);
    if (size > task.threshold) atomicMax(task.last + s, static_cast<int>(row0) + thread);
  }
}

std::vector<double> all_matrices(int order) {
  std::vector<double> all;
  for (int degree = 0; degree <= order; ++degree) {
    static std::vector<double> kept[orders];
    static std::once_flag made[orders];
    std::call_once(made[degree], [&] { kept[degree] = harmonics_of_powers(degree); });
    all.insert(all.end(), kept[degree].begin(), kept[degree].end());
  }
  return all;
}

}  // namespace

std::vector<float2> harmonic_steps() {
  constexpr int width = most_site_order + 2;
  std::vector<float2> steps(orders * width, float2{0, 0});
  for (int m = 0; m < orders; ++m) {
    const double ratio = m < 2 ? 1 : std::sqrt((2.0 * m - 1) / (2.0 * m));
    steps[m * width + m] = {static_cast<float>(ratio), 0};
    for (int l = m + 1; l < width; ++l) {
      const double root = std::sqrt(static_cast<double>(l * l - m * m));
      steps[m * width + l] = {static_cast<float>((2 * l - 1) / root),
                              static_cast<float>(std::sqrt(static_cast<double>((l - 1) * (l - 1) - m * m)) / root)};
    }
  }
  return steps;
}

SiteTablesCuda site_tables_cuda(const HermiteDensity& density, DensityMeshPlan& plan, Stream& stream, Job& job) {
  const char* what = "density mesh: sites";
  SiteTablesCuda tables;
  std::vector<Group> groups;
  std::size_t numbers = 0;
  unsigned most_order = 0, most_rows = 0;
  for (const MeshSite& site : plan.sites) {
    SiteOnDevice to{};
    for (int axis = 0; axis < 3; ++axis) to.centre[axis] = site.centre[axis];
    to.radius = site_radius(site, plan.exponent);
    to.nucleus = static_cast<float>(site.nucleus);
    to.order = static_cast<unsigned>(site.order);
    to.rows = static_cast<unsigned>(site_rows(site, plan.exponent));
    to.pairs = static_cast<unsigned>(harmonic_pairs_before(site.order, site.order + 1));
    to.first = numbers;
    to.first_group = static_cast<unsigned>(groups.size());
    numbers += std::size_t{4} * to.rows * to.pairs;
    most_order = std::max(most_order, to.order);
    most_rows = std::max(most_rows, to.rows);
    for (std::uint32_t n = 0; n < site.count;) {
      const auto exponent_of = [&](std::uint32_t i) { return density.sources[plan.members[site.first + i]].exponent; };
      std::uint32_t end = n + 1;
      while (end < site.count && exponent_of(end) <= exponent_of(end - 1) * (1 + 1e-12)) ++end;
      groups.push_back(
          {exponent_of(end - 1), static_cast<unsigned>(tables.sites.size()), site.first + n, site.first + end});
      n = end;
    }
    to.groups = static_cast<unsigned>(groups.size()) - to.first_group;
    tables.sites.push_back(to);
  }
  tables.steps = DeviceArray<float2>::from_host(harmonic_steps(), stream, what);
  tables.numbers = DeviceArray<float>(numbers, stream, "tables about sites");
  if (plan.sites.empty()) return tables;
  cuda_check(cuda_api().set_bytes(tables.numbers.data(), 0, numbers * sizeof(float), stream.handle()), what);

  const auto sources = DeviceArray<HermiteSource>::from_host(density.sources, stream, "pairs of functions");
  const auto coefficients = DeviceArray<double>::from_host(density.coefficients, stream, "pairs of functions");
  const auto members = DeviceArray<unsigned>::from_host(plan.members, stream, "pairs of functions");
  const auto groups_there = DeviceArray<Group>::from_host(groups, stream, "pairs of functions");
  tables.on_device = DeviceArray<SiteOnDevice>::from_host(tables.sites, stream, "sites");
  const auto boys = DeviceArray<double>::from_host(boys_table(), stream, "table of the Boys function");
  const auto matrices =
      DeviceArray<double>::from_host(all_matrices(static_cast<int>(most_order)), stream, "matrices of harmonics");
  const auto stride = static_cast<unsigned>(hermite_count(static_cast<int>(most_order)));
  DeviceArray<double> whole(tables.sites.size() * stride, stream, "moments of sites");
  const std::vector<int> none(tables.sites.size(), -1);
  auto last = DeviceArray<int>::from_host(none, stream, "reaches of sites");

  for (std::size_t begin = 0; begin < tables.sites.size();) {
    job.check();
    const unsigned group0 = tables.sites[begin].first_group;
    std::size_t end = begin;
    unsigned batch = 0;  // groups
    while (end < tables.sites.size() && (end == begin || batch + tables.sites[end].groups <= batch_of_groups) &&
           end - begin < batch_of_groups)
      batch += tables.sites[end++].groups;
    const auto sites = static_cast<unsigned>(end - begin);
    const auto site0 = static_cast<unsigned>(begin);
    DeviceArray<double> moments(static_cast<std::size_t>(batch + sites) * stride, stream, "moments of sites");
    DeviceArray<double> harmonics(moments.size(), stream, "moments of sites");
    SumTask sum{};
    sum.sources = sources.data();
    sum.coefficients = coefficients.data();
    sum.members = members.data();
    sum.groups = groups_there.data();
    sum.sites = tables.on_device.data();
    sum.stride = stride;
    sum.group0 = group0;
    sum.moments = moments.data();
    sum.harmonics = harmonics.data();
    const CudaDim block{threads, 1, 1};
    launch("density mesh: moments", stream, moments_kernel, {batch, 1, 1}, block, sum);
    launch("density mesh: moments of sites", stream, whole_kernel, {sites, 1, 1}, block, sum, site0, batch,
           whole.data());
    launch("density mesh: harmonics", stream, harmonics_kernel, {batch + sites, 1, 1}, block, sum, site0, batch,
           matrices.data());
    TableTask task{};
    task.groups = groups_there.data();
    task.sites = tables.on_device.data();
    task.stride = stride;
    task.group0 = group0;
    task.batch_groups = batch;
    task.site0 = site0;
    task.harmonics = harmonics.data();
    task.boys = boys.data();
    task.exponent = plan.exponent;
    task.step = site_step;
    task.threshold = 0.02 * plan.accuracy;
    task.numbers = tables.numbers.data();
    task.last = last.data();
    launch("density mesh: tables", stream, table_kernel, {sites, (most_rows + table_rows - 1) / table_rows, 1}, block,
           task);
    stream.synchronize(what);
    job.progress(static_cast<double>(end) / static_cast<double>(tables.sites.size()), what);
    begin = end;
  }
  job.check();

  std::vector<double> moments = whole.copy_to_host();
  for (std::size_t s = 0; s < tables.sites.size(); ++s) moments[s * stride] += plan.sites[s].nucleus;
  add_site_sources(plan, moments.data(), stride);
  const std::vector<int> rows = last.copy_to_host();
  for (std::size_t s = 0; s < tables.sites.size(); ++s) {
    SiteOnDevice& site = tables.sites[s];
    const int row = std::min(rows[s] + 1, static_cast<int>(site.rows) - 1);
    site.reach = rows[s] < 0 ? 0.0f : static_cast<float>(site.radius * std::expm1(site_step * row));
  }
  tables.on_device = DeviceArray<SiteOnDevice>::from_host(tables.sites, stream, "sites");
  return tables;
}

}  // namespace isolume
