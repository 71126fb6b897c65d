// Pictures against stored ones. ISOLUME_WRITE_BASELINES=1 writes them again: look at each before it is committed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "render/represent/represent.h"
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

/// What a person does not see: other rounding, rims that are a sample wider.
constexpr double largest_mean = 2.0, largest_dissimilarity = 0.02, largest_colour = 1.5;

/// Mean difference of red and of blue from green (0 to 255) where either picture is not `ground`: a molecule covers a
/// small part of a picture, and its elements a small part of the molecule. Neighbours count, so that rims may move.
double colour_difference(const Image& a, const Image& b, const Image& ground) {
  double sum = 0;
  std::size_t count = 0;
  const auto at = [&](const Image& image, int x, int y) {
    glm::dvec2 mean(0);
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::array<int, 4> p = pixel(image, x + dx, y + dy);
        mean += glm::dvec2(p[0] - p[1], p[2] - p[1]) / 9.0;
      }
    return mean;
  };
  const auto differs = [&](const Image& image, int x, int y) {
    const std::array<int, 4> p = pixel(image, x, y), q = pixel(ground, x, y);
    return std::abs(p[0] - q[0]) + std::abs(p[1] - q[1]) + std::abs(p[2] - q[2]) > 24;
  };
  for (int y = 1; y + 1 < a.height; ++y)
    for (int x = 1; x + 1 < a.width; ++x) {
      if (!differs(a, x, y) && !differs(b, x, y)) continue;
      const glm::dvec2 d = glm::abs(at(a, x, y) - at(b, x, y));
      sum += 0.5 * (d.x + d.y);
      ++count;
    }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

Image ground_of(SceneView view) {
  view.items.clear();
  view.highlights.clear();
  view.show_box = false;
  view.look.axes = false;
  return renderer().picture(view, {.width = 320, .height = 240, .samples = 1});
}

/// True where a person would call the two pictures of a view the same.
bool same_picture(const Image& image, const Image& stored, const Image& ground) {
  const ImageDifference difference = compare(image, stored);
  return difference.mean <= largest_mean && difference.dissimilarity <= largest_dissimilarity &&
         colour_difference(image, stored, ground) <= largest_colour;
}

template <class Change>
Image changed(Image image, const Change& change) {
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) change(&image.rgba[i]);
  return image;
}

void write_png(const std::string& path, const Image& image) {
  std::ofstream(path, std::ios::binary) << encode_png(image);
}

