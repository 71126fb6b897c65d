// The bodies of generalised Born.
#pragma once

#include "compute/electrostatics/generalised_born/generalised_born.h"

namespace isolume {

/// `result` has its sizes.
void generalised_born_cpu(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& options,
                          GeneralisedBornResult& result, Job& job);
void generalised_born_cuda(std::span<const GeneralisedBornAtom> atoms, const GeneralisedBornOptions& options,
                           GeneralisedBornResult& result, Device device, Job& job);

}  // namespace isolume
