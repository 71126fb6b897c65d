// The options that make or change a scene on the command line.
#include "app/cli/render/scene_options.h"

#include "app/cli/cell_option.h"
#include "app/cli/charge_sets.h"
#include "app/cli/render/label_options.h"
#include "app/cli/render/scene_fields.h"
#include "app/cli/residue_charges.h"
#include "app/cli/trust.h"
#include "compute/trajectory/smoothed_trajectory.h"

namespace isolume::cli {

void add_scene_options(Verb command, SceneOptions& options) {
  command.option("FILE", options.files, "structures, trajectories, orbitals, volumes; or one scene (.isolume, .mvsj)")
      .required();
  command.option("--select", options.selection, "draw these atoms alone, in the default style unless --style is given");
  command.option("--style", options.style,
                 "lines, sticks, ball-and-stick, spheres, cartoon, tube, trace, points, ellipsoids, hydrogen-bonds or "
                 "vectors, for all that is drawn");
  command.option(
      "--colour,--color", options.colour,
      "element, chain, chain-and-element, molecule, residue, structure, sequence, hydrophobicity, eisenberg, "
      "wimley-white, plddt, charge, b-factor, index, map (a volume's value at the atoms), a "
      "number of each atom ('=charge', '=abs(z)', '=speed'), file:TABLE.csv or file:ALIGNMENT (numbers or colours of "
      "residues, or their conservation), or a colour (#rrggbb, red, ...)");
  command.option("--orbital", options.orbitals, "show this orbital: homo, lumo+1, or a number from 1; may be repeated")
      .repeated()
      .delimiter(',');
  command.flag("--follow", options.follow,
               "follow the orbitals of the first frame through the others by their overlap, with their phase");
  command
      .option("--enclosed", options.enclosed,
              "isosurfaces of orbitals with this enclosed probability in every frame: 0.9, or 90 for percent")
      .range(1e-6, 99.999999)
      .type_name("P");
  command
      .option("--localise,--localize", options.localise,
              "orbitals that are localised instead of canonical: pipek-mezey or boys")
      .one_of({"pipek-mezey", "boys"});
  command.spin(options.spin, "alpha or beta (with --orbital)");
  command
      .option(
          "--surface", options.surface,
          "wrap the atoms: gaussian, ses or molecular (solvent-excluded), sas or solvent (solvent-accessible), vdw, "
          "cavities; or potential (its isosurfaces). Alone: ses where potential or map colour it, else gaussian")
      .expected(0, 1)
      .default_text(automatic_surface);
  command
      .option("--contacts", options.contacts,
              "noncovalent contacts of these atoms with others, coloured by attraction and repulsion (delta-g of free "
              "atoms). Alone: of ligands, else of the first chain")
      .expected(0, 1)
      .default_text(automatic_surface)
      .type_name("SELECTION");
  command.option("--contacts-with", options.contacts_with, "the other atoms of --contacts (all others)")
      .type_name("SELECTION");
  command.option("--colour-by,--color-by", options.colour_by,
                 "what colours the surface: potential (of the file's charges), map (a volume's values), curvature, "
                 "element, chain, ...");
  command
      .option(
          "--map", options.map,
          "colour the surface by this volume: an APBS map, an ESP cube (without it, --colour-by map takes the first "
          "volume of the files)")
      .type_name("FILE");
  command
      .option("--method", options.method,
              "of the potential: pb (Poisson-Boltzmann; usual for proteins and nucleic acids), debye-hueckel "
              "(screened charges), or in "
              "vacuum automatic (usual for other molecules), direct, cutoff, msm, spme or hcp")
      .type_name("METHOD");
  command.option("--unit", options.unit, "of the potential: V, kT/e or kcal/mol/e").one_of({"V", "kT/e", "kcal/mol/e"});
  add_template_option(command, options.templates);
  add_scene_charges_option(command, options.charges, options.build_missing);
  command
      .option("--range", options.range,
              "value at the full colours, in the unit shown (--colour-by potential: 5 kT/e, or by the surface)")
      .range(1e-6, 1e6)
      .type_name("VALUE");
  command.option("--offset", options.offset, "of --colour-by potential and map: angstrom along the normal")
      .range(-20.0, 20.0)
      .type_name("A");
  command.flag("--extremes", options.extremes,
               "label the maxima and minima of the potential or map that colours a surface");
  command.option("--probe", options.probe, "radius of the probe of ses, sas and cavities, angstrom (1.4)")
      .range(0.0, 20.0)
      .type_name("A");
  command.flag("--periodic", options.periodic, "surfaces of atoms: those of one period of the cell, cut at its faces");
  command.option("--isovalue", options.isovalue, "of the orbital and the surfaces, in the unit shown");
  command.option("--spacing", options.spacing, "angstrom between grid points of the orbital and the surfaces")
      .range(1e-3, 1e3);
  command
      .option("--slice", options.slice,
              "orbitals, potentials and volumes on a plane instead of as surfaces: x, y, z (across it, through the "
              "middle of the atoms) or a selection of atoms; behind a colon angstrom along the normal: z:0.5")
      .type_name("PLANE");
  command.option("--surface-style", options.surface_style, "of orbitals and surfaces: surface, mesh or points")
      .one_of({"surface", "mesh", "points"});
  command.option("--opacity", options.opacity, "of the orbital and the surfaces, 0 to 1").range(0.0, 1.0);
  const Option assembly =
      command.option("--assembly", options.assembly, "build this biological assembly (info lists them)");
  command
      .option("--symmetry-mates", options.mates,
              "crystals: also all copies by the space group within this distance of an atom, angstrom")
      .range(0.0, 1000.0)
      .excludes(assembly);
  add_cell_option(command, options.cell, "centre of a solvated polymer, else whole");
  command
      .option("--smooth", options.smoothing,
              "average each frame of a trajectory with this many before and after it, in the picture "
              "only")
      .range(0, static_cast<int>(most_smoothing))
      .type_name("FRAMES");
  command.option("--background", options.background, "a colour");
  command.option("--label", options.labels, "write the names of residues next to these atoms; may be repeated")
      .type_name("SELECTION")
      .repeated();
  command
      .option("--label-text", options.label_texts,
              "of --label: residue (usual), chain, atom, element, charge, or a text of your own; once for all, or once "
              "for each --label")
      .type_name("WHAT")
      .repeated();
  command.flag("--box", options.box, "draw the periodic cell");
  command.flag("--tile", options.tiles, "each molecule in its own tile, with one camera for all");
  command
      .option("--clip-plane", options.clip_planes,
              "cut away what is beyond a plane in this direction: view (towards the viewer), x, y, z, a, b, c (vectors "
              "of the cell), -x ... or three numbers; behind a colon angstrom along it, behind @ atoms through whose "
              "middle it goes: z:2.5, view@ligand. Up to 6; may be repeated")
      .type_name("PLANE")
      .repeated();
  command.option("--clip", options.clip_cuts, "what --clip-plane cuts: everything (usual), surfaces, or atoms")
      .one_of({"everything", "surfaces", "atoms"});
  command.option("--set", options.values, "change one value of the scene (docs/scene.md); may be repeated")
      .type_name("PATH=VALUE")
      .repeated();
  command
      .option("--preset", options.preset,
              "the picture for a task: overview, pocket (of the largest ligand), electrostatics, orbital, membrane, "
              "cryo-em, publication; other options change it further")
      .one_of({"overview", "pocket", "electrostatics", "orbital", "membrane", "cryo-em", "publication"});
  add_trust_option(command, options.trust);
  add_look_options(command, options.look);
}

}  // namespace isolume::cli
