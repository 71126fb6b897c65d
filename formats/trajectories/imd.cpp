// IMD: the frames that a running simulation sends.
#include "formats/trajectories/imd.h"

#include <bit>
#include <cmath>
#include <utility>

#include "formats/bytes/binary.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr bool big_endian_swaps = std::endian::native == std::endian::little;
constexpr std::size_t header_bytes = 8, session_bytes = 7, time_bytes = 24, energy_bytes = 40, box_bytes = 36;
constexpr float force_unit = static_cast<float>(1.0 / units::calorie_in_joule);  // of kJ/(mol angstrom)

std::int32_t number_at(std::span<const std::byte> bytes, std::size_t offset, bool swap) {
  return load_number<std::int32_t>(bytes.data() + offset, swap);
}

}  // namespace

std::string imd_name(std::int32_t type) {
  constexpr std::array names{"disconnect", "energies", "positions",  "go",        "handshake", "kill",
                             "forces",     "pause",    "rate",       "I/O error", "session",   "resume",
                             "time",       "box",      "velocities", "forces",    "wait"};
  const std::string number = std::to_string(type);
  if (type < 0 || static_cast<std::size_t>(type) >= names.size()) return number;
  return std::string(names[static_cast<std::size_t>(type)]) + " (" + number + ")";
}

std::array<std::byte, 8> imd_packet(ImdType type, std::int32_t value) {
  std::array<std::byte, 8> packet{};
  const auto put = [&packet](std::size_t at, std::int32_t number) {
    for (std::size_t i = 0; i < 4; ++i)
      packet[at + i] = static_cast<std::byte>((static_cast<std::uint32_t>(number) >> (24 - 8 * i)) & 0xffU);
  };
  put(0, static_cast<std::int32_t>(type));
  put(4, value);
  return packet;
}

ImdParser::ImdParser(std::size_t atoms, std::string peer) : atoms_(atoms), peer_(std::move(peer)) {
  if (atoms_ == 0) throw Error(peer_ + ": the structure has no atoms to receive positions for", Error::Kind::usage);
}

std::size_t ImdParser::wanted() const {
  if (ended_) return 0;
  if (!body_) return header_bytes;
  switch (*body_) {
    case ImdType::session_info:
      return session_bytes;
    case ImdType::time:
      return time_bytes;
    case ImdType::energies:
      return energy_bytes;
    case ImdType::box:
      return box_bytes;
    default:
      return 3 * sizeof(float) * atoms_;
  }
}

bool ImdParser::between_frames() const {
  return session_ && !begun_ && !body_;
}

ImdFrame ImdParser::frame() {
  return std::exchange(whole_, {});
}

bool ImdParser::take(std::span<const std::byte> bytes) {
  if (bytes.empty() || bytes.size() != wanted())
    fail(std::to_string(bytes.size()) + " bytes for a packet of " + std::to_string(wanted()));
  if (body_) {
    if (*body_ == ImdType::session_info) {
      take_session(bytes);
      return false;
    }
    take_body(bytes);
    return end_of_packet();
  }
  if (!shaken_) {
    take_handshake(bytes);
  } else {
    take_header(number_at(bytes, 0, big_endian_swaps), number_at(bytes, 4, big_endian_swaps));
  }
  return false;
}

void ImdParser::take_handshake(std::span<const std::byte> header) {
  const std::int32_t type = number_at(header, 0, big_endian_swaps);
  if (type != static_cast<std::int32_t>(ImdType::handshake))
    fail("a handshake (4) is expected first, found " + imd_name(type) + "; is this a simulation that waits for IMD?");
  // The version alone is in the byte order of the bodies.
  const std::int32_t as_is = number_at(header, 4, false), turned = number_at(header, 4, true);
  swapped_ = as_is != 2 && as_is != 3;
  const std::int32_t version = swapped_ ? turned : as_is;
  if (version != 2 && version != 3)
    fail("IMD version 2 or 3 is expected, found " +
         std::to_string(
             std::min<std::uint32_t>(std::bit_cast<std::uint32_t>(as_is), std::bit_cast<std::uint32_t>(turned))));
  shaken_ = true;
  if (version == 3) return;
  ImdSession session;
  session.version = 2;
  session.swapped = swapped_;
  session.positions = true;
  session_ = session;
}

void ImdParser::take_session(std::span<const std::byte> body) {
  body_.reset();
  ImdSession session;
  session.swapped = swapped_;
  const std::array<bool*, session_bytes> flags{&session.time,      &session.energies, &session.box,
                                               &session.positions, &session.wrapped,  &session.velocities,
                                               &session.forces};
  for (std::size_t i = 0; i < flags.size(); ++i) *flags[i] = body[i] != std::byte{0};
  if (!session.positions)
    fail(
        "the simulation sends no positions; they are a setting of its input (GROMACS: IMD-coords, NAMD: "
        "IMDsendPositions, LAMMPS: fix imd)");
  const std::array<std::pair<bool, ImdType>, 6> parts{{{session.time, ImdType::time},
                                                       {session.energies, ImdType::energies},
                                                       {session.box, ImdType::box},
                                                       {session.positions, ImdType::positions},
                                                       {session.velocities, ImdType::velocities},
                                                       {session.forces, ImdType::forces}}};
  for (const auto& [sent, type] : parts)
    if (sent) order_.push_back(type);
  session_ = session;
}

