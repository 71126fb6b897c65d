// Fields that show a difference.
#include "app/fields/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/documents/titles.h"
#include "app/fields/field_atoms.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_memory.h"
#include "app/fields/potential_paint.h"
#include "app/fields/potential_settings.h"
#include "app/fields/surface_paint.h"
#include "compute/analysis/volume_samples.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/map_comparison.h"
#include "compute/over_time/difference.h"
#include "compute/over_time/significance.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"

namespace isolume {

/// The potential that was taken off.
struct TakenPotential {
  MapError error;
  double total_charge = 0;
  std::string method;
  bool estimated = false;  ///< the error, as FieldLegend::error_estimated
};

namespace {

constexpr std::size_t surface_points = 4000;  ///< at which the size of a difference is measured

/// The field of the potential that is taken off, shown where the field itself is.
Field field_of_subtrahend(const Field& field) {
  Field other = field;
  other.molecule = field.minus.molecule;
  other.selection = field.minus.selection;
  other.potential = field.minus.potential;
  other.potential.unit = field.potential.unit;
  other.minus = {};
  return other;
}

/// The same as a field of its own: its atoms need no colours.
Field potential_of_subtrahend(const Field& field) {
  Field other = field_of_subtrahend(field);
  other.kind = Field::Kind::potential;
  other.paint = Field::Paint::atoms;
  return other;
}

bool of_map(const Field& field) {
  return field.minus.kind == Subtrahend::Kind::map;
}

const Volume& map_of(const FieldRequest& request) {
  return *request.minus.molecule->volumes[request.field.minus.volume];
}

std::string map_name(const FieldRequest& request) {
  return volume_title(*request.minus.molecule, request.field.minus.volume);
}

/// Volts for the unit of a map, 0 for one that is none of a potential; a map that names none has that of `settings`.
double volts_per_unit(const std::string& unit, PotentialSettings settings) {
  if (unit.empty()) return 1 / per_volt(settings);
  for (const auto known :
       {PotentialSettings::Unit::volt, PotentialSettings::Unit::thermal, PotentialSettings::Unit::kcal}) {
    settings.unit = known;
    if (unit == name(known)) return 1 / per_volt(settings);
  }
  return 0;
}

/// What the values of the map that is taken off are multiplied by, for values in `unit`. Throws Error (usage).
double factor_of_map(const FieldRequest& request, const std::string& unit) {
  const std::string& other = map_of(request).unit;
  if (unit == other) return 1;
  const PotentialSettings& settings = request.field.potential;
  const double own_volts = volts_per_unit(unit, settings), other_volts = volts_per_unit(other, settings);
  if (own_volts > 0 && other_volts > 0) return other_volts / own_volts;
  if (unit.empty() || other.empty()) return 1;  // one of them does not say
  throw Error(
      fmt::format("values in {} less the map {} in {}: these units have no difference", unit, map_name(request), other),
      Error::Kind::usage);
}

/// How many of a map's unit are a volt. Throws Error (usage).
double factor_of_potential(const FieldRequest& request, const std::string& unit) {
  const double volts = volts_per_unit(unit, request.field.minus.potential);
  if (volts > 0) return 1 / volts;
  throw Error(fmt::format("a map in {} less a potential: these units have no difference", unit), Error::Kind::usage);
}

/// Part of a title, cut where it is long.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 40;
  return text.size() > most ? fmt::format("{}...", std::string_view(text).substr(0, most)) : text;
}

/// "less that of apo.pqr, frame 3", "less apbs.dx".
std::string less_text(const FieldRequest& request) {
  const Field& field = request.field;
  const Subtrahend& minus = field.minus;
  if (of_map(field)) return "less " + map_name(request);
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += ", ";
    text += shortened(part);
  };
  const bool potential = field.kind == Field::Kind::potential || painted_by_potential(field);
  if (!potential || minus.molecule != field.molecule) add(file_title(request.minus.molecule->paths));
  if (!minus.charges.empty())
    add(minus.charges == "file" ? "the file's charges" : minus.charges.substr(minus.charges.find(':') + 1));
  if (minus.fixed) add(fmt::format("frame {}", request.minus.frame));
  if (!potential || minus.selection != field.selection) add(minus.selection);
  if (potential && minus.potential.method != field.potential.method) add(title(minus.potential.method));
  return potential ? "less that of " + (text.empty() ? "other settings" : text) : "less the potential of " + text;
}

