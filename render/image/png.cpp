// Pictures to and from PNG.
#include "render/image/image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <png.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "molecule/base/error.h"
#include "render/image/png_head.h"

namespace isolume {
namespace {

constexpr int largest_side = 1 << 20;
constexpr std::uint64_t largest_bytes = std::uint64_t{1} << 33;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

// libpng reports by callbacks that must not return; the messages become exceptions that pass through its C frames,
// which own nothing that is not freed by png_destroy_*.
[[noreturn]] void raise(png_structp png, png_const_charp message) {
  throw Error(*static_cast<std::string*>(png_get_error_ptr(png)) + ": " + message);
}
void ignore(png_structp, png_const_charp) {}

struct Writer {
  std::string label;
  png_structp png = nullptr;
  png_infop info = nullptr;
  explicit Writer(std::string path) : label(std::move(path)) {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &label, raise, ignore);
    info = png ? png_create_info_struct(png) : nullptr;
    if (!info) throw Error(label + ": libpng does not start");
  }
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

struct Reader {
  std::string label;
  png_structp png = nullptr;
  png_infop info = nullptr;
  explicit Reader(std::string path) : label(std::move(path)) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &label, raise, ignore);
    info = png ? png_create_info_struct(png) : nullptr;
    if (!info) throw Error(label + ": libpng does not start");
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void append(png_structp png, png_bytep bytes, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}
void no_flush(png_structp) {}

}  // namespace

std::string encode_png(const Image& image, const std::map<std::string, std::string>& texts, double dpi) {
  if (image.width < 1 || image.height < 1 || image.width > largest_side || image.height > largest_side ||
      image.rgba.size() != static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4)
    throw Error(
        fmt::format("{} x {} pixels with {} bytes make no picture", image.width, image.height, image.rgba.size()));
  for (const auto& [key, value] : texts)
    if (key.empty() || key.size() > 79) throw Error(fmt::format("\"{}\" is no name for a PNG text", key));
  std::string bytes;
  Writer writer("the picture");
  png_set_write_fn(writer.png, &bytes, append, no_flush);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
               8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(writer.png, writer.info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (dpi > 0) {
    const auto per_metre = static_cast<png_uint_32>(std::lround(std::min(dpi, 1e6) / 0.0254));
    png_set_pHYs(writer.png, writer.info, per_metre, per_metre, PNG_RESOLUTION_METER);
  }
  std::vector<png_text> chunks;
  for (const auto& [key, value] : texts) {
    png_text chunk{};
    chunk.compression = value.size() > 1024 ? PNG_ITXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_NONE;
    chunk.key = const_cast<char*>(key.c_str());
    chunk.text = const_cast<char*>(value.c_str());
    chunk.itxt_length = value.size();
    chunks.push_back(chunk);
  }
  if (!chunks.empty()) png_set_text(writer.png, writer.info, chunks.data(), static_cast<int>(chunks.size()));
  png_write_info(writer.png, writer.info);
  for (int y = 0; y < image.height; ++y)
    png_write_row(writer.png,
                  image.rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) * 4);
  png_write_end(writer.png, writer.info);
  return bytes;
}

namespace {

/// A PNG that is open, its header read.
struct OpenPng {
  File file;
  std::uint64_t bytes = 0;  ///< of the file
  Reader reader;

  explicit OpenPng(const std::string& path) : reader(path) {
    // O_NONBLOCK: opening a FIFO must not wait for its other end; it is refused just below.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor >= 0) file.reset(::fdopen(descriptor, "rb"));
    if (!file) throw Error::in_file(path, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
    struct stat info {};
    if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
      throw Error::in_file(path, 0, "is not a regular file");
    bytes = static_cast<std::uint64_t>(info.st_size);
    unsigned char signature[8] = {};
    if (std::fread(signature, 1, 8, file.get()) != 8 || png_sig_cmp(signature, 0, 8) != 0)
      throw Error::in_file(path, 0, "is no PNG: its first eight bytes are not the PNG signature", 0);
    std::rewind(file.get());
    png_set_user_limits(reader.png, largest_side, largest_side);
    png_set_chunk_malloc_max(reader.png, 64u << 20);
    png_init_io(reader.png, file.get());
    png_read_info(reader.png, reader.info);
  }
  std::uint64_t width() const { return png_get_image_width(reader.png, reader.info); }
  std::uint64_t height() const { return png_get_image_height(reader.png, reader.info); }

  /// Deflate makes at most 1032 bytes of one, and a pixel has at least a bit: a file of a few bytes claims no more
  /// memory than its pixels can be.
  void check_size(const std::string& path) const {
    constexpr std::uint64_t most_of_a_byte = 1032;
    const std::uint64_t channels = png_get_channels(reader.png, reader.info);
    const std::uint64_t depth = png_get_bit_depth(reader.png, reader.info);
    const std::uint64_t packed = (width() * channels * depth + 7) / 8 * height();
    if (packed / most_of_a_byte > bytes)
      throw Error::in_file(
          path, 0, fmt::format("claims {} x {} pixels, more than its {} bytes can hold", width(), height(), bytes));
  }

  void take_texts(std::map<std::string, std::string>& texts) {
    png_textp chunks = nullptr;
    int count = 0;
    png_get_text(reader.png, reader.info, &chunks, &count);
    for (int i = 0; i < count; ++i) {
      const std::size_t length = std::max(chunks[i].text_length, chunks[i].itxt_length);
      texts[chunks[i].key] = chunks[i].text ? std::string(chunks[i].text, length) : std::string();
    }
  }
};

}  // namespace

PngHead read_png_head(const std::string& path) {
  try {
    OpenPng png(path);
    png.check_size(path);
    PngHead head{static_cast<int>(png.width()), static_cast<int>(png.height()), {}};
    png.take_texts(head.texts);
    return head;
  } catch (const Error& error) {
    if (error.path() == path) throw;
    throw Error::in_file(path, 0, error.what());
  }
}

Image read_png(const std::string& path, std::map<std::string, std::string>* texts) {
  try {
    OpenPng png(path);
    png.check_size(path);
    Reader& reader = png.reader;
    png_set_expand(reader.png);
    png_set_strip_16(reader.png);
    png_set_gray_to_rgb(reader.png);
    png_set_add_alpha(reader.png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(reader.png);
    png_read_update_info(reader.png, reader.info);

    Image image;
    image.width = static_cast<int>(png_get_image_width(reader.png, reader.info));
    image.height = static_cast<int>(png_get_image_height(reader.png, reader.info));
    const std::uint64_t bytes =
        std::uint64_t{4} * static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height);
    if (bytes > largest_bytes || png_get_rowbytes(reader.png, reader.info) != static_cast<std::size_t>(image.width) * 4)
      throw Error(fmt::format("a picture of {} x {} pixels is too large", image.width, image.height));
    image.rgba.resize(bytes);
    std::vector<png_bytep> rows(static_cast<std::size_t>(image.height));
    for (std::size_t y = 0; y < rows.size(); ++y)
      rows[y] = image.rgba.data() + y * static_cast<std::size_t>(image.width) * 4;
    png_read_image(reader.png, rows.data());
    png_read_end(reader.png, reader.info);
    if (texts) png.take_texts(*texts);
    return image;
  } catch (const Error& error) {
    if (error.path() == path) throw;
    throw Error::in_file(path, 0, error.what());
  }
}

}  // namespace isolume
