// One input for one reader, whichever fuzzer made it.
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <sstream>

#include "app/scene/molviewspec.h"
#include "app/scene/scene_json.h"
#include "formats/bytes/npy.h"
#include "formats/energies/read_energies.h"
#include "formats/parts/part_file.h"
#include "formats/read.h"
#include "formats/trajectories/imd.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume::fuzz {

namespace {

void read_format(const Format& format, const std::string& bytes) {
  ReadLimits limits;
  limits.bytes_out = std::uint64_t{1} << 26;
  if (bytes.size() % 2 == 0) limits.piece = 100;  // half of the inputs in pieces, as large files are read
  // Bytes that begin as gzip does are decompressed, or refused, here.
  const auto source = ByteSource::from_bytes(bytes, "fuzz", limits);
  format.sniff(*source);
  const Molecule molecule = format.read(source);
  if (molecule.topology) molecule.topology->validate();
  for (std::size_t i = 0; i < molecule.frame_count() && i < 8; ++i) molecule.trajectory->frame(i);
}

void read_energy_file(const std::string& bytes) {
  ReadLimits limits;
  limits.bytes_out = std::uint64_t{1} << 26;
  const auto source = ByteSource::from_bytes(bytes, "fuzz", limits);
  is_energy_file(*source);
  const EnergySeries series = read_energies(*source);
  for (const EnergyTerm& term : series.terms)
    if (term.values.size() != series.rows()) std::abort();
}

void read_array(const std::string& bytes) {
  const auto source = ByteSource::from_bytes(bytes, "fuzz");
  const NpyArray array = read_npy(*source);
  if (array.values.size() != array.rows * array.columns) std::abort();
}

/// A part is joined with itself at other frames, whatever is in it.
void read_part(const std::string& bytes) {
  std::istringstream in(bytes);
  FramePart part = read_part_stream(in, bytes.size(), "fuzz", false), other = part;
  for (std::uint64_t& frame : other.frames) frame += std::uint64_t{1} << 32;
  join(part, other, "fuzz");
  validate(part, "fuzz");
  frames_in_words(part.frames);
  missing_frames(part.frames);
}

/// What a simulation of three atoms sends; a parser asks for no more than these need, and gives all of them.
void read_stream(const std::string& bytes) {
  ImdParser parser(3, "fuzz");
  auto left = std::as_bytes(std::span(bytes));
  for (std::size_t wanted = 0; (wanted = parser.wanted()) > 0 && left.size() >= wanted; left = left.subspan(wanted)) {
    if (wanted > 40) std::abort();
    if (parser.take(left.first(wanted)) && parser.frame().frame.positions.size() != 3) std::abort();
  }
}

/// A scene that was read is written and read again.
void read_scene_text(const std::string& bytes) {
  std::vector<std::string> notes;
  const Scene scene = scene_from_json(bytes, "/folder", &notes);
  scene_from_json(scene_to_json(scene, "/folder"), "/folder");
}

void read_view(const std::string& bytes) {
  std::vector<std::string> notes;
  scene_to_json(scene_from_molviewspec(bytes, "/folder", notes), "/folder");
}

}  // namespace

std::vector<std::string> targets() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.emplace_back(format.name);
  names.emplace_back("array");
  names.emplace_back("energies");
  names.emplace_back("view");
  names.emplace_back("part");
  names.emplace_back("scene");
  names.emplace_back("selection");
  names.emplace_back("stream");
  return names;
}

bool try_input(const std::string& target, const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto format =
      std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return target == f.name; });
  const bool known = format != formats().end() || target == "energies" || target == "view" || target == "part" ||
                     target == "scene" || target == "selection" || target == "stream" || target == "array";
  if (!known) std::abort();  // a name that is no longer in the table would test nothing
  try {
    if (target == "energies") {
      read_energy_file(bytes);
    } else if (target == "array") {
      read_array(bytes);
    } else if (target == "view") {
      read_view(bytes);
    } else if (target == "part") {
      read_part(bytes);
    } else if (target == "scene") {
      read_scene_text(bytes);
    } else if (target == "stream") {
      read_stream(bytes);
    } else if (target == "selection") {
      const Selection selection(bytes);
    } else {
      read_format(*format, bytes);
    }
    return true;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::input && error.kind() != Error::Kind::usage) throw;
    return false;
  }
}

}  // namespace isolume::fuzz
