// Pictures as TIFF, by libtiff where it was there when this was built.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

#include "molecule/base/error.h"
#include "render/image/deep_picture.h"

#ifdef ISOLUME_HAS_TIFF
#include <tiffio.h>
#endif

namespace isolume {

#ifdef ISOLUME_HAS_TIFF
namespace {

/// The file in memory, as libtiff asks for it.
struct Bytes {
  std::string text;
  std::size_t at = 0;
  std::string fault;  ///< the first
};
Bytes& of(thandle_t handle) {
  return *static_cast<Bytes*>(handle);
}
tmsize_t read(thandle_t handle, void* out, tmsize_t count) {
  Bytes& bytes = of(handle);
  if (bytes.at >= bytes.text.size()) return 0;
  const std::size_t part = std::min(static_cast<std::size_t>(count), bytes.text.size() - bytes.at);
  std::memcpy(out, bytes.text.data() + bytes.at, part);
  bytes.at += part;
  return static_cast<tmsize_t>(part);
}
tmsize_t write(thandle_t handle, void* in, tmsize_t count) {
  Bytes& bytes = of(handle);
  const auto part = static_cast<std::size_t>(count);
  try {
    if (bytes.text.size() < bytes.at + part) bytes.text.resize(bytes.at + part);
  } catch (const std::bad_alloc&) {
    bytes.fault = "there is no memory for it";
    return 0;
  }
  std::memcpy(bytes.text.data() + bytes.at, in, part);
  bytes.at += part;
  return count;
}
toff_t seek(thandle_t handle, toff_t offset, int from) {
  Bytes& bytes = of(handle);
  const std::size_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? bytes.at : bytes.text.size();
  bytes.at = base + static_cast<std::size_t>(offset);
  return bytes.at;
}
int close(thandle_t) {
  return 0;
}
toff_t size(thandle_t handle) {
  return of(handle).text.size();
}
int map(thandle_t, void**, toff_t*) {
  return 0;
}
void unmap(thandle_t, void*, toff_t) {}

/// Kept until it can be thrown: libtiff's frames are C.
int fail(TIFF*, void* bytes, const char*, const char* format, va_list words) {
  char text[500];
  std::vsnprintf(text, sizeof text, format, words);
  std::string& fault = of(bytes).fault;
  if (fault.empty()) fault = text;
  return 1;
}
int ignore(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

struct Closer {
  void operator()(TIFF* file) const { TIFFClose(file); }
};
using File = std::unique_ptr<TIFF, Closer>;

File open(Bytes& bytes, bool big) {
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), fail, &bytes);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore, nullptr);
  // Little-endian on every machine.
  File file(TIFFClientOpenExt("picture", big ? "wl8" : "wl4", &bytes, read, write, seek, close, size, map, unmap,
                              options.get()));
  if (!file) throw Error("the TIFF cannot be made: libtiff does not start");
  return file;
}

