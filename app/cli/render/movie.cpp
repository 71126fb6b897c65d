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
#include <filesystem>
#include <memory>
#include <vector>

#include "molecule/base/error.h"

extern char** environ;

namespace isolume::cli {

namespace {

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  return ending.empty() ? ending : ending.substr(1);
}

/// ffmpeg's words for a format.
std::vector<std::string> encoding(const std::string& ending, bool transparent) {
  // Video players want even edges and 4:2:0 colours.
  const std::string even = fmt::format("pad=ceil(iw/2)*2:ceil(ih/2)*2:color={}", transparent ? "white@0" : "white");
  // A palette for each picture, so that none has to wait for the last one.
  if (ending == "gif")
    return {"-vf",     "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1",
            "-loop",   "0",
            "-fflags", "+bitexact",
            "-f",      "gif"};
  if (ending == "apng")
    return {"-pix_fmt", transparent ? "rgba" : "rgb24", "-plays", "0", "-fflags", "+bitexact", "-f", "apng"};
  if (ending == "webm")
    return {"-vf",       even,  "-c:v",    "libvpx-vp9", "-pix_fmt",      transparent ? "yuva420p" : "yuv420p",
            "-crf",      "24",  "-b:v",    "0",          "-auto-alt-ref", transparent ? "0" : "1",
            "-cpu-used", "3",   "-fflags", "+bitexact",  "-flags:v",      "+bitexact",
            "-f",        "webm"};
  return {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",
          "mp4"};
}

}  // namespace

const char* movie_extensions() {
  return "mp4 webm gif apng";
}

bool is_movie(const std::string& path) {
  const std::string ending = ending_of(path);
  return !ending.empty() && fmt::format(" {} ", movie_extensions()).find(" " + ending + " ") != std::string::npos;
}

Movie::Movie(const std::string& path, int width, int height, double frames_per_second, bool transparent)
    : file_(path, true) {
  // Viewers show a GIF's pictures for hundredths of a second, and those of less than two for ten.
  if (ending_of(path) == "gif" && frames_per_second > 50)
    throw Error(fmt::format("{}: GIF has at most 50 frames per second, not {:g}", path, frames_per_second),
                Error::Kind::usage);
  messages_ = memfd_create("ffmpeg messages", MFD_CLOEXEC);
  int ends[2] = {-1, -1};
  if (messages_ < 0 || pipe2(ends, O_CLOEXEC) != 0) throw Error("no pipe to ffmpeg can be opened");
  pipe_ = ends[1];
  std::vector<std::string> words{"ffmpeg",
                                 "-nostdin",
                                 "-y",
                                 "-loglevel",
                                 "error",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "rgba",
                                 "-s",
                                 fmt::format("{}x{}", width, height),
                                 "-r",
                                 fmt::format("{}", frames_per_second),
                                 "-i",
                                 "pipe:0",
                                 "-an"};
  for (const std::string& word : encoding(ending_of(path), transparent)) words.push_back(word);
  words.push_back("file:" + file_.name());
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
  if (text.find("Unknown encoder") != std::string::npos)
    text += "\nthis ffmpeg was built without it: choose another format, or numbered pictures (--out NAME.png)";
  return text.empty() ? "it gave no reason" : text;
}

}  // namespace isolume::cli
