// The frames of a running simulation, one after another.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <vector>

#include "app/documents/streams/peer_socket.h"
#include "app/documents/streams/stream_address.h"
#include "formats/trajectories/imd.h"

namespace isolume {

/// How long a simulation may take.
struct StreamPatience {
  std::chrono::milliseconds connect{5000};     ///< to answer, and for its handshake
  std::chrono::milliseconds in_frame{10'000};  ///< without a byte in the middle of a frame
  std::chrono::milliseconds between{0};        ///< without a byte between frames; 0: as long as it takes
};

/// A connection by which a simulation sends frames of `atoms` atoms. next() is called by one thread; the simulation is
/// held back while nobody calls it. pause(), resume() and kill are asked for by any thread.
class ImdStream {
 public:
  /// Connects, and sends "go" once the handshake is there. Throws Error (failed) where nobody answers or what answers
  /// stalls, Error (input) where it is no simulation that Isolume understands, Error (cancelled) after `stop`.
  ImdStream(const StreamAddress& address, std::size_t atoms, const StreamPatience& patience = {},
            const std::atomic<bool>* stop = nullptr);
  /// Lets a paused simulation go on, and says goodbye.
  ~ImdStream();
  ImdStream(const ImdStream&) = delete;
  ImdStream& operator=(const ImdStream&) = delete;

  const ImdSession& session() const { return *parser_.session(); }
  /// The next frame; false where the simulation has ended or left between two frames. Throws Error (failed) where it
  /// leaves or stalls in the middle of one, whose part is dropped, Error (input) for packets that make no sense.
  bool next(ImdFrame& frame);
  void pause();
  void resume();
  bool paused() const { return paused_; }

 private:
  bool take_packet(std::chrono::milliseconds timeout, bool& whole);
  void send(ImdType type);

  StreamAddress address_;
  StreamPatience patience_;
  PeerSocket socket_;
  ImdParser parser_;
  std::vector<std::byte> bytes_;  ///< of one packet
  std::mutex sending_;
  std::atomic<bool> paused_{false};
};

}  // namespace isolume
