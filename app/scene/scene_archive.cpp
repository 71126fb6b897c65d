// The keys of a scene in JSON: each type is described once, for reading and for writing.
#include "app/scene/scene_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "molecule/error.h"

namespace isolume {
namespace {

using Json = nlohmann::json;                 // in: keys sorted, so that hostile objects stay quick
using OrderedJson = nlohmann::ordered_json;  // out: keys in the order of the description
using Words = std::span<const char* const>;

// The words of the enumerations, in the order of their values.
constexpr const char* style_words[] = {"lines",   "sticks", "ball and stick", "spheres",
                                       "cartoon", "tube",   "trace",          "points"};
constexpr const char* colouring_words[] = {"element", "chain",    "residue", "structure",
                                           "charge",  "b factor", "index",   "uniform"};
constexpr const char* field_words[] = {"gaussian",           "orbital", "potential", "volume", "solvent excluded",
                                       "solvent accessible", "cavities"};
constexpr const char* paint_words[] = {"atoms", "potential", "curvature"};
constexpr const char* method_words[] = {"automatic", "direct", "cutoff", "msm", "debye hueckel"};
constexpr const char* medium_words[] = {"constant", "sigmoidal"};
constexpr const char* unit_words[] = {"v", "kt/e", "kcal/mol/e"};
constexpr const char* spin_words[] = {"alpha", "beta"};
constexpr const char* surface_words[] = {"solid", "wireframe", "points"};
constexpr const char* plane_words[] = {"none", "x", "y", "z", "atoms"};
constexpr const char* loop_words[] = {"once", "loop", "rock"};
constexpr const char* projection_words[] = {"perspective", "orthographic"};

struct NamedColour {
  const char* name;
  glm::u8vec3 value;
};
constexpr NamedColour named_colours[] = {
    {"black", {0, 0, 0}},      {"white", {255, 255, 255}}, {"grey", {128, 128, 128}}, {"gray", {128, 128, 128}},
    {"red", {255, 0, 0}},      {"green", {0, 128, 0}},     {"blue", {0, 0, 255}},     {"yellow", {255, 255, 0}},
    {"orange", {255, 165, 0}}, {"purple", {128, 0, 128}},  {"cyan", {0, 255, 255}},   {"magenta", {255, 0, 255}}};

constexpr std::size_t most_entries = 10'000;  // molecules, representations, fields
constexpr std::size_t longest_text = 65'536;
constexpr double far = 1e9;         // angstrom
constexpr double whole_max = 9e15;  // whole numbers that a double holds

// The shortest decimal of a float, so that 0.35f is written as 0.35.
double readable(float value) {
  const std::string text = fmt::format("{}", value);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return static_cast<float>(result) == value ? result : static_cast<double>(value);
}

std::string hex_colour(glm::u8vec4 c) {
  std::string text = fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
  if (c.a != 255) text += fmt::format("{:02x}", c.a);
  return text;
}

std::optional<glm::u8vec4> parse_colour(const std::string& text) {
  for (const NamedColour& named : named_colours)
    if (text == named.name) return glm::u8vec4(named.value, 255);
  if (text.empty() || text[0] != '#' || (text.size() != 4 && text.size() != 7 && text.size() != 9)) return std::nullopt;
  std::string digits = text.substr(1);
  if (digits.size() == 3) digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
  if (digits.size() == 6) digits += "ff";
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + 8, value, 16);
  if (fault != std::errc() || end != digits.data() + 8) return std::nullopt;
  return glm::u8vec4(value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);
}

bool is_bytes(glm::vec3 colour) {
  for (int i = 0; i < 3; ++i)
    if (static_cast<float>(std::lround(colour[i] * 255.0f)) / 255.0f != colour[i]) return false;
  return true;
}

// Values into JSON.
class Writer {
 public:
  explicit Writer(OrderedJson& out) : out_(out) {}

