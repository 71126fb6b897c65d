// Energies in the output of AMBER's sander and pmemd.
#include <cmath>
#include <optional>
#include <string>

#include "formats/bytes/text.h"
#include "formats/energies/energy_rows.h"
#include "formats/energies/read_energies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t looked_at = std::size_t{1} << 20;  // bytes, for a block of energies

const char* unit_of(std::string_view name) {
  if (name.starts_with("TEMP")) return "K";
  if (name.starts_with("PRESS")) return "bar";
  if (name == "VOLUME") return "angstrom^3";
  if (name == "Density") return "g/cm^3";
  if (name == "SURFTEN") return "dyn/cm";
  if (name == "RMS" || name == "GMAX") return "kcal/(mol angstrom)";
  return "kcal/mol";
}

/// "NAME = VALUE" pairs of a line, to `take(name, value)`. A value of stars or letters, such as ****** or NaN, is NaN.
template <class Take>
void pairs_of(std::string_view line, const Take& take) {
  for (std::size_t equals = line.find('='); equals != std::string_view::npos; equals = line.find('=')) {
    const std::string_view name = trimmed(line.substr(0, equals));
    line.remove_prefix(equals + 1);
    const std::string_view value = next_token(line);
    if (!name.empty()) take(name, parse_real(value).value_or(NAN));
  }
}

/// A block of energies while its lines are read.
class AmberReader {
 public:
  explicit AmberReader(const ByteSource& source) : lines_(source), rows_(source, "AMBER") {}

  EnergySeries read() && {
    try {
      while (lines_.next()) take_line(trimmed(lines_.line()));
    } catch (const Error& error) {
      if (rows_.rows() == 0 || error.kind() != Error::Kind::input) throw;
      rows_.warn("The file is damaged; what is before is read (" + std::string(error.what()) + ").");
    }
    if (regions_ > 0)
      rows_.warn("The run has several regions of thermodynamic integration; the energies are those of the first.");
    return std::move(rows_).take();
  }

 private:
  enum class State : std::uint8_t { outside, heading, inside, skipped };

  void take_line(std::string_view line) {
    if (line.find("A V E R A G E S") != line.npos || line.find("R M S  F L U C") != line.npos ||
        line.find("AVERAGES OVER") != line.npos || line.find("FINAL RESULTS") != line.npos) {
      skip_next_ = true;
      state_ = State::outside;
    } else if (line.starts_with("| TI region")) {
      region_ = line.find('1') == line.npos ? 2 : 1;
    } else if (line.starts_with("NSTEP")) {
      begin(line);
    } else if (line.starts_with("----") || line.starts_with("====")) {
      state_ = State::outside;
    } else if (state_ == State::heading && !line.empty()) {
      take_minimisation(line);
    } else if (state_ == State::inside && !line.starts_with('|') && line.find("restraints:") == line.npos) {
      take_pairs(line);
    }
  }

  void begin(std::string_view line) {
    if (skip_next_ || region_ > 1) {
      if (!skip_next_) ++regions_;
      skip_next_ = false;
      state_ = State::skipped;
      return;
    }
    if (line.find('=') == line.npos) {
      state_ = State::heading;  // NSTEP ENERGY RMS GMAX NAME NUMBER
      return;
    }
    std::optional<double> step, time;
    pairs_of(line, [&](std::string_view name, double value) {
      if (name == "NSTEP") step = value;
      if (name == "TIME(PS)") time = value;
    });
    if (!step || !(*step >= 0 && *step < 1e15)) lines_.fail("expected a step behind NSTEP");
    if (time && !(*time > -1e15 && *time < 1e15)) lines_.fail("expected a time behind TIME(PS)");
    rows_.begin(static_cast<std::int64_t>(*step), time);
    state_ = State::inside;
    take_pairs(line);
  }

  void take_pairs(std::string_view line) {
    pairs_of(line, [&](std::string_view name, double value) {
      if (name == "NSTEP" || name == "TIME(PS)") return;
      const std::string text = clean(name, 40);
      rows_.set(text, unit_of(text), value);
    });
  }

  void take_minimisation(std::string_view line) {
    const auto step = parse_integer(next_token(line));
    if (!step || *step < 0) lines_.fail("expected the step, the energy and its gradient");
    rows_.begin(*step, std::nullopt);
    for (const char* name : {"ENERGY", "RMS", "GMAX"})
      rows_.set(name, unit_of(name), parse_real(next_token(line)).value_or(NAN));
    state_ = State::inside;
  }

  LineScanner lines_;
  EnergyRows rows_;
  State state_ = State::outside;
  bool skip_next_ = false;
  int region_ = 1;
  std::size_t regions_ = 0;
};

}  // namespace

bool is_amber_output(const ByteSource& source) {
  if (looks_binary(source)) return false;
  const std::string_view text = source.text().substr(0, looked_at);
  const bool heading = text.find("PMEMD") != text.npos || text.find("SANDER") != text.npos;
  if (heading && text.substr(0, 4096).find("Amber") != text.npos) return true;
  const std::size_t block = text.find("NSTEP =");
  return block != text.npos && text.substr(block, 200).find("TIME(PS)") != text.npos;
}

EnergySeries read_amber_output(const ByteSource& source) {
  return AmberReader(source).read();
}

}  // namespace isolume
