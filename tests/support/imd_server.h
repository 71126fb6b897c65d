// A simulation for tests: it sends what a script says, to the loopback address alone.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace isolume::test {

/// One connection, from the simulation's side. Waits end after 30 s, so that a test fails and does not hang.
class ImdPeer {
 public:
  explicit ImdPeer(int socket) : socket_(socket) {
    const timeval limit{30, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  }
  ~ImdPeer() { ::close(socket_); }
  ImdPeer(const ImdPeer&) = delete;
  ImdPeer& operator=(const ImdPeer&) = delete;

  /// False where the other side has gone.
  bool send(const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t put = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (put <= 0) return false;
      done += static_cast<std::size_t>(put);
    }
    return true;
  }
  /// The type of the next packet that the other side sends; -1 where it has gone.
  int receive() {
    unsigned char header[8] = {};
    for (std::size_t done = 0; done < sizeof(header);) {
      const ssize_t got = ::recv(socket_, header + done, sizeof(header) - done, 0);
      if (got <= 0) return -1;
      done += static_cast<std::size_t>(got);
    }
    return header[3];
  }
  /// All types until the other side has gone.
  std::vector<int> rest() {
    std::vector<int> types;
    for (int type = 0; (type = receive()) >= 0;) types.push_back(type);
    return types;
  }

 private:
  int socket_;
};

/// Takes one connection after another, each with its script.
class ImdServer {
 public:
  using Script = std::function<void(ImdPeer&)>;

  explicit ImdServer(std::vector<Script> scripts) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    const timeval limit{30, 0};
    setsockopt(listening_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (listening_ < 0 || ::bind(listening_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(listening_, 4) != 0 || ::getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no socket of the loopback address");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, scripts = std::move(scripts)] {
      for (const Script& script : scripts) {
        const int socket = ::accept(listening_, nullptr, nullptr);
        if (socket < 0) return;
        ImdPeer peer(socket);
        script(peer);
      }
    });
  }
  ~ImdServer() {
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    ::close(listening_);
  }
  ImdServer(const ImdServer&) = delete;
  ImdServer& operator=(const ImdServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string address() const { return "imd://127.0.0.1:" + std::to_string(port_); }

 private:
  int listening_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace isolume::test
