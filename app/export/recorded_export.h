// What a window exported, as the record next to the file has it: the scene, and what of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/export/data_export.h"

namespace isolume {

struct RecordedExport {
  Scene scene;
  DataExport what;  ///< without its path
};

/// As JSON in a file of that folder, and back. Throws Error (input) or a JSON exception for what is none.
nlohmann::ordered_json json_of(const RecordedExport& exported, const std::string& folder);
RecordedExport exported_of(const nlohmann::ordered_json& json, const std::string& folder);

/// The files of a scene, each once; empty where something of it is in none (frames of a running simulation, a mean).
std::vector<std::string> recorded_files(const Scene& scene);

/// Writes NAME.made.json next to what export_data() has written: the scene, what of it, its files with their hashes,
/// the device and what was said. Nothing where the scene shows what is in memory alone (frames of a running simulation,
/// a mean, a fit), or where one of its files is there no more: the file could not be made again.
void write_export_record(const Scene& scene, const DataExport& what, Device device, const std::string& said);

/// Makes it again under another name, from the scene's files. Throws as export_data().
std::string export_again(const RecordedExport& exported, const std::string& path, Device device, Job& job);

}  // namespace isolume
