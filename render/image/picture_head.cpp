// What a picture's file says before its pixels, whichever format it is.
#include "render/image/picture_head.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "molecule/base/error.h"
#include "render/image/vector_picture.h"

namespace isolume {
namespace {

constexpr int largest_side = 1 << 20;
constexpr std::uint64_t longest_text = 64u << 20;

/// A file of which parts are read.
class Parts {
 public:
  explicit Parts(const std::string& path) : path_(path) {
    // O_NONBLOCK: opening a FIFO must not wait for its other end; it is refused just below.
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file_ < 0) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
    struct stat info {};
    const bool regular = ::fstat(file_, &info) == 0 && S_ISREG(info.st_mode);
    if (!regular) {
      ::close(file_);
      fail("is not a regular file");
    }
    bytes_ = static_cast<std::uint64_t>(info.st_size);
  }
  ~Parts() { ::close(file_); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  [[noreturn]] void fail(const std::string& what) const { throw Error::in_file(path_, 0, what); }
  std::uint64_t bytes() const { return bytes_; }

  /// `count` bytes from `at` on; never more than the file has.
  std::string read(std::uint64_t at, std::uint64_t count) const {
    if (at > bytes_ || count > bytes_ - at) fail("is cut short");
    std::string out(static_cast<std::size_t>(count), '\0');
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = ::pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("is cut short");
      done += static_cast<std::size_t>(got);
    }
    return out;
  }
  std::uint64_t number(std::uint64_t at, std::uint64_t count) const { return value(read(at, count)); }
  static std::uint64_t value(std::string_view little_endian) {
    std::uint64_t sum = 0;
    for (std::size_t i = little_endian.size(); i-- > 0;) sum = sum << 8 | static_cast<std::uint8_t>(little_endian[i]);
    return sum;
  }

 private:
  std::string path_;
  int file_ = -1;
  std::uint64_t bytes_ = 0;
};

int side(const Parts& file, std::uint64_t pixels) {
  if (pixels < 1 || pixels > largest_side) file.fail("names an impossible picture size");
  return static_cast<int>(pixels);
}

/// TIFF 6.0 and BigTIFF, little-endian as Isolume writes it.
PngHead tiff_head(const Parts& file) {
  const bool big = file.number(2, 2) == 43;
  const std::uint64_t word = big ? 8 : 4, count_bytes = big ? 8 : 2, entry = big ? 20 : 12;
  const std::uint64_t first = file.number(big ? 8 : 4, word);
  const std::uint64_t count = file.number(first, count_bytes);
  if (count > 4096) file.fail("has a first page of too many tags");
  const std::string tags = file.read(first + count_bytes, count * entry);
  std::uint64_t width = 0, height = 0;
  PngHead head;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view one = std::string_view(tags).substr(static_cast<std::size_t>(i * entry));
    const auto field = [one](std::uint64_t at, std::uint64_t bytes) {
      return Parts::value(one.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(bytes)));
    };
    const std::uint64_t tag = field(0, 2), kind = field(2, 2), length = field(4, word), place = 4 + word;
    const std::uint64_t number = field(place, kind == 3 ? 2 : word);
    if (tag == 256) width = number;
    if (tag == 257) height = number;
    if (tag != 270 || kind != 2) continue;
    if (length > longest_text) file.fail("has a text that is too long");
    std::string text = length <= word
                           ? std::string(one.substr(static_cast<std::size_t>(place), static_cast<std::size_t>(length)))
                           : file.read(number, length);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    head.texts["ImageDescription"] = std::move(text);
  }
  head.width = side(file, width);
  head.height = side(file, height);
  return head;
}

/// OpenEXR 2: attributes one after another, each a name, a type and its bytes.
PngHead exr_head(const Parts& file) {
  PngHead head;
  std::uint64_t at = 8;
  const auto word = [&] {
    const std::uint64_t left = file.bytes() - std::min(at, file.bytes());
    const std::string text = file.read(at, std::min<std::uint64_t>(256, left));
    const std::size_t end = text.find('\0');
    if (end == std::string::npos) file.fail("has no whole header");
    at += end + 1;
    return text.substr(0, end);
  };
  for (int attributes = 0;; ++attributes) {
    if (attributes > 4096) file.fail("has a header of too many attributes");
    const std::string name = word();
    if (name.empty()) break;
    const std::string kind = word();
    const std::uint64_t bytes = file.number(at, 4);
    at += 4;
    if (bytes > file.bytes() - at) file.fail("is cut short");
    if (name == "dataWindow" && kind == "box2i" && bytes == 16) {
      std::int64_t corner[4];
      for (std::uint64_t i = 0; i < 4; ++i) corner[i] = static_cast<std::int32_t>(file.number(at + 4 * i, 4));
      head.width = side(file, static_cast<std::uint64_t>(std::max<std::int64_t>(0, corner[2] - corner[0] + 1)));
      head.height = side(file, static_cast<std::uint64_t>(std::max<std::int64_t>(0, corner[3] - corner[1] + 1)));
    } else if (kind == "string") {
      if (bytes > longest_text) file.fail("has a text that is too long");
      head.texts[name] = file.read(at, bytes);
    }
    at += bytes;
  }
  if (head.width < 1) file.fail("names no picture size");
  return head;
}

}  // namespace

PngHead read_picture_head(const std::string& path) {
  {
    const Parts file(path);
    const std::string magic = file.read(0, std::min<std::uint64_t>(4, file.bytes()));
    if (magic == std::string("II\x2a\0", 4) || magic == std::string("II\x2b\0", 4)) return tiff_head(file);
    if (magic == "\x76\x2f\x31\x01") return exr_head(file);
    const bool svg = magic.starts_with("<?xm") || magic.starts_with("<svg");
    if (svg || magic == "%PDF") {
      // The scene comes first in both, before the pixels.
      const std::string begin = file.read(0, std::min(longest_text, file.bytes()));
      return svg ? svg_head(path, begin) : pdf_head(path, begin);
    }
  }
  return read_png_head(path);
}

}  // namespace isolume
