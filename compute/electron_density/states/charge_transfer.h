// How much of an excitation goes from one part of a molecule to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "molecule/quantum/excitations.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

/// Charge-transfer numbers of one state: Omega_AB = sum over functions mu on A and nu on B of D_mu,nu^2, hole on A and
/// electron on B, with the transition density matrix over symmetrically (Loewdin) orthogonalised functions
/// D = sqrt2 S^1/2 (C_occ^T X C_virt + C_virt^T Y^T C_occ) S^1/2. Plasser and Lischka, J. Chem. Theory Comput. 8 (2012)
/// 2777. They add up to 2 (sum X^2 + sum Y^2), for any fragments that hold all atoms.
struct ChargeTransfer {
  std::size_t fragments = 0;
  std::vector<double> numbers;  ///< fragments x fragments: the row has the hole, the column the electron
  double sum = 0;               ///< of all
  double transferred = 0;       ///< of those between two fragments, over the sum
  double at(std::size_t hole, std::size_t electron) const { return numbers[hole * fragments + electron]; }
  double hole(std::size_t fragment) const;      ///< on it: its row
  double electron(std::size_t fragment) const;  ///< on it: its column
};

/// For many states of one set of orbitals.
class ChargeTransferNumbers {
 public:
  /// @param fragment_of  of each atom, 0 to fragments - 1
  /// Throws Error (input) as check_amplitudes().
  ChargeTransferNumbers(const Orbitals& orbitals, const Excitations& all, std::vector<std::uint32_t> fragment_of,
                        std::size_t fragments);
  ~ChargeTransferNumbers();
  ChargeTransferNumbers(ChargeTransferNumbers&&) noexcept;
  ChargeTransfer of(const Excitation& state) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// The fragment of each atom from masks; atoms of none make one more. Throws Error (usage) where two have an atom in
/// common or one has none; `names` are those of the message.
struct Fragments {
  std::vector<std::uint32_t> of_atom;
  std::size_t count = 0;
  std::vector<std::string> labels;  ///< "1", "2", ..., and "rest" of the other atoms
};
Fragments fragments_of(const std::vector<std::vector<std::uint8_t>>& masks, const std::vector<std::string>& names);

}  // namespace isolume
