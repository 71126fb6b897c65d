// The box outside of which an orbital is small: planes beyond which a bound of its terms stays below a cutoff.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/timing.h"
#include "compute/orbitals/orbital.h"
#include "compute/orbitals/orbital_math.h"
#include "compute/orbitals/orbital_terms.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// A term, and its centre along the axis towards a side (bohr).
struct Source {
  double at;
  const TermBound* bound;
};

/// The bound of an orbital beyond planes across one axis: every term is at least as far from its centre as the plane
/// is. The sum falls with the plane.
class BeyondPlanes {
 public:
  BeyondPlanes(std::span<const OrbitalTerm> terms, std::span<const TermBound> bounds, int axis, double sign) {
    sources_.reserve(terms.size());
    for (std::size_t n = 0; n < terms.size(); ++n) sources_.push_back({sign * terms[n].centre[axis], &bounds[n]});
    for (const Source& source : sources_) {
      innermost_ = std::min(innermost_, source.at);
      outermost_ = std::max(outermost_, source.at);
    }
  }

  double innermost() const { return innermost_; }
  double outermost() const { return outermost_; }
  /// No more than is needed to say that it is above `enough`.
  double operator()(double plane, double enough = std::numeric_limits<double>::infinity()) const {
    double sum = rest_;
    for (const Source& source : sources_) {
      sum += source.bound->beyond(std::max(0.0, plane - source.at));
      if (sum > enough) break;
    }
    return sum;
  }
  /// For planes beyond this one only: terms that are below `part` there count as if they stayed so, which keeps the
  /// bound one.
  void narrow(double plane, double part) {
    std::erase_if(sources_, [&](const Source& source) {
      const double most = source.bound->beyond(std::max(0.0, plane - source.at));
      if (most > part) return false;
      rest_ += most;
      return true;
    });
  }

 private:
  std::vector<Source> sources_;
  double rest_ = 0;
  double innermost_ = std::numeric_limits<double>::max();
  double outermost_ = std::numeric_limits<double>::lowest();
};

/// The plane beyond which the sum is at most `cutoff`, a thousandth of a bohr too far at most.
double plane_of(BeyondPlanes beyond, double cutoff) {
  const double outermost = beyond.outermost();
  double reach = 1;
  while (beyond(outermost + reach, cutoff) > cutoff && reach < 1e4) reach *= 2;
  double lower = beyond.innermost();
  double upper = outermost + reach;
  // The sum is above the cutoff up to `above` and not beyond `below`: between them is what bisection asks for.
  double above = reach > 1 ? outermost + reach / 2 : lower;
  double below = upper;
  if (reach > 1) {
    beyond.narrow(above, 1e-9 * cutoff);
    // The logarithm is nearly a parabola: false position with halved ends (Illinois) comes close in a few steps.
    double at_above = std::log(beyond(above) / cutoff);
    double at_below = std::log(std::max(beyond(below), std::numeric_limits<double>::min()) / cutoff);
    int before = 0;
    for (int step = 0; step < 12 && below - above > 1e-4; ++step) {
      const double middle =
          std::clamp((above * at_below - below * at_above) / (at_below - at_above), above + 2e-5, below - 2e-5);
      const double value = std::log(std::max(beyond(middle), std::numeric_limits<double>::min()) / cutoff);
      const int side = value > 0 ? 1 : -1;
      (side > 0 ? above : below) = middle;
      (side > 0 ? at_above : at_below) = value;
      if (side == before) (side > 0 ? at_below : at_above) *= 0.5;
      before = side;
    }
  }
  while (upper - lower > 1e-3) {
    const double middle = 0.5 * (lower + upper);
    const bool too_much = middle <= above || (middle < below && beyond(middle, cutoff) > cutoff);
    (too_much ? lower : upper) = middle;
  }
  return upper;
}

}  // namespace

OrbitalBox orbital_box(const Orbitals& orbitals, std::size_t which, double cutoff) {
  if (!(cutoff > 0)) throw Error(fmt::format("orbital: the cutoff {} must be positive", cutoff), Error::Kind::usage);
  const PhaseTimer timer("orbital: extent");
  const OrbitalTerms terms = orbital_terms(orbitals, which);
  if (terms.terms.empty()) return {};
  const std::vector<TermBound> bounds = terms.bounds();
  glm::dvec3 box[2];
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      const double plane = plane_of(BeyondPlanes(terms.terms, bounds, axis, sign), cutoff);
      box[side][axis] = units::bohr_in_angstrom * sign * plane;
    }
  }
  return {glm::min(box[0], box[1]), glm::max(box[0], box[1])};
}

Grid orbital_grid(const Orbitals& orbitals, std::size_t which, double spacing, double cutoff) {
  const OrbitalBox box = orbital_box(orbitals, which, cutoff);
  return Grid::covering(box.lower, box.upper, spacing);
}

}  // namespace isolume
