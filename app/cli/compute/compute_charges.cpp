// isolume compute charges: hydrogens, charges and radii for a plain structure.
#include <fmt/format.h>

#include "app/cli/cell_option.h"
#include "app/cli/charge_sets.h"
#include "app/cli/compute/compute.h"
#include "app/cli/prepared_charges.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/missing.h"

namespace isolume::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> compared;
  std::string assembly, table, out;
  ChargeChoice charges;
  std::size_t frame = 0;
  bool strict = false;
};

/// Refuses a structure of which something has no charges or is not whole, and names the first of it.
void check_complete(const PreparedStructure& prepared) {
  std::size_t count = 0;
  const ChargeIssue* first = nullptr;
  for (const ChargeIssue& issue : prepared.issues) {
    if (issue.kind != ChargeIssue::Kind::left_out && issue.kind != ChargeIssue::Kind::incomplete) continue;
    if (first == nullptr) first = &issue;
    ++count;
  }
  if (first == nullptr) return;
  throw Error(fmt::format("--strict: {}: {}{}{}; nothing is written", first->place, first->text,
                          first->remedy.empty() ? "" : fmt::format(" ({})", first->remedy),
                          count > 1 ? fmt::format(", and {} more", count - 1) : ""));
}

void run_charges(const Common& common, const Options& options) {
  if (!options.out.empty()) check_output(options.out, "pqr");
  if (!options.table.empty()) check_output(options.table, "csv");
  for (const std::string& set : options.compared) check_charge_set(set);
  if (!options.compared.empty() && !options.out.empty()) {
    throw Error("--compare writes a table (--table), and no structure", Error::Kind::usage);
  }
  Run run(common, false);
  for (const std::string& path : options.files) run.report.input(path);
  CellTreatment as_is;
  as_is.mode = CellTreatment::Mode::as_is;
  const auto molecule = read_molecule(options.files, options.assembly, as_is);
  if (!molecule->topology || molecule->frame_count() == 0) {
    throw Error(missing_positions(*molecule), Error::Kind::usage);
  }
  check_frame(*molecule, options.frame);
  run.report.phase("read");
  if (!options.compared.empty()) {
    const std::string text = compared_charges(run, molecule, options.compared[0], options.compared[1], options.frame);
    run.report.phase("compute");
    run.report.unit = "e";
    if (options.table.empty()) {
      fmt::print("{}", text);
    } else {
      write_atomically(options.table, [&](std::ostream& out) { out << text; });
    }
    run.finish();
    return;
  }
  const PreparedStructure prepared = prepared_by(run, *molecule, options.charges, options.frame);
  if (options.strict) check_complete(prepared);
  run.report.phase("compute");
  run.report.unit = "e";
  run.report.method = {{"name", "templates"}, {"set", run.report.result["preparation"]["set"]}};
  if (!options.out.empty()) {
    const auto writer = create_writer(options.out, prepared.molecule, {});
    writer->add(prepared.molecule.trajectory->frame(0));
    writer->finish();
  }
  const std::string table = residue_table(prepared);
  if (!options.table.empty()) write_atomically(options.table, [&](std::ostream& out) { out << table; });
  if (options.table.empty() && options.out.empty()) fmt::print("{}", table);
  run.report.phase("write");
  if (!options.out.empty()) run.say(fmt::format("{}: {}", options.out, counted(prepared.source.size(), "atom")));
  run.finish();
}

}  // namespace

void add_compute_charges(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command =
      commands.add(parent, "charges", "hydrogens, charges and radii for a plain structure, from built-in tables",
                   "isolume compute charges crambin.pdb.gz --out crambin.pqr\n"
                   "  isolume compute charges 4hhb.pdb --force-field charmm --ph 6.2 --table states.csv --out 4hhb.pqr",
                   [&commands, options] { run_charges(commands.common, *options); });
  command.option("FILE", options->files, "a structure").required();
  command.option("--out", options->out, "the structure with its hydrogens: pqr").type_name("FILE").writes();
  command.option("--table", options->table, "csv of states and charges of residues (default, without --out: stdout)")
      .type_name("FILE")
      .writes();
  add_charge_options(command, options->charges);
  command.flag("--strict", options->strict,
               "fail and write nothing where a residue is left out or not whole (without: they are named)");
  command
      .option("--compare", options->compared,
              "charges of residues by two sets: file, amber, charmm, parse, gasteiger or FILE.csv[:COLUMN]")
      .type_name("NAME")
      .expected(2);
  command.option("--assembly", options->assembly, "build this biological assembly (info lists them)");
  command.option("--frame", options->frame, "which frame, from 0");
}

}  // namespace isolume::cli
