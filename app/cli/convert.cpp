// isolume convert: atoms and frames, or a volume, into another format.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/cli/cell_option.h"
#include "app/cli/command.h"
#include "app/cli/residue_charges.h"
#include "app/cli/stream_recording.h"
#include "app/documents/streams/stream_address.h"
#include "compute/base/memory.h"
#include "formats/bytes/input_files.h"
#include "formats/file_patterns.h"
#include "formats/write/frame_writer.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/crystal/water_box.h"
#include "molecule/missing.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;  // the last is the output, unless `out` is
  std::string out;
  std::string frames = ":";
  std::string selection = "all";
  std::string make;
  std::string assembly;
  std::string cell;
  std::vector<std::string> templates;
  std::size_t volume = 0;
  double precision = usual_xtc_step;
  std::string energies;
  double wait = 600;
};

bool is_volume(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const char* known : {".cube", ".cub", ".dx", ".mrc", ".map", ".ccp4"})
    if (extension == known) return true;
  return false;
}

void convert_volume(Run& run, const Molecule& molecule, const Options& options, const std::string& out) {
  if (molecule.volumes.empty()) throw Error(missing_volume(molecule), Error::Kind::usage);
  if (options.volume >= molecule.volumes.size())
    throw Error(fmt::format("volume {}: the file has 0 to {}", options.volume, molecule.volumes.size() - 1),
                Error::Kind::usage);
  const Volume& volume = *molecule.volumes[options.volume];
  run.report.grid(volume.grid);
  run.report.unit = volume.unit;
  write_volume(out, volume, molecule.atom_count() > 0 ? &molecule : nullptr, 0, "converted by Isolume");
  run.report.result = {{"volume", options.volume}, {"points", volume.grid.size()}};
}

void convert_frames(Run& run, const Molecule& molecule, const Options& options, const std::string& out) {
  if (!molecule.topology || molecule.frame_count() == 0)
    throw Error(fmt::format("{} has no atoms with positions to write as {}", options.files.front(),
                            std::filesystem::path(out).extension().string()),
                Error::Kind::usage);
  const std::vector<std::size_t> frames = parse_frames(options.frames, molecule.frame_count());
  const Selection selection(options.selection);
  std::vector<std::uint32_t> atoms;
  if (options.selection != "all") {
    atoms = selection.atoms(*molecule.topology, molecule.trajectory->frame(frames.front()));
    if (atoms.empty()) throw Error(empty_selection(options.selection, *molecule.topology), Error::Kind::usage);
    if (selection.depends_on_positions() && frames.size() > 1)
      run.say("note: the selection depends on positions; the atoms of the first frame are written for all");
  }
  const std::size_t count = atoms.empty() ? molecule.atom_count() : atoms.size();
  const auto writer = create_writer(out, molecule, std::move(atoms), options.precision);
  std::vector<std::string> lost;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    run.job().check();
    const Frame frame = molecule.trajectory->frame(frames[i]);
    if (i == 0) lost.push_back(not_kept(out, molecule, frame));
    writer->add(frame);
    run.job().progress(static_cast<double>(i + 1) / static_cast<double>(frames.size()), "writing frames");
  }
  writer->finish();
  for (std::string& note : notes_of(*writer)) lost.push_back(std::move(note));
  std::erase(lost, std::string());
  run.report.result["atoms"] = count;
  run.report.result["frames"] = frames.size();
  run.report.result["not_kept"] = lost;
  for (const std::string& note : lost) run.say("note: " + note);
  run.say(fmt::format("{}: {}, {}", out, counted(count, "atom"), counted(frames.size(), "frame")));
}

// "water:30": a cube of water of that side.
std::shared_ptr<const Molecule> made(const std::string& text) {
  const std::string head = "water:";
  double side = 0;
  const char* const end = text.data() + text.size();
  if (text.starts_with(head)) {
    const auto [next, fault] = std::from_chars(text.data() + head.size(), end, side);
    if (fault == std::errc() && next == end) {
      // Measured: 168 bytes for each of 0.1023 atoms in a cubic angstrom.
      const double bytes = 0.1023 * 168 * std::pow(std::clamp(side, 0.0, 2000.0), 3);
      require_memory(static_cast<std::size_t>(bytes), Device::cpu(), text);
      return std::make_shared<const Molecule>(make_water_box(side));
    }
  }
  throw Error(fmt::format("--make {}: expected water:SIDE in angstrom, such as water:30", text), Error::Kind::usage);
}

