// The book of a computation made of tiles: who takes which, how large, what failed and who does it again.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace isolume {

/// Parts [begin, end) of a computation: layers of a map, orbitals, frames.
struct Tile {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  bool operator==(const Tile&) const = default;
};

/// Why a tile was not made.
enum class TileFault {
  memory,  ///< it did not fit: it is halved, and the worker takes no larger one again
  failed,  ///< a launch, a copy, any other error: another worker makes it
  wrong,   ///< the spot check found other values
  lost,    ///< the device is gone
};

/// How a computation is cut.
struct TilePlan {
  std::size_t parts = 0;
  /// Tiles end at multiples of it, but for those halved for lack of memory. Where the values of a part depend (in
  /// their last bits) on what is made together with it, a worker makes each grain by itself: results then do not
  /// depend on who took what.
  std::size_t grain = 1;
  double seconds = 0.1;     ///< that a tile should take; infinite: as large as the worker's memory allows
  double most_seconds = 1;  ///< that it may take while much is left: fewer tiles have fewer copies and checks
  int most_faults = 3;      ///< a worker with so many is retired
  std::string part = "part";
};

/// What one worker has done.
struct WorkerRecord {
  std::string name;
  std::size_t tiles = 0;    ///< handed over
  std::size_t parts = 0;    ///< of the computation in these
  std::size_t retries = 0;  ///< tiles that it took over after a fault
  std::size_t faults = 0;   ///< tiles that failed here
  double seconds = 0;       ///< at work
  bool retired = false;
  std::string why;  ///< the last fault, in words
};

/// Bookkeeping alone, without threads and clocks: callers lock, and say what time it is (seconds from anywhere). Work
/// is taken, not dealt: a worker that is idle asks for a tile, of a size that follows from the speed it was measured
/// at. Tiles that failed lie on a stack and go first, to a worker where they did not fail. At the end, where nothing is
/// left to take, an idle worker makes a slower one's tile too, and the first to finish hands it over.
class TileBook {
 public:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  TileBook(const TilePlan& plan, const std::vector<std::string>& names);

  /// A tile in the hands of a worker.
  struct Attempt {
    std::size_t worker = 0, piece = 0;
    Tile tile;
    double since = 0;
  };
  /// What an idle worker should do now; nothing where it should ask again after the next event or a while.
  std::optional<Attempt> take(std::size_t worker, double now);
  /// Whether it is worth going on: false once another has handed the tile over, or is about to.
  bool wanted(const Attempt& attempt) const;
  /// Before handing over: true for one worker alone, whose done() or failed() follows. After false, dropped() does.
  bool claim(const Attempt& attempt);
  void done(const Attempt& attempt, double now);
  void failed(const Attempt& attempt, TileFault fault, const std::string& why, double now);
  /// Given up because it is no longer wanted.
  void dropped(const Attempt& attempt, double now);
  /// What a worker took before its first tile counts as work.
  void prepared(std::size_t worker, double seconds) { records_[worker].seconds += seconds; }
  /// A worker that cannot begin, or is gone.
  void retire(std::size_t worker, const std::string& why);
  /// The largest tile that a worker has the memory for.
  void limit(std::size_t worker, std::size_t most);

  bool complete() const { return done_parts_ == plan_.parts; }
  /// Not complete, and nobody is left.
  bool stuck() const;
  std::size_t done_parts() const { return done_parts_; }
  /// What is not handed over, in order and joined.
  std::vector<Tile> missing() const;
  /// "layers 12 to 15 and 40 of 64 are missing; cuda:0: ...; cpu: ...", layers counted from 0.
  std::string missing_in_words() const;
  const std::vector<WorkerRecord>& records() const { return records_; }

 private:
  enum class State { waiting, running, claimed, done, split };
  struct Piece {
    Tile tile;
    State state = State::waiting;
    std::vector<std::size_t> at, failed_by;  ///< workers
    std::size_t by = 0;                      ///< who claimed it
    bool again = false;                      ///< after a fault
  };
  struct Pace {
    double speed = 0;  ///< parts a second; 0: not measured
    std::size_t most = no_limit;
    int strikes = 0;  ///< faults that a smaller tile does not help
  };

  std::optional<std::size_t> from_stack(std::size_t worker);
  std::optional<std::size_t> fresh(std::size_t worker);
  std::optional<std::size_t> overtaken(std::size_t worker, double now) const;
  std::size_t size_for(std::size_t worker) const;
  bool better_left(std::size_t worker) const;
  double time_left(const Piece& piece, double now) const;
  std::size_t middle(Tile tile, std::size_t most) const;
  std::size_t split(std::size_t piece, std::size_t most);
  void leave(const Attempt& attempt, double now);
  void blame(std::size_t worker, TileFault fault);
  void distrust(std::size_t worker);

  TilePlan plan_;
  std::vector<WorkerRecord> records_;
  std::vector<Pace> paces_;
  std::vector<double> since_;  ///< of the worker's attempt; below 0: idle
  std::vector<Piece> pieces_;
  std::vector<std::size_t> stack_;
  std::size_t next_ = 0;  ///< the first part that nobody took yet
  std::size_t done_parts_ = 0;
};

}  // namespace isolume
