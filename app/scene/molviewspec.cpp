// Scenes out of MolViewSpec files: trees of nodes, each with a kind, parameters and children.
#include "app/scene/molviewspec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/scene/json_colour.h"
#include "app/scene/scene_text.h"
#include "app/scene/svg_colours.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Texts of the file in messages.
std::string shown(const std::string& text) {
  return "'" + clean(text, 60) + "'";
}

std::string text_of(const Json& params, const char* key) {
  return params.is_object() && params.contains(key) && params[key].is_string() ? params[key].get<std::string>() : "";
}

const Json& params_of(const Json& node) {
  static const Json none = Json::object();
  return node.contains("params") && node["params"].is_object() ? node["params"] : none;
}

/// Three or more finite numbers.
std::optional<std::vector<double>> numbers_of(const Json& params, const char* key, std::size_t count) {
  if (!params.contains(key) || !params[key].is_array() || params[key].size() != count) return std::nullopt;
  std::vector<double> out;
  for (const Json& value : params[key]) {
    if (!value.is_number() || !(std::abs(value.get<double>()) < 1e9)) return std::nullopt;
    out.push_back(value.get<double>());
  }
  return out;
}
std::optional<glm::dvec3> vector_of(const Json& params, const char* key) {
  const auto numbers = numbers_of(params, key, 3);
  return numbers ? std::optional(glm::dvec3((*numbers)[0], (*numbers)[1], (*numbers)[2])) : std::nullopt;
}

class Reader {
 public:
  Reader(std::string folder, std::vector<std::string>& notes) : folder_(std::move(folder)), notes_(notes) {
    scene_.camera.height = 0;
  }

  Scene read(const Json& tree) {
    const Json* root = nullptr;
    if (tree.is_object() && tree.contains("root")) {
      root = &tree["root"];
    } else if (tree.is_object() && tree.contains("snapshots") && tree["snapshots"].is_array() &&
               !tree["snapshots"].empty() && tree["snapshots"][0].is_object() &&
               tree["snapshots"][0].contains("root")) {
      root = &tree["snapshots"][0]["root"];
      if (tree["snapshots"].size() > 1)
        note(fmt::format("the first of {} snapshots is shown", tree["snapshots"].size()));
      if (tree["snapshots"][0].contains("animation")) note("its animation is left out");
    }
    if (!root || !root->is_object() || root->value("kind", Json()) != "root")
      throw Error("not MolViewSpec: expected an object with a root or with snapshots", Error::Kind::input);
    each_child(*root, [&](const std::string& kind, const Json& node) {
      if (kind == "download") {
        download(node);
      } else if (kind == "camera") {
        camera(params_of(node));
      } else if (kind == "canvas") {
        canvas(params_of(node));
      } else {
        unknown(kind);
      }
    });
    for (const auto& [what, count] : left_out_)
      notes_.push_back(count > 1 ? fmt::format("MolViewSpec: {} ({} times)", what, count) : "MolViewSpec: " + what);
    if (scene_.molecules.empty())
      throw Error(addresses_.empty() ? "this MolViewSpec names no structure that can be opened"
                                     : fmt::format("names {}, which is not fetched: put the file next to this one and "
                                                   "name it instead of the address",
                                                   shown(addresses_.front())),
                  Error::Kind::input);
    return std::move(scene_);
  }

 private:
  template <class Do>
  void each_child(const Json& node, Do&& act) {
    if (!node.contains("children")) return;
    if (!node["children"].is_array()) throw Error("not MolViewSpec: children that are no list", Error::Kind::input);
    for (const Json& child : node["children"]) {
      if (!child.is_object() || !child.contains("kind") || !child["kind"].is_string())
        throw Error("not MolViewSpec: a node without its kind", Error::Kind::input);
      act(child["kind"].get<std::string>(), child);
    }
  }
  void note(const std::string& what) { ++left_out_[what]; }
  void unknown(const std::string& kind) { note(fmt::format("nodes of the kind {} are left out", shown(kind))); }
  /// Names the parameters that are not among those known.
  void others(const Json& params, const std::string& of, std::initializer_list<const char*> known) {
    for (const auto& item : params.items()) {
      if (item.value().is_null()) continue;
      if (std::none_of(known.begin(), known.end(), [&](const char* key) { return item.key() == key; }))
        note(fmt::format("{} of a {} is left out", shown(item.key()), of));
    }
  }

