// The smooth curve through a backbone, with a direction across it.
#include "render/represent/curve.h"

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

glm::vec3 unit(glm::vec3 v, glm::vec3 otherwise) {
  const float length = glm::length(v);
  return length > 1e-6f ? v / length : otherwise;
}

glm::vec3 any_across(glm::vec3 t) {
  return glm::normalize(glm::cross(t, std::abs(t.x) < 0.7f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0)));
}

/// The part of v across the unit vector t, of length 1.
glm::vec3 across(glm::vec3 v, glm::vec3 t) {
  const glm::vec3 w = v - t * glm::dot(v, t);
  return glm::length(w) > 1e-4f ? glm::normalize(w) : any_across(t);
}

}  // namespace

std::vector<Shape> shapes(const Backbone& backbone) {
  const std::size_t n = backbone.residues.size();
  std::vector<Shape> result(n, Shape::coil);
  if (backbone.nucleic) return result;
  for (std::size_t i = 0; i < n; ++i) {
    switch (backbone.residues[i].structure) {
      case SecondaryStructure::helix:
      case SecondaryStructure::helix_3_10:
      case SecondaryStructure::helix_pi:
        result[i] = Shape::helix;
        break;
      case SecondaryStructure::strand:
        result[i] = Shape::strand;
        break;
      default:
        break;
    }
  }
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && result[end] == result[begin]) ++end;
    const std::size_t least = result[begin] == Shape::helix ? 4 : result[begin] == Shape::strand ? 2 : 1;
    if (end - begin < least)
      std::fill(result.begin() + static_cast<std::ptrdiff_t>(begin), result.begin() + static_cast<std::ptrdiff_t>(end),
                Shape::coil);
    begin = end;
  }
  return result;
}

Curve::Curve(const Backbone& backbone, const std::vector<Shape>& shapes) {
  for (const BackboneResidue& residue : backbone.residues) points_.push_back(residue.position);
  set_across(backbone, shapes);
  // The zigzag of a strand is taken out after its planes are known.
  const std::size_t n = points_.size();
  for (int round = 0; round < 2; ++round) {
    std::vector<glm::vec3> smooth = points_;
    for (std::size_t i = 1; i + 1 < n; ++i)
      if (shapes[i] == Shape::strand) smooth[i] = 0.25f * points_[i - 1] + 0.5f * points_[i] + 0.25f * points_[i + 1];
    points_ = std::move(smooth);
  }
  set_tangents(shapes);
}

std::vector<glm::vec3> Curve::helix_axes(const std::vector<Shape>& shapes) const {
  const std::size_t n = points_.size();
  std::vector<glm::vec3> axes(n, glm::vec3(0));
  const auto bend = [this](std::size_t i) { return 2.0f * points_[i] - points_[i - 1] - points_[i + 1]; };
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && shapes[end] == shapes[begin]) ++end;
    if (shapes[begin] == Shape::helix && end - begin >= 3) {
      // Bends point away from the axis, so two of them span the plane across it. At the ends the nearest counts.
      for (std::size_t i = begin + 1; i + 2 < end; ++i) {
        const glm::vec3 axis = unit(glm::cross(bend(i), bend(i + 1)), glm::vec3(0));
        axes[i] += axis;
        axes[i + 1] += axis;
      }
      for (std::size_t i = begin; i < end; ++i) axes[i] = unit(axes[std::clamp(i, begin + 1, end - 2)], glm::vec3(0));
    }
    begin = end;
  }
  return axes;
}

