// Where compute probe looks, as its options say.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "compute/over_time/probe_places.h"

namespace isolume::cli {

/// At least one of them is given; they follow each other in this order.
struct ProbeChoice {
  std::string points;              ///< a file of points
  std::string atoms;               ///< a selection
  std::vector<std::string> bonds;  ///< selections of two atoms each
  std::string residues;            ///< a selection whose residues count
};
void add_probe_choice(Verb command, ProbeChoice& choice);
/// Throws Error (usage) where none is given, or selections are wrong.
void check_probe_choice(const ProbeChoice& choice);

/// The places; atoms are those of the selections in frame `reference`. Throws Error, among others for a bond of other
/// than two atoms.
std::vector<ProbePlace> probe_places(const Molecule& molecule, const ProbeChoice& choice, std::size_t reference);

}  // namespace isolume::cli
