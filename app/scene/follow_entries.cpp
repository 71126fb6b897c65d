// Key frames after a change of what they are about.
#include <algorithm>

#include "app/scene/keyed.h"
#include "app/scene/movie.h"

namespace isolume {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

template <class Entry>
Entry without_molecule(Entry entry) {
  entry.molecule = entry.map_molecule = 0;
  if constexpr (requires { entry.zone_molecule; }) entry.zone_molecule = 0;
  if constexpr (requires { entry.minus; })
    entry.minus.molecule = entry.minus.own_error.molecule = entry.minus.error.molecule = 0;
  return entry;
}

/// Where each entry was before; `none` for those that are new.
template <class Entry>
std::vector<std::size_t> origins(const std::vector<Entry>& before, const std::vector<Entry>& after) {
  std::vector<std::size_t> result(after.size(), none);
  std::vector<bool> used(before.size(), false);
  const auto pair_up = [&](auto&& same) {
    for (std::size_t i = 0; i < after.size(); ++i)
      for (std::size_t j = 0; j < before.size() && result[i] == none; ++j)
        if (!used[j] && same(i, j)) result[i] = j, used[j] = true;
  };
  pair_up([&](std::size_t i, std::size_t j) { return i == j && before[j] == after[i]; });
  pair_up([&](std::size_t i, std::size_t j) { return before[j] == after[i]; });
  // Molecules have other numbers where one was removed.
  pair_up([&](std::size_t i, std::size_t j) { return without_molecule(before[j]) == without_molecule(after[i]); });
  // As many are left over: these were changed.
  if (std::count(result.begin(), result.end(), none) == std::count(used.begin(), used.end(), false))
    pair_up([](std::size_t, std::size_t) { return true; });
  return result;
}

template <class Entry, class Keyed>
void reorder(std::vector<Keyed> MovieKey::*list, const std::vector<Entry>& before, const std::vector<Entry>& after,
             std::vector<MovieKey>& keys) {
  if (before == after) return;
  const std::vector<std::size_t> from = origins(before, after);
  bool moved_any = after.size() != before.size();
  for (std::size_t i = 0; i < from.size(); ++i) moved_any = moved_any || from[i] != i;
  if (!moved_any) return;  // what a key frame does not have stays as in the scene
  for (MovieKey& key : keys) {
    std::vector<Keyed> moved;
    for (std::size_t i = 0; i < after.size(); ++i)
      moved.push_back(from[i] == none ? keyed(after[i]) : entry(key.*list, from[i], before[from[i]]));
    key.*list = std::move(moved);
  }
}

}  // namespace

void follow_entries(const Scene& before, Scene& after) {
  if (after.keys.empty() || before.keys != after.keys) return;
  reorder(&MovieKey::representations, before.representations, after.representations, after.keys);
  reorder(&MovieKey::fields, before.fields, after.fields, after.keys);
}

}  // namespace isolume
