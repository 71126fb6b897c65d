// Groups of frames that are alike, from the distances of all pairs.
#include "compute/trajectory/frame_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;

Groups by_neighbours(std::span<const float> d, std::size_t n, double cutoff, std::vector<std::uint32_t>& middles,
                     Job& job) {
  std::vector<std::uint8_t> left(n, 1);
  std::vector<std::size_t> neighbours(n, 0);
  const auto near = [&](std::size_t a, std::size_t b) { return static_cast<double>(d[a * n + b]) <= cutoff; };
  for (std::size_t i = 0; i < n; ++i) {
    job.check();
    for (std::size_t j = 0; j < n; ++j) neighbours[i] += near(i, j);
  }
  Groups groups;
  for (std::size_t taken = 0; taken < n;) {
    job.check();
    job.progress(static_cast<double>(taken) / static_cast<double>(n), "clusters");
    std::size_t middle = n;
    for (std::size_t i = 0; i < n; ++i)
      if (left[i] && (middle == n || neighbours[i] > neighbours[middle])) middle = i;
    std::vector<std::uint32_t> group;
    for (std::size_t j = 0; j < n; ++j)
      if (left[j] && (j == middle || near(middle, j))) group.push_back(static_cast<std::uint32_t>(j));
    for (const std::uint32_t gone : group) left[gone] = 0;
    for (const std::uint32_t gone : group)
      for (std::size_t j = 0; j < n; ++j) neighbours[j] -= left[j] && near(gone, j);
    taken += group.size();
    groups.push_back(std::move(group));
    middles.push_back(static_cast<std::uint32_t>(middle));
  }
  return groups;
}

/// Average linkage by chains of nearest neighbours: the joins in any order, then cut.
Groups by_average(std::span<const float> distances, std::size_t n, const ClusterOptions& options, Job& job) {
  std::vector<double> d(distances.begin(), distances.end());
  std::vector<std::size_t> size(n, 1), chain;
  std::vector<std::uint8_t> there(n, 1);
  struct Join {
    std::size_t a, b;
    double height;
  };
  std::vector<Join> joins;
  while (joins.size() + 1 < n) {
    job.check();
    job.progress(static_cast<double>(joins.size()) / static_cast<double>(n), "clusters");
    if (chain.empty())
      chain.push_back(static_cast<std::size_t>(std::find(there.begin(), there.end(), 1) - there.begin()));
    for (;;) {
      const std::size_t last = chain.back();
      // The one before is taken among equals, so that chains end.
      std::size_t best = chain.size() > 1 ? chain[chain.size() - 2] : n;
      double least = best < n ? d[last * n + best] : std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < n; ++j)
        if (there[j] && j != last && d[last * n + j] < least) {
          least = d[last * n + j];
          best = j;
        }
      if (chain.size() > 1 && best == chain[chain.size() - 2]) break;
      chain.push_back(best);
    }
    const std::size_t b = chain.back(), a = chain[chain.size() - 2];
    chain.resize(chain.size() - 2);
    joins.push_back({a, b, d[a * n + b]});
    const double wa = static_cast<double>(size[a]), wb = static_cast<double>(size[b]);
    for (std::size_t j = 0; j < n; ++j) {
      if (!there[j] || j == a || j == b) continue;
      d[a * n + j] = d[j * n + a] = (wa * d[a * n + j] + wb * d[b * n + j]) / (wa + wb);
    }
    size[a] += size[b];
    there[b] = 0;
  }
  std::stable_sort(joins.begin(), joins.end(), [](const Join& x, const Join& y) { return x.height < y.height; });
  std::vector<std::size_t> root(n);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::size_t left = n;
  for (const Join& join : joins) {
    if (options.count > 0 ? left <= options.count : join.height > options.cutoff) break;
    root[std::max(find(join.a), find(join.b))] = std::min(find(join.a), find(join.b));
    --left;
  }
  std::vector<std::size_t> number(n, n);
  Groups groups;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t& group = number[find(i)];
    if (group == n) {
      group = groups.size();
      groups.emplace_back();
    }
    groups[group].push_back(static_cast<std::uint32_t>(i));
  }
  return groups;
}

std::uint32_t middle_of(std::span<const float> d, std::size_t n, const std::vector<std::uint32_t>& group) {
  std::uint32_t best = group.front();
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t i : group) {
    double sum = 0;
    for (const std::uint32_t j : group) sum += static_cast<double>(d[i * n + j]);
    if (sum < least) least = sum, best = i;
  }
  return best;
}

}  // namespace

FrameClusters cluster_frames(std::span<const float> distances, std::size_t frames, const ClusterOptions& options,
                             Job& job) {
  if (distances.size() != frames * frames || frames == 0)
    throw Error(fmt::format("{} distances are no matrix of {} frames", distances.size(), frames), Error::Kind::usage);
  if (options.count == 0 && !(options.cutoff > 0)) throw Error("a cutoff must be above 0", Error::Kind::usage);
  std::vector<std::uint32_t> middles;
  Groups groups;
  if (options.method == ClusterMethod::gromos) {
    groups = by_neighbours(distances, frames, options.cutoff, middles, job);
  } else {
    groups = by_average(distances, frames, options, job);
    for (const auto& group : groups) middles.push_back(middle_of(distances, frames, group));
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return groups[a].size() != groups[b].size() ? groups[a].size() > groups[b].size()
                                                : groups[a].front() < groups[b].front();
  });
  FrameClusters result;
  result.of_frame.assign(frames, 0);
  for (const std::size_t at : order) {
    for (const std::uint32_t frame : groups[at])
      result.of_frame[frame] = static_cast<std::uint32_t>(result.frames.size());
    result.frames.push_back(std::move(groups[at]));
    result.middles.push_back(middles[at]);
  }
  return result;
}

}  // namespace isolume
