// DCD trajectories of CHARMM, NAMD, X-PLOR, LAMMPS, VMD and others.
#include "formats/trajectories/dcd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "formats/bytes/binary.h"
#include "formats/trajectories/dcd_records.h"
#include "molecule/base/stop.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

using namespace dcd;

constexpr std::uint64_t poll = 1 << 20;  // numbers between two looks at whether the reading is to stop

class DcdTrajectory final : public Trajectory {
 public:
  DcdTrajectory(std::shared_ptr<const ByteSource> source, const Layout& layout);

  std::size_t frame_count() const override { return frames_; }
  std::size_t atom_count() const override { return atoms_; }
  Frame frame(std::size_t index) const override;

  std::vector<std::string> warnings;
  std::string title;

 private:
  void read_header();
  void count_frames();
  std::uint64_t frame_bytes(std::uint64_t atoms) const {
    const std::uint64_t records = has_w_ ? 4 : 3;
    return (has_cell_ ? 48u + 2u * layout_.marker : 0u) + records * (4 * atoms + 2 * layout_.marker);
  }
  void read_axes(BinaryCursor& cursor, std::vector<glm::vec3>& out, bool only_free) const;

  std::shared_ptr<const ByteSource> source_;
  Layout layout_;
  int version_ = 0;
  bool has_cell_ = false;
  bool has_w_ = false;
  std::uint64_t declared_frames_ = 0;
  double first_step_ = 0, stride_ = 1, time_step_ = 0;
  std::uint64_t atoms_ = 0;
  std::vector<std::uint32_t> free_;  ///< atoms that move; empty: all
  std::uint64_t first_frame_ = 0;
  std::size_t frames_ = 0;
  std::vector<glm::vec3> first_positions_;  ///< where there are fixed atoms
};

DcdTrajectory::DcdTrajectory(std::shared_ptr<const ByteSource> source, const Layout& layout)
    : source_(std::move(source)), layout_(layout) {
  read_header();
  count_frames();
  if (!free_.empty()) {
    BinaryCursor cursor(*source_, layout_.swap, first_frame_);
    if (has_cell_) take_record(cursor, layout_.marker, "the unit cell");
    first_positions_.resize(atoms_);
    read_axes(cursor, first_positions_, false);
  }
  if (frames_ > 0) frame(0);  // a file whose first frame is damaged is refused at once
}

void DcdTrajectory::read_header() {
  BinaryCursor cursor(*source_, layout_.swap);
  const Record header = take_record(cursor, layout_.marker, "the header");
  BinaryCursor fields(*source_, layout_.swap, header.offset + 4);
  std::array<std::int32_t, 20> control{};
  for (std::int32_t& value : control) value = fields.get<std::int32_t>("the header");
  version_ = control[19];
  declared_frames_ = control[0] > 0 ? static_cast<std::uint64_t>(control[0]) : 0;
  first_step_ = control[1];
  stride_ = control[2] > 0 ? control[2] : 1;
  BinaryCursor step(*source_, layout_.swap, header.offset + 4 + 36);
  // X-PLOR (version 0) has a double where CHARMM has a float followed by its flags.
  const double delta = version_ != 0 ? step.get<float>("the time step") : step.get<double>("the time step");
  has_cell_ = version_ != 0 && control[10] != 0;
  has_w_ = version_ != 0 && control[11] != 0;
  if (std::isfinite(delta) && delta > 1e-12 && delta < 1e12) time_step_ = delta * units::akma_time_in_ps;

  const Record titles = take_record(cursor, layout_.marker, "the title");
  if (titles.bytes >= 84) {
    std::string line(source_->text().substr(titles.offset + 4, 80));
    line = line.substr(0, line.find('\0'));
    line.erase(line.find_last_not_of(' ') + 1);
    title = line;
  }
  const Record count = take_record(cursor, layout_.marker, "the number of atoms");
  if (count.bytes < 4) cursor.fail("the record of the number of atoms is too short");
  const auto atoms = BinaryCursor(*source_, layout_.swap, count.offset).get<std::int32_t>("the number of atoms");
  if (atoms <= 0) cursor.fail("the number of atoms is " + std::to_string(atoms));
  atoms_ = static_cast<std::uint64_t>(atoms);
  if (atoms_ > source_->limits().atoms || atoms_ * 12 > cursor.left()) {
    cursor.fail(std::to_string(atoms_) + " atoms do not fit in the " + std::to_string(cursor.left()) +
                " bytes that follow");
  }
  if (control[8] < 0 || static_cast<std::uint64_t>(control[8]) >= atoms_) {
    cursor.fail(std::to_string(control[8]) + " of " + std::to_string(atoms_) + " atoms are said to be fixed");
  }
  if (control[8] > 0) {
    const std::uint64_t moving = atoms_ - static_cast<std::uint64_t>(control[8]);
    const Record list = take_record(cursor, layout_.marker, "the list of free atoms");
    if (list.bytes != 4 * moving) cursor.fail("the list of free atoms does not have " + std::to_string(moving));
    BinaryCursor numbers(*source_, layout_.swap, list.offset);
    free_.reserve(moving);
    for (std::uint64_t i = 0; i < moving; ++i) {
      const auto number = numbers.get<std::int32_t>("the list of free atoms");
      if (number < 1 || static_cast<std::uint64_t>(number) > atoms_) {
        numbers.fail("free atom " + std::to_string(number) + " of " + std::to_string(atoms_));
      }
      free_.push_back(static_cast<std::uint32_t>(number - 1));
    }
  }
  first_frame_ = cursor.offset();
  if (has_w_) warnings.push_back("The fourth coordinate of this 4D trajectory is left out.");
}

