// Excited states as rows of a table: energies, oscillator strengths, the orbitals between which electrons go.
#include "compute/electron_density/state_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "compute/electron_density/natural_transitions.h"
#include "molecule/base/units.h"

namespace isolume {

std::vector<OrbitalTransition> main_transitions(const Excitations& all, const Excitation& state, double least) {
  std::vector<OrbitalTransition> found;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const double y = state.y.empty() ? 0 : state.y[i];
    const double weight = 2 * (state.x[i] * state.x[i] - y * y);
    if (weight >= least) found.push_back({i / all.virtuals, all.occupied + i % all.virtuals, weight});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return found;
}

std::vector<StateRow> state_rows(const Orbitals& orbitals, const Excitations& all, const std::vector<int>& elements,
                                 Job& job) {
  check_amplitudes(orbitals, all);
  std::vector<StateRow> rows;
  for (std::size_t i = 0; i < all.states.size(); ++i) {
    job.check();
    const Excitation& state = all.states[i];
    StateRow row;
    row.energy = state.energy * units::hartree_in_ev;
    row.wavelength = 1e7 / (state.energy * units::hartree_in_inverse_cm);
    row.computed = !state.strength;
    row.strength = state.strength ? *state.strength : state_measures(orbitals, all, state, elements, job).strength;
    row.norm = 0;
    for (const double x : state.x) row.norm += 2 * x * x;
    for (const double y : state.y) row.norm -= 2 * y * y;
    row.transitions = main_transitions(all, state);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string transitions_text(const Orbitals& orbitals, const std::vector<OrbitalTransition>& transitions) {
  std::string text;
  for (const OrbitalTransition& one : transitions)
    text += fmt::format("{}{} -> {} {:.0f} %", text.empty() ? "" : ", ", orbitals.role(one.from), orbitals.role(one.to),
                        100 * one.weight);
  return text;
}

}  // namespace isolume
