// isolume compute modes: the normal modes of a file as a table, and one of them as frames.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/command.h"
#include "app/cli/compute/compute_runs.h"
#include "app/documents/frames.h"
#include "formats/orbitals/vibrations.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume::cli {
namespace {

struct Options {
  std::string file;
  int mode = 0;
  double amplitude = 0.3;
  int frames = 20;
  std::string trajectory;
  std::string out;
};

std::string optional_text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string table(const Vibrations& vibrations, std::span<const double> masses, const Molecule& molecule) {
  std::string text =
      "mode,frequency (cm^-1),intensity (km/mol),Raman activity (angstrom^4/Da),reduced mass (Da),"
      "largest displacement\n";
  for (std::size_t i = 0; i < vibrations.modes.size(); ++i) {
    const VibrationalMode& mode = vibrations.modes[i];
    const auto most = std::ranges::max_element(mode.displacement, {}, [](glm::dvec3 d) { return glm::dot(d, d); });
    const auto atom = static_cast<std::size_t>(most - mode.displacement.begin());
    text += fmt::format("{},{},{},{},{:.5f},{}{}\n", i + 1, mode.frequency, optional_text(mode.intensity),
                        optional_text(mode.raman), reduced_mass(mode, masses),
                        element(molecule.topology->atoms[atom].element).symbol, atom + 1);
  }
  return text;
}

/// One period about the file's positions; the atom that moves most goes as far as the amplitude.
void write_frames(const Options& options, const VibrationalMode& mode, const Molecule& molecule, const Frame& frame) {
  double longest = 0;
  for (const glm::dvec3& d : mode.displacement) longest = std::max(longest, glm::length(d));
  const auto writer = create_writer(options.trajectory, molecule);
  for (int n = 0; n < options.frames; ++n) {
    Frame moved = frame;
    const double part = options.amplitude / longest * std::sin(2 * units::pi * n / options.frames);
    for (std::size_t a = 0; a < moved.positions.size(); ++a)
      moved.positions[a] = glm::vec3(glm::dvec3(frame.positions[a]) + part * mode.displacement[a]);
    for (std::size_t a = 0; a < moved.precise_positions.size(); ++a)
      moved.precise_positions[a] += part * mode.displacement[a];
    writer->add(moved);
  }
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
  const Vibrations vibrations = read_vibrations(options.file);
  const std::size_t atoms = vibrations.modes.front().displacement.size();
  if (atoms != molecule->atom_count())
    throw Error::in_file(options.file, 0,
                         fmt::format("the modes have {} atoms, the molecule {}", atoms, molecule->atom_count()));
  if (options.mode > static_cast<int>(vibrations.modes.size()))
    throw Error(fmt::format("mode {}: the file has 1 to {}", options.mode, vibrations.modes.size()),
                Error::Kind::usage);
  run.report.phase("read");
  std::vector<double> masses;
  for (const Atom& atom : molecule->topology->atoms) masses.push_back(static_cast<double>(element(atom.element).mass));
  const std::string text = table(vibrations, masses, *molecule);
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
  if (!options.trajectory.empty()) {
    // Modes belong to the last geometry of an optimisation.
    const std::size_t last = std::max<std::size_t>(1, molecule->frame_count()) - 1;
    write_frames(options, vibrations.modes[static_cast<std::size_t>(options.mode - 1)], *molecule,
                 frame_at(*molecule, last));
  }
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
  const Verb command = commands.add(
      parent, "modes", "normal modes of a Molden file or a Gaussian log as a table, and one of them as frames",
      "isolume compute modes water.molden --out modes.csv\n"
      "  isolume compute modes water.molden --mode 2 --trajectory mode2.xyz --out modes.csv",
      [&commands, options] { run_modes(commands.common, *options); });
  command.option("FILE", options->file, "a Molden file with [FREQ], or a Gaussian log").required();
  command.option("--mode", options->mode, "write the frames of this mode, from 1").range(1, 1'000'000);
  command.option("--amplitude", options->amplitude, "angstrom, of the atom that moves most").range(0.0, 10.0);
  command.option("--steps", options->frames, "frames of one period").range(2, 10'000);
  command.option("--trajectory", options->trajectory, "xyz, pdb or dcd").type_name("FILE").writes();
  command.option("--out", options->out, "csv (default: stdout)").type_name("FILE").writes();
}

}  // namespace isolume::cli
