// Words of clipping planes, and where planes through atoms are.
#include "app/view/clip_planes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "molecule/base/error.h"
#include "tests/app/cli/program.h"

namespace isolume {
namespace {

using test::Folder;

/// Argon at five places of a cell of 10 x 20 x 30 angstrom whose a is along x + y.
class ClipWords : public testing::Test {
 protected:
  ClipWords() {
    test::write_text(folder_ / "five.xyz",
                     "5\nLattice=\"10 10 0 -14 14 0 0 0 30\"\nAr 0 0 0\nAr 2 0 0\nAr 0 4 0\nAr 0 0 8\nKr 1 1 1\n");
    SceneMolecule molecule;
    molecule.paths = {folder_ / "five.xyz"};
    scene_.molecules = {molecule};
    scene_.representations.emplace_back();
    scene_.representations.front().style = Style::spheres;
  }
  ClipPlane plane(const std::string& words) { return clip_plane_of(words, scene_, documents_); }
  std::string refused(const std::string& words) {
    try {
      plane(words);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return "no error";
  }
  static void near(glm::dvec3 a, glm::dvec3 b) {
    EXPECT_LT(glm::distance(a, b), 1e-6) << a.x << " " << a.y << " " << a.z;
  }

  Folder folder_;
  Documents documents_;
  Scene scene_;
};

TEST_F(ClipWords, DirectionOffsetAndAtoms) {
  near(plane("z").normal, {0, 0, 1});
  near(plane("-y:2.5").normal, {0, -1, 0});
  EXPECT_EQ(plane("-y:2.5").offset, 2.5);
  near(plane("1,1,0").normal, glm::dvec3(1, 1, 0) / std::sqrt(2.0));
  near(plane("z@element Kr").point, {1, 1, 1});
  near(plane("z:-1@element Ar").point, {0.5, 1, 2});
  scene_.camera.rotation = glm::angleAxis(0.5, glm::dvec3(0, 1, 0));
  // Eye z is the third row of the rotation.
  near(plane("view").normal, glm::conjugate(scene_.camera.rotation) * glm::dvec3(0, 0, 1));
  near(plane("view").normal, {-std::sin(0.5), 0, std::cos(0.5)});
}

TEST_F(ClipWords, VectorsOfTheCell) {
  near(plane("a").normal, glm::dvec3(1, 1, 0) / std::sqrt(2.0));
  near(plane("-b").normal, glm::dvec3(1, -1, 0) / std::sqrt(2.0));
  near(plane_across_cell(2, scene_, documents_).normal, {0, 0, 1});
}

TEST_F(ClipWords, WhatIsWrongIsNamed) {
  for (const char* words : {"", "q", "zz", "z:", "z:1x", "1,2", "1,2,x", "0,0,0", "z@element Xe"})
    EXPECT_NE(refused(words).find("DIRECTION[:OFFSET][@SELECTION]"), std::string::npos) << words;
  EXPECT_NE(refused("z@element Xe").find("no atom"), std::string::npos);
  for (std::size_t i = 0; i < most_clip_planes; ++i) add_clip_plane(scene_, plane("x"));
  EXPECT_THROW(add_clip_plane(scene_, plane("x")), Error);
  EXPECT_EQ(scene_.clip_planes.size(), most_clip_planes);
}

TEST(ClipPlaneOfPoints, IsThePlaneOfThreeAndTurnedToTheViewer) {
  Camera camera;  // looks along -z
  const std::vector<glm::dvec3> flat{{0, 0, 1}, {3, 0, 2.5}, {0, 3, 1}, {3, 3, 2.5}};
  const ClipPlane plane = plane_of_points(flat, camera);
  for (const glm::dvec3& point : flat) EXPECT_NEAR(plane.beyond(point), 0, 1e-9);
  EXPECT_GT(plane.normal.z, 0);
  EXPECT_GT(plane.beyond({0, 0, 9}), 0) << "what is nearer is cut away";
  const std::vector<glm::dvec3> two{{0, 0, 1}, {4, 0, 3}};
  const ClipPlane facing = plane_of_points(two, camera);
  EXPECT_NEAR(facing.beyond({0, 0, 5}), 3, 1e-9);
  ClipPlane moved = facing;
  moved.offset = 2;
  EXPECT_NEAR(moved.beyond({0, 0, 5}), 1, 1e-9);
}

}  // namespace
}  // namespace isolume
