// Results of fields with the colours, style and opacity that their fields have now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "app/scene/scene.h"
#include "render/view/scene_view.h"

namespace isolume {

/// DrawItem::object of the scene's first field; the others follow. Those of molecules are smaller.
inline constexpr std::uint32_t field_objects = std::uint32_t{1} << 30;

/// Changes how results look without computing them again; keeps what it changed, so that an item stays the same while
/// its field does.
class FieldStyles {
 public:
  /// The item with the colour, style, material and opacity that the field has now, and its periodic images (`copies`);
  /// of a cloud the transfer function, to the `automatic_range` of its result (FieldResult). Its geometry is shared.
  std::shared_ptr<const DrawItem> apply(std::size_t field_index, std::size_t number, const Field& field,
                                        const std::shared_ptr<const DrawItem>& item,
                                        const std::vector<glm::vec3>& copies, double automatic_range = 0);

 private:
  struct Restyled {
    std::shared_ptr<const DrawItem> original, item;
  };
  /// The item where `fits` says that it is as wanted already, else a copy that `change` was applied to.
  template <class Fits, class Change>
  std::shared_ptr<const DrawItem> changed(std::size_t field_index, std::size_t number,
                                          const std::shared_ptr<const DrawItem>& item, const Fits& fits,
                                          const Change& change);

  std::map<std::pair<std::size_t, std::size_t>, Restyled> kept_;
};

}  // namespace isolume
