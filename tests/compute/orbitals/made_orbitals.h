// Orbitals that tests make up, and molecules of qm-fields with their stored values.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "molecule/quantum/orbitals.h"
#include "tests/support/data.h"

namespace isolume::test {

/// Five orbitals with any coefficients over shells s to i on three centres, Cartesian and spherical.
inline Orbitals orbitals_of_all_shells() {
  Basis basis;
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> any(-0.5, 0.5);
  for (int l = 0; l <= 6; ++l) {
    for (const bool spherical : {false, true}) {
      if (spherical && l < 2) continue;
      Shell shell;
      shell.centre = static_cast<std::uint32_t>((l + (spherical ? 1 : 0)) % 3);
      shell.l = static_cast<std::uint8_t>(l);
      shell.spherical = spherical;
      shell.exponents = {2.1 + 0.2 * l, 0.4};
      shell.coefficients = {0.4, 0.7};
      basis.shells.push_back(shell);
    }
  }
  basis.normalise();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.centres = {{0.1, -0.2, 0.05}, {1.4, 0.3, -0.4}, {-0.6, 1.2, 0.9}};
  orbitals.orbitals.resize(5);
  for (std::size_t i = 0; i < 5 * basis.function_count(); ++i) orbitals.coefficients.push_back(any(engine));
  return orbitals;
}

/// One s function at the origin with `electrons` of them.
inline Orbitals one_gaussian(double exponent, double electrons) {
  Basis basis;
  Shell s;
  s.exponents = {exponent};
  s.coefficients = {1};
  basis.shells = {s};
  basis.normalise();
  Orbitals orbitals;
  orbitals.basis = std::make_shared<const Basis>(basis);
  orbitals.centres = {{0, 0, 0}};
  orbitals.orbitals.resize(1);
  orbitals.orbitals[0].occupation = electrons;
  orbitals.coefficients = {1};
  return orbitals;
}

/// The files of one molecule of qm-fields.
struct StoredMolecule {
  explicit StoredMolecule(const std::string& name) : json(shared_data("qm-fields/" + name + "_fields.json")) {
    file = shared_data("qm-fields/" + name + ".molden");
    if (!std::filesystem::exists(file)) file = shared_data("qm-fields/" + name + ".molden.gz");
  }
  std::string file, json;

  static std::vector<glm::dvec3> points(const nlohmann::json& values) {
    std::vector<glm::dvec3> all;
    for (const auto& p : values.at("points_bohr")) all.emplace_back(p[0], p[1], p[2]);
    return all;
  }
};

/// Numbers, or lists of them, as lists.
inline std::vector<std::vector<double>> numbers_of(const nlohmann::json& values) {
  std::vector<std::vector<double>> all;
  for (const auto& value : values)
    all.push_back(value.is_array() ? value.get<std::vector<double>>() : std::vector<double>{value.get<double>()});
  return all;
}

}  // namespace isolume::test
