// The force field of an AMBER topology file.
#include "formats/topologies/prmtop_force_field.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr std::int64_t any = std::int64_t{1} << 40;

/// Reads one file: keeps the two arguments that everything needs.
struct Reader {
  const PrmtopSections& sections;
  const PrmtopPointers& n;
  ForceField out;

  /// An atom as the term lists of AMBER name it: three times its index.
  std::uint32_t atom(const std::string& name, std::int64_t coordinate) const {
    const auto index = std::abs(coordinate);
    if (index % 3 != 0 || index / 3 >= static_cast<std::int64_t>(n.atoms)) {
      sections.fail(name, "expected three times an atom's index from 0 to " + std::to_string(n.atoms - 1) + ", found " +
                              std::to_string(coordinate));
    }
    return static_cast<std::uint32_t>(index / 3);
  }

  /// An atom counted from 1, as CHAMBER's lists name it.
  std::uint32_t atom_from_one(const std::string& name, std::int64_t number) const {
    if (number < 1 || number > static_cast<std::int64_t>(n.atoms)) {
      sections.fail(name,
                    "expected an atom from 1 to " + std::to_string(n.atoms) + ", found " + std::to_string(number));
    }
    return static_cast<std::uint32_t>(number - 1);
  }

  /// A type of a term, counted from 1.
  std::size_t type(const std::string& name, std::int64_t number, std::size_t count) const {
    if (number < 1 || number > static_cast<std::int64_t>(count)) {
      sections.fail(name, "expected a type from 1 to " + std::to_string(count) + ", found " + std::to_string(number));
    }
    return static_cast<std::size_t>(number - 1);
  }

  /// Calls take(name, row) for every row of `width` integers of the two lists of a kind.
  template <class Take>
  void rows(const std::string& kind, std::size_t with, std::size_t without, std::size_t width, Take take) const {
    for (const auto& [name, count] :
         {std::pair(kind + "_INC_HYDROGEN", with), std::pair(kind + "_WITHOUT_HYDROGEN", without)}) {
      if (count == 0) continue;
      const auto values = sections.integers(name, count * width, -any, any);
      for (std::size_t i = 0; i < count; ++i) take(name, values.data() + i * width);
    }
  }

  void atoms();
  void lennard_jones();
  void bonds_and_angles();
  void dihedrals();
  void exclusions();
  void chamber();
  void corrections();
};

void Reader::atoms() {
  out.source = sections.has("CTITLE") ? "CHAMBER (CHARMM's force field in AMBER's form)" : "AMBER";
  // CHAMBER multiplies CHARMM's charges by the root of CHARMM's own constant.
  const double unit = sections.has("CTITLE") ? chamber_charge_unit : amber_charge_unit;
  out.coulomb_constant = unit * unit;
  out.charges = sections.reals("CHARGE", n.atoms);
  for (double& charge : out.charges) charge /= unit;
  out.masses = sections.reals("MASS", n.atoms);
  if (n.types == 0) return;
  const auto types = sections.integers("ATOM_TYPE_INDEX", n.atoms, 1, static_cast<std::int64_t>(n.types));
  for (const std::int64_t type : types) out.types.push_back(static_cast<std::uint32_t>(type - 1));
  out.type_count = static_cast<std::uint32_t>(n.types);
}

void Reader::lennard_jones() {
  const std::size_t pairs = n.types * (n.types + 1) / 2;
  const auto a = sections.reals("LENNARD_JONES_ACOEF", pairs);
  const auto b = sections.reals("LENNARD_JONES_BCOEF", pairs);
  const auto index = sections.integers("NONBONDED_PARM_INDEX", n.types * n.types, -any, any);
  const bool has_14 = sections.has("LENNARD_JONES_14_ACOEF");
  const auto a14 = has_14 ? sections.reals("LENNARD_JONES_14_ACOEF", pairs) : std::vector<double>();
  const auto b14 = has_14 ? sections.reals("LENNARD_JONES_14_BCOEF", pairs) : std::vector<double>();
  bool hydrogen_bonds = false;
  for (const std::int64_t number : index) {
    // A negative number names a 10-12 term of the force fields before 1995.
    if (number <= 0) hydrogen_bonds = true;
    const bool has = number > 0;
    const std::size_t at = has ? type("NONBONDED_PARM_INDEX", number, pairs) : 0;
    out.lj_a.push_back(has ? a[at] : 0);
    out.lj_b.push_back(has ? b[at] : 0);
    if (has_14) {
      out.lj14_a.push_back(has ? a14[at] : 0);
      out.lj14_b.push_back(has ? b14[at] : 0);
    }
  }
  for (std::size_t i = 0; i < n.types; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (out.lj_a[i * n.types + j] != out.lj_a[j * n.types + i]) {
        sections.fail("NONBONDED_PARM_INDEX", "types " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
                                                  " do not act on each other alike");
      }
    }
  }
  if (!hydrogen_bonds || n.hydrogen_bonds == 0) return;
  const auto terms = sections.reals("HBOND_ACOEF", n.hydrogen_bonds);
  if (std::any_of(terms.begin(), terms.end(), [](double value) { return value != 0; })) {
    out.notes.push_back("The 10-12 hydrogen-bond terms of this force field are left out.");
  }
}

