// Records and cells of DCD files.
#include "formats/trajectories/dcd_records.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "molecule/base/error.h"

namespace isolume::dcd {
namespace {

glm::dmat3 shape_matrix(const std::array<double, 6>& c) {
  return {glm::dvec3(c[0], c[1], c[3]), glm::dvec3(c[1], c[2], c[4]), glm::dvec3(c[3], c[4], c[5])};
}

bool positive_definite(const glm::dmat3& m) {
  return m[0][0] > 0 && m[0][0] * m[1][1] - m[0][1] * m[1][0] > 0 && glm::determinant(m) > 0;
}

}  // namespace

Layout layout_of(const ByteSource& source) {
  const std::string_view text = source.text();
  for (const unsigned marker : {4u, 8u}) {
    if (text.size() < marker + 84u) continue;
    const std::string_view word = text.substr(marker, 4);
    if (word != "CORD" && word != "VELD") continue;
    for (const bool swap : {false, true}) {
      const std::byte* at = source.bytes().data();
      const std::uint64_t length =
          marker == 4 ? load_number<std::uint32_t>(at, swap) : load_number<std::uint64_t>(at, swap);
      if (length == 84) return {true, swap, marker, word == "VELD"};
    }
  }
  return {};
}

Record take_record(BinaryCursor& cursor, unsigned marker, const char* what) {
  const auto length = [&] {
    return marker == 4 ? std::uint64_t{cursor.get<std::uint32_t>(what)} : cursor.get<std::uint64_t>(what);
  };
  Record record;
  record.bytes = length();
  record.offset = cursor.offset();
  cursor.take(record.bytes, what);
  const std::uint64_t closing = length();
  if (closing != record.bytes) {
    cursor.fail("the record of " + std::string(what) + " opens with " + std::to_string(record.bytes) +
                " bytes and closes with " + std::to_string(closing));
  }
  return record;
}

Cell cell_from(const std::array<double, 6>& c, int version) {
  if (!std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); })) {
    throw Error("the unit cell has a number that is not finite", Error::Kind::input);
  }
  if (c[0] <= 0 || c[2] <= 0 || c[5] <= 0) return {};
  const bool right_angles = c[1] == 90 && c[3] == 90 && c[4] == 90;
  if (version > 24 && !right_angles && positive_definite(shape_matrix(c))) return Cell{shape_matrix(c)};
  const glm::dvec3 lengths(c[0], c[2], c[5]);
  glm::dvec3 angles(c[4], c[3], c[1]);
  if (glm::all(glm::lessThanEqual(glm::abs(angles), glm::dvec3(1.0)))) {
    angles = glm::degrees(glm::acos(angles));
    for (int i = 0; i < 3; ++i) {
      if (std::abs(angles[i] - 90.0) < 1e-9) angles[i] = 90.0;
    }
  } else if (glm::any(glm::lessThanEqual(angles, glm::dvec3(0.0))) && positive_definite(shape_matrix(c))) {
    return Cell{shape_matrix(c)};
  }
  return Cell::from_lengths_angles(lengths, angles);
}

}  // namespace isolume::dcd