bool same_charges(const std::vector<ChargedSphere>& a, const std::vector<ChargedSphere>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ChargedSphere& c, const ChargedSphere& d) {
    return c.position == d.position && c.charge == d.charge && c.radius == d.radius;
  });
}

/// @param factor  the unit of the legend in the unit of `rms`, and in a volt
/// @param rms     of the difference where the errors are
void describe(const FieldRequest& request, const TakenPotential* taken, double factor, double rms,
              const std::string& faded, FieldLegend& legend) {
  const bool potential = request.field.kind == Field::Kind::potential || painted_by_potential(request.field);
  legend.title = fmt::format("{} {}", potential ? "potential" : legend.title, less_text(request));
  if (taken) {
    if (legend.method.empty()) {
      legend.method = taken->method;
    } else if (legend.method != taken->method) {
      legend.method += " less " + taken->method;
    }
    // The two have nothing to do with each other.
    legend.error = std::hypot(legend.error, taken->error.rms * factor);
    legend.maximum_error += taken->error.max * factor;
    legend.error_points =
        legend.error_points > 0 ? std::min(legend.error_points, taken->error.points) : taken->error.points;
    legend.error_estimated = legend.error_estimated || taken->estimated;
    legend.total_charge = potential ? legend.total_charge - taken->total_charge : 0;
  }
  legend.near_relative_error = 0;
  legend.relative_error = rms > 0 ? legend.error / (rms * factor) : 0;  // of no difference nothing is a part
  const auto note = [&](const std::string& text) { legend.note += (legend.note.empty() ? "" : "; ") + text; };
  if (!faded.empty()) note(faded);
  if (!(rms > 0)) {
    note("no difference");
  } else if (legend.error_points > 0 && legend.relative_error >= 1) {
    note("not above the errors of the methods");
  }
}

/// Changes values in host memory, wherever they are.
template <class Change>
void change_on_host(DeviceArray<float>& values, DeviceVolume& volume, const Change& change) {
  const Device device = values.device();
  if (!device.is_cuda()) return change(std::span<float>(values.data(), values.size()));
  std::vector<float> host = values.copy_to_host();
  change(std::span<float>(host));
  copy_memory(values.data(), device, host.data(), Device::cpu(), host.size() * sizeof(float));
  volume.host_bytes += 2 * host.size() * sizeof(float);
}

/// Takes a map off values, `other_values(map)` being a map's values where these are, and fades the difference where
/// standard errors are given. Returns what the legend says of that; empty without errors.
template <class OtherValues>
std::string take_off_map(const FieldRequest& request, double factor, std::span<float> values,
                         const OtherValues& other_values, Job& job) {
  const std::vector<float> other = other_values(map_of(request));
  take_off({values.data(), values.size(), Device::cpu()}, {other.data(), other.size(), Device::cpu()}, factor, job);
  std::vector<float> own_error, error;
  if (request.minus.own_error) own_error = other_values(*request.minus.own_error);
  if (request.minus.error) error = other_values(*request.minus.error);
  if (own_error.empty() && error.empty()) return {};
  for (float& e : error) e = e < 0 ? e : static_cast<float>(factor * static_cast<double>(e));  // -1: not known
  const std::size_t within = fade_insignificant(values, errors_of_difference(own_error, error), values);
  return fmt::format("faded within its standard error: significant at {:.1f} % of the points",
                     100.0 * static_cast<double>(values.size() - within) / static_cast<double>(values.size()));
}

}  // namespace

/// A potential that was taken off, and all that it follows from.
struct KeptDifference {
  PotentialSettings settings;
  Device device;
  std::vector<ChargedSphere> spheres;
  Cell cell;
  Grid grid;
  glm::dvec3 origin{0.0};
  TakenPotential taken;
  DeviceArray<float> values;

  bool is_of(const PotentialPlan& plan, const Cell& its_cell) const {
    return settings == plan.settings && device == plan.device && cell.vectors == its_cell.vectors &&
           grid == plan.grid && origin == plan.origin && same_charges(spheres, plan.spheres);
  }
};

