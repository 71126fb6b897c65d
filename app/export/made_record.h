// What made a file, next to it: the command, its inputs with their hashes, version, method and error.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace isolume {

struct RecordedExport;  // recorded_export.h
struct RecordedTable;   // recorded_table.h

/// A word of a command. Where it names a file, `path` does and the word is `before` + path + `after`; else all of it is
/// `before`.
struct MadeWord {
  enum class Kind : std::uint8_t { plain, input, output };
  Kind kind = Kind::plain;
  std::string before, path, after;

  std::string text() const { return before + path + after; }
};

/// A file as it was: all bytes are hashed up to 64 MiB, of larger ones 64 pieces of 1 MiB, the first and the last among
/// them.
struct MadeFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::string sha256;
  bool sampled = false;
  std::string made_as;  ///< the name that the command gives it, where that is another
  /// Of an input that is a session: what it says, so that it need not be kept.
  std::shared_ptr<const Scene> scene{};

  bool operator==(const MadeFile& other) const { return bytes == other.bytes && sha256 == other.sha256; }
};
/// Throws Error (input) where it cannot be read.
MadeFile made_file(const std::string& path);

/// All that is kept. Paths are those of this machine; in the file they are relative to its folder where they are below
/// it.
struct MadeRecord {
  std::string program;
  std::vector<MadeWord> words;
  std::vector<MadeFile> inputs, outputs;
  std::shared_ptr<const RecordedExport> exported{};  ///< of a file that a window wrote, which has no words
  std::shared_ptr<const RecordedTable> table{};      ///< of a table that a panel of a window wrote, likewise
  nlohmann::ordered_json about;                      ///< command as files carry it, device, method, unit, error
};

/// The name of the record of a file: "map.dx.made.json".
std::string record_of(const std::string& path);

void write_record(const std::string& path, const MadeRecord& record);
/// Throws Error (input) where it is none.
MadeRecord read_record(const std::string& path);

/// The record that lists this file: the one named after it, else one of its folder; none where there is none.
std::optional<std::string> find_record(const std::string& path);

/// The inputs, and the files of sessions in the record, that are not below its folder, links resolved.
std::vector<std::string> foreign_inputs(const MadeRecord& record, const std::string& path);

}  // namespace isolume
