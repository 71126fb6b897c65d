// The subcommands of compute that run or compare methods, or make tables, rather than make one field.
#pragma once

#include "app/cli/commands.h"

namespace isolume::cli {

void add_compute_dynamics(Commands& commands, Verb parent);
void add_compute_compare(Commands& commands, Verb parent);
void add_compute_critical_points(Commands& commands, Verb parent);
void add_compute_surface_potential(Commands& commands, Verb parent);
void add_compute_atomic_charges(Commands& commands, Verb parent);
void add_compute_modes(Commands& commands, Verb parent);
void add_compute_states(Commands& commands, Verb parent);
/// rdf, rmsd, rmsf, gyration, contacts, dipole, hbonds, distance.
void add_compute_analyses(Commands& commands, Verb parent);
/// Of app/cli/sampling and app/cli/timeline.
void add_compute_ionize(Commands& commands, Verb parent);
void add_compute_ligand_map(Commands& commands, Verb parent);
void add_compute_lj_map(Commands& commands, Verb parent);
void add_compute_timeline(Commands& commands, Verb parent);
/// Of app/cli/maps and app/cli/trajectory.
void add_compute_map(Commands& commands, Verb parent);
void add_compute_rmsd_matrix(Commands& commands, Verb parent);
void add_compute_cluster(Commands& commands, Verb parent);
void add_compute_mean_structure(Commands& commands, Verb parent);
void add_compute_pca(Commands& commands, Verb parent);
void add_compute_msd(Commands& commands, Verb parent);
/// app/cli/structure
void add_compute_interactions(Commands& commands, Verb parent);
void add_compute_morph(Commands& commands, Verb parent);
void add_compute_ramachandran(Commands& commands, Verb parent);
/// ligands, ions.
void add_compute_parts(Commands& commands, Verb parent);

}  // namespace isolume::cli
