// How much of an excitation goes from one part of a molecule to another.
#include "compute/electron_density/states/charge_transfer.h"

#include <fmt/core.h>

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <utility>

#include "compute/base/memory.h"
#include "compute/electron_density/natural_transitions.h"
#include "compute/linear_algebra/decompositions.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// S^1/2 of the basis.
Matrix root_of_overlap(const Orbitals& orbitals) {
  const std::size_t n = orbitals.basis->function_count();
  require_memory(5 * n * n * sizeof(double), Device::cpu(), "charge-transfer numbers");
  const Eigenvectors found =
      symmetric_eigenvectors(overlap_matrix(*orbitals.basis, orbitals.centres, *orbitals.basis, orbitals.centres), n);
  const auto rows = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Matrix> vectors(found.vectors.data(), rows, rows);
  const Eigen::VectorXd roots = Eigen::Map<const Eigen::VectorXd>(found.values.data(), rows).cwiseMax(0.0).cwiseSqrt();
  return vectors * roots.asDiagonal() * vectors.transpose();
}

}  // namespace

struct ChargeTransferNumbers::Parts {
  std::size_t occupied, virtuals, fragments;
  Matrix holes, electrons;                 ///< orbitals over orthogonalised functions, one a row
  std::vector<std::uint32_t> of_function;  ///< the fragment of each function
};

double ChargeTransfer::hole(std::size_t fragment) const {
  double sum = 0;
  for (std::size_t other = 0; other < fragments; ++other) sum += at(fragment, other);
  return sum;
}

double ChargeTransfer::electron(std::size_t fragment) const {
  double sum = 0;
  for (std::size_t other = 0; other < fragments; ++other) sum += at(other, fragment);
  return sum;
}

ChargeTransferNumbers::ChargeTransferNumbers(const Orbitals& orbitals, const Excitations& all,
                                             std::vector<std::uint32_t> fragment_of, std::size_t fragments) {
  check_amplitudes(orbitals, all);
  auto parts = std::make_unique<Parts>();
  parts->occupied = all.occupied;
  parts->virtuals = all.virtuals;
  parts->fragments = fragments;
  for (const Shell& shell : orbitals.basis->shells)
    parts->of_function.insert(parts->of_function.end(), shell.function_count(), fragment_of.at(shell.centre));
  const Eigen::Map<const Matrix> rows(orbitals.coefficients.data(), static_cast<Eigen::Index>(orbitals.count()),
                                      static_cast<Eigen::Index>(orbitals.basis->function_count()));
  const Matrix orthogonal = rows * root_of_overlap(orbitals);
  parts->holes = orthogonal.topRows(static_cast<Eigen::Index>(all.occupied));
  parts->electrons = orthogonal.bottomRows(static_cast<Eigen::Index>(all.virtuals));
  parts_ = std::move(parts);
}

ChargeTransferNumbers::~ChargeTransferNumbers() = default;
ChargeTransferNumbers::ChargeTransferNumbers(ChargeTransferNumbers&&) noexcept = default;

ChargeTransfer ChargeTransferNumbers::of(const Excitation& state) const {
  const Parts& parts = *parts_;
  const auto matrix = [&](const std::vector<double>& values) {
    return Eigen::Map<const Matrix>(values.data(), static_cast<Eigen::Index>(parts.occupied),
                                    static_cast<Eigen::Index>(parts.virtuals));
  };
  Matrix density = parts.holes.transpose() * (matrix(state.x) * parts.electrons);
  if (!state.y.empty()) density += parts.electrons.transpose() * (matrix(state.y).transpose() * parts.holes);
  ChargeTransfer result;
  result.fragments = parts.fragments;
  result.numbers.assign(parts.fragments * parts.fragments, 0.0);
  for (std::size_t mu = 0; mu < parts.of_function.size(); ++mu)
    for (std::size_t nu = 0; nu < parts.of_function.size(); ++nu) {
      const double d = density(static_cast<Eigen::Index>(mu), static_cast<Eigen::Index>(nu));
      result.numbers[parts.of_function[mu] * parts.fragments + parts.of_function[nu]] += 2 * d * d;
    }
  double within = 0;
  for (std::size_t a = 0; a < parts.fragments; ++a) within += result.at(a, a);
  for (const double number : result.numbers) result.sum += number;
  result.transferred = result.sum > 0 ? (result.sum - within) / result.sum : 0;
  return result;
}

Fragments fragments_of(const std::vector<std::vector<std::uint8_t>>& masks, const std::vector<std::string>& names) {
  Fragments result;
  if (masks.empty()) throw Error("charge-transfer numbers: there are no fragments", Error::Kind::usage);
  constexpr std::uint32_t none = 0xFFFFFFFF;
  result.of_atom.assign(masks.front().size(), none);
  result.count = masks.size();
  for (std::size_t f = 0; f < masks.size(); ++f) {
    bool any = false;
    for (std::size_t atom = 0; atom < result.of_atom.size(); ++atom) {
      if (!masks[f][atom]) continue;
      any = true;
      if (result.of_atom[atom] != none)
        throw Error(fmt::format("the fragments \"{}\" and \"{}\" have atom {} in common", names[result.of_atom[atom]],
                                names[f], atom),
                    Error::Kind::usage);
      result.of_atom[atom] = static_cast<std::uint32_t>(f);
    }
    if (!any) throw Error(fmt::format("the fragment \"{}\" has no atoms", names[f]), Error::Kind::usage);
  }
  for (std::size_t f = 1; f <= masks.size(); ++f) result.labels.push_back(std::to_string(f));
  for (std::uint32_t& fragment : result.of_atom) {
    if (fragment != none) continue;
    if (result.count == masks.size()) result.labels.emplace_back("rest");
    result.count = masks.size() + 1;
    fragment = static_cast<std::uint32_t>(masks.size());
  }
  return result;
}

}  // namespace isolume
