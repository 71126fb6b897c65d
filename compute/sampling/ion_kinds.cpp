// The table of ions, and what follows from charges alone.
#include "compute/sampling/ion_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::array<IonKind, 12> kinds{{{"LI", 3, 1, 0.76f},
                                         {"NA", 11, 1, 1.02f},
                                         {"K", 19, 1, 1.38f},
                                         {"RB", 37, 1, 1.52f},
                                         {"CS", 55, 1, 1.67f},
                                         {"MG", 12, 2, 0.72f},
                                         {"CA", 20, 2, 1.00f},
                                         {"ZN", 30, 2, 0.74f},
                                         {"F", 9, -1, 1.33f},
                                         {"CL", 17, -1, 1.81f},
                                         {"BR", 35, -1, 1.96f},
                                         {"I", 53, -1, 2.20f}}};

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::string known_names() {
  std::string names;
  for (const IonKind& kind : kinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

const IonKind* find(std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const IonKind& k) { return k.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace

std::span<const IonKind> ion_kinds() {
  return kinds;
}

const IonKind& ion_kind(std::string_view name) {
  std::string plain = upper(name);
  while (!plain.empty() && (plain.back() == '+' || plain.back() == '-' || (plain.back() >= '0' && plain.back() <= '9')))
    plain.pop_back();
  if (const IonKind* found = find(plain)) return *found;
  throw Error(fmt::format("'{}' is not a known ion; known are {}", name.substr(0, 20), known_names()),
              Error::Kind::usage);
}

Salt salt_of(std::string_view formula) {
  std::string text = upper(formula);
  int written = 1;  // anions that the formula names
  if (!text.empty() && text.back() >= '2' && text.back() <= '9') {
    written = text.back() - '0';
    text.pop_back();
  }
  for (const IonKind& cation : kinds) {
    if (cation.charge < 0 || !text.starts_with(cation.name)) continue;
    const IonKind* anion = find(std::string_view(text).substr(cation.name.size()));
    if (anion == nullptr || anion->charge > 0 || written != cation.charge) continue;
    return {&cation, anion, 1, cation.charge};
  }
  throw Error(fmt::format("--salt {}: not a known salt; expected a cation and its anions, as in NaCl, KBr or MgCl2, of "
                          "the ions {}",
                          formula.substr(0, 20), known_names()),
              Error::Kind::usage);
}

std::vector<IonCount> ion_counts(const std::string& text) {
  std::vector<IonCount> counts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size()), colon = text.find(':', at);
    int count = 0;
    const bool known = colon < end;
    const auto [next, fault] = known ? std::from_chars(text.data() + colon + 1, text.data() + end, count)
                                     : std::from_chars_result{text.data(), std::errc::invalid_argument};
    if (fault != std::errc() || next != text.data() + end || count < 0 || count > 10'000'000)
      throw Error(fmt::format("--count {}: expected ions and their numbers, as in NA:10,CL:12", text),
                  Error::Kind::usage);
    const IonKind& kind = ion_kind(std::string_view(text).substr(at, colon - at));
    if (std::any_of(counts.begin(), counts.end(), [&](const IonCount& c) { return c.kind == &kind; }))
      throw Error(fmt::format("--count {}: {} is there twice", text, kind.name), Error::Kind::usage);
    counts.push_back({&kind, count});
    at = end + 1;
  }
  return counts;
}

int salt_units(double concentration, double volume) {
  const double units = concentration * units::avogadro * 1e-27 * volume;
  if (!(units >= 0 && units < 1e7))
    throw Error(
        fmt::format("a concentration of {:g} mol/l in {:g} angstrom^3 is {:g} units of salt; at most 10 000 000 "
                    "can be placed",
                    concentration, volume, units),
        Error::Kind::usage);
  return static_cast<int>(std::lround(units));
}

void add_neutralising(std::vector<IonCount>& counts, const Salt& salt, int charge) {
  long total = charge;
  for (const IonCount& c : counts) total += static_cast<long>(c.kind->charge) * c.count;
  const long z = salt.cation->charge, a = -salt.anion->charge;
  long cations = total < 0 ? (-total + z - 1) / z : 0;
  while (cations * z + total > 0 && (cations * z + total) % a != 0) ++cations;
  const long anions = (cations * z + total) / a;
  const auto add = [&](const IonKind* kind, long more) {
    if (more == 0) return;
    for (IonCount& c : counts) {
      if (c.kind != kind) continue;
      c.count += static_cast<int>(more);
      return;
    }
    counts.push_back({kind, static_cast<int>(more)});
  };
  add(salt.cation, cations);
  add(salt.anion, anions);
}

std::vector<const IonKind*> ion_sequence(std::vector<IonCount> counts, int charge, IonOrder order) {
  const int counter = charge > 0 ? -1 : 1;
  std::stable_partition(counts.begin(), counts.end(), [&](const IonCount& c) { return c.kind->charge * counter > 0; });
  std::vector<const IonKind*> sequence;
  if (order == IonOrder::neutralise_first) {
    int left = std::abs(charge);
    for (IonCount& c : counts) {
      while (c.kind->charge * counter > 0 && c.count > 0 && left >= std::abs(c.kind->charge)) {
        sequence.push_back(c.kind);
        --c.count;
        left -= std::abs(c.kind->charge);
      }
    }
  }
  for (bool any = true; any;) {
    any = false;
    for (IonCount& c : counts) {
      if (c.count == 0) continue;
      sequence.push_back(c.kind);
      --c.count;
      any = true;
    }
  }
  return sequence;
}

}  // namespace isolume
