// Changes of a scene as commands: carried out, they make the other scene.
#include "app/scene/scene_commands.h"

#include <gtest/gtest.h>

#include "app/scene/scene_json.h"
#include "molecule/base/error.h"
#include "random_scene.h"

namespace isolume {
namespace {

Scene two_molecules() {
  Scene scene;
  scene.molecules = {{{"a.pdb"}, true}, {{"b.pdb"}, true}};
  scene.representations.resize(3);
  scene.representations[1].molecule = 1;
  scene.representations[1].selection = "chain A and name CA";
  scene.representations[2].style = Style::sticks;
  scene.fields.resize(2);
  scene.fields[1].molecule = 1;
  return scene;
}

TEST(SceneCommands, CarriedOutTheyMakeTheOtherScene) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    test::RandomScene random(seed);
    Scene before = random(), after = random();
    // Of the same molecules, as in all that a window does but opening.
    if (after.molecules.size() > before.molecules.size()) std::swap(before, after);
    after.molecules = before.molecules;
    Scene scene = before;
    const std::vector<std::string> commands = scene_changes(before, after);
    EXPECT_FALSE(commands.empty());
    for (const std::string& command : commands) apply_command(scene, command);
    EXPECT_EQ(scene, after) << "seed " << seed;
  }
}

TEST(SceneCommands, OneChangeIsOneReadableLine) {
  const Scene before = two_molecules();
  Scene after = before;
  after.representations[2].style = Style::spheres;
  EXPECT_EQ(scene_changes(before, after), (std::vector<std::string>{"set representations[2].style spheres"}));
  after = before;
  after.representations[1].selection = "protein and not water";
  EXPECT_EQ(scene_changes(before, after),
            (std::vector<std::string>{"set representations[1].selection protein and not water"}));
  after = before;
  after.fields.push_back({});
  after.fields.back().kind = Field::Kind::orbital;
  EXPECT_EQ(scene_changes(before, after), (std::vector<std::string>{R"(add fields {"kind":"orbital"})"}));
  after = before;
  after.representations.erase(after.representations.begin() + 1);
  EXPECT_EQ(scene_changes(before, after), (std::vector<std::string>{"remove representations[1]"}));
  after = before;
  after.measurements.push_back({{{0, 3}, {1, 7}}});
  ASSERT_EQ(scene_changes(before, after).size(), 1u);
  Scene again = before;
  apply_command(again, scene_changes(before, after).front());
  EXPECT_EQ(again, after);
  EXPECT_TRUE(scene_changes(before, before).empty());
}

TEST(SceneCommands, ProbesGoWithTheirMoleculeAndTheirColours) {
  Scene scene = two_molecules();
  const auto at_atom = [](std::uint32_t molecule, std::uint32_t atom) {
    FieldProbe probe;
    probe.kind = FieldProbe::Kind::atom;
    probe.molecule = molecule;
    probe.atom = atom;
    return probe;
  };
  scene.probes = {at_atom(0, 1), at_atom(1, 2), at_atom(1, 3)};
  scene.representations[1].colouring = Colouring::probe;
  scene.representations[1].probe = 2;
  Scene without_one = scene;
  remove_probe(without_one, 1);
  ASSERT_EQ(without_one.probes.size(), 2u);
  EXPECT_EQ(without_one.representations[1].colouring, Colouring::probe);
  EXPECT_EQ(without_one.representations[1].probe, 1u) << "still that of atom 3";
  remove_probe(without_one, 1);
  EXPECT_EQ(without_one.representations[1].colouring, Colouring::element) << "its probe is gone";
  remove_molecule(scene, 0);
  EXPECT_EQ(scene.probes, (std::vector<FieldProbe>{at_atom(0, 2), at_atom(0, 3)}));
  EXPECT_EQ(scene.representations[0].probe, 1u);
  EXPECT_EQ(scene.representations[0].colouring, Colouring::probe);
}

TEST(SceneCommands, ADistanceBecomesARulerBetweenPointsAndBack) {
  Scene distance = two_molecules();
  distance.measurements.push_back({{{0, 3}, {1, 7}}});
  Scene ruler = distance;
  ruler.measurements[0].atoms.clear();
  ruler.measurements[0].ruler = true;
  ruler.measurements[0].points = {{glm::dvec3(1, 2, 3)}, {glm::dvec3(4, 5, 6)}};
  ruler.measurements[0].colour = {1, 2, 3, 255};
  for (const auto& [before, after] : {std::pair(distance, ruler), std::pair(ruler, distance)}) {
    const std::vector<std::string> commands = scene_changes(before, after);
    ASSERT_EQ(commands.size(), 1u);
    EXPECT_TRUE(commands[0].starts_with("set measurements[0] {")) << commands[0];
    Scene scene = before;
    apply_command(scene, commands[0]);
    EXPECT_EQ(scene, after);
  }
  // What fits together on the way is said value by value.
  Scene after = distance;
  after.measurements[0].colour = {1, 2, 3, 255};
  after.measurements[0].visible = false;
  EXPECT_EQ(scene_changes(distance, after).size(), 2u);
}

