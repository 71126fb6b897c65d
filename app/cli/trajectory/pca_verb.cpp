// isolume compute pca: principal components of the motion over frames.
#include <fmt/format.h>

#include <cmath>

#include "app/cli/compute/compute_runs.h"
#include "app/cli/trajectory/trajectory.h"
#include "compute/base/memory.h"
#include "compute/trajectory/principal_components.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  FrameSetOptions set;
  std::size_t components = 10, mode = 1, steps = 40;
  double amplitude = 0;
  std::string modes, trajectory;
};

/// The atoms of the set alone.
Molecule only(const Molecule& molecule, const std::vector<std::uint32_t>& atoms) {
  Molecule part;
  part.paths = molecule.paths;
  Topology topology;
  const Topology& whole = *molecule.topology;
  std::uint32_t last = UINT32_MAX;
  for (const std::uint32_t i : atoms) {
    Atom atom = whole.atoms[i];
    if (atom.residue != last) {
      last = atom.residue;
      Residue residue = whole.residues[last];
      residue.first_atom = static_cast<std::uint32_t>(topology.atoms.size());
      residue.atom_count = 0;
      topology.residues.push_back(residue);
    }
    atom.residue = static_cast<std::uint32_t>(topology.residues.size() - 1);
    ++topology.residues.back().atom_count;
    topology.atoms.push_back(atom);
  }
  topology.chains = whole.chains;
  part.topology = std::make_shared<Topology>(std::move(topology));
  return part;
}

void run_pca(const Common& common, const Options& o) {
  if (!o.set.out.empty()) check_output(o.set.out, "csv");
  if (!o.modes.empty()) check_output(o.modes, "csv");
  if (!o.trajectory.empty()) check_output(o.trajectory, "pdb xyz");
  Run run(common, false);
  ReadFrames read = read_frame_set(run, common, o.set, "principal components");
  const std::size_t bytes = principal_components_memory(read.set, o.components);
  const PrincipalComponents found = principal_components(read.set, o.components, !o.set.no_fit, run.job());
  run.report.memory(bytes, peak_memory(Device::cpu()));
  run.report.phase("compute");
  run.report.unit = "angstrom";
  const std::size_t kept = found.variances.size(), atoms = found.mean.size();
  if (!o.trajectory.empty() && o.mode > kept)
    throw Error(fmt::format("--mode {}: there are {}", o.mode, counted(kept, "component")), Error::Kind::usage);
  std::string text = frame_heading(read.set);
  for (std::size_t k = 0; k < kept; ++k) text += fmt::format(",component {} (angstrom)", k + 1);
  text += "\n";
  for (std::size_t row = 0; row < read.set.frames.size(); ++row) {
    text += frame_cells(read.set, row);
    for (std::size_t k = 0; k < kept; ++k) text += fmt::format(",{:.6f}", found.projections[row * kept + k]);
    text += "\n";
  }
  write_text(o.set.out, text);
  if (!o.modes.empty()) {
    std::string table = "atom,mean x (angstrom),mean y (angstrom),mean z (angstrom)";
    for (std::size_t k = 0; k < kept; ++k) table += fmt::format(",x {0},y {0},z {0}", k + 1);
    table += "\n";
    for (std::size_t i = 0; i < atoms; ++i) {
      const glm::dvec3 m = found.mean[i];
      table += fmt::format("{},{:.5f},{:.5f},{:.5f}", read.set.atoms[i], m.x, m.y, m.z);
      for (std::size_t k = 0; k < kept; ++k) {
        const glm::dvec3 v = found.modes[k * atoms + i];
        table += fmt::format(",{:.7f},{:.7f},{:.7f}", v.x, v.y, v.z);
      }
      table += "\n";
    }
    write_text(o.modes, table);
  }
  if (!o.trajectory.empty()) {
    const double amplitude = o.amplitude > 0 ? o.amplitude : 2 * std::sqrt(found.variances[o.mode - 1]);
    const Molecule part = only(*read.molecule, read.set.atoms);
    const auto writer = create_writer(o.trajectory, part);
    for (const auto& places : mode_frames(found, o.mode - 1, amplitude, o.steps)) {
      Frame frame;
      frame.positions.assign(places.begin(), places.end());
      writer->add(frame);
    }
    writer->finish();
    run.report.result["amplitude"] = amplitude;
  }
  Json variances = Json::array(), parts = Json::array();
  for (const double variance : found.variances) {
    variances.push_back(variance);
    parts.push_back(found.total > 0 ? variance / found.total : 0.0);
  }
  run.report.method["rounds"] = found.rounds;
  run.report.result["variances"] = variances;
  run.report.result["parts"] = parts;
  run.report.result["total_variance"] = found.total;
  run.report.phase("write");
  run.say(fmt::format("{}the first of {} has {:.1f} % of {:.4g} angstrom^2", o.set.out.empty() ? "" : o.set.out + ": ",
                      counted(kept, "component"), found.total > 0 ? 100 * found.variances[0] / found.total : 0.0,
                      found.total));
  run.finish();
}

}  // namespace

void add_compute_pca(Commands& commands, Verb parent) {
  auto o = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "pca", "principal components of the motion of atoms, with the projections of all frames",
      "isolume compute pca system.psf run.dcd --select 'name CA' --out projections.csv\n"
      "  isolume compute pca system.psf run.dcd --select backbone --mode 1 --trajectory mode1.pdb --out p.csv",
      [&commands, o] { run_pca(commands.common, *o); });
  add_frame_set_options(command, o->set, "CA and P of polymers, else all",
                        "csv: the projections of every frame (default: stdout)", true);
  command.option("--components", o->components, "how many, the largest first").range(1, 10'000);
  command.option("--modes", o->modes, "csv: mean positions and unit vectors of all components")
      .type_name("FILE")
      .writes();
  command.option("--trajectory", o->trajectory, "one period along --mode, to be played: pdb or xyz")
      .type_name("FILE")
      .writes();
  command.option("--mode", o->mode, "which component, from 1, of --trajectory").range(1, 10'000);
  command.option("--amplitude", o->amplitude, "angstrom of the projection (default: two standard deviations)")
      .positive();
  command.option("--steps", o->steps, "frames of --trajectory").range(2, 10'000);
}

}  // namespace isolume::cli
