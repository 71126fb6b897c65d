// Energies of residues: the parts of a binding energy, and tables of residue contributions.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "compute/binding/binding.h"
#include "molecule/topology.h"

namespace isolume::cli {

/// A part of the binding energy by its name; the last is the total.
struct BindingTerm {
  const char* name;
  double (*value)(const BindingTerms&);
};
inline constexpr BindingTerm binding_terms[] = {
    {"lennard_jones", [](const BindingTerms& t) { return t.lennard_jones; }},
    {"coulomb", [](const BindingTerms& t) { return t.coulomb; }},
    {"polar", [](const BindingTerms& t) { return t.polar; }},
    {"nonpolar", [](const BindingTerms& t) { return t.nonpolar; }},
    {"total", [](const BindingTerms& t) { return t.total(); }}};

/// The columns of a table for all of them: ",1.000000,..." and ",lennard_jones (kcal/mol),...".
std::string term_columns(const BindingTerms& terms);
std::string term_headings();

/// "A,12A,ALA": the columns chain, number and name of a residue.
std::string residue_columns(const Topology& topology, std::uint32_t number);

/// What every residue contributes, frame by frame.
class ResidueShares {
 public:
  ResidueShares(const Topology& topology, const Binding& binding);
  void add(const Topology& topology, const Binding& binding, const BindingFrame& frame);
  /// Means over the frames and the standard error of the total; no error where the frames are too few for one.
  void write(const std::string& path, const Topology& topology) const;

 private:
  std::map<std::uint32_t, std::size_t> rows_;  ///< of residues, in their order
  std::vector<std::uint8_t> partner_;          ///< of rows
  std::vector<BindingTerms> sums_;             ///< over the frames
  std::vector<std::vector<double>> totals_;    ///< of rows and frames
  BindingTerms rest_;
};

/// A CSV file of the sums of `energies` (one per atom of the topology, kcal/mol) over every residue.
void write_residue_energies(const std::string& path, const Topology& topology, std::span<const double> energies,
                            const std::string& heading);

}  // namespace isolume::cli
