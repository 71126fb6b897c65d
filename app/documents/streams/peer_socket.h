// A connection to a program on the network. The only file that opens one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "app/documents/streams/stream_address.h"

namespace isolume {

/// A TCP connection. Every wait ends within 50 ms of a request to stop (`stop`, or molecule/base/stop.h) with Error
/// (cancelled). One thread reads; write() may be called by another.
class PeerSocket {
 public:
  /// Looks the host up and connects to it, and to no other. `stop` must outlive the socket; null for none. Throws Error
  /// (failed) that names the address where nobody answers within `timeout`.
  PeerSocket(const StreamAddress& address, std::chrono::milliseconds timeout, const std::atomic<bool>* stop);
  ~PeerSocket();
  PeerSocket(const PeerSocket&) = delete;
  PeerSocket& operator=(const PeerSocket&) = delete;

  /// Fills `bytes` and returns their number: fewer only where the peer has closed the connection. Throws Error (failed)
  /// where no byte came for `timeout`; 0 waits as long as it takes.
  std::size_t read(std::span<std::byte> bytes, std::chrono::milliseconds timeout);
  /// Sends all; false where the peer does not take it within a second or has gone, which read() then says.
  bool write(std::span<const std::byte> bytes);

 private:
  /// True where the socket is ready for `events` within `timeout` (0: as long as it takes).
  bool wait(short events, std::chrono::milliseconds timeout) const;
  void check_stop() const;

  std::string name_;
  const std::atomic<bool>* stop_;
  int socket_ = -1;
};

}  // namespace isolume
