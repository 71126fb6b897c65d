// Values of a scene into JSON and out of it, with every complaint naming its place.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/scene/json_colour.h"
#include "molecule/base/error.h"
#include "molecule/base/nearest.h"

/// Each type of the scene is described once, by a function template `describe(archive, value)` that is found by the
/// type's namespace; JsonWriter and JsonReader are the archives.
namespace isolume {

using Json = nlohmann::json;                 // in: keys sorted, so that hostile objects stay quick
using OrderedJson = nlohmann::ordered_json;  // out: keys in the order of the description
using Words = std::span<const char* const>;

constexpr std::size_t most_entries = 10'000;  // molecules, representations, fields
constexpr std::size_t longest_text = 65'536;
constexpr double farthest = 1e9;    // angstrom
constexpr double whole_max = 9e15;  // whole numbers that a double holds

// Values into JSON.
class JsonWriter {
 public:
  explicit JsonWriter(OrderedJson& out) : out_(out) {}

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
  void whole_numbers(const char* key, glm::ivec3 value, int, int) {
    out_[key] = OrderedJson::array({value.x, value.y, value.z});
  }
  void rotation(const char* key, glm::dquat q) { out_[key] = OrderedJson::array({q.w, q.x, q.y, q.z}); }
  template <class T>
  void object(const char* key, T& value) {
    OrderedJson inner = OrderedJson::object();
    JsonWriter writer(inner);
    describe(writer, value);
    out_[key] = std::move(inner);
  }
  template <class T>
  void list(const char* key, std::vector<T>& values) {
    OrderedJson inner = OrderedJson::array();
    for (T& value : values) {
      OrderedJson entry = OrderedJson::object();
      JsonWriter writer(entry);
      describe(writer, value);
      inner.push_back(std::move(entry));
    }
    out_[key] = std::move(inner);
  }

 private:
  OrderedJson& out_;
};

// JSON into values, with every complaint naming its place.
class JsonReader {
 public:
  JsonReader(const Json& in, std::string path, std::vector<std::string>* notes)
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
      throw Error(fmt::format("{}: '{}' is none of {}{}", at(key), found->get<std::string>(), fmt::join(words, ", "),
                              did_you_mean(given, words)),
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
    if (const Json* found = find(key)) value = vector_of<double>(*found, at(key), -farthest, farthest);
  }
  void vector(const char* key, glm::vec3& value) {
    if (const Json* found = find(key)) value = vector_of<float>(*found, at(key), -farthest, farthest);
  }
  void whole_numbers(const char* key, glm::ivec3& value, int low, int high) {
    if (const Json* found = find(key)) value = vector_of<int>(*found, at(key), low, high);
  }
  void rotation(const char* key, glm::dquat& value) {
    const Json* found = find(key);
    if (!found) return;
    if (!found->is_array() || found->size() != 4) throw fault(at(key), "expected four numbers [w, x, y, z]", *found);
    double q[4];
    double squares = 0;
    for (int i = 0; i < 4; ++i) {
      q[i] = number_of<double>((*found)[i], fmt::format("{}[{}]", at(key), i), -farthest, farthest);
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
    JsonReader reader(in, std::move(path), notes_);
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
    if (!colour)
      throw fault(
          where,
          fmt::format("expected a colour \"#rrggbb\", \"#rrggbbaa\" or one of {}{}", fmt::join(colour_names(), ", "),
                      did_you_mean(found.is_string() ? found.get<std::string>() : "", colour_names())),
          found);
    return *colour;
  }

  const Json& in_;
  std::string path_;
  std::vector<std::string>* notes_;
  std::vector<std::string> known_;
};

}  // namespace isolume
