// The book of a computation made of tiles.
#include "compute/schedule/tile_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

bool among(const std::vector<std::size_t>& all, std::size_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TileBook::TileBook(const TilePlan& plan, const std::vector<std::string>& names)
    : plan_(plan), records_(names.size()), paces_(names.size()), since_(names.size(), -1.0) {
  if (names.empty()) throw Error("tiles: there is no device to compute them", Error::Kind::usage);
  plan_.grain = std::max<std::size_t>(1, plan_.grain);
  for (std::size_t i = 0; i < names.size(); ++i) records_[i].name = names[i];
}

std::optional<TileBook::Attempt> TileBook::take(std::size_t worker, double now) {
  if (records_[worker].retired || complete()) return {};
  std::optional<std::size_t> found = from_stack(worker);
  if (!found) found = fresh(worker);
  if (!found) found = overtaken(worker, now);
  if (!found) return {};
  Piece& piece = pieces_[*found];
  piece.state = State::running;
  piece.at.push_back(worker);
  since_[worker] = now;
  return Attempt{worker, *found, piece.tile, now};
}

std::optional<std::size_t> TileBook::from_stack(std::size_t worker) {
  for (std::size_t i = stack_.size(); i-- > 0;) {
    const std::size_t place = stack_[i];
    // One that failed here is for another, if there is one where it did not.
    bool elsewhere = false;
    for (std::size_t other = 0; other < records_.size(); ++other)
      elsewhere = elsewhere || (!records_[other].retired && !among(pieces_[place].failed_by, other));
    if (elsewhere && among(pieces_[place].failed_by, worker)) continue;
    stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(i));
    if (pieces_[place].again) ++records_[worker].retries;
    return pieces_[place].tile.size() > paces_[worker].most ? split(place, paces_[worker].most) : place;
  }
  return {};
}

// As many parts as take plan.seconds at the worker's speed, or a quarter of its share of what is left where that is
// more (each tile has work of its own: a copy, a check), but at most plan.most_seconds and half of its share.
std::size_t TileBook::size_for(std::size_t worker) const {
  const std::size_t left = plan_.parts - next_;
  const double speed = paces_[worker].speed;
  double wanted = static_cast<double>(plan_.grain);
  if (!std::isfinite(plan_.seconds)) {
    wanted = static_cast<double>(left);
  } else if (speed > 0) {
    double all = 0;
    for (std::size_t i = 0; i < paces_.size(); ++i) all += records_[i].retired ? 0 : paces_[i].speed;
    const double share = static_cast<double>(left) * speed / all;
    const double long_tile = std::min(share / 4, speed * plan_.most_seconds);
    wanted = std::min(std::max(speed * plan_.seconds, long_tile), share / 2);
  }
  const double grains = std::floor(std::min(wanted, static_cast<double>(left)) / static_cast<double>(plan_.grain));
  const std::size_t ends = (next_ / plan_.grain + static_cast<std::size_t>(std::max(1.0, grains))) * plan_.grain;
  std::size_t size = std::min(ends - next_, left);
  if (!std::isfinite(plan_.seconds)) size = left;
  return std::min(size, paces_[worker].most);
}

// The others are done with all of it before this worker is with one grain.
bool TileBook::better_left(std::size_t worker) const {
  const double speed = paces_[worker].speed;
  if (speed <= 0) return false;
  double others = 0;
  for (std::size_t i = 0; i < paces_.size(); ++i)
    if (i != worker && !records_[i].retired && since_[i] >= 0) others += paces_[i].speed;
  if (others <= 0) return false;
  const auto left = static_cast<double>(plan_.parts - next_);
  return std::min(left, static_cast<double>(plan_.grain)) / speed > left / others;
}

std::optional<std::size_t> TileBook::fresh(std::size_t worker) {
  if (next_ >= plan_.parts || better_left(worker)) return {};
  const std::size_t size = std::max<std::size_t>(1, size_for(worker));
  Piece piece;
  piece.tile = {next_, next_ + size};
  next_ += size;
  pieces_.push_back(piece);
  return pieces_.size() - 1;
}

double TileBook::time_left(const Piece& piece, double now) const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t worker : piece.at) {
    const double spent = now - since_[worker], speed = paces_[worker].speed;
    const double left = speed > 0 ? static_cast<double>(piece.tile.size()) / speed - spent : 0;
    // One that is late, or whose speed nobody knows, may take as long again.
    least = std::min(least, left > 0 ? left : spent);
  }
  return least;
}

// The tile that would be done sooner by this worker, by the most; none where the worker's speed is not known.
std::optional<std::size_t> TileBook::overtaken(std::size_t worker, double now) const {
  if (next_ < plan_.parts || paces_[worker].speed <= 0) return {};
  std::optional<std::size_t> best;
  double gain = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.state != State::running || piece.at.size() != 1 || piece.at.front() == worker) continue;
    if (among(piece.failed_by, worker) || piece.tile.size() > paces_[worker].most) continue;
    const double here = static_cast<double>(piece.tile.size()) / paces_[worker].speed;
    const double saved = time_left(piece, now) - 1.2 * here;
    if (saved > gain) gain = saved, best = i;
  }
  return best;
}

bool TileBook::wanted(const Attempt& attempt) const {
  const Piece& piece = pieces_[attempt.piece];
  return piece.state == State::running || (piece.state == State::claimed && piece.by == attempt.worker);
}

bool TileBook::claim(const Attempt& attempt) {
  Piece& piece = pieces_[attempt.piece];
  if (piece.state != State::running || records_[attempt.worker].retired) return false;
  piece.state = State::claimed;
  piece.by = attempt.worker;
  return true;
}

