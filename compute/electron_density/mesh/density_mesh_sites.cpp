// The short-ranged part of a density's potential: translations of Hermite Gaussians, and tables of their radial parts.
#include "compute/electron_density/mesh/density_mesh_sites.h"

#include <array>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/boys_function.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr int orders = most_site_order + 1;
constexpr std::size_t most_powers = hermite_count(most_site_order);
using Moments = std::array<double, most_powers>;
/// d^t/dx^t d^u/dy^u d^v/dz^v f(r) = sum over m of x^i y^j z^k D^(i+j+k+m) f, D = (1/r) d/dr, 2m = t+u+v-i-j-k.
using Radial = std::array<Moments, most_site_order / 2 + 1>;

struct Powers {
  std::vector<glm::ivec3> all = hermite_powers(most_site_order);
  std::array<int, orders * orders * orders> place{};
  std::array<std::array<double, orders>, orders> of_derivative{};  ///< [t][i]: t! / (i! n! 2^n), 2n = t - i

  Powers() {
    for (std::size_t n = 0; n < all.size(); ++n) place[key(all[n].x, all[n].y, all[n].z)] = static_cast<int>(n);
    for (int t = 0; t < orders; ++t) {
      for (int i = t; i >= 0; i -= 2) {
        const int n = (t - i) / 2;
        of_derivative[static_cast<std::size_t>(t)][static_cast<std::size_t>(i)] =
            std::tgamma(t + 1) / (std::tgamma(i + 1) * std::tgamma(n + 1) * std::exp2(n));
      }
    }
  }
  static std::size_t key(int t, int u, int v) { return static_cast<std::size_t>((t * orders + u) * orders + v); }
  std::size_t at(int t, int u, int v) const { return static_cast<std::size_t>(place[key(t, u, v)]); }
  static const Powers& get() {
    static const Powers powers;
    return powers;
  }
};

/// Adds the moments of a source about a site: the derivatives with respect to its centre as a Taylor series.
void add_moments(const HermiteDensity& density, const HermiteSource& source, const MeshSite& site, Moments& moments) {
  const Powers& powers = Powers::get();
  const glm::dvec3 shift = source.centre - site.centre;
  const double factor = 0.5 * std::sqrt(units::pi / source.exponent);
  std::array<std::array<double, orders>, 3> steps;  // shift^n / n!
  for (int axis = 0; axis < 3; ++axis) {
    auto& of_axis = steps[static_cast<std::size_t>(axis)];
    of_axis[0] = 1;
    for (int n = 1; n <= site.order; ++n)
      of_axis[static_cast<std::size_t>(n)] = of_axis[static_cast<std::size_t>(n - 1)] * shift[axis] / n;
  }
  const bool here = shift == glm::dvec3(0.0);
  for (int h = 0; h < hermite_count(source.order); ++h) {
    const double q = factor * density.coefficients[source.first + static_cast<std::size_t>(h)];
    if (q == 0) continue;
    const glm::ivec3 p = powers.all[static_cast<std::size_t>(h)];
    const int room = here ? 0 : site.order - p.x - p.y - p.z;
    for (int i = 0; i <= room; ++i) {
      const double qx = q * steps[0][static_cast<std::size_t>(i)];
      for (int j = 0; i + j <= room; ++j) {
        const double qxy = qx * steps[1][static_cast<std::size_t>(j)];
        for (int k = 0; i + j + k <= room; ++k)
          moments[powers.at(p.x + i, p.y + j, p.z + k)] += qxy * steps[2][static_cast<std::size_t>(k)];
      }
    }
  }
}

void set_radial(const Moments& moments, int order, Radial& radial) {
  const Powers& powers = Powers::get();
  for (int m = 0; 2 * m <= order; ++m) radial[static_cast<std::size_t>(m)].fill(0);
  for (int h = 0; h < hermite_count(order); ++h) {
    const double q = moments[static_cast<std::size_t>(h)];
    if (q == 0) continue;
    const glm::ivec3 p = powers.all[static_cast<std::size_t>(h)];
    const auto& x = powers.of_derivative[static_cast<std::size_t>(p.x)];
    const auto& y = powers.of_derivative[static_cast<std::size_t>(p.y)];
    const auto& z = powers.of_derivative[static_cast<std::size_t>(p.z)];
    for (int i = p.x; i >= 0; i -= 2) {
      for (int j = p.y; j >= 0; j -= 2) {
        for (int k = p.z; k >= 0; k -= 2) {
          const auto m = static_cast<std::size_t>((p.x + p.y + p.z - i - j - k) / 2);
          radial[m][powers.at(i, j, k)] +=
              q * x[static_cast<std::size_t>(i)] * y[static_cast<std::size_t>(j)] * z[static_cast<std::size_t>(k)];
        }
      }
    }
  }
}

/// (1/r d/dr)^n erf(sqrt(exponent) r) / r, n = 0 ... order.
void radial_derivatives(double exponent, double r, int order, double* out) {
  boys_function(exponent * r * r, order, std::span(out, static_cast<std::size_t>(order) + 1));
  double factor = 2 * std::sqrt(exponent / units::pi);
  for (int n = 0; n <= order; ++n, factor *= -2 * exponent) out[n] *= factor;
}

