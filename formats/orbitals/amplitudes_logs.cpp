// Amplitudes of excited states in the outputs of Gaussian, ORCA, Q-Chem and Psi4.
#include "formats/orbitals/amplitudes_logs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "formats/bytes/text.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::int64_t most_orbitals = 100'000;
constexpr std::size_t most_amplitudes = 100'000'000;

/// What an output says before its states, and these.
class States {
 public:
  explicit States(const ByteSource& source) : lines(source) {}

  LineScanner lines;
  Excitations all;
  std::int64_t alpha = -1, beta = -1, orbitals = -1;
  bool open = false;  ///< a singlet is being read

  void begin(std::int64_t number, double energy) {
    if (number == 1) all.states.clear();
    if (number != static_cast<std::int64_t>(all.states.size()) + 1)
      lines.fail(fmt::format("state {}: expected number {}", number, all.states.size() + 1));
    check_sizes();
    Excitation& state = all.states.emplace_back();
    state.energy = energy;
    state.x.assign(all.occupied * all.virtuals, 0.0);
    open = true;
  }

  /// Both from 1 in file order.
  void set(std::int64_t from, std::int64_t to, double value, bool backwards) {
    const auto occupied = static_cast<std::int64_t>(all.occupied),
               count = occupied + static_cast<std::int64_t>(all.virtuals);
    if (from < 1 || from > occupied || to <= occupied || to > count)
      lines.fail(
          fmt::format("orbitals {} and {}: occupied ones are 1 to {}, virtual ones to {}", from, to, occupied, count));
    Excitation& state = all.states.back();
    if (backwards && state.y.empty()) state.y.assign(state.x.size(), 0.0);
    (backwards
         ? state.y
         : state.x)[static_cast<std::size_t>(from - 1) * all.virtuals + static_cast<std::size_t>(to - occupied - 1)] =
        value;
  }

 private:
  void check_sizes() {
    if (alpha < 1 || orbitals < 1) lines.fail("the numbers of electrons and orbitals should come before the states");
    if (alpha != beta) lines.fail("amplitudes are read of closed shells; this one is open");
    if (orbitals <= alpha || orbitals > most_orbitals)
      lines.fail(fmt::format("{} orbitals are not possible", orbitals));
    all.occupied = static_cast<std::size_t>(alpha);
    all.virtuals = static_cast<std::size_t>(orbitals - alpha);
    if (all.occupied * all.virtuals > most_amplitudes)
      lines.fail(fmt::format("{} x {} amplitudes of a state are too many", all.occupied, all.virtuals));
  }
};

/// The integer at the end or the start of a text, letters of spin ("7a") left out.
std::optional<std::int64_t> last_number(std::string_view text) {
  const auto fields = split(text);
  return fields.empty() ? std::nullopt : parse_integer(fields.back());
}

void of_gaussian(States& states) {
  LineScanner& lines = states.lines;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    const std::vector<std::string_view> fields = split(line);
    if (fields.size() >= 5 && fields[1] == "alpha" && fields[2] == "electrons") {
      states.alpha = lines.integer(fields[0], "electrons", 0, most_orbitals);
      states.beta = lines.integer(fields[3], "electrons", 0, most_orbitals);
    } else if (line.starts_with("NBsUse=") && fields.size() > 1) {
      states.orbitals = lines.integer(fields[1], "orbitals", 1, most_orbitals);
    } else if (line.starts_with("Excited State") && fields.size() > 5) {
      states.open = fields[3].starts_with("Singlet");
      if (!states.open) continue;
      const std::int64_t number = lines.integer(fields[2].substr(0, fields[2].find(':')), "state", 1, 1'000'000);
      // Triplets have numbers too.
      const bool again = number == 1 || states.all.states.empty();
      states.begin(again ? 1 : static_cast<std::int64_t>(states.all.states.size()) + 1,
                   lines.real(fields[4], "energy") / units::hartree_in_ev);
      for (const std::string_view field : fields)
        if (field.starts_with("f="))
          states.all.states.back().strength = lines.real(field.substr(2), "oscillator strength");
    } else if (states.open) {
      const std::size_t forwards = line.find("->"), backwards = line.find("<-");
      const std::size_t arrow = std::min(forwards, backwards);
      if (arrow == std::string_view::npos) {
        if (line.empty()) states.open = false;
        continue;
      }
      const auto from = last_number(line.substr(0, arrow));
      const std::vector<std::string_view> rest = split(line.substr(arrow + 2));
      if (!from || rest.size() < 2 || !parse_integer(rest[0])) lines.fail("expected \"8 -> 9 0.70\"");
      states.set(*from, *parse_integer(rest[0]), lines.real(rest[1], "amplitude"), backwards < forwards);
    }
  }
}

/// "7a" from 0.
std::int64_t orca_orbital(const LineScanner& lines, std::string_view field) {
  if (field.ends_with('b')) lines.fail("amplitudes are read of closed shells; this one is open");
  if (field.ends_with('a')) field.remove_suffix(1);
  return lines.integer(field, "orbital", 0, most_orbitals) + 1;
}

