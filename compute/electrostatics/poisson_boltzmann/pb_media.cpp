// What the solute and the solvent are at every node, where they are not the same everywhere.
#include "compute/electrostatics/poisson_boltzmann/pb_media.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/coulomb_sum/coulomb_sum.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

namespace isolume {

PbSlab::PbSlab(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& o, Job& job)
    : lower_(o.membrane->centre - o.membrane->thickness / 2), upper_(o.membrane->centre + o.membrane->thickness / 2) {
  if (!o.membrane->pore) {
    find_enclosed(atoms, o, job);
    return;
  }
  radius_ = *o.membrane->pore;
  if (o.membrane->pore_centre) {
    axis_ = *o.membrane->pore_centre;
    return;
  }
  std::size_t count = 0;
  for (const ChargedSphere& atom : atoms) {
    const glm::dvec3 at(atom.position);
    if (at.z < lower_ || at.z > upper_) continue;
    axis_ += glm::dvec2(at.x, at.y);
    ++count;
  }
  if (count > 0) axis_ /= static_cast<double>(count);
}

/// In every plane, what is outside of the solute and not connected with the border of the plane.
void PbSlab::find_enclosed(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& o, Job& job) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& atom : atoms) {
    const glm::dvec3 at(atom.position);
    if (at.z < lower_ - 5 || at.z > upper_ + 5) continue;
    lower = glm::min(lower, at - double{atom.radius});
    upper = glm::max(upper, at + double{atom.radius});
  }
  if (!(lower.x <= upper.x)) return;
  constexpr double finest = 0.5, most = 8e6;  // angstrom, points
  lower -= glm::dvec3(4, 4, 0);
  upper += glm::dvec3(4, 4, 0);
  lower.z = lower_;
  upper.z = upper_;
  const glm::dvec3 size = upper - lower;
  const double step = std::max(finest, std::cbrt(size.x * size.y * size.z / most));
  grid_ = Grid::covering(lower, upper, step);
  std::vector<float> depth(grid_.size());
  MolecularSurfaceOptions surface = pb_dielectric_surface(o);
  molecular_surface(pb_surface_atoms(atoms), grid_, surface, Span<float>(depth), {}, job);
  kinds_.assign(grid_.size(), Kind::water);
  const glm::ivec3 n = grid_.counts;
  const auto plane = static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y);
  parallel_for(static_cast<std::size_t>(n.z), job, "pore of the membrane", [&](std::size_t k) {
    Kind* const kinds = &kinds_[k * plane];
    for (std::size_t i = 0; i < plane; ++i)
      if (depth[k * plane + i] > 0) kinds[i] = Kind::solute;
    std::vector<std::size_t> open;
    const auto reach = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= n.x || y >= n.y) return;
      const std::size_t at = static_cast<std::size_t>(x) + static_cast<std::size_t>(n.x) * static_cast<std::size_t>(y);
      if (kinds[at] != Kind::water) return;
      kinds[at] = Kind::membrane;
      open.push_back(at);
    };
    for (int x = 0; x < n.x; ++x) {
      reach(x, 0);
      reach(x, n.y - 1);
    }
    for (int y = 0; y < n.y; ++y) {
      reach(0, y);
      reach(n.x - 1, y);
    }
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const int x = static_cast<int>(at % static_cast<std::size_t>(n.x));
      const int y = static_cast<int>(at / static_cast<std::size_t>(n.x));
      reach(x - 1, y);
      reach(x + 1, y);
      reach(x, y - 1);
      reach(x, y + 1);
    }
  });
}

bool PbSlab::holds(glm::dvec3 point) const {
  if (!(point.z > lower_ && point.z < upper_)) return false;
  if (radius_ > 0) return glm::distance(glm::dvec2(point.x, point.y), axis_) > radius_;
  if (kinds_.empty()) return true;
  const glm::dvec3 at = grid_.coordinates(point);
  const glm::ivec3 n = grid_.counts, place(glm::floor(at + 0.5));
  if (place.x < 0 || place.y < 0 || place.x >= n.x || place.y >= n.y) return true;
  const int z = std::clamp(place.z, 0, n.z - 1);
  const auto kind = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= n.x || y >= n.y) return Kind::membrane;
    return kinds_[static_cast<std::size_t>(x) +
                  static_cast<std::size_t>(n.x) *
                      (static_cast<std::size_t>(y) + static_cast<std::size_t>(n.y) * static_cast<std::size_t>(z))];
  };
  if (const Kind own = kind(place.x, place.y); own != Kind::solute) return own == Kind::membrane;
  // The point is just outside of the solute, the grid's nearest point just inside: what is around decides.
  int water = 0, membrane = 0;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      const Kind near = kind(place.x + x, place.y + y);
      water += near == Kind::water;
      membrane += near == Kind::membrane;
    }
  }
  return water <= membrane;
}

PbMediaMaker::PbMediaMaker(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options, Job& job)
    : atoms_(atoms), screened_(pb_screened(atoms, options)), permittivity_(options.solute_permittivity) {
  const PbExtent extent = pb_extent(atoms);
  const auto sum_of = [&](std::span<const ChargedSphere> charged) {
    return std::make_unique<CoulombSum>(pb_charges(charged), extent.lower, extent.upper, Device::cpu());
  };
  bare_sum_ = sum_of(atoms);
  if (!screened_.empty()) screened_sum_ = sum_of(screened_);
  if (!options.membrane) return;
  membrane_ = options.membrane->permittivity;
  slab_.emplace(atoms, options, job);
}

PbMediaMaker::~PbMediaMaker() = default;

