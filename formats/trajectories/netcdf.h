// The header of a NetCDF classic file: dimensions, attributes, and where each variable's numbers are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// NetCDF's classic formats (CDF-1, CDF-2 with 64-bit offsets, CDF-5 with 64-bit data): Unidata, NetCDF User's Guide,
/// "File Format Specifications". Numbers are big-endian. NetCDF-4 files are HDF5 and not read here.
class NetcdfHeader {
 public:
  enum class Type : std::uint32_t { byte = 1, text = 2, int16 = 3, int32 = 4, float32 = 5, float64 = 6, int64 = 10 };

  struct Attribute {
    std::string text;             ///< of type text
    std::vector<double> numbers;  ///< of the other types, at most 16
  };
  struct Variable {
    std::vector<std::uint64_t> shape;  ///< without the record dimension
    bool record = false;               ///< one entry for each record
    Type type = Type::float32;
    std::uint64_t begin = 0;  ///< byte of its first entry
    std::uint64_t items = 0;  ///< product of shape
    std::map<std::string, Attribute> attributes;
  };

  /// Throws Error (input) where the header is damaged, too large, or of another kind.
  explicit NetcdfHeader(const ByteSource& source);

  /// The variable of this name, null where there is none.
  const Variable* find(const std::string& name) const;
  std::optional<std::uint64_t> dimension(const std::string& name) const;
  const std::map<std::string, Attribute>& attributes() const { return attributes_; }

  /// Records that the file has room for; `damaged` says that its header promises more.
  std::uint64_t records() const { return records_; }
  bool damaged() const { return damaged_; }

  /// Items [first, first + count) of a variable in a record (0 where it is no record variable) as doubles. Throws Error
  /// (input) where the file ends before.
  std::vector<double> read(const ByteSource& source, const Variable& variable, std::uint64_t record,
                           std::uint64_t first, std::uint64_t count) const;
  std::vector<double> read(const ByteSource& source, const Variable& variable, std::uint64_t record) const {
    return read(source, variable, record, 0, variable.items);
  }

 private:
  std::map<std::string, std::uint64_t> dimensions_;  ///< 0 for the record dimension
  std::map<std::string, Attribute> attributes_;
  std::map<std::string, Variable> variables_;
  std::uint64_t records_ = 0;
  std::uint64_t record_bytes_ = 0;
  bool damaged_ = false;
};

/// True for the first bytes of a NetCDF classic file.
bool is_netcdf_classic(const ByteSource& source);

}  // namespace isolume
