// The force field of a PSF's terms and CHARMM's parameters.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "molecule/base/units.h"
#include "molecule/force_field/charmm_lookup.h"

namespace isolume {
namespace {

template <std::size_t count>
using Types = CharmmParameters::Types<count>;

class Builder {
 public:
  Builder(const Topology& topology, const CharmmTerms& terms, const CharmmParameters& parameters)
      : terms_(terms), parameters_(parameters) {
    name_types(topology);
  }

  ForceField build() {
    out_.source = "CHARMM";
    out_.coulomb_constant = units::coulomb_kcal_angstrom;
    out_.charges = terms_.charges;
    out_.masses = terms_.masses;
    out_.notes = parameters_.notes;
    bonds_and_angles();
    torsions();
    corrections();
    lennard_jones();
    missing_.check();
    set_charmm_exclusions(terms_, static_cast<std::uint32_t>(types_.size()), parameters_.one_four.value_or(1), out_);
    out_.validate();
    return std::move(out_);
  }

 private:
  void name_types(const Topology& topology) {
    const auto is_number = [](const std::string& type) {
      return !type.empty() && type.size() < 10 &&
             std::all_of(type.begin(), type.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const bool numbered = std::all_of(topology.atoms.begin(), topology.atoms.end(),
                                      [&](const Atom& atom) { return is_number(atom.type); });
    std::map<std::string, std::uint16_t> indices;
    for (const Atom& atom : topology.atoms) {
      std::string type = atom.type;
      if (numbered) {
        const auto found = parameters_.numbers.find(std::stoll(type));
        if (found == parameters_.numbers.end()) {
          throw Error("the PSF has its types as numbers, and no file names type " + type +
                          ": write the PSF in X-PLOR's format, with names, or open the topology file (RTF) with its "
                          "MASS lines as well",
                      Error::Kind::input);
        }
        type = found->second;
      }
      for (char& c : type) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
      const auto [place, added] = indices.insert({type, static_cast<std::uint16_t>(names_.size())});
      if (added) names_.push_back(type);
      constexpr std::size_t most = 2000;  // CHARMM's own force fields have 500 all together
      if (names_.size() > most) {
        throw Error("more than " + std::to_string(most) + " types of atoms are not supported", Error::Kind::input);
      }
      types_.push_back(place->second);
    }
  }

  template <std::size_t count>
  Types<count> types(const std::array<std::uint32_t, count>& atoms) const {
    Types<count> result;
    for (std::size_t k = 0; k < count; ++k) result[k] = names_[types_[atoms[k]]];
    return result;
  }

  /// Calls use(atoms, value) for every term whose types find(types) has a value for, and counts the others.
  template <std::size_t count, class Find, class Use>
  void each_term(const char* what, const std::vector<std::array<std::uint32_t, count>>& terms, const Find& find,
                 const Use& use) {
    FoundByTypes<count, decltype(find(Types<count>()))> found;
    for (const auto& atoms : terms) {
      std::array<std::uint16_t, count> key;
      for (std::size_t k = 0; k < count; ++k) key[k] = types_[atoms[k]];
      if (const auto value = found.at(key, [&] { return find(types(atoms)); })) {
        use(atoms, *value);
      } else {
        missing_.add(std::string(what) + " " + charmm_words(types(atoms)));
      }
    }
  }

  /// The entry of these types or of their mirror image; null where there is none.
  template <class Map>
  static auto entry_of(const Map& map) {
    return [&map](const typename Map::key_type& types) {
      const auto found = map.find(charmm_key(types));
      return found == map.end() ? nullptr : &found->second;
    };
  }

  void bonds_and_angles() {
    each_term("bond", terms_.bonds, entry_of(parameters_.bonds), [&](const auto& atoms, const CharmmBond& bond) {
      out_.bonds.push_back({atoms, bond.force, bond.length});
    });
    each_term("angle", terms_.angles, entry_of(parameters_.angles), [&](const auto& atoms, const CharmmAngle& angle) {
      out_.angles.push_back({atoms, angle.force, angle.angle});
      if (angle.urey_bradley.force != 0) {
        out_.urey_bradley.push_back({{atoms[0], atoms[2]}, angle.urey_bradley.force, angle.urey_bradley.length});
      }
    });
  }

  /// By its periodicity: a cosine, or where that is 0 a parabola.
  void add(const std::array<std::uint32_t, 4>& atoms, const CharmmTorsion& torsion, bool improper) {
    if (torsion.periodicity == 0) {
      out_.impropers.push_back({atoms, torsion.force, torsion.phase});
    } else {
      out_.dihedrals.push_back({atoms, torsion.force, torsion.periodicity, torsion.phase, improper});
    }
  }

  void torsions() {
    each_term(
        "dihedral", terms_.dihedrals,
        [&](const Types<4>& types) { return find_torsion(parameters_.dihedrals, types, of_dihedrals); },
        [&](const auto& atoms, const std::vector<CharmmTorsion>& set) {
          for (const CharmmTorsion& torsion : set) add(atoms, torsion, false);
        });
    each_term(
        "improper", terms_.impropers,
        [&](const Types<4>& types) { return find_torsion(parameters_.impropers, types, of_impropers); },
        [&](const auto& atoms, const CharmmTorsion& torsion) { add(atoms, torsion, true); });
  }

  void corrections() {
    std::map<const CorrectionMap*, std::uint32_t> known;
    each_term("CMAP", terms_.cross_terms, entry_of(parameters_.maps), [&](const auto& atoms, const CorrectionMap& map) {
      const auto [place, added] = known.insert({&map, static_cast<std::uint32_t>(out_.maps.size())});
      if (added) out_.maps.push_back(map);
      out_.corrections.push_back({atoms, place->second});
    });
  }

  /// The value of the only pattern that fits(); null where none does. Throws Error where several do that differ.
  template <class Map, class Fits>
  static const typename Map::mapped_type* by_pattern(const Map& patterns, const std::string& what, const Fits& fits) {
    const typename Map::value_type* found = nullptr;
    for (const auto& entry : patterns) {
      if (!fits(entry.first)) continue;
      if (found && found->second != entry.second) {
        throw Error(what + " fits more than one entry with wildcards: " + charmm_words(found->first) + " and " +
                        charmm_words(entry.first) + "; name the types in an entry of their own",
                    Error::Kind::input);
      }
      found = &entry;
    }
    return found ? &found->second : nullptr;
  }

  /// Of every type: the entry of its name, or the pattern that fits it.
  std::vector<CharmmRadius> radii() {
    std::map<std::string, CharmmRadius> patterns;
    for (const auto& entry : parameters_.radii) {
      if (is_charmm_pattern(entry.first)) patterns.insert(entry);
    }
    std::vector<CharmmRadius> of_types(names_.size());
    std::vector<bool> known(names_.size());
    for (std::size_t t = 0; t < names_.size(); ++t) {
      const auto own = parameters_.radii.find(names_[t]);
      const CharmmRadius* found =
          own != parameters_.radii.end()
              ? &own->second
              : by_pattern(patterns, "NONBONDED: type " + names_[t],
                           [&](const std::string& pattern) { return charmm_pattern_fits(pattern, names_[t]); });
      known[t] = found != nullptr;
      if (found) of_types[t] = *found;
    }
    for (const std::uint16_t type : types_) {
      if (!known[type]) missing_.add("Lennard-Jones " + names_[type]);
    }
    missing_.check();
    return of_types;
  }

  void lennard_jones() {
    out_.types.assign(types_.begin(), types_.end());
    const std::vector<CharmmRadius> of_types = radii();
    out_.type_count = static_cast<std::uint32_t>(names_.size());
    std::map<Types<2>, CharmmPair> patterns;
    for (const auto& entry : parameters_.pairs) {
      if (is_charmm_pattern(entry.first[0]) || is_charmm_pattern(entry.first[1])) patterns.insert(entry);
    }
    const auto own = [&](const std::string& one, const std::string& other) -> const CharmmPair* {
      const auto found = parameters_.pairs.find(charmm_key(Types<2>{one, other}));
      if (found != parameters_.pairs.end()) return &found->second;
      return by_pattern(patterns, "NBFIX: " + one + " " + other, [&](const Types<2>& pattern) {
        return (charmm_pattern_fits(pattern[0], one) && charmm_pattern_fits(pattern[1], other)) ||
               (charmm_pattern_fits(pattern[0], other) && charmm_pattern_fits(pattern[1], one));
      });
    };
    const auto set = [](double depth, double distance, std::vector<double>& a, std::vector<double>& b) {
      const double sixth = std::pow(distance, 6);
      a.push_back(depth * sixth * sixth);
      b.push_back(2 * depth * sixth);
    };
    for (std::size_t one = 0; one < names_.size(); ++one) {
      for (std::size_t other = 0; other < names_.size(); ++other) {
        const CharmmRadius& x = of_types[one];
        const CharmmRadius& y = of_types[other];
        CharmmPair pair{std::sqrt(x.depth * y.depth), x.half + y.half, std::sqrt(x.depth14 * y.depth14),
                        x.half14 + y.half14};
        if (const CharmmPair* const fixed = own(names_[one], names_[other])) pair = *fixed;
        set(pair.depth, pair.distance, out_.lj_a, out_.lj_b);
        set(pair.depth14, pair.distance14, out_.lj14_a, out_.lj14_b);
      }
    }
  }

  const CharmmTerms& terms_;
  const CharmmParameters& parameters_;
  std::vector<std::string> names_;    ///< of the types that occur, in capitals
  std::vector<std::uint16_t> types_;  ///< of the atoms, indices into names_
  MissingParameters missing_;
  ForceField out_;
};

}  // namespace

ForceField charmm_force_field(const Topology& topology, const CharmmTerms& terms, const CharmmParameters& parameters) {
  if (!terms.unsupported.empty()) {
    throw Error("the PSF has " + terms.unsupported +
                    ": force fields of fixed charges on atoms are supported, without virtual sites and Drude particles",
                Error::Kind::input);
  }
  return Builder(topology, terms, parameters).build();
}

}  // namespace isolume
