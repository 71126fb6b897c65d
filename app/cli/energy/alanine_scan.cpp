// isolume compute energy --binding --alanine-scan: the change of the binding energy where residues are alanine.
#include "app/cli/energy/alanine_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/residue_table.h"
#include "compute/base/job_part.h"
#include "compute/over_time/running_statistics.h"
#include "compute/preparation/prepared_charges.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

BindingTerms difference(const BindingTerms& a, const BindingTerms& b) {
  return {a.lennard_jones - b.lennard_jones, a.coulomb - b.coulomb, a.polar - b.polar, a.nonpolar - b.nonpolar};
}

BindingTerms mean(const std::vector<BindingTerms>& values) {
  BindingTerms sum;
  for (const BindingTerms& value : values) sum += value;
  const double part = 1.0 / static_cast<double>(values.size());
  return {sum.lennard_jones * part, sum.coulomb * part, sum.polar * part, sum.nonpolar * part};
}

PointStatistics total_of(const std::vector<BindingTerms>& values) {
  std::vector<double> totals;
  for (const BindingTerms& value : values) totals.push_back(value.total());
  return series_statistics(totals);
}

/// What steps twice as long change of the mean.
double step_error(const std::vector<BindingTerms>& changes, const std::vector<double>& coarse) {
  double sum = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) sum += coarse[i] - changes[i].total();
  return std::abs(sum) / static_cast<double>(changes.size());
}

bool changes_charge(const AlanineCut& cut) {
  return std::abs(cut.charge_change) > 0.5;
}

}  // namespace

AlanineScan::AlanineScan(const std::string& selection, const Molecule& molecule, const Frame& first,
                         const Binding& binding) {
  const Topology& topology = *molecule.topology;
  std::vector<std::uint32_t> residues;
  if (selection == interface_scan) {
    residues = interface_residues(topology, binding, first.positions);
  } else {
    const std::vector<std::uint8_t> mask = Selection(selection).mask(topology, first);
    std::set<std::uint32_t> found;
    for (const std::uint32_t atom : binding.atoms())
      if (mask[atom]) found.insert(topology.atoms[atom].residue);
    residues.assign(found.begin(), found.end());
    if (residues.empty()) {
      if (std::find(mask.begin(), mask.end(), 1) == mask.end())
        throw Error("--alanine-scan: " + empty_selection(selection, topology), Error::Kind::usage);
      throw Error(fmt::format("--alanine-scan: none of the atoms of '{}' is of a partner", selection),
                  Error::Kind::usage);
    }
  }
  std::map<std::uint32_t, std::uint8_t> partner;
  for (std::size_t i = 0; i < binding.atoms().size(); ++i)
    partner[topology.atoms[binding.atoms()[i]].residue] = binding.partner()[i];
  for (const std::uint32_t residue : residues) {
    AlanineCut cut = alanine_cut(topology, first.positions, residue);
    if (!cut.skipped.empty()) {
      skipped_.push_back(std::move(cut));
    } else {
      rows_.push_back({std::move(cut), partner[residue], {}, {}});
    }
  }
  if (!rows_.empty()) return;
  std::string why;
  for (std::size_t i = 0; i < std::min<std::size_t>(skipped_.size(), 5); ++i)
    why += fmt::format("{} {} ({})", i == 0 ? ":" : ",", residue_place(topology, skipped_[i].residue),
                       skipped_[i].skipped);
  throw Error(fmt::format("--alanine-scan: none of {} residues can be cut to alanine{}", residues.size(), why),
              Error::Kind::usage);
}

void AlanineScan::add(Binding& binding, std::span<const glm::vec3> positions, const BindingFrame& own, Job& job) {
  const double own_coarse = own.sum.total() - own.sum.polar + own.coarse_polar();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    const double share = 1.0 / static_cast<double>(rows_.size());
    JobPart part(job, share * static_cast<double>(i), share * static_cast<double>(i + 1));
    const BindingFrame cut = binding.evaluate(positions, row.cut.mutation, own, part);
    row.changes.push_back(difference(cut.sum, own.sum));
    row.coarse.push_back(cut.sum.total() - cut.sum.polar + cut.coarse_polar() - own_coarse);
  }
}

