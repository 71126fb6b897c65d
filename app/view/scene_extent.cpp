// The extent of a scene: its atoms and its fields.
#include "app/view/scene_extent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/documents/frames.h"
#include "app/scene/named_selections.h"
#include "app/view/tiling.h"
#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

constexpr double atom_margin = 0.9;                 // angstrom: sticks and ribbons about the centres of their atoms
constexpr std::size_t few = 20'000;                 // balls that a camera is fitted to at once
constexpr int cells = 96;                           // along a side of the box, where there are more
constexpr std::size_t many = std::size_t{1} << 20;  // atoms of which the inner ones are not even listed

/// The box of the centres of balls.
struct CentreBox {
  glm::vec3 lower{1e30f}, upper{-1e30f};

  void add(const glm::vec4& ball) {
    lower = glm::min(lower, glm::vec3(ball));
    upper = glm::max(upper, glm::vec3(ball));
  }
};

/// The outermost balls along x, y or z in each cell of the box's sides, and the one that is farthest from its middle.
class Outermost {
 public:
  explicit Outermost(const CentreBox& box)
      : lower_(box.lower),
        middle_(0.5f * (box.lower + box.upper)),
        scale_(static_cast<float>(cells) / glm::max(box.upper - box.lower, glm::vec3(1e-3f))) {
    for (std::vector<Ends>& side : sides_) side.resize(static_cast<std::size_t>(cells) * cells);
  }
  void add(const glm::vec4& ball) {
    const glm::ivec3 cell = glm::clamp(glm::ivec3((glm::vec3(ball) - lower_) * scale_), 0, cells - 1);
    for (int axis = 0; axis < 3; ++axis) {
      Ends& ends = sides_[axis][static_cast<std::size_t>(cell[(axis + 1) % 3] * cells + cell[(axis + 2) % 3])];
      if (ends.none || ball[axis] - ball.w < ends.low[axis] - ends.low.w) ends.low = ball;
      if (ends.none || ball[axis] + ball.w > ends.high[axis] + ends.high.w) ends.high = ball;
      ends.none = false;
    }
    const float away = glm::distance(glm::vec3(ball), middle_) + ball.w;
    if (away <= farthest_away_) return;
    farthest_away_ = away;
    farthest_ = ball;
  }
  void put_into(std::vector<glm::vec4>& balls) const {
    for (const std::vector<Ends>& side : sides_)
      for (const Ends& ends : side) {
        if (ends.none) continue;
        balls.push_back(ends.low);
        if (ends.high != ends.low) balls.push_back(ends.high);
      }
    if (farthest_away_ > 0) balls.push_back(farthest_);
  }

 private:
  struct Ends {
    glm::vec4 low{0}, high{0};
    bool none = true;
  };
  glm::vec3 lower_, middle_, scale_;
  std::array<std::vector<Ends>, 3> sides_;
  glm::vec4 farthest_{0};
  float farthest_away_ = 0;
};

/// Keeps the outermost ones where there are more than a camera is fitted to at once.
void thin(std::vector<glm::vec4>& balls) {
  if (balls.size() <= few) return;
  CentreBox box;
  for (const glm::vec4& ball : balls) box.add(ball);
  Outermost outermost(box);
  for (const glm::vec4& ball : balls) outermost.add(ball);
  balls.clear();
  outermost.put_into(balls);
}

Extent extent_of(std::vector<glm::vec4> balls) {
  if (balls.empty()) return {};
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::vec4& ball : balls) {
    lower = glm::min(lower, glm::dvec3(ball));
    upper = glm::max(upper, glm::dvec3(ball));
  }
  Extent extent{0.5 * (lower + upper), 0, {}};
  for (const glm::vec4& ball : balls)
    extent.radius =
        std::max(extent.radius, glm::distance(glm::dvec3(ball), extent.centre) + static_cast<double>(ball.w));
  thin(balls);
  extent.balls = std::move(balls);
  return extent;
}

/// The balls of one space. Water and ions are kept apart until it is known how much else there is.
class Shown {
 public:
  /// Atoms of `mask`, and their images, each of a radius; `solvent` marks those of water and ions.
  template <class Radius>
  void add(const Frame& frame, const std::vector<std::uint8_t>& mask, const std::vector<std::uint8_t>& solvent,
           const std::vector<glm::vec3>& shifts, const Radius& radius) {
    const auto each = [&](const auto& visit) {
      for (std::size_t i = 0; i < mask.size() && i < frame.positions.size(); ++i) {
        const glm::vec3 p = frame.positions[i];
        if (!mask[i] || !std::isfinite(p.x + p.y + p.z)) continue;
        const bool wet = i < solvent.size() && solvent[i] != 0;
        for (const glm::vec3& shift : shifts) visit(wet, glm::vec4(p + shift, static_cast<float>(radius(i))));
      }
    };
    if (mask.size() <= many) return each([&](bool wet, const glm::vec4& ball) { add(wet, ball); });
    // A list of all would take more memory than the atoms.
    std::array<CentreBox, 2> boxes;
    std::array<std::size_t, 2> counts{};
    each([&](bool wet, const glm::vec4& ball) {
      boxes[wet].add(ball);
      ++counts[wet];
    });
    std::array<Outermost, 2> outermost{Outermost(boxes[0]), Outermost(boxes[1])};
    each([&](bool wet, const glm::vec4& ball) { outermost[wet].add(ball); });
    for (const bool wet : {false, true}) {
      if (counts[wet] > 0) outermost[wet].put_into(balls_[wet]);
      counts_[wet] += counts[wet];
    }
  }
  void add(glm::dvec3 point, double radius) { add(false, glm::vec4(point, radius)); }
  bool empty() const { return counts_[0] + counts_[1] == 0; }
  Extent extent() && {
    auto& [balls, solvent] = balls_;
    if (counts_[1] > counts_[0]) balls.insert(balls.end(), solvent.begin(), solvent.end());
    return extent_of(std::move(balls));
  }

