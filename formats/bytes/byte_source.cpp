// Bytes of a file, mapped or decompressed, within limits.
#include "formats/bytes/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

#include "formats/bytes/input_files.h"
#include "formats/bytes/kept_contents.h"
#include "formats/bytes/mapped_file.h"
#include "formats/bytes/opened_files.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/base/work_part.h"

namespace isolume {
namespace {

/// Content that lives in memory.
class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string content, std::string name, const ReadLimits& limits) : content_(std::move(content)) {
    bytes_ = std::as_bytes(std::span<const char>(content_.data(), content_.size()));
    name_ = std::move(name);
    limits_ = limits;
  }

 private:
  std::string content_;
};

/// A file mapped read-only.
class MappedSource final : public ByteSource {
 public:
  MappedSource(std::unique_ptr<MappedFile> file, std::string name, const ReadLimits& limits) : file_(std::move(file)) {
    bytes_ = file_->bytes();
    name_ = std::move(name);
    limits_ = limits;
  }
  bool shrunk() const override { return file_->shrunk(); }

 private:
  std::unique_ptr<MappedFile> file_;
};

/// A file descriptor that closes itself.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

/// zlib's state, released whatever happens.
struct Inflater {
  z_stream stream{};
  bool open = false;
  ~Inflater() {
    if (open) inflateEnd(&stream);
  }
};

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 3 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b} && bytes[2] == std::byte{8};
}

void check_output(std::uint64_t out, std::uint64_t in, const std::string& name, const ReadLimits& limits) {
  constexpr std::uint64_t ratio_free = std::uint64_t{16} << 20;
  if (const std::uint64_t most = content_limit(limits); out > most) {
    throw Error::in_file(name, 0,
                         "decompresses to more than the limit of " + std::to_string(most) + " bytes" +
                             (most < limits.bytes_out ? ", the memory that can be had" : ""));
  }
  if (out > ratio_free && static_cast<double>(out) > limits.ratio * static_cast<double>(in)) {
    throw Error::in_file(name, 0,
                         "decompresses to more than " + std::to_string(static_cast<int>(limits.ratio)) +
                             " times its size, the limit for files from strangers");
  }
}

/// The memory to begin with: what the last member says it has (modulo 4 GiB), where that may be true. Without it a
/// string that grows takes up to three times its content.
std::size_t expected_content(std::span<const std::byte> bytes, const ReadLimits& limits) {
  if (bytes.size() < 18) return 0;
  std::uint64_t size = 0;
  for (std::size_t i = 1; i <= 4; ++i) size = size << 8 | std::to_integer<std::uint64_t>(bytes[bytes.size() - i]);
  if (static_cast<double>(size) > limits.ratio * static_cast<double>(bytes.size())) return 0;
  return size <= content_limit(limits) ? static_cast<std::size_t>(size) : 0;
}

/// All members of a gzip file (RFC 1952), one after another. Bytes after the last member that are no member are
/// ignored where they are zero (padding of tapes and disks), else an error.
std::string gunzip(std::span<const std::byte> bytes, const std::string& name, const ReadLimits& limits) {
  std::string out;
  out.reserve(expected_content(bytes, limits));
  std::string block(std::size_t{1} << 18, '\0');
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (at > 0 && !is_gzip(bytes.subspan(at))) {
      if (std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                      [](std::byte b) { return b == std::byte{0}; })) {
        break;
      }
      throw Error::in_file(name, 0, "bytes that are not gzip follow the compressed content",
                           static_cast<std::int64_t>(at));
    }
    Inflater inflater;
    if (inflateInit2(&inflater.stream, 15 + 16) != Z_OK) throw Error("zlib cannot start: out of memory");
    inflater.open = true;
    int state = Z_OK;
    while (state != Z_STREAM_END) {
      check_stop();
      WorkPart::report(static_cast<double>(at) / static_cast<double>(bytes.size()));
      const std::size_t given = std::min<std::size_t>(bytes.size() - at, std::size_t{1} << 30);
      inflater.stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + at));
      inflater.stream.avail_in = static_cast<uInt>(given);
      inflater.stream.next_out = reinterpret_cast<Bytef*>(block.data());
      inflater.stream.avail_out = static_cast<uInt>(block.size());
      state = inflate(&inflater.stream, Z_NO_FLUSH);
      at += given - inflater.stream.avail_in;
      const std::size_t got = block.size() - inflater.stream.avail_out;
      check_output(out.size() + got, bytes.size(), name, limits);
      out.append(block, 0, got);
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
        throw Error::in_file(name, 0, "the gzip content is damaged", static_cast<std::int64_t>(at));
      }
      if (state != Z_STREAM_END && got == 0 && at >= bytes.size()) {
        throw Error::in_file(name, 0, "the gzip content is cut short", static_cast<std::int64_t>(at));
      }
      if (state == Z_BUF_ERROR && got == 0 && given == inflater.stream.avail_in) {
        throw Error::in_file(name, 0, "the gzip content is damaged", static_cast<std::int64_t>(at));
      }
    }
  }
  return out;
}

