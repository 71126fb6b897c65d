// Pictures in memory and as PNG.
#include "render/image.h"

#include <fmt/format.h>
#include <png.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "molecule/error.h"

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

/// mkstemp makes files that only their owner may read; a picture gets the permissions that any new file would have.
int open_to_readers(int descriptor) {
  const mode_t mask = umask(0);
  umask(mask);
  return fchmod(descriptor, 0666 & ~mask);
}

void encode(std::FILE* file, const std::string& path, const Image& image,
            const std::map<std::string, std::string>& texts, double dpi) {
  Writer writer(path);
  png_init_io(writer.png, file);
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
}

}  // namespace

void write_png(const std::string& path, const Image& image, const std::map<std::string, std::string>& texts,
               double dpi) {
  if (image.width < 1 || image.height < 1 || image.width > largest_side || image.height > largest_side ||
      image.rgba.size() != static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4)
    throw Error(fmt::format("{}: {} x {} pixels with {} bytes make no picture", path, image.width, image.height,
                            image.rgba.size()));
  for (const auto& [key, value] : texts)
    if (key.empty() || key.size() > 79) throw Error(fmt::format("{}: \"{}\" is no name for a PNG text", path, key));

  // Beside its place, then renamed: whole or not at all.
  std::string temporary = path + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  File file(fdopen(descriptor, "wb"));
  if (!file) {
    close(descriptor);
    unlink(temporary.c_str());
    throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
  try {
    encode(file.get(), path, image, texts, dpi);
    if (std::fflush(file.get()) != 0 || fsync(descriptor) != 0 || std::ferror(file.get()))
      throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
    if (open_to_readers(descriptor) != 0 || std::rename(temporary.c_str(), path.c_str()) != 0)
      throw Error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
}

Image read_png(const std::string& path, std::map<std::string, std::string>* texts) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw Error::in_file(path, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  unsigned char signature[8] = {};
  if (std::fread(signature, 1, 8, file.get()) != 8 || png_sig_cmp(signature, 0, 8) != 0)
    throw Error::in_file(path, 0, "is no PNG: its first eight bytes are not the PNG signature", 0);
  std::rewind(file.get());
  try {
    Reader reader(path);
    png_set_user_limits(reader.png, largest_side, largest_side);
    png_set_chunk_malloc_max(reader.png, 64u << 20);
    png_init_io(reader.png, file.get());
    png_read_info(reader.png, reader.info);
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
    if (texts) {
      png_textp chunks = nullptr;
      int count = 0;
      png_get_text(reader.png, reader.info, &chunks, &count);
      for (int i = 0; i < count; ++i) {
        const std::size_t length = std::max(chunks[i].text_length, chunks[i].itxt_length);
        (*texts)[chunks[i].key] = chunks[i].text ? std::string(chunks[i].text, length) : std::string();
      }
    }
    return image;
  } catch (const Error& error) {
    throw Error::in_file(path, 0, error.what());
  }
}

ImageDifference compare(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.rgba.size() != b.rgba.size())
    throw Error(
        fmt::format("pictures of {} x {} and {} x {} pixels cannot be compared", a.width, a.height, b.width, b.height),
        Error::Kind::usage);
  ImageDifference difference;
  if (a.rgba.empty()) return difference;
  double sum = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(int{a.rgba[i]} - int{b.rgba[i]});
  difference.mean = sum / static_cast<double>(a.rgba.size());

  // Luma (BT.601) over white, so that transparent pixels compare by what is seen.
  const auto luma = [](const Image& image) {
    std::vector<double> values(image.rgba.size() / 4);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint8_t* p = &image.rgba[4 * i];
      const double alpha = p[3] / 255.0;
      values[i] = alpha * (0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]) + (1 - alpha) * 255;
    }
    return values;
  };
  const std::vector<double> x = luma(a), y = luma(b);
  constexpr double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
  const int side_x = std::min(8, a.width), side_y = std::min(8, a.height);
  double total = 0;
  std::size_t windows = 0;
  // Windows overlap by half.
  for (int top = 0; top + side_y <= a.height; top += 4)
    for (int left = 0; left + side_x <= a.width; left += 4) {
      double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
      for (int j = 0; j < side_y; ++j)
        for (int i = 0; i < side_x; ++i) {
          const std::size_t at = static_cast<std::size_t>(top + j) * static_cast<std::size_t>(a.width) +
                                 static_cast<std::size_t>(left + i);
          sx += x[at], sy += y[at], sxx += x[at] * x[at], syy += y[at] * y[at], sxy += x[at] * y[at];
        }
      const double n = side_x * side_y;
      const double mx = sx / n, my = sy / n;
      const double vx = sxx / n - mx * mx, vy = syy / n - my * my, covariance = sxy / n - mx * my;
      total += (2 * mx * my + c1) * (2 * covariance + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2));
      ++windows;
    }
  if (windows) difference.dissimilarity = std::max(0.0, 1 - total / static_cast<double>(windows));
  return difference;
}

}  // namespace isolume
