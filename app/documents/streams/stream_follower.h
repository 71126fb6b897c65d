// A running simulation that is followed on a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/documents/streams/imd_stream.h"
#include "app/documents/streams/kept_frames.h"
#include "formats/write/write.h"
#include "molecule/molecule.h"

namespace isolume {

/// Receives as fast as the simulation sends, keeps frames within a bound of memory, and writes all of them to a file
/// where that is asked for; writing holds the simulation back, looking at frames does not. Any thread may call.
class StreamFollower {
 public:
  enum class Phase : std::uint8_t { connecting, receiving, ended, failed };
  struct State {
    Phase phase = Phase::connecting;
    bool paused = false;
    std::string message;  ///< why it ended or failed; "" while it goes on
    std::optional<ImdSession> session;
    std::uint64_t received = 0;  ///< frames
    std::size_t kept = 0;        ///< of these in memory,
    std::size_t every = 1;       ///< one of so many
    std::optional<std::int64_t> step;
    std::optional<double> time;  ///< ps
    std::optional<ImdEnergies> energies;
    double since_last = 0;          ///< s, since the last frame or the connection
    std::string file;               ///< that is recorded to, "" for none
    std::uint64_t recorded = 0;     ///< frames in it
    std::string recording_message;  ///< why recording ended by itself
  };

  /// Begins to connect. `structure` has the atoms.
  StreamFollower(const StreamAddress& address, std::shared_ptr<const Molecule> structure, std::size_t most_bytes,
                 const StreamPatience& patience = {});
  /// Ends within 200 ms, whatever the peer does; a recording is whole with the frames so far.
  ~StreamFollower();
  StreamFollower(const StreamFollower&) = delete;
  StreamFollower& operator=(const StreamFollower&) = delete;

  State state() const;
  /// What is kept, with its `every`.
  std::pair<std::shared_ptr<const Trajectory>, std::size_t> frames() const;
  void pause();
  void resume();
  /// Writes every frame from the next one on. A DCD is whole after each frame; files of other kinds appear with
  /// stop_recording(). Throws Error where the file cannot be written.
  void record(const std::string& path);
  /// Completes the file and returns how many frames are in it. Throws Error.
  std::uint64_t stop_recording();
  /// Ends the connection; what is kept stays.
  void disconnect();

 private:
  void run();
  void take(ImdFrame frame);

  const StreamAddress address_;
  const std::shared_ptr<const Molecule> structure_;
  const StreamPatience patience_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;  ///< of what follows
  State state_;
  KeptFrames kept_;
  std::chrono::steady_clock::time_point last_;
  ImdStream* stream_ = nullptr;  ///< while it is connected
  std::mutex recording_;         ///< of the writer
  std::unique_ptr<TrajectoryWriter> writer_;
  std::thread thread_;
};

/// A molecule with the frames of a stream instead of its own.
Molecule with_stream_frames(const Molecule& structure, std::shared_ptr<const Trajectory> frames);

}  // namespace isolume
