// A file that is being written: next to its place, compressed where its name says so, renamed when complete.
#include "formats/write/output_file.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <streambuf>

#include "formats/write/unfinished_file.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(path + ": " + what + ": " + std::strerror(errno));
}

constexpr std::size_t block_size = std::size_t{1} << 18;

/// A buffer over a file descriptor, with gzip between where asked for.
class Buffer final : public std::streambuf {
 public:
  Buffer(int fd, std::string name, bool compress) : fd_(fd), name_(std::move(name)), compress_(compress) {
    setp(block_.get(), block_.get() + block_size);
    if (!compress_) return;
    packed_ = std::make_unique_for_overwrite<char[]>(block_size);
    if (deflateInit2(&zlib_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error(name_ + ": zlib cannot start");
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
        zlib_.next_out = reinterpret_cast<Bytef*>(packed_.get());
        zlib_.avail_out = static_cast<uInt>(block_size);
        deflate(&zlib_, last ? Z_FINISH : Z_NO_FLUSH);
        write_all(packed_.get(), block_size - zlib_.avail_out);
      } while (zlib_.avail_out == 0);
    }
    setp(block_.get(), block_.get() + block_size);
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
  // Not filled with zeros: of a small file the system gives the first pages alone.
  std::unique_ptr<char[]> block_ = std::make_unique_for_overwrite<char[]>(block_size);
  std::unique_ptr<char[]> packed_;
};

}  // namespace

struct OutputFile::State {
  explicit State(const std::string& path) : file(path) {}

  UnfinishedFile file;
  std::unique_ptr<Buffer> buffer;
  std::unique_ptr<std::ostream> stream;
};

OutputFile::OutputFile(const std::string& path, bool compress) : state_(std::make_unique<State>(path)) {
  State& s = *state_;
  s.buffer = std::make_unique<Buffer>(s.file.descriptor(), path, compress && path.ends_with(".gz"));
  s.stream = std::make_unique<std::ostream>(s.buffer.get());
  s.stream->exceptions(std::ios::badbit | std::ios::failbit);
}

OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() {
  return *state_->stream;
}

void OutputFile::patch(std::uint64_t offset, std::string_view bytes) {
  state_->stream->flush();
  const ssize_t written = ::pwrite(state_->file.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (written != static_cast<ssize_t>(bytes.size())) fail(state_->file.target(), "cannot be written");
}

void OutputFile::flush() {
  state_->stream->flush();
}

void OutputFile::publish() {
  flush();
  state_->file.publish();
}

void OutputFile::finish() {
  state_->buffer->finish();
  state_->file.sync();
  state_->file.publish();
  state_->file.close();
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