/// The whole file, for those that cannot be mapped. A file that ends early gives what it has.
std::string read_all(int descriptor, std::size_t size, const std::string& name) {
  std::string content(size, '\0');
  std::size_t at = 0;
  while (at < size) {
    check_stop();
    WorkPart::report(static_cast<double>(at) / static_cast<double>(size));
    const std::size_t wanted = std::min(size - at, std::size_t{1} << 24);
    const ssize_t got = pread(descriptor, content.data() + at, wanted, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error::in_file(name, 0, std::string("cannot be read: ") + std::strerror(errno));
    if (got == 0) break;
    at += static_cast<std::size_t>(got);
  }
  content.resize(at);
  return content;
}

}  // namespace

std::shared_ptr<const ByteSource> ByteSource::open(const std::string& path, const ReadLimits& limits) {
  // O_NONBLOCK: opening a FIFO must not wait for its other end; it is refused just below.
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.fd < 0) throw Error::in_file(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
  struct stat info {};
  if (fstat(file.fd, &info) != 0) throw Error::in_file(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(info.st_mode)) throw Error::in_file(path, 0, "is a directory, not a file");
  if (!S_ISREG(info.st_mode)) throw Error::in_file(path, 0, "is not a regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > limits.bytes_in) {
    throw Error::in_file(
        path, 0, "has " + std::to_string(size) + " bytes, more than the limit of " + std::to_string(limits.bytes_in));
  }
  note_input(info);
  note_opened(path);
  if (size == 0) return std::make_shared<MemorySource>(std::string(), path, limits);
  std::unique_ptr<MappedFile> file_pages = MappedFile::map(file.fd, static_cast<std::size_t>(size));
  if (!file_pages) return from_bytes(read_all(file.fd, static_cast<std::size_t>(size), path), path, limits);
  auto mapped = std::make_shared<MappedSource>(std::move(file_pages), path, limits);
  if (!is_gzip(mapped->bytes())) return mapped;
  if (auto kept = kept_content(*mapped)) return kept;
  auto content = std::make_shared<MemorySource>(gunzip(mapped->bytes(), path, limits), path, limits);
  mapped->check_whole();
  keep_content(*mapped, content);
  return content;
}

void ByteSource::check_whole() const {
  if (shrunk()) throw Error::in_file(name_, 0, "became shorter while it was open; open it again");
}

std::shared_ptr<const ByteSource> ByteSource::from_bytes(std::string bytes, std::string name,
                                                         const ReadLimits& limits) {
  const auto view = std::as_bytes(std::span<const char>(bytes.data(), bytes.size()));
  if (view.size() > limits.bytes_in) throw Error::in_file(name, 0, "is larger than the limit");
  if (is_gzip(view)) bytes = gunzip(view, name, limits);
  return std::make_shared<MemorySource>(std::move(bytes), std::move(name), limits);
}

std::string ByteSource::base_name() const {
  std::string base = name_.substr(name_.find_last_of('/') + 1);
  std::transform(base.begin(), base.end(), base.begin(), [](unsigned char c) { return std::tolower(c); });
  if (base.size() > 3 && base.ends_with(".gz")) base.resize(base.size() - 3);
  return base;
}

}  // namespace isolume