void ImdParser::take_header(std::int32_t type, std::int32_t value) {
  if (!session_) {
    if (type != static_cast<std::int32_t>(ImdType::session_info))
      fail("the session (10) is expected after the handshake, found " + imd_name(type));
    expect_size(type, value, static_cast<std::int64_t>(session_bytes));
    body_ = ImdType::session_info;
    return;
  }
  if (type == static_cast<std::int32_t>(ImdType::disconnect)) {
    if (begun_) fail("the simulation ends the connection in the middle of a frame");
    ended_ = true;
    return;
  }
  if (type == static_cast<std::int32_t>(ImdType::io_error)) fail("the simulation reports an error of its connection");
  const auto found = static_cast<ImdType>(type);
  if (session_->version == 3) {
    const ImdType due = order_[due_];
    if (found != due) fail(imd_name(static_cast<std::int32_t>(due)) + " expected next, found " + imd_name(type));
  } else if (found != ImdType::energies && found != ImdType::positions) {
    fail("energies (1) or positions (2) expected, found " + imd_name(type));
  }
  const bool of_atoms = found == ImdType::positions || found == ImdType::velocities || found == ImdType::forces;
  if (of_atoms && value != static_cast<std::int64_t>(atoms_))
    fail(imd_name(type) + " of " + std::to_string(value) + " atoms, and the structure has " + std::to_string(atoms_) +
         "; which atoms are sent is a setting of the simulation (GROMACS: IMD-group)");
  if (!of_atoms) expect_size(type, value, 1);
  body_ = found;
  begun_ = true;
}

std::vector<glm::vec3> ImdParser::vectors(std::span<const std::byte> body, const char* what, float scale) const {
  std::vector<glm::vec3> result(atoms_);
  const std::byte* at = body.data();
  for (std::size_t atom = 0; atom < atoms_; ++atom) {
    for (int i = 0; i < 3; ++i, at += sizeof(float)) {
      const float value = load_number<float>(at, swapped_) * scale;
      if (!std::isfinite(value))
        fail(std::string(what) + " of atom " + std::to_string(atom) + " are not finite numbers" +
             (coming_.step ? ", at step " + std::to_string(*coming_.step) : std::string()));
      result[atom][i] = value;
    }
  }
  return result;
}

void ImdParser::take_body(std::span<const std::byte> body) {
  const auto real = [&](std::size_t i) { return load_number<float>(body.data() + 4 * i, swapped_); };
  switch (*body_) {
    case ImdType::time: {
      const auto time = load_number<double>(body.data() + 8, swapped_);
      if (!std::isfinite(time)) fail("the time of a frame is not a finite number");
      coming_.frame.time = time;
      coming_.frame.has_time = true;
      coming_.step = load_number<std::int64_t>(body.data() + 16, swapped_);
      break;
    }
    case ImdType::energies:
      if (session_->version == 2 || !coming_.step) coming_.step = number_at(body, 0, swapped_);
      coming_.energies = ImdEnergies{real(1), real(2), real(3), real(4), real(5), real(6), real(7), real(8), real(9)};
      session_->energies = true;  // version 2 does not say so before
      break;
    case ImdType::box:
      for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row) {
          const float value = real(static_cast<std::size_t>(3 * column + row));
          if (!std::isfinite(value)) fail("the box has a number that is not finite");
          coming_.frame.cell.vectors[column][row] = static_cast<double>(value);
        }
      break;
    case ImdType::positions:
      coming_.frame.positions = vectors(body, "the positions", 1);
      break;
    case ImdType::velocities:
      coming_.frame.velocities = vectors(body, "the velocities", 1);
      break;
    default:
      coming_.frame.forces = vectors(body, "the forces", force_unit);
  }
}

bool ImdParser::end_of_packet() {
  const ImdType ended = *body_;
  body_.reset();
  if (session_->version == 3) {
    if (++due_ < order_.size()) return false;
    due_ = 0;
  } else if (ended != ImdType::positions) {
    begun_ = false;  // energies by themselves are whole; those of the next positions are the last ones
    return false;
  }
  begun_ = false;
  whole_ = std::exchange(coming_, {});
  return true;
}

void ImdParser::expect_size(std::int32_t type, std::int32_t found, std::int64_t expected) const {
  if (found == expected) return;
  fail(imd_name(type) + ": a count of " + std::to_string(expected) + " expected, found " + std::to_string(found));
}

void ImdParser::fail(const std::string& message) const {
  throw Error::in_file(peer_, 0, message);
}

}  // namespace isolume
