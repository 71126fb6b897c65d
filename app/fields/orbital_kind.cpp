// A molecular orbital, or the density of all, as a field.
#include <fmt/format.h>

#include <algorithm>

#include "app/documents/derived.h"
#include "app/documents/frames.h"
#include "app/fields/field_grid.h"
#include "app/fields/field_kind.h"
#include "app/fields/inputs/orbital_identity.h"
#include "app/scene/density_name.h"
#include "compute/base/timing.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Holes are the occupied of natural transition orbitals, the first pair next to the gap.
std::string pair_name(const Orbitals& orbitals, std::size_t which) {
  if (orbitals.convention != natural_transition_convention) return {};
  const std::size_t pairs = orbitals.count() / 2;
  return which < pairs ? fmt::format("hole of pair {}", pairs - which)
                       : fmt::format("particle of pair {}", which - pairs + 1);
}

std::string orbital_name(const Orbitals& orbitals, const Field& field, std::size_t which) {
  const std::size_t count = orbitals.count(field.spin);
  std::size_t number = which + 1;  // within its spin
  for (std::size_t n = 0; n < count; ++n)
    if (orbitals.index_of(field.spin, n) == which) number = n + 1;
  if (const std::string pair = pair_name(orbitals, which); !pair.empty()) return pair;
  const char* spin = !orbitals.unrestricted ? "" : field.spin == Spin::alpha ? ", alpha" : ", beta";
  return fmt::format("{} ({} of {}{})", orbitals.role(which), number, count, spin);
}

class OrbitalKind : public FieldKind {
 public:
  OrbitalKind(const Field& field, FoundOrbital found, const Grid& grid, Device device, bool preview)
      : field_(field), found_(std::move(found)), preview_(preview) {
    grid_ = grid;
    workspace_ = orbital_memory(*found_.orbitals, grid_, device);
  }

  void describe(DeviceVolume& result) const override {
    result.name = orbital_name(*found_.orbitals, field_, found_.which);
    result.unit = "bohr^-3/2";
    result.sign = found_.sign;
    result.orbital = ShownOrbital{found_.which,
                                  0,
                                  0,
                                  found_.followed,
                                  found_.overlap,
                                  found_.weak,
                                  found_.orbitals->unrestricted,
                                  pair_name(*found_.orbitals, found_.which)};
  }

  void compute(DeviceVolume& result, FieldPlace&, Job& job, Stream* stream) override {
    OrbitalOptions options;
    if (preview_) options.accuracy = OrbitalAccuracy::preview;
    const PhaseTimer timer("orbital: values");
    if (stream)
      start_orbital(*found_.orbitals, found_.which, grid_, result.values.span(), *stream, job, options);
    else
      orbital(*found_.orbitals, found_.which, grid_, result.values.span(), job, options);
  }

 private:
  const Field& field_;
  FoundOrbital found_;
  bool preview_;
};

/// The density of all orbitals of the frame, or of their spins.
class DensityFieldKind : public FieldKind {
 public:
  DensityFieldKind(const Field& field, std::shared_ptr<const Orbitals> orbitals, const std::optional<Grid>& grid,
                   double coarsening)
      : orbitals_(std::move(orbitals)),
        kind_(field.orbital == spin_density_name ? DensityKind::spin : DensityKind::electron) {
    if (field.enclosed > 0)
      throw Error("a density is shown at an isovalue; enclosed probabilities are of orbitals", Error::Kind::usage);
    const std::vector<double> weights = density_weights(*orbitals_, kind_);
    if (std::ranges::all_of(weights, [](double weight) { return weight == 0; }))
      throw Error(kind_ == DensityKind::spin ? "all electrons are paired: there is no spin density"
                                             : "no orbital of this frame is occupied",
                  Error::Kind::usage);
    grid_ = grid ? *grid : density_field_grid(field, *orbitals_, coarsening);
    workspace_ = density_memory(*orbitals_);
  }

  void describe(DeviceVolume& result) const override {
    result.name = kind_ == DensityKind::spin ? "spin density" : "electron density";
    result.unit = "bohr^-3";
  }

  void compute(DeviceVolume& result, FieldPlace&, Job& job, Stream*) override {
    const PhaseTimer timer("density: values");
    electron_density(*orbitals_, kind_, grid_, result.values.span(), job);
  }

 private:
  std::shared_ptr<const Orbitals> orbitals_;
  DensityKind kind_;
};

}  // namespace

std::unique_ptr<FieldKind> orbital_kind(const FieldRequest& request, Job& job, FieldPlace*) {
  const Field& field = request.field;
  if (names_density(field.orbital))
    return std::make_unique<DensityFieldKind>(field, orbitals_of(*request.molecule, request.frame), request.grid,
                                              request.coarsening);
  FoundOrbital found = find_orbital(request.molecule, field, request.frame, job);
  const Grid grid =
      request.grid ? *request.grid : orbital_field_grid(field, *found.orbitals, found.which, request.coarsening);
  return std::make_unique<OrbitalKind>(field, std::move(found), grid, request.device,
                                       request.preview || request.coarsening > 1);
}

}  // namespace isolume
