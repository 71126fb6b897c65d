// The electrostatic potential as a field.
#include <cmath>

#include "app/fields/field_kind.h"
#include "app/fields/potential_field.h"

namespace isolume {
namespace {

class PotentialKind : public FieldKind {
 public:
  PotentialKind(const FieldRequest& request, FieldPlace* place)
      : request_(request), plan_(plan_potential(request, place ? &place->potential() : nullptr)) {
    grid_ = plan_.grid;
    workspace_ = plan_.bytes;
  }

  void describe(DeviceVolume& result) const override {
    result.name = "electrostatic potential";
    result.unit = "V";
  }

  void compute(DeviceVolume& result, FieldPlace& place, Job& job, Stream*) override {
    const MapError error = compute_potential(request_, plan_, result.values.span(), job, &place.potential());
    result.legend = potential_legend(request_.field, plan_, error);
    const double level = std::abs(shown_isovalue(request_.field));
    result.legend->lower = -level;
    result.legend->upper = level;
    result.legend->isosurfaces = true;
  }

 private:
  const FieldRequest& request_;
  PotentialPlan plan_;
};

}  // namespace

std::unique_ptr<FieldKind> potential_kind(const FieldRequest& request, Job&, FieldPlace* place) {
  return std::make_unique<PotentialKind>(request, place);
}

}  // namespace isolume
