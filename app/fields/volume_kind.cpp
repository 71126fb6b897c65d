// A volume from a file as a field.
#include <fmt/format.h>

#include <cmath>

#include "app/documents/titles.h"
#include "app/fields/field_kind.h"
#include "app/fields/volume_layers.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

const Volume& volume_of(const Molecule& molecule, std::size_t number) {
  const auto& volumes = molecule.volumes;
  if (number >= volumes.size())
    throw Error(fmt::format("volume {}: the file has {}", number,
                            volumes.empty() ? "none" : fmt::format("0 to {}", volumes.size() - 1)),
                Error::Kind::usage);
  return *volumes[number];
}

/// What the surfaces of a volume mean, without colours: these are the field's (legend_of).
FieldLegend isosurface_legend(const DeviceVolume& volume, double level) {
  FieldLegend legend;
  legend.title = volume.name;
  legend.unit = volume.unit;
  legend.lower = -level;
  legend.upper = level;
  legend.isosurfaces = true;
  return legend;
}

class VolumeKind : public FieldKind {
 public:
  VolumeKind(const Field& field, std::shared_ptr<const Molecule> molecule, Device device)
      : field_(field), molecule_(std::move(molecule)), volume_(volume_of(*molecule_, field.volume)), device_(device) {
    grid_ = volume_.grid;
  }

  void describe(DeviceVolume& result) const override {
    result.name = volume_title(*molecule_, field_.volume);
    result.unit = volume_.unit;
    result.legend = isosurface_legend(result, std::abs(effective_isovalue(field_)));
  }
  bool given() const override { return true; }

  bool has_layers() const override { return true; }
  LayerSource layers() const override { return layers_of_volume(molecule_, volume_); }

  void compute(DeviceVolume& result, FieldPlace&, Job&, Stream*) override {
    result.values = DeviceArray<float>::from_host(volume_.values, device_, "volume");
  }

 private:
  const Field& field_;
  std::shared_ptr<const Molecule> molecule_;
  const Volume& volume_;
  Device device_;
};

}  // namespace

std::unique_ptr<FieldKind> volume_kind(const FieldRequest& request, Job&, FieldPlace*) {
  return std::make_unique<VolumeKind>(request.field, request.molecule, request.device);
}

}  // namespace isolume
