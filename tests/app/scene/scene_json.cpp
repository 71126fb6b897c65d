// Scenes as JSON: there and back, hostile input, values set by path, files.
#include "app/scene/scene_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "molecule/base/error.h"
#include "tests/app/scene/random_scene.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;

std::string around(const std::string& content) {
  return R"({"format": "isolume-scene", "version": 1, )" + content + "}";
}

// The message of the Error (input) that reading this throws.
std::string complaint(const std::string& json) {
  try {
    scene_from_json(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input) << json.substr(0, 100);
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << json.substr(0, 100);
  return {};
}

void expect_complaint(const std::string& json, const std::string& part) {
  const std::string message = complaint(json);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(SceneJson, EveryRandomSceneComesBackEqual) {
  test::RandomScene random(7);
  for (int i = 0; i < 300; ++i) {
    const Scene scene = random();
    std::vector<std::string> notes;
    EXPECT_EQ(scene_from_json(scene_to_json(scene), {}, &notes), scene) << scene_to_json(scene);
    EXPECT_TRUE(notes.empty()) << notes.front();
  }
}

TEST(SceneJson, MissingKeysTakeTheirDefaults) {
  EXPECT_EQ(scene_from_json(around(R"("frame": 0)")), Scene());
}

TEST(SceneJson, IsReadable) {
  Scene scene;
  scene.molecules.push_back({{"a.pdb"}});
  scene.representations.emplace_back().style = Style::ball_and_stick;
  const std::string text = scene_to_json(scene);
  EXPECT_NE(text.find("\"style\": \"ball and stick\""), std::string::npos);
  EXPECT_NE(text.find("\"depth_cue\": 0.35,"), std::string::npos);
  EXPECT_NE(text.find("\"background\": \"#ffffff\""), std::string::npos);
  EXPECT_EQ(text.rfind("{\n  \"format\": \"isolume-scene\",\n  \"version\": 2,", 0), 0u);
}

TEST(SceneJson, UnknownKeysAreNamed) {
  std::vector<std::string> notes;
  scene_from_json(around(R"("colour": 1, "camera": {"hight": 3})"), {}, &notes);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "camera.hight is not known");
  EXPECT_EQ(notes[1], "colour is not known");
}

TEST(SceneJson, WrongValuesAreNamedByTheirPath) {
  const std::string molecule = R"("molecules": [{"paths": ["a.pdb"]}], )";
  expect_complaint(around(molecule + R"("representations": [{}, {}, {"style": "balls"}])"),
                   "representations[2].style: 'balls' is none of lines, sticks, ball and stick, ");
  expect_complaint(around(R"("representations": [{}])"), "representations[0].molecule: 0 is beyond the 0 molecules");
  expect_complaint(around(molecule + R"("fields": [{"molecule": 1}])"), "fields[0].molecule: 1 is beyond the 1 ");
  expect_complaint(around(R"("frame": -1)"), "frame: expected a whole number from 0");
  expect_complaint(around(R"("frame": 1.5)"), "frame: expected a whole number, found 1.5");
  expect_complaint(around(R"("frame": 1e300)"), "frame: expected a whole number");
  expect_complaint(around(R"("camera": [])"), "camera: expected an object");
  expect_complaint(around(R"("camera": {"height": "tall"})"), "camera.height: expected a number, found \"tall\"");
  expect_complaint(around(R"("camera": {"height": 0})"), "camera.height: expected a number from");
  expect_complaint(around(R"("camera": {"height": 1e999})"), "not JSON");
  expect_complaint(around(R"("camera": {"height": null})"), "camera.height: expected a number, found null");
  expect_complaint(around(R"("camera": {"rotation": [0, 0, 0, 0]})"), "camera.rotation: expected a rotation, not zero");
  expect_complaint(around(R"("camera": {"centre": [1, 2]})"), "camera.centre: expected three numbers");
  expect_complaint(around(R"("camera": {"centre": [1, 2, 1e300]})"), "camera.centre[2]: expected a number from");
  expect_complaint(around(R"("look": {"background": "#12345"})"), "look.background: expected a colour");
  expect_complaint(around(R"("look": {"axes": 1})"), "look.axes: expected true or false, found 1");
  expect_complaint(around(R"("molecules": {"paths": []})"), "molecules: expected a list");
  expect_complaint(around(R"("molecules": [{"paths": [3]}])"), "molecules[0].paths[0]: expected a text");
  expect_complaint(around(R"("molecules": [{"paths": ["a\u0000b"]}])"), "without control characters");
}

TEST(SceneJson, RefusesOtherThings) {
  expect_complaint("", "not JSON");
  expect_complaint("{", "not JSON");
  expect_complaint("[]", "not a scene");
  expect_complaint("{}", "not a scene");
  expect_complaint(R"({"format": "other", "version": 1})", "not a scene");
  expect_complaint(R"({"format": "isolume-scene"})", "version: expected 1 to 2, found none");
  expect_complaint(R"({"format": "isolume-scene", "version": 3})",
                   "version: expected 1 to 2, found 3; a newer Isolume");
  expect_complaint(R"({"format": "isolume-scene", "version": "1"})", "version: expected 1 to 2, found \"1\"");
  expect_complaint(around("\"frame\": 1") + "x", "not JSON");
  expect_complaint("{\"format\": \"isolume-scene\", \"version\": 1, \"frame\": \xff\xfe}", "not JSON");
}

TEST(SceneJson, RefusesDeepNesting) {
  expect_complaint(around("\"x\": " + std::string(64, '[') + std::string(64, ']')), "nested deeper than 64");
  expect_complaint(std::string(10'000'000, '['), "nested deeper than 64");
  std::vector<std::string> notes;
  scene_from_json(around("\"x\": " + std::string(63, '[') + std::string(63, ']')), {}, &notes);
  EXPECT_EQ(notes.size(), 1u);
  scene_from_json(around("\"x\": \"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\""), {}, &notes);
}

TEST(SceneJson, RefusesTooMuch) {
  expect_complaint(around("\"x\": \"" + std::string(17'000'000, 'x') + "\""), "are more than a scene may have");
  std::string many = "{}";
  for (int i = 0; i < 10'000; ++i) many += ",{}";
  expect_complaint(around("\"molecules\": [" + many + "]"), "10001 entries are more than 10000");
  expect_complaint(around("\"molecules\": [{\"paths\": [\"" + std::string(70'000, 'x') + "\"]}]"), "longer than 65536");
}

TEST(SceneJson, PathsStayInTheFolderOfTheScene) {
  const auto paths = [](const std::string& path, const std::string& folder) {
    return scene_from_json(around("\"molecules\": [{\"paths\": [\"" + path + "\"]}]"), folder).molecules[0].paths[0];
  };
  EXPECT_EQ(paths("a/b.pdb", "/home/me"), "/home/me/a/b.pdb");
  EXPECT_EQ(paths("a/../b.pdb", "/home/me"), "/home/me/b.pdb");
  EXPECT_EQ(paths("/data/b.pdb", "/home/me"), "/data/b.pdb");
  EXPECT_EQ(paths("b.pdb", ""), "b.pdb");
  for (const char* path : {"../b.pdb", "a/../../b.pdb", "..", "./../x"})
    expect_complaint(around("\"molecules\": [{\"paths\": [\"" + std::string(path) + "\"]}]"), "leaves the folder");
  expect_complaint(around(R"("molecules": [{"paths": [""]}])"), "empty path");
}

TEST(SceneJson, FilesAreRelativeToTheScene) {
  const fs::path folder = fs::path(testing::TempDir()) / "scene_files";
  fs::create_directories(folder / "data");
  Scene scene;
  scene.molecules.push_back({{(folder / "data/a.pdb").string(), "/elsewhere/b.xtc"}});
  const std::string path = (folder / "s.isolume").string();
  write_scene(path, scene);
  std::ifstream in(path);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find("\"data/a.pdb\""), std::string::npos) << text;
  EXPECT_EQ(read_scene(path), scene);
  fs::rename(folder / "data", folder / "moved");
  EXPECT_EQ(read_scene(path), scene) << "reading a scene opens none of its files";
  fs::remove_all(folder);
  EXPECT_THROW(read_scene(path), Error);
}

TEST(SetValue, ChangesOneValue) {
  Scene scene;
  scene.molecules.push_back({{"a.pdb"}});
  scene.representations.resize(2);
  scene.fields.resize(1);
  set_value(scene, "representations[1].style", "ball-and-stick");
  set_value(scene, "representations[1].selection", "resname ALA");
  set_value(scene, "camera.height", "40");
  set_value(scene, "camera.centre[1]", "-2.5");
  set_value(scene, "look.background", "black");
  set_value(scene, "look.axes", "true");
  set_value(scene, "fields[0].orbital", "5");
  set_value(scene, "fields[0].colour", "#01020304");
  set_value(scene, "molecules[0].paths", R"(["b.pdb", "../c.xtc"])");
  EXPECT_EQ(scene.representations[1].style, Style::ball_and_stick);
  EXPECT_EQ(scene.representations[1].selection, "resname ALA");
  EXPECT_EQ(scene.camera.height, 40);
  EXPECT_EQ(scene.camera.centre, glm::dvec3(0, -2.5, 0));
  EXPECT_EQ(scene.look.background, glm::vec3(0));
  EXPECT_TRUE(scene.look.axes);
  EXPECT_EQ(scene.fields[0].orbital, "5");
  EXPECT_EQ(scene.fields[0].colour, glm::u8vec4(1, 2, 3, 4));
  EXPECT_EQ(scene.molecules[0].paths, (std::vector<std::string>{"b.pdb", "../c.xtc"}));
}

TEST(SetValue, SaysWhatThereIs) {
  Scene scene;
  scene.molecules.push_back({{"a.pdb"}});
  scene.representations.resize(2);
  const Scene before = scene;
  const auto expect = [&](const char* path, const char* value, const std::string& part) {
    try {
      set_value(scene, path, value);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage) << path;
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_EQ(scene, before);
  };
  expect("camera.hight", "4", "camera has no 'hight'; it has centre, field_of_view, height, projection");
  expect("representations[2].style", "lines", "representations has no entry [2]; it has the entries [0] to [1]");
  expect("representations[-1].style", "lines", "representations has no entry [-1]");
  expect("fields[0].kind", "orbital", "fields has no entry [0]; it is empty");
  expect("representations[0].style", "balls", "'balls' is none of lines");
  expect("representations[0].molecule", "9", "representations[0].molecule: 9 is beyond");
  expect("camera.height", "tall", "camera.height: expected a number, found \"tall\"");
  expect("camera", R"({"hight": 4})", "camera.hight is not known");
  expect("camera.height.more", "1", "camera.height is a value and has no 'more'");
  expect("", "1", "names no value");
}

}  // namespace
}  // namespace isolume
