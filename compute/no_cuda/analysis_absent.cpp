// Stubs of the CUDA bodies of the analysis of surfaces, for a build without CUDA.
#include "compute/analysis/distance_tiles.h"
#include "compute/analysis/sasa_body.h"
#include "compute/analysis/volume_samples.h"
#include "compute/field_lines/line_tracing_body.h"
#include "compute/molecular_surface/molecular_surface_body.h"
#include "compute/over_time/difference.h"
#include "compute/over_time/running_statistics_bodies.h"
#include "molecule/base/error.h"

namespace isolume {

void solvent_accessible_area_cuda(std::span<const SasaAtom>, const SasaOptions&, Span<float>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void count_distances_cuda(const DistancePoints&, const DistancePoints&, bool, const Cell&, const DistanceBins&,
                          Span<std::uint64_t>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void molecular_surface_cuda(std::span<const DensityAtom>, const Grid&, const MolecularSurfaceOptions&, Span<float>,
                            Span<glm::vec3>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void take_off_cuda(Span<float>, Span<const float>, double) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<TracedLine> trace_lines_cuda(const LineGrid&, Span<const float>, std::span<const LineSeed>,
                                         const SphereCells&, const LineTracing&, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void add_frame_cuda(Span<const float>, double, std::span<const BlockSums>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void add_frame_cuda(Span<const double>, double, std::span<const BlockSums>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<double> doubles_at_cuda(Span<const double>, std::span<const std::size_t>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<float> values_at_cuda(Span<const float>, std::span<const std::size_t>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<double> sums_of_squares_cuda(Span<const float>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<std::uint32_t> magnitudes_at_surface_cuda(const Grid&, Span<const float>, float, SurfaceSide,
                                                      Span<const float>) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
