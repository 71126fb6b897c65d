// isolume compute potential --faces: the Debye-Hückel potential on the six faces of a box.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/compute/potential_work.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {

void write_potential_faces(Run& run, const Grid& grid, const std::string& out, const PotentialWork& work,
                           const std::string& unit) {
  for (int axis = 0; axis < 3; ++axis) {
    if (grid.counts[axis] < 2)
      throw Error(fmt::format("--faces: a box of {} x {} x {} points has no six faces; at least two along each axis",
                              grid.counts.x, grid.counts.y, grid.counts.z),
                  Error::Kind::usage);
  }
  const std::size_t count = debye_hueckel_face_points(grid);
  const std::size_t bytes = count * sizeof(float) + work.charges.spheres.size() * 48;
  require_memory(bytes, run.device, "potential on faces");
  require_memory(count * 64, Device::cpu(), "potential on faces");
  run.report.phase("plan");
  const LaunchRecord record;
  DeviceArray<float> values(count, run.device, "potential on faces");
  debye_hueckel_faces(work.charges.spheres, seen_from(grid, work.charges.origin),
                      std::get<DebyeHueckelOptions>(work.potential), values.span(), run.job());
  const std::vector<float> potential = values.copy_to_host();
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(bytes, peak_memory(run.device));
  std::vector<glm::dvec3> points;
  points.reserve(count);
  std::vector<std::size_t> sizes;
  for (const Grid& face : debye_hueckel_face_grids(grid)) {
    sizes.push_back(face.size());
    for (int k = 0; k < face.counts.z; ++k)
      for (int j = 0; j < face.counts.y; ++j)
        for (int i = 0; i < face.counts.x; ++i) points.push_back(face.point(i, j, k));
  }
  std::vector<double> volts(potential.begin(), potential.end());
  std::vector<glm::dvec3> near = points;
  for (glm::dvec3& point : near) point -= work.charges.origin;
  const MapError error = measured_error_at(work.charges.spheres, work.potential, near, volts, run.job());
  run.report.error = error_json(error, work);
  run.report.phase("check");
  run.report.unit = unit;
  run.report.result["faces"] = sizes;
  run.report.result["order"] = "x first, x last, y first, y last, z first, z last; on each the earlier axis fastest";
  for (double& v : volts) v *= work.factor;
  const auto [low, high] = std::minmax_element(volts.begin(), volts.end());
  run.report.result["minimum"] = *low;
  run.report.result["maximum"] = *high;
  run.report.phase("compute");
  write_atomically(out, [&](std::ostream& file) {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), "x (angstrom),y (angstrom),z (angstrom),potential ({})\n", unit);
    for (std::size_t i = 0; i < count; ++i) {
      fmt::format_to(std::back_inserter(text), "{:.9g},{:.9g},{:.9g},{:.8e}\n", points[i].x, points[i].y, points[i].z,
                     volts[i]);
      if (text.size() > (std::size_t{1} << 20) || i + 1 == count) {
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
        text.clear();
      }
    }
  });
  run.say(
      fmt::format("{}: potential of {} charges (total {:.4g} e) at {} points of six faces on {}, {}, error {:.2g} {} "
                  "rms, {:.2g} at most ({:.1e} relative)",
                  out, work.charges.spheres.size(), work.charges.total, count, to_string(run.device),
                  describe(work.potential), error.rms * work.factor, unit, error.max * work.factor, error.relative));
}

}  // namespace isolume::cli
