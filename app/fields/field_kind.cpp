// The kinds of fields: the table of those that the scene names.
#include "app/fields/field_kind.h"

#include <array>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using MakeKind = std::unique_ptr<FieldKind> (*)(const FieldRequest&, Job&, FieldPlace*);
constexpr std::array<std::pair<Field::Kind, MakeKind>, 8> kinds{{
    {Field::Kind::gaussian, gaussian_kind},
    {Field::Kind::orbital, orbital_kind},
    {Field::Kind::potential, potential_kind},
    {Field::Kind::volume, volume_kind},
    {Field::Kind::solvent_excluded, solvent_kind},
    {Field::Kind::solvent_accessible, solvent_kind},
    {Field::Kind::cavities, solvent_kind},
    {Field::Kind::contacts, contact_kind},
}};

}  // namespace

std::unique_ptr<FieldKind> field_kind(const FieldRequest& request, Job& job, FieldPlace* place) {
  for (const auto& [kind, make] : kinds)
    if (kind == request.field.kind) return make(request, job, place);
  throw Error("a field of no kind");
}

bool coloured_by_atoms(const Field& field) {
  return wraps_atoms(field.kind) && field.paint == Field::Paint::atoms && field.colouring != Colouring::uniform;
}

}  // namespace isolume