  std::optional<glm::u8vec4> colour_of(const Json& value) {
    if (value.is_string()) {
      const std::string text = value.get<std::string>();
      if (const auto named = svg_colour(text)) return named;
      if (text.starts_with("#"))
        if (const auto hex = parse_colour(text)) return hex;
    }
    note(fmt::format("the colour {} is not known", clean(value.dump(), 40)));
    return std::nullopt;
  }

  /// The path of a URL of a file; nothing for addresses.
  std::optional<std::string> path_of_url(std::string url) {
    if (url.empty()) {
      note("a download without its address is left out");
      return std::nullopt;
    }
    if (url.starts_with("file://")) {
      url.erase(0, 7);
    } else if (const std::size_t colon = url.find("://");
               colon != std::string::npos || url.starts_with("//") || url.starts_with("data:")) {
      addresses_.push_back(url);
      note(fmt::format("{} is not fetched", shown(url)));
      return std::nullopt;
    }
    std::string path;
    for (std::size_t i = 0; i < url.size(); ++i) {
      const auto digit = [&](std::size_t at) {
        const char c = at < url.size() ? url[at] : 'x';
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
      };
      const bool coded = url[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0;
      path += coded ? static_cast<char>(16 * digit(i + 1) + digit(i + 2)) : url[i];
      if (coded) i += 2;
    }
    if (path.find('\0') != std::string::npos) throw Error("url: a path with a NUL byte", Error::Kind::input);
    try {
      (void)Json(path).dump();
    } catch (const Json::exception&) {
      throw Error("url: a path that is not UTF-8", Error::Kind::input);
    }
    return path_in_scene(path, folder_, "url");
  }

  void download(const Json& node) {
    const auto path = path_of_url(text_of(params_of(node), "url"));
    if (!path) return;
    each_child(node, [&](const std::string& kind, const Json& parse) {
      if (kind != "parse") return unknown(kind);
      const std::string format = text_of(params_of(parse), "format");
      each_child(parse, [&](const std::string& child, const Json& structure) {
        if (child != "structure") return unknown(child);
        labels_are_segments_ = format == "mmcif" || format == "bcif";
        read_structure(*path, structure);
      });
    });
  }

  void read_structure(const std::string& path, const Json& node) {
    const Json& params = params_of(node);
    others(params, "structure", {"type", "assembly_id", "model_index"});
    SceneMolecule molecule;
    molecule.paths = {path};
    const std::string type = text_of(params, "type");
    if (type == "assembly") {
      molecule.assembly = text_of(params, "assembly_id");
      if (molecule.assembly.empty()) molecule.assembly = "1";
    } else if (type != "model" && !type.empty()) {
      note(fmt::format("a structure of the type {} is shown as the file has it", shown(type)));
    }
    if (params.contains("model_index") && params["model_index"].is_number_unsigned())
      scene_.frame = params["model_index"].get<std::size_t>();
    molecule_ = static_cast<std::uint32_t>(scene_.molecules.size());
    scene_.molecules.push_back(molecule);
    each_child(node, [&](const std::string& kind, const Json& child) {
      if (kind == "component") {
        component(child);
      } else if (kind == "transform") {
        transform(params_of(child));
      } else if (kind == "label") {
        label("all", params_of(child));
      } else {
        unknown(kind);
      }
    });
  }

  void transform(const Json& params) {
    RigidMotion& motion = scene_.molecules[molecule_].placement.motion;
    glm::dmat3 turn(1.0);
    glm::dvec3 shift(0.0);
    if (const auto matrix = numbers_of(params, "matrix", 16)) {
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) turn[c][r] = (*matrix)[static_cast<std::size_t>(4 * c + r)];
      for (int r = 0; r < 3; ++r) shift[r] = (*matrix)[static_cast<std::size_t>(12 + r)];
    } else {
      if (const auto rotation = numbers_of(params, "rotation", 9))
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r) turn[c][r] = (*rotation)[static_cast<std::size_t>(3 * c + r)];
      if (const auto by = vector_of(params, "translation")) shift = *by;
      if (const auto about = vector_of(params, "rotation_center")) shift += *about - turn * *about;
      if (text_of(params, "rotation_center") == "centroid") note("a rotation about the centroid is about the origin");
    }
    const double off = glm::length(glm::transpose(turn)[0] - glm::inverse(turn)[0]);
    if (!(off < 1e-3) || !(glm::determinant(turn) > 0)) return note("a transform that is no rotation is left out");
    motion = then(motion, RigidMotion{glm::normalize(glm::quat_cast(turn)), shift});
  }

  /// One object of an expression as a selection; nothing where it cannot be said.
  std::optional<std::string> expression(const Json& given) {
    static const std::map<std::string, const char*> words = {
        {"auth_asym_id", "chain"},         {"label_comp_id", "resname"}, {"auth_comp_id", "resname"},
        {"label_atom_id", "name"},         {"auth_atom_id", "name"},     {"type_symbol", "element"},
        {"pdbx_PDB_ins_code", "insertion"}};
    static const std::map<std::string, const char*> counts = {
        {"auth_seq_id", "resid"}, {"atom_id", "serial"}, {"atom_index", "index"}, {"residue_index", "residue"}};
    std::vector<std::string> parts;
    for (const auto& item : given.items()) {
      const Json& value = item.value();
      const std::string& key = item.key();
      if (value.is_null()) continue;
      if (const auto word = words.find(key); word != words.end() && value.is_string()) {
        parts.push_back(fmt::format("{} {}", word->second, quoted(value.get<std::string>())));
      } else if (key == "label_asym_id" && value.is_string()) {
        parts.push_back(
            fmt::format("{} {}", labels_are_segments_ ? "segname" : "chain", quoted(value.get<std::string>())));
      } else if (const auto number = counts.find(key); number != counts.end() && value.is_number_integer()) {
        parts.push_back(fmt::format("{0} >= {1} and {0} <= {1}", number->second, value.get<std::int64_t>()));
      } else if (key == "beg_auth_seq_id" && value.is_number_integer()) {
        parts.push_back(fmt::format("resid >= {}", value.get<std::int64_t>()));
      } else if (key == "end_auth_seq_id" && value.is_number_integer()) {
        parts.push_back(fmt::format("resid <= {}", value.get<std::int64_t>()));
      } else {
        note(fmt::format("a component by {} is left out", shown(key)));
        return std::nullopt;
      }
    }
    return parts.empty() ? std::string("all") : fmt::format("({})", fmt::join(parts, " and "));
  }
  static std::string quoted(const std::string& text) {
    // A selection has no escape in single quotes; in double quotes it has a regular expression.
    if (text.find('\'') == std::string::npos) return "'" + text + "'";
    std::string out = "\"";
    for (const char c : text) {
      if (std::string_view(".^$*+?()[]{}|\\").find(c) != std::string_view::npos) out += '\\';
      out += c == '"' ? '.' : c;
    }
    return out + "\"";
  }

  std::optional<std::string> selection(const Json& params) {
    if (!params.contains("selector") || params["selector"].is_null()) return "all";
    const Json& selector = params["selector"];
    if (selector.is_string()) {
      static const std::map<std::string, const char*> words = {
          {"all", "all"},        {"polymer", "polymer"}, {"protein", "protein"}, {"nucleic", "nucleic"},
          {"branched", "sugar"}, {"ligand", "ligand"},   {"ion", "ion"},         {"water", "water"}};
      const auto word = words.find(selector.get<std::string>());
      if (word != words.end()) return word->second;
      note(fmt::format("a component of {} is left out", shown(selector.get<std::string>())));
      return std::nullopt;
    }
    if (selector.is_object()) return expression(selector);
    if (!selector.is_array()) {
      note("a component that is neither a word nor an expression is left out");
      return std::nullopt;
    }
    std::vector<std::string> any;
    for (const Json& one : selector) {
      const auto text = one.is_object() ? expression(one) : std::nullopt;
      if (text) any.push_back(*text);
    }
    if (any.empty()) return std::nullopt;
    return fmt::format("({})", fmt::join(any, " or "));
  }

  void component(const Json& node) {
    const auto atoms = selection(params_of(node));
    if (!atoms) return;
    each_child(node, [&](const std::string& kind, const Json& child) {
      if (kind == "representation") {
        representation(*atoms, child);
      } else if (kind == "label") {
        label(*atoms, params_of(child));
      } else if (kind == "focus") {
        note("focus is left out: the whole scene is shown");
      } else {
        unknown(kind);
      }
    });
  }

  void label(const std::string& atoms, const Json& params) {
    LabelSet set;
    set.molecule = molecule_;
    set.selection = atoms;
    set.text = LabelSet::Text::own;
    set.own = clean(text_of(params, "text"), 200);
    if (!set.own.empty()) scene_.labels.push_back(std::move(set));
  }

  void representation(const std::string& atoms, const Json& node) {
    static const std::map<std::string, Style> styles = {{"cartoon", Style::cartoon},
                                                        {"backbone", Style::trace},
                                                        {"ball_and_stick", Style::ball_and_stick},
                                                        {"line", Style::lines},
                                                        {"spacefill", Style::spheres}};
    const Json& params = params_of(node);
    const std::string type = text_of(params, "type");
    const auto style = styles.find(type);
    if (style == styles.end() && type != "surface")
      return note(fmt::format("a representation of the type {} is left out", shown(type)));
    others(params, type, {"type", "surface_type", "ignore_hydrogens"});
    Paint paint;
    const bool without = params.contains("ignore_hydrogens") && params["ignore_hydrogens"] == true;
    const std::string shown_atoms = without ? "(" + atoms + ") and noh" : atoms;
    paint.colouring = type == "cartoon" || type == "backbone" ? Colouring::chain : Colouring::element;
    std::vector<std::pair<std::string, glm::u8vec4>> parts;
    each_child(node, [&](const std::string& kind, const Json& child) { change(paint, parts, kind, params_of(child)); });
    if (style == styles.end()) {
      if (!parts.empty()) note("colours of parts of a surface are left out");
      return surface(shown_atoms, text_of(params, "surface_type"), paint);
    }
    // What is coloured by itself is drawn by itself; later colours go before earlier ones.
    std::string rest = shown_atoms;
    for (std::size_t i = parts.size(); i-- > 0;) {
      add(style->second, fmt::format("({}) and ({})", rest, parts[i].first),
          {paint.opacity, Colouring::uniform, parts[i].second});
      rest = fmt::format("({}) and not ({})", rest, parts[i].first);
    }
    if (!parts.empty() && style->second == Style::cartoon) note("a cartoon in several colours is drawn in parts");
    add(style->second, rest, paint);
  }

  struct Paint {
    float opacity = 1;
    Colouring colouring = Colouring::element;
    glm::u8vec4 colour{0};
  };

  void change(Paint& paint, std::vector<std::pair<std::string, glm::u8vec4>>& parts, const std::string& kind,
              const Json& params) {
    if (kind == "color") {
      const auto colour = params.contains("color") ? colour_of(params["color"]) : std::nullopt;
      const auto atoms = selection(params);
      if (!colour || !atoms) return;
      if (*atoms == "all") {
        paint.colouring = Colouring::uniform;
        paint.colour = *colour;
        parts.clear();
      } else {
        parts.emplace_back(*atoms, *colour);
      }
    } else if (kind == "color_from_source" && text_of(params, "field_name") == "type_symbol") {
      paint.colouring = Colouring::element;
    } else if (kind == "color_from_source" && text_of(params, "field_name").ends_with("asym_id")) {
      paint.colouring = Colouring::chain;
    } else if (kind == "opacity" && params.contains("opacity") && params["opacity"].is_number()) {
      paint.opacity = std::clamp(params["opacity"].get<float>(), 0.0f, 1.0f);
    } else if (kind == "clip" && text_of(params, "type") == "plane") {
      clip(params);
    } else {
      unknown(kind);
    }
  }

  void clip(const Json& params) {
    const auto point = vector_of(params, "point"), normal = vector_of(params, "normal");
    if (!point || !normal || !(glm::length(*normal) > 0)) return note("a clipping plane without its place is left out");
    ClipPlane plane;
    plane.point = *point;
    plane.normal = params.contains("invert") && params["invert"] == true ? -*normal : *normal;
    if (std::find(scene_.clip_planes.begin(), scene_.clip_planes.end(), plane) != scene_.clip_planes.end()) return;
    if (scene_.clip_planes.size() >= most_clip_planes) return note("more clipping planes than can be are left out");
    if (!scene_.clip_planes.empty()) note("clipping planes cut everything, not one representation alone");
    scene_.clip_planes.push_back(plane);
  }

  void add(Style style, const std::string& atoms, const Paint& paint) {
    Representation made;
    made.molecule = molecule_;
    made.selection = atoms;
    made.style = style;
    made.colouring = paint.colouring;
    made.colour = paint.colour;
    made.opacity = paint.opacity;
    scene_.representations.push_back(std::move(made));
  }

  void surface(const std::string& atoms, const std::string& type, const Paint& paint) {
    Field field;
    field.kind = type == "gaussian" ? Field::Kind::gaussian : Field::Kind::solvent_excluded;
    field.molecule = molecule_;
    field.selection = atoms;
    field.colouring = paint.colouring;
    if (paint.colouring == Colouring::uniform) field.colour = paint.colour;
    field.opacity = paint.opacity;
    scene_.fields.push_back(std::move(field));
  }

  void camera(const Json& params) {
    const auto target = vector_of(params, "target"), position = vector_of(params, "position");
    const glm::dvec3 up = vector_of(params, "up").value_or(glm::dvec3(0, 1, 0));
    others(params, "camera", {"target", "position", "up"});
    if (!target || !position || !(glm::length(*position - *target) > 1e-6))
      return note("a camera without its place is left out");
    const glm::dvec3 back = glm::normalize(*position - *target);
    glm::dvec3 right = glm::cross(up, back);
    if (!(glm::length(right) > 1e-9))
      right = glm::cross(std::abs(back.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0), back);
    right = glm::normalize(right);
    // The rows of world -> camera are the axes of the camera.
    const glm::dmat3 turn = glm::transpose(glm::dmat3(right, glm::cross(back, right), back));
    scene_.camera.centre = *target;
    scene_.camera.rotation = glm::normalize(glm::quat_cast(turn));
    scene_.camera.height = height_of_molviewspec(scene_.camera, glm::length(*position - *target));
  }

  void canvas(const Json& params) {
    others(params, "canvas", {"background_color"});
    if (!params.contains("background_color") || params["background_color"].is_null()) return;
    if (const auto colour = colour_of(params["background_color"]))
      scene_.look.background = scene_.look.background_bottom = glm::vec3(*colour) / 255.0f;
  }

  std::string folder_;
  std::vector<std::string>& notes_;
  std::map<std::string, int> left_out_;
  std::vector<std::string> addresses_;
  Scene scene_;
  std::uint32_t molecule_ = 0;
  bool labels_are_segments_ = false;
};

}  // namespace

bool is_molviewspec(const std::string& path) {
  return fs::path(path).extension() == ".mvsj";
}

double molviewspec_distance(const Camera& camera) {
  if (camera.projection == Camera::Projection::orthographic) return camera.height;
  return camera.height * std::cos(glm::radians(camera.field_of_view) / 2);
}

double height_of_molviewspec(const Camera& camera, double distance) {
  if (camera.projection == Camera::Projection::orthographic) return distance;
  return distance / std::cos(glm::radians(camera.field_of_view) / 2);
}

Scene scene_from_molviewspec(const std::string& text, const std::string& folder, std::vector<std::string>& notes) {
  try {
    return Reader(folder, notes).read(parse_scene_text(text));
  } catch (const Json::exception& fault) {
    throw Error(std::string("not MolViewSpec: ") + fault.what(), Error::Kind::input);
  }
}

}  // namespace isolume
