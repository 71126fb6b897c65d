// The scalar field of a request: which atoms or orbital, and the call that computes it.
#include "app/fields/device_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/documents/titles.h"
#include "app/fields/field_atoms.h"
#include "app/fields/field_fit.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_memory.h"
#include "app/fields/legend.h"
#include "app/fields/orbital_identity.h"
#include "app/fields/potential_field.h"
#include "app/fields/potential_paint.h"
#include "app/fields/slice_field.h"
#include "app/fields/solvent_surface.h"
#include "app/fields/surface_paint.h"
#include "app/fields/volume_layers.h"
#include "compute/base/timing.h"
#include "compute/density/gaussian_density.h"
#include "compute/density/periodic_images.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

bool coloured(const Field& field) {
  return wraps_atoms(field.kind) && field.paint == Field::Paint::atoms && field.colouring != Colouring::uniform;
}

const Volume& volume_of(const FieldRequest& request) {
  const auto& volumes = request.molecule->volumes;
  if (request.field.volume >= volumes.size())
    throw Error(fmt::format("volume {}: the file has {}", request.field.volume,
                            volumes.empty() ? "none" : fmt::format("0 to {}", volumes.size() - 1)),
                Error::Kind::usage);
  return *volumes[request.field.volume];
}

// What a request comes to: its grid, its inputs and its bytes.
struct Prepared {
  FieldPlan plan;
  std::vector<DensityAtom> atoms;
  PotentialPlan potential;
  FoundOrbital orbital;
  const Volume* volume = nullptr;
  std::optional<SlabVolume> slabs;
};

/// Where the whole does not fit, and layer by layer does: how many layers at a time.
void plan_slabs(const FieldRequest& request, Prepared& p) {
  const bool gaussian = request.field.kind == Field::Kind::gaussian;
  if (painted_by_potential(request.field) || painted_by_curvature(request.field) || painted_by_map(request.field))
    return;
  if (!gaussian && request.field.kind != Field::Kind::volume) return;
  const std::size_t available = available_memory(request.device);
  const Grid& grid = p.plan.grid;
  if (p.plan.bytes + marching_cubes_memory(grid, request.device) <= available || grid.size() == 0) return;
  SlabVolume slabs;
  slabs.grid = grid;
  slabs.device = request.device;
  slabs.coloured = coloured(request.field);
  const auto workspace = [&](int layers) {
    return gaussian ? DensityAtoms::memory(p.atoms.size()) +
                          gaussian_density_memory(p.atoms.size(), grid, request.device, layers)
                    : std::size_t{0};
  };
  const int layers = layers_that_fit(slabs, available, workspace);
  if (layers == 0 || layers >= grid.counts.z) return;
  p.plan.layers = slabs.layers = layers;
  p.plan.bytes = workspace(layers) +
                 slab_memory(grid, request.device, layers, slabs.element, slabs.coloured, slabs.colour_element);
  p.slabs = std::move(slabs);
}

