// The change from one list to another as one replaced run of rows, so that views keep their selections.
#pragma once

#include <cstddef>
#include <vector>

namespace isolume {

/// Rows [first, first + removed) of the old list were replaced by rows [first, first + added) of the new one.
struct RowChange {
  std::size_t first = 0;
  std::size_t removed = 0;
  std::size_t added = 0;
};

/// The shortest single replacement that turns `before` into `after`. Rows present in both at the same place by count
/// (min(removed, added) of them) are changes in place, the rest insertions or removals.
template <class Row>
RowChange row_change(const std::vector<Row>& before, const std::vector<Row>& after) {
  const std::size_t shorter = before.size() < after.size() ? before.size() : after.size();
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  return {head, before.size() - head - tail, after.size() - head - tail};
}

}  // namespace isolume
