// Hydrogens and charges from the residues of other structures, on the command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"

namespace isolume::cli {

/// What becomes of residues without a template.
enum class Unmatched {
  left_out,  ///< and named in a note and the report
  refused,   ///< Error (input) that names them
};

/// --templates: the files that charges come from.
void add_template_option(Verb command, std::vector<std::string>& templates);

/// `molecule` completed from the residues of `paths` (PQR files one by one; what else there is makes one structure).
/// Says what was done, and puts it into the report. Throws Error.
std::shared_ptr<const Molecule> with_templates(Run& run, const Molecule& molecule,
                                               const std::vector<std::string>& paths, Unmatched unmatched,
                                               std::size_t frame = 0);

}  // namespace isolume::cli
