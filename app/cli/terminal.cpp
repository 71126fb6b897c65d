// What goes to the terminal: without control characters, and without failing where nothing can be written.
#include "app/cli/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

std::string without_controls(const std::string& text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      result += ' ';
      ++i;
    } else if ((byte < 32 && !(keep_lines && byte == '\n')) || byte == 127) {
      result += ' ';
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::string plain(const std::string& text) {
  return without_controls(text, false);
}

void complain(const std::string& text) noexcept {
  try {
    const std::string line = without_controls(text, true) + "\n";
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t written = ::write(STDERR_FILENO, line.data() + at, line.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return;
      at += static_cast<std::size_t>(written);
    }
  } catch (const std::exception&) {
    // Without memory for the line there is nobody left to tell.
  }
}

void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one, as those below it are open.
    if (::open(stream == STDOUT_FILENO ? "/dev/full" : "/dev/null", O_RDWR) < 0) return;
  }
}

void finish_stdout() {
  errno = 0;
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!failed) return;
  if (errno == EPIPE) throw Error("");
  throw Error(std::string("stdout: cannot be written") + (errno != 0 ? ": " : "") +
              (errno != 0 ? std::strerror(errno) : ""));
}

}  // namespace isolume::cli
