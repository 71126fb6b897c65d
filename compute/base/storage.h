// Storage: how the values and colours of a volume are kept: floats, halves, or 8 bits from 0 to 1.
#pragma once

#include <cstdint>
#include <cstring>
#include <glm/glm.hpp>

#include "compute/base/host_device.h"
#include "compute/base/span.h"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

namespace isolume {

/// IEEE 754 binary16: 11 bits of precision, up to 65504.
struct Half {
  std::uint16_t bits;
};

/// 0 .. 255 for 0 .. 1; what is beyond is kept as the end, NaN as 0.
struct Unorm8 {
  std::uint8_t bits;
};

/// A colour of halves: red, green, blue and a fourth that is not used.
struct HalfColour {
  Half red, green, blue, unused;
};

ISOLUME_HOST_DEVICE inline float to_float(float value) {
  return value;
}
ISOLUME_HOST_DEVICE inline float to_float(Unorm8 value) {
  return static_cast<float>(value.bits) * (1.0f / 255.0f);
}
ISOLUME_HOST_DEVICE inline float to_float(Half value) {
#ifdef __CUDA_ARCH__
  return __half2float(__ushort_as_half(value.bits));
#else
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t rest = value.bits & 0x7fffu;
  float result = 0;
  if (rest >= 0x7c00u) {  // infinite, not a number
    const std::uint32_t bits = sign | 0x7f800000u | (rest & 0x3ffu) << 13;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
  }
  // The exponent is off by 112; a product moves it, subnormals included.
  const std::uint32_t bits = rest << 13;
  std::memcpy(&result, &bits, sizeof(result));
  result *= 0x1p112f;
  return sign ? -result : result;
#endif
}

/// The nearest value of type T.
template <class T>
ISOLUME_HOST_DEVICE T from_float(float value);

template <>
ISOLUME_HOST_DEVICE inline float from_float<float>(float value) {
  return value;
}
template <>
ISOLUME_HOST_DEVICE inline Unorm8 from_float<Unorm8>(float value) {
  return {static_cast<std::uint8_t>(!(value > 0.0f) ? 0.0f : value >= 1.0f ? 255.0f : value * 255.0f + 0.5f)};
}
/// Ties to even; what is too large becomes infinite.
template <>
ISOLUME_HOST_DEVICE inline Half from_float<Half>(float value) {
#ifdef __CUDA_ARCH__
  return {__half_as_ushort(__float2half_rn(value))};
#else
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return {static_cast<std::uint16_t>(sign | 0x7e00u)};
  if (bits >= 0x477ff000u) return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  if (bits < 0x38800000u) {
    // Subnormal: an addition leaves the bits that count, rounded as the processor rounds.
    float positive = 0;
    std::memcpy(&positive, &bits, sizeof(positive));
    positive += 0.5f;
    std::memcpy(&bits, &positive, sizeof(bits));
    return {static_cast<std::uint16_t>(sign | (bits - 0x3f000000u))};
  }
  bits += 0xfffu + (bits >> 13 & 1u);
  return {static_cast<std::uint16_t>(sign | (bits - 0x38000000u) >> 13)};
#endif
}

enum class Storage : std::uint8_t { float32, half, unorm8 };

template <class T>
constexpr Storage element_of = Storage::float32;
template <>
constexpr inline Storage element_of<Half> = Storage::half;
template <>
constexpr inline Storage element_of<HalfColour> = Storage::half;
template <>
constexpr inline Storage element_of<Unorm8> = Storage::unorm8;
template <>
constexpr inline Storage element_of<glm::u8vec4> = Storage::unorm8;

/// Bytes of a value, and of a colour.
constexpr std::size_t value_bytes(Storage element) {
  return element == Storage::float32 ? 4 : element == Storage::half ? 2 : 1;
}
constexpr std::size_t colour_bytes(Storage element) {
  return element == Storage::float32 ? 12 : element == Storage::half ? 8 : 4;
}

/// Values of a volume to be read or written; made from a Span of float, Half or Unorm8.
template <class Void>
struct ValueSpan {
  Void* data = nullptr;
  std::size_t size = 0;
  Device device;
  Storage element = Storage::float32;

  ValueSpan() = default;
  ValueSpan(Void* data_, std::size_t size_, Device device_, Storage element_)
      : data(data_), size(size_), device(device_), element(element_) {}
  template <class T>
  requires(std::same_as<std::remove_const_t<T>, float> || std::same_as<std::remove_const_t<T>, Half> ||
           std::same_as<std::remove_const_t<T>, Unorm8>) ValueSpan(Span<T> from)  // NOLINT
      : data(from.data), size(from.size), device(from.device), element(element_of<std::remove_const_t<T>>) {}
  template <class Other>
  requires std::same_as<const Other, Void> ValueSpan(const ValueSpan<Other>& from)  // NOLINT
      : data(from.data), size(from.size), device(from.device), element(from.element) {}
  bool empty() const { return size == 0; }
};
using Values = ValueSpan<void>;
using ConstValues = ValueSpan<const void>;

/// Colours of a volume: glm::vec3 (parts from 0 to 1), HalfColour, or glm::u8vec4 (alpha 255).
template <class Void>
struct ColourSpan {
  Void* data = nullptr;
  std::size_t size = 0;
  Device device;
  Storage element = Storage::float32;

  ColourSpan() = default;
  ColourSpan(Void* data_, std::size_t size_, Device device_, Storage element_)
      : data(data_), size(size_), device(device_), element(element_) {}
  template <class T>
  requires(std::same_as<std::remove_const_t<T>, glm::vec3> || std::same_as<std::remove_const_t<T>, HalfColour> ||
           std::same_as<std::remove_const_t<T>, glm::u8vec4>) ColourSpan(Span<T> from)  // NOLINT
      : data(from.data), size(from.size), device(from.device), element(element_of<std::remove_const_t<T>>) {}
  template <class Other>
  requires std::same_as<const Other, Void> ColourSpan(const ColourSpan<Other>& from)  // NOLINT
      : data(from.data), size(from.size), device(from.device), element(from.element) {}
  bool empty() const { return size == 0; }
};
using Colours = ColourSpan<void>;
using ConstColours = ColourSpan<const void>;

}  // namespace isolume
