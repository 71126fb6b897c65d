// isolume compute morph: the way from one conformation to another, as frames.
#include <fmt/format.h>

#include "app/cli/compute/compute.h"
#include "app/cli/compute/compute_runs.h"
#include "app/cli/quantum/nuclei.h"
#include "compute/structure/molecule_morph.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> files, to;
  std::string selection = "all", method = "rigid", match = "automatic", out;
  std::size_t frame = 0, to_frame = 0, steps = 30;
  MorphOptions morph;
};

MorphEnd read_end(const std::vector<std::string>& files, std::size_t frame, const std::string& selection) {
  const MorphEnd end{read_molecule(files), frame, selection};
  check_frame(*end.molecule, frame);
  return end;
}

void run_morph(const Common& common, const Options& options) {
  check_output(options.out, "pdb ent pqr gro xyz dcd gz");
  Run run(common, false);
  on_cpu_alone(run, common, "morph");
  for (const std::string& path : options.files) run.report.input(path);
  for (const std::string& path : options.to) run.report.input(path);
  const MorphEnd from = read_end(options.files, options.frame, options.selection);
  const MorphEnd to = read_end(options.to, options.to_frame, options.selection);
  run.report.phase("read");
  MorphOptions morphing = options.morph;
  morphing.method = options.method == "linear" ? MorphMethod::linear : MorphMethod::rigid;
  const MoleculeMorph way(from, to, matching_named(options.match), morphing, run.job());
  const std::vector<std::uint32_t>& atoms = way.atoms();
  const Morph& morph = way.morph();
  const auto writer = create_writer(options.out, way.molecule(), atoms);
  double bond_error = 0;
  for (std::size_t step = 0; step < options.steps; ++step) {
    run.job().check();
    const double t = static_cast<double>(step) / static_cast<double>(options.steps - 1);
    writer->add(way.frame(t, bond_error, run.job()));
    run.job().progress(static_cast<double>(step + 1) / static_cast<double>(options.steps), "morph");
  }
  run.report.phase("compute");
  writer->finish();
  Json domains = Json::array();
  for (std::size_t d = 0; d < morph.domains(); ++d)
    domains.push_back({{"trace_atoms", morph.core_size(d)}, {"turn", morph.turn(d)}});
  run.report.method = {
      {"name", "morph"}, {"method", options.method}, {"matched", name(way.matched_by())}, {"core", options.morph.core}};
  run.report.unit = "angstrom";
  run.report.result = {{"atoms", atoms.size()},
                       {"frames", options.steps},
                       {"largest_bond_error", bond_error},
                       {"domains", std::move(domains)}};
  run.report.phase("write");
  run.say(fmt::format("{}: {} of {}, {}; bonds within {:.2g} angstrom of what is between the ends", options.out,
                      counted(options.steps, "frame"), counted(atoms.size(), "atom"),
                      counted(morph.domains(), "rigid domain"), bond_error));
  run.finish();
}

}  // namespace

void add_compute_morph(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "morph", "the way from one conformation to another, as frames",
                   "isolume compute morph open.pdb --to closed.pdb --steps 40 --select protein --out morph.pdb",
                   [&commands, options] { run_morph(commands.common, *options); });
  command.option("FILE", options->files, "the structure at the start").required();
  command.option("--to", options->to, "the structure at the end; it is superposed on the start").required();
  command.option("--out", options->out, "pdb, pqr, gro, xyz or dcd").type_name("FILE").required().writes();
  command.option("--steps", options->steps, "frames, with both ends").range(std::size_t{2}, std::size_t{100'000});
  command
      .option("--method", options->method,
              "rigid: rigid domains turn along screws, bonds and angles are kept; linear: straight lines")
      .one_of({"rigid", "linear"});
  command.option("--select", options->selection, "which atoms of both");
  command
      .option("--match", options->match,
              "how atoms are matched: residues, sequence, order, or automatic (whichever fits)")
      .one_of({"automatic", "residues", "sequence", "order"});
  command.option("--frame", options->frame, "the frame of FILE, from 0");
  command.option("--to-frame", options->to_frame, "the frame of --to, from 0");
  command.option("--core", options->morph.core, "angstrom that trace atoms of a rigid domain may be apart")
      .range(0.1, 10.0);
}

}  // namespace isolume::cli