  template <class T>
  void number(const char* key, const T& value, double, double) {
    if constexpr (std::is_same_v<T, float>) {
      out_[key] = readable(value);
    } else {
      out_[key] = value;
    }
  }
  void flag(const char* key, bool value) { out_[key] = value; }
  void text(const char* key, const std::string& value) { out_[key] = value; }
  void texts(const char* key, const std::vector<std::string>& value) { out_[key] = value; }
  template <class E>
  void word(const char* key, E value, Words words) {
    out_[key] = words[static_cast<std::size_t>(value)];
  }
  void colour(const char* key, glm::u8vec4 value) { out_[key] = hex_colour(value); }
  void colour(const char* key, glm::vec3 value) {
    if (is_bytes(value)) {
      out_[key] = hex_colour(glm::u8vec4(glm::u8vec3(glm::round(value * 255.0f)), 255));
    } else {
      out_[key] = OrderedJson::array({readable(value.x), readable(value.y), readable(value.z)});
    }
  }
  void vector(const char* key, glm::dvec3 value) { out_[key] = OrderedJson::array({value.x, value.y, value.z}); }
  void vector(const char* key, glm::vec3 value) {
    out_[key] = OrderedJson::array({readable(value.x), readable(value.y), readable(value.z)});
  }
  void rotation(const char* key, glm::dquat q) { out_[key] = OrderedJson::array({q.w, q.x, q.y, q.z}); }
  template <class T>
  void object(const char* key, T& value) {
    OrderedJson inner = OrderedJson::object();
    Writer writer(inner);
    describe(writer, value);
    out_[key] = std::move(inner);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values) {
    OrderedJson inner = OrderedJson::array();
    for (T& value : values) {
      OrderedJson entry = OrderedJson::object();
      Writer writer(entry);
      describe(writer, value);
      inner.push_back(std::move(entry));
    }
    out_[key] = std::move(inner);
  }

 private:
  OrderedJson& out_;
};

// JSON into values, with every complaint naming its place.
class Reader {
 public:
  Reader(const Json& in, std::string path, std::vector<std::string>* notes)
      : in_(in), path_(std::move(path)), notes_(notes) {
    if (!in_.is_object()) throw fault(path_.empty() ? "the scene" : path_, "expected an object {...}", in_);
  }