PbMedia PbMediaMaker::make(const PbProblem& p, Job& job) const {
  PbMedia media;
  media.bare = bare_sum();
  media.screened = screened_sum();
  // Edges that the surface cuts end at most a step beyond it.
  const PbExtent extent = pb_extent(atoms_);
  for (CoulombSum* const sum : {media.bare, media.screened}) sum->expect(extent.lower - p.step, extent.upper + p.step);
  const auto layers = static_cast<std::size_t>(p.counts.z);
  if (slab_) {
    media.lower = slab_->lower();
    media.upper = slab_->upper();
    media.permittivity = membrane_;
    media.membrane.assign(p.size(), 0);
    media.share.assign(p.size(), 0.0f);
    parallel_for(layers, job, "membrane", [&](std::size_t k) {
      const std::size_t layer = p.size() / layers;
      const double z = p.origin.z + p.step.z * static_cast<double>(k), half = p.step.z / 2;
      const double height = std::min(z + half, media.upper) - std::max(z - half, media.lower);
      if (!(height > 0)) return;
      const double within = std::clamp(z, media.lower + 1e-6 * half, media.upper - 1e-6 * half);
      for (std::size_t i = k * layer; i < (k + 1) * layer; ++i) {
        glm::dvec3 place = p.point(i);
        place.z = within;
        if (!slab_->holds(place)) continue;
        media.share[i] = static_cast<float>(height / p.step.z);
        media.membrane[i] = z > media.lower && z < media.upper ? 1 : 0;
      }
    });
  }
  if (screened_.empty()) return media;
  media.solute.assign(p.size(), static_cast<float>(permittivity_));
  constexpr double around = 3;  // angstrom from a sphere that a point of the solute may be
  parallel_for(layers, job, "permittivities of the solute", [&](std::size_t k) {
    const std::size_t layer = p.size() / layers;
    std::vector<float> nearest(layer, 1e30f);
    const double z = p.origin.z + p.step.z * static_cast<double>(k);
    for (const ChargedSphere& atom : atoms_) {
      const glm::dvec3 centre(atom.position);
      const double reach = static_cast<double>(atom.radius) + around;
      if (std::abs(z - centre.z) > reach) continue;
      const glm::ivec3 from = glm::max(glm::ivec3(0), glm::ivec3(glm::ceil((centre - reach - p.origin) / p.step)));
      const glm::ivec3 to = glm::min(p.counts - 1, glm::ivec3(glm::floor((centre + reach - p.origin) / p.step)));
      for (int j = from.y; j <= to.y; ++j) {
        for (int i = from.x; i <= to.x; ++i) {
          const std::size_t node = p.index({i, j, static_cast<int>(k)});
          const auto outside = static_cast<float>(glm::distance(p.point(node), centre)) - atom.radius;
          if (outside >= nearest[node - k * layer]) continue;
          nearest[node - k * layer] = outside;
          media.solute[node] = atom.permittivity > 0 ? atom.permittivity : static_cast<float>(permittivity_);
        }
      }
    }
  });
  return media;
}

void PbMediaMaker::dielectric_depth(const PoissonBoltzmannOptions& options, const Grid& grid, Span<float> depth,
                                    Job& job) const {
  const MolecularSurfaceOptions surface = pb_dielectric_surface(options);
  if (surface.kind == SolventSurface::accessible) {
    molecular_surface(pb_surface_atoms(atoms_), grid, surface, depth, {}, job);
    return;
  }
  if (!arcs_) arcs_ = std::make_unique<SurfaceArcs>(pb_surface_atoms(atoms_), surface, job);
  arcs_->depth(grid, depth, job);
}

void pb_form(std::span<const ChargedSphere> atoms, const PbMediaMaker& media, const PbBox& box,
             const PoissonBoltzmannOptions& options, PbProblem& problem, Job& job) {
  problem.counts = box.counts;
  problem.origin = box.origin;
  problem.step = box.step;
  const std::vector<DensityAtom> spheres = pb_surface_atoms(atoms);
  const auto depth_below = [&](const MolecularSurfaceOptions& surface) {
    std::vector<float> depth(problem.size());
    molecular_surface(spheres, box.grid(), surface, Span<float>(depth), {}, job);
    return depth;
  };
  const bool product =
      options.boundary == DielectricBoundary::spline || options.boundary == DielectricBoundary::gaussian;
  std::vector<float> depth(product ? 0 : problem.size());
  if (!product) media.dielectric_depth(options, box.grid(), Span<float>(depth), job);
  const std::vector<float> ion_depth =
      options.ionic_strength() > 0 ? depth_below(pb_ion_surface(options)) : std::vector<float>();
  pb_discretise(atoms, media.screened(), media.make(problem, job), depth, ion_depth, options, problem, job);
}

bool pb_formed_by_host(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options) {
  return options.boundary == DielectricBoundary::spline || options.boundary == DielectricBoundary::gaussian ||
         options.membrane || !pb_screened(atoms, options).empty();
}

std::vector<ChargedSphere> pb_screened(std::span<const ChargedSphere> atoms, const PoissonBoltzmannOptions& options) {
  const auto usual = static_cast<float>(options.solute_permittivity);
  if (std::none_of(atoms.begin(), atoms.end(),
                   [usual](const ChargedSphere& a) { return a.permittivity > 0 && a.permittivity != usual; }))
    return {};
  std::vector<ChargedSphere> screened(atoms.begin(), atoms.end());
  for (ChargedSphere& atom : screened)
    if (atom.permittivity > 0) atom.charge *= usual / atom.permittivity;
  return screened;
}

}  // namespace isolume
