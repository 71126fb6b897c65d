// Gaussian density of atoms as a field.
#include "app/fields/field_atoms.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_kind.h"
#include "app/fields/potential_paint.h"
#include "app/fields/volume_layers.h"
#include "compute/base/timing.h"
#include "compute/density/gaussian_density.h"
#include "compute/density/periodic_images.h"

namespace isolume {
namespace {

class GaussianKind : public FieldKind {
 public:
  GaussianKind(const Field& field, const FieldAtoms& of, const std::optional<Grid>& grid, Device device,
               FieldPlace* place)
      : field_(field), device_(device) {
    atoms_ = atoms_and_images(field, of, double{gaussian_options(field).cutoff_sigmas} * double{field.radius_scale}, 0,
                              place ? place->take_atoms() : std::vector<DensityAtom>());
    grid_ = grid ? *grid : gaussian_grid(field, of, atoms_);
    workspace_ = gaussian_density_memory(atoms_.size(), grid_, device);
  }

  void describe(DeviceVolume& result) const override { result.name = "Gaussian density"; }

  bool has_layers() const override { return true; }
  std::size_t layers_workspace(int layers) const override {
    return DensityAtoms::memory(atoms_.size()) + gaussian_density_memory(atoms_.size(), grid_, device_, layers);
  }
  LayerSource layers(Device device) const override {
    return layers_of_density(atoms_, grid_, gaussian_options(field_), device);
  }
  std::function<double(glm::dvec3)> exact() const override {
    constexpr std::size_t quick = 1'000'000;  // atoms, whose sum takes milliseconds
    if (atoms_.size() > quick) return {};
    return [this](glm::dvec3 point) {
      double density = 0;
      const Grid at{point, glm::dmat3(1), glm::ivec3(1)};
      gaussian_density_reference(atoms_, at, gaussian_options(field_), std::span(&density, 1), {});
      return density;
    };
  }

  void compute(DeviceVolume& result, FieldPlace& place, Job& job, Stream*) override {
    const PhaseTimer timer("field: surface density");
    GaussianDensityOptions options = gaussian_options(field_);
    options.coloured_surface = static_cast<float>(effective_isovalue(field_));
    if (device_.is_cuda() && painted_by_potential(field_)) {
      // Its charges are made ready meanwhile.
      making_.emplace(device_);
      start_gaussian_density(place.atoms(atoms_, job, &*making_), grid_, options, result.values.span(),
                             result.colours.span(), *making_, job, place.workspace());
    } else {
      gaussian_density(place.atoms(atoms_, job), grid_, options, result.values.span(), result.colours.span(), job,
                       place.workspace());
    }
    place.keep_atoms(std::move(atoms_));
  }
  Stream* making() override { return making_ ? &*making_ : nullptr; }
  void finish(FieldPlace& place) override {
    if (making_) finish_gaussian_density(place.workspace());
  }

 private:
  const Field& field_;
  Device device_;
  std::vector<DensityAtom> atoms_;
  std::optional<Stream> making_;  // after the data made in it: waited for before that is freed
};

}  // namespace

std::unique_ptr<FieldKind> gaussian_kind(const FieldRequest& request, Job&, FieldPlace* place) {
  return std::make_unique<GaussianKind>(request.field, *request.atoms, request.grid, request.device, place);
}

}  // namespace isolume