void Curve::set_across(const Backbone& backbone, const std::vector<Shape>& shapes) {
  const std::size_t n = points_.size();
  across_.assign(n, glm::vec3(0));
  // One plane per peptide, between residues i and i + 1.
  std::vector<glm::vec3> planes(n, glm::vec3(0));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const glm::vec3& oxygen = backbone.residues[i].across;
    if (glm::dot(oxygen, oxygen) < 1e-6f) continue;
    planes[i] = across(oxygen, unit(points_[i + 1] - points_[i], glm::vec3(0, 0, 1)));
  }
  const std::vector<glm::vec3> axes = helix_axes(shapes);
  for (std::size_t i = 0; i < n; ++i) {
    const glm::vec3 before = points_[i > 0 ? i - 1 : 0], after = points_[std::min(i + 1, n - 1)];
    const glm::vec3 t = unit(after - before, glm::vec3(0, 0, 1));
    // Out of the bend.
    glm::vec3 out = 2.0f * points_[i] - before - after;
    if ((i == 0 || i + 1 == n) && n > 2) {
      const std::size_t inner = i == 0 ? 1 : n - 2;
      out = 2.0f * points_[inner] - points_[inner - 1] - points_[inner + 1];
    }
    glm::vec3 w = axes[i];
    if (shapes[i] != Shape::helix) {
      const glm::vec3 first = i > 0 ? planes[i - 1] : glm::vec3(0), second = planes[i];
      w = first + (glm::dot(first, second) < 0 ? -second : second);
    }
    if (glm::dot(w, w) < 1e-6f) w = glm::cross(t, out);
    // The axis of a helix stays as it is: it is made orthogonal to the tangent between the residues, too.
    if (glm::dot(axes[i], axes[i]) == 0) w = across(w, t);
    if (i > 0 && glm::dot(w, across_[i - 1]) < 0) w = -w;
    across_[i] = w;
  }
  for (int round = 0; round < 3; ++round) {
    std::vector<glm::vec3> smooth = across_;
    for (std::size_t i = 0; i < n; ++i) {
      glm::vec3 sum = 2.0f * across_[i];
      if (i > 0 && shapes[i - 1] == shapes[i]) sum += across_[i - 1];
      if (i + 1 < n && shapes[i + 1] == shapes[i]) sum += across_[i + 1];
      smooth[i] = unit(sum, across_[i]);
    }
    across_ = std::move(smooth);
  }
  // Sections look the same from behind, so the sign is free: none that would twist the ribbon by half a turn.
  for (std::size_t i = 1; i < n; ++i)
    if (glm::dot(across_[i], across_[i - 1]) < 0) across_[i] = -across_[i];
}

void Curve::set_tangents(const std::vector<Shape>& shapes) {
  const std::size_t n = points_.size();
  tangents_.assign(n, glm::vec3(0, 0, 1));
  if (n < 2) return;
  const std::vector<glm::vec3> axes = helix_axes(shapes);
  for (std::size_t i = 0; i < n; ++i) {
    glm::vec3 t = 0.5f * (points_[std::min(i + 1, n - 1)] - points_[i > 0 ? i - 1 : 0]);
    if (i == 0 || i + 1 == n) t *= 2.0f;
    if (shapes[i] == Shape::coil && i > 0 && i + 1 < n) t *= 1.2f;  // rounder bends
    if (shapes[i] == Shape::helix && i > 0 && i + 1 < n) {
      // A chord over 200 degrees is shorter than the arc: across the axis the tangent is 4 tan(25 deg) / sin(100 deg)
      // times as long, so that the Hermite curve runs on a circle.
      if (glm::dot(axes[i], axes[i]) > 0) t += 0.894f * (t - axes[i] * glm::dot(axes[i], t));
    }
    tangents_[i] = t;
  }
}

void Curve::extend(glm::vec3 point) {
  const std::size_t n = points_.size();
  if (n == 0) return;
  const glm::vec3 step = point - points_.back();
  tangents_.back() = n > 1 ? 0.5f * (point - points_[n - 2]) : step;
  tangents_.push_back(step);
  across_.push_back(across_.back());
  points_.push_back(point);
}

Station Curve::at(float u) const {
  const std::size_t n = points_.size();
  if (n == 1) return {points_[0], glm::vec3(0, 0, 1), glm::vec3(1, 0, 0)};
  const auto i = static_cast<std::size_t>(std::clamp(std::floor(u), 0.0f, static_cast<float>(n - 2)));
  const float t = std::clamp(u - static_cast<float>(i), 0.0f, 1.0f), s = 1 - t;
  Station station;
  station.position = (1 + 2 * t) * s * s * points_[i] + t * s * s * tangents_[i] +
                     t * t * (3 - 2 * t) * points_[i + 1] - t * t * s * tangents_[i + 1];
  const glm::vec3 slope =
      6 * t * s * (points_[i + 1] - points_[i]) + s * (1 - 3 * t) * tangents_[i] + t * (3 * t - 2) * tangents_[i + 1];
  station.tangent = unit(slope, unit(points_[i + 1] - points_[i], glm::vec3(0, 0, 1)));
  const float blend = t * t * (3 - 2 * t);
  station.across = across((1 - blend) * across_[i] + blend * across_[i + 1], station.tangent);
  return station;
}

}  // namespace isolume
