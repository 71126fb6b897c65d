// Movies by key frames: the scene at every time, against the formulas of their course.
#include "app/scene/movie.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/scene/scene_commands.h"
#include "app/scene/scene_json.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr Easing every_easing[] = {Easing::linear, Easing::ease_in, Easing::ease_out, Easing::ease, Easing::hold};

/// A scene with a representation, a field and two key frames, 2 s apart.
Scene two_keys(Easing easing = Easing::linear) {
  Scene scene;
  scene.molecules.resize(1);
  scene.representations.resize(1);
  scene.fields.resize(1);
  scene.keys = {key_of(scene, 1), key_of(scene, 3)};
  scene.keys[0].easing = easing;
  return scene;
}

std::string fault_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Easing, FollowsItsFormulaAndNeverFalls) {
  for (const Easing easing : every_easing) {
    EXPECT_EQ(eased(easing, 0), 0);
    EXPECT_EQ(eased(easing, 1), easing == Easing::hold ? 0 : 1);
    for (int i = 0; i < 1000; ++i) EXPECT_LE(eased(easing, i / 1000.0), eased(easing, (i + 1) / 1000.0));
    EXPECT_EQ(eased(easing, -1), eased(easing, 0));
    EXPECT_EQ(eased(easing, 2), eased(easing, 1));
  }
  EXPECT_DOUBLE_EQ(eased(Easing::linear, 0.3), 0.3);
  EXPECT_DOUBLE_EQ(eased(Easing::ease_in, 0.3), 0.09);
  EXPECT_DOUBLE_EQ(eased(Easing::ease_out, 0.3), 0.51);
  EXPECT_DOUBLE_EQ(eased(Easing::ease, 0.3), 0.216);
  EXPECT_EQ(eased(Easing::hold, 0.999), 0);
}

TEST(MovieKeys, TheEndsAreExact) {
  Scene scene = two_keys(Easing::ease);
  scene.keys[0].camera.rotation = glm::normalize(glm::dquat(0.8, 0.1, -0.3, 0.5));
  scene.keys[0].camera.height = 17.3;
  scene.keys[1].camera.centre = {1, 2, 3};
  scene.keys[1].frame = 41;
  scene.keys[1].representations[0] = {false, 0.7f, {1, 2, 3, 4}};
  scene.keys[1].fields[0].isovalue = 0.123;
  for (const double before : {-5.0, 0.0, 1.0}) {
    const Scene shown = scene_at(scene, before);
    EXPECT_EQ(shown.camera, scene.keys[0].camera);
    EXPECT_EQ(shown.frame, 0u);
    EXPECT_TRUE(shown.keys.empty());
  }
  for (const double after : {3.0, 3.5, 1e6}) {
    const Scene shown = scene_at(scene, after);
    EXPECT_EQ(key_of(shown, 3), scene.keys[1]) << after;
  }
  EXPECT_EQ(movie_length(scene), 3);
}

TEST(MovieKeys, TheCameraTurnsEvenlyAndZoomsByEqualFactors) {
  Scene scene = two_keys();
  Camera& from = scene.keys[0].camera;
  Camera& to = scene.keys[1].camera;
  from.height = 10;
  to.height = 40;
  to.centre = {4, 0, -8};
  to.rotation = glm::normalize(glm::dquat(0.5, 0.3, -0.7, 0.2)) * from.rotation;
  const auto angle = [](const Camera& a, const Camera& b) {
    return 2 * std::acos(std::min(1.0, std::abs(glm::dot(a.rotation, b.rotation))));
  };
  const double whole = angle(from, to);
  Camera last = from;
  for (int i = 1; i <= 20; ++i) {
    const Camera now = scene_at(scene, 1 + 2 * i / 20.0).camera;
    EXPECT_NEAR(angle(last, now), whole / 20, 1e-7) << i;
    EXPECT_NEAR(now.height, 10 * std::pow(4.0, i / 20.0), 1e-9);
    EXPECT_NEAR(now.centre.z, -8 * i / 20.0, 1e-12);
    last = now;
  }
  // The short way round, whatever the sign of the quaternion.
  to.rotation = -to.rotation;
  EXPECT_NEAR(angle(from, scene_at(scene, 2).camera), whole / 2, 1e-7);
}

