// MessagePack as a tree of values that point into its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

/// One value (MessagePack specification, msgpack.org). Texts and bytes are views of what was read.
struct PackValue {
  enum class Kind : std::uint8_t { nothing, boolean, integer, real, text, bytes, list, map };
  Kind kind = Kind::nothing;
  std::int64_t integer = 0;  ///< of a boolean 0 or 1
  double real = 0;
  std::string_view text;         ///< of a text or of bytes
  std::vector<PackValue> items;  ///< of a list; of a map key, value, key, value ...

  /// The value of a key of a map, null where there is none.
  const PackValue* find(std::string_view key) const;
  /// An integer or a real as a real, `missing` for anything else.
  double number(double missing) const;
};

/// The value that `bytes` are. Throws Error (input) with `name` where they are none: cut short, deeper than
/// `recursion`, of extension types, or of more values than two million.
PackValue read_message_pack(std::string_view bytes, const std::string& name, int recursion);

}  // namespace isolume
