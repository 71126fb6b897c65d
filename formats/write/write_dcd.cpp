// Writing DCD as NAMD and VMD do.
#include <array>
#include <cmath>
#include <cstring>

#include "formats/write/writers.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Little-endian records with 32-bit markers, version 24, cells as lengths and cosines of the angles.
class DcdWriter final : public TrajectoryWriter {
 public:
  DcdWriter(const std::string& path, std::vector<std::uint32_t> atoms, bool growing)
      : path_(path), file_(path, false), atoms_(std::move(atoms)), growing_(growing) {}

  void add(const Frame& frame) override {
    if (frames_ == 0) {
      has_cell_ = frame.cell.exists();
      first_time_ = frame.has_time ? frame.time : 0;
      write_header();
    }
    if (frames_ == 1 && frame.has_time) interval_ = frame.time - first_time_;
    if (frames_ == 0x7fffffff) throw Error(path_ + ": too many frames for DCD");
    if (has_cell_) write_cell(frame.cell);
    std::vector<float> axis(atoms_.size());
    for (int i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < atoms_.size(); ++k) {
        if (atoms_[k] >= frame.positions.size()) throw Error("a frame to be written has too few positions");
        axis[k] = frame.positions[atoms_[k]][i];
      }
      record(axis.data(), axis.size() * sizeof(float));
    }
    ++frames_;
    if (growing_) {
      write_counts();
      file_.publish();
    }
  }

  void finish() override {
    if (frames_ == 0) throw Error(path_ + ": there are no frames to be written", Error::Kind::usage);
    write_counts();
    file_.finish();
  }

 private:
  void write_counts() {
    // Counts and the time step are known only now: NSET, ISTART, NSAVC, NSTEP, and DELTA in AKMA units.
    patch(8, frames_);
    patch(20, frames_);
    if (interval_ > 0) {
      const double steps = first_time_ / interval_;
      if (steps >= 0 && steps < 2e9) patch(12, static_cast<std::int32_t>(std::lround(steps)));
      patch(44, static_cast<float>(interval_ / units::akma_time_in_ps));
    }
    file_.flush();
  }

  template <class T>
  void patch(std::uint64_t offset, T value) {
    static_assert(sizeof(T) == 4);
    file_.patch(offset, {reinterpret_cast<const char*>(&value), 4});
  }

  void record(const void* data, std::size_t bytes) {
    const auto marker = static_cast<std::uint32_t>(bytes);
    std::ostream& out = file_.stream();
    out.write(reinterpret_cast<const char*>(&marker), 4);
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    out.write(reinterpret_cast<const char*>(&marker), 4);
  }

  void write_header() {
    std::array<char, 84> control{};
    std::memcpy(control.data(), "CORD", 4);
    const auto put = [&](std::size_t index, std::int32_t value) { std::memcpy(&control[4 + 4 * index], &value, 4); };
    put(2, 1);  // every step
    put(10, has_cell_ ? 1 : 0);
    put(19, 24);  // the version of CHARMM that others imitate
    record(control.data(), control.size());
    std::array<char, 84> title{};
    title[0] = 1;
    const std::string line = "REMARKS CREATED BY ISOLUME";
    std::fill(title.begin() + 4, title.end(), ' ');
    std::copy(line.begin(), line.end(), title.begin() + 4);
    record(title.data(), title.size());
    const auto count = static_cast<std::int32_t>(atoms_.size());
    record(&count, 4);
  }

  void write_cell(const Cell& cell) {
    std::array<double, 6> numbers{};
    if (cell.exists()) {
      const glm::dvec3 lengths = cell.lengths(), angles = cell.angles();
      const Cell kept = Cell::from_lengths_angles(lengths, angles);
      for (int i = 0; i < 3; ++i) {
        if (glm::length(kept.vectors[i] - cell.vectors[i]) > 1e-4 * lengths[i]) {
          throw Error(
              path_ + ": DCD cannot hold this cell: its first vector must lie along x, its second in the xy plane",
              Error::Kind::usage);
        }
      }
      const auto cosine = [](double degrees) { return degrees == 90.0 ? 0.0 : std::cos(glm::radians(degrees)); };
      numbers = {lengths.x, cosine(angles.z), lengths.y, cosine(angles.y), cosine(angles.x), lengths.z};
    }
    record(numbers.data(), sizeof(numbers));
  }

  std::string path_;
  OutputFile file_;
  std::vector<std::uint32_t> atoms_;
  bool growing_;
  std::int32_t frames_ = 0;
  bool has_cell_ = false;
  double first_time_ = 0;
  double interval_ = 0;  ///< ps, 0 where it is not known
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_dcd_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms) {
  return std::make_unique<DcdWriter>(path, written_atoms(molecule, std::move(atoms)), false);
}

std::unique_ptr<TrajectoryWriter> create_growing_dcd(const std::string& path, const Molecule& molecule) {
  return std::make_unique<DcdWriter>(path, written_atoms(molecule, {}), true);
}

}  // namespace isolume