TEST(MovieKeys, TurnsComeOnTop) {
  Scene scene = two_keys();
  scene.keys[0].turns = -1;
  const auto front = [&](double t) { return scene_at(scene, t).camera.rotation * glm::dvec3(0, 0, 1); };
  // A quarter of the time: a quarter of a turn, the front to the left.
  EXPECT_NEAR(front(1.5).x, -1, 1e-9);
  EXPECT_NEAR(front(2).z, -1, 1e-9);
  EXPECT_NEAR(front(3).z, 1, 1e-9);
}

TEST(MovieKeys, AHoldIsAsItWasUntilTheNext) {
  Scene scene = two_keys(Easing::hold);
  scene.keys[1].frame = 10;
  scene.keys[1].camera.height = 3;
  scene.keys[1].representations[0].visible = false;
  for (const double t : {1.0, 2.0, std::nextafter(3.0, 0.0)}) {
    EXPECT_EQ(scene_at(scene, t).frame, 0u);
    EXPECT_EQ(scene_at(scene, t).camera, scene.keys[0].camera);
    EXPECT_TRUE(scene_at(scene, t).representations[0].visible);
  }
  EXPECT_EQ(scene_at(scene, 3).frame, 10u);
  EXPECT_FALSE(scene_at(scene, 3).representations[0].visible);
}

TEST(MovieKeys, FramesGoEvenlyInBothDirections) {
  Scene scene = two_keys();
  scene.keys[1].frame = 100;
  for (int i = 0; i <= 100; ++i)
    EXPECT_EQ(scene_at(scene, 1 + i / 50.0).frame, static_cast<std::size_t>(i)) << "each once, none left out";
  std::swap(scene.keys[0].frame, scene.keys[1].frame);
  EXPECT_EQ(scene_at(scene, 1.5).frame, 75u);
}

TEST(MovieKeys, WhatIsHiddenFadesIn) {
  Scene scene = two_keys();
  scene.keys[0].representations[0] = {false, 1, {}};
  scene.keys[1].representations[0] = {true, 0.8f, {}};
  EXPECT_FALSE(scene_at(scene, 1).representations[0].visible);
  EXPECT_TRUE(scene_at(scene, 1.5).representations[0].visible);
  EXPECT_FLOAT_EQ(scene_at(scene, 1.5).representations[0].opacity, 0.2f);
  EXPECT_FLOAT_EQ(scene_at(scene, 3).representations[0].opacity, 0.8f);
  // Hidden at both: hidden between them, whatever their opacities are.
  scene.keys[1].representations[0].visible = false;
  EXPECT_FALSE(scene_at(scene, 2).representations[0].visible);
}

TEST(MovieKeys, IsovaluesGoEvenlyFromTheUsualOne) {
  Scene scene = two_keys();
  scene.fields[0].kind = Field::Kind::orbital;  // usual: 0.05
  scene.keys[1].fields[0].isovalue = 0.01;
  EXPECT_NEAR(scene_at(scene, 2).fields[0].isovalue, 0.03, 1e-15);
  EXPECT_EQ(scene_at(scene, 1).fields[0].isovalue, 0);
  scene.keys[0].fields[0].enclosed = 0.5;
  scene.keys[1].fields[0].enclosed = 0.9;
  scene.keys[1].fields[0].slice_offset = 4;
  EXPECT_NEAR(scene_at(scene, 2).fields[0].enclosed, 0.7, 1e-15);
  EXPECT_NEAR(scene_at(scene, 2.5).fields[0].slice.offset, 3, 1e-15);
  scene.keys[1].fields[0].enclosed = 0;
  EXPECT_EQ(scene_at(scene, 2.9).fields[0].enclosed, 0.5);
}

TEST(MovieKeys, ColoursAreEvenInLightness) {
  // Of Oklab, L of grey is the cube root of its light: half way between black and white the light is 1/8, in bytes of
  // sRGB 255 (1.055 (1/8)^(1/2.4) - 0.055) = 99.1.
  EXPECT_EQ(between({0, 0, 0, 0}, {255, 255, 255, 255}, 0.5), glm::u8vec4(99, 99, 99, 128));
  // A quarter of the way: light 1/64.
  EXPECT_EQ(between({0, 0, 0, 255}, {255, 255, 255, 255}, 0.25).r,
            std::lround(255 * (1.055 * std::pow(1 / 64.0, 1 / 2.4) - 0.055)));
  const glm::u8vec4 blue{0, 114, 178, 255}, orange{213, 94, 0, 255};
  EXPECT_EQ(between(blue, orange, 0), blue);
  EXPECT_EQ(between(blue, orange, 1), orange);
  Scene scene = two_keys();
  scene.keys[0].fields[0].colour = blue;
  scene.keys[1].fields[0].colour = orange;
  EXPECT_EQ(scene_at(scene, 2).fields[0].colour, between(blue, orange, 0.5));
  // Without alpha a representation has the elements' colours, to which nothing leads.
  scene.keys[1].representations[0].colour = orange;
  EXPECT_EQ(scene_at(scene, 2).representations[0].colour, glm::u8vec4(0, 0, 0, 0));
}

