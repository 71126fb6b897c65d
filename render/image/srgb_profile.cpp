// An ICC profile of sRGB, made from its definition.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "render/image/deep_picture.h"

namespace isolume {
namespace {

void add_16(std::string& out, std::uint32_t value) {
  out += static_cast<char>(value >> 8 & 255);
  out += static_cast<char>(value & 255);
}
void add_32(std::string& out, std::uint32_t value) {
  add_16(out, value >> 16);
  add_16(out, value & 65535);
}
/// s15Fixed16Number
void add_fixed(std::string& out, double value) {
  add_32(out, static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(value * 65536))));
}

/// multiLocalizedUnicodeType with one text, of ASCII.
std::string words(const std::string& text) {
  std::string out("mluc\0\0\0\0", 8);
  add_32(out, 1);
  add_32(out, 12);
  out += "enUS";
  add_32(out, static_cast<std::uint32_t>(2 * text.size()));
  add_32(out, 28);
  for (const char c : text) add_16(out, static_cast<std::uint8_t>(c));
  return out;
}

std::string xyz(double x, double y, double z) {
  std::string out("XYZ \0\0\0\0", 8);
  for (const double value : {x, y, z}) add_fixed(out, value);
  return out;
}

/// parametricCurveType 3: ((a x + b)^g where x >= d, else c x).
std::string curve() {
  std::string out("para\0\0\0\0\0\3\0\0", 12);
  for (const double value : {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}) add_fixed(out, value);
  return out;
}

/// The Bradford adaptation from D65 to D50.
std::string adaptation() {
  std::string out("sf32\0\0\0\0", 8);
  for (const double value :
       {1.047886, 0.022919, -0.050216, 0.029582, 0.990484, -0.017079, -0.009252, 0.015073, 0.751678})
    add_fixed(out, value);
  return out;
}

}  // namespace

std::string srgb_profile() {
  // The primaries and the white of sRGB (IEC 61966-2-1) after that adaptation.
  const std::vector<std::pair<std::string, std::string>> tags = {
      {"desc", words("sRGB IEC61966-2.1")},        {"cprt", words("No copyright, use freely")},
      {"wtpt", xyz(0.9642, 1.0, 0.8249)},          {"chad", adaptation()},
      {"rXYZ", xyz(0.436030, 0.222438, 0.013897)}, {"gXYZ", xyz(0.385101, 0.716942, 0.097076)},
      {"bXYZ", xyz(0.143069, 0.060620, 0.713926)}, {"rTRC", curve()},
  };
  std::string table, data;
  const std::size_t curves = 3, count = tags.size() + curves - 1;
  const std::size_t first = 128 + 4 + 12 * count;
  const auto enter = [&](const std::string& name, std::size_t at, std::size_t bytes) {
    table += name;
    add_32(table, static_cast<std::uint32_t>(at));
    add_32(table, static_cast<std::uint32_t>(bytes));
  };
  for (const auto& [name, value] : tags) {
    const std::size_t at = first + data.size();
    enter(name, at, value.size());
    if (name == "rTRC") {
      enter("gTRC", at, value.size());
      enter("bTRC", at, value.size());
    }
    data += value;
    while (data.size() % 4 != 0) data += '\0';
  }
  std::string out;
  add_32(out, static_cast<std::uint32_t>(first + data.size()));
  add_32(out, 0);
  add_32(out, 0x04300000);  // version 4.3
  out += "mntrRGB XYZ ";
  for (const std::uint32_t part : {2026u, 1u, 1u, 0u, 0u, 0u}) add_16(out, part);
  out += "acsp";
  out.append(28, '\0');  // no platform, no device; rendering intent perceptual
  for (const double value : {0.9642, 1.0, 0.8249}) add_fixed(out, value);
  out.append(128 - out.size(), '\0');
  add_32(out, static_cast<std::uint32_t>(count));
  return out + table + data;
}

}  // namespace isolume
