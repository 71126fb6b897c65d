// What a side chain lacks, and where that goes.
#include "compute/preparation/side_chain_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/preparation/residue_atoms.h"
#include "compute/preparation/residue_names.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double degree = units::pi / 180.0;
constexpr std::uint16_t far_apart = 99;  // bonds

double turn_between(double a, double b) {
  return std::abs(std::remainder(a - b, 360.0));
}

double torsion_of(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c, glm::dvec3 d) {
  const glm::dvec3 axis = glm::normalize(c - b);
  const glm::dvec3 from = (a - b) - glm::dot(a - b, axis) * axis, to = (d - c) - glm::dot(d - c, axis) * axis;
  return std::atan2(glm::dot(glm::cross(axis, from), to), glm::dot(from, to)) / degree;
}

/// The place at `bond` from `parent`, at `angle` to `next` and turned by `torsion` about parent-next from `last`.
glm::dvec3 placed(glm::dvec3 parent, double bond, glm::dvec3 next, double angle, glm::dvec3 last, double torsion) {
  const glm::dvec3 back = glm::normalize(next - parent);
  const glm::dvec3 side = last - next;
  glm::dvec3 across = side - glm::dot(side, back) * back;
  const double length = glm::length(across);
  across = length > 1e-6 ? across / length : glm::normalize(glm::cross(back, glm::dvec3(back.y, back.z, -back.x)));
  const glm::dvec3 up = glm::cross(across, back);
  const double a = angle * degree, t = torsion * degree;
  return parent + bond * (std::cos(a) * back + std::sin(a) * (std::cos(t) * across + std::sin(t) * up));
}

/// CB of an L-amino acid by its angles to N and C.
glm::dvec3 placed_cb(const SideChainAtom& cb, glm::dvec3 ca, glm::dvec3 n, glm::dvec3 c) {
  const glm::dvec3 to_n = glm::normalize(n - ca), to_c = glm::normalize(c - ca);
  const double k = glm::dot(to_n, to_c), a = std::cos(cb.angle * degree), b = std::cos(cb.last_angle * degree);
  const double x = (a - k * b) / (1 - k * k), y = (b - k * a) / (1 - k * k);
  const double z = std::sqrt(std::max(0.0, 1 - (x * x + y * y + 2 * x * y * k)));
  return ca + cb.bond * glm::normalize(x * to_n + y * to_c + z * glm::normalize(glm::cross(to_n, to_c)));
}

std::vector<std::vector<std::uint16_t>> bond_counts(const ChargedResidue& residue) {
  const std::size_t n = residue.atoms.size();
  std::vector<std::vector<std::uint16_t>> far(n, std::vector<std::uint16_t>(n, far_apart));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> reached{i};
    far[i][i] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for (const std::uint16_t next : residue.atoms[reached[k]].neighbours) {
        if (far[i][next] != far_apart) continue;
        far[i][next] = static_cast<std::uint16_t>(far[i][reached[k]] + 1);
        reached.push_back(next);
      }
    }
  }
  return far;
}

}  // namespace

constexpr double ring_angle = 112;  // CA-N-CD of proline, degrees (Engh and Huber)

const ChargedResidue* bonded_residue(const std::string& base) {
  return charged_residue(ChargeSet::ff14sb, base == "HIS" ? "HIE" : base);
}

std::uint16_t number_in(const ChargedResidue& residue, const std::string& name) {
  const std::size_t k = residue.find(name);
  return k == residue.atoms.size() ? no_number : static_cast<std::uint16_t>(k);
}

