// A running simulation whose frames are those of a molecule of the scene.
#include "app/window/live/stream_follow.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "app/documents/held_molecules.h"
#include "app/models/labels.h"
#include "app/scene/path_part.h"
#include "app/window/widgets/async.h"
#include "app/window/widgets/work_pool.h"
#include "compute/base/memory.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int look_every = 100;         // ms
constexpr qint64 shortest_rest = 200;   // ms between frames that are shown
constexpr qint64 share_of_window = 10;  // one part of the window's time in so many
constexpr std::size_t least_kept = std::size_t{64} << 20;

bool goes_on(const StreamFollower::State& state) {
  return state.phase == StreamFollower::Phase::connecting || state.phase == StreamFollower::Phase::receiving;
}

}  // namespace

StreamFollow::StreamFollow(SceneController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  timer_.setInterval(look_every);
  connect(&timer_, &QTimer::timeout, this, &StreamFollow::look);
  controller_.listen(this, SceneParts::molecules, &StreamFollow::show_scene);
}

StreamFollow::~StreamFollow() {
  release_molecule(path_);
}

void StreamFollow::drop() {
  // Its thread ends soon, but not at once, and its file is written to the end.
  if (auto old = std::exchange(follower_, nullptr))
    work_pool().start([old = std::move(old)]() mutable { old.reset(); });
}

void StreamFollow::follow(const QString& address, int molecule) {
  try {
    peer_ = stream_address(address.trimmed().toStdString());
  } catch (const Error& error) {
    Q_EMIT failed(to_qt(error.what()));
    return;
  }
  const auto& molecules = controller_.scene().molecules;
  if (molecule < 0 || static_cast<std::size_t>(molecule) >= molecules.size()) {
    Q_EMIT failed(tr("Open the structure of the simulation first: %1 sends positions alone").arg(to_qt(peer_.text())));
    return;
  }
  drop();
  release_molecule(path_);
  timer_.stop();
  address_ = to_qt(peer_.text());
  files_.clear();
  shown_ = false;
  for (const std::string& path : molecules[static_cast<std::size_t>(molecule)].paths) {
    if (path_part(path).kind == PathPart::Kind::stream) {
      shown_ = true;
    } else {
      files_.push_back(path);
    }
  }
  PathPart part{file_of(files_.front()), PathPart::Kind::stream};
  part.peer = peer_.text().substr(std::string("imd://").size());
  const std::string path = path_of(part);
  if (shown_) {
    // Connected before: to another simulation its frames begin again.
    std::vector<std::string> all = files_;
    all.push_back(path);
    shown_ = molecules[static_cast<std::size_t>(molecule)].paths == all;
  }
  path_ = path;
  const std::uint64_t asked = ++asked_;
  ended_ = false;
  struct Ready {
    std::shared_ptr<const Molecule> structure;
    std::size_t bytes = 0;
  };
  run_async(
      this,
      [documents = &controller_.documents(), files = files_] {
        return Ready{documents->molecule(SceneMolecule{files}),
                     std::max(least_kept, available_memory(Device::cpu()) / 4)};
      },
      [this, asked](const Ready& ready) {
        if (asked == asked_) begin(ready.structure, ready.bytes);
      },
      [this, asked](const QString& message) {
        if (asked != asked_) return;
        ended_ = true;
        Q_EMIT failed(message);
        Q_EMIT changed();
      });
  Q_EMIT changed();
}

void StreamFollow::begin(std::shared_ptr<const Molecule> structure, std::size_t most_bytes) {
  if (structure->atom_count() == 0) {
    ended_ = true;
    Q_EMIT failed(tr("%1 has no atoms: the simulation sends positions alone").arg(to_qt(files_.front())));
    Q_EMIT changed();
    return;
  }
  structure_ = std::move(structure);
  published_ = 0;
  count_ = 0;
  every_ = 1;
  rest_ = 0;
  since_.start();
  follower_ = std::make_shared<StreamFollower>(peer_, structure_, most_bytes);
  timer_.start();
  Q_EMIT changed();
}

void StreamFollow::end() {
  if (follower_) follower_->disconnect();
  ++asked_;
  if (!follower_) ended_ = true;
  Q_EMIT changed();
}

void StreamFollow::set_paused(bool paused) {
  if (!follower_) return;
  paused ? follower_->pause() : follower_->resume();
  Q_EMIT changed();
}

void StreamFollow::record(const QString& path) {
  if (!follower_) return;
  run_async(
      this,
      [follower = follower_, file = path.toStdString()] {
        follower->record(file);
        return true;
      },
      [this](bool) { Q_EMIT changed(); }, [this](const QString& message) { Q_EMIT failed(message); });
}

