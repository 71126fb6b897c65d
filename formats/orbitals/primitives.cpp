// Orbitals given over single primitives, as WFN and WFX files have them.
#include "formats/orbitals/primitives.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "formats/bytes/text.h"
#include "formats/orbitals/orbital_conventions.h"
#include "molecule/base/error.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {

glm::ivec3 primitive_powers(int type) {
  static constexpr std::array<std::array<int, 3>, 35> low = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1},
       {0, 1, 1}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {2, 1, 0}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2},
       {0, 1, 2}, {1, 1, 1}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {3, 1, 0}, {3, 0, 1}, {1, 3, 0}, {0, 3, 1},
       {1, 0, 3}, {0, 1, 3}, {2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}}};
  if (type < 1 || type > 84) {
    throw Error(fmt::format("a primitive of type {}; types 1 (s) to 84 (i) are known", type), Error::Kind::input);
  }
  if (type <= 35) {
    const auto& p = low[static_cast<std::size_t>(type - 1)];
    return {p[0], p[1], p[2]};
  }
  const int l = type <= 56 ? 5 : 6;
  int n = type - (l == 5 ? 36 : 57);
  int i = 0;
  while (n > l - i) n -= l - i++ + 1;
  return {i, n, l - i - n};
}

FunctionMap primitive_map(std::span<const Primitive> primitives) {
  FunctionMap map;
  std::map<std::tuple<std::uint32_t, int, double>, std::uint32_t> shells;  // their first function
  std::uint32_t functions = 0;
  for (const Primitive& primitive : primitives) {
    const glm::ivec3 p = primitive_powers(primitive.type);
    const int l = p.x + p.y + p.z;
    const auto [found, is_new] = shells.try_emplace({primitive.centre, l, primitive.exponent}, functions);
    if (is_new) {
      Shell shell;
      shell.centre = primitive.centre;
      shell.l = static_cast<std::uint8_t>(l);
      shell.exponents = {primitive.exponent};
      shell.coefficients = {1};
      functions += static_cast<std::uint32_t>(shell.function_count());
      map.basis.shells.push_back(std::move(shell));
    }
    map.place.push_back(found->second + static_cast<std::uint32_t>(cartesian_index(p)));
    map.factor.push_back(1 / cartesian_norm(primitive.exponent, p.x, p.y, p.z));
  }
  return map;
}

std::shared_ptr<const Orbitals> checked_primitive_orbitals(const FileOrbitals& file,
                                                           std::span<const Primitive> primitives,
                                                           const ByteSource& source, std::int64_t line,
                                                           std::vector<std::string>& warnings) {
  // Every primitive may stand for a whole shell of functions, so that the rows can be longer than the file's.
  try {
    FunctionMap map = primitive_map(primitives);
    const auto bytes = checked_product(map.basis.function_count() * sizeof(double), file.orbitals.size());
    if (!bytes || *bytes > (std::uint64_t{256} << 20) + 64 * source.bytes().size()) {
      throw Error("the orbitals are over far more functions than the file has coefficients", Error::Kind::input);
    }
    return std::make_shared<const Orbitals>(convert_orbitals(file, std::move(map), warnings));
  } catch (const Error& error) {
    throw Error::in_file(source.name(), line, error.what());
  }
}

void guess_beta(std::vector<Orbital>& orbitals) {
  double fall = 1e-3;
  std::size_t first = orbitals.size();
  for (std::size_t i = 0; i < orbitals.size(); ++i) {
    if (orbitals[i].occupation > 1 + 1e-6) return;
    // A fraction of an electron is a natural orbital.
    if (std::abs(orbitals[i].occupation - std::round(orbitals[i].occupation)) > 1e-6) return;
    if (i > 0 && orbitals[i - 1].energy - orbitals[i].energy > fall) {
      fall = orbitals[i - 1].energy - orbitals[i].energy;
      first = i;
    }
  }
  for (std::size_t i = first; i < orbitals.size(); ++i) orbitals[i].spin = Spin::beta;
}

}  // namespace isolume
