// Films, through an ffmpeg process.
#include "app/cli/render/movie.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <vector>

#include "molecule/base/error.h"

extern char** environ;

namespace isolume::cli {

Movie::Movie(const std::string& path, int width, int height, double frames_per_second) : file_(path, true) {
  messages_ = memfd_create("ffmpeg messages", MFD_CLOEXEC);
  int ends[2] = {-1, -1};
  if (messages_ < 0 || pipe2(ends, O_CLOEXEC) != 0) throw Error("no pipe to ffmpeg can be opened");
  pipe_ = ends[1];
  const std::vector<std::string> words{"ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt",
                                       "rgba", "-s", fmt::format("{}x{}", width, height), "-r",
                                       fmt::format("{}", frames_per_second), "-i", "pipe:0", "-an",
                                       // Players want even edges and 4:2:0 colours.
                                       "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p",
                                       "-movflags", "+faststart", "-f", "mp4", "file:" + file_.name()};
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages_, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages_, STDERR_FILENO);
  pid_t child = -1;
  const int fault = posix_spawnp(&child, "ffmpeg", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (fault != 0) {
    close_input();
    close(messages_);
    throw Error(fault == ENOENT
                    ? "movies need ffmpeg, which is not installed; numbered pictures (--out NAME.png) do not"
                    : fmt::format("ffmpeg cannot be started: {}", std::strerror(fault)));
  }
  child_ = child;
  at_forced_end_ = std::make_unique<AtForcedEnd>([child] { kill(child, SIGKILL); });
}

Movie::~Movie() {
  close_input();
  at_forced_end_.reset();
  if (child_ > 0) {
    kill(child_, SIGTERM);
    wait();
  }
  if (messages_ >= 0) close(messages_);
}

void Movie::add(const Image& image) {
  const std::uint8_t* data = image.rgba.data();
  std::size_t left = image.rgba.size();
  while (left > 0) {
    const ssize_t written = write(pipe_, data, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      close_input();
      wait();
      throw Error("ffmpeg stopped: " + words());
    }
    data += written;
    left -= static_cast<std::size_t>(written);
  }
}

void Movie::finish() {
  close_input();
  if (wait() != 0) throw Error("ffmpeg failed: " + words());
  at_forced_end_.reset();
  file_.sync();
  file_.publish();
  file_.close();
}

void Movie::close_input() {
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
}

int Movie::wait() {
  int status = -1;
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Movie::words() const {
  std::string text(2000, '\0');
  const ssize_t got = pread(messages_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "it gave no reason" : text;
}

}  // namespace isolume::cli
