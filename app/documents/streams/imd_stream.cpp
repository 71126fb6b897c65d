// The frames of a running simulation.
#include "app/documents/streams/imd_stream.h"

#include <fmt/format.h>

#include <span>

#include "molecule/base/error.h"

namespace isolume {

ImdStream::ImdStream(const StreamAddress& address, std::size_t atoms, const StreamPatience& patience,
                     const std::atomic<bool>* stop)
    : address_(address), patience_(patience), socket_(address, patience.connect, stop), parser_(atoms, address.text()) {
  bool whole = false;
  while (!parser_.session())
    if (!take_packet(patience_.connect, whole))
      throw Error(
          fmt::format("{}: the connection was closed before the handshake; a simulation takes one connection at "
                      "a time",
                      address_.text()));
  send(ImdType::go);
}

ImdStream::~ImdStream() {
  try {
    resume();
    send(ImdType::disconnect);
  } catch (const std::exception&) {
    return;  // it has gone
  }
}

bool ImdStream::take_packet(std::chrono::milliseconds timeout, bool& whole) {
  const std::size_t wanted = parser_.wanted();
  if (wanted == 0) return false;
  if (bytes_.size() < wanted) bytes_.resize(wanted);
  const auto packet = std::span(bytes_).first(wanted);
  const std::size_t got = socket_.read(packet, timeout);
  if (got == wanted) {
    whole = parser_.take(packet);
    return true;
  }
  if (got == 0 && (parser_.between_frames() || !parser_.session())) return false;
  throw Error(fmt::format("{}: the connection ended in the middle of a frame, which is dropped", address_.text()));
}

bool ImdStream::next(ImdFrame& frame) {
  for (bool whole = false; !whole;) {
    const bool between = parser_.between_frames();
    // What is paused sends nothing, in the middle of a frame neither.
    const auto timeout = paused_ ? std::chrono::milliseconds(0) : between ? patience_.between : patience_.in_frame;
    if (!take_packet(timeout, whole)) return false;
  }
  frame = parser_.frame();
  return true;
}

void ImdStream::send(ImdType type) {
  const auto packet = imd_packet(type);
  const std::lock_guard lock(sending_);
  socket_.write(packet);
}

void ImdStream::pause() {
  if (!paused_.exchange(true)) send(ImdType::pause);
}

void ImdStream::resume() {
  // In version 2 a second "pause" lets the simulation go on.
  if (paused_.exchange(false)) send(session().version == 2 ? ImdType::pause : ImdType::resume);
}

}  // namespace isolume
