// Times path tracing: a million spheres with shadows and occlusion, the hierarchy that is built for them, and clouds.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/trace/trace.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Atoms of a ball, at the density of proteins (one in 10 cubic angstrom), each within a cell of its own.
TraceScene ball(std::size_t count) {
  const double radius = std::cbrt(10.0 * static_cast<double>(count) * 3 / (4 * 3.14159265358979));
  const double step = std::cbrt(10.0);
  std::mt19937_64 engine(1);
  const auto next = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
  TraceScene scene;
  scene.materials.emplace_back();
  scene.materials.back().reflectance = 0.04f;
  constexpr glm::u8vec4 colours[] = {{144, 144, 144, 255}, {48, 80, 248, 255}, {255, 13, 13, 255}, {255, 200, 50, 255}};
  const int reach = static_cast<int>(radius / step) + 1;
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const glm::dvec3 at = step * glm::dvec3(x + 0.6 * next(), y + 0.6 * next(), z + 0.6 * next());
        if (glm::length(at) > radius) continue;
        scene.spheres.emplace_back(glm::vec3(at), static_cast<float>(1.5 + 0.3 * next()));
        scene.sphere_colours.push_back(colours[engine() % 4]);
        scene.sphere_materials.push_back(0);
      }
  return scene;
}

TraceView view_of(const TraceScene& scene, int width, int height) {
  float radius = 0;
  for (const glm::vec4& s : scene.spheres) radius = std::max(radius, glm::length(glm::vec3(s)) + s.w);
  TraceView view;
  view.width = width;
  view.height = height;
  view.bounces = 1;
  view.camera.eye = {0, 0, 4 * radius};
  view.camera.half_height = 0.275f;
  view.light.sun = glm::vec3(0.75f);
  view.light.direction = glm::normalize(glm::vec3(-0.35f, 0.6f, 0.8f));
  view.light.angle = 0.06f;
  view.light.sky = glm::vec3(0.6f);
  view.light.ground = glm::vec3(0.3f);
  return view;
}

/// Ten thousand atoms in a cloud of 129 x 129 x 129 points, which is dense in a shell about them and clear outside.
TraceScene clouded_ball() {
  TraceScene scene = ball(10'000);
  constexpr int points = 129;
  const double outer = 50, step = 2 * outer / (points - 1);
  auto volume = std::make_shared<Volume>();
  volume->grid = {glm::dvec3(-outer), glm::dmat3(step), glm::ivec3(points)};
  volume->values.reserve(volume->grid.size());
  for (int z = 0; z < points; ++z)
    for (int y = 0; y < points; ++y)
      for (int x = 0; x < points; ++x) {
        const double r = glm::length(step * glm::dvec3(x, y, z) - glm::dvec3(outer));
        volume->values.push_back(static_cast<float>(std::exp(-0.02 * (r - 32) * (r - 32))));
      }
  TraceCloud cloud;
  cloud.volume = volume;
  cloud.transfer = {{0.1f, 0.2f, 0.9f, 0.0f}, {0.5f, 0.5f, 0.9f, 0.05f}, {0.9f, 0.6f, 0.2f, 0.15f}};
  cloud.lower = 0.05f;
  scene.clouds.push_back(std::move(cloud));
  return scene;
}

void time_on(Device device, const TraceScene& scene, int width, int height, int samples, int bounces, int repeats) {
  TraceView view = view_of(scene, width, height);
  view.bounces = bounces;
  Job job;
  const auto begin = Clock::now();
  const double processor = processor_seconds();
  Tracer tracer(scene, device, job);
  const double built = seconds_since(begin), built_processor = processor_seconds() - processor;
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  DeviceArray<float> radiance(4 * pixels, device), squares(pixels, device);
  std::vector<double> seconds;
  double used = 0;
  std::uint64_t rays = 0;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    const double before = processor_seconds();
    const std::uint64_t earlier = tracer.rays();
    tracer.trace(view, samples, 0, {radiance.span(), squares.span(), {}, {}, {}}, job);
    seconds.push_back(seconds_since(start));
    used = processor_seconds() - before;
    rays = tracer.rays() - earlier;
  }
  std::sort(seconds.begin(), seconds.end());
  const std::vector<float> light = radiance.copy_to_host(), square = squares.copy_to_host();
  double covered = 0, variance = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    if (!(light[4 * i + 3] > 0)) continue;
    double mean = 0;
    constexpr double weights[3] = {0.2126, 0.7152, 0.0722};
    for (std::size_t c = 0; c < 3; ++c) mean += weights[c] * static_cast<double>(light[4 * i + c]) / samples;
    variance += std::max(static_cast<double>(square[i]) / samples - mean * mean, 0.0) / samples;
    covered += 1;
  }
  fmt::print(
      "{} {} spheres, {} clouds, {} x {}, {} samples, {} bounces: hierarchy {:.3f} s ({:.2f} s of processors), samples "
      "median "
      "{:.3f} s of {} (least {:.3f}, processors {:.2f} s), {:.1f} million rays, {:.1f} million rays/s, {:.0f} % "
      "covered, standard error {:.4f}\n",
      to_string(device), scene.spheres.size(), scene.clouds.size(), width, height, samples, bounces, built,
      built_processor, seconds[seconds.size() / 2], repeats, seconds.front(), used, static_cast<double>(rays) / 1e6,
      static_cast<double>(rays) / 1e6 / seconds[seconds.size() / 2], 100 * covered / static_cast<double>(pixels),
      std::sqrt(variance / std::max(covered, 1.0)));
}

}  // namespace
}  // namespace isolume

/// bench_trace [small | WIDTH HEIGHT SAMPLES]: all devices; `small` takes a sixteenth of the pixels on the CPU, of
/// which times scale with their number. Clouds are traced in a sixteenth of the pixels there, always.
int main(int argc, char** argv) {
  using namespace isolume;
  const bool small = argc > 1 && std::string(argv[1]) == "small";
  const TraceScene million = ball(1'000'000), clouded = clouded_ball();
  for (const DeviceInfo& info : list_devices()) {
    if (!info.usable) continue;
    fmt::print("{}: {}\n", to_string(info.device), info.name);
    if (info.device.is_cuda()) {
      for (const int bounces : {1, 4}) time_on(info.device, million, 1920, 1080, 64, bounces, 5);
      for (const int bounces : {1, 4}) time_on(info.device, clouded, 1920, 1080, 64, bounces, 5);
      time_on(info.device, ball(64'000'000), 1920, 1080, 64, 1, 3);
    } else if (argc > 3) {
      time_on(info.device, million, std::stoi(argv[1]), std::stoi(argv[2]), std::stoi(argv[3]), 1, 1);
    } else {
      time_on(info.device, million, small ? 480 : 1920, small ? 270 : 1080, 64, 1, 1);
      time_on(info.device, clouded, 480, 270, 64, 1, 1);
    }
  }
}
