// Molecular orbitals: which is which.
#include "molecule/quantum/orbitals.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>

#include "molecule/base/error.h"
#include "molecule/quantum/orbital_energies.h"

namespace isolume {

namespace {

const char* spin_name(Spin spin) {
  return spin == Spin::alpha ? "alpha" : "beta";
}

// An orbital counts as occupied from half of what it can hold at most in a single determinant: half an electron of one
// spin in unrestricted and open-shell orbitals. Natural orbitals with small occupations stay virtual.
bool is_occupied(const Orbital& orbital) {
  return orbital.occupation > 0.5;
}

// Natural orbitals have no energies: programs write zeros, or the occupations once more.
bool without_energies(const Orbitals& all, const std::vector<std::size_t>& order) {
  if (order.size() < 2) return false;
  const auto every = [&](auto holds) {
    return std::all_of(order.begin(), order.end(), [&](std::size_t i) { return holds(all.orbitals[i]); });
  };
  return every([](const Orbital& o) { return o.energy == 0; }) ||
         every([](const Orbital& o) { return std::abs(o.energy - o.occupation) < 1e-6; });
}

}  // namespace

FrontierOrder::FrontierOrder(const Orbitals& all, Spin spin) {
  for (std::size_t i = 0; i < all.orbitals.size(); ++i) {
    if (all.orbitals[i].spin == spin) order.push_back(i);
  }
  energies = !without_energies(all, order);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Orbital& x = all.orbitals[a];
    const Orbital& y = all.orbitals[b];
    if (!energies) return x.occupation > y.occupation;
    if (is_occupied(x) != is_occupied(y)) return is_occupied(x);
    return x.energy != y.energy ? x.energy < y.energy : x.occupation > y.occupation;
  });
  for (const std::size_t i : order) occupied += is_occupied(all.orbitals[i]) ? 1 : 0;
}

std::span<const double> Orbitals::row(std::size_t orbital) const {
  const std::size_t functions = basis ? basis->function_count() : 0;
  if (orbital >= orbitals.size() || coefficients.size() < (orbital + 1) * functions) {
    throw Error("orbital " + std::to_string(orbital + 1) + ": there are " + std::to_string(orbitals.size()),
                Error::Kind::usage);
  }
  return std::span<const double>(coefficients).subspan(orbital * functions, functions);
}

std::size_t Orbitals::count(Spin spin) const {
  return static_cast<std::size_t>(
      std::count_if(orbitals.begin(), orbitals.end(), [&](const Orbital& o) { return o.spin == spin; }));
}

std::size_t Orbitals::index_of(Spin spin, std::size_t n) const {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < orbitals.size(); ++i) {
    if (orbitals[i].spin == spin && seen++ == n) return i;
  }
  throw Error("orbital " + std::to_string(n + 1) + ": there are " + std::to_string(seen) + " " + spin_name(spin) +
                  " orbitals, counted from 1",
              Error::Kind::usage);
}

std::optional<std::size_t> Orbitals::homo(Spin spin) const {
  const FrontierOrder frontier(*this, spin);
  if (frontier.occupied == 0) return std::nullopt;
  return frontier.order[frontier.occupied - 1];
}

std::optional<std::size_t> Orbitals::lumo(Spin spin) const {
  const FrontierOrder frontier(*this, spin);
  if (frontier.occupied == frontier.order.size()) return std::nullopt;
  return frontier.order[frontier.occupied];
}

std::size_t Orbitals::find(const std::string& text, Spin spin) const {
  std::string word;
  for (char c : text) {
    if (!std::isspace(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  const std::size_t available = count(spin);
  const std::string exists =
      available == 0 && spin == Spin::beta && !orbitals.empty()
          ? std::string("restricted: alpha and beta orbitals are the same; the file has them as alpha")
      : available == 0 ? std::string("there are no ") + spin_name(spin) + " orbitals"
                       : "the file has " + std::string(spin_name(spin)) + " orbitals 1 to " + std::to_string(available);
  const auto refuse = [&](const std::string& why) -> std::size_t {
    throw Error("orbital " + text + ": " + why + exists, Error::Kind::usage);
  };
  long long number = 0;
  const char* end = word.data() + word.size();
  if (word.starts_with("homo") || word.starts_with("lumo")) {
    if (word.size() > 4) {
      const char sign = word[4];
      const auto [stop, error] = std::from_chars(word.data() + 5, end, number);
      if ((sign != '+' && sign != '-') || error != std::errc() || stop != end || number < 0) {
        return refuse("expected homo, lumo, homo-1, lumo+2 or a number from 1; ");
      }
      if (sign == '-') number = -number;
    }
    const FrontierOrder frontier(*this, spin);
    const long long first_unoccupied = static_cast<long long>(frontier.occupied);
    const long long base = word[0] == 'h' ? first_unoccupied - 1 : first_unoccupied;
    const long long limit = static_cast<long long>(frontier.order.size());
    if (number <= -limit || number >= limit) return refuse("");
    const long long place = base + number;
    if (place < 0 || place >= limit) return refuse("");
    return frontier.order[static_cast<std::size_t>(place)];
  }
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error == std::errc::result_out_of_range) return refuse("");
  if (error != std::errc() || stop != end) {
    return refuse("expected homo, lumo, homo-1, lumo+2 or a number from 1; ");
  }
  if (number < 1 || static_cast<unsigned long long>(number) > available) return refuse("");
  return index_of(spin, static_cast<std::size_t>(number - 1));
}

std::string Orbitals::role(std::size_t orbital) const {
  if (orbital >= orbitals.size()) {
    throw Error("orbital " + std::to_string(orbital + 1) + ": there are " + std::to_string(orbitals.size()),
                Error::Kind::usage);
  }
  const FrontierOrder frontier(*this, orbitals[orbital].spin);
  const auto place = static_cast<std::size_t>(std::find(frontier.order.begin(), frontier.order.end(), orbital) -
                                              frontier.order.begin());
  const std::size_t first = frontier.occupied;  // unoccupied one
  if (place < first) return place + 1 == first ? "HOMO" : "HOMO-" + std::to_string(first - 1 - place);
  return place == first ? "LUMO" : "LUMO+" + std::to_string(place - first);
}

double Orbitals::electron_count() const {
  return std::accumulate(orbitals.begin(), orbitals.end(), 0.0,
                         [](double sum, const Orbital& orbital) { return sum + orbital.occupation; });
}

}  // namespace isolume
