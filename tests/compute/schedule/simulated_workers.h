// Simulated devices: workers of given speeds with injected faults, on a virtual clock.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "compute/schedule/tile_book.h"

namespace isolume::test {

/// A device that makes `speed` parts a second.
struct SimulatedWorker {
  double speed = 1;
  /// What becomes of the n-th tile that it takes (from 0); nothing: it is made.
  std::function<std::optional<TileFault>(Tile tile, int n)> fault = [](Tile, int) { return std::nullopt; };
  double seconds_before_fault = 0;  ///< a fault comes after so long, at most after the tile's own time
};

/// Drives a book by events in virtual time until it is complete or stuck.
class Simulation {
 public:
  Simulation(const TilePlan& plan, std::vector<SimulatedWorker> workers)
      : book(plan, names(workers.size())),
        owner(plan.parts, -1),
        workers_(std::move(workers)),
        hands_(workers_.size()) {}

  void run() {
    for (int events = 0; !book.complete() && !book.stuck(); ++events) {
      if (events > 1'000'000) throw std::runtime_error("the book does not come to an end");
      ask();
      const std::optional<std::size_t> next = earliest();
      if (!next) throw std::runtime_error("nobody works, and the book is not complete: " + book.missing_in_words());
      now = hands_[*next]->at;
      finish(*next);
      drop();
    }
  }

  TileBook book;
  std::vector<int> owner;  ///< by part: who handed it over; -1: nobody
  std::vector<Tile> made;  ///< all that were handed over
  double now = 0;

 private:
  struct Hand {
    TileBook::Attempt attempt;
    double at = 0;
    std::optional<TileFault> fault;
  };

  static std::vector<std::string> names(std::size_t count) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back("sim:" + std::to_string(i));
    return all;
  }

  void ask() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (hands_[i]) continue;
      const auto attempt = book.take(i, now);
      if (!attempt) continue;
      const SimulatedWorker& worker = workers_[i];
      Hand hand{*attempt, 0, worker.fault(attempt->tile, taken_[i]++)};
      double seconds = static_cast<double>(attempt->tile.size()) / worker.speed;
      if (hand.fault) seconds = std::min(seconds, worker.seconds_before_fault);
      hand.at = now + seconds;
      hands_[i] = hand;
    }
  }

  std::optional<std::size_t> earliest() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < hands_.size(); ++i)
      if (hands_[i] && (!best || hands_[i]->at < hands_[*best]->at)) best = i;
    return best;
  }

  void finish(std::size_t i) {
    const Hand hand = *hands_[i];
    hands_[i].reset();
    if (hand.fault) return book.failed(hand.attempt, *hand.fault, "injected", now);
    if (!book.claim(hand.attempt)) return book.dropped(hand.attempt, now);
    for (std::size_t part = hand.attempt.tile.begin; part < hand.attempt.tile.end; ++part)
      owner[part] = static_cast<int>(i);
    made.push_back(hand.attempt.tile);
    book.done(hand.attempt, now);
  }

  // Those who were overtaken are told at once.
  void drop() {
    for (std::optional<Hand>& hand : hands_) {
      if (!hand || book.wanted(hand->attempt)) continue;
      book.dropped(hand->attempt, now);
      hand.reset();
    }
  }

  std::vector<SimulatedWorker> workers_;
  std::vector<std::optional<Hand>> hands_;
  std::vector<int> taken_ = std::vector<int>(64, 0);
};

}  // namespace isolume::test