  template <class T>
  void number(const char* key, T& value, double low, double high) {
    if (const Json* found = find(key)) value = number_of<T>(*found, at(key), low, high);
  }
  void flag(const char* key, bool& value) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_boolean()) throw fault(at(key), "expected true or false", *found);
    value = found->get<bool>();
  }
  void text(const char* key, std::string& value) {
    if (const Json* found = find(key)) value = text_of(*found, at(key));
  }
  void texts(const char* key, std::vector<std::string>& value) {
    const Json* found = find(key);
    if (!found) return;
    check_list(*found, key);
    value.clear();
    for (std::size_t i = 0; i < found->size(); ++i)
      value.push_back(text_of((*found)[i], fmt::format("{}[{}]", at(key), i)));
  }
  template <class E>
  void word(const char* key, E& value, Words words) {
    const Json* found = find(key);
    if (!found) return;
    std::string given = text_of(*found, at(key));
    for (char& c : given) c = c == '_' || c == '-' ? ' ' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    const auto place = std::find_if(words.begin(), words.end(), [&](const char* word) { return given == word; });
    if (place == words.end())
      throw Error(fmt::format("{}: '{}' is none of {}", at(key), found->get<std::string>(), fmt::join(words, ", ")),
                  Error::Kind::input);
    value = static_cast<E>(place - words.begin());
  }
  void colour(const char* key, glm::u8vec4& value) {
    if (const Json* found = find(key)) value = colour_of(*found, at(key));
  }
  void colour(const char* key, glm::vec3& value) {
    const Json* found = find(key);
    if (!found) return;
    if (found->is_array()) {
      value = vector_of<float>(*found, at(key), 0, 1);
    } else {
      value = glm::vec3(glm::u8vec3(colour_of(*found, at(key)))) / 255.0f;
    }
  }
  void vector(const char* key, glm::dvec3& value) {
    if (const Json* found = find(key)) value = vector_of<double>(*found, at(key), -far, far);
  }
  void vector(const char* key, glm::vec3& value) {
    if (const Json* found = find(key)) value = vector_of<float>(*found, at(key), -far, far);
  }
  void rotation(const char* key, glm::dquat& value) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array() || found->size() != 4) throw fault(at(key), "expected four numbers [w, x, y, z]", *found);
    double q[4];
    double squares = 0;
    for (int i = 0; i < 4; ++i) {
      q[i] = number_of<double>((*found)[i], fmt::format("{}[{}]", at(key), i), -far, far);
      squares += q[i] * q[i];
    }
    if (squares < 1e-12) throw fault(at(key), "expected a rotation, not zero", *found);
    value = glm::dquat(q[0], q[1], q[2], q[3]);
    if (std::abs(squares - 1) > 1e-6) value = glm::normalize(value);  // written by hand
  }
  template <class T>
  void object(const char* key, T& value) {
    if (const Json* found = find(key)) read(*found, at(key), value);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values) {
    const Json* found = find(key);
    if (!found) return;
    check_list(*found, key);
    values.assign(found->size(), T());
    for (std::size_t i = 0; i < found->size(); ++i) read((*found)[i], fmt::format("{}[{}]", at(key), i), values[i]);
  }

  void note_unknown() const {
    if (!notes_) return;
    for (const auto& item : in_.items())
      if (std::find(known_.begin(), known_.end(), item.key()) == known_.end() && notes_->size() < 100)
        notes_->push_back(at(item.key().substr(0, 200)) + " is not known");
  }

 private:
  template <class T>
  void read(const Json& in, std::string path, T& value) {
    Reader reader(in, std::move(path), notes_);
    describe(reader, value);
    reader.note_unknown();
  }

  const Json* find(const char* key) {
    known_.emplace_back(key);
    const auto found = in_.find(key);
    return found == in_.end() ? nullptr : &*found;
  }
  std::string at(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  static Error fault(const std::string& where, const std::string& expected, const Json& found) {
    std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return Error(fmt::format("{}: {}, found {}", where, expected, text), Error::Kind::input);
  }
  void check_list(const Json& found, const char* key) const {
    if (!found.is_array()) throw fault(at(key), "expected a list [...]", found);
    if (found.size() > most_entries)
      throw Error(fmt::format("{}: {} entries are more than {}", at(key), found.size(), most_entries),
                  Error::Kind::input);
  }
  static std::string text_of(const Json& found, const std::string& where) {
    if (!found.is_string()) throw fault(where, "expected a text in quotes", found);
    auto text = found.get<std::string>();
    if (text.size() > longest_text)
      throw Error(fmt::format("{}: a text of {} bytes is longer than {}", where, text.size(), longest_text),
                  Error::Kind::input);
    for (const char c : text)
      if (static_cast<unsigned char>(c) < 32) throw fault(where, "expected a text without control characters", found);
    return text;
  }
  template <class T>
  static T number_of(const Json& found, const std::string& where, double low, double high) {
    const char* expected = std::is_integral_v<T> ? "a whole number" : "a number";
    if (!(std::is_integral_v<T> ? found.is_number_integer() : found.is_number()))
      throw fault(where, fmt::format("expected {}", expected), found);
    const auto value = found.get<double>();
    if (!(value >= low && value <= high))
      throw fault(where, fmt::format("expected {} from {} to {}", expected, low, high), found);
    return found.get<T>();
  }
  template <class T>
  static glm::vec<3, T> vector_of(const Json& found, const std::string& where, double low, double high) {
    if (!found.is_array() || found.size() != 3) throw fault(where, "expected three numbers [x, y, z]", found);
    glm::vec<3, T> result;
    for (int i = 0; i < 3; ++i) result[i] = number_of<T>(found[i], fmt::format("{}[{}]", where, i), low, high);
    return result;
  }
  static glm::u8vec4 colour_of(const Json& found, const std::string& where) {
    const auto colour = found.is_string() ? parse_colour(found.get<std::string>()) : std::nullopt;
    if (!colour) throw fault(where, "expected a colour \"#rrggbb\" or \"#rrggbbaa\"", found);
    return *colour;
  }

  const Json& in_;
  std::string path_;
  std::vector<std::string>* notes_;
  std::vector<std::string> known_;
};