void TileBook::leave(const Attempt& attempt, double now) {
  std::vector<std::size_t>& at = pieces_[attempt.piece].at;
  std::erase(at, attempt.worker);
  since_[attempt.worker] = -1;
  records_[attempt.worker].seconds += now - attempt.since;
}

void TileBook::done(const Attempt& attempt, double now) {
  leave(attempt, now);
  pieces_[attempt.piece].state = State::done;
  done_parts_ += attempt.tile.size();
  WorkerRecord& record = records_[attempt.worker];
  ++record.tiles;
  record.parts += attempt.tile.size();
  double& speed = paces_[attempt.worker].speed;
  const double last = static_cast<double>(attempt.tile.size()) / std::max(now - attempt.since, 1e-9);
  speed = speed > 0 ? (speed + last) / 2 : last;
}

void TileBook::dropped(const Attempt& attempt, double now) {
  leave(attempt, now);
  Piece& piece = pieces_[attempt.piece];
  if (piece.state != State::running || !piece.at.empty()) return;
  piece.state = State::waiting;  // a retired worker's
  piece.again = true;
  stack_.push_back(attempt.piece);
}

void TileBook::failed(const Attempt& attempt, TileFault fault, const std::string& why, double now) {
  leave(attempt, now);
  Piece& piece = pieces_[attempt.piece];
  const bool mine = piece.state == State::running || (piece.state == State::claimed && piece.by == attempt.worker);
  const bool halve = fault == TileFault::memory && piece.tile.size() > 1;
  if (halve) {
    paces_[attempt.worker].most = std::min(paces_[attempt.worker].most, (piece.tile.size() + 1) / 2);
  } else {
    piece.failed_by.push_back(attempt.worker);
  }
  if (mine && !piece.at.empty()) piece.state = State::running;  // another has it in hand too
  if (mine && piece.at.empty()) {
    piece.state = State::waiting;
    piece.again = true;
    stack_.push_back(halve ? split(attempt.piece, (attempt.tile.size() + 1) / 2) : attempt.piece);
  }
  WorkerRecord& record = records_[attempt.worker];
  ++record.faults;
  record.why = why;
  if (!halve) blame(attempt.worker, fault);
}

// The first part of a piece, of at most `most`; what remains goes on the stack.
std::size_t TileBook::split(std::size_t place, std::size_t most) {
  const Piece whole = pieces_[place];
  const std::size_t at = middle(whole.tile, most);
  pieces_[place].state = State::split;
  Piece first = whole, second = whole;
  first.tile.end = second.tile.begin = at;
  first.state = second.state = State::waiting;
  pieces_.push_back(second);
  stack_.push_back(pieces_.size() - 1);
  pieces_.push_back(first);
  return pieces_.size() - 1;
}

std::size_t TileBook::middle(Tile tile, std::size_t most) const {
  const std::size_t at = tile.begin + std::max<std::size_t>(1, std::min(most, tile.size() - 1));
  const std::size_t whole = at / plan_.grain * plan_.grain;
  return whole > tile.begin ? whole : at;
}

void TileBook::blame(std::size_t worker, TileFault fault) {
  const int strikes = ++paces_[worker].strikes;
  if (fault != TileFault::lost && strikes < plan_.most_faults) return;
  records_[worker].retired = true;
  if (fault == TileFault::wrong) distrust(worker);
}

// What it handed over is made again: the spot check sees few of the values.
void TileBook::distrust(std::size_t worker) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.state != State::done || piece.by != worker) continue;
    piece.state = State::waiting;
    piece.again = true;
    piece.failed_by.push_back(worker);
    done_parts_ -= piece.tile.size();
    stack_.push_back(i);
  }
  records_[worker].tiles = records_[worker].parts = 0;
}

void TileBook::retire(std::size_t worker, const std::string& why) {
  records_[worker].retired = true;
  records_[worker].why = why;
}

void TileBook::limit(std::size_t worker, std::size_t most) {
  paces_[worker].most = std::max<std::size_t>(1, most);
}

bool TileBook::stuck() const {
  return !complete() &&
         std::all_of(records_.begin(), records_.end(), [](const WorkerRecord& record) { return record.retired; });
}

std::vector<Tile> TileBook::missing() const {
  std::vector<Tile> tiles;
  for (const Piece& piece : pieces_)
    if (piece.state != State::done && piece.state != State::split) tiles.push_back(piece.tile);
  if (next_ < plan_.parts) tiles.push_back({next_, plan_.parts});
  std::sort(tiles.begin(), tiles.end(), [](const Tile& a, const Tile& b) { return a.begin < b.begin; });
  std::vector<Tile> joined;
  for (const Tile& tile : tiles) {
    if (!joined.empty() && joined.back().end == tile.begin) {
      joined.back().end = tile.end;
    } else {
      joined.push_back(tile);
    }
  }
  return joined;
}

std::string TileBook::missing_in_words() const {
  const std::vector<Tile> tiles = missing();
  std::string text;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    text += i == 0 ? "" : i + 1 == tiles.size() ? " and " : ", ";
    text += tiles[i].size() == 1 ? fmt::format("{}", tiles[i].begin)
                                 : fmt::format("{} to {}", tiles[i].begin, tiles[i].end - 1);
  }
  const bool one = tiles.size() == 1 && tiles.front().size() == 1;
  text = fmt::format("{}{} {} of {} {} missing", plan_.part, one ? "" : "s", text, plan_.parts, one ? "is" : "are");
  for (const WorkerRecord& record : records_)
    if (!record.why.empty())
      text += fmt::format("; {}: {}{}", record.name, record.why,
                          record.faults > 1 ? fmt::format(" ({} faults)", record.faults) : "");
  return text;
}

}  // namespace isolume
