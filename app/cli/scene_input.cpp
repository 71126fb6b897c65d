// A session in the place of a structure: its molecule, and the names of its selections.
#include "app/cli/scene_input.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "app/cli/options.h"
#include "app/cli/trust.h"
#include "app/documents/documents.h"
#include "app/scene/named_selections.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

constexpr std::string_view mark = "#molecule=";

/// "s.isolume#molecule=1" parted; no number where there is none.
std::pair<std::string, std::optional<std::uint32_t>> parted(const std::string& path) {
  const std::size_t at = path.rfind(mark);
  if (at == std::string::npos) return {path, {}};
  std::uint32_t number = 0;
  const char* const end = path.data() + path.size();
  const auto [next, fault] = std::from_chars(path.data() + at + mark.size(), end, number);
  if (fault != std::errc() || next != end) return {path, {}};
  return {path.substr(0, at), number};
}

bool is_session(const std::string& path) {
  return std::filesystem::path(parted(path).first).extension() == ".isolume";
}

std::string molecules_of(const Scene& scene, const std::string& file) {
  constexpr std::size_t most = 8;
  std::string all;
  for (std::size_t m = 0; m < std::min(most, scene.molecules.size()); ++m) {
    const auto& paths = scene.molecules[m].paths;
    all += fmt::format("{}{}{}{} ({})", m == 0 ? "" : ", ", file, mark, m,
                       paths.empty() ? "" : std::filesystem::path(paths.front()).filename().string());
  }
  return all + (scene.molecules.size() > most ? ", ..." : "");
}

}  // namespace

bool is_scene(const std::string& path) {
  const auto extension = std::filesystem::path(path).extension();
  if (extension != ".json") return extension == ".isolume" || extension == ".mvsj";
  std::error_code absent;
  if (!std::filesystem::is_regular_file(path, absent)) return !std::filesystem::exists(path, absent);
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("isolume-scene") != std::string::npos || !file.is_open();
}

std::optional<SceneInput> scene_input(const std::vector<std::string>& files) {
  const auto found = std::find_if(files.begin(), files.end(), is_session);
  if (found == files.end()) return {};
  if (files.size() > 1)
    throw Error(fmt::format("{}: a session has its files itself; give it alone", *found), Error::Kind::usage);
  const auto [file, number] = parted(*found);
  SceneInput input{file, read_scene(file), number.value_or(0)};
  const std::size_t count = input.scene.molecules.size();
  if (count == 0) throw Error(file + ": this session has no molecule", Error::Kind::usage);
  if (input.molecule >= count || (count > 1 && !number))
    throw Error(fmt::format("{}: this session has {} molecule{}{}: {}", *found, count, count == 1 ? "" : "s",
                            number ? "" : "; say which", molecules_of(input.scene, file)),
                Error::Kind::usage);
  require_trust(input.scene, file, sessions_trusted());
  return input;
}

std::vector<std::string> files_of_input(const std::string& path) {
  const auto session = scene_input({path});
  if (!session) return {path};
  std::vector<std::string> files{session->file};
  for (const std::string& part : session->scene.molecules[session->molecule].paths) files.push_back(file_of(part));
  return files;
}

bool& sessions_trusted() {
  static bool trusted = false;
  return trusted;
}

std::shared_ptr<const Molecule> scene_molecule(SceneMolecule entry) {
  Documents documents;
  return documents.molecule(entry);
}

void write_out_names(CLI::App& command) {
  std::vector<std::string> files;
  std::vector<CLI::Option*> named;
  for (CLI::Option* option : command.get_options([](const CLI::Option*) { return true; })) {
    if (option->count() == 0) continue;
    if (option->get_positional()) {
      for (const std::string& word : option->results())  // convert has what is written there, too
        if (is_session(word) && files.empty()) files.push_back(word);
      continue;
    }
    // A path that is not there is a text like others: its reader says so where it has no name.
    const auto has_name = [](const std::string& word) {
      std::error_code absent;
      return has_names(word) && word.find('/') == std::string::npos && !std::filesystem::exists(word, absent);
    };
    if (is_output(*option) || option->get_type_name() == "FILE") continue;
    if (std::any_of(option->results().begin(), option->results().end(), has_name)) named.push_back(option);
  }
  if (named.empty()) return;
  const auto input = scene_input(files);
  for (CLI::Option* option : named) {
    try {
      std::vector<std::string> words = option->results();
      for (std::string& word : words) {
        if (!has_names(word)) continue;
        if (!input || input->scene.selections.empty())
          throw Error(fmt::format("'{}': {}. Named selections (@name) are kept in sessions; give one that has it as "
                                  "the input, or write the selection out",
                                  word, input ? "this session has no named selections" : "there is no session here"),
                      Error::Kind::usage);
        word = with_names(input->scene, input->molecule, word);
      }
      option->clear();
      for (std::string& word : words) option->add_result(std::move(word));
      option->run_callback();
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", option->get_name(), error.what()), error.kind());
    }
  }
}

}  // namespace isolume::cli
