// Scenes as MolViewSpec files.
#include "app/export/molviewspec_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/documents/frames.h"
#include "app/documents/titles.h"
#include "app/scene/json_colour.h"
#include "app/scene/molviewspec.h"
#include "app/scene/named_selections.h"
#include "app/scene/path_part.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/selection/selection.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json node(const char* kind, Json params = nullptr) {
  Json made = {{"kind", kind}};
  if (!params.is_null()) made["params"] = std::move(params);
  return made;
}
Json vector(glm::dvec3 v) {
  return Json::array({v.x, v.y, v.z});
}
void add_child(Json& to, Json child) {
  to["children"].push_back(std::move(child));
}

/// The format's word for a file, by its extension; empty where it has none.
std::string format_of(const std::string& path) {
  fs::path file(path);
  if (file.extension() == ".gz") file = file.stem();
  const std::string ending = file.extension().string();
  static const std::map<std::string, std::string> words = {{".cif", "mmcif"},   {".mmcif", "mmcif"}, {".mcif", "mmcif"},
                                                           {".bcif", "bcif"},   {".pdb", "pdb"},     {".ent", "pdb"},
                                                           {".pdbqt", "pdbqt"}, {".gro", "gro"},     {".xyz", "xyz"},
                                                           {".mol", "mol"},     {".sdf", "sdf"},     {".mol2", "mol2"}};
  const auto found = words.find(ending);
  return found == words.end() ? std::string() : found->second;
}

/// A path as a URL relative to a folder, where it is below it.
std::string url_of(const std::string& path, const std::string& folder) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path relative = whole.lexically_relative(fs::absolute(folder).lexically_normal());
  const bool below = !relative.empty() && *relative.begin() != "..";
  std::string url = below ? "" : "file://";
  for (const char c : below ? relative.string() : whole.string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

/// Chains, ranges of residues and atoms that are exactly these atoms, by the authors' names; nothing where they are
/// too many.
std::optional<Json> expressions(const Topology& t, const std::vector<std::uint32_t>& atoms) {
  constexpr std::size_t most = 20'000;
  std::vector<std::uint32_t> chosen(t.residues.size());
  std::vector<std::uint8_t> in(t.atoms.size());
  for (const std::uint32_t atom : atoms) ++chosen[t.atoms[atom].residue], in[atom] = 1;
  const auto whole = [&](std::size_t r) { return chosen[r] == t.residues[r].atom_count; };
  // Of each chain, its residues by number.
  std::map<std::string, std::map<std::int32_t, std::vector<std::size_t>>> chains;
  for (std::size_t r = 0; r < t.residues.size(); ++r)
    chains[t.chains[t.residues[r].chain].id][t.residues[r].number].push_back(r);
  Json all = Json::array();
  for (const auto& [chain, numbers] : chains) {
    const auto every = [&](const std::vector<std::size_t>& residues) {
      return std::all_of(residues.begin(), residues.end(), whole);
    };
    if (std::all_of(numbers.begin(), numbers.end(), [&](const auto& entry) { return every(entry.second); })) {
      all.push_back({{"auth_asym_id", chain}});
      continue;
    }
    for (auto at = numbers.begin(); at != numbers.end();) {
      if (every(at->second)) {
        auto last = at, next = at;
        while (next != numbers.end() && every(next->second)) last = next++;
        all.push_back({{"auth_asym_id", chain}, {"beg_auth_seq_id", at->first}, {"end_auth_seq_id", last->first}});
        at = next;
        continue;
      }
      for (const std::size_t r : at->second) {
        const Residue& residue = t.residues[r];
        if (chosen[r] == 0) continue;
        Json one = {{"auth_asym_id", chain}, {"auth_seq_id", residue.number}};
        if (residue.insertion != ' ') one["pdbx_PDB_ins_code"] = std::string(1, residue.insertion);
        if (at->second.size() > 1) one["auth_comp_id"] = residue.name;
        if (whole(r)) {
          all.push_back(one);
          continue;
        }
        for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
          if (!in[i]) continue;
          one["auth_atom_id"] = t.atoms[i].name;
          all.push_back(one);
        }
      }
      ++at;
      if (all.size() > most) return std::nullopt;
    }
  }
  return all;
}