Prepared prepare(const FieldRequest& request, Job& job, FieldPlace* place = nullptr) {
  Prepared p;
  std::size_t workspace = 0;
  if (request.field.periodic && request.field.kind == Field::Kind::cavities)
    throw Error("cavities are found by what is connected to the outside, which a periodic system has not",
                Error::Kind::usage);
  switch (request.field.kind) {
    case Field::Kind::gaussian:
      p.atoms = atoms_and_images(
          request, double{gaussian_options(request.field).cutoff_sigmas} * double{request.field.radius_scale}, 0,
          place ? place->take_atoms() : std::vector<DensityAtom>());
      p.plan.grid = gaussian_grid(request, p.atoms);
      workspace = gaussian_density_memory(p.atoms.size(), p.plan.grid, request.device);
      break;
    case Field::Kind::solvent_excluded:
    case Field::Kind::solvent_accessible:
    case Field::Kind::cavities:
      // An atom's ball and the probe that touches it; the spacing is a few angstrom at most.
      p.atoms = atoms_and_images(request, 1, 2 * request.field.probe_radius + 4 * std::max(1.5, request.field.spacing));
      p.plan.grid = request.field.periodic && !request.grid
                        ? period_grid(cell_of(request),
                                      spacing_of(request.field, period_grid(cell_of(request), 1.0), 3e6, 0.3, 1.5))
                        : solvent_grid(request, p.atoms);
      workspace = solvent_memory(request, p.atoms, p.plan.grid);
      break;
    case Field::Kind::orbital:
      p.orbital = find_orbital(request.molecule, request.field, request.frame, job);
      p.plan.grid = orbital_field_grid(request, *p.orbital.orbitals, p.orbital.which);
      workspace = orbital_memory(*p.orbital.orbitals, p.plan.grid, request.device);
      break;
    case Field::Kind::potential:
      p.potential = plan_potential(request, place ? &place->potential() : nullptr);
      p.plan.grid = p.potential.grid;
      workspace = p.potential.bytes;
      break;
    case Field::Kind::volume:
      p.volume = &volume_of(request);
      p.plan.grid = p.volume->grid;
      break;
  }
  if (painted_by_potential(request.field)) require_charges(request);
  if (painted_by_potential(request.field) || painted_by_curvature(request.field) || painted_by_map(request.field))
    workspace += p.plan.grid.size() * sizeof(float);
  const std::size_t per_point = sizeof(float) + (coloured(request.field) ? sizeof(glm::u8vec4) : 0);
  p.plan.bytes = workspace + p.plan.grid.size() * per_point;
  plan_slabs(request, p);
  return p;
}

std::string orbital_name(const Orbitals& orbitals, const Field& field, std::size_t which) {
  const std::size_t count = orbitals.count(field.spin);
  std::size_t number = which + 1;  // within its spin
  for (std::size_t n = 0; n < count; ++n)
    if (orbitals.index_of(field.spin, n) == which) number = n + 1;
  const char* spin = !orbitals.unrestricted ? "" : field.spin == Spin::alpha ? ", alpha" : ", beta";
  return fmt::format("{} ({} of {}{})", orbitals.role(which), number, count, spin);
}

}  // namespace

bool shows_nothing(const FieldRequest& request) {
  if (!request.molecule || request.field.kind != Field::Kind::orbital || request.molecule->orbitals.empty())
    return false;
  const Molecule& molecule = *request.molecule;
  return !molecule.orbitals_at(std::min(request.frame, molecule.orbitals.size() - 1));
}

namespace {

/// The request with its atoms, which are read and chosen once for all that follows.
FieldRequest with_atoms(FieldRequest request, FieldPlace* place) {
  if (!request.molecule) throw Error("a field of no molecule");
  if (needs_atoms(request.field))
    request.atoms = place ? field_atoms(request, &place->chosen(), &place->ahead()) : field_atoms(request);
  return request;
}

}  // namespace

FieldPlan plan_field(const FieldRequest& request) {
  Job job;
  return prepare(with_atoms(request, nullptr), job).plan;
}

namespace {

/// What the surfaces of a volume mean, without colours: these are the field's (legend_of).
FieldLegend isosurface_legend(const DeviceVolume& volume, double level) {
  FieldLegend legend;
  legend.title = volume.name;
  legend.unit = volume.unit;
  legend.lower = -level;
  legend.upper = level;
  legend.isosurfaces = true;
  return legend;
}

}  // namespace