void Reader::bonds_and_angles() {
  const auto force = sections.reals("BOND_FORCE_CONSTANT", n.bond_types);
  const auto length = sections.reals("BOND_EQUIL_VALUE", n.bond_types);
  rows("BONDS", n.bonds_with, n.bonds_without, 3, [&](const std::string& name, const std::int64_t* row) {
    const std::size_t t = type(name, row[2], n.bond_types);
    out.bonds.push_back({{atom(name, row[0]), atom(name, row[1])}, force[t], length[t]});
    if (row[0] == row[1]) sections.fail(name, "a bond of an atom with itself");
  });
  const auto stiffness = sections.reals("ANGLE_FORCE_CONSTANT", n.angle_types);
  const auto angle = sections.reals("ANGLE_EQUIL_VALUE", n.angle_types);
  rows("ANGLES", n.angles_with, n.angles_without, 4, [&](const std::string& name, const std::int64_t* row) {
    const std::size_t t = type(name, row[3], n.angle_types);
    out.angles.push_back({{atom(name, row[0]), atom(name, row[1]), atom(name, row[2])}, stiffness[t], angle[t]});
  });
}

void Reader::dihedrals() {
  const std::size_t types = n.dihedral_types;
  const auto force = sections.reals("DIHEDRAL_FORCE_CONSTANT", types);
  const auto periodicity = sections.reals("DIHEDRAL_PERIODICITY", types);
  const auto phase = sections.reals("DIHEDRAL_PHASE", types);
  // Files before AMBER 11 leave the factors out: 1.2 and 2.
  const auto divisor = [&](const char* name, double usual) {
    return sections.has(name) ? sections.reals(name, types) : std::vector<double>(types, usual);
  };
  const auto coulomb = divisor("SCEE_SCALE_FACTOR", 1.2);
  const auto lennard_jones = divisor("SCNB_SCALE_FACTOR", 2.0);
  const auto factor = [](double divisor) { return divisor == 0 ? 0 : 1 / divisor; };
  rows("DIHEDRALS", n.dihedrals_with, n.dihedrals_without, 5, [&](const std::string& name, const std::int64_t* row) {
    const std::size_t t = type(name, row[4], types);
    const double turns = std::abs(periodicity[t]);
    if (turns != std::round(turns) || turns > 100) sections.fail("DIHEDRAL_PERIODICITY", "expected a whole number");
    DihedralTerm term{{atom(name, row[0]), atom(name, row[1]), atom(name, row[2]), atom(name, row[3])},
                      force[t],
                      static_cast<int>(turns),
                      phase[t],
                      row[3] < 0};
    // The signs of the last two atoms: no 1-4 pair (a further term of the same atoms, or a ring), an improper.
    if (row[2] >= 0 && row[3] >= 0) {
      const auto [a, b] = std::minmax(term.atoms[0], term.atoms[3]);
      if (a == b) sections.fail(name, "a dihedral that ends at the atom where it begins");
      out.pairs14.push_back({a, b, factor(coulomb[t]), factor(lennard_jones[t])});
    }
    out.dihedrals.push_back(term);
  });
  const auto key = [](const Pair14& pair) { return std::pair(pair.a, pair.b); };
  std::stable_sort(out.pairs14.begin(), out.pairs14.end(),
                   [&](const Pair14& x, const Pair14& y) { return key(x) < key(y); });
  const auto same = [&](const Pair14& x, const Pair14& y) { return key(x) == key(y); };
  out.pairs14.erase(std::unique(out.pairs14.begin(), out.pairs14.end(), same), out.pairs14.end());
}

void Reader::exclusions() {
  const auto counts = sections.integers("NUMBER_EXCLUDED_ATOMS", n.atoms, 0, static_cast<std::int64_t>(n.exclusions));
  const auto list = sections.integers("EXCLUDED_ATOMS_LIST", n.exclusions, 0, static_cast<std::int64_t>(n.atoms));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::size_t at = 0;
  for (std::size_t a = 0; a < n.atoms; ++a) {
    const auto count = static_cast<std::size_t>(counts[a]);
    if (count > list.size() - at) {
      sections.fail("NUMBER_EXCLUDED_ATOMS", "the numbers add up to more than the " + std::to_string(n.exclusions) +
                                                 " entries of EXCLUDED_ATOMS_LIST");
    }
    for (std::size_t i = 0; i < count; ++i, ++at) {
      if (list[at] == 0) continue;  // stands for "none"
      const auto b = static_cast<std::uint32_t>(list[at] - 1);
      if (b == a) sections.fail("EXCLUDED_ATOMS_LIST", "atom " + std::to_string(a + 1) + " excludes itself");
      pairs.push_back(std::minmax(static_cast<std::uint32_t>(a), b));
    }
  }
  // A 1-4 pair is counted with its factors only.
  for (const Pair14& pair : out.pairs14) pairs.emplace_back(pair.a, pair.b);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  out.exclusion_offsets.assign(n.atoms + 1, 0);
  for (const auto& [a, b] : pairs) {
    ++out.exclusion_offsets[a + 1];
    out.excluded.push_back(b);
  }
  for (std::size_t a = 0; a < n.atoms; ++a) out.exclusion_offsets[a + 1] += out.exclusion_offsets[a];
}

