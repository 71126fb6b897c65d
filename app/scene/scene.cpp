// The usual values of fields.
#include "app/scene/scene.h"

namespace isolume {

double usual_isovalue(Field::Kind kind) {
  switch (kind) {
    case Field::Kind::gaussian:
      return 0.5;
    case Field::Kind::orbital:
      return 0.05;
    case Field::Kind::potential:
      return 0.5;
    case Field::Kind::volume:
      return 0.05;
  }
  return 0.5;
}

double effective_isovalue(const Field& field) {
  return field.isovalue != 0 ? field.isovalue : usual_isovalue(field.kind);
}

}  // namespace isolume