std::optional<SideChainTask> side_chain_task(const Topology& topology, const std::vector<glm::vec3>& positions,
                                             const std::vector<char>& kept, std::uint32_t r) {
  const TemplateName name = template_name(topology, r);
  SideChainTask task;
  task.residue = r;
  task.ideal = name.kind == TemplateKind::amino ? ideal_side_chain(name.base) : nullptr;
  if (!task.ideal || task.ideal->atoms.empty()) return std::nullopt;
  const Residue& residue = topology.residues[r];
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    if (!kept[i] || topology.atoms[i].element == 1) continue;
    const std::string own = table_atom_name(topology.atoms[i].name, name);
    task.there.emplace(own, glm::dvec3(positions[i]));
    task.atoms.emplace(own, i);
  }
  for (const char* needed : {"N", "CA", "C"})
    if (!task.there.contains(needed)) return std::nullopt;
  for (std::size_t k = 0; k < task.ideal->atoms.size(); ++k) {
    const SideChainAtom& atom = task.ideal->atoms[k];
    if (!task.there.contains(atom.name)) {
      task.missing.push_back(k);
    } else if (!task.there.contains(atom.parent)) {
      return std::nullopt;  // an atom beyond one that is missing
    }
  }
  if (task.missing.empty()) return std::nullopt;
  task.bonds = bonded_residue(name.base);
  task.far = bond_counts(*task.bonds);
  task.n = number_in(*task.bonds, "N");
  task.c = number_in(*task.bonds, "C");
  for (const std::size_t k : task.missing) {
    const std::uint16_t number = number_in(*task.bonds, task.ideal->atoms[k].name);
    const std::uint8_t element = task.bonds->atoms[number].element;
    task.parts.push_back({{}, united_radius(element, is_planar(*task.bonds, number)), element, r, number});
  }
  task.known.resize(task.ideal->chis());
  for (const SideChainAtom& atom : task.ideal->atoms) {
    if (atom.chi == 0 || task.known[atom.chi - 1] || !task.there.contains(atom.name)) continue;
    task.known[atom.chi - 1] =
        torsion_of(task.there[atom.last], task.there[atom.next], task.there[atom.parent], task.there[atom.name]) -
        atom.torsion;
  }
  return task;
}

std::vector<glm::dvec3> side_chain_places(const SideChainTask& task, const std::vector<double>& chi) {
  std::vector<glm::dvec3> result;
  const auto at = [&](const std::string& name) {
    if (const auto found = task.there.find(name); found != task.there.end()) return found->second;
    for (std::size_t i = 0; i < result.size(); ++i)
      if (task.ideal->atoms[task.missing[i]].name == name) return result[i];
    return glm::dvec3(0.0);
  };
  for (const std::size_t k : task.missing) {
    const SideChainAtom& atom = task.ideal->atoms[k];
    if (atom.last_angle > 0) {
      result.push_back(placed_cb(atom, at(atom.parent), at(atom.next), at(atom.last)));
      continue;
    }
    double torsion = atom.torsion + (atom.chi > 0 ? chi[atom.chi - 1] : 0.0);
    const auto turned = [&](double t) {
      return placed(at(atom.parent), atom.bond, at(atom.next), atom.angle, at(atom.last), t);
    };
    if (!atom.ring.empty()) {  // the torsion near the rotamer's at which the bond that closes the ring fits best
      // The angle at the ring's other end counts too: of a flat ring it would be far too small.
      const double across = 2 * atom.ring_bond * std::sin(glm::radians(0.5 * ring_angle));
      const auto misfit = [&](double t) {
        const glm::dvec3 place = turned(t);
        return std::abs(glm::distance(place, at(atom.ring)) - atom.ring_bond) +
               0.5 * std::abs(glm::distance(place, at(atom.last)) - across);
      };
      double best = torsion;
      for (double t = torsion - 40; t <= torsion + 40; t += 0.25)
        if (misfit(t) < misfit(best)) best = t;
      torsion = best;
    }
    result.push_back(turned(torsion));
  }
  return result;
}

std::vector<Rotamer> fitting_rotamers(const SideChainTask& task) {
  std::vector<Rotamer> all;
  for (const double width : {40.0, 400.0}) {
    for (const Rotamer& rotamer : task.ideal->rotamers) {
      Rotamer own = rotamer;
      bool fits = true;
      for (std::size_t c = 0; c < own.chi.size(); ++c) {
        if (!task.known[c]) continue;
        fits = fits && turn_between(own.chi[c], *task.known[c]) <= width;
        own.chi[c] = *task.known[c];
      }
      if (!fits) continue;
      const auto same = std::find_if(all.begin(), all.end(), [&](const Rotamer& r) { return r.chi == own.chi; });
      if (same == all.end()) {
        all.push_back(std::move(own));
      } else {
        same->percent += own.percent;
      }
    }
    if (!all.empty()) break;
  }
  if (all.empty()) all.push_back({100, std::vector<double>(task.ideal->chis(), 0.0)});
  return all;
}

}  // namespace isolume
