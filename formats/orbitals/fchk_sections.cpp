// The sections of a Gaussian formatted checkpoint file.
#include "formats/orbitals/fchk_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/bytes/number_run.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

const std::string coordinates_name = "Current cartesian coordinates";

bool is_of_a_step(const std::string& name) {
  return name == "Alpha Orbital Energies" || name == "Beta Orbital Energies" || name == "Alpha MO coefficients" ||
         name == "Beta MO coefficients";
}

bool is_wanted(const std::string& name) {
  static const std::vector<std::string> known = {"Atomic numbers",
                                                 "Nuclear charges",
                                                 "Shell types",
                                                 "Number of primitives per shell",
                                                 "Shell to atom map",
                                                 "Primitive exponents",
                                                 "Mulliken Charges",
                                                 "Contraction coefficients",
                                                 "P(S=P) Contraction coefficients"};
  return std::find(known.begin(), known.end(), name) != known.end();
}

bool is_path(const std::string& name) {
  return (name.starts_with("Opt point") || name.starts_with("IRC point")) && name.ends_with("Geometries");
}

}  // namespace

bool is_fchk_header(std::string_view line) {
  if (line.size() < 46 || line[0] == ' ' || line[42] != ' ' || line[44] != ' ') return false;
  return std::string_view("IRCLH").find(line[43]) != std::string_view::npos;
}

FchkSections::FchkSections(std::shared_ptr<const ByteSource> source) : source_(std::move(source)) {
  LineScanner lines(*source_);
  title = clean(lines.require("the title"));
  lines.require("the type of the calculation");
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!is_fchk_header(line)) continue;
    const std::string name = clean(line.substr(0, 40));
    const char type = line[43];
    if (line.size() > 49 && line.substr(47, 2) == "N=") {
      array(lines, name, type, trimmed(line.substr(49)));
    } else if (type == 'I' || type == 'R') {
      const std::string_view text = trimmed(line.substr(44));
      if (const auto value = parse_real(text)) {
        if (!std::isfinite(*value) && type == 'I') lines.fail(name + ": \"" + clean(text, 40) + "\" is no integer");
        if (std::isfinite(*value)) numbers[name] = *value;
      }
    }
  }
}

void FchkSections::fail(const std::string& message, std::int64_t line) const {
  throw Error::in_file(source_->name(), line, message);
}

const std::vector<double>& FchkSections::need(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) fail("the file has no section \"" + name + "\"");
  return found->second;
}

void FchkSections::array(LineScanner& lines, const std::string& name, char type, std::string_view field) {
  if (name != coordinates_name && !is_of_a_step(name) && !is_wanted(name) && !is_path(name)) return;
  const std::int64_t count = lines.integer(field, name, 0, std::int64_t{1} << 40);
  if (type != 'I' && type != 'R') lines.fail(name + ": numbers expected");
  const std::int64_t line = lines.number();
  // A cut file may lack the end of its orbitals, but nothing makes us reserve what is not there.
  const bool may_be_cut = name.ends_with("MO coefficients");
  if (!may_be_cut) check_count(*source_, line, static_cast<std::uint64_t>(count), 2, lines.bytes_left(), name);
  std::vector<double> values;
  values.reserve(std::min(static_cast<std::size_t>(count), lines.bytes_left() / 2));
  while (static_cast<std::int64_t>(values.size()) < count && lines.next()) {
    std::string_view rest = lines.line();
    if (is_fchk_header(rest)) {
      lines.fail(fmt::format("{}: {} of {} values before the next section", name, values.size(), count));
    }
    // The last number of a line that the end of the file cut may be a number too, but not the right one.
    if (may_be_cut && lines.bytes_left() == 0 && !source_->text().ends_with('\n')) break;
    double value = 0;
    while (static_cast<std::int64_t>(values.size()) < count && next_number(lines, rest, value, name)) {
      values.push_back(value);
    }
  }
  if (static_cast<std::int64_t>(values.size()) < count) {
    const std::string message = fmt::format("{} of {} values of \"{}\"", values.size(), count, name);
    if (!may_be_cut) lines.fail("the file ends after " + message);
    warnings.push_back("The file ends after " + message + "; the whole orbitals among them are read.");
  }
  keep(name, std::move(values), line);
}

void FchkSections::keep(const std::string& name, std::vector<double> values, std::int64_t line) {
  if (name == coordinates_name) {
    if (steps.empty() || !steps.back().values.empty() || steps.back().coordinates != values) steps.emplace_back();
    steps.back().coordinates = std::move(values);
    steps.back().line = line;
  } else if (is_of_a_step(name)) {
    if (steps.empty()) steps.emplace_back();
    steps.back().values[name] = std::move(values);
  } else if (is_path(name)) {
    path.emplace_back(name, std::move(values));
  } else {
    arrays_[name] = std::move(values);
  }
}

}  // namespace isolume
