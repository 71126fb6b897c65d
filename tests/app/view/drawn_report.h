// Pictures drawn by the program, and the fields of their reports.
#pragma once

#include "app/scene/scene_json.h"
#include "tests/app/cli/program.h"

namespace isolume::test {

using Words = std::vector<std::string>;

inline Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline test::Outcome draw(const Folder& folder, const Words& words) {
  return run(with(with({"render"}, words), {"--size", "160x120", "--samples", "1", "--spacing", "1", "--out",
                                            folder / "a.png", "--report", folder / "r.json"}));
}

inline nlohmann::json legend_of_report(const Folder& folder) {
  return test::read_json(folder / "r.json")["result"]["fields"][0]["legend"];
}

inline nlohmann::json field_of_report(const Folder& folder) {
  return test::read_json(folder / "r.json")["method"]["scene"]["fields"][0];
}

}  // namespace isolume::test
