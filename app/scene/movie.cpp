// Movies by key frames: the scene at every time of one.
#include "app/scene/movie.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/keyed.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double same_time = 5e-4;  // seconds

double even(double from, double to, double part) {
  return from == to ? from : from + (to - from) * part;
}

double linear_light(std::uint8_t value) {
  const double v = value / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

std::uint8_t byte_of_light(double light) {
  const double v = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0, 1.0)));
}

// Ottosson's two matrices, by columns, and their inverses.
const glm::dmat3 cones_of_light = glm::transpose(glm::dmat3(0.4122214708, 0.5363325363, 0.0514459929,  //
                                                            0.2119034982, 0.6806995451, 0.1073969566,  //
                                                            0.0883024619, 0.2817188376, 0.6299787005));
const glm::dmat3 lab_of_roots = glm::transpose(glm::dmat3(0.2104542553, 0.7936177850, -0.0040720468,  //
                                                          1.9779984951, -2.4285922050, 0.4505937099,  //
                                                          0.0259040371, 0.7827717662, -0.8086757660));

glm::dvec3 oklab(glm::u8vec4 colour) {
  const glm::dvec3 cones =
      cones_of_light * glm::dvec3(linear_light(colour.r), linear_light(colour.g), linear_light(colour.b));
  return lab_of_roots * glm::dvec3(std::cbrt(cones.x), std::cbrt(cones.y), std::cbrt(cones.z));
}

glm::dvec3 light_of(glm::dvec3 lab) {
  const glm::dvec3 roots = glm::inverse(lab_of_roots) * lab;
  return glm::inverse(cones_of_light) * (roots * roots * roots);
}

/// Opacity with what is hidden as 0; the ends are the values themselves.
template <class Keyed>
void fade(const Keyed& from, const Keyed& to, double part, bool& visible, float& opacity) {
  const float a = from.visible ? from.opacity : 0, b = to.visible ? to.opacity : 0;
  const auto shown = static_cast<float>(even(static_cast<double>(a), static_cast<double>(b), part));
  visible = shown > 0;
  opacity = visible ? shown : from.opacity;
}

void show(Representation& shown, const KeyedRepresentation& from, const KeyedRepresentation& to, double part) {
  fade(from, to, part, shown.visible, shown.opacity);
  // Without alpha it is no colour, but the elements'.
  shown.colour = from.colour.a > 0 && to.colour.a > 0 ? between(from.colour, to.colour, part) : from.colour;
}

void show(Field& shown, const KeyedField& from, const KeyedField& to, double part) {
  fade(from, to, part, shown.visible, shown.opacity);
  if (from.isovalue != to.isovalue) {
    Field a = shown, b = shown;  // 0 is the usual one
    a.isovalue = from.isovalue;
    b.isovalue = to.isovalue;
    shown.isovalue = even(shown_isovalue(a), shown_isovalue(b), part);
  } else {
    shown.isovalue = from.isovalue;
  }
  // By 0 the isovalue decides, which nothing leads to.
  shown.enclosed = from.enclosed > 0 && to.enclosed > 0 ? even(from.enclosed, to.enclosed, part) : from.enclosed;
  shown.slice.offset = even(from.slice_offset, to.slice_offset, part);
  shown.colour = between(from.colour, to.colour, part);
  shown.negative_colour = between(from.negative_colour, to.negative_colour, part);
}

void show_exactly(Representation& shown, const KeyedRepresentation& key) {
  shown.visible = key.visible;
  shown.opacity = key.opacity;
  shown.colour = key.colour;
}

void show_exactly(Field& shown, const KeyedField& key) {
  shown.visible = key.visible;
  shown.opacity = key.opacity;
  shown.isovalue = key.isovalue;
  shown.enclosed = key.enclosed;
  shown.slice.offset = key.slice_offset;
  shown.colour = key.colour;
  shown.negative_colour = key.negative_colour;
}

template <class Entry, class Keyed>
void show_all(std::vector<Entry>& shown, const std::vector<Keyed>& from, const std::vector<Keyed>& to, double part) {
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Keyed a = entry(from, i, shown[i]), b = entry(to, i, shown[i]);
    part == 0 || a == b ? show_exactly(shown[i], a) : show(shown[i], a, b, part);
  }
}

ClipPlane between(const ClipPlane& from, const ClipPlane& to, double part) {
  ClipPlane plane = from;
  plane.point = glm::mix(from.point, to.point, part);
  plane.offset = even(from.offset, to.offset, part);
  const glm::dvec3 a = glm::normalize(from.normal), b = glm::normalize(to.normal);
  const double angle = std::acos(std::clamp(glm::dot(a, b), -1.0, 1.0));
  // Opposite ones have no shortest turn: about any axis across them.
  if (angle > M_PI - 1e-6) {
    const glm::dvec3 other = std::abs(a.x) < 0.8 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    const glm::dvec3 side = glm::normalize(glm::cross(a, other));
    plane.normal = std::cos(part * M_PI) * a + std::sin(part * M_PI) * side;
  } else if (angle > 1e-9) {
    plane.normal = (std::sin((1 - part) * angle) * a + std::sin(part * angle) * b) / std::sin(angle);
  }
  return plane;
}