class Writer {
 public:
  Writer(const Scene& scene, Documents& documents, std::string folder)
      : scene_(with_names(scene)), documents_(documents), folder_(std::move(folder)) {}

  MolViewSpec write() {
    Json root = node("root");
    root["children"] = Json::array();
    for (std::uint32_t m = 0; m < scene_.molecules.size(); ++m)
      if (auto structure = molecule(m)) root["children"].push_back(std::move(*structure));
    if (root["children"].empty())
      throw Error(
          "nothing of this scene can be written as MolViewSpec" + (left_out_.empty() ? "" : ": " + left_out_[0]),
          Error::Kind::usage);
    const glm::dmat3 turn = glm::transpose(glm::mat3_cast(scene_.camera.rotation));
    const double distance = molviewspec_distance(scene_.camera);
    root["children"].push_back(node("camera", {{"target", vector(scene_.camera.centre)},
                                               {"position", vector(scene_.camera.centre + turn[2] * distance)},
                                               {"up", vector(turn[1])}}));
    root["children"].push_back(node(
        "canvas", {{"background_color", hex_colour(glm::u8vec4(glm::round(scene_.look.background * 255.0f), 255))}}));
    rest();
    const Json tree = {
        {"kind", "single"}, {"root", std::move(root)}, {"metadata", {{"title", title()}, {"version", "1"}}}};
    return {tree.dump(2, ' ', true) + "\n", std::move(left_out_)};
  }

 private:
  void lost(const std::string& what) {
    if (std::find(left_out_.begin(), left_out_.end(), what) == left_out_.end()) left_out_.push_back(what);
  }
  std::string title() const { return scene_.molecules.empty() ? "" : file_title(scene_.molecules[0].paths); }

  std::optional<Json> molecule(std::uint32_t m) {
    const SceneMolecule& entry = scene_.molecules[m];
    const std::string name = file_title(entry.paths);
    const std::string path = entry.paths.empty() ? "" : entry.paths.front();
    if (!entry.visible) {
      lost(name + ": it is hidden");
      return std::nullopt;
    }
    const std::string format = format_of(file_of(path));
    const bool anything =
        std::any_of(scene_.representations.begin(), scene_.representations.end(),
                    [m](const Representation& r) { return r.molecule == m; }) ||
        std::any_of(scene_.fields.begin(), scene_.fields.end(), [m](const Field& f) { return f.molecule == m; });
    if (!anything) return std::nullopt;
    if (format.empty()) {
      lost(name + ": MolViewSpec has no word for its format");
      return std::nullopt;
    }
    tables_ = format == "mmcif" || format == "bcif";
    if (path.ends_with(".gz")) lost(name + ": that it is compressed, which a viewer has to find out");
    if (entry.paths.size() > 1) lost(name + ": the frames of other files");
    if (!entry.templates.empty()) lost(name + ": hydrogens and charges that were built");
    if (entry.images != glm::ivec3(1)) lost(name + ": periodic images");
    if (!entry.placement.steady.empty()) lost(name + ": that its frames are superposed");
    document_ = documents_.molecule(entry);
    entry_ = &entry;
    Json params = {{"type", entry.assembly.empty() ? "model" : "assembly"}};
    if (!entry.assembly.empty()) params["assembly_id"] = entry.assembly;
    if (entry.assembly.empty() && entry.paths.size() == 1 && document_->frame_count() > 1)
      params["model_index"] = std::min<std::size_t>(scene_.frame, document_->frame_count() - 1);
    Json structure = node("structure", params);
    structure["children"] = Json::array();
    move(structure, entry.placement.motion);
    for (const Representation& r : scene_.representations)
      if (r.molecule == m) representation(structure, r, name);
    for (const Field& field : scene_.fields)
      if (field.molecule == m) surface(structure, field, name);
    for (const LabelSet& set : scene_.labels)
      if (set.molecule == m) label(structure, set, name);
    Json parse = node("parse", {{"format", format}}),
         download = node("download", {{"url", url_of(file_of(path), folder_)}});
    add_child(parse, std::move(structure));
    add_child(download, std::move(parse));
    return download;
  }

