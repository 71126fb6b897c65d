// A connection to a program on the network.
#include "app/documents/streams/peer_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds look{50};  // how often a wait looks for a request to stop
constexpr milliseconds send_limit{1000};

std::string said(int code) {
  return std::generic_category().message(code);
}

struct Addresses {
  addrinfo* first = nullptr;
  Addresses() = default;
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;
  ~Addresses() {
    if (first) freeaddrinfo(first);
  }
};

/// What a look-up leaves; it goes on by itself where nobody waits any more.
struct LookUp {
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false;
  int code = 0;
  Addresses addresses;
};

std::shared_ptr<LookUp> look_up(const StreamAddress& address, Clock::time_point end, const auto& check) {
  auto shared = std::make_shared<LookUp>();
  std::thread([shared, address] {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int code = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    const std::lock_guard lock(shared->mutex);
    shared->addresses.first = found;
    shared->code = code;
    shared->finished = true;
    shared->done.notify_all();
  }).detach();
  std::unique_lock lock(shared->mutex);
  while (!shared->done.wait_for(lock, look, [&] { return shared->finished; })) {
    check();
    if (Clock::now() >= end)
      throw Error(fmt::format("{}: the name {} is not found in time", address.text(), address.host));
  }
  if (shared->code != 0)
    throw Error(
        fmt::format("{}: the host {} is not found: {}", address.text(), address.host, gai_strerror(shared->code)));
  return shared;
}

}  // namespace

PeerSocket::PeerSocket(const StreamAddress& address, milliseconds timeout, const std::atomic<bool>* stop)
    : name_(address.text()), stop_(stop) {
  const Clock::time_point end = Clock::now() + timeout;
  const auto found = look_up(address, end, [this] { check_stop(); });
  std::string why = "there is no such host";
  for (const addrinfo* at = found->addresses.first; at; at = at->ai_next) {
    socket_ = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (socket_ < 0) {
      why = said(errno);
      continue;
    }
    const auto left = std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(end - Clock::now()));
    int code = ::connect(socket_, at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
    try {
      if (code == EINPROGRESS) {
        socklen_t size = sizeof(code);
        if (!wait(POLLOUT, left)) {
          code = ETIMEDOUT;
        } else if (getsockopt(socket_, SOL_SOCKET, SO_ERROR, &code, &size) != 0) {
          code = errno;
        }
      }
    } catch (...) {
      ::close(socket_);
      throw;
    }
    if (code == 0) {
      const int on = 1;
      setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      return;
    }
    why = said(code);
    ::close(socket_);
    socket_ = -1;
  }
  throw Error(fmt::format("{}: no simulation answers: {}", name_, why));
}

PeerSocket::~PeerSocket() {
  if (socket_ >= 0) ::close(socket_);
}

void PeerSocket::check_stop() const {
  if (stop_ && stop_->load(std::memory_order_relaxed)) throw Error("cancelled", Error::Kind::cancelled);
  isolume::check_stop();
}

bool PeerSocket::wait(short events, milliseconds timeout) const {
  const Clock::time_point begin = Clock::now();
  for (;;) {
    check_stop();
    pollfd at{socket_, events, 0};
    const int ready = ::poll(&at, 1, static_cast<int>(look.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw Error(fmt::format("{}: {}", name_, said(errno)));
    if (timeout.count() > 0 && Clock::now() - begin >= timeout) return false;
  }
}

std::size_t PeerSocket::read(std::span<std::byte> bytes, milliseconds timeout) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::recv(socket_, bytes.data() + done, bytes.size() - done, 0);
    if (got > 0) {
      done += static_cast<std::size_t>(got);
      check_stop();  // a peer that sends without end must not keep the thread either
      continue;
    }
    if (got == 0 || errno == ECONNRESET || errno == EPIPE) return done;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) throw Error(fmt::format("{}: {}", name_, said(errno)));
    if (!wait(POLLIN, timeout))
      throw Error(fmt::format("{}: nothing came for {:.1f} s; {} of {} bytes of a packet are here", name_,
                              std::chrono::duration<double>(timeout).count(), done, bytes.size()));
  }
  return done;
}

bool PeerSocket::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(put));
      continue;
    }
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd at{socket_, POLLOUT, 0};
    if (::poll(&at, 1, static_cast<int>(send_limit.count())) <= 0) return false;
  }
  return true;
}

}  // namespace isolume
