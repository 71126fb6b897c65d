// Energies and forces of a force field in plain double precision, every pair in one loop.
#include <algorithm>
#include <cmath>

#include "compute/dynamics/correction_surface.h"
#include "compute/dynamics/molecular_forces.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

/// S(r) of LennardJonesOptions and its derivative.
double switched(double r, const LennardJonesOptions& o, double* slope) {
  *slope = 0;
  if (r >= o.cutoff) return 0;
  if (r <= o.switching) return 1;
  const double width = o.cutoff - o.switching;
  const double x = (r - o.switching) / width;
  *slope = (-30 * x * x + 60 * x * x * x - 30 * x * x * x * x) / width;
  return 1 - 10 * std::pow(x, 3) + 15 * std::pow(x, 4) - 6 * std::pow(x, 5);
}

class Reference {
 public:
  Reference(const Cell& cell, std::span<const glm::dvec3> positions) : cell_(cell), at_(positions) {
    out.forces.assign(positions.size(), glm::dvec3(0));
  }

  glm::dvec3 between(std::uint32_t a, std::uint32_t b) const { return cell_.minimum_image(at_[a] - at_[b]); }

  /// A force along the line of two atoms, given by the derivative of the energy by their distance.
  void add_line(std::uint32_t a, std::uint32_t b, double slope) {
    const glm::dvec3 d = between(a, b);
    const glm::dvec3 f = -slope / glm::length(d) * d;
    out.forces[a] += f;
    out.forces[b] -= f;
  }

  double bond(const BondTerm& t) {
    const double stretch = glm::length(between(t.atoms[0], t.atoms[1])) - t.length;
    add_line(t.atoms[0], t.atoms[1], 2 * t.force * stretch);
    return t.force * stretch * stretch;
  }

  double angle(const AngleTerm& t) {
    const glm::dvec3 u = between(t.atoms[0], t.atoms[1]);
    const glm::dvec3 v = between(t.atoms[2], t.atoms[1]);
    const double lu = glm::length(u);
    const double lv = glm::length(v);
    const double cosine = glm::dot(u, v) / (lu * lv);
    const double theta = std::acos(cosine);
    // dE/du by the chain rule through the cosine.
    const double by_cosine = -2 * t.force * (theta - t.angle) / std::sin(theta);
    const glm::dvec3 fa = -by_cosine * (v / (lu * lv) - cosine / (lu * lu) * u);
    const glm::dvec3 fc = -by_cosine * (u / (lu * lv) - cosine / (lv * lv) * v);
    out.forces[t.atoms[0]] += fa;
    out.forces[t.atoms[2]] += fc;
    out.forces[t.atoms[1]] -= fa + fc;
    return t.force * (theta - t.angle) * (theta - t.angle);
  }

  /// phi by the angle between the two planes; positive where a is behind the second plane, whose normal is
  /// (d - c) x (b - c).
  static double dihedral(glm::dvec3 ab, glm::dvec3 bc, glm::dvec3 dc) {
    const glm::dvec3 first = glm::cross(ab, bc);
    const glm::dvec3 second = glm::cross(dc, bc);
    const double cosine = glm::dot(first, second) / (glm::length(first) * glm::length(second));
    const double phi = std::acos(std::min(1.0, std::max(-1.0, cosine)));
    return glm::dot(ab, second) <= 0 ? phi : -phi;
  }

  double correction(const CorrectionTerm& t, const CorrectionMap& map) {
    std::array<std::uint32_t, 4> first, last;
    std::copy_n(t.atoms.begin(), 4, first.begin());
    std::copy_n(t.atoms.begin() + 4, 4, last.begin());
    const double phi = dihedral_of(first);
    const double psi = dihedral_of(last);
    about_axis(first, [&](double angle) { return correction_energy_reference(map, angle, psi); });
    return about_axis(last, [&](double angle) { return correction_energy_reference(map, phi, angle); });
  }

