// MolViewSpec files as scenes.
#include "app/scene/molviewspec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "app/scene/foreign_paths.h"
#include "app/scene/scene_json.h"
#include "app/scene/svg_colours.h"
#include "molecule/base/error.h"
#include "tests/support/data.h"

namespace isolume {
namespace {

std::string view(const std::string& children, const std::string& url = "a.cif", const std::string& format = "mmcif") {
  return R"({"kind": "single", "metadata": {"version": "1"}, "root": {"kind": "root", "children": [{"kind": "download",
    "params": {"url": ")" +
         url + R"("}, "children": [{"kind": "parse", "params": {"format": ")" + format +
         R"("}, "children": [{"kind": "structure", "params": {"type": "model"}, "children": [)" + children +
         "]}]}]}]}}";
}
Scene read(const std::string& text, std::vector<std::string>* notes = nullptr) {
  std::vector<std::string> unheard;
  return scene_from_molviewspec(text, "/folder", notes ? *notes : unheard);
}
bool has(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}
void expect_error(const std::string& text, const std::string& words) {
  try {
    read(text);
    ADD_FAILURE() << "read; expected \"" << words << "\"";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

// sample.mvsj was made with the Python package molviewspec 1.8.1.
TEST(MolViewSpec, AFileOfItsOwnLibrary) {
  std::vector<std::string> notes;
  const std::string path = test::data("views/sample.mvsj");
  ASSERT_TRUE(is_molviewspec(path));
  const Scene scene = read_scene(path, &notes);
  ASSERT_EQ(scene.molecules.size(), 1u);
  EXPECT_TRUE(scene.molecules[0].paths[0].ends_with("/views/folder of/sample.pdb")) << scene.molecules[0].paths[0];
  ASSERT_EQ(scene.representations.size(), 3u);
  const Representation &part = scene.representations[0], &rest = scene.representations[1];
  EXPECT_EQ(part.style, Style::cartoon);
  EXPECT_EQ(part.selection, "(polymer) and ((chain 'A' and resid >= 1 and resid <= 5))");
  EXPECT_EQ(part.colour, glm::u8vec4(0x66, 0x88, 0xff, 255));
  EXPECT_EQ(rest.selection, "(polymer) and not ((chain 'A' and resid >= 1 and resid <= 5))");
  EXPECT_EQ(rest.colour, glm::u8vec4(46, 139, 87, 255)) << "seagreen";
  EXPECT_EQ(rest.opacity, 0.5f);
  EXPECT_EQ(scene.representations[2].style, Style::ball_and_stick);
  EXPECT_EQ(scene.representations[2].selection, "((chain 'B' and resid >= 101 and resid <= 101) or (resname 'HOH'))");
  ASSERT_EQ(scene.fields.size(), 1u);
  EXPECT_EQ(scene.fields[0].kind, Field::Kind::gaussian);
  EXPECT_EQ(scene.fields[0].selection, "ligand");
  ASSERT_EQ(scene.labels.size(), 1u);
  EXPECT_EQ(scene.labels[0].own, "Zinc");
  EXPECT_EQ(scene.look.background, glm::vec3(255, 255, 240) / 255.0f) << "ivory";
  // The eye is 30 from the target, where a sphere of radius 15 just fits: with an angle of a, 15 = height/2 cos(a/2).
  EXPECT_EQ(scene.camera.centre, glm::dvec3(1, 2, 3));
  EXPECT_NEAR(scene.camera.height, 30 / std::cos(glm::radians(15.0)), 1e-9);
  EXPECT_NEAR(glm::length(glm::conjugate(scene.camera.rotation) * glm::dvec3(0, 0, 1) - glm::dvec3(0, 0, 1)), 0, 1e-9)
      << "the eye looks along -z";
  for (const char* const words :
       {"'size_factor' of a ball_and_stick", "focus is left out", "'label_seq_id'", "drawn in parts"})
    EXPECT_TRUE(has(notes, words)) << words;
  EXPECT_EQ(notes.size(), 4u);
}

TEST(MolViewSpec, ExpressionsAreSelections) {
  const auto selected = [](const std::string& selector) {
    const Scene scene = read(view(R"({"kind": "component", "params": {"selector": )" + selector +
                                  R"(}, "children": [{"kind": "representation", "params": {"type": "spacefill"}}]})"));
    return scene.representations.empty() ? std::string() : scene.representations[0].selection;
  };
  EXPECT_EQ(selected("\"branched\""), "sugar");
  EXPECT_EQ(selected("{}"), "all");
  EXPECT_EQ(selected(R"({"label_asym_id": "B"})"), "(segname 'B')") << "label chains are segments of mmCIF";
  EXPECT_EQ(selected(R"({"type_symbol": "ZN", "atom_id": 5})"), "(serial >= 5 and serial <= 5 and element 'ZN')");
  EXPECT_EQ(selected(R"({"auth_atom_id": "O5'"})"), "(name \"O5'\")");
  EXPECT_EQ(selected(R"({"auth_atom_id": "C'*.1"})"), "(name \"C'\\*\\.1\")");
  EXPECT_EQ(selected("\"coarse\""), "");
}

TEST(MolViewSpec, NothingIsFetched) {
  expect_error(view("", "https://www.example.org/1abc.bcif", "bcif"),
               "'https://www.example.org/1abc.bcif', which is not fetched");
  expect_error(view("", "//example.org/a.cif"), "not fetched");
  expect_error(view("", "data:text/plain,x"), "not fetched");
  expect_error(view("", "../a.cif"), "leaves the folder");
  expect_error(view("", "a%FF.cif"), "not UTF-8");
  expect_error(view("", "a%00.cif"), "a NUL byte");
  const Scene outside = read(view("", "file:///etc/passwd"));
  EXPECT_EQ(foreign_paths(outside, "/folder/view.mvsj"), std::vector<std::string>{"/etc/passwd"})
      << "opened only where the user trusts the file";
  EXPECT_TRUE(foreign_paths(read(view("", "a.cif")), "/folder/view.mvsj").empty());
}

TEST(MolViewSpec, WhatCannotBeShownIsNamed) {
  std::vector<std::string> notes;
  const Scene scene =
      read(view(R"({"kind": "primitives"}, {"kind": "component", "params": {"selector": "all"}, "children": [
      {"kind": "representation", "params": {"type": "carbohydrate"}}, {"kind": "tooltip"},
      {"kind": "representation", "params": {"type": "line"}, "children": [{"kind": "color", "params": {"color": "bluish"}}]}]},
      {"kind": "transform", "params": {"matrix": [2,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}})"),
           &notes);
  EXPECT_EQ(scene.representations.size(), 1u);
  for (const char* const words : {"'primitives'", "'carbohydrate'", "'tooltip'", "bluish", "no rotation"})
    EXPECT_TRUE(has(notes, words)) << words;
  EXPECT_EQ(scene.camera.height, 0) << "there is no camera";
}

TEST(MolViewSpec, TransformsMoveAboutTheirCentre) {
  // A quarter turn about z through (1, 0, 0), columns one after another, and then 5 up.
  const Scene scene = read(view(R"({"kind": "transform", "params": {"rotation": [0,1,0, -1,0,0, 0,0,1],
      "rotation_center": [1,0,0], "translation": [0,0,5]}})"));
  const glm::dvec3 moved = scene.molecules[0].placement.motion(glm::dvec3(2, 0, 0));
  EXPECT_NEAR(glm::length(moved - glm::dvec3(1, 1, 5)), 0, 1e-12);
}

TEST(MolViewSpec, OtherFilesAreRefused) {
  expect_error("{}", "expected an object with a root");
  expect_error("[1]", "expected an object");
  expect_error("{", "not JSON");
  expect_error(R"({"root": {"kind": "root", "children": 5}})", "children that are no list");
  expect_error(R"({"root": {"kind": "root", "children": [{}]}})", "a node without its kind");
  expect_error(R"({"root": {"kind": "root"}})", "names no structure");
  expect_error(std::string(100, '['), "nested deeper than 64");
}

TEST(SvgColours, AreThoseOfTheStandard) {
  EXPECT_EQ(svg_colour("aliceblue"), glm::u8vec4(240, 248, 255, 255));
  EXPECT_EQ(svg_colour("tomato"), glm::u8vec4(255, 99, 71, 255));
  EXPECT_EQ(svg_colour("yellowgreen"), glm::u8vec4(154, 205, 50, 255));
  EXPECT_FALSE(svg_colour("isolume"));
}

}  // namespace
}  // namespace isolume
