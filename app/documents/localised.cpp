// Molecules whose orbitals are localised.
#include "app/documents/localised.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/documents/derived.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

/// "C1-O2": the atoms that have the most of an orbital.
std::string atoms_of(const Topology& topology, const std::vector<AtomShare>& shares) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, shares.size()); ++i) {
    const std::size_t atom = shares[i].atom;
    const std::string symbol =
        atom < topology.atoms.size() ? std::string(element(topology.atoms[atom].element).symbol) : std::string();
    text += fmt::format("{}{}{}", text.empty() ? "" : "-", symbol, atom + 1);
  }
  return text;
}

}  // namespace

LocalisationSummary localise(Molecule& molecule, const LocalisationOptions& options, Job& job) {
  LocalisationSummary summary;
  std::shared_ptr<const Orbitals> former;
  const std::size_t count = molecule.orbitals.size();
  for (std::size_t frame = 0; frame < count; ++frame) {
    if (!molecule.orbitals[frame] || molecule.orbitals[frame]->count() == 0) continue;
    job.progress(static_cast<double>(frame) / static_cast<double>(count), "localised orbitals");
    const Orbitals& canonical = *molecule.orbitals[frame];
    try {
      if (canonical.convention == natural_transition_convention)
        throw Error("natural transition orbitals are paired; localised ones would not be", Error::Kind::input);
      LocalisedOrbitals made = localised_orbitals(canonical, options, job, former.get());
      made.orbitals.convention += fmt::format(", gradient {:.0e}", made.gradient);
      for (std::size_t i = 0; i < made.shares.size(); ++i)
        if (!made.shares[i].empty()) made.orbitals.orbitals[i].symmetry = atoms_of(*molecule.topology, made.shares[i]);
      if (summary.frames++ == 0) summary.functional = made.functional;
      summary.gradient = std::max(summary.gradient, made.gradient);
      summary.sweeps = std::max(summary.sweeps, made.sweeps);
      summary.unconverged += !made.converged;
      former = std::make_shared<const Orbitals>(std::move(made.orbitals));
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::cancelled || count == 1) throw;
      throw Error(fmt::format("frame {}: {}", frame, error.what()), error.kind());
    }
    molecule.orbitals[frame] = former;
  }
  if (summary.frames == 0) throw Error("localised orbitals: the file has no orbitals", Error::Kind::input);
  if (summary.unconverged > 0)
    molecule.warnings.push_back(
        fmt::format("localised orbitals did not converge in {} of {} frames: the gradient is {:.1e}",
                    summary.unconverged, summary.frames, summary.gradient));
  return summary;
}

LocalisationOptions localisation_of(const PathPart& part) {
  return {part.method == "boys" ? Localisation::boys : Localisation::pipek_mezey, part.virtuals};
}

}  // namespace isolume
