// The sections of a Gaussian formatted checkpoint file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/bytes/text.h"

namespace isolume {

/// True for the header of a section: 40 columns of name, the type in column 44, then a value or "N=" and a count.
bool is_fchk_header(std::string_view line);

/// One set of coordinates and the orbitals that follow it.
struct FchkStep {
  std::vector<double> coordinates;                    ///< bohr, x y z of every atom
  std::map<std::string, std::vector<double>> values;  ///< orbital energies and coefficients by section name
  std::int64_t line = 0;
};

/// What a file has of the sections that are read, as numbers that are not yet understood.
class FchkSections {
 public:
  /// Throws Error (input) for sections that end early; only the coefficients of orbitals may, with a warning.
  explicit FchkSections(std::shared_ptr<const ByteSource> source);

  bool has(const std::string& name) const { return arrays_.contains(name); }
  /// Throws Error (input) that names the section where it is missing.
  const std::vector<double>& need(const std::string& name) const;
  [[noreturn]] void fail(const std::string& message, std::int64_t line = 0) const;

  std::string title;
  std::map<std::string, double> numbers;
  std::vector<FchkStep> steps;
  /// Geometries of an optimisation, scan or IRC by section name.
  std::vector<std::pair<std::string, std::vector<double>>> path;
  std::vector<std::string> warnings;

 private:
  void array(LineScanner& lines, const std::string& name, char type, std::string_view count);
  void keep(const std::string& name, std::vector<double> values, std::int64_t line);

  std::shared_ptr<const ByteSource> source_;
  std::map<std::string, std::vector<double>> arrays_;
};

}  // namespace isolume
