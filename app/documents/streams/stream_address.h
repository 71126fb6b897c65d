// The address of a running simulation: imd://HOST:PORT.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isolume {

/// Where a simulation waits for a connection. The network is reached by an address that the user gave, and by nothing
/// else.
struct StreamAddress {
  std::string host;  ///< a name or a number; of IPv6 without its brackets
  std::uint16_t port = 8888;
  /// "imd://localhost:8888".
  std::string text() const;
  bool operator==(const StreamAddress&) const = default;
};

/// True for what begins with "imd://".
bool is_stream_address(const std::string& text);

/// "imd://localhost:8888", "imd://[::1]:8888"; without a port that of GROMACS, 8888. Throws Error (usage).
StreamAddress stream_address(const std::string& text);

/// The one address among words, and the others in their order. Throws Error (usage) where there are several.
struct StreamWords {
  std::string address;  ///< empty for none
  std::vector<std::string> others;
};
StreamWords split_stream(const std::vector<std::string>& words);

}  // namespace isolume
