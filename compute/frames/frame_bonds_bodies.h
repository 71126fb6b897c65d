// The CUDA body of the hydrogen bonds of frames: arguments are checked.
#pragma once

#include "compute/frames/frame_bonds.h"

namespace isolume {

struct FrameBondsTask {
  Span<const FrameBondSite> donors, acceptors;
  Span<const std::uint32_t> around, around_atoms, barred;
  bool hydrogens, between;
  HydrogenBondRule rule;
  std::size_t most;  ///< bonds of a frame
};

/// The numbers of bonds; those above `most` are only known to be so.
std::vector<std::size_t> count_frame_bonds_cuda(const FrameGroup& group, const FrameBondsTask& task, Job& job);
/// `counts`: what the function above has said, none above `most`. Bonds of a frame are in no order.
std::vector<std::vector<HydrogenBond>> frame_bonds_cuda(const FrameGroup& group, const FrameBondsTask& task,
                                                        std::span<const std::size_t> counts, Job& job);

}  // namespace isolume
