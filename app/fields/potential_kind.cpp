// The electrostatic potential as a field.
#include <cmath>

#include "app/fields/field_kind.h"
#include "app/fields/potential_field.h"

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
  return std::make_unique<PotentialKind>(request.field,
                                         plan_potential(request.field, *request.atoms, request.device, request.grid,
                                                        place ? &place->potential() : nullptr));
}

}  // namespace isolume
