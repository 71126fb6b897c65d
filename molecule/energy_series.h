// Energies of a simulation over time, as its program wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isolume {

/// One term of every row: "Potential", "EPtot".
struct EnergyTerm {
  std::string name;
  std::string unit;            ///< as the program has it: "kJ/mol", "K", "bar"; empty where there is none
  std::vector<double> values;  ///< one per row; NaN where the row has none, or it is not finite
};

/// Rows in time. Steps ascend, times too.
struct EnergySeries {
  std::string program;              ///< "GROMACS", "AMBER", "NAMD"
  std::vector<std::int64_t> steps;  ///< one per row
  std::vector<double> times;        ///< ps, one per row; empty where the file has none (a minimisation)
  std::vector<EnergyTerm> terms;    ///< in the order of the file
  std::vector<std::string> warnings;

  std::size_t rows() const { return steps.size(); }
};

/// The term of that name, in any case. Throws Error (usage) that lists the names.
const EnergyTerm& find_term(const EnergySeries& series, const std::string& name);

/// The parts of one run as one series. Where parts overlap in time (a restart from an earlier step), the later part
/// counts. A term that a part does not have is NaN there. Throws Error (usage) for no part, parts of different programs
/// and terms whose units differ.
EnergySeries joined_energies(std::vector<EnergySeries> parts);

/// Turns energies (kJ/mol, kcal/mol) into `unit`, which is one of the two; other units stay.
void convert_energies(EnergySeries& series, const std::string& unit);

}  // namespace isolume
