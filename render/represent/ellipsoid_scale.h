// How large an ellipsoid is for a probability.
#pragma once

namespace isolume {

/// By what the root-mean-square displacements are multiplied, so that an atom is found within the ellipsoid with this
/// probability: 1.5382 for 0.5 (International Tables for Crystallography D, 1.9.4). Probabilities are cut to
/// 0.01..0.99.
double ellipsoid_scale(double probability);

}  // namespace isolume
