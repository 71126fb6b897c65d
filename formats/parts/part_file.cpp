// Part files: intermediate results of a computation over frames, to be resumed or merged with others.
#include "formats/parts/part_file.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "formats/bytes/checksum.h"
#include "formats/bytes/opened_files.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Json = nlohmann::ordered_json;
using Rule = FrameArray::Rule;

static_assert(std::endian::native == std::endian::little, "part files are little-endian");

constexpr std::string_view magic = "ISOLUME PART 2\n";
constexpr std::string_view kin = "ISOLUME PART ";
constexpr std::uint64_t longest_header = std::uint64_t{1} << 30;
constexpr std::size_t most_arrays = 1024;
constexpr const char* rules[frame_array_rules] = {"rows", "lists", "sum", "keyed", "same", "own"};

[[noreturn]] void damaged(const std::string& path, const std::string& why) {
  throw Error::in_file(path, 0, "is no whole part: " + why);
}

Json header_of(const FramePart& part) {
  const auto pairs = [](const std::vector<std::pair<std::string, std::string>>& list) {
    Json json = Json::array();
    for (const auto& [name, value] : list) json.push_back({name, value});
    return json;
  };
  Json names = Json::array(), arrays = Json::array();
  for (const auto& [key, text] : part.names) names.push_back({key, text});
  for (const FrameArray& array : part.arrays)
    arrays.push_back({{"name", array.name},
                      {"rule", rules[static_cast<std::size_t>(array.rule)]},
                      {"width", array.width},
                      {"lengths", array.lengths},
                      {"whole", array.whole},
                      {"size", array.size()}});
  return {{"kind", part.kind},
          {"program", part.program},
          {"inputs", pairs(part.inputs)},
          {"frames", part.frames.size()},
          {"fixed", pairs(part.fixed)},
          {"names", names},
          {"more", part.more},
          {"arrays", arrays}};
}

std::vector<std::pair<std::string, std::string>> pairs_of(const Json& json) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& pair : json) pairs.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  return pairs;
}

FrameArray array_of(const Json& json, const std::string& path) {
  FrameArray array;
  array.name = json.at("name").get<std::string>();
  array.width = json.at("width").get<std::size_t>();
  array.lengths = json.at("lengths").get<std::string>();
  array.whole = json.at("whole").get<bool>();
  const auto rule = json.at("rule").get<std::string>();
  for (std::size_t i = 0; i < frame_array_rules; ++i) {
    if (rule != rules[i]) continue;
    array.rule = static_cast<Rule>(i);
    return array;
  }
  damaged(path, fmt::format("its '{}' is joined in an unknown way, '{}'", array.name, rule));
}

template <typename Value>
void read_values(std::istream& in, std::vector<Value>& values, std::uint64_t count, Checksum& sum,
                 const std::string& path) {
  values.resize(count);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(Value)));
  if (!in) damaged(path, "it is cut off");
  sum.add(values.data(), count * sizeof(Value));
}

void read_content(std::istream& in, const Json& header, std::uint64_t left, FramePart& part, Checksum& sum,
                  const std::string& path, bool arrays_too) {
  part.kind = header.at("kind").get<std::string>();
  part.program = header.at("program").get<std::string>();
  part.inputs = pairs_of(header.at("inputs"));
  part.fixed = pairs_of(header.at("fixed"));
  part.more = header.at("more").get<std::string>();
  for (const Json& name : header.at("names"))
    part.names.emplace(name.at(0).get<std::uint64_t>(), name.at(1).get<std::string>());
  const Json& arrays = header.at("arrays");
  if (arrays.size() > most_arrays) damaged(path, fmt::format("it has {} arrays", arrays.size()));
  // All sizes are those of the bytes that are left, before any of them is read.
  std::uint64_t values = left / 8;
  const auto take = [&](std::uint64_t count) {
    if (count > values) damaged(path, "its size does not fit its arrays");
    values -= count;
    return count;
  };
  std::vector<std::uint64_t> sizes;
  const std::uint64_t frames = take(header.at("frames").get<std::uint64_t>());
  for (const Json& array : arrays) sizes.push_back(take(array.at("size").get<std::uint64_t>()));
  if (values != 0 || left % 8 != 0) damaged(path, "its size does not fit its arrays");
  read_values(in, part.frames, frames, sum, path);
  for (std::size_t i = 0; i < sizes.size() && arrays_too; ++i) {
    FrameArray& array = part.arrays.emplace_back(array_of(arrays[i], path));
    if (array.whole) {
      read_values(in, array.counts, sizes[i], sum, path);
    } else {
      read_values(in, array.numbers, sizes[i], sum, path);
    }
  }
}

}  // namespace

