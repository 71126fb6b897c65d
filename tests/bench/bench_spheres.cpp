// Times pictures of turning spheres, with and without culling, in the same run.
//
// bench_spheres [SIDE | FILE] [WIDTH] [HEIGHT] [PICTURES] [PICTURES without culling]
// SIDE: a cube of SIDE^3 atoms at the density of water. FILE: a structure, read and represented as the program does,
// with the most memory that was in use after each step.
#include <epoxy/gl.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/read.h"
#include "molecule/base/threads.h"
#include "render/gl/context.h"
#include "render/gl/framebuffer.h"
#include "render/gl/texture.h"
#include "render/renderer.h"
#include "render/represent/colour.h"
#include "render/represent/represent.h"
#include "render/represent/sphere_chunks.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// A number from 0 to 1 of a place and a use (a hash, so that all threads can make them).
float noise(std::uint64_t place, std::uint64_t use) {
  std::uint64_t x = place * 0x9e3779b97f4a7c15u + use * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<float>((x ^ (x >> 31)) >> 40) * 0x1.0p-24f;
}

/// A cube of atoms at the density of water, one in 10 cubic angstrom, each anywhere in a cell of its own: oxygen and
/// hydrogen.
Spheres water(std::size_t side) {
  const float step = std::cbrt(10.0f), middle = 0.5f * static_cast<float>(side);
  Spheres made;
  made.spheres.resize(side * side * side);
  made.colours.resize(made.spheres.size());
  made.parts.resize(made.spheres.size());
  on_threads(side, [&](std::size_t z) {
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x) {
        const std::size_t i = (z * side + y) * side + x;
        const glm::vec3 cell(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
        const glm::vec3 p = step * (cell - middle + 0.8f * glm::vec3(noise(i, 0), noise(i, 1), noise(i, 2)));
        const bool oxygen = i % 3 == 0;
        made.spheres[i] = glm::vec4(p, oxygen ? 1.52f : 1.1f);
        made.colours[i] = oxygen ? glm::u8vec4(255, 13, 13, 255) : glm::u8vec4(255);
        made.parts[i] = static_cast<std::uint32_t>(i);
      }
  });
  return made;
}

/// Says how long a step took, and the most memory that was in use since the program began.
void step(const char* what, Clock::time_point begin) {
  std::string most = "?";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) most = line.substr(6);
  fmt::print("{}: {:.0f} ms, {} at most\n", what, milliseconds_since(begin), most);
  std::fflush(stdout);
}

std::shared_ptr<DrawItem> made(std::size_t side) {
  const auto begin = Clock::now();
  auto item = std::make_shared<DrawItem>();
  item->object = 1;
  item->shape = water(side);
  step(fmt::format("{} spheres made", side * side * side).c_str(), begin);
  return item;
}

std::shared_ptr<DrawItem> opened(const std::string& path) {
  auto begin = Clock::now();
  const Molecule molecule = read_file(path);
  step(fmt::format("{} atoms read", molecule.atom_count()).c_str(), begin);
  begin = Clock::now();
  const Frame frame = molecule.trajectory->frame(0);
  const auto colours = colour_atoms(*molecule.topology, Colouring::element, glm::u8vec4(0));
  const std::vector<std::uint8_t> mask(molecule.atom_count(), 1);
  const auto items = represent(*molecule.topology, frame, mask, Style::spheres, {}, colours, {}, 1, 1);
  step("represented", begin);
  return std::const_pointer_cast<DrawItem>(items.front());
}

struct Times {
  double median = 0, worst = 0, first = 0;
  std::size_t drawn = 0;
};

/// Pictures of a movement, as the window draws them: one sample for each pixel.
Times turn(const SceneView& scene, int width, int height, int pictures, bool at_rest) {
  Renderer renderer;
  const gl::Texture pixels(GL_RGBA8, width, height);
  const gl::Framebuffer target({&pixels}, nullptr);
  renderer.set_fast(!at_rest);
  SceneView view = scene;
  std::vector<double> times;
  Times result;
  for (int i = 0; i <= pictures; ++i) {
    const auto begin = Clock::now();
    renderer.draw(view, target.name(), width, height);
    glFinish();
    (i == 0 ? result.first : times.emplace_back()) = milliseconds_since(begin);
    view.camera.turn({0.1, 1, 0}, 2);
  }
  result.drawn = renderer.spheres_drawn();
  std::sort(times.begin(), times.end());
  if (!times.empty()) result.median = times[times.size() / 2], result.worst = times.back();
  return result;
}

int run(int count, char** arguments) {
  const auto argument = [&](int i, int usual) { return count > i ? std::atoi(arguments[i]) : usual; };
  const int width = argument(2, 1920), height = argument(3, 1114);
  const int pictures = argument(4, 60), plain_pictures = argument(5, pictures);
  const auto context = create_egl_context();
  context->make_current();
  fmt::print("{}\n", gl_info().renderer);

  const std::string what = count > 1 ? arguments[1] : "100";
  const bool is_file = what.find_first_not_of("0123456789") != std::string::npos;
  auto item = is_file ? opened(what) : made(static_cast<std::size_t>(std::atoi(what.c_str())));
  auto& shape = std::get<Spheres>(item->shape);
  SceneView view;
  glm::vec3 low(1e30f), high(-1e30f);
  for (const glm::vec4& s : shape.spheres) low = glm::min(low, glm::vec3(s)), high = glm::max(high, glm::vec3(s));
  view.centre = 0.5 * glm::dvec3(low + high);
  view.radius = 0.5 * glm::length(glm::dvec3(high - low)) + 2;
  view.items = {item};
  view.camera.fit(view.centre, view.radius, static_cast<double>(width) / height);
  view.camera.turn({1, 1, 0}, 30);
  const auto print = [&](const char* how, const char* from, const SceneView& seen, int wanted, bool at_rest) {
    if (wanted < 1) return;
    const Times t = turn(seen, width, height, wanted, at_rest);
    fmt::print("{:<8} {:<8} {:<8} median {:8.2f} ms, worst {:8.2f} ms, first {:8.1f} ms, {} culled\n", how, from,
               at_rest ? "at rest" : "moving", t.median, t.worst, t.first,
               t.drawn > 0 ? fmt::format("{} drawn, the others", t.drawn) : std::string("none"));
    std::fflush(stdout);
  };
  SceneView near = view;
  near.camera.height /= 6;
  near.camera.centre += glm::dvec3{0.25 * view.radius, 0.2 * view.radius, 0.4 * view.radius};
  SceneView far = view;
  far.camera.height *= 8;
  SceneView bare = view;
  bare.look.ambient_occlusion = bare.look.outlines = false;
  SceneView empty = view;
  empty.items.clear();
  print("none", "whole", empty, pictures, false);
  const auto all = [&](const char* how, int wanted) {
    print(how, "whole", view, wanted, false);
    print(how, "bare", bare, wanted, false);
    print(how, "near", near, wanted, false);
    print(how, "far", far, wanted, false);
    print(how, "whole", view, std::min(wanted, 5), true);
  };
  if (plain_pictures > 0) {
    std::vector<SphereChunk> chunks;
    chunks.swap(shape.chunks);
    all("plain", plain_pictures);
    chunks.swap(shape.chunks);
  }
  if (shape.chunks.empty()) {
    const auto begin = Clock::now();
    order_in_chunks(shape);
    step("put in chunks", begin);
  }
  all("culled", pictures);
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** arguments) {
  return isolume::run(count, arguments);
}
