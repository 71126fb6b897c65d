// The backgrounds that scenes begin with, light and dark.
#include "app/window/widgets/backgrounds.h"

namespace isolume {
namespace {

constexpr glm::vec3 dark_top{0.115f, 0.125f, 0.145f}, dark_bottom{0.075f, 0.082f, 0.095f};

}  // namespace

void set_usual_background(Look& look, bool dark) {
  const Look light;
  look.background = dark ? dark_top : light.background;
  look.background_bottom = dark ? dark_bottom : light.background_bottom;
}

bool has_usual_background(const Look& look, bool dark) {
  Look usual;
  set_usual_background(usual, dark);
  return look.background == usual.background && look.background_bottom == usual.background_bottom;
}

}  // namespace isolume
