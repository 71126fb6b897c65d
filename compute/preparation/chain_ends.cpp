// Where chains begin and end: charged ends, and gaps that get none.
#include "compute/preparation/chain_ends.h"

#include <map>
#include <string>
#include <utility>

namespace isolume {
namespace {

/// Residues of one kind of polymer that belong to one chain by its name, in the order of the file.
std::vector<std::vector<std::uint32_t>> polymers(const Topology& topology, const std::vector<ResidueTarget>& targets,
                                                 TemplateKind kind) {
  std::vector<std::vector<std::uint32_t>> all;
  std::map<std::pair<std::string, std::string>, std::size_t> named;
  for (const Chain& chain : topology.chains) {
    const auto [found, is_new] = named.emplace(std::pair(chain.id, chain.segment), all.size());
    if (is_new || chain.id.empty()) {
      found->second = all.size();
      all.emplace_back();
    }
    for (std::uint32_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r) {
      if (targets[r].name.kind == kind) all[found->second].push_back(r);
    }
  }
  return all;
}

/// Whether residues are missing between two neighbours of a chain that are not bonded to each other. Beyond the end of
/// a chain in the file (TER) only where numbers are left out.
bool is_gap(const Topology& topology, std::uint32_t before, std::uint32_t after) {
  const Residue &a = topology.residues[before], &b = topology.residues[after];
  return a.chain == b.chain ? a.number <= b.number : a.number + 1 < b.number;
}

}  // namespace

void find_chain_ends(const StateContext& c, std::vector<ResidueTarget>& targets, std::vector<ChargeIssue>& issues) {
  const Topology& topology = c.topology;
  for (const TemplateKind kind : {TemplateKind::amino, TemplateKind::nucleic}) {
    const bool protein = kind == TemplateKind::amino;
    for (const std::vector<std::uint32_t>& polymer : polymers(topology, targets, kind)) {
      for (std::size_t k = 0; k < polymer.size(); ++k) {
        ResidueTarget& t = targets[polymer[k]];
        const bool follows = k > 0 && is_gap(topology, polymer[k - 1], polymer[k]);
        const bool goes_on = k + 1 < polymer.size() && is_gap(topology, polymer[k], polymer[k + 1]);
        const auto gap = [&](const char* before_or_after) {
          issues.push_back(
              {ChargeIssue::Kind::chosen,
               {t.heavy.front().second},
               residue_place(topology, polymer[k]),
               std::string("residues are missing ") + before_or_after + " it; no charged end is made there",
               "model the missing residues if the gap matters"});
        };
        if (protein) {
          const bool before_ended = k > 0 && targets[polymer[k - 1]].atom("OXT") >= 0;
          if (t.link("N") < 0) {
            t.starts = !follows || before_ended || t.hydrogens_on("N") >= 3;
            if (!t.starts) gap("before");
          }
          if (t.link("C") < 0) {
            t.ends = t.atom("OXT") >= 0 || !goes_on;
            if (!t.ends) gap("after");
          }
        } else {
          t.starts = t.atom("P") < 0 || (t.link("P") < 0 && !follows);
          if (!t.starts && t.link("P") < 0) gap("before");
          t.ends = t.link("O3'") < 0 && !goes_on;
          if (!t.ends && t.link("O3'") < 0) gap("after");
        }
      }
    }
  }
}

}  // namespace isolume
