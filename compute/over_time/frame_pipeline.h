// Frames read and prepared on all threads, and taken one after another in their order.
#pragma once

#include <oneapi/tbb/parallel_pipeline.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "compute/base/job.h"

namespace isolume {

/// Calls make(i) for i from 0 to count - 1 on several threads at once, and take(i, item) with what each returned, one
/// at a time in ascending order, on any thread. At most `ahead` items are there at once. Both are called with the job
/// checked; an exception of either ends the loop and is thrown from here.
template <class Make, class Take>
void in_order(std::size_t count, std::size_t ahead, Job& job, const Make& make, const Take& take) {
  using Item = decltype(make(std::size_t{0}));
  struct Numbered {
    std::size_t index;
    std::optional<Item> item;
  };
  using Token = std::shared_ptr<Numbered>;
  namespace tbb = oneapi::tbb;
  std::size_t next = 0;
  const auto number = [&](tbb::flow_control& control) -> Token {
    if (next == count) {
      control.stop();
      return nullptr;
    }
    return std::make_shared<Numbered>(Numbered{next++, {}});
  };
  const auto prepare = [&](Token token) {
    job.check();
    token->item.emplace(make(token->index));
    return token;
  };
  const auto hand_over = [&](Token token) {
    job.check();
    take(token->index, std::move(*token->item));
  };
  tbb::parallel_pipeline(ahead, tbb::make_filter<void, Token>(tbb::filter_mode::serial_in_order, number) &
                                    tbb::make_filter<Token, Token>(tbb::filter_mode::parallel, prepare) &
                                    tbb::make_filter<Token, void>(tbb::filter_mode::serial_in_order, hand_over));
  job.check();
}

}  // namespace isolume