// Frames of a running simulation: its address, its structure, and last the output.
void run_recording(const Common& common, const Options& options, const StreamWords& words) {
  if (words.others.size() < 2)
    throw Error(fmt::format("convert {}: the structure with the atoms of the simulation, or the output, is missing, "
                            "such as: isolume convert {} system.gro run.xtc",
                            words.address, words.address),
                Error::Kind::usage);
  if (!options.assembly.empty() || !options.cell.empty() || !options.templates.empty())
    throw Error("--assembly, --pbc and --templates are for what was recorded; give them in a second step",
                Error::Kind::usage);
  StreamRecording recording;
  recording.address = words.address;
  recording.structure.assign(words.others.begin(), words.others.end() - 1);
  recording.out = words.others.back();
  recording.frames = options.frames;
  recording.selection = options.selection;
  recording.energies = options.energies;
  recording.precision = options.precision;
  recording.wait = options.wait;
  check_outputs({recording.out, recording.energies, common.report}, expand_paths(recording.structure));
  check_output(recording.out, "pdb ent cif mmcif bcif pqr gro mol2 xyz extxyz xtc dcd gz");
  if (!recording.energies.empty()) check_output(recording.energies, "csv");
  Run run(common, false);
  for (const std::string& path : recording.structure) run.report.input(path);
  record_stream(run, recording);
  run.report.phase("write");
  run.finish();
}

void run_convert(const Common& common, Options options) {
  if (!options.out.empty()) {
    if (options.files.empty() && options.make.empty())
      throw Error(fmt::format("convert {}: files to read are missing", options.out), Error::Kind::usage);
    options.files.push_back(options.out);
  }
  if (options.files.empty())
    throw Error("convert takes files to read and the file to write, such as: isolume convert in.cif out.pdb",
                Error::Kind::usage);
  if (const StreamWords words = split_stream(options.files); !words.address.empty())
    return run_recording(common, options, words);
  if (!options.energies.empty())
    throw Error("--energies are those that a running simulation sends, and there is no imd://HOST:PORT",
                Error::Kind::usage);
  if (!options.make.empty() && options.files.size() != 1)
    throw Error("--make takes no input, only an output", Error::Kind::usage);
  if (options.make.empty() && options.files.size() < 2)
    throw Error(fmt::format("convert {}: the output is missing; it can be atoms and frames (.pdb, .cif, .bcif, .pqr, "
                            ".gro, .mol2, .xyz, .xtc, "
                            ".dcd) or a volume (.cube, .dx, .mrc, .vdb), such as: isolume convert {} out.pdb",
                            options.files.front(), options.files.front()),
                Error::Kind::usage);
  CellTreatment cell = cell_treatment(options.cell);
  // Residues are completed by their bonds; else what is written is what was read.
  if (options.cell.empty() && options.templates.empty()) cell.mode = CellTreatment::Mode::as_is;
  const std::string out = options.files.back();
  const std::vector<std::string> inputs(options.files.begin(), options.files.end() - 1);
  check_outputs({out, common.report}, expand_paths(inputs));
  check_output(out, "pdb ent cif mmcif bcif pqr gro mol2 xyz extxyz xtc dcd gz cube cub dx mrc map ccp4 vdb");
  Run run(common, false);
  for (const std::string& path : inputs) run.report.input(path);
  auto molecule = options.make.empty() ? read_molecule(inputs, options.assembly, cell) : made(options.make);
  if (!options.templates.empty()) molecule = with_templates(run, *molecule, options.templates, Unmatched::left_out);
  run.report.phase("read");
  if (is_volume(out)) {
    convert_volume(run, *molecule, options, out);
  } else {
    convert_frames(run, *molecule, options, out);
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_convert(Commands& commands) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      commands.app, "convert",
      "write atoms and frames (pdb, cif, bcif, pqr, gro, mol2, xyz, xtc, dcd) or a volume (cube, dx, mrc), "
      "or record a running simulation (imd://HOST:PORT)",
      "isolume convert system.gro run.xtc protein.dcd --select protein --frames ::10\n"
      "  isolume convert imd://localhost:8888 system.gro run.xtc --frames :1000\n"
      "  isolume convert --make water:30 water.pqr",
      [&commands, options] { run_convert(commands.common, *options); });
  command.option(
      "FILE", options->files,
      "files to read, and last the file to write unless --out names it; imd://HOST:PORT with a structure records a "
      "running simulation (IMD version 2 or 3)");
  command.option("--out", options->out, "the file to write").type_name("FILE").writes();
  command.option("--make", options->make, "make a system instead of reading one: water:SIDE in angstrom");
  command.option("--frames", options->frames, "A:B:STEP (B excluded), or one frame; from 0, negative from the end");
  command.option("--select", options->selection, "which atoms");
  command.option("--assembly", options->assembly, "build this biological assembly of the file (info lists them)");
  command
      .option("--precision", options->precision,
              "what positions of XTC are rounded to, angstrom; GROMACS' precision of 1000 is 0.01")
      .range(1e-6, 100.0);
  add_cell_option(command, options->cell, "as-is");
  add_template_option(command, options->templates);
  command.option("--energies", options->energies, "write the energies that a running simulation sends (CSV)")
      .type_name("FILE")
      .writes();
  command.option("--wait", options->wait, "seconds without a frame after which a running simulation is given up")
      .range(1.0, 1e6);
  command.option("--volume", options->volume, "which volume of the file, from 0");
}

}  // namespace isolume::cli
