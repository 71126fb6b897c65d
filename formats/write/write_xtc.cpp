// Writing XTC.
#include <bit>
#include <cmath>
#include <cstring>

#include "formats/write/buffered_output.h"
#include "formats/write/frame_writer.h"
#include "formats/write/writers.h"
#include "formats/write/xtc_encode.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/far_positions.h"

namespace isolume {
namespace {

constexpr std::size_t plain_atoms = 9;                 ///< so few are written as they are
constexpr std::size_t most_atoms_of_1995 = 298261617;  ///< above, the size of the bits needs 64 bits
constexpr double most_steps = 2147483645;              ///< from the origin, as other writers have it

/// Big-endian numbers: magic, atoms, step, time, cell in nm, then the positions in units of 1/precision nm (GROMACS
/// reference manual, "File formats: xtc"; xtc_decode.h has the code of the positions).
class XtcWriter final : public NotingWriter {
 public:
  XtcWriter(const std::string& path, std::vector<std::uint32_t> atoms, double step)
      : path_(path),
        file_(path, false),
        atoms_(std::move(atoms)),
        precision_(static_cast<float>(units::nm_in_angstrom / step)) {
    if (!(step >= 1e-6 && step <= 100))
      throw Error(path + ": positions of XTC are rounded to 1e-6 to 100 angstrom", Error::Kind::usage);
    if (atoms_.size() > 0x7fffffff) throw Error(path + ": too many atoms for XTC", Error::Kind::usage);
  }

  void add(const Frame& frame) override {
    const bool large = atoms_.size() > most_atoms_of_1995;
    number(large ? 2023 : 1995);
    number(static_cast<std::int32_t>(atoms_.size()));
    if (frames_ == 0x7fffffff) throw Error(path_ + ": too many frames for XTC", Error::Kind::usage);
    number(frames_++);
    real(frame.has_time ? static_cast<float>(frame.time) : 0.0f);
    untimed_ = untimed_ || !frame.has_time;
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row)
        real(static_cast<float>(frame.cell.vectors[column][row] / units::nm_in_angstrom));
    number(static_cast<std::int32_t>(atoms_.size()));
    if (atoms_.size() <= plain_atoms) {
      for (const std::uint32_t i : atoms_)
        for (int axis = 0; axis < 3; ++axis) real(static_cast<float>(position(frame, i)[axis] / units::nm_in_angstrom));
    } else {
      write_compressed(frame, large);
    }
    text_.flush();
  }

  void finish() override {
    if (frames_ == 0) throw Error(path_ + ": there are no frames to be written", Error::Kind::usage);
    file_.finish();
  }

  std::vector<std::string> notes() const override {
    if (untimed_ && frames_ > 1) return {"The times of frames are not known: XTC has 0 for them."};
    return {};
  }

 private:
  static glm::dvec3 position(const Frame& frame, std::uint32_t atom) {
    if (atom >= frame.positions.size()) throw Error("a frame to be written has too few positions");
    return precise_position(frame, atom);
  }

  void write_compressed(const Frame& frame, bool large) {
    rounded_.resize(atoms_.size());
    const double steps = static_cast<double>(precision_) / units::nm_in_angstrom;
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      const glm::dvec3 p = position(frame, atoms_[k]) * steps;
      for (int axis = 0; axis < 3; ++axis) {
        if (!(std::abs(p[axis]) < most_steps))
          throw Error(path_ + ": XTC has no room for the position of atom " + std::to_string(atoms_[k] + 1) +
                          " with this precision; write fewer digits (--precision), or dcd",
                      Error::Kind::usage);
        rounded_[k][static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(std::lround(p[axis]));
      }
    }
    // Trying takes longer than coding 10^5 atoms: now and then is enough.
    constexpr std::int32_t frames_between = 64;
    if (frames_ % frames_between == 1) least_ = 0;
    const XtcBlock block = encode_xtc(rounded_, bits_, least_);
    least_ = block.small_index;
    real(precision_);
    for (const std::int32_t low : block.low) number(low);
    for (const std::int32_t high : block.high) number(high);
    number(block.small_index);
    if (large) {
      text_.add_value(swapped(static_cast<std::uint64_t>(bits_.size())));
    } else {
      if (bits_.size() > 0x7fffffff) throw Error(path_ + ": a frame is too large for XTC", Error::Kind::usage);
      number(static_cast<std::int32_t>(bits_.size()));
    }
    while (bits_.size() % 4 != 0) bits_.push_back(std::byte{0});
    text_.add_text({reinterpret_cast<const char*>(bits_.data()), bits_.size()});
  }

  static std::uint32_t swapped(std::uint32_t value) {
    static_assert(std::endian::native == std::endian::little);
    return __builtin_bswap32(value);
  }
  static std::uint64_t swapped(std::uint64_t value) { return __builtin_bswap64(value); }
  void number(std::int32_t value) { text_.add_value(swapped(static_cast<std::uint32_t>(value))); }
  void real(float value) { text_.add_value(swapped(std::bit_cast<std::uint32_t>(value))); }

  std::string path_;
  OutputFile file_;
  BufferedOutput text_{file_.stream()};
  std::vector<std::uint32_t> atoms_;
  float precision_;  ///< 1/nm
  std::int32_t frames_ = 0;
  bool untimed_ = false;
  int least_ = 0;  ///< the least range of the frames before
  std::vector<XtcPosition> rounded_;
  std::vector<std::byte> bits_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> create_xtc_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms, double step) {
  return std::make_unique<XtcWriter>(path, written_atoms(molecule, std::move(atoms)), step);
}

}  // namespace isolume