TEST(MovieKeys, ClipPlanesMoveAndTurn) {
  Scene scene = two_keys();
  ClipPlane plane;
  plane.offset = 2;
  scene.keys[0].clip_planes = {plane};
  plane.offset = 6;
  plane.normal = {5, 0, 0};
  scene.keys[1].clip_planes = {plane};
  const ClipPlane half = scene_at(scene, 2).clip_planes.at(0);
  EXPECT_NEAR(half.offset, 4, 1e-12);
  EXPECT_NEAR(half.normal.x, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(half.normal.z, std::sqrt(0.5), 1e-12);
  // Opposite ones: a half turn, never a plane without a direction.
  scene.keys[1].clip_planes[0].normal = {0, 0, -1};
  for (int i = 0; i <= 10; ++i) {
    const glm::dvec3 n = glm::normalize(scene_at(scene, 1 + 0.2 * i).clip_planes[0].normal);
    EXPECT_NEAR(n.z, std::cos(M_PI * i / 10), 1e-9);
  }
  scene.keys[1].clip_planes.clear();
  EXPECT_EQ(scene_at(scene, 2.9).clip_planes.size(), 1u);
  EXPECT_TRUE(scene_at(scene, 3).clip_planes.empty());
}

TEST(MovieKeys, OneIsTheSceneAtAllTimesAndNoneIsTheScene) {
  Scene scene = two_keys();
  scene.frame = 3;
  scene.keys.pop_back();
  scene.keys[0].frame = 7;
  for (const double t : {0.0, 1.0, 9.0}) EXPECT_EQ(scene_at(scene, t).frame, 7u);
  scene.keys.clear();
  EXPECT_EQ(scene_at(scene, 5), scene);
}

TEST(MovieKeys, AreRefusedWhereTheyMakeNoMovie) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(fault_of([&] { scene_at(two_keys(), nan); }).find("expected seconds"), std::string::npos);
  Scene scene = two_keys();
  scene.keys[1].time = nan;
  EXPECT_NE(fault_of([&] { check_keys(scene.keys); }).find("keys[1].time: expected seconds from 0"), std::string::npos);
  scene.keys[1].time = -1;
  EXPECT_THROW(check_keys(scene.keys), Error);
  scene.keys[1].time = scene.keys[0].time;
  const std::string equal = fault_of([&] { scene_from_json(scene_to_json(scene)); });
  EXPECT_NE(equal.find("keys[1].time: 1 s is the time of keys[0] too"), std::string::npos) << equal;
}

TEST(MovieKeys, ComeInTheOrderOfTheirTimes) {
  Scene scene = two_keys();
  std::swap(scene.keys[0], scene.keys[1]);
  scene.keys[1].frame = 8;  // the first of the movie
  const Scene read = scene_from_json(scene_to_json(scene));
  EXPECT_EQ(read.keys[0].time, 1);
  EXPECT_EQ(read.keys[0].frame, 8u);
  EXPECT_EQ(scene_at(scene, 2).frame, scene_at(read, 2).frame) << "the order in memory does not count either";
  Scene edited = read;
  apply_command(edited, R"(add keys {"time": 2, "frame": 5, "easing": "ease_in"})");
  ASSERT_EQ(edited.keys.size(), 3u);
  EXPECT_EQ(edited.keys[1].frame, 5u);
  EXPECT_EQ(edited.keys[1].easing, Easing::ease_in);
  apply_command(edited, "remove keys[1]");
  EXPECT_EQ(edited, read);
  // Sessions of before have none.
  EXPECT_TRUE(scene_from_json(R"({"format": "isolume-scene", "version": 2})").keys.empty());
}

TEST(MovieKeys, AreChangedByCommandsInAnyOrder) {
  Scene before = two_keys(), after = before;
  before.keys[1].frame = 4;
  after.keys[1].frame = 4;
  after.keys[0].time = 5;
  after.keys[1].time = 7;  // the first one moves past the second on the way
  after.representations.insert(after.representations.begin(), Representation{});
  after.representations[0].selection = "water";
  for (MovieKey& key : after.keys) key.representations.resize(2);
  Scene scene = before;
  for (const std::string& command : scene_changes(before, after)) apply_command(scene, command);
  EXPECT_EQ(scene, after);
  Scene moved = before;
  moved.keys[0].time = 0.5;
  EXPECT_EQ(scene_changes(before, moved), (std::vector<std::string>{"set keys[0].time 0.5"}));
}

