// Hydrogens and charges from the residues of other structures, on the command line.
#include "app/cli/residue_charges.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/read_templates.h"
#include "molecule/base/error.h"
#include "molecule/force_field/residue_templates.h"

namespace isolume::cli {

void add_template_option(Verb command, std::vector<std::string>& templates) {
  command
      .option("--templates", templates,
              "hydrogens and charges from the residues of structures that have them: a PRMTOP with its "
              "coordinates, PQR files")
      .type_name("FILE")
      .expected(1, 8);
}

std::shared_ptr<const Molecule> with_templates(Run& run, const Molecule& molecule,
                                               const std::vector<std::string>& paths, Unmatched unmatched,
                                               std::size_t frame) {
  for (const std::string& path : paths) run.report.input(path);
  const ResidueTemplates templates = read_templates(paths);
  CompletedStructure completed = templates.complete(molecule, frame);
  const std::size_t missing = completed.unmatched.size();
  if (missing > 0) {
    const auto shown = static_cast<std::ptrdiff_t>(std::min<std::size_t>(5, missing));
    const std::string list =
        fmt::format("{}{}", fmt::join(completed.unmatched.begin(), completed.unmatched.begin() + shown, "; "),
                    shown < static_cast<std::ptrdiff_t>(missing) ? "; ..." : "");
    if (unmatched == Unmatched::refused)
      throw Error(fmt::format("no charges for {} of {} residues: {}; name a file that has them with --templates, or "
                              "leave them out: isolume convert IN OUT.pqr --templates ...",
                              missing, missing + completed.matched, list),
                  Error::Kind::input);
    run.say(fmt::format("note: {} residues are left out: {}", missing, list));
  }
  double total = 0;
  for (const Atom& atom : completed.molecule.topology->atoms) total += static_cast<double>(atom.charge);
  run.say(fmt::format("{} residues completed from {} templates: {} hydrogens, total charge {:.4g} e", completed.matched,
                      templates.size(), completed.added_hydrogens, total));
  if (completed.ends > 0)
    run.say(fmt::format("note: {} ends of chains are composed of two templates; charges moved by {:.2g} e at most",
                        completed.ends, completed.largest_shift));
  run.report.result["templates"] = {{"residues", completed.matched},   {"hydrogens", completed.added_hydrogens},
                                    {"composed_ends", completed.ends}, {"largest_shift", completed.largest_shift},
                                    {"total_charge", total},           {"left_out", completed.unmatched}};
  return std::make_shared<const Molecule>(std::move(completed.molecule));
}

}  // namespace isolume::cli
