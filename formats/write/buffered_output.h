// Text and bytes that go to a stream in large pieces.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

namespace isolume {

/// Gathers what is written and hands it on in pieces of 64 KiB. flush() ends it: what was gathered since the last piece
/// is lost without, so that a writer that fails half-way leaves no tidy end.
class BufferedOutput {
 public:
  explicit BufferedOutput(std::ostream& out) : out_(out) {}

  /// Formatted text, as fmt::format.
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    pass_on();
  }
  void add_text(std::string_view text) {
    buffer_ += text;
    pass_on();
  }
  /// The bytes of a value as this machine has them (little-endian).
  template <class T>
  void add_value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    buffer_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    pass_on();
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  void pass_on() {
    if (buffer_.size() > (std::size_t{1} << 16)) flush();
  }

  std::ostream& out_;
  std::string buffer_;
};

}  // namespace isolume
