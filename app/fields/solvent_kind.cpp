// Surfaces that a probe makes, and the cavities between them, as fields.
#include <algorithm>

#include "app/fields/field_atoms.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_kind.h"
#include "app/fields/solvent_surface.h"
#include "compute/density/periodic_images.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

class SolventKind : public FieldKind {
 public:
  SolventKind(const Field& field, const FieldAtoms& of, const std::optional<Grid>& grid, Device device)
      : field_(field) {
    if (field.periodic && field.kind == Field::Kind::cavities)
      throw Error("cavities are found by what is connected to the outside, which a periodic system has not",
                  Error::Kind::usage);
    // An atom's ball and the probe that touches it; the spacing is a few angstrom at most.
    atoms_ = atoms_and_images(field, of, 1, 2 * field.probe_radius + 4 * std::max(1.5, field.spacing));
    grid_ = grid ? *grid : solvent_grid(field, atoms_);
    if (field.periodic && !grid) {
      const Cell& cell = of.frame.cell;
      grid_ = period_grid(cell, spacing_of(field, period_grid(cell, 1.0), 3e6, 0.3, 1.5));
    }
    workspace_ = solvent_memory(field, atoms_, grid_, device);
  }

  void describe(DeviceVolume& result) const override {
    const Field::Kind kind = field_.kind;
    const bool excluded = kind == Field::Kind::solvent_excluded;
    // What a probe of no size cannot enter is within the atoms' own spheres.
    result.name = excluded && field_.probe_radius <= 0      ? "van der Waals surface"
                  : excluded                                ? "solvent-excluded surface"
                  : kind == Field::Kind::solvent_accessible ? "solvent-accessible surface"
                                                            : "cavities and pockets";
    result.unit = "angstrom";
  }

  void compute(DeviceVolume& result, FieldPlace&, Job& job, Stream*) override {
    compute_solvent(field_, atoms_, result, job);
  }

 private:
  const Field& field_;
  std::vector<DensityAtom> atoms_;
};

}  // namespace

std::unique_ptr<FieldKind> solvent_kind(const FieldRequest& request, Job&, FieldPlace*) {
  return std::make_unique<SolventKind>(request.field, *request.atoms, request.grid, request.device);
}

}  // namespace isolume
