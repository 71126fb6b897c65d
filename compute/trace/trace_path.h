// One sample of a pixel: a path from the eye along which light comes. For the CPU, CUDA and the reference.
#pragma once

#include "compute/trace/trace_clouds.h"

namespace isolume::tracing {

/// What a path brings: linear RGB times coverage, and what is seen first.
template <class T>
struct Sample {
  Vec<T> light{0, 0, 0};
  Vec<T> albedo{0, 0, 0};  ///< times coverage
  T cover = 0;
};

/// The ray of a place in the picture, in pixels from its upper left corner, through a place of the lens (parts of the
/// unit square).
template <class T>
ISOLUME_HOST_DEVICE inline Ray<T> camera_ray(const TraceView& view, T x, T y, T u, T v) {
  const TraceCamera& camera = view.camera;
  const Vec<T> right = vec<T>(camera.right), up = vec<T>(camera.up), forward = vec<T>(camera.forward);
  const T scale = 2 * T(camera.half_height) / T(view.height);
  const T across = scale * (x - T(0.5) * T(view.width)), high = scale * (T(0.5) * T(view.height) - y);
  const T far = T(1e30);
  Vec<T> eye = vec<T>(camera.eye);
  Vec<T> lens{0, 0, 0};
  if (camera.lens > 0) {
    const T r = T(camera.lens) * root(u);
    T sine, cosine;
    turn(T(6.283185307179586) * v, sine, cosine);
    lens = (r * cosine) * right + (r * sine) * up;
  }
  if (camera.orthographic) {
    const Vec<T> place = eye + across * right + high * up;
    if (!(camera.lens > 0)) return {place, forward, 0, far};
    const Vec<T> direction = unit(forward + lens);
    const Vec<T> sharp = place + T(camera.focus) * forward;
    return {sharp - (T(camera.focus) / dot(direction, forward)) * direction, direction, 0, far};
  }
  const Vec<T> towards = forward + across * right + high * up;
  if (!(camera.lens > 0)) return {eye, unit(towards), 0, far};
  return {eye + lens, unit(T(camera.focus) * towards - lens), 0, far};
}

template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> sky_of(const TraceLight& light, Vec<T> direction) {
  const T up = T(0.5) + T(0.5) * dot(direction, vec<T>(light.up));
  return (1 - up) * vec<T>(light.ground) + up * vec<T>(light.sky);
}

/// Schlick 1994.
template <class T>
ISOLUME_HOST_DEVICE inline T fresnel(T reflectance, T cosine) {
  const T m = within(T(0), 1 - cosine, T(1)), m2 = m * m;
  return reflectance + (1 - reflectance) * m2 * m2 * m;
}

/// Smith's masking of GGX in one direction, as lambda.
template <class T>
ISOLUME_HOST_DEVICE inline T lambda(T cosine, T roughness2) {
  const T c2 = most(cosine * cosine, T(1e-10));
  return T(0.5) * (root(1 + roughness2 * (1 - c2) / c2) - 1);
}

/// How a surface answers light from a direction, times pi: body and coat.
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> answer(const TraceMaterial& material, Vec<T> colour, Vec<T> normal, Vec<T> to_eye,
                                         Vec<T> to_light) {
  const T reflectance = T(material.reflectance);
  const T seen = most(dot(normal, to_eye), T(1e-4)), lit = dot(normal, to_light);
  if (!(lit > 0)) return {0, 0, 0};
  Vec<T> result{0, 0, 0};
  if (!material.metal) result = (1 - (reflectance > 0 ? fresnel(reflectance, seen) : T(0))) * colour;
  if (!(reflectance > 0) && !material.metal) return result;
  const Vec<T> half = unit(to_eye + to_light);
  const T a2 = T(material.roughness) * T(material.roughness), c = dot(normal, half);
  const T d = c * c * (a2 - 1) + 1;
  const T spread = a2 / (d * d);  // of GGX, times pi
  const T mask = 1 / (1 + lambda(seen, a2) + lambda(lit, a2));
  const T shine = spread * mask / (4 * seen * lit);
  const T cosine = dot(half, to_eye);
  if (!material.metal) {
    const T f = fresnel(reflectance, cosine) * shine;
    return result + Vec<T>{f, f, f};
  }
  return shine * Vec<T>{fresnel(colour.x, cosine), fresnel(colour.y, cosine), fresnel(colour.z, cosine)};
}

/// A new direction for a path and what it is multiplied by; false where it ends. The coat is taken with the probability
/// that Fresnel's formula gives for the direction of sight; its normals are those that are seen (Heitz, JCGT 7 (2018)
/// 4).
template <class T>
ISOLUME_HOST_DEVICE inline bool scatter(const TraceMaterial& material, const Place<T>& place, Vec<T> to_eye, T lobe,
                                        T u, T v, Vec<T>& direction, Vec<T>& factor) {
  const Vec<T> n = place.normal;
  const T seen = most(dot(n, to_eye), T(1e-4));
  const T coat = material.reflectance > 0 ? fresnel(T(material.reflectance), seen) : T(0);
  if (!material.metal && !(lobe < coat)) {
    direction = cosine_direction(n, u, v);
    factor = place.colour;
  } else {
    const T a = T(material.roughness);
    Vec<T> s, t;
    axes_of(n, s, t);
    const Vec<T> e = unit(Vec<T>{a * dot(s, to_eye), a * dot(t, to_eye), seen});
    Vec<T> s1, t1;
    axes_of(e, s1, t1);
    const T r = root(u);
    T sine, cosine;
    turn(T(6.283185307179586) * v, sine, cosine);
    // The disc that is seen: half of it is the rim's, foreshortened.
    const T p1 = r * cosine;
    T p2 = r * sine;
    // `up` is the axis across e that leans towards the normal.
    const T across = root(most(T(0), 1 - e.z * e.z));
    if (across > T(1e-6)) {
      s1 = {-e.y / across, e.x / across, 0};
      t1 = cross(e, s1);
    }
    const T lean = T(0.5) * (1 + e.z);
    p2 = (1 - lean) * root(most(T(0), 1 - p1 * p1)) + lean * p2;
    const Vec<T> h = p1 * s1 + p2 * t1 + root(most(T(0), 1 - p1 * p1 - p2 * p2)) * e;
    const Vec<T> half = unit((a * h.x) * s + (a * h.y) * t + most(T(1e-6), h.z) * n);
    const T cosine_half = dot(half, to_eye);
    direction = (2 * cosine_half) * half - to_eye;
    const T lit = dot(n, direction);
    if (!(lit > 0)) return false;
    const T a2 = a * a, masked = lambda(seen, a2);
    const T mask = (1 + masked) / (1 + masked + lambda(lit, a2));
    if (material.metal) {
      factor = mask * Vec<T>{fresnel(place.colour.x, cosine_half), fresnel(place.colour.y, cosine_half),
                             fresnel(place.colour.z, cosine_half)};
    } else {
      // Chosen by the macroscopic normal, reflected by the microscopic one.
      const T f = mask * fresnel(T(material.reflectance), cosine_half) / coat;
      factor = {f, f, f};
    }
  }
  // Interpolated normals let a direction lead into the surface: it is mirrored out.
  const T out = dot(direction, place.face);
  if (out < 0) direction = direction - (2 * out) * place.face;
  return true;
}

/// A ray from a place on a surface.
template <class T>
ISOLUME_HOST_DEVICE inline Ray<T> ray_from(const Place<T>& place, Vec<T> direction, T end) {
  Vec<T> origin = place.position;
  if (place.flat) {
    const Vec<T> p = origin;
    const T size = most(most(p.x, -p.x), most(most(p.y, -p.y), most(p.z, -p.z)));
    origin = origin + (T(1e-4) + T(2e-6) * size) * place.face;
  }
  return {origin, direction, 0, end};
}

/// A path on its way.
template <class T>
struct Path {
  Sample<T> sample;  ///< what it has brought so far
  Ray<T> ray;        ///< where it goes on
  Vec<T> weight{1, 1, 1};
  Question question;
  int bounce = 0;
};

template <class T>
ISOLUME_HOST_DEVICE inline Path<T> path_of(const TraceView& view, int x, int y, int number) {
  const std::uint32_t pixel =
      static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(view.width) + static_cast<std::uint32_t>(x);
  Path<T> path;
  path.question = {{mixed(view.seed, pixel), static_cast<std::uint32_t>(number)}, 2, true, false};
  float u, v, p = 0, q = 0;
  path.question.random.pair(0, u, v);
  if (view.camera.lens > 0) path.question.random.pair(1, p, q);
  path.ray = camera_ray<T>(view, T(x) + T(u), T(y) + T(v), T(p), T(q));
  return path;
}

/// What the camera sees first, of which clouds let the part `keep` through: its coverage and colour. False where that
/// is all, since it is not lit.
template <class T>
ISOLUME_HOST_DEVICE inline bool first_seen(const TraceView& view, const Place<T>& place, bool lit, T keep,
                                           Path<T>& path) {
  const T far = dot(place.position - vec<T>(view.camera.eye), vec<T>(view.camera.forward));
  const T faded = within(T(0), (far - T(view.fog_begin)) / most(T(view.fog_end) - T(view.fog_begin), T(1e-6)), T(1));
  const T cover = keep * (1 - T(view.fog) * faded);
  path.sample.cover = path.sample.cover + cover;
  path.sample.albedo = path.sample.albedo + cover * place.colour;
  path.weight = {cover, cover, cover};
  if (!lit) path.sample.light = path.sample.light + cover * place.colour;
  return lit;
}

/// Takes the light of the clouds on the ray of a path up to `end`; gives the part of what is behind them that is seen.
template <class T>
ISOLUME_HOST_DEVICE inline T add_clouds(const TraceData& data, const TraceView& view, const Ray<T>& ray, T end,
                                        Path<T>& path) {
  const bool camera = path.bounce == 0;
  const Haze<T> haze = through_clouds(data, view, ray, end, path.question, camera);
  path.sample.light = path.sample.light + path.weight * haze.light;
  path.weight = haze.keep * path.weight;
  if (camera) {
    path.sample.albedo = haze.light;
    path.sample.cover = 1 - haze.keep;
  }
  return haze.keep;
}

/// The first surface that stops a ray. Of a ray of the camera transparent ones are met one after the other, and one
/// number decides on all of them: what is left of it behind a surface is as even as it was. So of the samples of a
/// pixel the right part goes through, however many triangles it sees; a number for each of them would be grain. What is
/// nearer to a surface than a millionth of the way there belongs to it, as the neighbour does that shares its edge.
template <class T, class Geometry>
ISOLUME_HOST_DEVICE inline bool first_that_stops(const TraceData& data, const TraceView& view, Geometry& geometry,
                                                 const Question& question, const Ray<T>& ray, Hit<T>& hit) {
  Question each = question;
  each.all = question.camera;
  Ray<T> rest = ray;
  T number = question.camera ? T(question.random.one(question.dimension, 0)) : T(0);
  for (;;) {
    if (!geometry.closest(rest, each, hit)) return false;
    if (!question.camera) return true;
    const std::uint32_t which = data.material_of(hit.shape);
    if (data.kinds[which] & plain_kind) return true;
    const T alpha = opacity_at(data, view, question, rest, hit, which);
    if (number < alpha || alpha >= 1) return true;
    number = (number - alpha) / (1 - alpha);
    rest.begin = hit.distance * T(1.000001);
    hit = {};
  }
}

/// Follows the ray of a path to the next surface and takes the light that comes from the sun there. False where the
/// path ends. `Geometry` has closest(ray, question, hit) and hidden(ray, question), which take what Question says into
/// account, and says whether there may be clouds: code that is not there costs scenes without them nothing.
template <class T, class Geometry>
ISOLUME_HOST_DEVICE inline bool follow(const TraceData& data, const TraceView& view, Geometry& geometry,
                                       Path<T>& path) {
  const TraceLight& light = view.light;
  const Vec<T> sun = vec<T>(light.sun);
  const T reach = least(T(light.reach), T(1e30));
  Question& question = path.question;
  const Random& random = question.random;
  const Ray<T> ray = path.ray;
  const bool clouds = Geometry::clouds && data.cloud_count > 0;
  Hit<T> hit;
  const bool met =
      first_that_stops(data, view, geometry, question, ray, hit) && !(path.bounce > 0 && hit.distance > reach);
  T keep = 1;
  if (clouds) keep = add_clouds(data, view, ray, met ? hit.distance : path.bounce > 0 ? reach : ray.end, path);
  if (!met) {
    if (path.bounce > 0) path.sample.light = path.sample.light + path.weight * sky_of(light, ray.direction);
    return false;
  }
  const Place<T> place = place_of(data, view, ray, hit);
  const TraceMaterial material = data.materials[data.material_of(hit.shape)];
  if (path.bounce == 0 && !first_seen(view, place, material.lit != 0, keep, path)) return false;
  const Vec<T> to_eye = -ray.direction;
  const std::uint32_t first = 3 + 4 * static_cast<std::uint32_t>(path.bounce);  // dimension
  float u, v;
  question.camera = false;
  if (largest_of(sun) > 0) {
    random.pair(first, u, v);
    const Vec<T> to_sun = cone_direction(vec<T>(light.direction), T(light.angle), T(u), T(v));
    const T facing = dot(place.normal, to_sun);
    if (facing > 0 && dot(place.face, to_sun) > 0) {
      question.dimension = first + 1;
      const Ray<T> shadow = ray_from(place, to_sun, T(1e30));
      if (!geometry.hidden(shadow, question)) {
        const T part = clouds ? facing * through_clouds(data, view, shadow, shadow.end, question, false).keep : facing;
        path.sample.light = path.sample.light +
                            part * (path.weight * sun * answer(material, place.colour, place.normal, to_eye, to_sun));
      }
    }
  }
  random.pair(first + 2, u, v);
  const bool coated = material.reflectance > 0 && !material.metal;
  const T lobe = coated ? T(random.one(first + 3, 0)) : T(1);
  Vec<T> direction, factor;
  if (!scatter(material, place, to_eye, lobe, T(u), T(v), direction, factor)) return false;
  path.weight = path.weight * factor;
  const T strength = largest_of(path.weight);
  if (!(strength > 0)) return false;
  question.dimension = first + 3;
  if (path.bounce + 1 >= view.bounces) {
    if (clouds) {
      // What glows before a surface is seen, too.
      const Ray<T> last = ray_from(place, direction, reach);
      const bool hidden = geometry.closest(last, question, hit);
      ++path.bounce;
      add_clouds(data, view, last, hidden ? hit.distance : reach, path);
      if (!hidden) path.sample.light = path.sample.light + path.weight * sky_of(light, direction);
      return false;
    }
    if (!geometry.hidden(ray_from(place, direction, reach), question))
      path.sample.light = path.sample.light + path.weight * sky_of(light, direction);
    return false;
  }
  if (path.bounce >= 2 && strength < T(0.5)) {
    // Russian roulette: what is weak ends, or goes on stronger.
    if (!(T(random.one(first + 3, 1)) < 2 * strength)) return false;
    path.weight = (1 / (2 * strength)) * path.weight;
  }
  path.ray = ray_from(place, direction, T(1e30));
  ++path.bounce;
  return true;
}

template <class T, class Geometry>
ISOLUME_HOST_DEVICE inline Sample<T> sample_of(const TraceData& data, const TraceView& view, Geometry& geometry, int x,
                                               int y, int number) {
  Path<T> path = path_of<T>(view, x, y, number);
  while (follow(data, view, geometry, path)) {
  }
  return path.sample;
}

/// What is in the middle of a pixel: its depth and its object. Transparent surfaces count.
template <class T, class Geometry>
ISOLUME_HOST_DEVICE inline bool middle_of(const TraceData& data, const TraceView& view, Geometry& geometry, int x,
                                          int y, T& depth, std::uint32_t& object) {
  TraceView sharp = view;
  sharp.camera.lens = 0;
  const Ray<T> ray = camera_ray<T>(sharp, T(x) + T(0.5), T(y) + T(0.5), T(0), T(0));
  Hit<T> hit;
  if (!geometry.closest(ray, Question{{}, 0, true, true}, hit)) return false;
  const Vec<T> place = ray.origin + hit.distance * ray.direction;
  depth = dot(place - vec<T>(view.camera.eye), vec<T>(view.camera.forward));
  object = data.materials[data.material_of(hit.shape)].object;
  return true;
}

}  // namespace isolume::tracing
