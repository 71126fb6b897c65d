// Where rays meet spheres, cylinders and triangles, which clipping planes may have cut.
#pragma once

#include "compute/trace/trace_data.h"

namespace isolume::tracing {

/// Narrows the part from `enter` to `leave` of a ray's line to what no plane of `mask` cuts away.
template <class T>
ISOLUME_HOST_DEVICE inline void cut_line(const TraceView& view, unsigned mask, const Ray<T>& ray, T& enter, T& leave,
                                         int& plane) {
  for (int i = 0; i < view.plane_count; ++i) {
    if (!(mask >> i & 1u)) continue;
    const auto& p = view.planes[i];
    const Vec<T> normal = vec<T>(p);
    const T begin = dot(normal, ray.origin) + T(p.w), slope = dot(normal, ray.direction);
    if (slope < T(1e-7) && slope > T(-1e-7)) {
      if (begin > 0) leave = enter;
      continue;
    }
    const T t = -begin / slope;
    if (slope > 0) {
      leave = least(leave, t);
    } else if (t > enter) {
      enter = t;
      plane = i;
    }
  }
}

template <class T>
ISOLUME_HOST_DEVICE inline bool meets_sphere(const TraceView& view, unsigned planes, const Ray<T>& ray, Vec<T> centre,
                                             T radius, Hit<T>& hit) {
  const Vec<T> to_centre = centre - ray.origin;
  const T along = dot(to_centre, ray.direction);
  // The distance of the centre from the line, in this order for precision far from the eye.
  const Vec<T> across = to_centre - along * ray.direction;
  const T inside = radius * radius - dot(across, across);
  if (!(inside > 0)) return false;
  const T half = root(inside);
  T enter = along - half, leave = along + half;
  hit.plane = -1;
  if (planes) cut_line(view, planes, ray, enter, leave, hit.plane);
  if (!(enter > ray.begin && enter < ray.end && enter < leave)) return false;
  hit.distance = enter;
  return true;
}

/// Where a line enters a cylinder: so far from the origin, and at this part of the axis.
template <class T>
ISOLUME_HOST_DEVICE inline bool enters_cylinder(Vec<T> a, Vec<T> axis, T axis2, T radius, bool round, Vec<T> origin,
                                                Vec<T> direction, T& t, T& along) {
  const Vec<T> from_a = origin - a;
  const T axis_ray = dot(axis, direction), axis_from = dot(axis, from_a), radius2 = radius * radius;
  // Across the axis: p t^2 + 2 q t + c = 0.
  const Vec<T> ray_across = direction - (axis_ray / axis2) * axis;
  const Vec<T> from_across = from_a - (axis_from / axis2) * axis;
  const T p = dot(ray_across, ray_across), q = dot(ray_across, from_across);
  const T c = dot(from_across, from_across) - radius2;
  if (p > T(1e-12)) {
    const Vec<T> nearest = from_across - (q / p) * ray_across;
    const T h = radius2 - dot(nearest, nearest);
    if (h < 0) return false;
    t = -q / p - root(h / p);
    along = (axis_from + t * axis_ray) / axis2;
  } else {
    if (c > 0) return false;  // the ray runs along the axis
    along = axis_ray > 0 ? T(-1) : T(2);
  }
  if (along > 0 && along < 1) return true;
  const bool at_a = along <= 0;
  if (round) {
    const Vec<T> to_end = (at_a ? a : a + axis) - origin;
    const T nearest = dot(to_end, direction);
    const Vec<T> across = to_end - nearest * direction;
    const T inside = radius2 - dot(across, across);
    if (!(inside > 0)) return false;
    t = nearest - root(inside);
  } else {
    if (at_a ? axis_ray <= 0 : axis_ray >= 0) return false;
    t = ((at_a ? T(0) : axis2) - axis_from) / axis_ray;
    const Vec<T> across = from_across + t * ray_across;
    if (dot(across, across) > radius2) return false;
  }
  along = at_a ? T(0) : T(1);
  return true;
}

template <class T>
ISOLUME_HOST_DEVICE inline bool meets_cylinder(const TraceView& view, unsigned planes, const Ray<T>& ray,
                                               const TraceCylinder& cylinder, Hit<T>& hit) {
  const Vec<T> a = vec<T>(cylinder.a), axis = vec<T>(cylinder.b) - a;
  const T radius = T(cylinder.radius), axis2 = most(dot(axis, axis), T(1e-12));
  // From close by: squares of large distances would cost precision.
  const T reach = root(axis2) + 2 * radius;
  const T shift = dot(a + T(0.5) * axis - ray.origin, ray.direction) - reach;
  const Vec<T> near = ray.origin + shift * ray.direction;
  const bool round = cylinder.round_ends != 0;
  T enter, along;
  if (!enters_cylinder(a, axis, axis2, radius, round, near, ray.direction, enter, along)) return false;
  enter = enter + shift;
  hit.plane = -1;
  if (planes) {
    // It leaves where the line from behind enters.
    T back, there;
    if (!enters_cylinder(a, axis, axis2, radius, round, near + (2 * reach) * ray.direction, -ray.direction, back,
                         there))
      return false;
    T leave = shift + 2 * reach - back;
    cut_line(view, planes, ray, enter, leave, hit.plane);
    if (!(enter < leave)) return false;
    if (hit.plane >= 0) along = dot(ray.origin + enter * ray.direction - a, axis) / axis2;
  }
  // A ray that begins on it does not enter it by an error of rounding.
  if (!(enter > ray.begin + T(2e-5) * reach && enter < ray.end)) return false;
  hit.distance = enter;
  hit.u = along;
  return true;
}

/// Moeller and Trumbore 1997.
template <class T>
ISOLUME_HOST_DEVICE inline bool meets_triangle(const TraceData& data, const Ray<T>& ray, const TraceTriangle& triangle,
                                               Hit<T>& hit) {
  const Vec<T> a = vec<T>(data.vertices[triangle.a]);
  const Vec<T> ab = vec<T>(data.vertices[triangle.b]) - a, ac = vec<T>(data.vertices[triangle.c]) - a;
  const Vec<T> p = cross(ray.direction, ac);
  const T determinant = dot(ab, p);
  if (determinant == 0) return false;
  const T inverse = 1 / determinant;
  const Vec<T> from = ray.origin - a;
  const T u = inverse * dot(from, p);
  if (!(u >= 0 && u <= 1)) return false;
  const Vec<T> q = cross(from, ab);
  const T v = inverse * dot(ray.direction, q);
  if (!(v >= 0 && u + v <= 1)) return false;
  const T t = inverse * dot(ac, q);
  if (!(t > ray.begin && t < ray.end)) return false;
  hit.distance = t;
  hit.u = u;
  hit.v = v;
  hit.plane = -1;
  return true;
}

/// What is known of the place that a ray meets.
template <class T>
struct Place {
  Vec<T> position;
  Vec<T> normal;  ///< of the shading, on the side that the ray comes from
  Vec<T> face;    ///< of the surface itself, on that side
  Vec<T> colour;  ///< linear
  T alpha;        ///< of the colour
  bool flat;      ///< of a triangle: rays that begin there begin a little off it
};

template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> linear_colour(const TraceData& data, glm::u8vec4 c) {
  return {T(data.linear[c.x]), T(data.linear[c.y]), T(data.linear[c.z])};
}

/// Of a triangle: colour and normal between its corners.
template <class T>
ISOLUME_HOST_DEVICE inline void on_triangle(const TraceData& data, const TraceTriangle& triangle, const Ray<T>& ray,
                                            const Hit<T>& hit, Place<T>& place) {
  const Vec<T> a = vec<T>(data.vertices[triangle.a]), b = vec<T>(data.vertices[triangle.b]),
               c = vec<T>(data.vertices[triangle.c]);
  const T w = 1 - hit.u - hit.v;
  place.position = w * a + hit.u * b + hit.v * c;
  place.face = unit(cross(b - a, c - a));
  if (dot(place.face, ray.direction) > 0) place.face = -place.face;
  Vec<T> normal = w * vec<T>(data.normals[triangle.a]) + hit.u * vec<T>(data.normals[triangle.b]) +
                  hit.v * vec<T>(data.normals[triangle.c]);
  normal = dot(normal, normal) > T(1e-12) ? unit(normal) : place.face;
  if (dot(normal, place.face) < 0) normal = -normal;
  // A normal that faces away from the ray is bent to the rim.
  const T facing = dot(normal, ray.direction);
  if (facing > T(-1e-3)) normal = unit(normal - (facing + T(1e-3)) * ray.direction);
  place.normal = normal;
  const glm::u8vec4 ca = data.vertex_colours[triangle.a], cb = data.vertex_colours[triangle.b],
                    cc = data.vertex_colours[triangle.c];
  // Between the corners in sRGB, as the rasteriser does, would need a power: linear colours differ little on triangles
  // of the size of a pixel.
  place.colour =
      w * linear_colour<T>(data, ca) + hit.u * linear_colour<T>(data, cb) + hit.v * linear_colour<T>(data, cc);
  place.alpha = (w * T(ca.w) + hit.u * T(cb.w) + hit.v * T(cc.w)) / 255;
  place.flat = true;
}

template <class T>
ISOLUME_HOST_DEVICE inline Place<T> place_of(const TraceData& data, const TraceView& view, const Ray<T>& ray,
                                             const Hit<T>& hit) {
  Place<T> place;
  place.flat = false;
  place.position = ray.origin + hit.distance * ray.direction;
  std::uint32_t shape = hit.shape;
  if (shape < data.sphere_count) {
    const glm::vec4 sphere = data.spheres[shape];
    const Vec<T> centre = vec<T>(sphere);
    place.normal = unit(place.position - centre);
    if (hit.plane < 0) place.position = centre + T(sphere.w) * place.normal;
    const glm::u8vec4 c = data.sphere_colours[shape];
    place.colour = linear_colour<T>(data, c);
    place.alpha = T(c.w) / 255;
  } else if (shape -= data.sphere_count; shape < data.cylinder_count) {
    const TraceCylinder& cylinder = data.cylinders[shape];
    const Vec<T> a = vec<T>(cylinder.a), axis = vec<T>(cylinder.b) - a;
    const bool mantle = hit.u > 0 && hit.u < 1;
    if (mantle || cylinder.round_ends != 0) {
      const Vec<T> middle = a + hit.u * axis;
      place.normal = unit(place.position - middle);
      if (hit.plane < 0) place.position = middle + T(cylinder.radius) * place.normal;
    } else {
      place.normal = unit(hit.u <= 0 ? -axis : axis);
    }
    const glm::u8vec4 c = hit.u < T(0.5) ? cylinder.colour_a : cylinder.colour_b;
    place.colour = linear_colour<T>(data, c);
    place.alpha = T(c.w) / 255;
  } else {
    on_triangle(data, data.triangles[shape - data.cylinder_count], ray, hit, place);
    return place;
  }
  if (hit.plane >= 0) {
    // A cut is flat, and darker, as the rasteriser draws it.
    place.normal = vec<T>(view.planes[hit.plane]);
    place.colour = T(0.61) * place.colour;
  }
  place.face = place.normal;
  return place;
}

/// The part of the rays that a shape stops where they meet it as this one does. 0 where it is not there for the ray.
template <class T>
ISOLUME_HOST_DEVICE inline T opacity_at(const TraceData& data, const TraceView& view, const Question& question,
                                        const Ray<T>& ray, const Hit<T>& hit, std::uint32_t which) {
  const TraceMaterial material = data.materials[which];
  if (!material.lit && !question.camera) return 0;
  const Place<T> place = place_of(data, view, ray, hit);
  if (place.flat && material.planes) {
    for (int i = 0; i < view.plane_count; ++i)
      if ((material.planes >> i & 1) && dot(vec<T>(view.planes[i]), place.position) + T(view.planes[i].w) > 0) return 0;
  }
  T alpha = place.alpha * T(material.opacity);
  if (!(alpha > 0)) return 0;
  const T facing = least(T(1), -dot(place.normal, ray.direction));
  if (material.glass) {
    alpha = alpha * (T(0.14) + T(0.86) * power(most(T(0), 1 - facing), T(2.2)));
  } else if (place.flat && material.lit && alpha < 1) {
    // A thin sheet seen along itself is thicker, and so less transparent.
    alpha = 1 - power(1 - alpha, 1 / most(facing, T(0.25)));
  }
  return alpha;
}

/// Whether a shape that a ray meets stops it: of transparent ones a part of the rays.
template <class T>
ISOLUME_HOST_DEVICE inline bool stops(const TraceData& data, const TraceView& view, const Question& question,
                                      const Ray<T>& ray, const Hit<T>& hit, std::uint32_t which) {
  const T alpha = opacity_at(data, view, question, ray, hit, which);
  if (question.all || alpha >= 1) return alpha > 0;
  return alpha > 0 && T(question.random.one(question.dimension, hit.shape)) < alpha;
}

/// Whether a ray meets a shape and is stopped by it.
template <class T>
ISOLUME_HOST_DEVICE inline bool meets(const TraceData& data, const TraceView& view, const Question& question,
                                      const Ray<T>& ray, std::uint32_t shape, Hit<T>& hit) {
  const std::uint32_t which = data.material_of(shape);
  const bool plain = data.kinds[which] & plain_kind;
  const unsigned planes = plain ? 0 : data.materials[which].planes;
  hit.shape = shape;
  if (shape < data.sphere_count) {
    const glm::vec4 sphere = data.spheres[shape];
    if (!meets_sphere(view, planes, ray, vec<T>(sphere), T(sphere.w), hit)) return false;
  } else if (shape -= data.sphere_count; shape < data.cylinder_count) {
    if (!meets_cylinder(view, planes, ray, data.cylinders[shape], hit)) return false;
  } else if (!meets_triangle(data, ray, data.triangles[shape - data.cylinder_count], hit)) {
    return false;
  }
  return plain || stops(data, view, question, ray, hit, which);
}

}  // namespace isolume::tracing
