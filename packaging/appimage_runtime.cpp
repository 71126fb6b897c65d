// The first part of an AppImage: unpacks the squashfs image that follows it in the same file into a cache, and starts
// what is in there. It needs no FUSE, and nothing but glibc (packaging/appdir.py builds it).
//
// The image is one of mksquashfs with gzip: https://dr-emann.github.io/squashfs/squashfs.html describes the format.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what);
}

/// An unsigned number of little-endian bytes.
std::uint64_t number(const Bytes& bytes, std::size_t at, int size) {
  if (at > bytes.size() || bytes.size() - at < static_cast<std::size_t>(size)) fail("the image is damaged");
  std::uint64_t value = 0;
  for (int i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(bytes[at + static_cast<std::size_t>(i)]) << (8 * i);
  return value;
}

/// The AppImage itself.
class File {
 public:
  explicit File(const char* path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail(std::string("cannot read ") + path);
    const Bytes header = read(0, 64);  // of ELF, 64 bit: the table of sections is its end
    offset_ = number(header, 40, 8) + number(header, 58, 2) * number(header, 60, 2);
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  Bytes read(std::uint64_t at, std::size_t size) const {
    Bytes bytes(size);
    for (std::size_t done = 0; done < size;) {
      const ssize_t got = pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(at + done));
      if (got <= 0) fail("the image is cut short");
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }
  std::uint64_t offset() const { return offset_; }

 private:
  int descriptor_;
  std::uint64_t offset_ = 0;  // of the image
};

Bytes inflated(const Bytes& packed, std::size_t most) {
  Bytes bytes(most);
  uLongf size = most;
  if (uncompress(bytes.data(), &size, packed.data(), packed.size()) != Z_OK) fail("the image is damaged");
  bytes.resize(size);
  return bytes;
}

/// A squashfs image, which is unpacked whole.
class Image {
 public:
  explicit Image(const File& file) : file_(file) {
    super_ = read(0, 96);
    if (number(super_, 0, 4) != 0x73717368 || number(super_, 20, 2) != 1 || number(super_, 28, 2) != 4)
      fail("no squashfs image with gzip follows");
    block_size_ = number(super_, 12, 4);
    if (block_size_ < 4096 || block_size_ > (1u << 20)) fail("the image is damaged");
    inodes_ = number(super_, 64, 8);
    directories_ = number(super_, 72, 8);
  }

  /// Names the image: of the same bytes, the same.
  std::string key() const {
    const std::uint64_t size = number(super_, 40, 8);
    uLong sum = crc32(0, nullptr, 0), other = adler32(0, nullptr, 0);
    for (std::uint64_t at = 0; at < size;) {
      const Bytes part = read(at, static_cast<std::size_t>(std::min<std::uint64_t>(size - at, 1u << 22)));
      sum = crc32(sum, part.data(), static_cast<uInt>(part.size()));
      other = adler32(other, part.data(), static_cast<uInt>(part.size()));
      at += part.size();
    }
    char text[64];
    std::snprintf(text, sizeof text, "%08lx%08lx-%llu", sum, other, static_cast<unsigned long long>(size));
    return text;
  }

  void unpack(const fs::path& to) const { unpack_inode(number(super_, 32, 8), to, 0); }

 private:
  Bytes read(std::uint64_t at, std::size_t size) const { return file_.read(file_.offset() + at, size); }

  /// A block of 8 KiB or less of a table, and how many bytes it takes in the file.
  Bytes table_block(std::uint64_t at, std::uint64_t& taken) const {
    const std::uint64_t header = number(read(at, 2), 0, 2), size = header & 0x7fff;
    taken = size + 2;
    const Bytes packed = read(at + 2, size);
    return header & 0x8000 ? packed : inflated(packed, 8192);
  }

  /// `size` bytes of a table from a place in a block on.
  Bytes table(std::uint64_t block, std::size_t offset, std::size_t size) const {
    Bytes bytes;
    while (bytes.size() < offset + size) {
      std::uint64_t taken = 0;
      const Bytes next = table_block(block, taken);
      bytes.insert(bytes.end(), next.begin(), next.end());
      block += taken;
    }
    return {bytes.begin() + static_cast<std::ptrdiff_t>(offset),
            bytes.begin() + static_cast<std::ptrdiff_t>(offset + size)};
  }

  Bytes data_block(std::uint64_t at, std::uint64_t size, std::size_t most) const {
    const std::uint64_t packed = size & 0xffffff;
    const Bytes bytes = read(at, packed);
    return size & 0x1000000 ? bytes : inflated(bytes, most);
  }

  void unpack_inode(std::uint64_t reference, const fs::path& to, int depth) const {
    if (depth > 64) fail("the image is damaged");
    const std::uint64_t block = inodes_ + (reference >> 16);
    const std::size_t offset = reference & 0xffff;
    const Bytes head = table(block, offset, 16);
    const auto field = [&](std::size_t at, int size) {
      return number(table(block, offset + at, static_cast<std::size_t>(size)), 0, size);
    };
    const auto mode = static_cast<mode_t>(number(head, 2, 2) & 0777);
    switch (number(head, 0, 2)) {
      case 1:
        return unpack_folder(field(16, 4), field(26, 2), field(24, 2), to, depth);
      case 8:
        return unpack_folder(field(24, 4), field(34, 2), field(20, 4), to, depth);
      case 2:
        return unpack_file({block, offset + 32, field(16, 4), field(28, 4), field(20, 4), field(24, 4)}, to, mode);
      case 9:
        return unpack_file({block, offset + 56, field(16, 8), field(24, 8), field(44, 4), field(48, 4)}, to, mode);
      case 3:
      case 10: {
        const Bytes target = table(block, offset + 24, static_cast<std::size_t>(field(20, 4)));
        fs::create_symlink(std::string(target.begin(), target.end()), to);
        return;
      }
      default:
        fail("the image has something that is neither a file, a folder nor a link");
    }
  }

  void unpack_folder(std::uint64_t start, std::uint64_t offset, std::uint64_t size, const fs::path& to,
                     int depth) const {
    fs::create_directory(to);
    if (size <= 3) return;
    const Bytes list =
        table(directories_ + start, static_cast<std::size_t>(offset), static_cast<std::size_t>(size - 3));
    for (std::size_t at = 0; at < list.size();) {
      const std::uint64_t count = number(list, at, 4) + 1, block = number(list, at + 4, 4);
      at += 12;
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t place = number(list, at, 2), length = number(list, at + 6, 2) + 1;
        if (at + 8 + length > list.size()) fail("the image is damaged");
        const std::string name(list.begin() + static_cast<std::ptrdiff_t>(at + 8),
                               list.begin() + static_cast<std::ptrdiff_t>(at + 8 + length));
        if (name == "." || name == ".." || name.find('/') != std::string::npos) fail("the image is damaged");
        unpack_inode(block << 16 | place, to / name, depth + 1);
        at += 8 + length;
      }
    }
  }

  struct Inode {
    std::uint64_t block;  ///< of the table of inodes, and where the sizes of the data's blocks begin from there
    std::size_t sizes;
    std::uint64_t start, size, fragment, fragment_offset;
  };
  void unpack_file(const Inode& inode, const fs::path& to, mode_t mode) const {
    const int out = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0200);
    if (out < 0) fail("cannot write " + to.string());
    const auto put = [&](const Bytes& bytes) {
      for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = write(out, bytes.data() + done, bytes.size() - done);
        if (written <= 0) {
          close(out);
          fail("cannot write " + to.string());
        }
        done += static_cast<std::size_t>(written);
      }
    };
    constexpr std::uint64_t none = 0xffffffff;
    const std::uint64_t whole = inode.size / block_size_, rest = inode.size % block_size_;
    const std::uint64_t blocks = whole + (inode.fragment == none && rest > 0 ? 1 : 0);
    const Bytes sizes = table(inode.block, inode.sizes, static_cast<std::size_t>(4 * blocks));
    std::uint64_t at = inode.start;
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const std::uint64_t size = number(sizes, static_cast<std::size_t>(4 * i), 4);
      const std::uint64_t here = i < whole ? block_size_ : rest;
      put(size == 0 ? Bytes(static_cast<std::size_t>(here)) : data_block(at, size, static_cast<std::size_t>(here)));
      at += size & 0xffffff;
    }
    if (inode.fragment != none && rest > 0) {
      // The ends of files are together in blocks of their own, of which a table of tables knows.
      const std::uint64_t first = number(read(number(super_, 80, 8) + 8 * (inode.fragment / 512), 8), 0, 8);
      const Bytes entry = table(first, static_cast<std::size_t>(16 * (inode.fragment % 512)), 16);
      const Bytes ends = data_block(number(entry, 0, 8), number(entry, 8, 4), static_cast<std::size_t>(block_size_));
      if (inode.fragment_offset + rest > ends.size()) fail("the image is damaged");
      const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(inode.fragment_offset);
      put({begin, begin + static_cast<std::ptrdiff_t>(rest)});
    }
    if (close(out) != 0) fail("cannot write " + to.string());
  }

  const File& file_;
  Bytes super_;
  std::uint64_t block_size_ = 0, inodes_ = 0, directories_ = 0;
};

