// Stubs of the CUDA bodies of groups of frames, for a build without CUDA.
#include "compute/frames/frame_bonds_bodies.h"
#include "compute/frames/frame_pairs_bodies.h"
#include "compute/frames/frame_sums_bodies.h"
#include "molecule/base/error.h"

namespace isolume {

void frame_sums_cuda(const FrameGroup&, PointRange, const PointData&, std::span<glm::dvec3>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void frame_moments_cuda(const FrameGroup&, PointRange, const PointData&, std::span<PointMoments>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void frame_covariances_cuda(const FrameGroup&, PointRange, const PointData&, std::span<PointCovariance>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void frame_deviations_cuda(const FrameGroup&, PointRange, std::span<const RigidMotion>, const PointData&,
                           std::span<double>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void add_displacements_cuda(const FrameGroup&, PointRange, std::span<const RigidMotion>, const PointData&,
                            DisplacementSums&, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void smallest_distances_cuda(const FrameGroup&, PointRange, PointRange, std::span<double>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

void frame_contacts_cuda(const FrameGroup&, PointRange, PointRange, Span<const ContactPoint>, Span<const ContactPoint>,
                         Span<const NativePair>, const ContactRule&, std::span<FrameContacts::Counts>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<std::size_t> count_frame_bonds_cuda(const FrameGroup&, const FrameBondsTask&, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

std::vector<std::vector<HydrogenBond>> frame_bonds_cuda(const FrameGroup&, const FrameBondsTask&,
                                                        std::span<const std::size_t>, Job&) {
  throw Error("this program was built without CUDA", Error::Kind::usage);
}

}  // namespace isolume
