// What a panel of the window wrote as a table, as the record next to the file has it.
#include "app/export/recorded_table.h"

#include <filesystem>
#include <memory>
#include <vector>

#include "app/export/made_record.h"
#include "app/export/recorded_export.h"
#include "app/scene/scene_json.h"
#include "molecule/base/error.h"

namespace isolume {

using Json = nlohmann::ordered_json;

Scene molecules_of(const Scene& scene, std::initializer_list<std::size_t> numbers) {
  Scene some;
  for (const std::size_t number : numbers) some.molecules.push_back(scene.molecules.at(number));
  some.camera = scene.camera;
  return some;
}

Json json_of(const RecordedTable& table, const std::string& folder) {
  Json json{{"panel", table.panel}, {"asked", table.asked}};
  json["scene"] = Json::parse(scene_to_json(table.scene, folder));
  return json;
}

RecordedTable table_of(const Json& json, const std::string& folder) {
  return {scene_from_json(json.at("scene").dump(), folder), json.at("panel").get<std::string>(), json.at("asked")};
}

void write_table_record(const RecordedTable& table, const std::string& path, Device device) {
  MadeRecord record;
  record.program = "Isolume " ISOLUME_VERSION;
  record.table = std::make_shared<RecordedTable>(table);
  const std::vector<std::string> files = recorded_files(table.scene);
  if (files.empty()) return;
  try {
    for (const std::string& file : files) record.inputs.push_back(made_file(file));
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::cancelled) throw;
    return;
  }
  record.outputs.push_back(made_file(std::filesystem::absolute(path).string()));
  record.about = {{"device", {{"kind", device.is_cuda() ? "cuda" : "cpu"}, {"name", to_string(device)}}},
                  {"method", {{"name", "table"}, {"panel", table.panel}}}};
  write_record(record_of(path), record);
}

}  // namespace isolume
