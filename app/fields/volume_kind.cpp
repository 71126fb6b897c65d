// A volume from a file as a field.
#include <fmt/format.h>

#include <cmath>

#include "app/documents/titles.h"
#include "app/fields/field_kind.h"
#include "app/fields/volume_layers.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

const Volume& volume_of(const FieldRequest& request) {
  const auto& volumes = request.molecule->volumes;
  if (request.field.volume >= volumes.size())
    throw Error(fmt::format("volume {}: the file has {}", request.field.volume,
                            volumes.empty() ? "none" : fmt::format("0 to {}", volumes.size() - 1)),
                Error::Kind::usage);
  return *volumes[request.field.volume];
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
  explicit VolumeKind(const FieldRequest& request) : request_(request), volume_(volume_of(request)) {
    grid_ = volume_.grid;
  }

  void describe(DeviceVolume& result) const override {
    result.name = volume_title(*request_.molecule, request_.field.volume);
    result.unit = volume_.unit;
    result.legend = isosurface_legend(result, std::abs(effective_isovalue(request_.field)));
  }
  bool given() const override { return true; }

  bool has_layers() const override { return true; }
  LayerSource layers() const override { return layers_of_volume(request_.molecule, volume_); }

  void compute(DeviceVolume& result, FieldPlace&, Job&, Stream*) override {
    result.values = DeviceArray<float>::from_host(volume_.values, request_.device, "volume");
  }

 private:
  const FieldRequest& request_;
  const Volume& volume_;
};

}  // namespace

std::unique_ptr<FieldKind> volume_kind(const FieldRequest& request, Job&, FieldPlace*) {
  return std::make_unique<VolumeKind>(request);
}

}  // namespace isolume
