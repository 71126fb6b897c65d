// Vectors and random numbers of path tracing, for the CPU, CUDA and the reference.
#pragma once

#include <cmath>
#include <cstdint>

#include "compute/base/host_device.h"

namespace isolume::tracing {

template <class T>
struct Vec {
  T x, y, z;
};

template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> operator+(Vec<T> a, Vec<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> operator-(Vec<T> a, Vec<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> operator-(Vec<T> a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> operator*(Vec<T> a, Vec<T> b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> operator*(T s, Vec<T> a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
ISOLUME_HOST_DEVICE inline T dot(Vec<T> a, Vec<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> cross(Vec<T> a, Vec<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
ISOLUME_HOST_DEVICE inline T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
ISOLUME_HOST_DEVICE inline T most(T a, T b) {
  return a > b ? a : b;
}
/// On CUDA one instruction each.
ISOLUME_HOST_DEVICE inline float least(float a, float b) {
#ifdef __CUDA_ARCH__
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}
ISOLUME_HOST_DEVICE inline float most(float a, float b) {
#ifdef __CUDA_ARCH__
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}
template <class T>
ISOLUME_HOST_DEVICE inline T within(T low, T value, T high) {
  return least(most(value, low), high);
}
template <class T>
ISOLUME_HOST_DEVICE inline T largest_of(Vec<T> a) {
  return most(a.x, most(a.y, a.z));
}
ISOLUME_HOST_DEVICE inline float root(float x) {
  return sqrtf(x);
}
ISOLUME_HOST_DEVICE inline double root(double x) {
  return sqrt(x);
}
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> unit(Vec<T> a) {
  return (1 / root(most(dot(a, a), T(1e-30)))) * a;
}
ISOLUME_HOST_DEVICE inline void turn(float angle, float& sine, float& cosine) {
  sine = sinf(angle);
  cosine = cosf(angle);
}
ISOLUME_HOST_DEVICE inline void turn(double angle, double& sine, double& cosine) {
  sine = sin(angle);
  cosine = cos(angle);
}
ISOLUME_HOST_DEVICE inline float power(float x, float y) {
  return powf(x, y);
}
ISOLUME_HOST_DEVICE inline double power(double x, double y) {
  return pow(x, y);
}

ISOLUME_HOST_DEVICE inline float exponential(float x) {
  return expf(x);
}
ISOLUME_HOST_DEVICE inline double exponential(double x) {
  return exp(x);
}
ISOLUME_HOST_DEVICE inline float rounded_up(float x) {
  return ceilf(x);
}
ISOLUME_HOST_DEVICE inline double rounded_up(double x) {
  return ceil(x);
}

/// From a type of GLM or of ours.
template <class T, class V>
ISOLUME_HOST_DEVICE inline Vec<T> vec(const V& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

/// Two axes at right angles to a unit vector (Duff et al., JCGT 6 (2017) 1).
template <class T>
ISOLUME_HOST_DEVICE inline void axes_of(Vec<T> n, Vec<T>& s, Vec<T>& t) {
  const T sign = n.z < 0 ? T(-1) : T(1);
  const T a = -1 / (sign + n.z), b = n.x * n.y * a;
  s = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  t = {b, sign + n.y * n.y * a, -n.y};
}

/// A bijection of 32 bits that mixes them well (PCG's output function, Jarzynski and Olano, JCGT 9 (2020) 3).
ISOLUME_HOST_DEVICE inline std::uint32_t mixed(std::uint32_t x) {
  const std::uint32_t state = x * 747796405u + 2891336453u;
  const std::uint32_t word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
ISOLUME_HOST_DEVICE inline std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
  return mixed(x ^ mixed(y));
}

ISOLUME_HOST_DEVICE inline std::uint32_t reversed(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return __brev(x);
#else
  x = __builtin_bswap32(x);
  x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
  return ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
#endif
}

/// Owen's scrambling of bits whose lowest comes first: each is flipped by a hash of the lower ones (Laine and Karras
/// 2011, with the constants of Vegdahl 2021).
ISOLUME_HOST_DEVICE inline std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return x;
}

/// The second coordinate of Sobol's sequence with its bits reversed: of each bit the parity of those whose numbers
/// contain its own (Pascal's triangle modulo 2).
ISOLUME_HOST_DEVICE inline std::uint32_t sobol_second(std::uint32_t x) {
  x ^= (x & 0xaaaaaaaau) >> 1;
  x ^= (x & 0xccccccccu) >> 2;
  x ^= (x & 0xf0f0f0f0u) >> 4;
  x ^= (x & 0xff00ff00u) >> 8;
  return x ^ (x & 0xffff0000u) >> 16;
}

ISOLUME_HOST_DEVICE inline float part_of_one(std::uint32_t x) {
  return static_cast<float>(x >> 8) * 0x1p-24f;
}

/// The random numbers of a sample of a pixel: pairs from 0 up to 1, evenly over the unit square for each dimension as
/// samples are added. A float both in the bodies and in the reference.
struct Random {
  std::uint32_t pixel = 0;   ///< a hash of it and the seed
  std::uint32_t sample = 0;  ///< its number

  ISOLUME_HOST_DEVICE void pair(std::uint32_t dimension, float& u, float& v) const {
    const std::uint32_t seed = mixed(pixel, dimension);
    const std::uint32_t index = reversed(scrambled(reversed(sample), seed));
    u = part_of_one(reversed(scrambled(index, mixed(seed ^ 0x9e3779b9u))));
    v = part_of_one(reversed(scrambled(sobol_second(index), mixed(seed ^ 0x7f4a7c15u))));
  }
  /// One number, for one of many things.
  ISOLUME_HOST_DEVICE float one(std::uint32_t dimension, std::uint32_t thing) const {
    const std::uint32_t seed = mixed(mixed(pixel, dimension), thing);
    const std::uint32_t index = reversed(scrambled(reversed(sample), seed));
    return part_of_one(reversed(scrambled(index, mixed(seed ^ 0x9e3779b9u))));
  }
};

/// A direction about `n` with a density of its cosine over pi.
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> cosine_direction(Vec<T> n, T u, T v) {
  const T r = root(u);
  T sine, cosine;
  turn(T(6.283185307179586) * v, sine, cosine);
  Vec<T> s, t;
  axes_of(n, s, t);
  return unit((r * cosine) * s + (r * sine) * t + root(most(T(0), 1 - u)) * n);
}

/// A direction within `angle` of the unit vector `n`, evenly over the cone.
template <class T>
ISOLUME_HOST_DEVICE inline Vec<T> cone_direction(Vec<T> n, T angle, T u, T v) {
  if (!(angle > 0)) return n;
  T half_sine, unused;
  turn(angle / 2, half_sine, unused);
  const T below = 2 * half_sine * half_sine * u;  // 1 - cosine, without cancellation
  const T r = root(most(T(0), below * (2 - below)));
  T sine, cosine;
  turn(T(6.283185307179586) * v, sine, cosine);
  Vec<T> s, t;
  axes_of(n, s, t);
  return unit((r * cosine) * s + (r * sine) * t + (1 - below) * n);
}

}  // namespace isolume::tracing
