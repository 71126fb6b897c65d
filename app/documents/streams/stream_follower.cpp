// A running simulation that is followed.
#include "app/documents/streams/stream_follower.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "molecule/base/error.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<TrajectoryWriter> recorder(const std::string& path, const Molecule& molecule) {
  return std::filesystem::path(path).extension() == ".dcd" ? create_growing_dcd(path, molecule)
                                                           : create_writer(path, molecule);
}

}  // namespace

StreamFollower::StreamFollower(const StreamAddress& address, std::shared_ptr<const Molecule> structure,
                               std::size_t most_bytes, const StreamPatience& patience)
    : address_(address),
      structure_(std::move(structure)),
      patience_(patience),
      kept_(most_bytes),
      last_(Clock::now()),
      thread_([this] { run(); }) {}

StreamFollower::~StreamFollower() {
  stop_ = true;
  thread_.join();
  try {
    stop_recording();
  } catch (const std::exception&) {
    return;  // said where recording is stopped; here nobody listens any more
  }
}

void StreamFollower::run() {
  Phase phase = Phase::ended;
  std::string message;
  try {
    ImdStream stream(address_, structure_->atom_count(), patience_, &stop_);
    {
      const std::lock_guard lock(mutex_);
      state_.phase = Phase::receiving;
      state_.session = stream.session();
      last_ = Clock::now();
      stream_ = &stream;
    }
    const auto leave = [this] {
      const std::lock_guard lock(mutex_);
      stream_ = nullptr;
    };
    try {
      for (ImdFrame frame; stream.next(frame);) take(std::exchange(frame, {}));
    } catch (...) {
      leave();
      throw;
    }
    leave();
    message = fmt::format("{}: the simulation has ended", address_.text());
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::cancelled) {
      message = fmt::format("{}: disconnected", address_.text());
    } else {
      phase = Phase::failed;
      message = error.what();
    }
  } catch (const std::bad_alloc&) {
    phase = Phase::failed;
    message = fmt::format("{}: there is not enough memory for a frame", address_.text());
  } catch (const std::exception& error) {
    phase = Phase::failed;
    message = fmt::format("{}: {}", address_.text(), error.what());
  }
  const std::lock_guard lock(mutex_);
  state_.phase = phase;
  state_.message = message;
}

void StreamFollower::take(ImdFrame frame) {
  {
    const std::lock_guard lock(recording_);
    if (writer_) {
      std::string fault;
      try {
        writer_->add(frame.frame);
      } catch (const std::exception& error) {
        fault = error.what();
        writer_.reset();
      }
      const std::lock_guard state(mutex_);
      if (fault.empty()) {
        ++state_.recorded;
      } else {
        state_.file.clear();
        state_.recording_message = fault;
      }
    }
  }
  const std::lock_guard lock(mutex_);
  ++state_.received;
  if (frame.step) state_.step = frame.step;
  if (frame.frame.has_time) state_.time = frame.frame.time;
  if (frame.energies) state_.energies = frame.energies;
  last_ = Clock::now();
  kept_.add(std::move(frame.frame));
}

StreamFollower::State StreamFollower::state() const {
  const std::lock_guard lock(mutex_);
  State state = state_;
  state.kept = kept_.count();
  state.every = kept_.every();
  state.paused = stream_ && stream_->paused();
  state.since_last = std::chrono::duration<double>(Clock::now() - last_).count();
  return state;
}

std::pair<std::shared_ptr<const Trajectory>, std::size_t> StreamFollower::frames() const {
  const std::lock_guard lock(mutex_);
  return {kept_.trajectory(), kept_.every()};
}

void StreamFollower::pause() {
  const std::lock_guard lock(mutex_);
  if (stream_) stream_->pause();
}

void StreamFollower::resume() {
  const std::lock_guard lock(mutex_);
  if (stream_) stream_->resume();
}

void StreamFollower::record(const std::string& path) {
  auto writer = recorder(path, *structure_);
  const std::lock_guard lock(recording_);
  if (writer_) throw Error("frames are recorded already", Error::Kind::usage);
  writer_ = std::move(writer);
  const std::lock_guard state(mutex_);
  state_.file = path;
  state_.recorded = 0;
  state_.recording_message.clear();
}

std::uint64_t StreamFollower::stop_recording() {
  const std::lock_guard lock(recording_);
  const auto writer = std::exchange(writer_, nullptr);
  std::uint64_t frames = 0;
  {
    const std::lock_guard state(mutex_);
    frames = state_.recorded;
    state_.file.clear();
  }
  if (writer && frames > 0) writer->finish();
  return frames;
}

void StreamFollower::disconnect() {
  stop_ = true;
}

Molecule with_stream_frames(const Molecule& structure, std::shared_ptr<const Trajectory> frames) {
  Molecule molecule = structure;
  molecule.trajectory = std::move(frames);
  molecule.orbitals.clear();
  molecule.warnings.clear();
  return molecule;
}

}  // namespace isolume