DeviceVolume compute_on_device(const FieldRequest& asked, Job& job, FieldMemory* memory, Stream* stream) {
  FieldMemory own;
  FieldPlace& place = (memory ? *memory : own).of(asked.field_index, asked.device);
  const FieldRequest request = with_atoms(asked, memory ? &place : nullptr);
  std::optional<PhaseTimer> timer(std::in_place, "field: planning");
  Prepared p = prepare(request, job, &place);
  timer.reset();
  job.check();
  const Field& field = request.field;
  const Grid& grid = p.plan.grid;
  DeviceVolume result;
  result.grid = grid;
  result.predicted_bytes = p.plan.bytes;
  switch (field.kind) {
    case Field::Kind::gaussian:
      result.name = "Gaussian density";
      break;
    case Field::Kind::solvent_excluded:
    case Field::Kind::solvent_accessible:
    case Field::Kind::cavities:
      result.name = field.kind == Field::Kind::solvent_excluded     ? "solvent-excluded surface"
                    : field.kind == Field::Kind::solvent_accessible ? "solvent-accessible surface"
                                                                    : "cavities and pockets";
      result.unit = "angstrom";
      break;
    case Field::Kind::orbital:
      result.name = orbital_name(*p.orbital.orbitals, field, p.orbital.which);
      result.unit = "bohr^-3/2";
      result.sign = p.orbital.sign;
      result.orbital = ShownOrbital{p.orbital.which, 0, 0, p.orbital.followed, p.orbital.overlap, p.orbital.weak};
      break;
    case Field::Kind::potential:
      result.name = "electrostatic potential";
      result.unit = "V";
      break;
    case Field::Kind::volume:
      result.name = volume_title(*request.molecule, request.field.volume);
      result.unit = p.volume->unit;
      result.legend = isosurface_legend(result, std::abs(effective_isovalue(field)));
      if (p.slabs) {
        result.slabs = std::move(p.slabs);
        result.slabs->source = layers_of_volume(request.molecule, *p.volume);
        return result;
      }
      result.values = DeviceArray<float>::from_host(p.volume->values, request.device, "volume");
      if (painted_by_potential(field)) paint_by_potential(request, result, job, place);
      if (painted_by_map(field)) paint_by_map(request, result, job, place);
      return result;
  }
  if (wraps_atoms(field.kind) && request.atoms && request.atoms->chosen->key)
    result.legend = legend_of(*request.atoms->chosen->key);
  require_memory_of_grid(p.plan.bytes, request.device, result.name, grid);
  if (p.slabs) {
    result.slabs = std::move(p.slabs);
    result.slabs->source = layers_of_density(p.atoms, grid, gaussian_options(field), request.device);
    return result;
  }
  result.values = place.values(grid.size());
  std::optional<Stream> making;  // after what is made in it: waited for before that goes
  if (coloured(field)) result.colours = place.colours(grid.size());
  if (field.kind == Field::Kind::gaussian) {
    const PhaseTimer timer("field: surface density");
    GaussianDensityOptions options = gaussian_options(field);
    options.coloured_surface = static_cast<float>(effective_isovalue(field));
    if (request.device.is_cuda() && painted_by_potential(field)) {
      // Its charges are made ready meanwhile.
      making.emplace(request.device);
      start_gaussian_density(place.atoms(p.atoms, job, &*making), grid, options, result.values.span(),
                             result.colours.span(), *making, job, place.workspace());
    } else {
      gaussian_density(place.atoms(p.atoms, job), grid, options, result.values.span(), result.colours.span(), job,
                       place.workspace());
    }
    place.keep_atoms(std::move(p.atoms));
  } else if (made_by_probe(field.kind)) {
    compute_solvent(request, p.atoms, result, job);
  } else if (field.kind == Field::Kind::orbital) {
    OrbitalOptions options;
    if (request.preview || request.coarsening > 1) options.accuracy = OrbitalAccuracy::preview;
    const PhaseTimer timer("orbital: values");
    if (stream) {
      start_orbital(*p.orbital.orbitals, p.orbital.which, grid, result.values.span(), *stream, job, options);
    } else {
      orbital(*p.orbital.orbitals, p.orbital.which, grid, result.values.span(), job, options);
    }
  } else {
    PotentialPlan plan = std::move(p.potential);
    const MapError error = compute_potential(request, plan, result.values.span(), job, &place.potential());
    result.legend = potential_legend(field, plan, error);
    const double level = std::abs(shown_isovalue(field));
    result.legend->lower = -level;
    result.legend->upper = level;
    result.legend->isosurfaces = true;
  }
  if (painted_by_potential(field)) paint_by_potential(request, result, job, place, making ? &*making : nullptr);
  if (making) finish_gaussian_density(place.workspace());
  if (painted_by_curvature(field)) paint_by_curvature(request, result, job);
  if (painted_by_map(field)) paint_by_map(request, result, job, place);
  return result;
}

ComputedVolume compute_volume(const FieldRequest& request, Job& job) {
  const DeviceVolume volume = compute_on_device(request, job);
  ComputedVolume result{volume.grid, volume.host_values(job), volume.name, volume.unit};
  if (volume.sign < 0) {
    for (float& value : result.values) value = -value;
  }
  return result;
}

}  // namespace isolume