void DcdTrajectory::count_frames() {
  const std::uint64_t left = source_->bytes().size() - first_frame_;
  const std::uint64_t first = frame_bytes(atoms_);
  if (left < first) {
    BinaryCursor(*source_, layout_.swap, first_frame_).need(first, "the first frame");
  }
  const std::uint64_t other = frame_bytes(free_.empty() ? atoms_ : free_.size());
  frames_ = 1 + (left - first) / other;
  const std::uint64_t rest = (left - first) % other;
  if (rest != 0) {
    warnings.push_back("The file ends inside frame " + std::to_string(frames_ + 1) + "; the " +
                       std::to_string(frames_) + " whole frames before it are read.");
  } else if (declared_frames_ != 0 && declared_frames_ != frames_) {
    warnings.push_back("The header says " + std::to_string(declared_frames_) + " frames; the file has " +
                       std::to_string(frames_) + ".");
  }
}

/// Copies numbers into every third place, without a branch for each; false where one is not finite.
bool copy_finite(const std::byte* from, std::uint64_t count, float* to) {
  std::uint32_t largest = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from + 4 * i, sizeof(bits));
    largest = std::max(largest, bits & 0x7fffffffu);
    std::memcpy(to + 3 * i, &bits, sizeof(bits));
  }
  return largest < 0x7f800000u;
}

void DcdTrajectory::read_axes(BinaryCursor& cursor, std::vector<glm::vec3>& out, bool only_free) const {
  static constexpr std::array<const char*, 4> names = {"the x coordinates", "the y coordinates", "the z coordinates",
                                                       "the fourth coordinates"};
  const std::uint64_t count = only_free ? free_.size() : atoms_;
  for (unsigned axis = 0; axis < (has_w_ ? 4u : 3u); ++axis) {
    const Record record = take_record(cursor, layout_.marker, names[axis]);
    if (record.bytes != 4 * count) {
      BinaryCursor(*source_, layout_.swap, record.offset)
          .fail("the record of " + std::string(names[axis]) + " has " + std::to_string(record.bytes) + " bytes; " +
                std::to_string(4 * count) + " expected");
    }
    if (axis == 3) break;
    check_stop();
    const std::byte* at = source_->bytes().data() + record.offset;
    if (!layout_.swap && !only_free && count > 0 && copy_finite(at, count, &out[0][static_cast<int>(axis)])) continue;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i % poll == 0) check_stop();
      const float value = load_number<float>(at + 4 * i, layout_.swap);
      if (!std::isfinite(value)) {
        throw Error::in_file(source_->name(), 0,
                             "atom " + std::to_string(i + 1) + " of " + names[axis] + " is not finite",
                             static_cast<std::int64_t>(record.offset + 4 * i));
      }
      out[only_free ? free_[i] : i][static_cast<int>(axis)] = value;
    }
  }
}

Frame DcdTrajectory::frame(std::size_t index) const {
  if (index >= frames_) {
    throw Error("frame " + std::to_string(index + 1) + ": the trajectory has " + std::to_string(frames_),
                Error::Kind::usage);
  }
  const bool only_free = index > 0 && !free_.empty();
  const std::uint64_t other = frame_bytes(free_.empty() ? atoms_ : free_.size());
  const std::uint64_t offset = index == 0 ? first_frame_ : first_frame_ + frame_bytes(atoms_) + (index - 1) * other;
  BinaryCursor cursor(*source_, layout_.swap, offset);
  Frame frame;
  if (has_cell_) {
    const Record record = take_record(cursor, layout_.marker, "the unit cell");
    if (record.bytes != 48) cursor.fail("the record of the unit cell has " + std::to_string(record.bytes) + " bytes");
    std::array<double, 6> numbers{};
    for (std::size_t i = 0; i < 6; ++i) {
      numbers[i] = load_number<double>(source_->bytes().data() + record.offset + 8 * i, layout_.swap);
    }
    try {
      frame.cell = cell_from(numbers, version_);
    } catch (const Error& error) {
      throw Error::in_file(source_->name(), 0, error.what(), static_cast<std::int64_t>(record.offset));
    }
  }
  if (only_free) {
    frame.positions = first_positions_;
  } else {
    frame.positions.resize(atoms_);
  }
  read_axes(cursor, frame.positions, only_free);
  if (time_step_ > 0) {
    frame.time = (first_step_ + static_cast<double>(index) * stride_) * time_step_;
    frame.has_time = true;
  }
  return frame;
}

int sniff(const ByteSource& source) {
  return layout_of(source).found ? 100 : 0;
}

Molecule read(std::shared_ptr<const ByteSource> source) {
  const Layout layout = layout_of(*source);
  if (!layout.found) {
    throw Error::in_file(source->name(), 0, "a DCD begins with a record of 84 bytes that starts with CORD", 0);
  }
  if (layout.velocities) {
    throw Error::in_file(source->name(), 0, "this DCD holds velocities (VELD), not coordinates (CORD)", 0);
  }
  const auto trajectory = std::make_shared<DcdTrajectory>(source, layout);
  Molecule molecule;
  molecule.format = "DCD";
  molecule.title = trajectory->title;
  molecule.warnings = trajectory->warnings;
  molecule.trajectory = trajectory;
  return molecule;
}

}  // namespace

const Format dcd_format = {"DCD", "dcd", "trajectory", sniff, read};

}  // namespace isolume
