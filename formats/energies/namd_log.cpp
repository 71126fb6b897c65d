// Energies in the logs of NAMD.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "formats/bytes/text.h"
#include "formats/energies/energy_rows.h"
#include "formats/energies/read_energies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t looked_at = std::size_t{1} << 20;
constexpr double fs_in_ps = 1e-3;

const char* unit_of(std::string_view name) {
  if (name.starts_with("TEMP")) return "K";
  if (name.starts_with("PRESS") || name.starts_with("GPRESS")) return "bar";
  if (name == "VOLUME") return "angstrom^3";
  return "kcal/mol";
}

/// Numbers of an ENERGY line, the step first; what is no number is NaN.
struct Line {
  std::optional<std::int64_t> step;
  std::vector<double> values;
};

Line numbers_of(std::string_view rest) {
  Line line;
  line.step = parse_integer(next_token(rest));
  for (std::string_view field = next_token(rest); !field.empty(); field = next_token(rest))
    line.values.push_back(parse_real(field).value_or(NAN));
  return line;
}

class NamdReader {
 public:
  explicit NamdReader(const ByteSource& source) : lines_(source), rows_(source, "NAMD") {}

  EnergySeries read() && {
    try {
      while (lines_.next()) take_line(lines_.line());
    } catch (const Error& error) {
      if (rows_.rows() == 0 || error.kind() != Error::Kind::input) throw;
      rows_.warn("The log is damaged; what is before is read (" + std::string(error.what()) + ").");
    }
    if (odd_ > 0) rows_.warn(std::to_string(odd_) + " ENERGY lines without all of their terms are left out.");
    return std::move(rows_).take();
  }

 private:
  void take_line(std::string_view line) {
    if (line.starts_with("ETITLE:")) {
      line.remove_prefix(7);
      next_token(line);  // TS
      names_.clear();
      for (std::string_view name = next_token(line); !name.empty(); name = next_token(line))
        names_.push_back(clean(name, 40));
    } else if (line.starts_with("ENERGY:")) {
      const Line found = numbers_of(line.substr(7));
      if (names_.empty()) lines_.fail("an ENERGY line before the first ETITLE line");
      if (!found.step || *found.step < 0 || found.values.size() != names_.size()) {
        ++odd_;
        return;
      }
      const std::optional<double> time =
          timestep_ ? std::optional(static_cast<double>(*found.step) * *timestep_ * fs_in_ps) : std::nullopt;
      rows_.begin(*found.step, time);
      for (std::size_t i = 0; i < names_.size(); ++i) rows_.set(names_[i], unit_of(names_[i]), found.values[i]);
    } else if (line.starts_with("Info:")) {
      line.remove_prefix(5);
      if (next_token(line) != "TIMESTEP") return;
      const auto value = parse_real(next_token(line));
      if (value && *value > 0 && *value < 1e6) timestep_ = *value;
    }
  }

  LineScanner lines_;
  EnergyRows rows_;
  std::vector<std::string> names_;
  std::optional<double> timestep_;  ///< fs
  std::size_t odd_ = 0;
};

}  // namespace

bool is_namd_log(const ByteSource& source) {
  if (looks_binary(source)) return false;
  const std::string_view text = source.text().substr(0, looked_at);
  return text.starts_with("ETITLE:") || text.find("\nETITLE:") != text.npos || text.find("Info: NAMD") != text.npos;
}

EnergySeries read_namd_log(const ByteSource& source) {
  return NamdReader(source).read();
}

}  // namespace isolume
