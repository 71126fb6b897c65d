// isolume compute modes: the normal modes of a file as a table, and one of them as frames.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/quantum/mode_table.h"
#include "app/documents/derived.h"
#include "app/documents/frames.h"
#include "formats/orbitals/vibrations.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/mode_frames.h"

namespace isolume::cli {
namespace {

struct Options {
  std::string file;
  std::string modes;  ///< of another file; empty: those of `file`
  int mode = 0;
  double amplitude = 0.3;
  int frames = 20;
  std::string trajectory;
  std::string out;
};

/// One period about the file's positions; the atom that moves most goes as far as the amplitude.
void write_frames(const Options& options, const VibrationalMode& mode, const Molecule& molecule, const Frame& frame) {
  const auto writer = create_writer(options.trajectory, molecule);
  for (const Frame& moved : mode_frames(mode, frame, options.amplitude, static_cast<std::size_t>(options.frames)))
    writer->add(moved);
  writer->finish();
}

void run_modes(const Common& common, const Options& options) {
  if (!options.out.empty()) check_output(options.out, "csv");
  if (!options.trajectory.empty()) check_output(options.trajectory, "xyz pdb dcd");
  if (options.trajectory.empty() != (options.mode == 0))
    throw Error("--mode and --trajectory belong together: which mode, and where its frames go", Error::Kind::usage);
  Run run(common, false);
  run.report.input(options.file);
  const auto molecule = read_molecule({options.file});
  const std::string& file = options.modes.empty() ? options.file : options.modes;
  if (!options.modes.empty()) run.report.input(options.modes);
  const Vibrations vibrations = read_vibrations(file);
  // Modes belong to the last geometry of an optimisation.
  const Frame rest = frame_at(*molecule, std::max<std::size_t>(1, molecule->frame_count()) - 1);
  mode_on(vibrations, 0, rest, file);  // throws where they are of another molecule
  if (options.mode > static_cast<int>(vibrations.modes.size()))
    throw Error(fmt::format("mode {}: the file has 1 to {}", options.mode, vibrations.modes.size()),
                Error::Kind::usage);
  run.report.phase("read");
  const std::vector<double> masses = masses_of(*molecule);
  const std::string text = mode_table(vibrations, masses, *molecule);
  const double overlap = largest_mode_overlap(vibrations, masses);
  const auto imaginary =
      std::ranges::count_if(vibrations.modes, [](const VibrationalMode& mode) { return mode.frequency < 0; });
  run.report.phase("compute");
  run.report.method = {{"name", "normal modes of the file"}, {"masses", "standard atomic weights"}};
  run.report.unit = "cm^-1";
  run.report.result = {
      {"modes", vibrations.modes.size()}, {"imaginary", imaginary}, {"largest_overlap_of_modes", overlap}};
  if (options.out.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(options.out, [&](std::ostream& out) { out << text; });
  }
  if (!options.trajectory.empty())
    write_frames(options, mode_on(vibrations, static_cast<std::size_t>(options.mode - 1), rest, file), *molecule, rest);
  run.say(fmt::format("{}, {} imaginary; largest overlap of two weighted by mass {:.1e}",
                      counted(vibrations.modes.size(), "mode"), imaginary, overlap));
  if (overlap > 0.05)
    run.say(
        "warning: modes of one Hessian have no overlap; the file's masses differ from the usual ones, or the modes "
        "are rounded");
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_modes(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "modes", "normal modes of a molecule as a table, and one of them as frames",
                   "isolume compute modes water.molden --out modes.csv\n"
                   "  isolume compute modes water.molden --mode 2 --trajectory mode2.xyz --out modes.csv\n"
                   "  isolume compute modes water.xyz --modes water.hess",
                   [&commands, options] { run_modes(commands.common, *options); });
  command.option("FILE", options->file, "a Molden file with [FREQ], a log of Gaussian or GAMESS, or any structure")
      .required();
  command
      .option(
          "--modes", options->modes,
          "file of the modes where it is another one: an output of ORCA (or its .hess), Psi4, GAMESS, Gaussian, Molden")
      .type_name("FILE");
  command.option("--mode", options->mode, "write the frames of this mode, from 1").range(1, 1'000'000);
  command.option("--amplitude", options->amplitude, "angstrom, of the atom that moves most").range(0.0, 10.0);
  command.option("--steps", options->frames, "frames of one period").range(2, 10'000);
  command.option("--trajectory", options->trajectory, "xyz, pdb or dcd").type_name("FILE").writes();
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
}

}  // namespace isolume::cli
