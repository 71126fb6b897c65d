// A file that is being written: beside its place, compressed where its name says so, renamed when complete.
#include "formats/write/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <streambuf>
#include <vector>

#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(path + ": " + what + ": " + std::strerror(errno));
}

/// Where a path leads: a link is followed, so that renaming replaces the file and not the link.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored)) {
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    if (!ignored) return target.string();
  }
  return path;
}

/// A buffer over a file descriptor, with gzip between where asked for.
class Buffer final : public std::streambuf {
 public:
  Buffer(int fd, std::string name, bool compress) : fd_(fd), name_(std::move(name)), compress_(compress) {
    setp(block_.data(), block_.data() + block_.size());
    if (compress_ && deflateInit2(&zlib_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error(name_ + ": zlib cannot start");
    }
  }
  ~Buffer() override {
    if (compress_) deflateEnd(&zlib_);
  }

  void finish() {
    put(false);
    if (compress_) put(true);
  }

 protected:
  int_type overflow(int_type c) override {
    put(false);
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  int sync() override {
    put(false);
    return 0;
  }

 private:
  void put(bool last) {
    const auto count = static_cast<std::size_t>(pptr() - pbase());
    if (!compress_) {
      write_all(pbase(), count);
    } else {
      zlib_.next_in = reinterpret_cast<Bytef*>(pbase());
      zlib_.avail_in = static_cast<uInt>(count);
      do {
        zlib_.next_out = reinterpret_cast<Bytef*>(packed_.data());
        zlib_.avail_out = static_cast<uInt>(packed_.size());
        deflate(&zlib_, last ? Z_FINISH : Z_NO_FLUSH);
        write_all(packed_.data(), packed_.size() - zlib_.avail_out);
      } while (zlib_.avail_out == 0);
    }
    setp(block_.data(), block_.data() + block_.size());
  }

  void write_all(const char* data, std::size_t count) {
    while (count > 0) {
      const ssize_t written = ::write(fd_, data, count);
      if (written < 0) {
        if (errno == EINTR) continue;
        fail(name_, "cannot be written");
      }
      data += written;
      count -= static_cast<std::size_t>(written);
    }
  }

  int fd_;
  std::string name_;
  bool compress_;
  z_stream zlib_{};
  std::vector<char> block_ = std::vector<char>(std::size_t{1} << 18);
  std::vector<char> packed_ = std::vector<char>(std::size_t{1} << 18);
};

}  // namespace

struct OutputFile::State {
  std::string target;
  std::string temporary;
  int fd = -1;
  std::unique_ptr<Buffer> buffer;
  std::unique_ptr<std::ostream> stream;

  ~State() {
    if (fd >= 0) ::close(fd);
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }
};

OutputFile::OutputFile(const std::string& path, bool compress) : state_(std::make_unique<State>()) {
  if (path.empty()) throw Error("a file to be written needs a name", Error::Kind::usage);
  State& s = *state_;
  s.target = target_of(path);
  struct stat old {};
  const bool exists = ::stat(s.target.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    throw Error(path + ": is no regular file and cannot be replaced by one", Error::Kind::usage);
  }
  // A name of its own beside the target; open() gives it the rights that any new file has.
  static std::atomic<unsigned> number{0};
  for (int attempt = 0; s.fd < 0 && attempt < 100; ++attempt) {
    const std::string name =
        s.target + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(number.fetch_add(1));
    s.fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (s.fd >= 0) s.temporary = name;
    if (s.fd < 0 && errno != EEXIST) fail(path, "cannot be written");
  }
  if (s.fd < 0) fail(path, "cannot be written");
  if (exists && ::fchmod(s.fd, old.st_mode & 07777) != 0) fail(path, "cannot be given its rights");
  s.buffer = std::make_unique<Buffer>(s.fd, path, compress && path.ends_with(".gz"));
  s.stream = std::make_unique<std::ostream>(s.buffer.get());
  s.stream->exceptions(std::ios::badbit | std::ios::failbit);
}

OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() {
  return *state_->stream;
}

void OutputFile::patch(std::uint64_t offset, std::string_view bytes) {
  state_->stream->flush();
  const ssize_t written = ::pwrite(state_->fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (written != static_cast<ssize_t>(bytes.size())) fail(state_->target, "cannot be written");
}

void OutputFile::flush() {
  state_->stream->flush();
}

void OutputFile::publish() {
  State& s = *state_;
  if (s.temporary.empty()) return;
  flush();
  if (::rename(s.temporary.c_str(), s.target.c_str()) != 0) fail(s.target, "cannot be given its name");
  s.temporary.clear();
}

void OutputFile::finish() {
  State& s = *state_;
  s.buffer->finish();
  if (::fsync(s.fd) != 0) fail(s.target, "cannot be made durable");
  const int fd = s.fd;
  s.fd = -1;
  if (::close(fd) != 0) fail(s.target, "cannot be written");
  if (!s.temporary.empty() && ::rename(s.temporary.c_str(), s.target.c_str()) != 0) {
    fail(s.target, "cannot be given its name");
  }
  s.temporary.clear();
  // The name is durable when the directory is; a file system that cannot do that is no reason to fail now.
  const std::string folder = std::filesystem::path(s.target).parent_path().string();
  const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

std::string extension_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos ? std::string() : name.substr(dot + 1);
}

void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write) {
  OutputFile file(path, false);
  write(file.stream());
  file.finish();
}

}  // namespace isolume
