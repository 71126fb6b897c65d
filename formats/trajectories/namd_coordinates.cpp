// Binary coordinates and velocities of NAMD.
#include "formats/trajectories/namd_coordinates.h"

#include <cmath>
#include <utility>
#include <vector>

#include "formats/bytes/binary.h"
#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

constexpr std::uint64_t bytes_each = 3 * sizeof(double);
constexpr double velocity_unit = 20.45482706;  // angstrom/ps

/// One frame that has velocities alone.
class VelocityTrajectory final : public Trajectory {
 public:
  explicit VelocityTrajectory(std::vector<glm::vec3> velocities) : velocities_(std::move(velocities)) {}
  std::size_t frame_count() const override { return 1; }
  std::size_t atom_count() const override { return velocities_.size(); }
  Frame frame(std::size_t index) const override {
    if (index > 0) throw Error("a file of velocities has one frame", Error::Kind::usage);
    Frame frame;
    frame.velocities = velocities_;
    return frame;
  }

 private:
  std::vector<glm::vec3> velocities_;
};

/// Whether the number of atoms that begins the file, in one byte order, is what its length holds.
bool fits(const ByteSource& source, bool swap) {
  const auto bytes = source.bytes();
  if (bytes.size() < sizeof(std::int32_t) + bytes_each) return false;
  const auto atoms = load_number<std::int32_t>(bytes.data(), swap);
  return atoms > 0 && bytes.size() == sizeof(std::int32_t) + static_cast<std::uint64_t>(atoms) * bytes_each;
}

int sniff(const ByteSource& source) {
  return fits(source, false) || fits(source, true) ? 82 : 0;
}

FilePositions read_vectors(const ByteSource& source, double unit, const char* what) {
  const bool swap = !fits(source, false);
  BinaryCursor cursor(source, swap);
  const auto atoms = static_cast<std::uint64_t>(cursor.get<std::uint32_t>("the number of atoms"));
  if (!fits(source, swap)) {
    cursor.fail("the file has " + std::to_string(source.bytes().size()) +
                " bytes; the number of atoms that it begins with, " +
                std::to_string(load_number<std::int32_t>(source.bytes().data(), false)) + " or " +
                std::to_string(load_number<std::int32_t>(source.bytes().data(), true)) +
                " in the other byte order, takes 4 and 24 for each atom");
  }
  if (atoms > source.limits().atoms) cursor.fail("more atoms than the limit allows");
  FilePositions vectors;
  vectors.positions.reserve(atoms);
  constexpr std::uint64_t poll = 1 << 18;
  for (std::uint64_t i = 0; i < atoms; ++i) {
    if (i % poll == 0) check_stop();
    glm::dvec3 vector;
    for (int axis = 0; axis < 3; ++axis) {
      const double value = cursor.get<double>(what) * unit;
      if (!std::isfinite(static_cast<float>(value))) cursor.fail(std::string(what) + ": a number is not finite");
      vector[axis] = value;
    }
    add_position(vector, vectors.positions, vectors.precise);
  }
  return vectors;
}

Molecule read_positions(std::shared_ptr<const ByteSource> source) {
  Molecule molecule;
  Frame frame;
  FilePositions positions = read_vectors(*source, 1, "the positions");
  frame.positions = std::move(positions.positions);
  frame.precise_positions = std::move(positions.precise);
  molecule.trajectory = std::make_shared<MemoryTrajectory>(std::vector<Frame>{std::move(frame)});
  return molecule;
}

Molecule read_velocities(std::shared_ptr<const ByteSource> source) {
  Molecule molecule;
  molecule.trajectory =
      std::make_shared<VelocityTrajectory>(read_vectors(*source, velocity_unit, "the velocities").positions);
  return molecule;
}

}  // namespace

bool only_velocities(const Trajectory& trajectory) {
  return dynamic_cast<const VelocityTrajectory*>(&trajectory) != nullptr;
}

const Format namd_coordinates_format = {"NAMD coordinates", "coor", "trajectory", sniff, read_positions};
const Format namd_velocities_format = {"NAMD velocities", "vel", "trajectory", sniff, read_velocities};

}  // namespace isolume