TEST(SceneCommands, CameraAndFrameAreLeftOutWhereTheyAreNotAsked) {
  const Scene before = two_molecules();
  Scene after = before;
  after.camera.height = 12;
  after.frame = 5;
  after.playback.stride = 3;
  EXPECT_TRUE(scene_changes(before, after, false).empty());
  EXPECT_EQ(scene_changes(before, after),
            (std::vector<std::string>{"set camera.height 12.0", "set playback.stride 3", "set frame 5"}));
}

TEST(SceneCommands, AMoleculeTakesWhatShowsItAlong) {
  Scene scene = two_molecules();
  scene.measurements.push_back({{{0, 1}, {1, 2}}});
  scene.measurements.push_back({{{1, 1}, {1, 2}}});
  const Scene before = scene;
  apply_command(scene, "remove molecules[0]");
  ASSERT_EQ(scene.molecules.size(), 1u);
  EXPECT_EQ(scene.molecules[0].paths[0], "b.pdb");
  ASSERT_EQ(scene.representations.size(), 1u);
  EXPECT_EQ(scene.representations[0].molecule, 0u);
  ASSERT_EQ(scene.fields.size(), 1u);
  ASSERT_EQ(scene.measurements.size(), 1u);
  EXPECT_EQ(scene.measurements[0].atoms[0], (SceneAtom{0, 1}));
  EXPECT_EQ(scene_changes(before, scene), (std::vector<std::string>{"remove molecules[0]"}));
}

TEST(SceneCommands, WrongOnesSayWhatThereIsAndChangeNothing) {
  Scene scene = two_molecules();
  const Scene before = scene;
  const auto message = [&](const std::string& command) {
    try {
      apply_command(scene, command);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      EXPECT_EQ(scene, before);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message("set representations[0].style balls").find("spheres"), std::string::npos);
  EXPECT_NE(message("set camera.hight 3").find("height"), std::string::npos);
  EXPECT_NE(message("remove fields[7]").find("2 entries"), std::string::npos);
  EXPECT_NE(message("add surfaces {}").find("representations"), std::string::npos);
  EXPECT_NE(message("add fields nonsense").find("expected"), std::string::npos);
  EXPECT_NE(message("add measurements {\"atoms\": []}").find("1 to 4"), std::string::npos);
  EXPECT_NE(message("paint it black").find("set"), std::string::npos);
}

TEST(SceneCommands, PathsNameEveryValue) {
  const Scene scene = two_molecules();
  const auto paths = scene_paths(scene);
  for (const char* path : {"camera.height", "representations[2].options.sphere_scale", "fields[1].isovalue", "frame"})
    EXPECT_NE(std::find(paths.begin(), paths.end(), path), paths.end()) << path;
}

TEST(SceneCommands, TheCommandLineIsQuotedForAShell) {
  Scene scene;
  scene.molecules = {{{"it's here.pdb"}, true}};
  scene.representations.resize(1);
  scene.look.axes = true;
  const std::string command = render_command(scene, "out.png");
  EXPECT_EQ(command.rfind("isolume render 'it'\\''s here.pdb' --set ", 0), 0u) << command;
  EXPECT_NE(command.find("--set 'look.axes=true'"), std::string::npos);
  EXPECT_NE(command.find("--set 'camera.height=50.0'"), std::string::npos) << "opening chooses another one";
  EXPECT_EQ(command.find("look.shadows"), std::string::npos) << "as usual: not said";
  EXPECT_NE(command.find("--out 'out.png'"), std::string::npos);
  EXPECT_EQ(command.find("molecules[0]"), std::string::npos);
  // What is more of a molecule than its files is said too.
  scene.molecules[0].placement.motion.translation = {1, 2, 3};
  scene.molecules[0].assembly = "2";
  const std::string placed = render_command(scene, "out.png");
  EXPECT_NE(placed.find("--set 'molecules[0].assembly=2'"), std::string::npos) << placed;
  const auto at = placed.find("molecules[0].placement=");
  ASSERT_NE(at, std::string::npos) << placed;
  Scene other;
  other.molecules.resize(1);
  const std::string value = placed.substr(at + 23, placed.find('\'', at) - at - 23);
  set_value(other, "molecules[0].placement", value);
  EXPECT_EQ(other.molecules[0].placement, scene.molecules[0].placement);
}

}  // namespace
}  // namespace isolume
