// The orbitals and frames named by a command.
#include "app/cli/compute/orbital_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/command.h"
#include "app/documents/frames.h"
#include "app/fields/inputs/orbital_identity.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/quantum/orbital_doubt.h"
#include "molecule/quantum/orbital_energies.h"

namespace isolume::cli {
namespace {

std::size_t number_of(const Orbitals& orbitals, std::size_t which) {
  std::size_t number = 1;
  for (std::size_t i = 0; i < which; ++i) number += orbitals.orbitals[i].spin == orbitals.orbitals[which].spin;
  return number;
}

/// The frames of a choice. Throws Error (usage).
std::vector<std::size_t> frames_of(const Molecule& molecule, const OrbitalChoice& choice) {
  const std::size_t count = molecule.orbitals.size();
  if (!choice.frames.empty()) return parse_frames(choice.frames, count);
  const std::size_t frame = choice.frame.value_or(first_frame_with_orbitals(molecule));
  if (frame >= count)
    throw Error(fmt::format("frame {}: the orbitals have 0 to {}", frame, count - 1), Error::Kind::usage);
  return {frame};
}

/// The orbital that is followed from the frame `from`, in every frame.
std::vector<std::optional<TrackedOrbital>> track(const std::shared_ptr<const Molecule>& molecule,
                                                 const OrbitalChoice& choice, const std::string& name, std::size_t from,
                                                 Job& job) {
  const std::size_t start = orbitals_of(*molecule, from)->find(name, choice.spin);
  return orbital_tracks(molecule, job)->track(from, start);
}

}  // namespace

std::vector<ChosenOrbital> choose_orbitals(const std::shared_ptr<const Molecule>& molecule, OrbitalChoice& choice,
                                           Job& job) {
  orbitals_of(*molecule, first_frame_with_orbitals(*molecule));  // says so where there are none at all
  if (choice.orbitals.empty()) choice.orbitals = {"homo"};
  if (choice.from && !choice.follow)
    throw Error("--from says where --follow begins, so it makes no sense without it", Error::Kind::usage);
  const std::vector<std::size_t> frames = frames_of(*molecule, choice);
  std::size_t from = frames.front();
  for (const std::size_t frame : frames) {
    if (!molecule->orbitals[frame]) continue;
    from = frame;
    break;
  }
  if (choice.from) from = *choice.from;
  if (from >= molecule->orbitals.size())
    throw Error(fmt::format("--from {}: the orbitals have the frames 0 to {}", from, molecule->orbitals.size() - 1),
                Error::Kind::usage);
  if (choice.follow) choice.from = from;
  std::vector<std::vector<std::optional<TrackedOrbital>>> tracks;
  for (const std::string& name : choice.orbitals) {
    if (choice.follow) tracks.push_back(track(molecule, choice, name, from, job));
  }
  std::vector<ChosenOrbital> chosen;
  bool any = false;
  for (const std::size_t frame : frames) {
    const auto orbitals = frames.size() == 1 ? orbitals_of(*molecule, frame) : molecule->orbitals_at(frame);
    for (std::size_t i = 0; i < choice.orbitals.size(); ++i) {
      ChosenOrbital one;
      one.asked = choice.orbitals[i];
      one.frame = frame;
      one.followed = choice.follow;
      if (orbitals && choice.follow && tracks[i][frame]) {
        const TrackedOrbital& tracked = *tracks[i][frame];
        one.which = tracked.index;
        one.sign = tracked.sign;
        one.overlap = tracked.overlap;
        one.weak = tracked.weak;
        one.orbitals = orbitals;
      } else if (orbitals && !choice.follow) {
        one.which = orbitals->find(one.asked, choice.spin);
        one.orbitals = orbitals;
      }
      if (one.orbitals) one.number = number_of(*orbitals, one.which);
      any = any || one.orbitals;
      chosen.push_back(std::move(one));
    }
  }
  if (!any) throw Error("none of the frames has the orbital", Error::Kind::usage);
  return chosen;
}

void check_reading(Run& run, const Molecule& molecule, const Orbitals& orbitals, bool occupied, bool force,
                   std::vector<std::string>& said) {
  const double residual = counted_residual(orbitals, occupied);
  const std::string doubt = orbital_doubt(residual, occupied);
  if (residual > refused_residual && !force) {
    throw Error::in_file(molecule.paths.empty() ? molecule.title : molecule.paths.front(), 0,
                         doubt + " Nothing was computed; --force computes all the same");
  }
  if (doubt.empty() || std::find(said.begin(), said.end(), doubt) != said.end()) return;
  run.say("warning: " + doubt);
  said.push_back(doubt);
}

nlohmann::ordered_json orbital_entry(const ChosenOrbital& chosen, const OrbitalChoice& choice) {
  nlohmann::ordered_json entry{{"frame", chosen.frame}, {"orbital", chosen.asked}};
  if (!chosen.orbitals) {
    entry["missing"] = choice.follow ? "lost, or a frame without orbitals" : "a frame without orbitals";
    return entry;
  }
  const Orbital& orbital = chosen.orbitals->orbitals[chosen.which];
  entry["number"] = chosen.number;
  entry["role"] = chosen.orbitals->role(chosen.which);
  entry["spin"] = orbital.spin == Spin::alpha ? "alpha" : "beta";
  const bool has_energy = FrontierOrder(*chosen.orbitals, orbital.spin).energies;
  entry["energy_hartree"] = has_energy ? nlohmann::ordered_json(orbital.energy) : nlohmann::ordered_json();
  entry["energy_ev"] = has_energy ? nlohmann::ordered_json(orbital.energy * units::hartree_in_ev) : nullptr;
  entry["occupation"] = orbital.occupation;
  if (!orbital.symmetry.empty()) entry["symmetry"] = orbital.symmetry;
  entry["norm_residual_of_file"] = chosen.orbitals->norm_residual;
  if (chosen.followed) {
    entry["overlap"] = chosen.overlap;
    entry["sign"] = chosen.sign;
    entry["weak"] = chosen.weak;
  }
  return entry;
}

namespace {

/// "energy (hartree)" of the key "energy_hartree".
std::string heading_of(std::string key) {
  if (key == "energy_hartree") return "energy (hartree)";
  if (key == "energy_ev") return "energy (eV)";
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

}  // namespace

std::string orbital_table(const nlohmann::ordered_json& entries) {
  std::vector<std::string> keys;
  for (const auto& entry : entries) {
    for (const auto& item : entry.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) keys.push_back(item.key());
    }
  }
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : ",") + heading_of(key);
  text += '\n';
  for (const auto& entry : entries) {
    std::string line;
    for (const std::string& key : keys) {
      if (&key != &keys.front()) line += ',';
      if (!entry.contains(key)) continue;
      const auto& value = entry[key];
      if (value.is_null()) continue;
      if (!value.is_string()) {
        line += value.dump();
        continue;
      }
      std::string words = value.get<std::string>();
      std::replace(words.begin(), words.end(), ',', ';');
      line += words;
    }
    text += line + "\n";
  }
  return text;
}

std::string orbital_title(const ChosenOrbital& chosen) {
  const Orbitals& orbitals = *chosen.orbitals;
  const Spin spin = orbitals.orbitals[chosen.which].spin;
  return fmt::format("{} ({} of {}{}), frame {}", orbitals.role(chosen.which), chosen.number, orbitals.count(spin),
                     !orbitals.unrestricted ? ""
                     : spin == Spin::alpha  ? ", alpha"
                                            : ", beta",
                     chosen.frame);
}

void write_columns(const std::string& path, const std::vector<std::vector<double>>& columns) {
  std::string text;
  for (std::size_t i = 0; !columns.empty() && i < columns.front().size(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) text += fmt::format("{}{}", c == 0 ? "" : ",", columns[c][i]);
    text += '\n';
  }
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(path, [&](std::ostream& out) { out << text; });
  }
}

}  // namespace isolume::cli