/// Adds what sources of one exponent give in all rows.
void add_rows(const Radial& radial, const MeshSite& site, double exponent, double mesh_exponent, double r0,
              std::size_t rows, std::vector<double>& sums) {
  const auto count = static_cast<std::size_t>(hermite_count(site.order));
  for (std::size_t row = 0; row < rows; ++row) {
    const double r = r0 * std::expm1(site_step * static_cast<double>(row));
    double sharp[most_boys_order + 1], smooth[most_boys_order + 1];
    radial_derivatives(exponent, r, site.order, sharp);
    radial_derivatives(mesh_exponent, r, site.order, smooth);
    double* const to = sums.data() + row * count;
    double power = 1;
    for (int degree = 0; degree <= site.order; ++degree, power *= r) {
      const int begin = degree == 0 ? 0 : hermite_count(degree - 1), end = hermite_count(degree);
      for (int m = 0; degree + 2 * m <= site.order; ++m) {
        const double factor = power * (sharp[degree + m] - smooth[degree + m]);
        const double* const from = radial[static_cast<std::size_t>(m)].data();
        for (int h = begin; h < end; ++h) to[h] += factor * from[h];
      }
    }
  }
}

void fill(const HermiteDensity& density, const DensityMeshPlan& plan, const MeshSite& site, SiteTable& table,
          float* numbers, Moments& whole, const Job& job) {
  const auto count = static_cast<std::size_t>(hermite_count(site.order));
  std::vector<double> sums(table.rows * count, 0.0);
  Moments moments{};
  Radial radial;
  whole.fill(0);
  for (std::uint32_t n = 0; n < site.count; ++n) {
    const HermiteSource& source = density.sources[plan.members[site.first + n]];
    add_moments(density, source, site, moments);
    const bool last = n + 1 == site.count ||
                      density.sources[plan.members[site.first + n + 1]].exponent > source.exponent * (1 + 1e-12);
    if (!last) continue;
    job.check();
    set_radial(moments, site.order, radial);
    add_rows(radial, site, source.exponent, plan.exponent, table.radius, table.rows, sums);
    for (std::size_t h = 0; h < count; ++h) whole[h] += moments[h];
    moments.fill(0);
  }
  whole[0] += site.nucleus;
  table.reach = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double r = table.radius * std::expm1(site_step * static_cast<double>(row));
    const double nucleus = site.nucleus * std::erfc(std::sqrt(plan.exponent) * r);
    float* const to = numbers + row * table.width;
    double size = std::abs(nucleus) / std::max(r, 1e-30);
    for (std::size_t h = 0; h < count; ++h) {
      to[h] = static_cast<float>(sums[row * count + h]);
      size += std::abs(sums[row * count + h]);
    }
    to[count] = static_cast<float>(nucleus);
    std::fill(to + count + 1, to + table.width, 0.0f);
    if (size > 0.02 * plan.accuracy) {
      table.reach = table.radius * std::expm1(site_step * static_cast<double>(std::min(row + 1, table.rows - 1)));
    }
  }
}

}  // namespace

void add_site_sources(DensityMeshPlan& plan, const double* moments, std::size_t stride) {
  for (std::size_t s = 0; s < plan.sites.size(); ++s) {
    MeshSource source;
    source.centre = plan.sites[s].centre;
    source.exponent = kernel_exponent(plan.exponent);
    source.order = plan.sites[s].order;
    source.first = static_cast<std::uint32_t>(plan.coefficients.size());
    double size = 0;
    const double root = std::sqrt(2 * source.exponent);
    double factor = 1;  // root^degree sqrt(degree!)
    for (int degree = 0, h = 0; degree <= source.order; ++degree) {
      if (degree > 0) factor *= root * std::sqrt(static_cast<double>(degree));
      for (; h < hermite_count(degree); ++h) {
        const double q = moments[s * stride + static_cast<std::size_t>(h)];
        plan.coefficients.push_back(static_cast<float>(q));
        size += std::abs(q) * factor;
      }
    }
    source.reach =
        std::min(mesh_reach(source.exponent, source.order, 2 * std::sqrt(source.exponent) * size, 1e-3 * plan.accuracy),
                 mesh_reach(source.exponent, source.order, 1000, 1e-3 * plan.accuracy));
    plan.sources.push_back(source);
  }
}

SiteTables site_tables(const HermiteDensity& density, DensityMeshPlan& plan, Job& job) {
  SiteTables tables;
  std::size_t numbers = 0;
  for (const MeshSite& site : plan.sites) {
    SiteTable table;
    table.centre = site.centre;
    table.radius = site_radius(site, plan.exponent);
    table.order = site.order;
    table.rows = site_rows(site, plan.exponent);
    table.width = site_width(site.order);
    table.first = numbers;
    numbers += table.rows * table.width;
    tables.sites.push_back(table);
  }
  if (plan.sites.empty()) return tables;
  tables.numbers.resize(numbers);
  std::vector<Moments> moments(plan.sites.size());
  parallel_for(plan.sites.size(), job, "potential of the density: sites", [&](std::size_t s) {
    SiteTable& table = tables.sites[s];
    fill(density, plan, plan.sites[s], table, tables.numbers.data() + table.first, moments[s], job);
  });
  add_site_sources(plan, moments.front().data(), most_powers);
  return tables;
}

}  // namespace isolume
