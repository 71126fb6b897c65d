// isolume worker: many commands in one process, for programs that call it often.
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "formats/kept_files.h"
#include "formats/write/published_files.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The longest request: words of a command, not data.
constexpr std::size_t longest = std::size_t{16} << 20;

struct Request {
  std::vector<std::string> words;
  std::string directory;
  bool durable = true;
};

/// Throws Error (usage) with what is wrong.
Request request_of(const std::string& line) {
  const auto refuse = [](const char* what) {
    throw Error(std::string("worker: ") + what + R"(; expected a line such as {"words": ["info", "a.pdb", "--json"]})",
                Error::Kind::usage);
  };
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("words") || !json["words"].is_array()) refuse("no words");
  Request request;
  for (const Json& word : json["words"]) {
    if (!word.is_string()) refuse("a word that is no text");
    request.words.push_back(word.get<std::string>());
    if (request.words.back().find('\0') != std::string::npos) refuse("a word with a zero byte");
  }
  if (json.contains("durable")) {
    if (!json["durable"].is_boolean()) refuse("durable that is not true or false");
    request.durable = json["durable"].get<bool>();
  }
  if (json.contains("directory")) {
    if (!json["directory"].is_string()) refuse("a directory that is no text");
    request.directory = json["directory"].get<std::string>();
  }
  return request;
}

/// stdout or stderr as a file in memory, for a command.
class Capture {
 public:
  explicit Capture(int stream) : stream_(stream), file_(::memfd_create("isolume", MFD_CLOEXEC)) {
    if (file_ < 0 || ::dup2(file_, stream_) < 0) throw Error("worker: no memory for what a command prints");
  }
  ~Capture() {
    if (file_ >= 0) ::close(file_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  std::string text() const {
    std::string text;
    std::array<char, 65536> part{};
    off_t at = 0;
    for (ssize_t count = 0; (count = ::pread(file_, part.data(), part.size(), at)) > 0; at += count)
      text.append(part.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  int stream_;
  int file_;
};

/// The streams that the other side holds, out of the way of the commands', which get others for stdin to stderr.
struct Channel {
  int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  int err = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  std::string read_ahead;

  Channel() {
    const int none = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (none < 0) return;
    (void)::dup2(none, STDIN_FILENO);
    ::close(none);
  }

  /// The next line; nothing at the end. Throws Error (usage) for one that is too long, which is read to its end.
  std::optional<std::string> line() {
    bool too_long = false;
    for (;;) {
      const std::size_t end = read_ahead.find('\n');
      if (end != std::string::npos) {
        std::string line = read_ahead.substr(0, end);
        read_ahead.erase(0, end + 1);
        if (too_long) throw Error("worker: a request of more than 16 MiB", Error::Kind::usage);
        return line;
      }
      if (read_ahead.size() > longest) {
        too_long = true;
        read_ahead.clear();
      }
      std::array<char, 65536> part{};
      const ssize_t count = ::read(in, part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      read_ahead.append(part.data(), static_cast<std::size_t>(count));
    }
  }

  bool answer(int code, const std::string& printed, const std::string& errors) const {
    const Json json{{"code", code}, {"out", printed}, {"err", errors}};
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(out, text.data() + at, text.size() - at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      at += static_cast<std::size_t>(written);
    }
    return true;
  }

  /// stdout and stderr become those of the other side again, for what is said between commands.
  void restore() const {
    (void)::dup2(out, STDOUT_FILENO);
    (void)::dup2(err, STDERR_FILENO);
  }
};

/// What a command gives back stays with the process up to 64 MiB, for the next one: small commands would else ask the
/// system for the same pages again each time, which it fills with zeros.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int most = 64 << 20;
  ::mallopt(M_TRIM_THRESHOLD, most);
  ::mallopt(M_TOP_PAD, 1 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

int run_words(const char* program, const std::vector<std::string>& words) {
  std::vector<std::string> kept{program};
  kept.insert(kept.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : kept) arguments.push_back(word.data());
  const int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  if (!is_command_line(count, arguments.data()) || is_worker(count, arguments.data())) {
    complain("isolume: worker: no subcommand that it runs; isolume --help lists them");
    return static_cast<int>(Error::Kind::usage);
  }
  return run(count, arguments.data());
}

}  // namespace

void add_worker(Commands& commands) {
  commands.add(commands.app, "worker", "run the commands that stdin names, in one process (JSON lines)",
               R"(echo '{"words": ["info", "crambin.pdb.gz", "--json"]}' | isolume worker)",
               [] { throw Error("worker takes no options; each request names its own", Error::Kind::usage); });
}

bool is_worker(int argc, char** argv) {
  return argc == 2 && std::string_view(argv[1]) == "worker";
}

int run_worker(const char* program) {
  open_standard_streams();
  keep_read_files(true);
  keep_freed_memory();
  Channel channel;
  std::error_code ignored;
  const std::filesystem::path home = std::filesystem::current_path(ignored);
  for (;;) {
    int code = static_cast<int>(Error::Kind::usage);
    std::string printed, errors;
    try {
      const std::optional<std::string> line = channel.line();
      if (!line) return 0;
      if (line->empty()) continue;
      const Request request = request_of(*line);
      std::error_code failed;
      const std::filesystem::path folder = request.directory.empty() ? home : std::filesystem::path(request.directory);
      std::filesystem::current_path(folder, failed);
      if (failed) throw Error("worker: " + request.directory + ": " + failed.message(), Error::Kind::usage);
      make_files_durable(request.durable);
      const Capture out(STDOUT_FILENO), err(STDERR_FILENO);
      code = run_words(program, request.words);
      std::fflush(stdout);
      std::cout.flush();
      std::clearerr(stdout);
      printed = out.text();
      errors = err.text();
    } catch (const std::exception& error) {
      errors = std::string("isolume: ") + error.what() + "\n";
    }
    channel.restore();
    if (!channel.answer(code, printed, errors)) return 1;
  }
}

}  // namespace isolume::cli
