// CorrectionTerms: energy and forces of a force field's correction maps, on the CPU.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/dynamics/correction_surface.h"
#include "compute/dynamics/vector3.h"
#include "compute/job.h"

namespace isolume {

/// Made once, used with many positions; results do not depend on the number of threads.
class CorrectionTerms {
 public:
  explicit CorrectionTerms(const ForceField& field);

  bool empty() const { return terms_.empty(); }
  /// Adds the forces, kcal/(mol angstrom), and returns the energy, kcal/mol. Throws Error (cancelled).
  double add(std::span<const glm::dvec3> positions, const ImageBox& box, std::span<glm::dvec3> forces, Job& job);

 private:
  struct Part {
    Vector3 forces[8];
    double energy;
  };
  std::vector<CorrectionSurface> surfaces_;
  std::vector<CorrectionTerm> terms_;
  std::vector<Part> parts_;
};

}  // namespace isolume
