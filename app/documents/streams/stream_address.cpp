// The address of a running simulation.
#include "app/documents/streams/stream_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::string_view scheme = "imd://";
constexpr std::size_t longest_host = 253;  // of a name, RFC 1035

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(fmt::format("{}: {}; expected imd://HOST:PORT, such as imd://localhost:8888", text, why),
              Error::Kind::usage);
}

/// Letters of names and numbers of hosts; nothing else is looked up.
bool is_host_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

}  // namespace

std::string StreamAddress::text() const {
  return host.find(':') == std::string::npos ? fmt::format("imd://{}:{}", host, port)
                                             : fmt::format("imd://[{}]:{}", host, port);
}

bool is_stream_address(const std::string& text) {
  return text.starts_with(scheme);
}

StreamAddress stream_address(const std::string& text) {
  if (!is_stream_address(text)) refuse(text, "no address of a simulation");
  std::string_view rest = std::string_view(text).substr(scheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  StreamAddress address;
  std::string_view port;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) refuse(text, "the bracket of the host is not closed");
    address.host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
    const auto fits = [](char c) { return is_host_letter(c) || c == ':' || c == '%'; };
    if (address.host.find(':') == std::string::npos || !std::all_of(address.host.begin(), address.host.end(), fits))
      refuse(text, "no number of IPv6 in the brackets");
  } else {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    address.host = rest.substr(0, colon);
    port = rest.substr(colon);
    if (!std::all_of(address.host.begin(), address.host.end(), is_host_letter))
      refuse(text, "the host has a letter that names do not have");
  }
  if (address.host.empty()) refuse(text, "the host is missing");
  if (address.host.size() > longest_host) refuse(text, "the host is too long");
  if (port.empty()) return address;
  const char* const end = port.data() + port.size();
  unsigned number = 0;
  const auto [next, fault] = std::from_chars(port.data() + 1, end, number);
  if (port.front() != ':' || fault != std::errc() || next != end || number < 1 || number > 65535)
    refuse(text, "the port is a number from 1 to 65535");
  address.port = static_cast<std::uint16_t>(number);
  return address;
}

StreamWords split_stream(const std::vector<std::string>& words) {
  StreamWords split;
  for (const std::string& word : words) {
    if (!is_stream_address(word)) {
      split.others.push_back(word);
    } else if (split.address.empty()) {
      split.address = word;
    } else {
      throw Error(fmt::format("{} and {}: one simulation at a time", split.address, word), Error::Kind::usage);
    }
  }
  return split;
}

}  // namespace isolume
