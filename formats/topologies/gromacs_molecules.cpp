// Waters and ions of the force fields that GROMACS brings along.
#include "formats/topologies/gromacs_molecules.h"

#include <algorithm>

#include "formats/bytes/text.h"

namespace isolume {

namespace {

/// Charges of rigid waters with three or four places: Jorgensen et al. 1983 (doi:10.1063/1.445869) for TIP3P and TIP4P,
/// Berendsen et al. 1981 and 1987 (doi:10.1021/j100308a038) for SPC and SPC/E, Horn et al. 2004
/// (doi:10.1063/1.1683075) for TIP4P-Ew, Abascal and Vega 2005 (doi:10.1063/1.2121687) for TIP4P/2005, Izadi et al.
/// 2014 (doi:10.1021/jz501780a) for OPC, Izadi and Onufriev 2016 (doi:10.1063/1.4960175) for OPC3.
struct Water {
  const char* file;
  double hydrogen;
  bool fourth;  ///< the negative charge is on a place of its own
};

constexpr Water waters[] = {{"tip3p.itp", 0.417, false},    {"tips3p.itp", 0.417, false},    {"spc.itp", 0.41, false},
                            {"spce.itp", 0.4238, false},    {"opc3.itp", 0.447585, false},   {"tip4p.itp", 0.52, true},
                            {"tip4pew.itp", 0.52422, true}, {"tip4p2005.itp", 0.5564, true}, {"opc.itp", 0.6791, true}};

struct Ion {
  const char* symbol;
  std::uint8_t element;
  int charge;
  double mass;
};

constexpr Ion ions[] = {{"LI", 3, 1, 6.941},   {"NA", 11, 1, 22.99},   {"K", 19, 1, 39.1},    {"RB", 37, 1, 85.47},
                        {"CS", 55, 1, 132.91}, {"MG", 12, 2, 24.305},  {"CA", 20, 2, 40.08},  {"BA", 56, 2, 137.33},
                        {"ZN", 30, 2, 65.4},   {"F", 9, -1, 18.998},   {"CL", 17, -1, 35.45}, {"BR", 35, -1, 79.9},
                        {"I", 53, -1, 126.9},  {"SOD", 11, 1, 22.99},  {"POT", 19, 1, 39.1},  {"CES", 55, 1, 132.91},
                        {"CAL", 20, 2, 40.08}, {"CLA", 17, -1, 35.45}, {"LIT", 3, 1, 6.941},  {"IB", 53, -1, 126.9}};

const Water* water_of(std::string_view file) {
  const auto found = std::find_if(std::begin(waters), std::end(waters), [&](const Water& w) { return file == w.file; });
  return found == std::end(waters) ? nullptr : &*found;
}

GromacsAtom atom(const char* name, const char* residue, double charge, double mass, std::uint8_t element) {
  GromacsAtom made;
  made.name = made.type = name;
  made.residue = residue;
  made.residue_number = 1;
  made.charge = charge;
  made.mass = mass;
  made.element = element;
  return made;
}

}  // namespace

bool is_known_water_file(std::string_view file) {
  return water_of(file) != nullptr;
}

std::optional<GromacsMolecule> usual_gromacs_molecule(std::string_view name, std::string_view water_file) {
  GromacsMolecule molecule;
  molecule.name = name;
  if (name == "SOL" || name == "HOH" || name == "WAT") {
    const Water* water = water_of(water_file);
    if (!water) return std::nullopt;
    molecule.atoms = {atom("OW", "SOL", water->fourth ? 0 : -2 * water->hydrogen, 15.9994, 8),
                      atom("HW1", "SOL", water->hydrogen, 1.008, 1), atom("HW2", "SOL", water->hydrogen, 1.008, 1)};
    if (water->fourth) molecule.atoms.push_back(atom("MW", "SOL", -2 * water->hydrogen, 0, 0));
    molecule.bonds = {{0, 1}, {0, 2}};
    return molecule;
  }
  std::string symbol = upper(name);
  while (!symbol.empty() &&
         (symbol.back() == '+' || symbol.back() == '-' || (symbol.back() >= '0' && symbol.back() <= '9')))
    symbol.pop_back();
  const auto ion = std::find_if(std::begin(ions), std::end(ions), [&](const Ion& i) { return symbol == i.symbol; });
  if (ion == std::end(ions)) return std::nullopt;
  molecule.atoms = {atom(ion->symbol, ion->symbol, ion->charge, ion->mass, ion->element)};
  return molecule;
}

}  // namespace isolume
