// The methods of electrostatics on the command line: declarations of their options.
#include "app/cli/compute/method_options.h"
#include "app/cli/command.h"

namespace isolume::cli {
namespace {

/// Options of maps alone.
void add_map_options(Verb command, MethodOptions& o, const char* all) {
  command.option("--unit", o.unit, "V, kT/e or kcal/mol/e").one_of({"V", "kT/e", "kcal/mol/e"}).group(all);
  command
      .option("--tolerance", o.tolerance,
              "target relative RMS error, checked by measurement; msm, spme and the steps of pb are refined until it "
              "is met")
      .range(1e-9, 1.0)
      .group(all);
  command.option("--form", o.form, "cutoff: plain, shifted (the default) or switched")
      .one_of({"plain", "shifted", "switched"})
      .group(all);
  command.option("--switching", o.switching, "cutoff: where switched begins, angstrom (2 before the cutoff)")
      .range(0.0, 1e6)
      .group(all);
  command.option("--basis", o.basis, "msm: nodal (the paper's) or bspline, more accurate with as many nodes")
      .one_of({"nodal", "bspline"})
      .group(all);
  command.flag("--published", o.published, "msm: the paper's cutoff 12, lattice 2, degree 3, smoothing 2").group(all);
  command.option("--radii", o.radii, "debye-hueckel, pb: atoms (the file's, else van der Waals), zero, or angstrom")
      .group(all);
}

/// What the command line says of the methods that compute something.
std::string method_help(MethodUse use) {
  std::string text = "direct";
  if (use == MethodUse::map) text += ", cutoff";
  text += ", msm (multilevel summation), spme (particle-mesh Ewald)";
  if (use == MethodUse::map) text += ", debye-hueckel";
  text += use == MethodUse::forces ? " or hcp" : ", hcp";
  text += " (hierarchical charge partitioning)";
  if (use == MethodUse::map) text += " or pb (Poisson-Boltzmann)";
  if (use == MethodUse::energy) text += " pb or gb (polar solvation energy by Poisson-Boltzmann or generalised Born)";
  return text;
}

}  // namespace

void add_method_options(Verb command, MethodOptions& o, MethodUse use) {
  const char* all = "Methods";
  const bool map = use == MethodUse::map;
  command.option("--method", o.method, method_help(use)).group(all);
  if (map) add_map_options(command, o, all);
  command
      .option("--dielectric", o.dielectric,
              map ? "constant:EPS (constant:1), or sigmoidal (direct, cutoff, hcp)"
                  : "direct, hcp: constant:EPS (constant:1), or sigmoidal")
      .group(all);
  command
      .option("--cutoff", o.cutoff,
              map ? "angstrom (cutoff: 12; msm, spme: of the sum over pairs, 9 or the most that the cell allows)"
                  : "msm, spme: of the sum over pairs (9, or the most that the cell allows)")
      .positive()
      .type_name("A")
      .group(all);
  command
      .option("--accuracy", o.accuracy,
              map ? "relative RMS error; msm, spme: to choose parameters for (msm: 2.5e-3); direct: of its fast mode"
                  : "spme: relative RMS error of forces to choose parameters for")
      .range(1e-9, 1.0)
      .group(all);
  command.option("--lattice-spacing", o.lattice_spacing, "msm: of the finest lattice (1)")
      .positive()
      .type_name("A")
      .group(all);
  command.option("--degree", o.degree, "msm: of the interpolation, 3, 5 or 7 (7)").one_of({3, 5, 7}).group(all);
  command.option("--smoothing", o.smoothing, "msm: order of the Taylor series, 2 to 4 (4)").range(2, 4).group(all);
  command
      .option(
          "--periodic", o.periodic,
          map ? "msm: none, or the cell's vectors along which charges repeat: xyz (where the file has a cell), xy ..."
              : "msm: none, or xyz (where the file has a cell)")
      .group(all);
  if (!map) command.flag("--open", o.open, "msm: the same as --periodic none").group(all);
  command.option("--order", o.order, "spme: of the splines, 4 to 8 (4)").range(4, 8).group(all);
  command.option("--mesh", o.mesh, "spme: mesh points along the cell vectors").expected(3).group(all);
  command.option("--mesh-spacing", o.mesh_spacing, "spme: largest distance of mesh points (1)")
      .positive()
      .type_name("A")
      .group(all);
  command.option("--alpha", o.alpha, "spme: Ewald's parameter (so that erfc(alpha cutoff) = 1e-5)")
      .positive()
      .type_name("1/A")
      .group(all);
  command
      .option("--thresholds", o.thresholds,
              "hcp: distances beyond which residues, chains and complexes act by their charges (15/66; published: "
              "15, 15/66, 21/90, 15/48)")
      .type_name("H1[/H2[/H3]]")
      .group(all);
  command
      .option("--complexes", o.complexes,
              "hcp: which chains make a complex: auto (the copies of one operator in an assembly, else all chains), "
              "segments, or the chains of each complex")
      .type_name("auto|segments|N[,N...]")
      .default_text("auto")
      .group(all);
  command.option("--charges", o.charges, "hcp: charges that stand for a part, 1 or 2 (1)").range(1, 2).group(all);
  if (use == MethodUse::forces) return;
  command.option("--ionic-strength", o.ionic_strength, map ? "debye-hueckel, pb: mol/l (0.15)" : "pb, gb: mol/l (0.15)")
      .non_negative()
      .group(all);
  command
      .option("--temperature", o.temperature,
              map ? "K, of debye-hueckel, pb and of the unit kT/e (298.15)" : "pb, gb: K (298.15)")
      .range(1.0, 1e5)
      .group(all);
  command
      .option("--solvent-dielectric", o.permittivity,
              map ? "debye-hueckel, pb: relative permittivity (78.54)" : "pb, gb: relative permittivity (78.54)")
      .range(1.0, 1e4)
      .group(all);
  if (!map)
    command
        .option("--gb-model", o.gb_model,
                "gb: obc (OBC II, with the file's radii) or neck2 (GB-neck2, igb=8, with radii mbondi3; on the CPU)")
        .one_of({"obc", "neck2"})
        .default_text("obc")
        .group(all);
  if (!map)
    command
        .option("--screening-factor", o.screening_factor,
                "gb: of the inverse Debye length, for the ions' size (0.73, as AMBER has)")
        .range(0.0, 1.0)
        .group(all);
  add_poisson_boltzmann_options(command, o.pb);
}

}  // namespace isolume::cli
