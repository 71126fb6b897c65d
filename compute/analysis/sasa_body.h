// The bodies of the solvent-accessible area.
#pragma once

#include "compute/analysis/sasa.h"
#include "compute/molecular_surface/sphere_cells.h"

namespace isolume {

constexpr double sphere_area = 12.566370614359172954;  // 4 pi

/// The atoms grown by the probe, in cells of twice the largest.
BallCells sasa_cells(std::span<const SasaAtom> atoms, const SasaOptions& options);

void solvent_accessible_area_cpu(std::span<const SasaAtom> atoms, const SasaOptions& options, Span<float> areas,
                                 Job& job);
void solvent_accessible_area_cuda(std::span<const SasaAtom> atoms, const SasaOptions& options, Span<float> areas,
                                  Job& job);

}  // namespace isolume
