// isolume convert of a running simulation.
#include "app/cli/stream_recording.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>

#include "app/cli/interrupt.h"
#include "app/documents/streams/imd_stream.h"
#include "formats/write/frame_writer.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

/// A:B:STEP of frames whose number is not known before.
struct FrameRange {
  std::uint64_t first = 0, end = std::numeric_limits<std::uint64_t>::max(), step = 1;

  explicit FrameRange(const std::string& text) {
    std::string_view rest = text;
    std::uint64_t* const parts[] = {&first, &end, &step};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      const std::string_view word = rest.substr(0, colon);
      const auto [next, fault] = std::from_chars(word.data(), word.data() + word.size(), *parts[i]);
      if (!word.empty() && (fault != std::errc() || next != word.data() + word.size())) refuse(text);
      if (colon == rest.size()) {
        if (i == 0) end = first + 1;  // one frame
        break;
      }
      rest.remove_prefix(colon + 1);
      if (i == 2) refuse(text);
    }
    if (step == 0 || first >= end) refuse(text);
  }
  [[noreturn]] static void refuse(const std::string& text) {
    throw Error(fmt::format("--frames {}: of a running simulation frames are A:B:STEP from 0 on, such as :100 or ::10, "
                            "with A below B",
                            text),
                Error::Kind::usage);
  }
  bool has(std::uint64_t frame) const { return frame >= first && frame < end && (frame - first) % step == 0; }
};

/// Writes what comes; the writer is made at the first frame, in which selections are looked up.
class Recording {
 public:
  Recording(Run& run, const StreamRecording& options, const Molecule& molecule)
      : run_(run), options_(options), molecule_(molecule), selection_(options.selection) {}

  void add(const ImdFrame& frame) {
    if (!writer_) begin(frame.frame);
    writer_->add(frame.frame);
    if (!options_.energies.empty()) add_energies(frame);
    ++frames_;
  }
  void finish() {
    if (writer_) writer_->finish();
    if (options_.energies.empty() || frames_ == 0) return;
    write_atomically(options_.energies, [this](std::ostream& out) { out << table_; });
  }
  std::uint64_t frames() const { return frames_; }
  std::size_t atoms() const { return atoms_; }
  const std::string& lost() const { return lost_; }

 private:
  void begin(const Frame& frame) {
    std::vector<std::uint32_t> atoms;
    if (options_.selection != "all") {
      atoms = selection_.atoms(*molecule_.topology, frame);
      if (atoms.empty()) throw Error(empty_selection(options_.selection, *molecule_.topology), Error::Kind::usage);
      if (selection_.depends_on_positions())
        run_.say("note: the selection depends on positions; the atoms of the first frame are written for all");
    }
    atoms_ = atoms.empty() ? molecule_.atom_count() : atoms.size();
    lost_ = not_kept(options_.out, molecule_, frame);
    const bool grows = atoms.empty() && std::filesystem::path(options_.out).extension() == ".dcd";
    writer_ = grows ? create_growing_dcd(options_.out, molecule_)
                    : create_writer(options_.out, molecule_, std::move(atoms), options_.precision);
  }

  void add_energies(const ImdFrame& frame) {
    if (table_.empty())
      table_ =
          "frame,step,time (ps),temperature (K),total,potential,van der Waals,Coulomb,bonds,angles,dihedrals,"
          "impropers\n";
    table_ += fmt::format("{},{},{}", frames_, frame.step ? std::to_string(*frame.step) : "",
                          frame.frame.has_time ? fmt::format("{}", frame.frame.time) : "");
    if (const auto& e = frame.energies) {
      for (const float value : {e->temperature, e->total, e->potential, e->van_der_waals, e->coulomb, e->bonds,
                                e->angles, e->dihedrals, e->impropers})
        table_ += std::isfinite(value) ? fmt::format(",{}", value) : std::string(",");
      table_ += '\n';
    } else {
      table_ += ",,,,,,,,,\n";
    }
  }

  Run& run_;
  const StreamRecording& options_;
  const Molecule& molecule_;
  Selection selection_;
  std::unique_ptr<TrajectoryWriter> writer_;
  std::string table_, lost_;
  std::uint64_t frames_ = 0;
  std::size_t atoms_ = 0;
};

}  // namespace

void record_stream(Run& run, const StreamRecording& options) {
  const StreamAddress address = stream_address(options.address);
  const FrameRange range(options.frames);
  CellTreatment as_is;
  as_is.mode = CellTreatment::Mode::as_is;
  const auto molecule = read_molecule(options.structure, {}, as_is);
  if (!molecule->topology)
    throw Error(fmt::format("{} has no atoms; the structure of the simulation is given with its address",
                            options.structure.front()),
                Error::Kind::usage);
  run.report.phase("read");
  Interrupt::allow(std::chrono::seconds(5));  // what has come is kept
  StreamPatience patience;
  patience.between = std::chrono::milliseconds(static_cast<std::int64_t>(options.wait * 1000));
  Recording recording(run, options, *molecule);
  std::optional<Error> stopped;
  int version = 0;
  bool energies = false;
  try {
    ImdStream stream(address, molecule->atom_count(), patience);
    version = stream.session().version;
    run.say(fmt::format("{}: connected, IMD version {}", options.address, version));
    ImdFrame frame;
    for (std::uint64_t number = 0; number < range.end && stream.next(frame); ++number) {
      if (!range.has(number)) continue;
      recording.add(frame);
      energies = energies || frame.energies.has_value();
      const double part = range.end == std::numeric_limits<std::uint64_t>::max()
                              ? 0.0
                              : static_cast<double>(number + 1) / static_cast<double>(range.end);
      run.job().progress(part, fmt::format("frame {} received", number));
    }
  } catch (const Error& error) {
    stopped = error;  // what came before it is written all the same
  }
  recording.finish();
  if (!recording.lost().empty()) run.say("note: " + recording.lost());
  if (stopped && recording.frames() > 0)
    run.say(fmt::format("{}: has the {} that came before", options.out, counted(recording.frames(), "frame")));
  if (stopped) throw Error(*stopped);
  if (recording.frames() == 0)
    throw Error(fmt::format("{}: the simulation ended before the first frame that --frames {} takes", options.address,
                            options.frames));
  if (!options.energies.empty() && !energies) run.say("note: the simulation sends no energies");
  run.report.result = {{"atoms", recording.atoms()},
                       {"frames", recording.frames()},
                       {"address", address.text()},
                       {"imd_version", version}};
  run.say(
      fmt::format("{}: {}, {}", options.out, counted(recording.atoms(), "atom"), counted(recording.frames(), "frame")));
}

}  // namespace isolume::cli