std::size_t frame_between(std::size_t from, std::size_t to, double part) {
  return static_cast<std::size_t>(std::llround(even(static_cast<double>(from), static_cast<double>(to), part)));
}

}  // namespace

double eased(Easing easing, double part) {
  const double u = std::clamp(part, 0.0, 1.0);
  switch (easing) {
    case Easing::ease_in:
      return u * u;
    case Easing::ease_out:
      return 1 - (1 - u) * (1 - u);
    case Easing::ease:
      return u * u * (3 - 2 * u);
    case Easing::hold:
      return 0;
    default:
      return u;
  }
}

glm::u8vec4 between(glm::u8vec4 from, glm::u8vec4 to, double part) {
  if (part <= 0 || from == to) return from;
  if (part >= 1) return to;
  const glm::dvec3 light = light_of(glm::mix(oklab(from), oklab(to), part));
  return {byte_of_light(light.x), byte_of_light(light.y), byte_of_light(light.z),
          static_cast<std::uint8_t>(std::lround(even(from.a, to.a, part)))};
}

double movie_length(const Scene& scene) {
  double length = 0;
  for (const MovieKey& key : scene.keys) length = std::max(length, key.time);
  return length;
}

Scene scene_at(const Scene& scene, double seconds) {
  if (!std::isfinite(seconds))
    throw Error(fmt::format("the time of a movie: expected seconds, found {}", seconds), Error::Kind::usage);
  Scene shown = scene;
  shown.keys.clear();
  if (scene.keys.empty()) return shown;
  const MovieKey *from = nullptr, *to = nullptr;
  for (const MovieKey& key : scene.keys) {
    if (key.time <= seconds && (!from || key.time > from->time)) from = &key;
    if (key.time > seconds && (!to || key.time < to->time)) to = &key;
  }
  if (!from) from = to;
  if (!to) to = from;
  const double span = to->time - from->time;
  const double part = span > 0 ? eased(from->easing, (seconds - from->time) / span) : 0;
  shown.camera = from->camera;
  if (part > 0) {
    // The projection cannot be between two.
    shown.camera = between(from->camera, to->camera, part);
    shown.camera.projection = from->camera.projection;
    if (from->turns != 0) shown.camera.turn({0, 1, 0}, 360.0 * from->turns * part);
  }
  shown.frame = frame_between(from->frame, to->frame, part);
  show_all(shown.representations, from->representations, to->representations, part);
  show_all(shown.fields, from->fields, to->fields, part);
  shown.clip_planes = from->clip_planes;
  if (part > 0 && from->clip_planes.size() == to->clip_planes.size())
    for (std::size_t i = 0; i < shown.clip_planes.size(); ++i)
      shown.clip_planes[i] = between(from->clip_planes[i], to->clip_planes[i], part);
  return shown;
}

void check_keys(const std::vector<MovieKey>& keys, const char* name) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double time = keys[i].time;
    if (!(time >= 0 && time <= longest_movie))
      throw Error(fmt::format("{}[{}].time: expected seconds from 0 to {}, found {}", name, i, longest_movie, time),
                  Error::Kind::input);
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(keys[j].time - time) < same_time)
        throw Error(fmt::format("{}[{}].time: {} s is the time of {}[{}] too; each key frame needs a time of its own",
                                name, i, time, name, j),
                    Error::Kind::input);
  }
}

MovieKey key_of(const Scene& scene, double seconds) {
  MovieKey key;
  key.time = seconds;
  key.camera = scene.camera;
  key.frame = scene.frame;
  for (const Representation& shown : scene.representations) key.representations.push_back(keyed(shown));
  for (const Field& shown : scene.fields) key.fields.push_back(keyed(shown));
  key.clip_planes = scene.clip_planes;
  return key;
}

std::size_t put_key(Scene& scene, MovieKey key) {
  auto place = scene.keys.begin();
  while (place != scene.keys.end() && place->time < key.time - same_time) ++place;
  if (place != scene.keys.end() && std::abs(place->time - key.time) < same_time) {
    *place = std::move(key);
  } else {
    place = scene.keys.insert(place, std::move(key));
  }
  return static_cast<std::size_t>(place - scene.keys.begin());
}

std::size_t move_key(Scene& scene, std::size_t index, double seconds) {
  const double time = std::clamp(seconds, 0.0, longest_movie);
  for (std::size_t i = 0; i < scene.keys.size(); ++i)
    if (i != index && std::abs(scene.keys[i].time - time) < same_time) return index;
  MovieKey key = scene.keys[index];
  scene.keys.erase(scene.keys.begin() + static_cast<std::ptrdiff_t>(index));
  key.time = time;
  return put_key(scene, std::move(key));
}

}  // namespace isolume
