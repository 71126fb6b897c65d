// Flags and attributes of atoms, as the words of the selection language mean them.
#include "molecule/selection/selection_context.h"

#include <algorithm>
#include <array>
#include <limits>

#include "molecule/bonds.h"
#include "molecule/elements.h"

namespace isolume {

namespace {

template <std::size_t size>
bool among(std::string_view name, const std::array<std::string_view, size>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// VMD's classes of amino acids, with the names that force fields give to protonation states.
constexpr std::array<std::string_view, 5> acidic{"ASP", "GLU", "ASPP", "CASP", "CGLU"};
constexpr std::array<std::string_view, 5> basic{"ARG", "HIS", "LYS", "HSP", "HIP"};
constexpr std::array<std::string_view, 10> aromatic{"HIS", "PHE", "TRP", "TYR", "HID",
                                                    "HIE", "HIP", "HSD", "HSE", "HSP"};
constexpr std::array<std::string_view, 5> aliphatic{"ALA", "GLY", "ILE", "LEU", "VAL"};
constexpr std::array<std::string_view, 9> hydrophobic{"ALA", "LEU", "VAL", "ILE", "PRO", "PHE", "MET", "TRP", "MSE"};
constexpr std::array<std::string_view, 14> purine{"A",   "G",   "DA",  "DG", "ADE", "GUA", "DA5",
                                                  "DA3", "DG5", "DG3", "RA", "RG",  "I",   "DI"};
constexpr std::array<std::string_view, 15> pyrimidine{"C",   "U",   "T",   "DC",  "DT",  "DU", "CYT", "THY",
                                                      "URA", "DC5", "DC3", "DT5", "DT3", "RC", "RU"};
constexpr std::array<std::string_view, 11> protein_backbone{"N",   "CA",  "C",   "O",  "OXT", "OT1",
                                                            "OT2", "OC1", "OC2", "O1", "O2"};
constexpr std::array<std::string_view, 14> protein_backbone_hydrogens{"H",  "HN", "HA",  "HA1", "HA2", "HA3", "H1",
                                                                      "H2", "H3", "HT1", "HT2", "HT3", "HXT", "D"};
constexpr std::array<std::string_view, 19> nucleic_backbone{"P",   "OP1", "OP2", "OP3", "O1P", "O2P", "O3P",
                                                            "O5'", "C5'", "C4'", "C3'", "O3'", "O5*", "C5*",
                                                            "C4*", "C3*", "O3*", "O5T", "O3T"};

bool backbone(ResidueKind kind, const std::string& name) {
  if (kind == ResidueKind::protein) return among(name, protein_backbone);
  return kind == ResidueKind::nucleic && among(name, nucleic_backbone);
}

bool metal(int z) {
  return z == 3 || z == 4 || (z >= 11 && z <= 13) || (z >= 19 && z <= 31) || (z >= 37 && z <= 50) ||
         (z >= 55 && z <= 84) || z >= 87;
}

char structure_letter(SecondaryStructure s) {
  switch (s) {
    case SecondaryStructure::helix:
      return 'H';
    case SecondaryStructure::helix_3_10:
      return 'G';
    case SecondaryStructure::helix_pi:
      return 'I';
    case SecondaryStructure::strand:
      return 'E';
    case SecondaryStructure::turn:
      return 'T';
    case SecondaryStructure::coil:
      break;
  }
  return 'C';
}

}  // namespace

const BondTable& SelectionContext::bonds() {
  if (!bonds_) bonds_ = bond_table(topology);
  return *bonds_;
}

const std::vector<std::uint32_t>& SelectionContext::fragment_numbers() {
  if (!fragments_) fragments_ = fragments(topology);
  return *fragments_;
}

const std::vector<ResidueKind>& SelectionContext::kinds() {
  if (!kinds_) {
    kinds_.emplace(topology.residues.size());
    for (std::size_t r = 0; r < kinds_->size(); ++r) (*kinds_)[r] = residue_kind(topology, r);
  }
  return *kinds_;
}

std::vector<std::uint8_t> SelectionContext::flagged(Flag flag) {
  std::vector<std::uint8_t> result(size(), flag == Flag::all ? 1 : 0);
  if (flag == Flag::all || flag == Flag::none) return result;
  if (flag == Flag::bonded) {
    for (const Bond& bond : topology.bonds) result[bond.a] = result[bond.b] = 1;
    return result;
  }
  kinds();
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const std::size_t first = topology.residues[r].first_atom;
    const std::size_t end = first + topology.residues[r].atom_count;
    bool carbon = false;
    for (std::size_t i = first; i < end; ++i) carbon = carbon || topology.atoms[i].element == 6;
    for (std::size_t i = first; i < end; ++i) result[i] = holds(flag, r, topology.atoms[i], carbon) ? 1 : 0;
  }
  return result;
}

bool SelectionContext::holds(Flag flag, std::size_t residue, const Atom& atom, bool carbon) const {
  const ResidueKind kind = (*kinds_)[residue];
  const std::string& residue_name = topology.residues[residue].name;
  const SecondaryStructure structure = topology.residues[residue].structure;
  const bool protein = kind == ResidueKind::protein;
  const bool polymer = protein || kind == ResidueKind::nucleic;
  switch (flag) {
    case Flag::all:
    case Flag::bonded:
      return true;
    case Flag::none:
      return false;
    case Flag::protein:
      return protein;
    case Flag::nucleic:
      return kind == ResidueKind::nucleic;
    case Flag::polymer:
      return polymer;
    case Flag::water:
      return kind == ResidueKind::water;
    case Flag::ion:
      return kind == ResidueKind::ion;
    case Flag::inorganic:
      return !polymer && kind != ResidueKind::water && !carbon;
    case Flag::metal:
      return metal(atom.element);
    case Flag::backbone:
      return backbone(kind, atom.name);
    case Flag::sidechain:
      return polymer && !backbone(kind, atom.name) &&
             !(protein && atom.element == 1 && among(atom.name, protein_backbone_hydrogens));
    case Flag::alpha:
      return protein && atom.name == "CA" && atom.element != 20;
    case Flag::guide:
      return (protein && atom.name == "CA" && atom.element != 20) ||
             (kind == ResidueKind::nucleic && (atom.name == "C4'" || atom.name == "C4*"));
    case Flag::hydrogen:
      return atom.element == 1;
    case Flag::heavy:
      return atom.element != 1;
    case Flag::hetero:
      return atom.hetero;
    case Flag::ligand:
      return !polymer && kind != ResidueKind::water && kind != ResidueKind::ion && kind != ResidueKind::lipid && carbon;
    case Flag::lipid:
      return kind == ResidueKind::lipid;
    case Flag::sugar:
      return kind == ResidueKind::sugar;
    case Flag::helix:
      return structure == SecondaryStructure::helix || structure == SecondaryStructure::helix_3_10 ||
             structure == SecondaryStructure::helix_pi;
    case Flag::alpha_helix:
      return structure == SecondaryStructure::helix;
    case Flag::helix_3_10:
      return structure == SecondaryStructure::helix_3_10;
    case Flag::helix_pi:
      return structure == SecondaryStructure::helix_pi;
    case Flag::sheet:
      return structure == SecondaryStructure::strand;
    case Flag::turn:
      return structure == SecondaryStructure::turn;
    case Flag::coil:
      return protein && structure == SecondaryStructure::coil;
    case Flag::acidic:
      return among(residue_name, acidic);
    case Flag::basic:
      return among(residue_name, basic);
    case Flag::polar:
      return protein && !among(residue_name, hydrophobic);
    case Flag::hydrophobic:
      return among(residue_name, hydrophobic);
    case Flag::aromatic:
      return among(residue_name, aromatic);
    case Flag::aliphatic:
      return among(residue_name, aliphatic);
    case Flag::charged:
      return among(residue_name, acidic) || among(residue_name, basic);
    case Flag::purine:
      return among(residue_name, purine);
    case Flag::pyrimidine:
      return among(residue_name, pyrimidine);
  }
  return false;
}

std::string_view SelectionContext::text(Attribute attribute, std::size_t atom, std::string& storage) const {
  const Atom& a = topology.atoms[atom];
  const auto letter = [&](char c) -> std::string_view {
    storage.assign(c == ' ' ? 0 : 1, c);
    return storage;
  };
  switch (attribute) {
    case Attribute::chain:
      return topology.chain_of(atom).id;
    case Attribute::segname:
      return topology.chain_of(atom).segment;
    case Attribute::resname:
      return topology.residue_of(atom).name;
    case Attribute::name:
      return a.name;
    case Attribute::type:
      return a.type;
    case Attribute::element:
      return element(a.element).symbol;
    case Attribute::altloc:
      return letter(a.altloc);
    case Attribute::insertion:
      return letter(topology.residue_of(atom).insertion);
    case Attribute::structure:
    case Attribute::ss:
      return letter(structure_letter(topology.residue_of(atom).structure));
    default:
      return {};
  }
}

namespace {

/// Of an atom's vector; NaN, which no comparison holds for, where the frame has none.
double length_of(const std::vector<glm::vec3>& vectors, std::size_t atom) {
  return atom < vectors.size() ? glm::length(glm::dvec3(vectors[atom])) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double SelectionContext::number(Attribute attribute, std::size_t atom) {
  const Atom& a = topology.atoms[atom];
  switch (attribute) {
    case Attribute::resid:
      return topology.residue_of(atom).number;
    case Attribute::residue:
      return a.residue;
    case Attribute::index:
      return static_cast<double>(atom);
    case Attribute::serial:
      return a.serial;
    case Attribute::fragment:
      return fragment_numbers()[atom];
    case Attribute::atomic_number:
      return a.element;
    case Attribute::bond_count:
      return bonds().offsets[atom + 1] - bonds().offsets[atom];
    case Attribute::formal_charge:
      return a.formal_charge;
    case Attribute::x:
      return static_cast<double>(frame.positions[atom].x);
    case Attribute::y:
      return static_cast<double>(frame.positions[atom].y);
    case Attribute::z:
      return static_cast<double>(frame.positions[atom].z);
    case Attribute::speed:
      return length_of(frame.velocities, atom);
    case Attribute::force:
      return length_of(frame.forces, atom);
    case Attribute::charge:
      return static_cast<double>(a.charge);
    case Attribute::mass:
      return static_cast<double>(a.mass);
    case Attribute::radius:
      return static_cast<double>(a.radius);
    case Attribute::beta:
      return static_cast<double>(a.b_factor);
    case Attribute::occupancy:
      return static_cast<double>(a.occupancy);
    default:
      return 0;
  }
}

}  // namespace isolume
