// The usual values of fields, and units of potentials.
#include "app/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "app/scene/density_name.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// As computed.
double usual_isovalue(const Field& field) {
  switch (field.kind) {
    case Field::Kind::gaussian:
      return 0.5;
    case Field::Kind::orbital:
      return field.orbital == electron_density_name ? 0.002 : field.orbital == spin_density_name ? 0.004 : 0.05;
    case Field::Kind::potential:
      return is_screened(field.potential.method) ? units::thermal_voltage(field.potential.temperature) : 0.5;
    case Field::Kind::volume:
      return 0.05;
    case Field::Kind::solvent_excluded:
    case Field::Kind::solvent_accessible:
    case Field::Kind::cavities:
      return 0;
    case Field::Kind::contacts:
      return 0.01;
  }
  return 0.5;
}

}  // namespace

double shown_factor(const Field& field) {
  return field.kind == Field::Kind::potential ? per_volt(field.potential) : 1;
}

bool wraps_atoms(Field::Kind kind) {
  return kind != Field::Kind::orbital && kind != Field::Kind::potential && kind != Field::Kind::volume &&
         kind != Field::Kind::contacts;
}

double effective_isovalue(const Field& field) {
  return field.isovalue != 0 ? field.isovalue / shown_factor(field) : usual_isovalue(field);
}

double shown_isovalue(const Field& field) {
  return field.isovalue != 0 ? field.isovalue : usual_isovalue(field) * shown_factor(field);
}

bool has_potential(const Field& field) {
  return field.kind == Field::Kind::potential || field.paint == Field::Paint::potential;
}

bool shows_difference(const Field& field) {
  if (field.minus.kind == Subtrahend::Kind::none) return false;
  return field.kind == Field::Kind::potential || field.kind == Field::Kind::volume ||
         field.paint == Field::Paint::potential || field.paint == Field::Paint::map;
}

void change_unit(Field& field, PotentialSettings::Unit unit) {
  const double before = per_volt(field.potential);
  field.potential.unit = unit;
  const double factor = per_volt(field.potential) / before;
  // Six digits: 5 kT/e through volts stays 5.
  const auto converted = [&](double value) {
    return std::strtod(fmt::format("{:.6g}", value * factor).c_str(), nullptr);
  };
  if (has_potential(field)) field.paint_range = converted(field.paint_range);
  if (field.kind != Field::Kind::potential) return;
  field.isovalue = converted(field.isovalue);
  field.cloud_range = converted(field.cloud_range);
}

bool in_vacuum(const PotentialSettings& settings) {
  return !is_screened(settings.method) && settings.medium == PotentialSettings::Medium::constant &&
         settings.dielectric == 1;
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

std::vector<TransferPoint> transfer_of(const Field& field) {
  std::vector<TransferPoint> points = field.transfer;
  if (points.empty()) {
    const auto point = [](float at, glm::u8vec4 colour, int alpha) {
      return TransferPoint{at, glm::u8vec4(glm::u8vec3(colour), alpha)};
    };
    const glm::u8vec4 plus = field.colour, minus = field.negative_colour;
    // Opacities are per angstrom: an orbital's lobe is some angstrom thick, a potential reaches over tens of them.
    const bool deep = field.kind == Field::Kind::potential;
    const float clear = deep ? 0.33f : 0.1f, faint = deep ? 0.66f : 0.33f;
    const int little = deep ? 10 : 25, much = deep ? 100 : 150;
    if (field.both_signs)
      points = {point(-1, minus, much), point(-faint, minus, little), point(-clear, minus, 0),
                point(clear, plus, 0),  point(faint, plus, little),   point(1, plus, much)};
    else
      points = {point(clear, plus, 0), point(faint, plus, little), point(1, plus, much)};
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const TransferPoint& a, const TransferPoint& b) { return a.at < b.at; });
  return points;
}

double effective_cloud_range(const Field& field) {
  if (field.cloud_range > 0) return field.cloud_range / shown_factor(field);
  return std::max(3 * std::abs(effective_isovalue(field)), 1e-30);
}

bool repeats_volume(const Field& field) {
  return field.kind == Field::Kind::volume && field.repeat != glm::ivec3(0);
}

std::vector<glm::vec3> image_shifts(const SceneMolecule& molecule, const Cell& cell) {
  std::vector<glm::vec3> shifts;
  if (!cell.exists()) return {glm::vec3(0)};
  const glm::ivec3 count = glm::clamp(molecule.images, glm::ivec3(1), glm::ivec3(9));
  const glm::ivec3 first = -(count - 1) / 2;
  for (int k = first.z; k < first.z + count.z; ++k)
    for (int j = first.y; j < first.y + count.y; ++j)
      for (int i = first.x; i < first.x + count.x; ++i) shifts.emplace_back(cell.vectors * glm::dvec3(i, j, k));
  return shifts;
}

}  // namespace isolume
