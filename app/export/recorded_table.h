// What a panel of the window wrote as a table, as the record next to the file has it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "app/scene/scene.h"
#include "compute/base/device.h"

namespace isolume {

struct RecordedTable {
  Scene scene;        ///< the molecules that it is of; files that belong to them are entries of their own
  std::string panel;  ///< "Timeline"
  /// What was asked of them, as app/cli/tables/panel_table.h takes it: {"of": "timeline", ...}. Null where nothing but
  /// the window makes it.
  nlohmann::ordered_json asked;
};

/// Of a scene the molecules of these numbers in this order, without pictures.
Scene molecules_of(const Scene& scene, std::initializer_list<std::size_t> numbers);

/// As JSON in a file of that folder, and back. Throws Error (input) or a JSON exception for what is none.
nlohmann::ordered_json json_of(const RecordedTable& table, const std::string& folder);
RecordedTable table_of(const nlohmann::ordered_json& json, const std::string& folder);

/// Writes NAME.made.json next to the table, with the hashes of its files. Nothing where the scene shows what is in
/// memory alone, or where one of its files is there no more.
void write_table_record(const RecordedTable& table, const std::string& path, Device device);

}  // namespace isolume