void Reader::chamber() {
  if (sections.has("CHARMM_UREY_BRADLEY_COUNT")) {
    const auto counts = sections.integers("CHARMM_UREY_BRADLEY_COUNT", 2, 0, any);
    const auto types = static_cast<std::size_t>(counts[1]);
    const auto force = sections.reals("CHARMM_UREY_BRADLEY_FORCE_CONSTANT", types);
    const auto length = sections.reals("CHARMM_UREY_BRADLEY_EQUIL_VALUE", types);
    const std::string name = "CHARMM_UREY_BRADLEY";
    const auto rows = sections.integers(name, static_cast<std::size_t>(counts[0]) * 3, 1, any);
    for (std::size_t i = 0; i + 2 < rows.size(); i += 3) {
      const std::size_t t = type(name, rows[i + 2], types);
      out.urey_bradley.push_back(
          {{atom_from_one(name, rows[i]), atom_from_one(name, rows[i + 1])}, force[t], length[t]});
    }
  }
  if (sections.has("CHARMM_NUM_IMPROPERS")) {
    const auto count = static_cast<std::size_t>(sections.integers("CHARMM_NUM_IMPROPERS", 1, 0, any)[0]);
    const auto types = static_cast<std::size_t>(sections.integers("CHARMM_NUM_IMPR_TYPES", 1, 0, any)[0]);
    const auto force = sections.reals("CHARMM_IMPROPER_FORCE_CONSTANT", types);
    auto phase = sections.reals("CHARMM_IMPROPER_PHASE", types);
    for (double& angle : phase) {
      if (std::abs(angle) > 2 * units::pi) angle *= units::pi / 180;  // some writers leave degrees
    }
    const std::string name = "CHARMM_IMPROPERS";
    const auto rows = sections.integers(name, count * 5, 1, any);
    for (std::size_t i = 0; i + 4 < rows.size(); i += 5) {
      const std::size_t t = type(name, rows[i + 4], types);
      out.impropers.push_back({{atom_from_one(name, rows[i]), atom_from_one(name, rows[i + 1]),
                                atom_from_one(name, rows[i + 2]), atom_from_one(name, rows[i + 3])},
                               force[t],
                               phase[t]});
    }
  }
}

void Reader::corrections() {
  const std::string prefix = sections.has("CHARMM_CMAP_COUNT") ? "CHARMM_CMAP_" : "CMAP_";
  if (!sections.has(prefix + "COUNT")) return;
  const auto counts = sections.integers(prefix + "COUNT", 2, 0, 99'999'999);
  const auto maps = static_cast<std::size_t>(counts[1]);
  if (maps > 99) sections.fail(prefix + "COUNT", "expected at most 99 maps, found " + std::to_string(maps));
  for (const std::int64_t size : sections.integers(prefix + "RESOLUTION", maps, 1, 1000)) {
    const std::size_t number = out.maps.size() + 1;
    const std::string name = prefix + "PARAMETER_" + (number < 10 ? "0" : "") + std::to_string(number);
    out.maps.push_back({static_cast<int>(size), sections.reals(name, static_cast<std::size_t>(size * size))});
  }
  const std::string name = prefix + "INDEX";
  const auto rows = sections.integers(name, static_cast<std::size_t>(counts[0]) * 6, 1, any);
  for (std::size_t i = 0; i + 5 < rows.size(); i += 6) {
    CorrectionTerm term;
    for (std::size_t k = 0; k < 4; ++k) {
      term.atoms[k] = atom_from_one(name, rows[i + k]);
      term.atoms[k + 4] = atom_from_one(name, rows[i + k + 1]);
    }
    term.map = static_cast<std::uint32_t>(type(name, rows[i + 5], maps));
    out.corrections.push_back(term);
  }
}

}  // namespace

ForceField read_prmtop_force_field(const PrmtopSections& sections, const PrmtopPointers& pointers) {
  Reader reader{sections, pointers, {}};
  reader.atoms();
  if (pointers.types == 0) {
    reader.bonds_and_angles();
    reader.out.notes.push_back("The topology has no Lennard-Jones types (NTYPES 0), so no force field is made of it.");
    return std::move(reader.out);
  }
  reader.lennard_jones();
  reader.bonds_and_angles();
  reader.dihedrals();
  reader.exclusions();
  reader.chamber();
  reader.corrections();
  if (sections.has("LENNARD_JONES_CCOEF")) {
    reader.out.notes.push_back("The r^-4 terms of 12-6-4 Lennard-Jones potentials are left out.");
  }
  reader.out.validate();
  return std::move(reader.out);
}

}  // namespace isolume