namespace {

/// The potential that is taken off; that of the last frame where nothing has changed for it.
std::shared_ptr<const KeptDifference> potential_to_take_off(const FieldRequest& request, const DeviceVolume& volume,
                                                            FieldPlace& place, Job& job) {
  FieldPlace& own = place.minus();
  PotentialPlan plan = plan_potential(potential_of_subtrahend(request.field), *request.minus.atoms,
                                      volume.values.device(), volume.grid, &own.potential());
  const Cell& cell = request.minus.atoms->frame.cell;
  std::shared_ptr<const KeptDifference>& kept = own.taken_off();
  if (kept && kept->is_of(plan, cell)) {
    own.potential().spheres = std::move(plan.spheres);
    return kept;
  }
  const PhaseTimer timer("field: potential to take off");
  kept.reset();
  auto made = std::make_shared<KeptDifference>();
  made->settings = plan.settings;
  made->device = plan.device;
  made->spheres = plan.spheres;
  made->cell = cell;
  made->grid = plan.grid;
  made->origin = plan.origin;
  made->values = DeviceArray<float>(plan.grid.size(), plan.device, "potential to take off");
  made->taken.error = compute_potential(plan, made->values.span(), job, &own.potential());
  made->taken.total_charge = plan.total_charge;
  made->taken.method = isolume::describe(plan.options);
  made->taken.estimated = method_of(plan.options) == PotentialMethod::pb;
  return kept = std::move(made);
}

}  // namespace

bool values_differ(const Field& field) {
  return shows_difference(field) && !painted_by_potential(field) && !painted_by_map(field);
}

void prepare_difference(FieldRequest& request, FieldPlace* place) {
  TakenOff& other = request.minus;
  const Subtrahend& minus = request.field.minus;
  if (!other.molecule && other.load) {
    other.molecule = other.load();
    if (!minus.fixed) other.frame = frame_in(*other.molecule, other.frame);
  }
  if (!other.molecule) throw Error("a difference, and nothing that is taken off", Error::Kind::usage);
  const std::string file = file_title(other.molecule->paths);
  if (of_map(request.field)) {
    if (minus.volume < other.molecule->volumes.size()) return;
    const std::size_t count = other.molecule->volumes.size();
    throw Error(fmt::format("minus.volume {}: {} has {}", minus.volume, file,
                            count == 0 ? std::string("no volume") : fmt::format("{}, from 0", count)),
                Error::Kind::usage);
  }
  if (other.frame >= std::max<std::size_t>(1, other.molecule->frame_count()))
    throw Error(fmt::format("frame {} is taken off: {} has frames 0 to {}", other.frame, file,
                            std::max<std::size_t>(1, other.molecule->frame_count()) - 1),
                Error::Kind::usage);
  if (other.atoms) return;
  FieldPlace* const own = place ? &place->minus() : nullptr;
  other.atoms = field_atoms(potential_of_subtrahend(request.field), other.molecule, other.frame,
                            own ? &own->chosen() : nullptr, own ? &own->ahead() : nullptr);
}

Grid grid_of_difference(const FieldRequest& request, const Grid& own) {
  if (of_map(request.field)) return map_of(request).grid;
  const FieldAtoms& atoms = *request.minus.atoms;
  if (is_fully_periodic(basic_options(request.field.potential, request.atoms->frame.cell))) return own;
  Field as_open = potential_of_subtrahend(request.field);
  as_open.spacing = glm::length(own.step[0]);
  const Grid other = potential_map_grid(as_open, charged_spheres(atoms), atoms.origin, DirectOptions{});
  Grid grid = own;
  const glm::dvec3 first = own.coordinates(other.origin),
                   last = own.coordinates(other.point(other.counts.x - 1, other.counts.y - 1, other.counts.z - 1));
  for (int axis = 0; axis < 3; ++axis) {
    const int before = std::max(0, static_cast<int>(std::ceil(-first[axis] - 1e-6)));
    const int behind = std::max(0, static_cast<int>(std::ceil(last[axis] - (own.counts[axis] - 1) - 1e-6)));
    grid.origin -= static_cast<double>(before) * own.step[axis];
    grid.counts[axis] += before + behind;
  }
  return grid;
}

