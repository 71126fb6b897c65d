// Where the molecules of a scene are in a later one.
#include "app/scene/moved_molecules.h"

#include <algorithm>

namespace isolume {

std::optional<std::uint32_t> molecule_in(const Scene& later, const Scene& before, std::size_t number) {
  const auto& old = before.molecules;
  const auto& now = later.molecules;
  if (number >= old.size()) return std::nullopt;
  const auto at = [](std::size_t place) { return static_cast<std::uint32_t>(place); };
  if (old.size() == now.size()) {
    if (old[number].paths == now[number].paths) return at(number);
    return std::nullopt;
  }
  // Those before and behind the change are the same, by all that they have, or at least by their files.
  const std::size_t fewer = std::min(old.size(), now.size());
  std::size_t first = 0, last = 0;
  const auto align = [&](const auto& same) {
    first = last = 0;
    while (first < fewer && same(old[first], now[first])) ++first;
    while (last < fewer - first && same(old[old.size() - 1 - last], now[now.size() - 1 - last])) ++last;
    return first + last == fewer;
  };
  if (!align([](const SceneMolecule& a, const SceneMolecule& b) { return a == b; }))
    align(
        [](const SceneMolecule& a, const SceneMolecule& b) { return a.paths == b.paths && a.assembly == b.assembly; });
  if (number < first) return at(number);
  if (old.size() - number <= last) return at(number + now.size() - old.size());
  return std::nullopt;
}

}  // namespace isolume