template <class Archive>
void describe(Archive& a, SceneMolecule& molecule) {
  a.texts("paths", molecule.paths);
  a.flag("visible", molecule.visible);
  a.text("assembly", molecule.assembly);
}

template <class Archive>
void describe(Archive& a, StyleOptions& options) {
  a.number("sphere_scale", options.sphere_scale, 0, 1000);
  a.number("bond_radius", options.bond_radius, 0, 1000);
  a.number("line_width", options.line_width, 0, 1000);
  a.number("cartoon_width", options.cartoon_width, 0, 1000);
  a.number("detail", options.detail, 1, 64);
}

template <class Archive>
void describe(Archive& a, Representation& representation) {
  a.number("molecule", representation.molecule, 0, most_entries);
  a.text("selection", representation.selection);
  a.word("style", representation.style, style_words);
  a.word("colouring", representation.colouring, colouring_words);
  a.colour("colour", representation.colour);
  a.object("options", representation.options);
  a.number("opacity", representation.opacity, 0, 1);
  a.flag("visible", representation.visible);
}

template <class Archive>
void describe(Archive& a, PotentialSettings& settings) {
  a.word("method", settings.method, method_words);
  a.number("accuracy", settings.accuracy, 2e-5, 0.1);
  a.flag("periodic", settings.periodic);
  a.number("cutoff", settings.cutoff, 0.1, 1000);
  a.word("medium", settings.medium, medium_words);
  a.number("dielectric", settings.dielectric, 1, 1e4);
  a.number("ionic_strength", settings.ionic_strength, 0, 100);
  a.number("solvent_dielectric", settings.solvent_dielectric, 1, 1e4);
  a.number("temperature", settings.temperature, 1, 1e5);
  a.word("unit", settings.unit, unit_words);
}

template <class Archive>
void describe(Archive& a, SlicePlane& slice) {
  a.word("plane", slice.kind, plane_words);
  a.text("selection", slice.selection);
  a.number("offset", slice.offset, -far, far);
}

template <class Archive>
void describe(Archive& a, Field& field) {
  a.word("kind", field.kind, field_words);
  a.number("molecule", field.molecule, 0, most_entries);
  a.text("selection", field.selection);
  a.text("orbital", field.orbital);
  a.word("spin", field.spin, spin_words);
  a.flag("follow", field.follow);
  a.number("follow_from", field.follow_from, 0, std::numeric_limits<std::uint32_t>::max());
  a.number("enclosed", field.enclosed, 0, 0.9999);
  a.number("volume", field.volume, 0, std::numeric_limits<std::uint32_t>::max());
  a.number("spacing", field.spacing, 0, far);
  a.number("isovalue", field.isovalue, -1e30, 1e30);
  a.flag("both_signs", field.both_signs);
  a.number("radius_scale", field.radius_scale, 0, 1000);
  a.number("probe_radius", field.probe_radius, 0, 100);
  a.word("style", field.style, surface_words);
  a.object("slice", field.slice);
  a.word("colouring", field.colouring, colouring_words);
  a.word("paint", field.paint, paint_words);
  a.number("paint_range", field.paint_range, 0, 1e6);
  a.number("paint_offset", field.paint_offset, -100, 100);
  a.object("potential", field.potential);
  a.colour("colour", field.colour);
  a.colour("negative_colour", field.negative_colour);
  a.number("opacity", field.opacity, 0, 1);
  a.flag("visible", field.visible);
}

