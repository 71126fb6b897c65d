// The things of a scene as files: atoms and frames, volumes, the values of fields, and surfaces.
#include "app/export/data_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "app/documents/frames.h"
#include "app/documents/titles.h"
#include "app/export/representation_export.h"
#include "app/fields/scene_request.h"
#include "app/scene/named_selections.h"
#include "app/scene/path_part.h"
#include "app/scene/scene_json.h"
#include "formats/bytes/input_files.h"
#include "formats/write/frame_writer.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/selection/empty_selection.h"
#include "molecule/selection/selection.h"
#include "render/represent/solid_mesh.h"

namespace isolume {
namespace {

constexpr std::string_view mesh_formats = "glb ply obj stl x3d", volume_formats = "dx cube mrc vdb",
                           atom_formats = "pdb cif bcif gro mol2 xyz xtc dcd",
                           charged_formats = "pdb cif bcif pqr gro mol2 xyz xtc dcd";

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// "pdb" of "a.pdb" and of "a.pdb.gz".
std::string extension_of(const std::string& path) {
  std::filesystem::path file(path);
  if (file.extension() == ".gz") file = file.stem();
  const std::string extension = file.extension().string();
  return extension.empty() ? extension : extension.substr(1);
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Values that mean something by themselves, apart from the surface at them.
bool has_values(const Field& field) {
  return field.kind == Field::Kind::orbital || field.kind == Field::Kind::potential ||
         field.kind == Field::Kind::volume || field.kind == Field::Kind::gaussian;
}
bool has_surface(const Field& field) {
  return field.slice.kind == SlicePlane::Kind::none && field.show == Field::Show::surfaces;
}

/// What a file carries.
std::string made_of(const Scene& scene, const DataExport& what) {
  const std::string folder =
      what.folder.empty() ? std::filesystem::absolute(what.path).parent_path().string() : what.folder;
  return "{\"program\":\"Isolume " ISOLUME_VERSION "\",\"scene\":" + scene_to_json(scene, folder) + "}";
}
constexpr const char* comment = "exported by Isolume " ISOLUME_VERSION;

std::string write_molecule(const SceneMolecule& entry, Documents& documents, const DataExport& what, Job& job) {
  const auto molecule = documents.molecule(entry);
  if (!molecule->topology || molecule->frame_count() == 0)
    throw Error(file_title(entry.paths) + " has no atoms with positions", Error::Kind::usage);
  if (what.step == 0 || what.first > what.last || what.last >= molecule->frame_count())
    throw Error(fmt::format("frames {} to {} by {}: {} has frames 0 to {}", what.first, what.last, what.step,
                            file_title(entry.paths), molecule->frame_count() - 1),
                Error::Kind::usage);
  std::vector<std::uint32_t> atoms;
  if (what.selection != "all") {
    atoms = Selection(what.selection).atoms(*molecule->topology, molecule->trajectory->frame(what.first));
    if (atoms.empty()) throw Error(empty_selection(what.selection, *molecule->topology), Error::Kind::usage);
  }
  const std::size_t count = atoms.empty() ? molecule->atom_count() : atoms.size();
  const auto writer = create_writer(what.path, *molecule, std::move(atoms));
  const std::size_t frames = (what.last - what.first) / what.step + 1;
  std::string lost;
  for (std::size_t i = 0; i < frames; ++i) {
    job.check();
    const Frame frame = molecule->trajectory->frame(what.first + i * what.step);
    if (i == 0) lost = not_kept(what.path, *molecule, frame);
    writer->add(frame);
    job.progress(static_cast<double>(i + 1) / static_cast<double>(frames), "writing frames");
  }
  writer->finish();
  std::string said = counted(count, "atom") + ", " + counted(frames, "frame");
  if (!lost.empty()) said += ". " + lost;
  for (const std::string& note : notes_of(*writer)) said += (said.ends_with('.') ? " " : ". ") + note;
  return said;
}

std::string write_map(const SceneMolecule& entry, Documents& documents, const DataExport& what) {
  const auto molecule = documents.molecule(entry);
  const Volume& volume = *molecule->volumes.at(what.source.index);
  write_volume(what.path, volume, molecule->atom_count() > 0 ? molecule.get() : nullptr, 0, comment);
  return counted(volume.grid.size(), "point");
}

std::string write_values(const FieldRequest& request, const DataExport& what, Job& job) {
  const ComputedVolume volume = compute_volume(request, job);
  job.check();
  const bool atoms = request.molecule->atom_count() > 0;
  write_volume(what.path, VolumeView(volume.grid, volume.values, volume.name, volume.unit),
               atoms ? request.molecule.get() : nullptr, request.frame, comment);
  return volume.name + ": " + counted(volume.grid.size(), "point");
}

/// Adds a surface in its own colours.
void append(Mesh& to, const Surface& surface) {
  const Mesh& from = *surface.mesh;
  const auto first = static_cast<std::uint32_t>(to.vertex_count());
  to.positions.insert(to.positions.end(), from.positions.begin(), from.positions.end());
  to.normals.insert(to.normals.end(), from.normals.begin(), from.normals.end());
  if (from.colours.empty()) {
    to.colours.insert(to.colours.end(), from.vertex_count(), surface.colour);
  } else {
    to.colours.insert(to.colours.end(), from.colours.begin(), from.colours.end());
  }
  for (const glm::uvec3& triangle : from.triangles) to.triangles.push_back(triangle + first);
}

std::string write_surface(const Scene& scene, const FieldRequest& request, const DataExport& what, Job& job) {
  const FieldResult result = compute_field(request, nullptr, job);
  Mesh mesh;
  for (const auto& item : result.items)
    if (const auto* const surface = item ? std::get_if<Surface>(&item->shape) : nullptr; surface && surface->mesh)
      append(mesh, *surface);
  if (mesh.triangles.empty()) throw Error("there is no surface at the isovalue of this field", Error::Kind::usage);
  job.check();
  write_mesh(what.path, mesh, comment, made_of(scene, what));
  return counted(mesh.triangles.size(), "triangle");
}

std::string write_representation(const Scene& scene, Documents& documents, const DataExport& what, Job& job) {
  const Mesh mesh = representation_mesh(scene, documents, what.source.index, job);
  write_mesh(what.path, mesh, comment, made_of(scene, what));
  return counted(mesh.triangles.size(), "triangle");
}

}  // namespace

bool DataSource::takes(std::string_view extension) const {
  return has_word(extensions, extension);
}
bool DataSource::makes_mesh(std::string_view extension) const {
  return takes(extension) && has_word(mesh_formats, extension);
}
bool DataSource::makes_atoms(std::string_view extension) const {
  return takes(extension) && has_word(charged_formats, extension);
}

std::vector<DataSource> data_sources(const Scene& scene, const Documents& documents) {
  std::vector<DataSource> sources;
  std::vector<bool> loaded;
  for (std::size_t m = 0; m < scene.molecules.size(); ++m) {
    const auto molecule = documents.loaded(scene.molecules[m]);
    loaded.push_back(molecule != nullptr);
    if (!molecule) continue;
    if (molecule->topology && molecule->frame_count() > 0) {
      std::string title = file_title(scene.molecules[m].paths) + ", " + counted(molecule->atom_count(), "atom");
      if (molecule->frame_count() > 1) title += ", " + counted(molecule->frame_count(), "frame");
      sources.push_back({DataSource::Kind::molecule, m, 0, title,
                         std::string(molecule->topology->has_charges ? charged_formats : atom_formats)});
    }
    for (std::size_t v = 0; v < molecule->volumes.size(); ++v)
      sources.push_back({DataSource::Kind::volume, m, v, volume_title(*molecule, v), std::string(volume_formats)});
  }
  for (std::size_t f = 0; f < scene.fields.size(); ++f) {
    const Field& field = scene.fields[f];
    if (field.molecule >= loaded.size() || !loaded[field.molecule]) continue;
    std::string extensions;
    if (has_surface(field)) extensions = mesh_formats;
    if (has_values(field)) extensions += (extensions.empty() ? "" : " ") + std::string(volume_formats);
    if (!extensions.empty()) sources.push_back({DataSource::Kind::field, field.molecule, f, {}, extensions});
  }
  for (std::size_t r = 0; r < scene.representations.size(); ++r) {
    const Representation& shown = scene.representations[r];
    if (shown.molecule >= loaded.size() || !loaded[shown.molecule]) continue;
    const auto atoms = std::find_if(sources.begin(), sources.end(), [&](const DataSource& source) {
      return source.kind == DataSource::Kind::molecule && source.molecule == shown.molecule;
    });
    if (atoms == sources.end()) continue;
    const std::string meshes = has_solids(shown.style) ? std::string(mesh_formats) + " " : std::string();
    sources.push_back({DataSource::Kind::representation, shown.molecule, r, {}, meshes + atoms->extensions});
  }
  return sources;
}

std::string export_data(const Scene& given, Documents& documents, const DataExport& wanted, Device device, Job& job) {
  const Scene scene = with_names(given);
  DataExport what = wanted;
  if (what.source.kind == DataSource::Kind::representation)
    what.selection = given.representations.at(what.source.index).selection;
  what.selection = with_names(given, static_cast<std::uint32_t>(what.source.molecule), what.selection);
  std::vector<std::string> inputs;
  for (const SceneMolecule& molecule : scene.molecules)
    for (const auto* paths : {&molecule.paths, &molecule.templates})
      std::transform(paths->begin(), paths->end(), std::back_inserter(inputs), file_of);
  check_outputs({what.path}, inputs);
  const std::string extension = extension_of(what.path);
  if (!what.source.takes(extension))
    throw Error(fmt::format("{}: cannot be written as \"{}\"; expected one of {}", what.path, extension,
                            what.source.extensions),
                Error::Kind::usage);
  const SceneMolecule& entry = scene.molecules.at(what.source.molecule);
  switch (what.source.kind) {
    case DataSource::Kind::molecule:
      return write_molecule(entry, documents, what, job);
    case DataSource::Kind::volume:
      return write_map(entry, documents, what);
    case DataSource::Kind::representation:
      return what.source.makes_mesh(extension) ? write_representation(scene, documents, what, job)
                                               : write_molecule(entry, documents, what, job);
    case DataSource::Kind::field: {
      Scene plain = scene;  // files have the frames as they are
      for (SceneMolecule& molecule : plain.molecules) molecule.smoothing = 0;
      FieldRequest request = scene_request(plain, what.source.index, documents, device);
      return what.source.makes_mesh(extension) ? write_surface(scene, request, what, job)
                                               : write_values(request, what, job);
    }
  }
  return {};
}

}  // namespace isolume