TEST(MovieKeys, AreAsTheSceneInWhatTheyDoNotSay) {
  const Scene scene = scene_from_json(
      R"({"format": "isolume-scene", "version": 2, "camera": {"height": 12}, "frame": 3,
          "clip_planes": [{"offset": 2}], "keys": [{"time": 0, "turns": 2}, {"time": 1, "camera": {"height": 6},
          "frame": 0, "clip_planes": []}]})");
  EXPECT_EQ(scene.keys[0].camera, scene.camera);
  EXPECT_EQ(scene.keys[0].frame, 3u);
  EXPECT_EQ(scene.keys[0].clip_planes, scene.clip_planes);
  EXPECT_EQ(scene.keys[0].turns, 2);
  EXPECT_EQ(scene.keys[1].camera.height, 6);
  EXPECT_EQ(scene.keys[1].frame, 0u);
  EXPECT_TRUE(scene.keys[1].clip_planes.empty());
}

TEST(MovieKeys, ArePutAndMoved) {
  Scene scene = two_keys();
  EXPECT_EQ(put_key(scene, key_of(scene, 2)), 1u);
  EXPECT_EQ(put_key(scene, key_of(scene, 0)), 0u);
  ASSERT_EQ(scene.keys.size(), 4u);
  scene.frame = 6;
  EXPECT_EQ(put_key(scene, key_of(scene, 2.0001)), 2u) << "in place of the one that is there";
  EXPECT_EQ(scene.keys.size(), 4u);
  EXPECT_EQ(scene.keys[2].frame, 6u);
  EXPECT_EQ(move_key(scene, 2, 9), 3u);
  EXPECT_EQ(scene.keys[3].frame, 6u);
  EXPECT_EQ(move_key(scene, 3, 1), 3u) << "another one has this time";
  EXPECT_EQ(scene.keys[3].time, 9);
  EXPECT_EQ(move_key(scene, 3, -4), 3u) << "0 is taken too";
  EXPECT_NO_THROW(check_keys(scene.keys));
}

TEST(MovieKeys, FollowTheEntriesOfTheScene) {
  Scene scene = two_keys();
  scene.molecules.resize(2);
  scene.representations.resize(3);
  scene.representations[0].selection = "protein";
  scene.representations[1].selection = "water";
  scene.representations[1].molecule = 1;
  scene.representations[2].selection = "ligand";
  scene.keys = {key_of(scene, 0), key_of(scene, 1)};
  for (std::size_t i = 0; i < 3; ++i) scene.keys[1].representations[i].opacity = 0.1f * static_cast<float>(i + 1);
  const auto opacities = [](const Scene& s) {
    std::vector<float> all;
    for (const KeyedRepresentation& r : s.keys[1].representations) all.push_back(r.opacity);
    return all;
  };
  using Opacities = std::vector<float>;
  Scene removed = scene;
  apply_command(removed, "remove representations[0]");
  EXPECT_EQ(opacities(removed), (Opacities{0.1f * 2, 0.1f * 3}));
  Scene turned = scene;
  std::swap(turned.representations[0], turned.representations[2]);
  follow_entries(scene, turned);
  EXPECT_EQ(opacities(turned), (Opacities{0.1f * 3, 0.1f * 2, 0.1f}));
  Scene added = scene;
  Representation label;
  label.opacity = 0.9f;
  added.representations.insert(added.representations.begin(), label);
  follow_entries(scene, added);
  EXPECT_EQ(opacities(added), (Opacities{0.9f, 0.1f, 0.1f * 2, 0.1f * 3}));
  Scene changed = scene;
  apply_command(changed, "set representations[1].style spheres");
  EXPECT_EQ(opacities(changed), opacities(scene));
  // The first molecule goes with what shows it; the other one has its number.
  Scene alone = scene;
  apply_command(alone, "remove molecules[0]");
  ASSERT_EQ(alone.representations.size(), 1u);
  EXPECT_EQ(opacities(alone), (Opacities{0.1f * 2}));
  EXPECT_EQ(scene_changes(scene, alone), (std::vector<std::string>{"remove molecules[0]"}));
}

}  // namespace
}  // namespace isolume
