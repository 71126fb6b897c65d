// Excited states with their main transitions and charge transfers, as the window lists and writes them.
#include "app/cli/quantum/state_list.h"

#include <fmt/format.h>

#include <cstdint>

#include "formats/orbitals/amplitudes.h"
#include "molecule/base/error.h"
#include "molecule/frames.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {

StateList state_list(const Molecule& molecule, const std::string& amplitudes, const std::vector<std::string>& fragments,
                     Job& job) {
  const std::size_t frame = first_frame_with_orbitals(molecule);
  const auto orbitals = orbitals_of(molecule, frame);
  std::vector<int> elements;
  for (const Atom& atom : molecule.topology->atoms) elements.push_back(atom.element);
  StateList list;
  const Excitations all = read_amplitudes(amplitudes);
  list.rows = state_rows(*orbitals, all, elements, job);
  for (const StateRow& row : list.rows) list.texts.push_back(transitions_text(*orbitals, row.transitions));
  if (fragments.empty()) return list;
  try {
    std::vector<std::vector<std::uint8_t>> masks;
    const Frame atoms = frame_at(molecule, frame);
    for (const std::string& one : fragments) masks.push_back(Selection(one).mask(*molecule.topology, atoms));
    const Fragments found = fragments_of(masks, fragments);
    const ChargeTransferNumbers numbers(*orbitals, all, found.of_atom, found.count);
    for (const Excitation& state : all.states) {
      job.check();
      list.transfers.push_back(numbers.of(state));
    }
    list.labels = found.labels;
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::cancelled) throw;
    list.fault = error.what();
  }
  return list;
}

std::string state_list_table(const StateList& list) {
  std::string text = "state,energy (eV),wavelength (nm),oscillator strength,main transitions";
  if (!list.labels.empty()) text += ",charge transfer";
  for (const std::string& hole : list.labels)
    for (const std::string& electron : list.labels) text += fmt::format(",{} to {}", hole, electron);
  text += '\n';
  for (std::size_t i = 0; i < list.rows.size(); ++i) {
    const StateRow& row = list.rows[i];
    text +=
        fmt::format("{},{:.6f},{:.3f},{:.8f},\"{}\"", i + 1, row.energy, row.wavelength, row.strength, list.texts[i]);
    if (i < list.transfers.size()) {
      text += fmt::format(",{:.8f}", list.transfers[i].transferred);
      for (const double number : list.transfers[i].numbers) text += fmt::format(",{:.8f}", number);
    }
    text += '\n';
  }
  return text;
}

}  // namespace isolume::cli
