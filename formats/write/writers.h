// The writers behind write.h, one per format.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/write/output_file.h"
#include "formats/write/write.h"

namespace isolume {

/// The atoms of a molecule that are written, in their order: all where `chosen` is empty.
/// Throws Error (usage) for an atom that is not there.
std::vector<std::uint32_t> written_atoms(const Molecule& molecule, std::vector<std::uint32_t> chosen);

std::unique_ptr<TrajectoryWriter> create_pdb_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms);
std::unique_ptr<TrajectoryWriter> create_gro_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms);
std::unique_ptr<TrajectoryWriter> create_pqr_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms);
std::unique_ptr<TrajectoryWriter> create_xyz_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms);
/// `instead`: where the text goes rather than to a file at `path`, which then only names it.
std::unique_ptr<TrajectoryWriter> create_mmcif_writer(const std::string& path, const Molecule& molecule,
                                                      std::vector<std::uint32_t> atoms,
                                                      std::ostream* instead = nullptr);
std::unique_ptr<TrajectoryWriter> create_bcif_writer(const std::string& path, const Molecule& molecule,
                                                     std::vector<std::uint32_t> atoms);
std::unique_ptr<TrajectoryWriter> create_mol2_writer(const std::string& path, const Molecule& molecule,
                                                     std::vector<std::uint32_t> atoms);
/// `step`: what positions are rounded to, angstrom.
std::unique_ptr<TrajectoryWriter> create_xtc_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms, double step);
std::unique_ptr<TrajectoryWriter> create_dcd_writer(const std::string& path, const Molecule& molecule,
                                                    std::vector<std::uint32_t> atoms);

void write_cube(std::ostream& out, const VolumeView& volume, const Molecule* atoms, std::size_t frame,
                const std::string& comment);
void write_dx(std::ostream& out, const VolumeView& volume, const std::string& comment);
/// CCP4/MRC: the same bytes; `path` is for messages.
void write_mrc(std::ostream& out, const VolumeView& volume, const std::string& comment);

void write_vdb(std::ostream& out, const VolumeView& volume, const std::string& comment);

void write_ply(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made);
/// `materials` is the name of the .mtl that write_mtl() makes, empty for none.
void write_obj(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made,
               const std::string& materials);
void write_mtl(std::ostream& out, const Mesh& mesh, const std::string& comment);
void write_x3d(std::ostream& out, const Mesh& mesh, const std::string& comment, const std::string& made);
void write_stl(std::ostream& out, const Mesh& mesh, const std::string& comment);

/// The letters, digits and underscores of a name, the rest as underscores: "mean curvature" is "mean_curvature".
std::string plain_word(const std::string& name);

/// One line without control characters, for a comment in a text file.
std::string one_line(const std::string& text, std::size_t longest);

}  // namespace isolume