template <class Archive>
void describe(Archive& a, SceneAtom& atom) {
  a.number("molecule", atom.molecule, 0, most_entries);
  a.number("atom", atom.atom, 0, std::numeric_limits<std::uint32_t>::max());
}

template <class Archive>
void describe(Archive& a, Measurement& measurement) {
  a.list("atoms", measurement.atoms);
  a.colour("colour", measurement.colour);
  a.flag("visible", measurement.visible);
}

template <class Archive>
void describe(Archive& a, Camera& camera) {
  a.vector("centre", camera.centre);
  a.rotation("rotation", camera.rotation);
  a.number("height", camera.height, 1e-6, far);
  a.number("field_of_view", camera.field_of_view, 1, 170);
  a.word("projection", camera.projection, projection_words);
  a.number("slab_front", camera.slab_front, -far, far);
  a.number("slab_back", camera.slab_back, -far, far);
}

template <class Archive>
void describe(Archive& a, Look& look) {
  a.colour("background", look.background);
  a.colour("background_bottom", look.background_bottom);
  a.flag("ambient_occlusion", look.ambient_occlusion);
  a.number("ambient_occlusion_radius", look.ambient_occlusion_radius, 0, 1e6);
  a.number("ambient_occlusion_strength", look.ambient_occlusion_strength, 0, 100);
  a.flag("outlines", look.outlines);
  a.number("outline_width", look.outline_width, 0, 100);
  a.number("depth_cue", look.depth_cue, 0, 1);
  a.flag("shadows", look.shadows);
  a.number("ambient", look.ambient, 0, 10);
  a.number("diffuse", look.diffuse, 0, 10);
  a.number("specular", look.specular, 0, 10);
  a.number("shininess", look.shininess, 0, 1e4);
  a.vector("light", look.light);
  a.flag("axes", look.axes);
}

template <class Archive>
void describe(Archive& a, Playback& playback) {
  a.number("frames_per_second", playback.frames_per_second, 0.01, 1000);
  a.number("stride", playback.stride, 1, 1e9);
  a.word("loop", playback.loop, loop_words);
}

template <class Archive>
void describe(Archive& a, Scene& scene) {
  a.list("molecules", scene.molecules);
  a.list("representations", scene.representations);
  a.list("fields", scene.fields);
  a.list("measurements", scene.measurements);
  a.object("camera", scene.camera);
  a.object("look", scene.look);
  a.object("playback", scene.playback);
  a.number("frame", scene.frame, 0, whole_max);
  a.flag("show_box", scene.show_box);
}

template <class T>
void check_molecules(const std::vector<T>& entries, const char* key, std::size_t count) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].molecule >= count)
      throw Error(fmt::format("{}[{}].molecule: {} is beyond the {} molecules of the scene (they count from 0)", key, i,
                              entries[i].molecule, count),
                  Error::Kind::input);
}

}  // namespace

nlohmann::ordered_json scene_to_tree(const Scene& scene) {
  Scene copy = scene;
  OrderedJson tree = OrderedJson::object();
  Writer writer(tree);
  describe(writer, copy);
  return tree;
}

Scene scene_from_tree(const nlohmann::json& tree, std::vector<std::string>* notes) {
  Scene scene;
  Reader reader(tree, {}, notes);
  describe(reader, scene);
  reader.note_unknown();
  check_molecules(scene.representations, "representations", scene.molecules.size());
  check_molecules(scene.fields, "fields", scene.molecules.size());
  for (std::size_t i = 0; i < scene.measurements.size(); ++i) {
    const auto& atoms = scene.measurements[i].atoms;
    if (atoms.empty() || atoms.size() > 4)
      throw Error(fmt::format("measurements[{}].atoms: expected 1 to 4 atoms, found {}", i, atoms.size()),
                  Error::Kind::input);
    check_molecules(atoms, fmt::format("measurements[{}].atoms", i).c_str(), scene.molecules.size());
  }
  return scene;
}

}  // namespace isolume
