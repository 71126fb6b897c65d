// The usual values of fields, and units of potentials.
#include "app/scene/scene.h"

#include <iterator>

#include "molecule/units.h"

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
    case Field::Kind::solvent_excluded:
    case Field::Kind::solvent_accessible:
    case Field::Kind::cavities:
      return 0;
  }
  return 0.5;
}

bool wraps_atoms(Field::Kind kind) {
  return kind != Field::Kind::orbital && kind != Field::Kind::potential && kind != Field::Kind::volume;
}

double effective_isovalue(const Field& field) {
  return field.isovalue != 0 ? field.isovalue : usual_isovalue(field.kind);
}

const char* name(PotentialSettings::Unit unit) {
  switch (unit) {
    case PotentialSettings::Unit::volt:
      return "V";
    case PotentialSettings::Unit::thermal:
      return "kT/e";
    case PotentialSettings::Unit::kcal:
      return "kcal/mol/e";
  }
  return "V";
}

double per_volt(const PotentialSettings& settings) {
  switch (settings.unit) {
    case PotentialSettings::Unit::volt:
      return 1;
    case PotentialSettings::Unit::thermal:
      return 1 / units::thermal_voltage(settings.temperature);
    case PotentialSettings::Unit::kcal:
      return units::ev_in_kcal_per_mol;
  }
  return 1;
}

std::pair<glm::u8vec4, glm::u8vec4> phase_colours(std::size_t n) {
  constexpr glm::u8vec4 phases[][2] = {{{0, 114, 178, 255}, {213, 94, 0, 255}},
                                       {{0, 158, 115, 255}, {204, 121, 167, 255}},
                                       {{86, 180, 233, 255}, {230, 159, 0, 255}}};
  const auto& pair = phases[n % std::size(phases)];
  return {pair[0], pair[1]};
}

}  // namespace isolume
