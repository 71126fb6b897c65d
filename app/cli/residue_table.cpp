// Energies of residues: the parts of a binding energy, and tables of residue contributions.
#include "app/cli/residue_table.h"

#include <fmt/format.h>

#include "compute/over_time/running_statistics.h"
#include "formats/write/write.h"

namespace isolume::cli {
namespace {

std::string quoted(const std::string& text) {
  return text.find_first_of(",\" ") == std::string::npos ? text : "\"" + text + "\"";
}

/// The standard error of the mean of values over frames; empty where they are too few for one.
std::string error_cell(std::span<const double> values) {
  const MeanError error = series_statistics(values).error;
  return error.known() ? fmt::format("{:.6f}", error.standard_error) : "";
}

}  // namespace

std::string residue_columns(const Topology& topology, std::uint32_t number) {
  const Residue& residue = topology.residues[number];
  const Chain& chain = topology.chains[residue.chain];
  return fmt::format("{},{}{},{}", quoted(chain.id.empty() ? chain.segment : chain.id), residue.number,
                     residue.insertion == ' ' ? "" : std::string(1, residue.insertion), quoted(residue.name));
}

std::string term_columns(const BindingTerms& t) {
  std::string line;
  for (const BindingTerm& term : binding_terms) line += fmt::format(",{:.6f}", term.value(t));
  return line;
}

std::string term_headings() {
  std::string line;
  for (const BindingTerm& term : binding_terms) line += fmt::format(",{} (kcal/mol)", term.name);
  return line;
}

ResidueShares::ResidueShares(const Topology& topology, const Binding& binding) {
  for (const std::uint32_t atom : binding.atoms()) rows_.emplace(topology.atoms[atom].residue, 0);
  std::size_t next = 0;
  for (auto& [residue, row] : rows_) row = next++;
  partner_.resize(next);
  sums_.resize(next);
  totals_.resize(next);
  for (std::size_t i = 0; i < binding.atoms().size(); ++i)
    partner_[rows_.at(topology.atoms[binding.atoms()[i]].residue)] = binding.partner()[i];
}

void ResidueShares::add(const Topology& topology, const Binding& binding, const BindingFrame& frame) {
  std::vector<BindingTerms> own(sums_.size());
  for (std::size_t i = 0; i < binding.atoms().size(); ++i)
    own[rows_.at(topology.atoms[binding.atoms()[i]].residue)] += frame.atoms[i];
  for (std::size_t row = 0; row < own.size(); ++row) {
    sums_[row] += own[row];
    totals_[row].push_back(own[row].total());
  }
  rest_ += frame.rest;
}

void ResidueShares::write(const std::string& path, const Topology& topology) const {
  write_atomically(path, [&](std::ostream& out) {
    out << "chain,number,name,partner" << term_headings() << ",standard error of total (kcal/mol)\n";
    const auto mean = [&](BindingTerms sum) {
      const double part = 1.0 / static_cast<double>(totals_.front().size());
      return BindingTerms{sum.lennard_jones * part, sum.coulomb * part, sum.polar * part, sum.nonpolar * part};
    };
    for (const auto& [residue, row] : rows_)
      out << residue_columns(topology, residue) << ',' << partner_[row] + 1 << term_columns(mean(sums_[row])) << ','
          << error_cell(totals_[row]) << '\n';
    out << ",,rest," << term_columns(mean(rest_)) << ",\n";
  });
}

void write_residue_energies(const std::string& path, const Topology& topology, std::span<const double> energies,
                            const std::string& what) {
  std::vector<double> sums(topology.residues.size(), 0.0), charges(topology.residues.size(), 0.0);
  for (std::size_t i = 0; i < energies.size(); ++i) {
    sums[topology.atoms[i].residue] += energies[i];
    charges[topology.atoms[i].residue] += static_cast<double>(topology.atoms[i].charge);
  }
  write_atomically(path, [&](std::ostream& out) {
    out << "chain,number,name,charge (e)," << what << '\n';
    for (std::uint32_t r = 0; r < sums.size(); ++r)
      out << residue_columns(topology, r) << fmt::format(",{:.6f},{:.6f}\n", charges[r], sums[r]);
  });
}

}  // namespace isolume::cli
