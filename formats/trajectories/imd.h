// IMD: the frames that a running simulation sends (interactive molecular dynamics, versions 2 and 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecule/frame.h"

namespace isolume {

/// Kinds of packets. A packet is a header of two 32-bit numbers, most significant byte first, and perhaps a body in the
/// byte order of the machine that sends it.
enum class ImdType : std::int32_t {
  disconnect = 0,
  energies = 1,
  positions = 2,
  go = 3,
  handshake = 4,
  kill = 5,
  forces_to_apply = 6,
  pause = 7,
  rate = 8,
  io_error = 9,
  session_info = 10,  ///< from here on version 3
  resume = 11,
  time = 12,
  box = 13,
  velocities = 14,
  forces = 15,
  wait = 16
};

/// "positions (2)"; of a number that is no type "99".
std::string imd_name(std::int32_t type);

/// A packet without a body, as it is sent.
std::array<std::byte, 8> imd_packet(ImdType type, std::int32_t value = 0);

/// What the simulation said it sends. Of version 2, which does not say, positions and perhaps energies.
struct ImdSession {
  int version = 3;
  bool swapped = false;  ///< bodies have the other byte order than this machine
  bool time = false, energies = false, box = false, positions = false;
  bool wrapped = false;  ///< positions are within the box
  bool velocities = false, forces = false;
};

/// Energies in kJ/mol; of version 2 in the unit of the program (NAMD, LAMMPS: kcal/mol or their own).
struct ImdEnergies {
  float temperature = 0;  ///< K
  float total = 0, potential = 0, van_der_waals = 0, coulomb = 0, bonds = 0, angles = 0, dihedrals = 0, impropers = 0;
};

/// One frame.
struct ImdFrame {
  Frame frame;  ///< angstrom, ps, angstrom/ps, kcal/(mol angstrom)
  std::optional<std::int64_t> step;
  std::optional<ImdEnergies> energies;
};

/// Takes the bytes of one connection in their order and makes frames of them; it never asks for more than 12 bytes for
/// each atom. Version 3 as published by the Becksteinlab (imdclient.readthedocs.io, "IMDv3 Protocol"), where every
/// frame has all that the session names, in a fixed order; version 2 (NAMD, VMD, GROMACS 5 to 2024), where energies may
/// be left out or come before or after positions. Nothing here knows of sockets.
class ImdParser {
 public:
  /// `atoms` that the structure has; `peer` is named in messages. Throws Error (usage) where there are none.
  ImdParser(std::size_t atoms, std::string peer);

  /// The bytes of the next header or body, at least 1; 0 once the simulation has said that it ends.
  std::size_t wanted() const;
  /// Takes wanted() bytes; true where a frame became whole, which frame() then has. Throws Error (input) for a packet
  /// of another type or size than is due, for a number that is not finite, and for another number of atoms.
  bool take(std::span<const std::byte> bytes);
  /// The last whole frame, once.
  ImdFrame frame();

  /// Known after the handshake, and of version 3 after the packet that follows it.
  const std::optional<ImdSession>& session() const { return session_; }
  /// True where no frame and no packet has been begun: here a connection may end without a loss.
  bool between_frames() const;

 private:
  void take_handshake(std::span<const std::byte> header);
  void take_session(std::span<const std::byte> body);
  void take_header(std::int32_t type, std::int32_t value);
  void take_body(std::span<const std::byte> body);
  bool end_of_packet();
  std::vector<glm::vec3> vectors(std::span<const std::byte> body, const char* what, float scale) const;
  void expect_size(std::int32_t type, std::int32_t found, std::int64_t expected) const;
  [[noreturn]] void fail(const std::string& message) const;

  std::size_t atoms_;
  std::string peer_;
  std::optional<ImdSession> session_;
  bool shaken_ = false;  ///< the handshake was there
  bool swapped_ = false;
  bool ended_ = false;
  std::vector<ImdType> order_;   ///< of the packets of a frame, version 3
  std::size_t due_ = 0;          ///< index into order_
  std::optional<ImdType> body_;  ///< whose body comes next
  ImdFrame coming_, whole_;
  bool begun_ = false;  ///< something of coming_ is there
};

}  // namespace isolume
