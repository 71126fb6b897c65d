// Writing files: which writer an extension names.
#include "formats/write/write.h"

#include <algorithm>
#include <filesystem>

#include "formats/bytes/text.h"
#include "formats/write/frame_writer.h"
#include "formats/write/write_glb.h"
#include "formats/write/writers.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

[[noreturn]] void unknown_extension(const std::string& path, const char* what, const char* known) {
  const std::string extension = extension_of(path);
  const std::string name = extension.empty() ? "without an extension" : "as \"." + clean(extension, 20) + "\"";
  throw Error(path + ": " + what + " cannot be written " + name + "; known are " + known, Error::Kind::usage);
}

void check_volume(const VolumeView& volume) {
  const glm::ivec3 n = volume.grid.counts;
  if (n.x < 1 || n.y < 1 || n.z < 1 || volume.values.size() != volume.grid.size()) {
    throw Error("the volume to be written has not as many values as its grid has points");
  }
}

void check_mesh(const Mesh& mesh) {
  const std::size_t n = mesh.positions.size();
  if ((!mesh.normals.empty() && mesh.normals.size() != n) || (!mesh.colours.empty() && mesh.colours.size() != n)) {
    throw Error("the mesh to be written has not as many normals or colours as it has vertices");
  }
  for (const MeshScalar& scalar : mesh.scalars)
    if (scalar.values.size() != n)
      throw Error("the mesh to be written has not as many values of " + scalar.name + " as it has vertices");
  for (const glm::uvec3 t : mesh.triangles) {
    if (t.x >= n || t.y >= n || t.z >= n) throw Error("the mesh to be written has a triangle without its vertices");
  }
}

}  // namespace

std::string plain_word(const std::string& name) {
  std::string word;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    word += plain ? c : '_';
  }
  return word.empty() ? "value" : word;
}

std::string one_line(const std::string& text, std::size_t longest) {
  return clean(text, longest);
}

std::vector<std::uint32_t> written_atoms(const Molecule& molecule, std::vector<std::uint32_t> chosen) {
  const std::size_t count = molecule.topology     ? molecule.topology->atoms.size()
                            : molecule.trajectory ? molecule.trajectory->atom_count()
                                                  : 0;
  if (chosen.empty()) {
    chosen.resize(count);
    for (std::size_t i = 0; i < count; ++i) chosen[i] = static_cast<std::uint32_t>(i);
  }
  for (const std::uint32_t atom : chosen) {
    if (atom >= count) {
      throw Error("atom " + std::to_string(atom) + " to be written: there are " + std::to_string(count),
                  Error::Kind::usage);
    }
  }
  if (chosen.empty()) throw Error("there are no atoms to be written", Error::Kind::usage);
  return chosen;
}

std::unique_ptr<TrajectoryWriter> create_writer(const std::string& path, const Molecule& molecule,
                                                std::vector<std::uint32_t> atoms) {
  return create_writer(path, molecule, std::move(atoms), usual_xtc_step);
}

std::unique_ptr<TrajectoryWriter> create_writer(const std::string& path, const Molecule& molecule,
                                                std::vector<std::uint32_t> atoms, double xtc_step) {
  const std::string extension = extension_of(path);
  if (extension == "pdb" || extension == "ent") return create_pdb_writer(path, molecule, std::move(atoms));
  if (extension == "gro") return create_gro_writer(path, molecule, std::move(atoms));
  if (extension == "pqr") return create_pqr_writer(path, molecule, std::move(atoms));
  if (extension == "xyz" || extension == "extxyz") return create_xyz_writer(path, molecule, std::move(atoms));
  if (extension == "cif" || extension == "mmcif") return create_mmcif_writer(path, molecule, std::move(atoms));
  if (extension == "bcif") return create_bcif_writer(path, molecule, std::move(atoms));
  if (extension == "mol2") return create_mol2_writer(path, molecule, std::move(atoms));
  if (!path.ends_with(".gz")) {
    if (extension == "dcd") return create_dcd_writer(path, molecule, std::move(atoms));
    if (extension == "xtc") return create_xtc_writer(path, molecule, std::move(atoms), xtc_step);
  }
  unknown_extension(path, "atoms", "pdb, pqr, gro, xyz, cif, bcif, mol2 (each also with .gz), xtc and dcd");
}

void write_volume(const std::string& path, const VolumeView& volume, const Molecule* atoms, std::size_t frame,
                  const std::string& comment) {
  check_volume(volume);
  const std::string extension = extension_of(path);
  const bool cube = extension == "cube" || extension == "cub";
  const bool dx = extension == "dx";
  const bool vdb = extension == "vdb" && !path.ends_with(".gz");
  if (!cube && !dx && !vdb && extension != "mrc" && extension != "map" && extension != "ccp4") {
    unknown_extension(path, "a volume", "cube, dx, mrc, map, ccp4 (each also with .gz) and vdb");
  }
  OutputFile file(path);
  if (cube) {
    write_cube(file.stream(), volume, atoms, frame, comment);
  } else if (dx) {
    write_dx(file.stream(), volume, comment);
  } else if (vdb) {
    write_vdb(file.stream(), volume, comment);
  } else {
    write_mrc(file.stream(), volume, comment);
  }
  file.finish();
}

void write_mesh(const std::string& path, const Mesh& mesh, const std::string& comment, const std::string& made) {
  check_mesh(mesh);
  const std::string extension = extension_of(path);
  if (extension != "ply" && extension != "obj" && extension != "stl" && extension != "glb" && extension != "x3d")
    unknown_extension(path, "a mesh", "ply, obj, stl, glb, x3d");
  OutputFile file(path);
  if (extension == "ply") {
    write_ply(file.stream(), mesh, comment, made);
  } else if (extension == "stl") {
    write_stl(file.stream(), mesh, comment);
  } else if (extension == "x3d") {
    write_x3d(file.stream(), mesh, comment, made);
  } else if (extension == "glb") {
    GlbBuilder builder;
    builder.add(mesh);
    builder.write(file.stream(), comment, made);
  } else if (mesh.colours.empty()) {
    write_obj(file.stream(), mesh, comment, made, {});
  } else {
    std::filesystem::path materials(path);
    if (materials.extension() == ".gz") materials.replace_extension();
    materials.replace_extension(".mtl");
    OutputFile beside(materials.string());
    write_mtl(beside.stream(), mesh, comment);
    write_obj(file.stream(), mesh, comment, made, materials.filename().string());
    beside.finish();
  }
  file.finish();
}

}  // namespace isolume