void AlanineScan::write(const std::string& path, const Topology& topology, bool pb) const {
  write_atomically(path, [&](std::ostream& out) {
    out << "chain,number,name,partner,mutation" << term_headings() << ",standard error of total (kcal/mol)"
        << (pb ? ",change with steps twice as long (kcal/mol)" : "") << ",charge change (e)\n";
    for (const Row& row : rows_) {
      out << residue_columns(topology, row.cut.residue) << ',' << row.partner + 1 << ",to ALA"
          << term_columns(mean(row.changes));
      out << (total_of(row.changes).error.known() ? fmt::format(",{:.6f}", total_of(row.changes).error.standard_error)
                                                  : ",");
      if (pb) out << fmt::format(",{:.6f}", step_error(row.changes, row.coarse));
      out << fmt::format(",{:.4f}\n", row.cut.charge_change);
    }
    for (const AlanineCut& cut : skipped_)
      out << residue_columns(topology, cut.residue) << ",,skipped: " << cut.skipped << ",,,,,,," << (pb ? "," : "")
          << '\n';
  });
}

Json AlanineScan::json(const Topology& topology, bool pb) const {
  Json list = Json::array();
  for (const Row& row : rows_) {
    const BindingTerms terms = mean(row.changes);
    const PointStatistics total = total_of(row.changes);
    Json entry{{"residue", residue_place(topology, row.cut.residue)},
               {"partner", row.partner + 1},
               {"ddg", total.mean},
               {"standard_error", total.error.known() ? Json(total.error.standard_error) : Json(nullptr)},
               {"enough_blocks", total.error.known()},
               {"lennard_jones", terms.lennard_jones},
               {"coulomb", terms.coulomb},
               {"polar", terms.polar},
               {"nonpolar", terms.nonpolar},
               {"charge_change", row.cut.charge_change},
               {"changes_charge", changes_charge(row.cut)},
               {"charges", row.cut.source}};
    if (pb) entry["change_with_steps_twice_as_long"] = step_error(row.changes, row.coarse);
    list.push_back(entry);
  }
  Json skipped = Json::array();
  for (const AlanineCut& cut : skipped_)
    skipped.push_back({{"residue", residue_place(topology, cut.residue)}, {"why", cut.skipped}});
  return {{"residues", list}, {"skipped", skipped}};
}

void AlanineScan::say(Run& run, const Topology& topology, bool pb) const {
  fmt::print("residue          ddG (kcal/mol){}{}\n", rows_.front().changes.size() > 1 ? "  standard error" : "",
             pb ? "  with steps twice as long" : "");
  bool charged = false;
  for (const Row& row : rows_) {
    const PointStatistics total = total_of(row.changes);
    std::string line = fmt::format("{:<16} {:14.3f}", residue_place(topology, row.cut.residue) + " to ALA", total.mean);
    if (row.changes.size() > 1)
      line += total.error.known() ? fmt::format("{:16.3f}", total.error.standard_error)
                                  : fmt::format("{:>16}", "few frames");
    if (pb) line += fmt::format("{:+26.3f}", step_error(row.changes, row.coarse));
    if (changes_charge(row.cut)) line += fmt::format("  charge {:+.0f}", row.cut.charge_change);
    charged = charged || changes_charge(row.cut);
    fmt::print("{}\n", line);
  }
  if (charged)
    run.say(
        "note: mutations that change the charge are marked; their change is the difference of large terms, and "
        "depends on the solute's permittivity most");
  std::map<std::string, std::vector<std::string>> reasons;
  for (const AlanineCut& cut : skipped_) reasons[cut.skipped].push_back(residue_place(topology, cut.residue));
  for (const auto& [why, places] : reasons) {
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(places.size(), 6); ++i) list += (i ? ", " : "") + places[i];
    run.say(fmt::format("note: not cut to alanine, since {}: {}{}", why, list,
                        places.size() > 6 ? fmt::format(" and {} more", places.size() - 6) : ""));
  }
}

}  // namespace isolume::cli
