// Binding energies of frames: a table, and JSON for the report.
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/residue_table.h"
#include "compute/binding/binding.h"

namespace isolume::cli {

/// All frames of one choice.
struct BindingSeries {
  std::vector<std::size_t> frames;
  std::vector<BindingFrame> values;  ///< their atoms' shares are given away

  std::vector<double> of(const BindingTerm& term) const;
  /// One line a frame.
  void write(const std::string& path, bool pb) const;
};

nlohmann::ordered_json terms_json(const BindingTerms& terms, bool with_lennard_jones);
/// The mean of a term over frames, with its standard error and how many blocks are independent.
nlohmann::ordered_json mean_json(const std::vector<double>& values);
/// Of the complex and of the two partners.
nlohmann::ordered_json molecules_json(const std::array<double, 3>& values);

}  // namespace isolume::cli