void StreamFollow::stop_recording() {
  if (!follower_) return;
  const QString file = to_qt(follower_->state().file);
  run_async(
      this, [follower = follower_] { return follower->stop_recording(); },
      [this, file](std::uint64_t frames) {
        if (frames > 0) {
          Q_EMIT written(file);
        } else {
          Q_EMIT told(tr("%1 was not written: no frame has come").arg(file));
        }
        Q_EMIT changed();
      },
      [this](const QString& message) { Q_EMIT failed(message); });
}

bool StreamFollow::active() const {
  return follower_ ? goes_on(follower_->state()) : !ended_;
}

StreamFollower::State StreamFollow::state() const {
  if (follower_) return follower_->state();
  StreamFollower::State state;
  state.phase = ended_ ? StreamFollower::Phase::ended : StreamFollower::Phase::connecting;
  return state;
}

int StreamFollow::place() const {
  std::vector<std::string> with_stream = files_;
  with_stream.push_back(path_);
  const auto& molecules = controller_.scene().molecules;
  for (std::size_t m = molecules.size(); m-- > 0;)
    if (molecules[m].paths == (shown_ ? with_stream : files_)) return static_cast<int>(m);
  return -1;
}

void StreamFollow::show_scene(const Scene&) {
  if (follower_ && !publishing_ && place() < 0) leave();
}

// Its molecule was closed.
void StreamFollow::leave() {
  if (goes_on(follower_->state())) Q_EMIT told(tr("%1: disconnected, as its molecule was closed").arg(address_));
  ended_ = true;
  timer_.stop();
  drop();
  release_molecule(path_);
  Q_EMIT changed();
}

void StreamFollow::look() {
  if (!follower_) return;
  const StreamFollower::State state = follower_->state();
  Q_EMIT changed();
  const bool rests = since_.elapsed() < rest_ && goes_on(state);
  if (state.received != published_ && !publishing_ && !rests) return publish();
  if (goes_on(state) || publishing_ || state.received != published_) return;
  timer_.stop();
  if (!std::exchange(ended_, true)) say_end(state);
}

void StreamFollow::say_end(const StreamFollower::State& state) {
  const QString frames = state.received == 1 ? tr("1 frame has come") : tr("%1 frames have come").arg(state.received);
  const QString text =
      tr("%1 (%2). Connect in the panel Running simulation begins again").arg(to_qt(state.message), frames);
  if (state.phase == StreamFollower::Phase::failed) {
    Q_EMIT failed(text);
  } else {
    Q_EMIT told(text);
  }
}

void StreamFollow::publish() {
  const int at = place();
  if (at < 0) return;
  publishing_ = true;
  SceneMolecule entry = controller_.scene().molecules[static_cast<std::size_t>(at)];
  entry.paths = files_;
  entry.paths.push_back(path_);
  const std::uint64_t received = follower_->state().received, asked = asked_;
  run_async(
      this,
      [documents = &controller_.documents(), follower = follower_, structure = structure_, entry, path = path_] {
        const auto [frames, every] = follower->frames();
        hold_molecule(path, std::make_shared<const Molecule>(with_stream_frames(*structure, frames)));
        documents->reload(entry);
        return std::pair(frames->frame_count(), every);
      },
      [this, entry, received, asked](std::pair<std::size_t, std::size_t> shown) {
        publishing_ = false;
        if (follower_ && place() < 0) return leave();
        if (!follower_ || (asked != asked_ && goes_on(follower_->state()))) return;
        published_ = received;
        show_frames(entry, shown.first, shown.second);
      },
      [this](const QString& message) {
        publishing_ = false;
        if (follower_) follower_->disconnect();
        Q_EMIT failed(message);
      });
}

void StreamFollow::show_frames(const SceneMolecule& entry, std::size_t count, std::size_t every) {
  QElapsedTimer taken;
  taken.start();
  const std::size_t frame = controller_.scene().frame;
  const bool at_end = count_ == 0 || frame + 1 >= count_;
  const std::size_t wanted = at_end ? count - 1 : frame * every_ / every;
  if (every != every_)
    Q_EMIT told(tr("%1: the memory for frames is used up. Every %2nd frame is kept from now on, and every %2nd of "
                   "those before")
                    .arg(address_)
                    .arg(every));
  count_ = count;
  every_ = every;
  if (const int at = place(); !shown_ && at >= 0) {
    shown_ = true;
    controller_.edit(tr("Follow %1").arg(address_), [&](Scene& scene) {
      scene.molecules[static_cast<std::size_t>(at)].paths = entry.paths;
      scene.frame = wanted;
    });
  } else {
    controller_.molecules_changed();
  }
  if (controller_.scene().frame != wanted) controller_.touch([wanted](Scene& scene) { scene.frame = wanted; });
  // What takes the window long is done less often.
  rest_ = std::max(shortest_rest, share_of_window * taken.elapsed());
  since_.start();
}

}  // namespace isolume