  double dihedral_of(const std::array<std::uint32_t, 4>& atoms) const {
    return dihedral(between(atoms[0], atoms[1]), between(atoms[1], atoms[2]), between(atoms[3], atoms[2]));
  }

  template <class Energy>
  double about_axis(const std::array<std::uint32_t, 4>& atoms, const Energy& energy) {
    const glm::dvec3 ab = between(atoms[0], atoms[1]);
    const glm::dvec3 bc = between(atoms[1], atoms[2]);
    const glm::dvec3 dc = between(atoms[3], atoms[2]);
    const double step = 1e-5;
    for (int k = 0; k < 4; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        double e[2];
        for (const int side : {0, 1}) {
          glm::dvec3 d(0);
          d[axis] = side == 0 ? -step : step;
          e[side] = energy(dihedral(ab + (k == 0   ? d
                                          : k == 1 ? -d
                                                   : glm::dvec3(0)),
                                    bc + (k == 1   ? d
                                          : k == 2 ? -d
                                                   : glm::dvec3(0)),
                                    dc + (k == 3   ? d
                                          : k == 2 ? -d
                                                   : glm::dvec3(0))));
        }
        out.forces[atoms[static_cast<std::size_t>(k)]][axis] -= (e[1] - e[0]) / (2 * step);
      }
    }
    return energy(dihedral(ab, bc, dc));
  }

  MolecularReference out;

 private:
  const Cell& cell_;
  std::span<const glm::dvec3> at_;
};

}  // namespace

MolecularReference molecular_energy_reference(const ForceField& field, const Cell& cell,
                                              const LennardJonesOptions& options,
                                              std::span<const glm::dvec3> positions) {
  Reference r(cell, positions);
  MolecularEnergies& e = r.out.energies;
  for (const BondTerm& t : field.bonds) e.bonds += r.bond(t);
  for (const BondTerm& t : field.urey_bradley) e.bonds += r.bond(t);
  for (const AngleTerm& t : field.angles) e.angles += r.angle(t);
  for (const DihedralTerm& t : field.dihedrals) {
    e.dihedrals +=
        r.about_axis(t.atoms, [&](double phi) { return t.force * (1 + std::cos(t.periodicity * phi - t.phase)); });
  }
  for (const ImproperTerm& t : field.impropers) {
    e.impropers += r.about_axis(t.atoms, [&](double psi) {
      const double d = std::remainder(psi - t.angle, 2 * units::pi);
      return t.force * d * d;
    });
  }
  for (const CorrectionTerm& t : field.corrections) e.corrections += r.correction(t, field.maps[t.map]);
  const auto pair = [&](std::uint32_t i, std::uint32_t j, const std::vector<double>& a, const std::vector<double>& b,
                        double* slope) {
    const std::size_t at = std::size_t{field.types[i]} * field.type_count + field.types[j];
    const double d = glm::length(r.between(i, j));
    *slope = -12 * a[at] / std::pow(d, 13) + 6 * b[at] / std::pow(d, 7);
    return a[at] / std::pow(d, 12) - b[at] / std::pow(d, 6);
  };
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    for (std::uint32_t j = i + 1; j < positions.size(); ++j) {
      const double d = glm::length(r.between(i, j));
      if (d >= options.cutoff || field.excludes(i, j)) continue;
      double slope = 0, turn = 0;
      const double own = pair(i, j, field.lj_a, field.lj_b, &slope);
      const double s = switched(d, options, &turn);
      e.lennard_jones += s * own;
      r.add_line(i, j, s * slope + turn * own);
    }
  }
  const bool own_tables = !field.lj14_a.empty();
  for (const Pair14& p : field.pairs14) {
    double slope = 0;
    const double own =
        pair(p.a, p.b, own_tables ? field.lj14_a : field.lj_a, own_tables ? field.lj14_b : field.lj_b, &slope);
    e.lennard_jones_14 += p.lennard_jones * own;
    if (p.lennard_jones != 0) r.add_line(p.a, p.b, p.lennard_jones * slope);
  }
  return r.out;
}

}  // namespace isolume
