// Amplitudes of excited states, from JSON and from outputs.
#include "formats/orbitals/amplitudes.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/bytes/text.h"
#include "formats/orbitals/amplitudes_logs.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

using Json = nlohmann::json;

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Excitations read() {
    const auto source = ByteSource::open(path_);
    if (looks_binary(*source)) fail("holds no amplitudes of excited states: it is no text");
    if (!trimmed(source->text().substr(0, 4096)).starts_with('{')) {
      Excitations found = amplitudes_of_output(*source);
      if (found.states.empty())
        fail(
            "holds no amplitudes of excited states; they are looked for in JSON files and in outputs of Gaussian, "
            "ORCA, "
            "Q-Chem and Psi4");
      return found;
    }
    const Json json = Json::parse(source->text(), nullptr, false);
    if (json.is_discarded() || !json.is_object()) fail("is not a JSON object with amplitudes of excited states");
    if (json.contains("Molecule"))
      fail(
          "is a file of orca_2json: it has neither the energies of its excited states nor the order of their "
          "amplitudes; give the output of ORCA (with the Tamm-Dancoff approximation)");
    Excitations all;
    all.occupied = size_of(json, "n_occ");
    all.virtuals = size_of(json, "n_virt");
    if (json.contains("approaches") && json["approaches"].is_object()) {
      for (const auto& [name, approach] : json["approaches"].items()) states(approach, name, all);
    } else {
      states(json, "", all);
    }
    if (all.states.empty()) fail("holds no states");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw Error::in_file(path_, 0, message); }

  std::size_t size_of(const Json& json, const char* name) const {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_integer() || found->get<std::int64_t>() < 1 ||
        found->get<std::int64_t>() > 100'000)
      fail(fmt::format("\"{}\" should be a number of orbitals", name));
    return static_cast<std::size_t>(found->get<std::int64_t>());
  }

  std::vector<double> matrix(const Json& rows, const std::string& what, const Excitations& all) const {
    const auto wrong = [&] {
      fail(fmt::format("{} should have {} rows (occupied) of {} numbers (virtual)", what, all.occupied, all.virtuals));
    };
    if (!rows.is_array() || rows.size() != all.occupied) wrong();
    std::vector<double> values;
    for (const Json& row : rows) {
      if (!row.is_array() || row.size() != all.virtuals) wrong();
      for (const Json& value : row) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) wrong();
        values.push_back(value.get<double>());
      }
    }
    return values;
  }

  void states(const Json& json, const std::string& approach, Excitations& all) const {
    if (!json.is_object() || !json.contains("states") || !json["states"].is_array()) fail("\"states\" is missing");
    for (const Json& state : json["states"]) {
      const std::string name =
          fmt::format("state {}{}{}", all.states.size() + 1, approach.empty() ? "" : " of ", approach);
      if (!state.is_object() || !state.contains("omega_hartree") || !state["omega_hartree"].is_number())
        fail(name + ": \"omega_hartree\" is missing");
      if (!state.contains("X")) fail(name + ": \"X\" is missing");
      Excitation one;
      one.approach = approach;
      one.energy = state["omega_hartree"].get<double>();
      one.x = matrix(state["X"], name + ": \"X\"", all);
      if (state.contains("Y")) one.y = matrix(state["Y"], name + ": \"Y\"", all);
      const auto strength = state.find("oscillator_strength_length");
      if (strength != state.end() && strength->is_number()) one.strength = strength->get<double>();
      all.states.push_back(std::move(one));
    }
  }

  std::string path_;
};

}  // namespace

Excitations read_amplitudes(const std::string& path) {
  return Reader(path).read();
}

}  // namespace isolume