void of_orca(States& states) {
  LineScanner& lines = states.lines;
  bool within = false, spectrum = false;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    const std::vector<std::string_view> fields = split(line);
    if (line.starts_with("Number of Electrons") && fields.size() >= 2) {
      const std::int64_t electrons = lines.integer(fields.back(), "electrons", 0, 2 * most_orbitals);
      states.alpha = (electrons + 1) / 2;
      states.beta = electrons / 2;
    } else if (line.starts_with("Basis Dimension")) {
      states.orbitals = lines.integer(fields.back(), "orbitals", 1, most_orbitals);
    } else if (line.find("EXCITED STATES") != std::string_view::npos) {
      within = line.starts_with("TD-DFT/TDA EXCITED STATES") && line.find("TRIPLETS") == std::string_view::npos;
      if (line.starts_with("TD-DFT EXCITED STATES"))
        lines.fail("a full TD-DFT calculation of ORCA: states are read with the Tamm-Dancoff approximation only");
      states.open = false;
    } else if (line.find("SPECTRUM VIA TRANSITION") != std::string_view::npos ||
               line.find("EXCITATION SPECTRA") != std::string_view::npos) {
      within = states.open = false;
      spectrum = line.starts_with("ABSORPTION SPECTRUM VIA TRANSITION ELECTRIC DIPOLE");
    } else if (within && fields.size() > 4 && fields[0] == "STATE") {
      const std::int64_t number = lines.integer(fields[1].substr(0, fields[1].find(':')), "state", 1, 1'000'000);
      states.begin(number, lines.real(fields[3], "energy"));
    } else if (states.open && fields.size() > 3 && (fields[1] == "->" || fields[1] == "<-")) {
      const std::size_t mark = line.find("(c=");
      if (mark == std::string_view::npos) lines.fail("expected a coefficient, \"(c= 0.99)\"");
      const std::string_view rest = line.substr(mark + 3);
      const double c = lines.real(trimmed(rest.substr(0, rest.find(')'))), "coefficient");
      states.set(orca_orbital(lines, fields[0]), orca_orbital(lines, fields[2]), c / std::sqrt(2.0), fields[1] == "<-");
    } else if (spectrum && fields.size() >= 5) {
      // "1 32421.2 308.4 0.17 ...", and later "0-1A -> 1-1A 4.02 32421.2 308.4 0.17 ...".
      const bool later = fields[1] == "->" && fields.size() >= 7;
      if (later && !fields[2].substr(fields[2].find('-') + 1).starts_with('1')) continue;
      const auto number = parse_integer(later ? fields[2].substr(0, fields[2].find('-')) : fields[0]);
      const auto strength = parse_real(fields[later ? 6 : 3]);
      if (number && strength && *number >= 1 && *number <= static_cast<std::int64_t>(states.all.states.size()))
        states.all.states[static_cast<std::size_t>(*number - 1)].strength = *strength;
    }
  }
}

/// "D(    8)" or "V(1)" at the end of a text: the number.
std::int64_t qchem_orbital(const LineScanner& lines, std::string_view text, char kind) {
  const std::size_t open = text.rfind('('), close = text.rfind(')');
  if (open == std::string_view::npos || open == 0 || close == std::string_view::npos || close < open)
    lines.fail("expected \"D( 8) --> V( 1)\"");
  if (text[open - 1] != kind) lines.fail("amplitudes are read of closed shells; this one is open");
  return lines.integer(trimmed(text.substr(open + 1, close - open - 1)), "orbital", 1, most_orbitals);
}

void of_qchem(States& states) {
  LineScanner& lines = states.lines;
  std::optional<double> energy;  // of a state whose multiplicity is not known yet
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    const std::vector<std::string_view> fields = split(line);
    if (line.starts_with("There are") && line.ends_with("beta electrons") && fields.size() == 8) {
      states.alpha = lines.integer(fields[2], "electrons", 0, most_orbitals);
      states.beta = lines.integer(fields[5], "electrons", 0, most_orbitals);
    } else if (line.starts_with("There are") && line.ends_with("basis functions") && fields.size() >= 4) {
      states.orbitals = lines.integer(fields[fields.size() - 3], "orbitals", 1, most_orbitals);
    } else if (line.starts_with("Excited state") && line.find("excitation energy (eV)") != std::string_view::npos) {
      if (lines.integer(fields[2].substr(0, fields[2].find(':')), "state", 1, 1'000'000) == 1)
        states.all.states.clear();
      energy = lines.real(fields.back(), "energy") / units::hartree_in_ev;
      states.open = false;
    } else if (energy && line.starts_with("Multiplicity:")) {
      if (fields.back() == "Singlet") states.begin(static_cast<std::int64_t>(states.all.states.size()) + 1, *energy);
      energy.reset();
    } else if (energy && line.starts_with("<S**2>")) {
      lines.fail("amplitudes are read of closed shells; this one is open");
    } else if (states.open && line.starts_with("Strength") && fields.size() >= 3) {
      states.all.states.back().strength = lines.real(fields.back(), "oscillator strength");
    } else if (const std::size_t arrow = line.find("-->"); states.open && arrow != std::string_view::npos) {
      const std::size_t mark = line.find("amplitude =");
      if (mark == std::string_view::npos) lines.fail("expected \"amplitude = 0.99\"");
      const std::vector<std::string_view> value = split(line.substr(mark + 11));
      if (value.empty()) lines.fail("expected \"amplitude = 0.99\"");
      states.set(qchem_orbital(lines, line.substr(0, arrow), 'D'),
                 states.alpha + qchem_orbital(lines, line.substr(arrow + 3, mark - arrow - 3), 'V'),
                 lines.real(value[0], "amplitude") / std::sqrt(2.0), line.starts_with("Y:"));
    }
  }
}

