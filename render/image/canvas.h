// What is written over a picture: as pixels at once, or kept as texts and rectangles for vector formats.
#pragma once

#include <glm/glm.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "render/image/image.h"
#include "render/image/text.h"

namespace isolume {

/// Marks over a picture or a tile of it. Places are pixels of it, y down.
struct Mark {
  struct Rectangle {
    double left, top, right, bottom;
    Ink ink;
  };
  /// A line of text with its upper left corner at (x, y), with a rim of `rim` pixels around its letters.
  struct Text {
    double x, y;
    std::string text;
    double size;  ///< pixels to the em
    Ink ink;
    double rim;
    Ink rim_ink;
  };
  /// Colours evenly from the left to the right.
  struct Ramp {
    double left, top, right, bottom;
    std::vector<glm::vec3> colours;  ///< sRGB 0..1, two or more
  };
};

/// What is over one tile, or over all of a picture without tiles; nothing of it is drawn outside of the tile.
struct Overlay {
  struct Part {
    int x = 0, y = 0, width = 0, height = 0;
    std::vector<std::variant<Mark::Rectangle, Mark::Text, Mark::Ramp>> marks;
  };
  std::vector<Part> parts;
};

/// Where labels, legends and the scale bar are drawn.
class Canvas {
 public:
  /// `image` is the picture below.
  explicit Canvas(Image& image) : image_(image) {}
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  int width() const { return image_.width; }
  int height() const { return image_.height; }
  const Image& below() const { return image_; }

  virtual void rectangle(double left, double top, double right, double bottom, Ink ink) = 0;
  virtual void text(double x, double y, std::string_view text, double size, Ink ink, double rim = 0,
                    Ink rim_ink = {255, 255, 255, 255}) = 0;
  virtual void ramp(double left, double top, double right, double bottom, const std::vector<glm::vec3>& colours) = 0;
  /// Fades what is below towards black or white, so that letters can be read over anything. Transparent parts stay so.
  virtual void veil(int left, int top, int right, int bottom, bool dark) = 0;

 protected:
  Image& image_;
};

/// Draws into the picture.
class PixelCanvas : public Canvas {
 public:
  using Canvas::Canvas;
  void rectangle(double left, double top, double right, double bottom, Ink ink) override;
  void text(double x, double y, std::string_view text, double size, Ink ink, double rim, Ink rim_ink) override;
  void ramp(double left, double top, double right, double bottom, const std::vector<glm::vec3>& colours) override;
  void veil(int left, int top, int right, int bottom, bool dark) override;
};

/// Keeps what is drawn; the picture changes only where something transparent is veiled.
class VectorCanvas : public Canvas {
 public:
  VectorCanvas(Image& image, Overlay::Part& part) : Canvas(image), part_(part) {}
  void rectangle(double left, double top, double right, double bottom, Ink ink) override;
  void text(double x, double y, std::string_view text, double size, Ink ink, double rim, Ink rim_ink) override;
  void ramp(double left, double top, double right, double bottom, const std::vector<glm::vec3>& colours) override;
  void veil(int left, int top, int right, int bottom, bool dark) override;

 private:
  Overlay::Part& part_;
};

/// Draws what was kept.
void draw_marks(Canvas& canvas, const Overlay::Part& part);

}  // namespace isolume
