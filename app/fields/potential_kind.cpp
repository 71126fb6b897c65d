// The electrostatic potential as a field.
#include <cmath>

#include "app/fields/difference.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_kind.h"
#include "app/fields/potential_field.h"
#include "app/fields/potential_settings.h"

namespace isolume {
namespace {

class PotentialKind : public FieldKind {
 public:
  PotentialKind(const Field& field, PotentialPlan plan) : field_(field), plan_(std::move(plan)) {
    grid_ = plan_.grid;
    workspace_ = plan_.bytes;
  }

  void describe(DeviceVolume& result) const override {
    result.name = "electrostatic potential";
    result.unit = "V";
  }

  void compute(DeviceVolume& result, FieldPlace& place, Job& job, Stream*) override {
    const MapError error = compute_potential(plan_, result.values.span(), job, &place.potential());
    result.legend = potential_legend(field_, plan_, error);
    const double level = std::abs(shown_isovalue(field_));
    result.legend->lower = -level;
    result.legend->upper = level;
    result.legend->isosurfaces = true;
  }

 private:
  const Field& field_;
  PotentialPlan plan_;
};

}  // namespace

std::unique_ptr<FieldKind> potential_kind(const FieldRequest& request, Job&, FieldPlace* place) {
  const Field& field = request.field;
  std::optional<Grid> grid = request.grid;
  if (!grid && values_differ(field)) {
    const FieldAtoms& atoms = *request.atoms;
    const Grid own = potential_map_grid(field, charged_spheres(atoms), atoms.origin,
                                        basic_options(field.potential, atoms.frame.cell));
    grid = grid_of_difference(request, own);
  }
  return std::make_unique<PotentialKind>(
      field, plan_potential(field, *request.atoms, request.device, grid, place ? &place->potential() : nullptr));
}

}  // namespace isolume