void begin_page(TIFF* file, const Image& image, int page, const char* name, int samples, int bits, int kind) {
  TIFFSetField(file, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(image.width));
  TIFFSetField(file, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(image.height));
  TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, samples);
  TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, kind);
  TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(file, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField(file, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  // Differences of floats are a predictor that few programs read.
  if (kind == SAMPLEFORMAT_UINT) TIFFSetField(file, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
  const int row_bytes = image.width * samples * bits / 8;
  TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(std::max(1, (1 << 18) / row_bytes)));
  TIFFSetField(file, TIFFTAG_PAGENAME, name);
  TIFFSetField(file, TIFFTAG_PAGENUMBER, page, 3);
  if (page > 0) TIFFSetField(file, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
}

void write_colours(TIFF* file, const Image& image, const DeepTexts& texts) {
  const PictureLayers& layers = *image.layers;
  bool opaque = true;
  for (std::size_t i = 3; i < layers.linear.size() && opaque; i += 4) opaque = layers.linear[i] >= 1 - 0.5f / 65535;
  const std::size_t samples = opaque ? 3 : 4;
  begin_page(file, image, 0, "colour", static_cast<int>(samples), 16, SAMPLEFORMAT_UINT);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
  if (!opaque) {
    const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &alpha);
  }
  const std::string profile = srgb_profile();
  TIFFSetField(file, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()), profile.data());
  TIFFSetField(file, TIFFTAG_IMAGEDESCRIPTION, texts.scene.c_str());
  TIFFSetField(file, TIFFTAG_SOFTWARE, texts.program.c_str());
  if (texts.dpi > 0) {
    TIFFSetField(file, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    TIFFSetField(file, TIFFTAG_XRESOLUTION, texts.dpi);
    TIFFSetField(file, TIFFTAG_YRESOLUTION, texts.dpi);
  }
  std::vector<std::uint16_t> rgba, row(samples * static_cast<std::size_t>(image.width));
  for (int y = 0; y < image.height; ++y) {
    straight_row(layers, image.width, y, rgba);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = rgba[i / samples * 4 + i % samples];
    TIFFWriteScanline(file, row.data(), static_cast<std::uint32_t>(y), 0);
  }
  TIFFWriteDirectory(file);
}

void write_depth(TIFF* file, const Image& image) {
  begin_page(file, image, 1, "depth", 1, 32, SAMPLEFORMAT_IEEEFP);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField(file, TIFFTAG_IMAGEDESCRIPTION, "Depth: angstrom from the eye along its direction; infinite: nothing");
  std::vector<float> row(static_cast<std::size_t>(image.width));
  for (int y = 0; y < image.height; ++y) {
    const auto first = image.layers->depth.begin() + std::ptrdiff_t{y} * image.width;
    std::copy_n(first, image.width, row.begin());  // libtiff may change what it is given
    TIFFWriteScanline(file, row.data(), static_cast<std::uint32_t>(y), 0);
  }
  TIFFWriteDirectory(file);
}

void write_objects(TIFF* file, const Image& image, const DeepTexts& texts) {
  begin_page(file, image, 2, "objects", 1, 16, SAMPLEFORMAT_UINT);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  std::string names = "Objects by number; 0: none";
  for (const auto& [object, known] : texts.objects) names += "; " + std::to_string(known.number) + ": " + known.name;
  for (char& c : names) c = c >= ' ' && c <= '~' ? c : '_';  // the tag is ASCII
  TIFFSetField(file, TIFFTAG_IMAGEDESCRIPTION, names.c_str());
  std::vector<std::uint16_t> row(static_cast<std::size_t>(image.width));
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto at = static_cast<std::size_t>(y) * row.size() + static_cast<std::size_t>(x);
      const auto found = texts.objects.find(image.layers->objects[at]);
      row[static_cast<std::size_t>(x)] = found == texts.objects.end() ? std::uint16_t{0} : found->second.number;
    }
    TIFFWriteScanline(file, row.data(), static_cast<std::uint32_t>(y), 0);
  }
  TIFFWriteDirectory(file);
}

}  // namespace

bool writes_tiff() {
  return true;
}

std::string encode_tiff(const Image& image, const DeepTexts& texts) {
  if (!image.layers) throw Error("a TIFF needs the layers of a picture");
  const std::uint64_t pixels =
      std::uint64_t{1} * static_cast<unsigned>(image.width) * static_cast<unsigned>(image.height);
  Bytes bytes;
  {
    const File file = open(bytes, pixels * 14 + texts.scene.size() > 3'900'000'000);
    write_colours(file.get(), image, texts);
    write_depth(file.get(), image);
    write_objects(file.get(), image, texts);
  }
  if (!bytes.fault.empty()) throw Error("the TIFF cannot be made: " + bytes.fault);
  return std::move(bytes.text);
}

#else

bool writes_tiff() {
  return false;
}

std::string encode_tiff(const Image&, const DeepTexts&) {
  throw Error("this build writes no TIFF: libtiff was not there when it was built; PNG needs nothing else");
}

#endif

}  // namespace isolume
