// Solvent-excluded and -accessible surfaces, cavities: from a field and its atoms to values on the device.
#pragma once

#include <span>

#include "app/fields/device_volume.h"
#include "compute/analysis/cavities.h"
#include "compute/density/gaussian_density.h"

namespace isolume {

/// True for the kinds that are made by a probe.
bool made_by_probe(Field::Kind kind);

/// The radius of the probe that bridges the mouths of pockets, angstrom.
constexpr float pocket_probe = 4.0f;

/// A grid for a field whose kind is made by a probe, and the bytes that its computation takes apart from the values.
Grid solvent_grid(const Field& field, std::span<const DensityAtom> atoms);
std::size_t solvent_memory(const Field& field, std::span<const DensityAtom> atoms, const Grid& grid, Device device);

/// Depths below the surface into volume.values (and colours where there are some), on its grid.
void compute_solvent(const Field& field, std::span<const DensityAtom> atoms, DeviceVolume& volume, Job& job);

/// The cavities and pockets of atoms (compute/analysis/cavities.h), with the surfaces computed on `device`.
Cavities cavities_of(std::span<const DensityAtom> atoms, const Grid& grid, float probe, float outer,
                     const CavityOptions& options, Device device, Job& job);

}  // namespace isolume
