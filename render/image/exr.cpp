// Pictures as OpenEXR, by its library where it was there when this was built.
#include "molecule/base/error.h"
#include "render/image/deep_picture.h"

#ifdef ISOLUME_HAS_OPENEXR
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#endif

namespace isolume {

#ifdef ISOLUME_HAS_OPENEXR
namespace {

/// The file in memory.
class Bytes final : public Imf::OStream {
 public:
  Bytes() : Imf::OStream("picture") {}
  void write(const char part[], int count) override {
    const auto bytes = static_cast<std::size_t>(count);
    if (text.size() < at_ + bytes) text.resize(at_ + bytes);
    std::copy_n(part, bytes, text.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ += bytes;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t at) override { at_ = static_cast<std::size_t>(at); }

  std::string text;

 private:
  std::size_t at_ = 0;
};

Imf::Header header_of(const Image& image, const DeepTexts& texts) {
  Imf::Header header(image.width, image.height);
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::addChromaticities(header, Imf::Chromaticities());  // those of sRGB
  if (texts.dpi > 0) Imf::addXDensity(header, static_cast<float>(texts.dpi));
  Imf::addComments(header,
                   "R, G, B, A: linear, multiplied by A. Z: angstrom from the eye along its direction, infinite "
                   "where nothing is. id: numbers of objects, 0 where nothing is");
  nlohmann::ordered_json names = nlohmann::ordered_json::object();
  for (const auto& [object, known] : texts.objects) names[std::to_string(known.number)] = known.name;
  header.insert("objects", Imf::StringAttribute(names.dump(-1, ' ', true)));
  header.insert("software", Imf::StringAttribute(texts.program));
  if (!texts.scene_key.empty()) header.insert(texts.scene_key, Imf::StringAttribute(texts.scene));
  for (const char* const name : {"R", "G", "B", "A"}) header.channels().insert(name, Imf::Channel(Imf::HALF));
  header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
  header.channels().insert("id", Imf::Channel(Imf::UINT));
  return header;
}

void write_rows(const Image& image, const DeepTexts& texts, Bytes& bytes) {
  const PictureLayers& layers = *image.layers;
  const auto width = static_cast<std::size_t>(image.width);
  Imf::OutputFile file(bytes, header_of(image, texts));
  std::vector<half> colours(4 * width);
  std::vector<float> depth(width);
  std::vector<unsigned> numbers(width);
  // One row at a time, always in the same place.
  Imf::FrameBuffer frame;
  const char* const names[] = {"R", "G", "B", "A"};
  for (std::size_t c = 0; c < 4; ++c)
    frame.insert(names[c], Imf::Slice(Imf::HALF, reinterpret_cast<char*>(colours.data() + c), 4 * sizeof(half), 0));
  frame.insert("Z", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(depth.data()), sizeof(float), 0));
  frame.insert("id", Imf::Slice(Imf::UINT, reinterpret_cast<char*>(numbers.data()), sizeof(unsigned), 0));
  file.setFrameBuffer(frame);
  for (int y = 0; y < image.height; ++y) {
    const std::size_t first = static_cast<std::size_t>(y) * width;
    for (std::size_t i = 0; i < 4 * width; ++i) colours[i] = half(layers.linear[4 * first + i]);
    for (std::size_t x = 0; x < width; ++x) {
      depth[x] = layers.depth[first + x];
      const auto found = texts.objects.find(layers.objects[first + x]);
      numbers[x] = found == texts.objects.end() ? 0u : found->second.number;
    }
    file.writePixels(1);
  }
}

}  // namespace

bool writes_exr() {
  return true;
}

std::string encode_exr(const Image& image, const DeepTexts& texts) {
  if (!image.layers) throw Error("an EXR needs the layers of a picture");
  Bytes bytes;
  try {
    write_rows(image, texts, bytes);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(std::string("the EXR cannot be made: ") + error.what());
  }
  return std::move(bytes.text);
}

#else

bool writes_exr() {
  return false;
}

std::string encode_exr(const Image&, const DeepTexts&) {
  throw Error("this build writes no EXR: OpenEXR was not there when it was built; PNG needs nothing else");
}

#endif

}  // namespace isolume
