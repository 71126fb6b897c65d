// Runs a computation made of tiles on several devices at once, each tile by whoever is free.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/schedule/tile_book.h"

namespace isolume {

/// One device at work on a computation. All calls of one worker come from one thread, apart from name() and most().
/// Every exception is a fault of the tile: MemoryError and std::bad_alloc halve it, Error of kind usage and input end
/// the computation, since no device can help.
class TileWorker {
 public:
  virtual ~TileWorker() = default;
  virtual std::string name() const = 0;  ///< "cuda:0"
  /// The largest tile that there is memory for, as far as can be told.
  virtual std::size_t most() const { return TileBook::no_limit; }
  /// Before the first tile: what all of them need.
  virtual void prepare(Job&) {}
  /// Makes a tile in memory of the worker's own.
  virtual void compute(Tile tile, Job& job) = 0;
  /// The spot check of what was made, where several workers share the computation.
  virtual bool right(Tile) { return true; }
  /// Hands the tile over, into memory that belongs to these parts alone. It may be called for a tile once more, by
  /// another worker, where the first turned out to make wrong values: the later replaces the earlier.
  virtual void hand_over(Tile tile) = 0;
  /// After a fault: whether the device is gone.
  virtual bool lost() { return false; }
};

/// For lost(): whether a device answers no more.
bool is_gone(Device device);

/// What each worker did, and where tiles were cut for lack of memory.
struct TileReport {
  std::vector<WorkerRecord> workers;
  std::size_t tiles = 0;
};

/// Makes all parts. One worker works in the calling thread and gives its first error, but for lack of memory, on; with
/// several each has a thread, and the caller's reports progress ("potential map (cuda:0 12, cpu 3 tiles)") and sees to
/// it that a cancel reaches them. Results do not depend on the order in which tiles are taken, on faults and on who
/// makes which, where the workers' own do not. Throws Error, among others one that names the parts that are missing and
/// the fault of each worker (DeviceFault where a CUDA device failed); what was handed over stays.
TileReport run_tiles(const TilePlan& plan, std::span<TileWorker* const> workers, const std::string& what, Job& job);

}  // namespace isolume