void write_part_file(const std::string& path, const FramePart& part) {
  const std::string header = header_of(part).dump(-1, ' ', false, Json::error_handler_t::replace);
  write_atomically(path, [&](std::ostream& out) {
    Checksum sum;
    const auto put = [&](const void* data, std::size_t bytes) {
      sum.add(data, bytes);
      out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    };
    const std::uint64_t length = header.size();
    out.write(magic.data(), static_cast<std::streamsize>(magic.size()));
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    put(header.data(), header.size());
    put(part.frames.data(), part.frames.size() * sizeof(std::uint64_t));
    for (const FrameArray& array : part.arrays) {
      put(array.counts.data(), array.counts.size() * sizeof(std::uint64_t));
      put(array.numbers.data(), array.numbers.size() * sizeof(double));
    }
    const std::uint64_t value = sum.value();
    out.write(reinterpret_cast<const char*>(&value), sizeof(value));
  });
}

namespace {

FramePart read_head(std::istream& in, std::uint64_t size, const std::string& path, Checksum& sum, bool arrays_too) {
  std::string start(magic.size(), ' ');
  std::uint64_t length = 0;
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  in.read(reinterpret_cast<char*>(&length), sizeof(length));
  if (in && start != magic && start.starts_with(kin))
    damaged(path, "it was written by another version of Isolume; make it again");
  if (!in || start != magic) damaged(path, "it does not begin as one that --partial wrote");
  const std::uint64_t fixed = magic.size() + 2 * sizeof(std::uint64_t);
  if (length > longest_header || size < fixed || length > size - fixed) damaged(path, "it is cut off");
  std::string text(length, ' ');
  in.read(text.data(), static_cast<std::streamsize>(length));
  if (!in) damaged(path, "it is cut off");
  sum.add(text.data(), text.size());
  FramePart part;
  try {
    read_content(in, Json::parse(text), size - fixed - length, part, sum, path, arrays_too);
  } catch (const nlohmann::json::exception& fault) {
    damaged(path, fault.what());
  }
  return part;
}

std::ifstream opened(const std::string& path) {
  // Before it is opened: the other end of a FIFO would be waited for.
  std::error_code fault;
  const auto kind = std::filesystem::status(path, fault).type();
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    throw Error::in_file(path, 0, "is not a regular file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error::in_file(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
  return in;
}

}  // namespace

FramePart read_part_file(const std::string& path) {
  std::ifstream in = opened(path);
  note_opened(path);
  return read_part_stream(in, std::filesystem::file_size(path), path);
}

FramePart read_part_head(const std::string& path) {
  std::ifstream in = opened(path);
  Checksum sum;
  return read_head(in, std::filesystem::file_size(path), path, sum, false);
}

FramePart read_part_stream(std::istream& in, std::uint64_t size, const std::string& path, bool checked) {
  Checksum sum;
  FramePart part = read_head(in, size, path, sum, true);
  std::uint64_t value = 0;
  in.read(reinterpret_cast<char*>(&value), sizeof(value));
  if (!in || (checked && value != sum.value())) damaged(path, "its checksum is wrong");
  validate(part, path);
  return part;
}

}  // namespace isolume
