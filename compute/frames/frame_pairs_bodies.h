// The CUDA bodies of pairs of frames: arguments are checked.
#pragma once

#include "compute/frames/frame_pairs.h"

namespace isolume {

void smallest_distances_cuda(const FrameGroup& group, PointRange a, PointRange b, std::span<double> out, Job& job);

void frame_contacts_cuda(const FrameGroup& group, PointRange a, PointRange b, Span<const ContactPoint> of_a,
                         Span<const ContactPoint> of_b, Span<const NativePair> native, const ContactRule& rule,
                         std::span<FrameContacts::Counts> out, Job& job);

}  // namespace isolume