void expect_baseline(const std::string& name, const SceneView& view) {
  const Image image = renderer().picture(view, {.width = 320, .height = 240, .samples = 4});
  const char* root = std::getenv("ISOLUME_BASELINES");
  const std::string path = std::string(root ? root : ISOLUME_BASELINES) + "/" + name + ".png";
  const char* write = std::getenv("ISOLUME_WRITE_BASELINES");
  if (write && std::string(write) == "1") {
    write_png(path, image);
    GTEST_SKIP() << "wrote " << path;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; ISOLUME_WRITE_BASELINES=1 writes it";
  const Image stored = read_png(path), ground = ground_of(view);
  const ImageDifference difference = compare(image, stored);
  const bool same = same_picture(image, stored, ground);
  if (!same) write_png("/tmp/isolume_" + name + ".png", image);
  EXPECT_TRUE(same) << name << ": mean difference " << difference.mean << ", dissimilarity " << difference.dissimilarity
                    << ", of colours " << colour_difference(image, stored, ground) << "; the picture is /tmp/isolume_"
                    << name << ".png";
  // The comparison sees what a person sees at once.
  const auto grey = [](std::uint8_t* p) {
    p[0] = p[1] = p[2] = static_cast<std::uint8_t>((30 * p[0] + 59 * p[1] + 11 * p[2]) / 100);
  };
  EXPECT_FALSE(same_picture(changed(image, grey), stored, ground)) << name << " without its colours";
  const auto exchange = [](std::uint8_t* p) { std::swap(p[0], p[2]); };
  EXPECT_FALSE(same_picture(changed(image, exchange), stored, ground)) << name << " with red and blue exchanged";
}

SceneView fold_scene(Style style, Colouring colouring, float opacity = 1,
                     RibbonProfile profile = RibbonProfile::ribbon) {
  const Peptide fold = small_fold();
  const std::vector<std::uint8_t> mask(fold.topology.atoms.size(), 1);
  std::vector<SecondaryStructure> structure;
  for (const Residue& residue : fold.topology.residues) structure.push_back(residue.structure);
  const auto colours = colour_atoms(fold.topology, colouring, {});
  SceneView view;
  StyleOptions options;
  options.profile = profile;
  view.items = represent(fold.topology, fold.frame, mask, style, options, colours, structure, 1, opacity);
  glm::dvec3 low(1e9), high(-1e9);
  for (const glm::vec3& p : fold.frame.positions) {
    low = glm::min(low, glm::dvec3(p));
    high = glm::max(high, glm::dvec3(p));
  }
  view.centre = 0.5 * (low + high);
  view.radius = glm::length(high - low) / 2 + 2;
  view.camera.turn({0, 1, 0}, 70);
  view.camera.turn({1, 0, 0}, 20);
  view.camera.fit(view.centre, view.radius * 0.52, 320 / 240.0);
  return view;
}

TEST(Baselines, Cartoon) {
  expect_baseline("cartoon", fold_scene(Style::cartoon, Colouring::structure));
}
TEST(Baselines, BallAndStick) {
  expect_baseline("ball_and_stick", fold_scene(Style::ball_and_stick, Colouring::element));
}
TEST(Baselines, Sticks) {
  expect_baseline("sticks", fold_scene(Style::sticks, Colouring::element));
}
TEST(Baselines, Lines) {
  expect_baseline("lines", fold_scene(Style::lines, Colouring::element));
}
TEST(Baselines, Spheres) {
  expect_baseline("spheres", fold_scene(Style::spheres, Colouring::index));
}
TEST(Baselines, Tube) {
  expect_baseline("tube", fold_scene(Style::tube, Colouring::index));
}

TEST(Baselines, CartoonOfCylinders) {
  SceneView view = fold_scene(Style::cartoon, Colouring::structure, 1, RibbonProfile::cylinders);
  for (auto& item : view.items) {
    auto glossy = std::make_shared<DrawItem>(*item);
    glossy->material = Material::glossy;
    item = glossy;
  }
  expect_baseline("cartoon_cylinders", view);
}

TEST(Baselines, GlassAndDepthOfField) {
  SceneView view = fold_scene(Style::sticks, Colouring::element);
  const glm::vec3 middle(view.centre);
  auto bubble = item(surface(ball(middle, 9, 48), {90, 150, 220, 255}), 2);
  bubble->material = Material::glass;
  view.items.push_back(bubble);
  view.look.depth_of_field = 0.02f;
  expect_baseline("glass_and_depth_of_field", view);
}

TEST(Baselines, SpheresOrthographic) {
  SceneView view = fold_scene(Style::spheres, Colouring::element);
  view.camera.projection = Camera::Projection::orthographic;
  view.look.shadows = true;
  expect_baseline("spheres_orthographic", view);
}

TEST(Baselines, TransparentSurfaces) {
  SceneView view = fold_scene(Style::cartoon, Colouring::structure);
  const glm::vec3 middle(view.centre);
  view.items.push_back(item(surface(ball(middle, 9, 48), {90, 150, 220, 255}), 2, 0.35f));
  view.items.push_back(item(surface(ball(middle + glm::vec3(3, 2, 1), 5, 48), {220, 130, 60, 255}), 3, 0.5f));
  Surface net = surface(ball(middle - glm::vec3(9, 5, 4), 5, 8), {60, 60, 70, 255});
  net.style = Surface::Style::wireframe;
  view.items.push_back(item(net, 4));
  expect_baseline("transparent_surfaces", view);
}

TEST(Baselines, Furniture) {
  SceneView view = fold_scene(Style::ball_and_stick, Colouring::element);
  view.look.background = {0.10f, 0.12f, 0.18f};
  view.look.background_bottom = {0.35f, 0.38f, 0.45f};
  view.look.axes = true;
  view.box = Cell::from_lengths_angles({24, 20, 22}, {90, 80, 100});
  view.show_box = true;
  const auto& balls = std::get<Spheres>(view.items.front()->shape);
  for (std::size_t i = 60; i < 72; ++i) view.highlights.push_back(balls.spheres[i]);
  expect_baseline("furniture", view);
}

}  // namespace
}  // namespace isolume::test
