// Packets of the IMD protocol, as a simulation on either kind of machine sends them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace isolume::test {

/// Bytes of one connection, put together number by number.
class ImdBytes {
 public:
  /// `big_endian`: the byte order of the bodies.
  explicit ImdBytes(bool big_endian = false) : big_(big_endian) {}

  /// A number, most significant byte first.
  ImdBytes& network(std::int32_t value) { return put(value, true); }
  /// A number as the machine has it.
  template <class T>
  ImdBytes& own(T value) {
    return put(value, big_);
  }
  ImdBytes& header(std::int32_t type, std::int32_t value) { return network(type).network(value); }
  ImdBytes& handshake(std::int32_t version) { return network(4).own(version); }
  /// Which parts frames have.
  ImdBytes& session(bool time, bool energies, bool box, bool positions, bool velocities, bool forces) {
    header(10, 7);
    for (const bool flag : {time, energies, box, positions, false, velocities, forces}) text += static_cast<char>(flag);
    return *this;
  }
  ImdBytes& time(double step_time, double time, std::int64_t step) {
    return header(12, 1).own(step_time).own(time).own(step);
  }
  /// Nine values: first, first + 1, ...
  ImdBytes& energies(std::int32_t step, float first) {
    header(1, 1).own(step);
    for (int i = 0; i < 9; ++i) own(first + static_cast<float>(i));
    return *this;
  }
  ImdBytes& box(const std::vector<float>& nine) { return header(13, 1).numbers(nine); }
  ImdBytes& positions(const std::vector<float>& xyz) { return vectors(2, xyz); }
  ImdBytes& velocities(const std::vector<float>& xyz) { return vectors(14, xyz); }
  ImdBytes& forces(const std::vector<float>& xyz) { return vectors(15, xyz); }

  std::string text;

 private:
  ImdBytes& vectors(std::int32_t type, const std::vector<float>& xyz) {
    return header(type, static_cast<std::int32_t>(xyz.size() / 3)).numbers(xyz);
  }
  ImdBytes& numbers(const std::vector<float>& values) {
    for (const float value : values) own(value);
    return *this;
  }
  template <class T>
  ImdBytes& put(T value, bool big) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (big == (std::endian::native == std::endian::little)) bytes.assign(bytes.rbegin(), bytes.rend());
    text += bytes;
    return *this;
  }

  bool big_;
};

}  // namespace isolume::test