  static void move(Json& structure, const RigidMotion& motion) {
    if (motion.none()) return;
    const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
    Json rotation = Json::array();
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) rotation.push_back(turn[c][r]);
    add_child(structure, node("transform", {{"rotation", rotation}, {"translation", vector(motion.translation)}}));
  }

  /// The component of a selection; nothing where it has no atoms or cannot be said.
  std::optional<Json> component(const std::string& selection, const std::string& name) {
    static const std::set<std::string> words = {"all", "polymer", "protein", "nucleic", "water", "ion", "ligand"};
    Json selector;
    if (words.contains(selection)) {
      selector = selection;
    } else if (!entry_->assembly.empty()) {
      lost(fmt::format("{}: the part \"{}\" of an assembly", name, selection));
      return std::nullopt;
    } else {
      if (!document_->topology) return std::nullopt;
      const std::size_t frames = document_->frame_count();
      const Frame frame = frames == 0 ? Frame{} : document_->trajectory->frame(std::min(scene_.frame, frames - 1));
      const auto atoms = Selection(selection).atoms(*document_->topology, frame);
      if (atoms.empty()) return std::nullopt;
      const auto parts = expressions(*document_->topology, atoms);
      if (!parts) {
        lost(fmt::format("{}: \"{}\", which takes more than 20 000 expressions", name, selection));
        return std::nullopt;
      }
      selector = *parts;
    }
    return node("component", {{"selector", selector}});
  }

  void colour(Json& shape, Colouring colouring, glm::u8vec4 uniform, const std::string& name) {
    const auto from_table = [&](const char* field, const char* colours) {
      add_child(shape, node("color_from_source", {{"schema", "all_atomic"},
                                                  {"category_name", "atom_site"},
                                                  {"field_name", field},
                                                  {"palette", {{"kind", "categorical"}, {"colors", colours}}}}));
    };
    uniform.a = 255;
    if (colouring == Colouring::uniform) {
      add_child(shape, node("color", {{"color", hex_colour(uniform)}}));
    } else if (colouring == Colouring::element && tables_) {
      from_table("type_symbol", "ElementSymbol");
    } else if (colouring == Colouring::chain && tables_) {
      from_table("auth_asym_id", "Set1");
    } else {
      lost(fmt::format("{}: colours by {}", name, isolume::name(colouring)));
    }
  }

  void finish(Json& structure, Json part, Json shape, float opacity, bool surface) {
    if (opacity < 1) add_child(shape, node("opacity", {{"opacity", opacity}}));
    for (const ClipPlane& plane : scene_.clip_planes) {
      if (!plane.on) continue;
      if (plane.cuts == (surface ? ClipPlane::Cuts::atoms : ClipPlane::Cuts::surfaces)) continue;
      const glm::dvec3 normal = glm::normalize(plane.normal);
      add_child(shape, node("clip", {{"type", "plane"},
                                     {"normal", vector(normal)},
                                     {"point", vector(plane.point + plane.offset * normal)}}));
    }
    add_child(part, std::move(shape));
    add_child(structure, std::move(part));
  }

  void representation(Json& structure, const Representation& r, const std::string& name) {
    const std::string what = fmt::format("{}: {} of \"{}\"", name, isolume::name(r.style), r.selection);
    if (!r.visible) return lost(what + ", which is hidden");
    const char* type = nullptr;
    switch (r.style) {
      case Style::cartoon:
        type = "cartoon";
        break;
      case Style::tube:
        lost(what + " is written as a backbone");
        [[fallthrough]];
      case Style::trace:
        type = "backbone";
        break;
      case Style::sticks:
        lost(what + " is written as ball and stick");
        [[fallthrough]];
      case Style::ball_and_stick:
        type = "ball_and_stick";
        break;
      case Style::spheres:
        type = "spacefill";
        break;
      case Style::lines:
        type = "line";
        break;
      default:
        return lost(what);
    }
    auto part = component(r.selection, name);
    if (!part) return;
    Json shape = node("representation", {{"type", type}});
    colour(shape, r.colouring, r.colour, name);
    if (r.colouring == Colouring::element && r.colour.a > 0) lost(name + ": a colour of carbon");
    if (r.material != Material::standard) lost(name + ": materials");
    if (!(r.options == StyleOptions{})) lost(name + ": measures of representations");
    finish(structure, std::move(*part), std::move(shape), r.opacity, false);
  }

  void surface(Json& structure, const Field& field, const std::string& name) {
    const bool gaussian = field.kind == Field::Kind::gaussian;
    if (!field.visible) return lost(name + ": a field that is hidden");
    if (!gaussian && field.kind != Field::Kind::solvent_excluded)
      return lost(name + ": a field that is no surface of its atoms");
    auto part = component(field.selection, name);
    if (!part) return;
    Json shape = node("representation", {{"type", "surface"}, {"surface_type", gaussian ? "gaussian" : "molecular"}});
    if (field.paint == Field::Paint::atoms) {
      colour(shape, field.colouring, field.colour, name);
    } else {
      lost(name + ": what colours a surface");
    }
    finish(structure, std::move(*part), std::move(shape), field.opacity, true);
  }

  void label(Json& structure, const LabelSet& set, const std::string& name) {
    if (!set.visible || set.text != LabelSet::Text::own) return lost(name + ": labels other than texts of their own");
    auto part = component(set.selection, name);
    if (!part) return;
    add_child(*part, node("label", {{"text", set.own}}));
    add_child(structure, std::move(*part));
  }

  /// What of the whole scene has no place.
  void rest() {
    const Scene& s = scene_;
    if (s.camera.projection == Camera::Projection::orthographic) lost("the orthographic projection");
    if (s.camera.slab_front > 0 || s.camera.slab_back > 0) lost("the front and the back plane");
    if (s.look.background != s.look.background_bottom) lost("the lower colour of the background");
    if (!s.measurements.empty()) lost("measurements");
    if (!s.interactions.empty()) lost("interactions");
    if (!s.selections.empty()) lost("names of selections");
    if (!s.views.empty()) lost("saved views");
    if (!s.keys.empty()) lost("the key frames of its movie");
    if (s.show_box) lost("the box of the cell");
    if (s.layout == Layout::tiles) lost("tiles");
    lost("lights, shadows and outlines, which a viewer has its own of");
  }

  const Scene scene_;
  Documents& documents_;
  std::string folder_;
  std::vector<std::string> left_out_;
  std::shared_ptr<const Molecule> document_;
  const SceneMolecule* entry_ = nullptr;
  bool tables_ = false;
};

}  // namespace

MolViewSpec molviewspec_of(const Scene& scene, Documents& documents, const std::string& folder) {
  return Writer(scene, documents, folder).write();
}

std::vector<std::string> write_molviewspec(const std::string& path, const Scene& scene, Documents& documents,
                                           const std::string& folder) {
  const fs::path parent = folder.empty() ? fs::path(path).parent_path() : fs::path(folder);
  const MolViewSpec made = molviewspec_of(scene, documents, parent.empty() ? "." : parent.string());
  write_atomically(path, [&](std::ostream& out) { out << made.json; });
  return made.left_out;
}

}  // namespace isolume
