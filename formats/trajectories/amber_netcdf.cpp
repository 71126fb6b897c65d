// AMBER trajectories and restart files in NetCDF.
#include "formats/trajectories/amber_netcdf.h"

#include <cmath>
#include <utility>

#include "formats/bytes/binary.h"
#include "formats/bytes/text.h"
#include "formats/trajectories/netcdf.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"

namespace isolume {
namespace {

constexpr double farthest = 1e6;  // angstrom, as in other readers

/// The header and the source, kept by all frames.
struct File {
  std::shared_ptr<const ByteSource> source;
  NetcdfHeader header;
  std::uint64_t atoms = 0;

  explicit File(std::shared_ptr<const ByteSource> source_) : source(std::move(source_)), header(*source) {}

  [[noreturn]] void fail(const std::string& message) const { throw Error::in_file(source->name(), 0, message); }

  double scale_of(const NetcdfHeader::Variable& variable) const {
    const auto found = variable.attributes.find("scale_factor");
    if (found == variable.attributes.end() || found->second.numbers.empty()) return unit_of(variable);
    const double scale = found->second.numbers[0];
    if (!std::isfinite(scale)) fail("a scale_factor that is not finite");
    return scale * unit_of(variable);
  }

  /// The convention's units are angstrom and ps; some programs write others and say so.
  static double unit_of(const NetcdfHeader::Variable& variable) {
    const auto found = variable.attributes.find("units");
    if (found == variable.attributes.end()) return 1;
    const std::string units = upper(found->second.text);
    const auto has = [&](const char* word) { return units.find(word) != std::string::npos; };
    const double time = has("FEMTOSECOND") ? 1e-3 : 1;
    const double length = has("NANOMETER") ? 10 : 1;
    return length * (has("/") ? 1 / time : time);
  }

  std::vector<glm::vec3> vectors(const char* name, std::uint64_t record, double limit) const {
    std::vector<glm::vec3> out;
    const NetcdfHeader::Variable* variable = header.find(name);
    if (variable == nullptr || variable->items != 3 * atoms) return out;
    const double scale = scale_of(*variable);
    header.read(*source, *variable, record, 3 * atoms - 1,
                1);  // the last is there, so that no header makes us allocate
    out.resize(atoms);
    constexpr std::uint64_t part = 1 << 16;
    for (std::uint64_t first = 0; first < 3 * atoms; first += part) {
      check_stop();
      const std::uint64_t count = std::min(part, 3 * atoms - first);
      const auto values = header.read(*source, *variable, record, first, count);
      for (std::uint64_t i = 0; i < count; ++i) {
        const double value = values[i] * scale;
        if (!(std::abs(value) <= limit)) {
          fail(std::string(name) + " of atom " + std::to_string((first + i) / 3 + 1) +
               " are not finite or out of range");
        }
        out[(first + i) / 3][static_cast<int>((first + i) % 3)] = static_cast<float>(value);
      }
    }
    return out;
  }

  /// Lengths and angles; no cell where there is none, or one that makes no sense (two-dimensional systems have a length
  /// of 0).
  Cell cell(std::uint64_t record) const {
    const NetcdfHeader::Variable* lengths = header.find("cell_lengths");
    const NetcdfHeader::Variable* angles = header.find("cell_angles");
    if (lengths == nullptr || angles == nullptr || lengths->items != 3 || angles->items != 3) return {};
    const auto a = header.read(*source, *lengths, record);
    const auto b = header.read(*source, *angles, record);
    const double scale = scale_of(*lengths);
    try {
      return Cell::from_lengths_angles(scale * glm::dvec3(a[0], a[1], a[2]), {b[0], b[1], b[2]});
    } catch (const Error&) {
      return {};
    }
  }

  Frame frame(std::uint64_t record) const {
    Frame frame;
    frame.positions = vectors("coordinates", record, farthest);
    frame.velocities = vectors("velocities", record, 1e9);
    frame.forces = vectors("forces", record, 1e12);
    frame.cell = cell(record);
    if (const auto* time = header.find("time"); time != nullptr && time->items == 1) {
      const double value = header.read(*source, *time, record)[0];
      // NetCDF fills what was never written with 9.969e36.
      frame.has_time = std::abs(value) < 9.96e36;
      frame.time = value * scale_of(*time);
      if (!frame.has_time) frame.time = 0;
    }
    return frame;
  }
};

class NetcdfTrajectory final : public Trajectory {
 public:
  NetcdfTrajectory(std::shared_ptr<const File> file, std::size_t frames) : file_(std::move(file)), frames_(frames) {}
  std::size_t frame_count() const override { return frames_; }
  std::size_t atom_count() const override { return file_->atoms; }
  Frame frame(std::size_t index) const override {
    if (index >= frames_) {
      throw Error("frame " + std::to_string(index) + ": " + file_->source->name() + " has " + std::to_string(frames_) +
                      ", counted from 0",
                  Error::Kind::usage);
    }
    return file_->frame(index);
  }

 private:
  std::shared_ptr<const File> file_;
  std::size_t frames_;
};

int sniff(const ByteSource& source) {
  if (!is_netcdf_classic(source)) return 0;
  return source.text().substr(0, 4096).find("AMBER") != std::string_view::npos ? 98 : 85;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  auto file = std::make_shared<File>(std::move(source));
  const NetcdfHeader::Variable* positions = file->header.find("coordinates");
  if (positions == nullptr) {
    file->fail("a NetCDF file without the variable coordinates: no trajectory by AMBER's convention");
  }
  file->atoms = positions->items / 3;
  if (positions->shape.empty() || positions->shape.back() != 3 || file->atoms == 0) {
    file->fail("expected coordinates of atoms by 3, found " + std::to_string(positions->items) + " numbers");
  }
  if (file->atoms > file->source->limits().atoms) file->fail("more atoms than the limit allows");
  if (positions->type != NetcdfHeader::Type::float32 && positions->type != NetcdfHeader::Type::float64) {
    file->fail("expected coordinates that are floating-point numbers");
  }
  Molecule molecule;
  if (const auto title = file->header.attributes().find("title"); title != file->header.attributes().end()) {
    molecule.title = title->second.text;
  }
  const std::uint64_t frames = positions->record ? file->header.records() : 1;
  if (frames == 0) file->fail("no whole frame in this file");
  if (file->header.damaged()) {
    molecule.warnings.push_back("The file is cut short: it has " + std::to_string(frames) +
                                " whole frames, fewer than its header says.");
  }
  const bool has_cells = file->header.find("cell_lengths") != nullptr;
  auto trajectory = std::make_shared<NetcdfTrajectory>(std::move(file), frames);
  const Frame first = trajectory->frame(0);  // a file whose first frame is damaged is refused at once
  if (has_cells && !first.cell.exists()) {
    molecule.warnings.push_back("The cell of the first frame has no volume and is left out.");
  }
  molecule.trajectory = std::move(trajectory);
  return molecule;
}

}  // namespace

const Format amber_netcdf_format = {"AMBER NetCDF", "nc ncdf ncrst", "trajectory", sniff, read};

}  // namespace isolume
