// What a window exported, as the record next to the file has it.
#include "app/export/recorded_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>

#include "app/export/made_record.h"
#include "app/scene/built_in_tables.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Json = nlohmann::ordered_json;

/// In the order of DataSource::Kind.
constexpr std::array<std::string_view, 4> kinds{"molecule", "volume", "field", "representation"};

bool in_memory_alone(const std::string& path) {
  const PathPart::Kind kind = path_part(path).kind;
  return kind == PathPart::Kind::stream || kind == PathPart::Kind::average || kind == PathPart::Kind::fit;
}

}  // namespace

std::vector<std::string> recorded_files(const Scene& scene) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      for (const std::string& path : *paths) {
        if (in_memory_alone(path)) return {};
        if (!names_tables(path) && seen.insert(file_of(path)).second) files.push_back(file_of(path));
      }
  return files;
}

Json json_of(const RecordedExport& exported, const std::string& folder) {
  const DataExport& what = exported.what;
  Json json{{"of", kinds.at(static_cast<std::size_t>(what.source.kind))},
            {"molecule", what.source.molecule},
            {"index", what.source.index},
            {"selection", what.selection}};
  json["frames"] = {what.first, what.last, what.step};
  json["scene"] = Json::parse(scene_to_json(exported.scene, folder));
  return json;
}

RecordedExport exported_of(const Json& json, const std::string& folder) {
  RecordedExport exported;
  exported.scene = scene_from_json(json.at("scene").dump(), folder);
  const auto kind = std::ranges::find(kinds, json.at("of").get<std::string>()) - kinds.begin();
  if (kind == std::ssize(kinds)) throw Error("names a thing of the scene that cannot be exported");
  DataExport& what = exported.what;
  what.source.kind = static_cast<DataSource::Kind>(kind);
  what.source.molecule = json.at("molecule").get<std::size_t>();
  what.source.index = json.at("index").get<std::size_t>();
  what.selection = json.at("selection").get<std::string>();
  const Json& frames = json.at("frames");
  what.first = frames.at(0).get<std::size_t>();
  what.last = frames.at(1).get<std::size_t>();
  what.step = frames.at(2).get<std::size_t>();
  return exported;
}

void write_export_record(const Scene& scene, const DataExport& what, Device device, const std::string& said) {
  MadeRecord record;
  record.program = "Isolume " ISOLUME_VERSION;
  record.exported = std::make_shared<RecordedExport>(RecordedExport{scene, what});
  const std::vector<std::string> files = recorded_files(scene);
  if (files.empty()) return;
  try {
    for (const std::string& file : files) record.inputs.push_back(made_file(file));
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::cancelled) throw;
    return;
  }
  record.outputs.push_back(made_file(std::filesystem::absolute(what.path).string()));
  record.about = {{"device", {{"kind", device.is_cuda() ? "cuda" : "cpu"}, {"name", to_string(device)}}},
                  {"method", {{"name", "export"}, {"written", said}}}};
  write_record(record_of(what.path), record);
}

std::string export_again(const RecordedExport& exported, const std::string& path, Device device, Job& job) {
  Documents documents;
  for (const SceneMolecule& molecule : exported.scene.molecules) documents.molecule(molecule);
  DataExport what = exported.what;
  const std::vector<DataSource> sources = data_sources(exported.scene, documents);
  const auto source = std::ranges::find_if(sources, [&](const DataSource& other) {
    return other.kind == what.source.kind && other.molecule == what.source.molecule && other.index == what.source.index;
  });
  if (source == sources.end())
    throw Error(fmt::format("the scene of the record has no {} {} that can be written",
                            kinds.at(static_cast<std::size_t>(what.source.kind)), what.source.index));
  what.source = *source;
  what.path = path;
  return export_data(exported.scene, documents, what, device, job);
}

}  // namespace isolume