 private:
  void add(bool wet, const glm::vec4& ball) {
    balls_[wet].push_back(ball);
    ++counts_[wet];
  }

  std::array<std::vector<glm::vec4>, 2> balls_;  ///< of all but water and ions, and of those
  std::array<std::size_t, 2> counts_{};          ///< of what they stand for
};

std::vector<std::uint8_t> solvent_of(const Topology& topology) {
  std::vector<std::uint8_t> solvent(topology.atoms.size());
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const ResidueKind kind = residue_kind(topology, r);
    if (kind != ResidueKind::water && kind != ResidueKind::ion) continue;
    const Residue& residue = topology.residues[r];
    std::fill_n(solvent.begin() + residue.first_atom, residue.atom_count, std::uint8_t{1});
  }
  return solvent;
}

/// How far a field reaches from the centres of its atoms, angstrom.
double reach_of(const Field& field) {
  if (field.slice.kind != SlicePlane::Kind::none) return 3;
  switch (field.kind) {
    case Field::Kind::gaussian:
      return 1.2 + 0.8 * static_cast<double>(field.radius_scale);
    case Field::Kind::solvent_excluded:
    case Field::Kind::cavities:
      return 1.9;
    case Field::Kind::solvent_accessible:
      return 1.9 + field.probe_radius;
    case Field::Kind::orbital:
      return 2.0;
    case Field::Kind::potential:
    case Field::Kind::contacts:
      return 3;
    case Field::Kind::volume:
      return 1.6;
  }
  return 1.6;
}

/// How much farther than `reach(i)` from its atoms an orbital may come, angstrom: diffuse functions, and those of
/// hydrogen with more than p, have their lobes outside. 0 where it is no more than the bound is uncertain by.
template <class Reach>
double beyond_reach(const Field& field, const Molecule& molecule, const Frame& frame, std::size_t number,
                    const Reach& reach) {
  constexpr double uncertain = 0.5;
  const auto orbitals =
      molecule.orbitals.empty() ? nullptr : molecule.orbitals_at(std::min(number, molecule.orbitals.size() - 1));
  const double level = std::abs(shown_isovalue(field));
  if (!orbitals || field.slice.kind != SlicePlane::Kind::none || !(level > 0)) return 0;
  OrbitalBox box;
  try {
    box = orbital_box(*orbitals, orbitals->find(field.orbital, field.spin), level);
  } catch (const Error&) {
    return 0;  // the field says why
  }
  glm::dvec3 lower(1e300), upper(-1e300);
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    lower = glm::min(lower, glm::dvec3(frame.positions[i]) - reach(i));
    upper = glm::max(upper, glm::dvec3(frame.positions[i]) + reach(i));
  }
  double farther = 0;
  for (int axis = 0; axis < 3; ++axis)
    farther = std::max({farther, lower[axis] - box.lower[axis], box.upper[axis] - upper[axis]});
  return farther > uncertain ? farther : 0;
}

/// The ends of the rows of a map where it is beyond its level; its corners where it is not shown by surfaces.
void add_map(const Field& field, const Volume& volume, Shown& shown) {
  const Grid& grid = volume.grid;
  const bool surfaces = field.show == Field::Show::surfaces && field.slice.kind == SlicePlane::Kind::none;
  const auto level = static_cast<float>(effective_isovalue(field));
  // A surface reaches beyond the last point that is above it, by a step at most.
  double step = 0;
  for (int i = 0; i < 3; ++i) step = std::max(step, glm::length(grid.step[i]));
  const auto beyond = [&](float v) {
    const bool above = level > 0 ? v >= level : v <= level;
    return above || (field.both_signs && (level > 0 ? v <= -level : v >= -level));
  };
  if (repeats_volume(field)) {  // of all copies, whatever is in them
    const glm::dvec3 counts(grid.counts), copies(field.repeat);
    for (int corner = 0; corner < 8; ++corner) {
      glm::dvec3 at = -counts * copies;
      for (int axis = 0; axis < 3; ++axis)
        if (corner & 1 << axis) at[axis] = (copies[axis] + 1) * counts[axis];
      shown.add(grid.point(at.x, at.y, at.z), 0);
    }
    return;
  }
  bool any = false;
  for (int k = 0; surfaces && k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j) {
      const float* row = &volume.values[grid.index(0, j, k)];
      int first = 0, last = grid.counts.x - 1;
      while (first <= last && !beyond(row[first])) ++first;
      while (last > first && !beyond(row[last])) --last;
      if (first > last) continue;
      any = true;
      shown.add(grid.point(first, j, k), step);
      shown.add(grid.point(last, j, k), step);
    }
  for (int corner = 0; corner < 8 && !any; ++corner)
    shown.add(grid.point(corner & 1 ? grid.counts.x - 1 : 0, corner & 2 ? grid.counts.y - 1 : 0,
                         corner & 4 ? grid.counts.z - 1 : 0),
              0);
}

