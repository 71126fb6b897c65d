// BinaryCIF as tables of texts. Kept to C++17, as cif.h is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

class ByteSource;
struct PackValue;

/// A column, decoded: numbers as the shortest text that reads as the same number, unknown and inapplicable values
/// empty.
class BinaryColumn {
 public:
  std::string_view at(std::size_t row) const;

 private:
  friend class BinaryCif;
  std::string text_;                 ///< all different values, one behind the other
  std::vector<std::uint32_t> ends_;  ///< where each ends
  std::vector<std::int32_t> which_;  ///< the value of each row, -1: empty; without it, each row has its own
};

struct BinaryTable {
  std::vector<std::string> items;  ///< lower case
  std::vector<BinaryColumn> columns;
  std::size_t rows = 0;
};

/// A BinaryCIF file (https://github.com/molstar/BinaryCIF, version 0.3): MessagePack of data blocks, categories and
/// columns, these in the encodings ByteArray, FixedPoint, IntervalQuantization, RunLength, Delta, IntegerPacking and
/// StringArray. What nobody asks for is not decoded.
class BinaryCif {
 public:
  /// Throws Error (input) where it is none. The bytes must outlive this.
  explicit BinaryCif(const ByteSource& source);
  ~BinaryCif();
  BinaryCif(const BinaryCif&) = delete;
  BinaryCif& operator=(const BinaryCif&) = delete;

  std::size_t blocks() const { return names_.size(); }
  const std::string& block_name(std::size_t block) const { return names_[block]; }
  /// A category by its name in lower case ("_atom_site"), null where there is none or it has no rows. Decoded when it
  /// is asked for first, which is not for several threads. Throws Error (input): of what decodes to more than 200
  /// times the file (once past 16 MiB) too.
  const BinaryTable* table(std::size_t block, const std::string& category) const;

 private:
  struct Decoder;
  std::string path_;
  std::unique_ptr<PackValue> root_;
  std::vector<std::string> names_;
  std::vector<const PackValue*> categories_;  ///< of each block
  mutable std::map<std::pair<std::size_t, std::string>, std::unique_ptr<BinaryTable>> decoded_;
  mutable std::uint64_t budget_ = 0;  ///< bytes that may still be decoded
};

}  // namespace isolume