void take_off_values(const FieldRequest& request, DeviceVolume& volume, FieldPlace& place, Job& job) {
  const PhaseTimer timer("field: difference");
  const Field& field = request.field;
  if (repeats_volume(field)) throw Error("a difference is of a map without copies: set them to 0", Error::Kind::usage);
  const bool potential = field.kind == Field::Kind::potential;
  const std::string unit = potential ? "V" : volume.unit;
  if (!volume.legend) volume.legend.emplace();
  const double shown = potential ? per_volt(field.potential) : 1;
  if (of_map(field)) {
    const double factor = factor_of_map(request, unit);
    const auto on_grid = [&](const Volume& map) {
      if (same_points(map.grid, volume.grid)) return map.values;
      if (field.minus.resample) return map_at(map, volume.grid, job);
      const glm::ivec3 a = volume.grid.counts, b = map.grid.counts;
      throw Error(fmt::format("{} has other points than what it is taken off ({} x {} x {}, and {} x {} x {}): turn on "
                              "Resample (minus.resample) to interpolate it",
                              map_name(request), b.x, b.y, b.z, a.x, a.y, a.z),
                  Error::Kind::usage);
    };
    std::string faded;
    double rms = 0;
    change_on_host(volume.values, volume, [&](std::span<float> values) {
      faded = take_off_map(request, factor, values, on_grid, job);
      rms = finite_rms(values);
    });
    describe(request, nullptr, shown, rms, faded, *volume.legend);
  } else {
    const double factor = potential ? 1 : factor_of_potential(request, unit);
    const std::shared_ptr<const KeptDifference> other = potential_to_take_off(request, volume, place, job);
    const TakenPotential& taken = other->taken;
    take_off(volume.values.span(), other->values.span(), factor, job);
    const double rms = std::sqrt(mean_square(std::as_const(volume.values).span(), job));
    describe(request, &taken, potential ? shown : factor, potential ? rms : rms / factor, {}, *volume.legend);
  }
  volume.name = volume.legend->title;
}

void take_off_colours(const FieldRequest& request, DeviceVolume& volume, FieldPlace& place, Job& job) {
  const PhaseTimer timer("field: difference of the colours");
  const Field& field = request.field;
  const bool potential = painted_by_potential(field);
  FieldLegend& legend = *volume.legend;
  const std::string unit = potential ? "V" : legend.unit;
  const double shown = potential ? per_volt(field.potential) : 1;
  DeviceArray<float> own = std::move(volume.scalars);
  std::string faded;
  TakenPotential taken;
  double factor = shown;
  if (of_map(field)) {
    const double of_other = factor_of_map(request, unit);
    const auto at_colours = [&](const Volume& map) {
      volume.scalars = place.minus().scalars(volume.grid.size());
      fill_scalars(map, volume, job);
      move_outwards(field, volume, job);
      std::vector<float> values = volume.scalars.copy_to_host();
      place.minus().keep({}, {}, std::move(volume.scalars));
      return values;
    };
    change_on_host(own, volume,
                   [&](std::span<float> values) { faded = take_off_map(request, of_other, values, at_colours, job); });
  } else {
    factor = potential ? shown : factor_of_potential(request, unit);
    const PotentialColours other =
        colours_of_potential(field_of_subtrahend(field), *request.minus.atoms, volume, job, place.minus());
    taken = {other.error, other.plan.total_charge, isolume::describe(other.plan.options),
             method_of(other.plan.options) == PotentialMethod::pb};
    legend.at_surface = (legend.at_surface || legend.error_points == 0) && other.at_surface;
    take_off(own.span(), std::as_const(volume.scalars).span(), potential ? 1 : factor, job);
    place.minus().keep({}, {}, std::move(volume.scalars));
  }
  volume.scalars = std::move(own);
  const SurfaceSamples samples = sampled_surface(field, volume, surface_points);
  double sum = 0;
  std::size_t count = 0;
  for (const double value : samples.values)
    if (std::isfinite(value)) sum += value * value, ++count;
  double rms = count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
  if (!potential && !of_map(field)) rms /= factor;
  describe(request, of_map(field) ? nullptr : &taken, factor, rms, faded, legend);
}

}  // namespace isolume
