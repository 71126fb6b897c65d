// isolume compute energy --binding --alanine-scan: the change of the binding energy where residues are alanine.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "compute/binding/alanine.h"

namespace isolume::cli {

/// What --alanine-scan means where no selection follows it.
inline constexpr const char* interface_scan = "interface";

/// The cuts of a scan, and the change of every frame's energy by each.
class AlanineScan {
 public:
  /// `selection`: residues of the partners that it has atoms of; interface_scan: those with an atom within 5 angstrom
  /// of the other partner. Throws Error (usage) where nothing is left to cut, with what was skipped.
  AlanineScan(const std::string& selection, const Molecule& molecule, const Frame& first, const Binding& binding);

  /// All cuts in a frame whose own energy is known.
  void add(Binding& binding, std::span<const glm::vec3> positions, const BindingFrame& own, Job& job);
  /// A table; kcal/mol.
  void write(const std::string& path, const Topology& topology, bool pb) const;
  nlohmann::ordered_json json(const Topology& topology, bool pb) const;
  /// The table on standard output, and what was skipped.
  void say(Run& run, const Topology& topology, bool pb) const;

 private:
  struct Row {
    AlanineCut cut;
    int partner = 0;
    std::vector<BindingTerms> changes;  ///< of frames
    std::vector<double> coarse;         ///< changes of the total with steps twice as long
  };
  std::vector<Row> rows_;
  std::vector<AlanineCut> skipped_;
};

}  // namespace isolume::cli