/// A folder for what is unpacked, which nobody else writes into.
fs::path cache() {
  const char* own = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder = own && *own == '/' ? fs::path(own) : home && *home == '/' ? fs::path(home) / ".cache" : fs::path();
  if (folder.empty()) folder = fs::temp_directory_path() / ("isolume-" + std::to_string(getuid()));
  folder /= "isolume-appimage";
  fs::create_directories(folder);
  struct stat is {};
  if (stat(folder.c_str(), &is) != 0 || is.st_uid != getuid() || (is.st_mode & 022)) {
    chmod(folder.c_str(), 0700);
    if (stat(folder.c_str(), &is) != 0 || is.st_uid != getuid() || (is.st_mode & 022))
      fail(folder.string() + " is open to others: set XDG_CACHE_HOME");
  }
  return folder;
}

/// The unpacked image; made at the first start.
fs::path unpacked(const Image& image) {
  const fs::path folder = cache(), there = folder / image.key();
  if (fs::exists(there / "AppRun")) return there;
  // Two that start at once each unpack; the first to be done is taken.
  const fs::path part = folder / (there.filename().string() + "." + std::to_string(getpid()));
  fs::remove_all(part);
  try {
    image.unpack(part);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(part, ignored);
    throw;
  }
  std::error_code taken;
  fs::rename(part, there, taken);
  if (taken) fs::remove_all(part);
  if (!fs::exists(there / "AppRun")) fail("cannot unpack into " + there.string());
  return there;
}

int run(char** arguments) {
  const File file("/proc/self/exe");
  const std::string option = arguments[1] ? arguments[1] : "";
  if (option == "--appimage-offset") {
    std::printf("%llu\n", static_cast<unsigned long long>(file.offset()));
    return 0;
  }
  const Image image(file);
  if (option == "--appimage-extract") {
    if (fs::exists("squashfs-root")) fail("squashfs-root is there already");
    image.unpack("squashfs-root");
    std::puts("squashfs-root");
    return 0;
  }
  if (option.rfind("--appimage-", 0) == 0)
    fail("knows --appimage-offset and --appimage-extract, not " + option + "; a start unpacks into the cache");
  const fs::path folder = unpacked(image);
  setenv("APPIMAGE", fs::read_symlink("/proc/self/exe").c_str(), 1);
  setenv("APPDIR", folder.c_str(), 1);
  setenv("ARGV0", arguments[0], 1);
  setenv("OWD", fs::current_path().c_str(), 1);
  const std::string start = folder / "AppRun";
  execv(start.c_str(), arguments);
  fail("cannot start " + start + ": " + std::strerror(errno));
}

}  // namespace

int main(int, char** arguments) {
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "AppImage: %s\n", error.what());
    return 1;
  }
}
