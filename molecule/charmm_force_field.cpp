// The force field of a PSF's terms and CHARMM's parameters.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "molecule/charmm.h"
#include "molecule/error.h"
#include "molecule/units.h"

namespace isolume {
namespace {

template <std::size_t count>
using Types = CharmmParameters::Types<count>;

/// Terms without parameters, by kind.
class Missing {
 public:
  void add(const std::string& kind) {
    if (counts_[kind]++ == 0) order_.push_back(kind);
    ++terms_;
  }

  /// Throws Error (input) where there are some.
  void check() const {
    if (terms_ == 0) return;
    constexpr std::size_t named = 6;
    std::string text = "no parameters for " + std::to_string(terms_) + " terms of " + std::to_string(order_.size()) +
                       (order_.size() == 1 ? " kind: " : " kinds: ");
    for (std::size_t i = 0; i < std::min(named, order_.size()); ++i) text += (i > 0 ? ", " : "") + order_[i];
    if (order_.size() > named) text += " and " + std::to_string(order_.size() - named) + " more";
    throw Error(text + "; open the parameter files that have them as well", Error::Kind::input);
  }

 private:
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> order_;
  std::size_t terms_ = 0;
};

/// Which of four types a wildcard stands for (bit k: the k-th), in the order in which parameters are looked for.
constexpr std::array<unsigned, 15> of_dihedrals = {0, 1, 8, 9, 2, 4, 3, 5, 6, 10, 12, 7, 11, 13, 14};
constexpr std::array<unsigned, 15> of_impropers = {0, 6, 1, 8, 9, 3, 12, 2, 4, 5, 10, 7, 11, 13, 14};

template <class Value>
const Value* find_torsion(const std::map<Types<4>, Value>& table, const Types<4>& types,
                          const std::array<unsigned, 15>& order) {
  for (const unsigned wild : order) {
    Types<4> key = types;
    for (std::size_t k = 0; k < 4; ++k) {
      if (wild >> k & 1U) key[k] = "X";
    }
    const auto found = table.find(charmm_key(std::move(key)));
    if (found != table.end()) return &found->second;
  }
  return nullptr;
}

/// Neighbours by bond, in compressed rows, each once.
BondTable neighbours(std::size_t atoms, const std::vector<std::array<std::uint32_t, 2>>& bonds) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  both.reserve(2 * bonds.size());
  for (const auto& [a, b] : bonds) {
    both.emplace_back(a, b);
    both.emplace_back(b, a);
  }
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  BondTable table;
  table.offsets.assign(atoms + 1, 0);
  for (const auto& [a, b] : both) {
    ++table.offsets[a + 1];
    table.items.push_back(b);
  }
  for (std::size_t a = 0; a < atoms; ++a) table.offsets[a + 1] += table.offsets[a];
  return table;
}

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
    exclusions();
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
      types_.push_back(std::move(type));
    }
  }

  template <std::size_t count>
  Types<count> types(const std::array<std::uint32_t, count>& atoms) const {
    Types<count> result;
    for (std::size_t k = 0; k < count; ++k) result[k] = types_[atoms[k]];
    return result;
  }

  template <std::size_t count>
  void miss(const char* what, const Types<count>& types) {
    missing_.add(std::string(what) + " " + charmm_words(types));
  }

  void bonds_and_angles() {
    for (const auto& atoms : terms_.bonds) {
      const auto found = parameters_.bonds.find(charmm_key(types(atoms)));
      if (found == parameters_.bonds.end()) {
        miss("bond", types(atoms));
      } else {
        out_.bonds.push_back({atoms, found->second.force, found->second.length});
      }
    }
    for (const auto& atoms : terms_.angles) {
      const auto found = parameters_.angles.find(charmm_key(types(atoms)));
      if (found == parameters_.angles.end()) {
        miss("angle", types(atoms));
        continue;
      }
      const CharmmAngle& angle = found->second;
      out_.angles.push_back({atoms, angle.force, angle.angle});
      if (angle.urey_bradley.force != 0) {
        out_.urey_bradley.push_back({{atoms[0], atoms[2]}, angle.urey_bradley.force, angle.urey_bradley.length});
      }
    }
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
    for (const auto& atoms : terms_.dihedrals) {
      const auto* found = find_torsion(parameters_.dihedrals, types(atoms), of_dihedrals);
      if (!found) miss("dihedral", types(atoms));
      for (std::size_t k = 0; found && k < found->size(); ++k) add(atoms, (*found)[k], false);
    }
    for (const auto& atoms : terms_.impropers) {
      const auto* found = find_torsion(parameters_.impropers, types(atoms), of_impropers);
      if (found) {
        add(atoms, *found, true);
      } else {
        miss("improper", types(atoms));
      }
    }
  }

  void corrections() {
    std::map<const CorrectionMap*, std::uint32_t> known;
    for (const auto& atoms : terms_.cross_terms) {
      const auto found = parameters_.maps.find(charmm_key(types(atoms)));
      if (found == parameters_.maps.end()) {
        miss("CMAP", types(atoms));
        continue;
      }
      const auto [place, added] = known.insert({&found->second, static_cast<std::uint32_t>(out_.maps.size())});
      if (added) out_.maps.push_back(found->second);
      out_.corrections.push_back({atoms, place->second});
    }
  }

  void lennard_jones() {
    std::map<std::string, std::uint32_t> indices;
    std::vector<std::string> names;
    for (const std::string& type : types_) {
      const auto [place, added] = indices.insert({type, static_cast<std::uint32_t>(names.size())});
      if (added) names.push_back(type);
      if (!parameters_.radii.contains(type)) missing_.add("Lennard-Jones " + type);
      out_.types.push_back(place->second);
    }
    missing_.check();
    constexpr std::size_t most = 2000;  // CHARMM's own force fields have 500 all together
    if (names.size() > most) {
      throw Error(std::to_string(names.size()) + " types of atoms; at most " + std::to_string(most) + " are supported",
                  Error::Kind::input);
    }
    out_.type_count = static_cast<std::uint32_t>(names.size());
    const auto set = [](double depth, double distance, std::vector<double>& a, std::vector<double>& b) {
      const double sixth = std::pow(distance, 6);
      a.push_back(depth * sixth * sixth);
      b.push_back(2 * depth * sixth);
    };
    for (const std::string& one : names) {
      for (const std::string& other : names) {
        const CharmmRadius& x = parameters_.radii.at(one);
        const CharmmRadius& y = parameters_.radii.at(other);
        CharmmPair pair{std::sqrt(x.depth * y.depth), x.half + y.half, std::sqrt(x.depth14 * y.depth14),
                        x.half14 + y.half14};
        const auto own = parameters_.pairs.find(charmm_key(Types<2>{one, other}));
        if (own != parameters_.pairs.end()) pair = own->second;
        set(pair.depth, pair.distance, out_.lj_a, out_.lj_b);
        set(pair.depth14, pair.distance14, out_.lj14_a, out_.lj14_b);
      }
    }
  }

  void exclusions() {
    const auto atoms = static_cast<std::uint32_t>(types_.size());
    const BondTable bonds = neighbours(atoms, terms_.bonds);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> full, fourth;
    const auto each = [&](std::uint32_t i, const auto& use) {
      for (std::uint32_t k = bonds.offsets[i]; k < bonds.offsets[i + 1]; ++k) use(bonds.items[k]);
    };
    for (std::uint32_t i = 0; i < atoms; ++i) {
      constexpr std::uint32_t most = 32;  // or the pairs of a made-up file would fill the memory
      if (bonds.offsets[i + 1] - bonds.offsets[i] > most) {
        throw Error("atom " + std::to_string(i + 1) + " has more than " + std::to_string(most) + " bonds",
                    Error::Kind::input);
      }
      each(i, [&](std::uint32_t j) {
        if (i < j) full.emplace_back(i, j);
        each(j, [&](std::uint32_t k) {
          if (i < k) full.emplace_back(i, k);
          if (k == i) return;
          each(k, [&](std::uint32_t l) {
            if (i < l) fourth.emplace_back(i, l);
          });
        });
      });
    }
    for (const auto& [a, b] : terms_.excluded) full.emplace_back(a, b);
    const auto unique = [](auto& pairs) {
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    };
    unique(full);
    unique(fourth);
    const double factor = parameters_.one_four.value_or(1);
    // A pair in a ring counts by its shortest path.
    for (const auto& [a, b] : fourth) {
      if (!std::binary_search(full.begin(), full.end(), std::pair(a, b))) out_.pairs14.push_back({a, b, factor, 1});
    }
    full.insert(full.end(), fourth.begin(), fourth.end());
    unique(full);
    out_.exclusion_offsets.assign(std::size_t{atoms} + 1, 0);
    for (const auto& [a, b] : full) {
      ++out_.exclusion_offsets[a + 1];
      out_.excluded.push_back(b);
    }
    for (std::size_t a = 0; a < atoms; ++a) out_.exclusion_offsets[a + 1] += out_.exclusion_offsets[a];
  }

  const CharmmTerms& terms_;
  const CharmmParameters& parameters_;
  std::vector<std::string> types_;
  Missing missing_;
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
