// Rows of energies while a file is read: terms that come and go, restarts, and a limit on what they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "formats/bytes/byte_source.h"
#include "molecule/energy_series.h"

namespace isolume {

/// Makes an EnergySeries row by row. A row whose time (or step, without times) is not after the rows before replaces
/// those that it is not after: a run that was continued from an earlier step.
class EnergyRows {
 public:
  EnergyRows(const ByteSource& source, std::string program);

  /// Begins a row. Throws Error (input) where rows times terms would exceed the limit on content.
  void begin(std::int64_t step, std::optional<double> time);
  /// A value of the row that was begun last. A name that is new is a new term; at most 2000 are taken.
  void set(const std::string& name, const std::string& unit, double value);
  /// As set(), of a term that add() made: for files whose terms are the same in every row.
  void set(std::size_t term, double value);
  /// A term, "NAME (2)" where the name is there already. Gives its number.
  std::size_t add(std::string name, std::string unit);

  std::size_t rows() const { return series_.rows(); }
  void warn(std::string text) { series_.warnings.push_back(std::move(text)); }
  /// What was read. Throws Error (input) where there is no row.
  EnergySeries take() &&;

 private:
  void check_size() const;
  [[noreturn]] void fail(const std::string& message) const;

  const ByteSource* source_;
  EnergySeries series_;
  std::map<std::string, std::size_t> places_;
  std::size_t replaced_ = 0;
  bool without_time_ = false;
};

}  // namespace isolume
