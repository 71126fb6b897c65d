// A volume from a file as a field.
#include <fmt/format.h>

#include <cmath>

#include "app/documents/titles.h"
#include "app/fields/device_volume.h"
#include "app/fields/field_kind.h"
#include "app/fields/inputs/repeated_volume.h"
#include "app/fields/volume_layers.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"

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
  VolumeKind(const Field& field, std::shared_ptr<const Molecule> molecule, std::size_t frame, Device device)
      : field_(field), molecule_(std::move(molecule)), volume_(volume_of(*molecule_, field.volume)), device_(device) {
    grid_ = volume_.grid;
    if (!repeats_volume(field)) return;
    const Cell cell = molecule_->frame_count() > 0 ? frame_at(*molecule_, frame).cell : Cell{};
    repeated_ = std::make_shared<RepeatedGrid>(repeated_grid(volume_, cell, field.repeat));
    grid_ = repeated_->grid;
  }

  void describe(DeviceVolume& result) const override {
    result.name = volume_title(*molecule_, field_.volume);
    result.unit = volume_.unit;
    result.legend = isosurface_legend(result, std::abs(effective_isovalue(field_)));
  }
  bool given() const override { return !repeated_; }

  bool has_layers() const override { return true; }
  LayerSource layers(Device) const override {
    if (!repeated_) return layers_of_volume(molecule_, volume_);
    return [repeated = repeated_, molecule = molecule_, &volume = volume_](LayerRange layers, Values values, Colours,
                                                                           Job& job) {
      std::vector<float> host(values.size);
      copy_repeated(volume, *repeated, layers.first, host, job);
      copy_memory(values.data, values.device, host.data(), Device::cpu(), values.size * sizeof(float));
    };
  }

  void compute(DeviceVolume& result, FieldPlace&, Job& job, Stream*) override {
    if (repeated_) {
      const std::size_t layer = grid_.index(0, 0, 1);
      std::vector<float> host(layer);
      for (int k = 0; k < grid_.counts.z; ++k) {
        copy_repeated(volume_, *repeated_, k, host, job);
        copy_memory(result.values.data() + layer * static_cast<std::size_t>(k), device_, host.data(), Device::cpu(),
                    layer * sizeof(float));
      }
      return;
    }
    result.values = DeviceArray<float>::from_host(volume_.values, device_, "volume");
  }

 private:
  const Field& field_;
  std::shared_ptr<const Molecule> molecule_;
  const Volume& volume_;
  Device device_;
  std::shared_ptr<const RepeatedGrid> repeated_;  ///< null where it is shown as it is
};

}  // namespace

std::unique_ptr<FieldKind> volume_kind(const FieldRequest& request, Job&, FieldPlace*) {
  return std::make_unique<VolumeKind>(request.field, request.molecule, request.frame, request.device);
}

}  // namespace isolume
