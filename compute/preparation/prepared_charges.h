// Hydrogens, charges and radii for a structure that has none, from the built-in tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/preparation/residue_tables.h"
#include "compute/preparation/side_chains.h"
#include "molecule/molecule.h"

namespace isolume {

/// Where radii come from: the charge set's own table, Bondi's, or Bondi's with the hydrogens of AMBER's mbondi (1.3 on
/// nitrogen and carbon, 0.8 on oxygen and sulphur) or mbondi2 (1.3 on nitrogen, else 1.2).
enum class RadiusSet : unsigned char { own, bondi, mbondi, mbondi2 };

/// The state of one residue as the user wants it.
struct ProtonationChoice {
  std::string chain;
  std::int32_t number = 0;
  char insertion = ' ';
  std::string state;  ///< HID HIE HIP ASP ASH GLU GLH LYS LYN CYS CYM CYX TYR TYM ARG ARN
  std::string why = "protonation file";
};

struct ChargeOptions {
  ChargeSet set = ChargeSet::ff14sb;
  RadiusSet radii = RadiusSet::own;
  double ph = 7;
  std::vector<ProtonationChoice> protonation;
  std::size_t frame = 0;
  bool neutral_ends = false;    ///< NH2 and COOH at the ends of proteins
  bool estimate_all = false;    ///< Gasteiger-Marsili charges for all but waters and ions, whatever the tables have
  bool build_missing = false;   ///< side chains get the heavy atoms that they lack, see build_side_chains()
  bool keep_uncharged = false;  ///< residues without charges stay, with charges of 0: for pictures
};

/// Something that could not be done as one would expect: for a list whose entries point at atoms.
struct ChargeIssue {
  enum class Kind : unsigned char { left_out, incomplete, built, estimated, chosen };
  Kind kind = Kind::left_out;
  std::vector<std::uint32_t> atoms;  ///< of the structure that was prepared
  std::string place;                 ///< "ARG 12 A"
  std::string text;                  ///< "lacks NH1, NH2"
  std::string remedy;                ///< what the user can do, empty where nothing needs to be done
};

/// A residue of the result.
struct PreparedResidue {
  std::uint32_t residue = 0;  ///< index in the structure that was prepared
  std::string state;          ///< name in the tables, "NTHR", "HIE"; empty where charges are the file's or estimated
  std::string why;            ///< what decided a state that could be another: "hydrogen bonds", "pH", ...
  double charge = 0;          ///< e
};

struct PreparedStructure {
  Molecule molecule;                 ///< one frame; heavy atoms as in the file, then each residue's hydrogens
  std::vector<std::int64_t> source;  ///< for each atom the one of the structure that was prepared, -1 for a built one
  std::vector<PreparedResidue> residues;  ///< one per residue of `molecule`
  std::vector<ChargeIssue> issues;
  std::vector<BuiltSideChain> side_chains;  ///< with build_missing; residues as in the structure that was prepared
  std::size_t added_hydrogens = 0;
  std::size_t kept_hydrogens = 0;
  double charge = 0;  ///< e
};

/// Assigns charges and radii to proteins, nucleic acids, their caps, waters, common ions and (CHARMM36) haem, and
/// builds the hydrogens that are missing; heavy atoms are never moved, and none is built but the last oxygen of a
/// protein chain and, where build_missing says so, side chains. A residue's state is, in this order, the one of
/// `protonation`, of the file's name (HIE, ASH), of the file's hydrogens, of disulphide bridges and metals, and for
/// histidine of its hydrogen bonds, for the others of model pKa values (ASP 3.8, GLU 4.5, HIS 6.5, CYS 9.0, TYR 10.0,
/// LYS 10.5, ARG 12.5). Ends of chains are charged (but see neutral_ends; a phosphate at 5' stays), but not the edges
/// of a gap in the numbering. A residue that the set lacks takes the charges of another set. Other residues keep
/// charges of the file; else they get hydrogens (see perceive_ligand()) and Gasteiger-Marsili charges; what remains is
/// named and left out, or kept without charges. Of alternate locations the one with the highest occupancy is used.
/// Hydrogens that can turn take the place of least electrostatic energy. Throws Error (usage) where there are no
/// positions or a choice names no residue, Error (input) where nothing could be assigned.
PreparedStructure prepare_charges(const Molecule& molecule, const ChargeOptions& options = {});

/// Chains and residues of the result whose charge is farther than 0.01 e from an integer, without the residues whose
/// table says so (ends of nucleic acids): "chain A: 0.37".
std::vector<std::string> odd_charges(const PreparedStructure& prepared);

/// "ARG 12 A", with the insertion code where there is one.
std::string residue_place(const Topology& topology, std::size_t residue);

}  // namespace isolume