/// The orbitals of Psi4 by the names that its states have, "2b1", in the order of their energies, as its Molden files
/// have them. Only the last list counts.
class Psi4Orbitals {
 public:
  void begin() {
    places_.clear();
    occupied_ = 0;
  }
  /// "1A1 -20.55 2A1 -1.34".
  void take(const std::vector<std::string_view>& fields, bool occupied) {
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
      places_.emplace(lower(fields[i]), static_cast<std::int64_t>(places_.size()) + 1);
      occupied_ += occupied;
    }
  }
  std::int64_t at(const LineScanner& lines, std::string_view name) const {
    const auto found = places_.find(lower(name));
    if (found == places_.end())
      lines.fail(fmt::format("orbital {} is none of the {} of the orbital energies", name, places_.size()));
    return found->second;
  }
  std::int64_t occupied() const { return occupied_; }
  std::int64_t count() const { return static_cast<std::int64_t>(places_.size()); }

 private:
  static std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
  }
  std::map<std::string, std::int64_t> places_;
  std::int64_t occupied_ = 0;
};

void of_psi4(States& states) {
  LineScanner& lines = states.lines;
  Psi4Orbitals orbitals;
  enum class List { none, occupied, virtuals } list = List::none;
  double scale = 1;  // of coefficients: both spins have the same, and the squares of one add up to 1/2
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    const std::vector<std::string_view> fields = split(line);
    if (line.starts_with("Orbital Energies")) {
      orbitals.begin();
    } else if (line.starts_with("Doubly Occupied:")) {
      list = List::occupied;
    } else if (line.starts_with("Virtual:")) {
      list = List::virtuals;
    } else if (line.starts_with("Alpha Occupied:") || line.starts_with("Singly Occupied:")) {
      lines.fail("amplitudes are read of closed shells; this one is open");
    } else if (line.starts_with("Final Occupation")) {
      list = List::none;
      states.alpha = states.beta = orbitals.occupied();
      states.orbitals = orbitals.count();
    } else if (list != List::none && fields.size() >= 2) {
      orbitals.take(fields, list == List::occupied);
    } else if (line.starts_with("Contributing excitations")) {
      states.all.states.clear();
    } else if (line.starts_with("Excited State") && line.find(" au ") != std::string_view::npos) {
      const std::size_t open = line.find('('), close = line.find("):");
      if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        lines.fail("expected \"Excited State 1 (1 A1): 0.1 au\"");
      states.open = line.substr(open + 1).starts_with('1');
      if (!states.open) continue;
      const std::vector<std::string_view> rest = split(line.substr(close + 2));
      // Triplets have numbers too.
      states.begin(static_cast<std::int64_t>(states.all.states.size()) + 1, lines.real(rest.at(0), "energy"));
      if (rest.size() >= 7 && rest[4] == "f")
        states.all.states.back().strength = lines.real(rest[6], "oscillator strength");
      scale = std::sqrt(0.5);
    } else if (states.open && line.starts_with("Sums of squares:")) {
      const double norm = lines.real(fields.back(), "sum of squares");
      if (norm > 0) scale = std::sqrt(0.5 / norm);
    } else if (states.open && fields.size() >= 4 && (fields[1] == "->" || fields[1] == "<-")) {
      states.set(orbitals.at(lines, fields[0]), orbitals.at(lines, fields[2]),
                 scale * lines.real(fields[3], "amplitude"), fields[1] == "<-");
    }
  }
}

/// By words that only one of the programs writes before its states.
void (*reader_of(const ByteSource& source))(States&) {
  LineScanner lines(source);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.find("* O   R   C   A *") != std::string_view::npos) return of_orca;
    if (line.find("TD-DFT/TDA EXCITED STATES") != std::string_view::npos) return of_orca;
    if (line.find("Psi4: An Open-Source") != std::string_view::npos) return of_psi4;
    if (line.find("Contributing excitations") != std::string_view::npos) return of_psi4;
    if (line.find("Q-Chem") != std::string_view::npos) return of_qchem;
    if (line.find("excitation energy (eV)") != std::string_view::npos) return of_qchem;
    if (trimmed(line).starts_with("Excited State")) return of_gaussian;
  }
  return nullptr;
}

}  // namespace

Excitations amplitudes_of_output(const ByteSource& source) {
  States states(source);
  if (const auto read = reader_of(source)) read(states);
  return std::move(states.all);
}

}  // namespace isolume
