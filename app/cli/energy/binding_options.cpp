// The options of isolume compute energy --binding.
#include <fmt/format.h>

#include "app/cli/energy/alanine_scan.h"
#include "app/cli/energy/binding_energy.h"
#include "molecule/base/error.h"

namespace isolume::cli {

void add_binding_options(Verb command, BindingChoice& o) {
  const char* heading_text = "Binding (--method pb or gb)";
  command
      .option("--binding", o.partners,
              "two selections: the energy of the complex less those of the partners, with the complex's positions")
      .expected(2)
      .type_name("S1 S2")
      .group(heading_text);
  command.option("--frames", o.frames, "with --binding: A:B:STEP (B excluded), from 0").group(heading_text);
  command
      .option("--alanine-scan", o.alanine,
              "with --binding: cut residues of the selection, or of the interface, to alanine one by one")
      .type_name("SELECTION")
      .expected(0, 1)
      .default_text(interface_scan)
      .group(heading_text);
  command.option("--scan-out", o.scan_out, "with --alanine-scan: the table, with terms and errors")
      .type_name("F.csv")
      .writes()
      .group(heading_text);
  command
      .option("--residues", o.residues,
              "pb, gb: what every residue contributes; with --binding the mean over the frames")
      .type_name("F.csv")
      .writes()
      .group(heading_text);
  command.option("--surface-tension", o.surface_tension, "with --binding: kcal/(mol A^2), of the area (0.0072)")
      .range(0.0, 10.0)
      .group(heading_text);
  command.option("--surface-offset", o.surface_offset, "with --binding: kcal/mol, of every molecule (0)")
      .range(-100.0, 100.0)
      .group(heading_text);
  command
      .option("--pressure", o.pressure, "with --binding: kcal/(mol A^3), of the solvent-accessible volume (0: without)")
      .range(0.0, 10.0)
      .group(heading_text);
}

void check_binding_choice(const BindingChoice& o, PotentialMethod method, const std::string& out) {
  const bool solvent = method == PotentialMethod::pb || method == PotentialMethod::gb;
  if (!o.residues.empty()) {
    if (!solvent) throw Error("--residues belongs to --method pb or gb", Error::Kind::usage);
    check_output(o.residues, "csv");
  }
  if (o.given()) {
    if (!solvent) throw Error("--binding belongs to --method pb or gb", Error::Kind::usage);
    if (!out.empty()) check_output(out, "csv");
    if (!o.scan_out.empty() && o.alanine.empty())
      throw Error("--scan-out belongs to --alanine-scan", Error::Kind::usage);
    if (!o.scan_out.empty()) check_output(o.scan_out, "csv");
    return;
  }
  const auto alone = [](bool given, const char* option) {
    if (given) throw Error(fmt::format("{} belongs to --binding", option), Error::Kind::usage);
  };
  alone(!o.frames.empty(), "--frames");
  alone(!o.alanine.empty(), "--alanine-scan");
  alone(!o.scan_out.empty(), "--scan-out");
  alone(o.surface_tension >= 0, "--surface-tension");
  alone(o.surface_offset > -1e300, "--surface-offset");
  alone(o.pressure >= 0, "--pressure");
}

}  // namespace isolume::cli