/// Of all that is visible, in one space.
Extent extent_together(const Scene& scene, Documents& documents) {
  Shown all;
  const auto shown = [&](std::size_t molecule) {
    return molecule < scene.molecules.size() && scene.molecules[molecule].visible;
  };
  for (const Representation& representation : scene.representations) {
    if (!representation.visible || !shown(representation.molecule)) continue;
    const auto molecule = documents.molecule(scene.molecules[representation.molecule]);
    if (!molecule->topology || molecule->frame_count() == 0) continue;
    const Frame frame = frame_at(*molecule, scene.frame);
    const std::string words = with_names(scene, representation.molecule, representation.selection);
    const auto mask = Selection(words).mask(*molecule->topology, frame);
    const bool spheres = representation.style == Style::spheres;
    all.add(frame, mask, solvent_of(*molecule->topology),
            image_shifts(scene.molecules[representation.molecule], frame.cell), [&](std::size_t i) {
              const float own = molecule->topology->atoms[i].radius * representation.options.sphere_scale;
              return spheres ? std::max(static_cast<double>(own), atom_margin) : atom_margin;
            });
  }
  for (const Field& field : scene.fields) {
    if (!field.visible || !shown(field.molecule)) continue;
    const auto molecule = documents.molecule(scene.molecules[field.molecule]);
    if (field.kind == Field::Kind::volume) {
      const bool near_atoms = field.zone > 0 && !all.empty();
      if (field.volume < molecule->volumes.size() && !near_atoms) add_map(field, *molecule->volumes[field.volume], all);
      continue;
    }
    const Frame frame = frame_at(*molecule, scene.frame);
    if (!molecule->topology || frame.positions.empty()) continue;
    const bool of_atoms =
        wraps_atoms(field.kind) || field.kind == Field::Kind::potential || field.kind == Field::Kind::contacts;
    const std::string words = of_atoms ? with_names(scene, field.molecule, field.selection) : "all";
    const auto mask = Selection(words).mask(*molecule->topology, frame);
    const double reach = reach_of(field);
    // Lobes end sooner at hydrogens, and reach farther for a smaller value.
    const bool lobes = field.kind == Field::Kind::orbital;
    const double wider = lobes ? 0.5 * std::log(0.05 / std::clamp(std::abs(shown_isovalue(field)), 1e-4, 1.0)) : 0;
    const auto own = [&](std::size_t i) {
      const double least = lobes && molecule->topology->atoms[i].element == 1 ? reach - 0.9 : reach;
      return std::max(atom_margin, least + wider);
    };
    const double farther = lobes ? beyond_reach(field, *molecule, frame, scene.frame, own) : 0;
    all.add(frame, mask, solvent_of(*molecule->topology), {glm::vec3(0)},
            [&](std::size_t i) { return own(i) + farther; });
  }
  if (scene.show_box)
    for (std::size_t m = 0; m < scene.molecules.size(); ++m) {
      const auto molecule = shown(m) ? documents.molecule(scene.molecules[m]) : nullptr;
      if (!molecule || molecule->frame_count() == 0) continue;
      const Cell cell = frame_at(*molecule, scene.frame).cell;
      for (int corner = 0; corner < 8 && cell.exists(); ++corner)
        for (const glm::vec3& shift : image_shifts(scene.molecules[m], cell))
          all.add(cell.vectors * glm::dvec3(corner & 1, (corner >> 1) & 1, corner >> 2) + glm::dvec3(shift), 0);
    }
  return std::move(all).extent();
}

}  // namespace

Extent scene_extent(const Scene& scene, Documents& documents) {
  const std::vector<SceneTile> tiles = tiles_of(scene, documents);
  if (tiles.empty()) return extent_together(scene, documents);
  std::vector<glm::vec4> balls;
  for (const SceneTile& tile : tiles) {
    Scene alone = scene;
    for (std::size_t m = 0; m < alone.molecules.size(); ++m) alone.molecules[m].visible = m == tile.molecule;
    for (const glm::vec4& ball : extent_together(alone, documents).balls)
      balls.push_back(ball - glm::vec4(glm::vec3(tile.shift), 0));
  }
  return extent_of(std::move(balls));
}

void fit_unset_camera(Scene& scene, Documents& documents, double aspect) {
  if (scene.camera.height > 0) return;
  scene.camera.height = Camera{}.height;
  scene.camera.fit(scene_extent(scene, documents).balls, aspect);
}

}  // namespace isolume
