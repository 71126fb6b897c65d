// JSON files, read within limits, for all JSON formats.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// The whole file as a tree. Throws Error::in_file where it is no JSON, nests deeper than ReadLimits::recursion, or is
/// longer than 512 MiB.
nlohmann::json parse_json(const ByteSource& source);

/// True where the first bytes can be those of a JSON object and the first `bytes` contain one of `words`.
bool json_mentions(const ByteSource& source, std::size_t bytes, std::initializer_list<std::string_view> words);

/// Access to the members of a tree with errors that name file and member. Every function takes the member's path as
/// shown to the user ("orbitals.energies").
class JsonFile {
 public:
  explicit JsonFile(const ByteSource& source) : source_(source) {}

  /// A member that may be missing or null; nothing then.
  static const nlohmann::json* find(const nlohmann::json& object, std::string_view key);
  /// A member that has to be there. Throws Error (input).
  const nlohmann::json& need(const nlohmann::json& object, std::string_view key) const;

  /// A list of finite numbers (or texts that are numbers), lists within it laid end to end.
  std::vector<double> numbers(const nlohmann::json& value, std::string_view what) const;
  double number(const nlohmann::json& value, std::string_view what) const;
  std::int64_t integer(const nlohmann::json& value, std::string_view what, std::int64_t low, std::int64_t high) const;
  std::string text(const nlohmann::json& value, std::string_view what) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  void append(const nlohmann::json& value, std::string_view what, int depth, std::vector<double>& out) const;
  const ByteSource& source_;
};

}  // namespace isolume
