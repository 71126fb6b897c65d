// What a part comes from: its files by size and samples, and the options on which it depends.
#include "app/cli/over_time/part_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "app/cli/given.h"
#include "app/cli/scene_input.h"
#include "formats/file_patterns.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr std::uint64_t pieces = 64, piece_bytes = 4096;

// The files of the command line, those of patterns and folders one by one.
std::vector<std::string> given_files() {
  std::vector<std::string> files;
  for (const std::string& path : given().files) {
    const std::vector<std::string> behind = files_of_input(path);  // several of a session
    if (behind.size() > 1 || std::filesystem::is_regular_file(path)) {
      files.insert(files.end(), behind.begin(), behind.end());
      continue;
    }
    for (std::string& file : expand_paths({path})) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::string samples_of(const std::string& path, std::uint64_t bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error::in_file(path, 0, "cannot be read");
  std::uint64_t hash = 14695981039346656037ULL;
  std::vector<char> piece(piece_bytes);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t room = bytes > piece_bytes ? bytes - piece_bytes : 0;
    const std::uint64_t begin = room / (pieces - 1) * i + room % (pieces - 1) * i / (pieces - 1);
    const std::uint64_t count = std::min(piece_bytes, bytes - begin);
    in.seekg(static_cast<std::streamoff>(begin));
    in.read(piece.data(), static_cast<std::streamsize>(count));
    if (!in) throw Error::in_file(path, 0, "cannot be read to its end");
    for (std::uint64_t k = 0; k < count; ++k)
      hash = (hash ^ static_cast<unsigned char>(piece[k])) * 1099511628211ULL;  // FNV-1a
    if (room == 0) break;
  }
  return fmt::format("{} bytes, samples {:016x}", bytes, hash);
}

std::vector<std::pair<std::string, std::string>> sampled_inputs() {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const std::string& file : given_files())
    inputs.emplace_back(std::filesystem::path(file).filename().string(),
                        samples_of(file, std::filesystem::file_size(file)));
  return inputs;
}

std::vector<std::pair<std::string, std::string>> sampled_options() {
  std::vector<std::pair<std::string, std::string>> options;
  std::error_code none;
  for (const auto& [name, values] : given().options) {
    std::string text;
    for (const std::string& value : values) {
      const bool file = std::filesystem::is_regular_file(value, none);
      text += (text.empty() ? "" : ", ") + (file ? samples_of(value, std::filesystem::file_size(value)) : value);
    }
    options.emplace_back(name, text);
  }
  return options;
}

bool inputs_go_on(const FramePart& part) {
  const std::vector<std::string> files = given_files();
  if (files.size() != part.inputs.size()) return false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& known = part.inputs[i].second;
    std::uint64_t bytes = 0;
    const auto read = std::from_chars(known.data(), known.data() + known.size(), bytes);
    if (read.ec != std::errc() || bytes > std::filesystem::file_size(files[i]) || samples_of(files[i], bytes) != known)
      return false;
  }
  return true;
}

void add_partial_option(Verb command, std::string& path) {
  command
      .option("--partial", path,
              "keep what is done in this file and go on from it where it is there; isolume merge joins several")
      .type_name("PART");
}

void check_part_path(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!path.empty() && !folder.empty() && !std::filesystem::is_directory(folder))
    throw Error(fmt::format("--partial {}: there is no folder {}", path, folder.string()));
}

}  // namespace isolume::cli
