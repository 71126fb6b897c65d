// Residue names of the field and their kinds of molecules.
#include "molecule/residue_kinds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <unordered_map>

#include "molecule/elements.h"

namespace isolume {

namespace {

struct Names {
  ResidueKind kind;
  std::string_view list;  // separated by blanks
};

// PDB's Chemical Component Dictionary, and the names of CHARMM, AMBER, GROMOS and OPLS for the same residues.
constexpr Names known[] = {
    {ResidueKind::protein,
     "ALA ARG ASN ASP ASX CYS GLN GLU GLX GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL UNK SEC PYL MSE CSE "
     "HID HIE HIP HSD HSE HSP HISA HISB HISH HISD HISE HISP HIS1 HIS2 HSPM CYX CYM CYS1 CYS2 CYSH CYSG ASH ASPH ASPP "
     "GLH GLUH GLUP LYN LYSH LSN ARGN "
     "TYM TYRM SEP TPO PTR S1P T1P Y1P SP1 SP2 HYP CME CSO CSD CSX KCX MLY MLZ M3L ALY CGU PCA OCS CAS SMC FME DAL DAR "
     "DAS "
     "DCY DGL DGN DHI DIL DLE DLY DPN DPR DSG DSN DTH DTR DTY DVA MED AIB ABA NLE NVA ORN SAR TRQ LLP CSS HIC "
     "ACE NME NMA NAC NH2 FOR NHE ALAD GLYP"},
    {ResidueKind::protein,
     // AMBER: N- and C-terminal residues carry a prefix.
     "NALA NARG NASN NASP NCYS NCYX NGLN NGLU NGLY NHID NHIE NHIP NHIS NILE NLEU NLYS NMET NPHE NPRO NSER NTHR NTRP "
     "NTYR "
     "NVAL CALA CARG CASN CASP CCYS CCYX CGLN CGLU CGLY CHID CHIE CHIP CHIS CILE CLEU CLYS CMET CPHE CPRO CSER CTHR "
     "CTRP "
     "CTYR CVAL"},
    {ResidueKind::nucleic,
     "A C G U I N T DA DC DG DT DU DI DN RA RC RG RU ADE CYT GUA URA THY A5 A3 C5 C3 G5 G3 U5 U3 AN CN GN UN "
     "DA5 DA3 DC5 DC3 DG5 DG3 DT5 DT3 DAN DCN DGN5 DTN RA5 RA3 RC5 RC3 RG5 RG3 RU5 RU3 RAN RCN RGN RUN "
     "PSU 5MC 5MU 1MA 2MG M2G 7MG OMC OMG H2U YYG YG 4SU 5BU 6MZ A2M CBV GTP5 8OG"},
    {ResidueKind::water,
     "HOH DOD WAT SOL H2O TIP TIP2 TIP3 TIP4 TIP5 TIP3P TIP4P TIP5P T3P T4P T5P TP3 TP4 TP5 TP3M HO4 HO5 SPC SPCE "
     "SPC/E OPC "
     "OPC3 "
     "HHO OHH OH2 TIP4EW TP4E SWM4 WATER PW W WF WN"},
    {ResidueKind::ion,
     "NA NA+ NA1 SOD K K+ POT LI LI+ LIT RB RB+ RUB CS CS+ CES CA CA2+ CA2 CAL C0 MG MG2 MG2+ ZN ZN2 ZN2+ FE FE2 FE3 "
     "MN MN2 MN3 "
     "CU CU1 CU2 CO 3CO NI 3NI CD CD2 HG SR BA BAR AL AG AU PT PB PB2 TL YB YB3 SM EU EU3 GD GD3 TB LU LA CE HO HO3 Y1 "
     "YT3 IR3 OS RU "
     "CL CL- CLA BR BR- BRO IOD I- IM F F- FLU CIO CIM CIP CID CIB IB MG+ CL1"},
    {ResidueKind::lipid,
     "POPC POPE POPS POPG POPA POPI PLPC DOPC DOPE DOPS DOPG DOPA DPPC DPPE DPPS DPPG DPPA DMPC DMPE DMPS DMPG DMPA "
     "DLPC DLPE "
     "DLPS DLPG DSPC DSPE DSPG DUPC DIPC DYPC DAPC DPC SDPC SAPC SAPI SLPC SOPC SOPE DEPC PAPC PEPC CHOL CHL1 CHL CLR "
     "CLOL ERG "
     "PSM SSM DPSM DPCE CER CER1 CDL TOCL TLCL CARD PIP PIP2 SAPI24 PALM OLEO STE OLE PLM OLA MYR PA PC PE PS PGR OL "
     "LAL AR DHA SPM MYS"},
    {ResidueKind::sugar,
     "GLC BGC NAG NDG MAN BMA GAL GLA FUC FUL FUB SIA SLB XYS XYP NGA A2G GUP GCU IDR SUC LAT MAL TRE FRU RIB ARA RAM "
     "NBG BOG "
     "AGLC BGLC AGAL BGAL AMAN BMAN AFUC BFUC AGLCNA BGLCNA BGLCN0 AGALNA BGALNA ANE5AC ANE5 BNE5 BGLN AGLN "
     "0GA 0GB 4GA 4GB 0YB 4YB 0MA 0MB VMB 2MA 0LA 0LB 0FA 0SA UYB WYB"},
};

using Table = std::unordered_map<std::string_view, ResidueKind>;

const Table& table() {
  static const Table all = [] {
    Table result;
    for (const Names& names : known) {
      std::string_view rest = names.list;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (end > 0) result.try_emplace(rest.substr(0, end), names.kind);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    return result;
  }();
  return all;
}

// Of metals, alkali metals and halogens: what is alone as an ion.
bool ionic_element(int z) {
  if (z == 9 || z == 17 || z == 35 || z == 53) return true;
  return z == 3 || z == 4 || (z >= 11 && z <= 13) || (z >= 19 && z <= 31) || (z >= 37 && z <= 50) ||
         (z >= 55 && z <= 83) || (z >= 87 && z < element_count);
}

}  // namespace

ResidueKind residue_kind(std::string_view residue_name) {
  const Table& names = table();
  if (const auto found = names.find(residue_name); found != names.end()) return found->second;
  std::array<char, 8> upper;
  if (residue_name.size() > upper.size()) return ResidueKind::other;
  std::transform(residue_name.begin(), residue_name.end(), upper.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  const auto found = names.find(std::string_view(upper.data(), residue_name.size()));
  return found == names.end() ? ResidueKind::other : found->second;
}

ResidueKind residue_kind(const Topology& topology, std::size_t residue) {
  const Residue& r = topology.residues[residue];
  if (r.atom_count == 1) {
    // A single atom is an ion or a water's oxygen whatever its name says: "U", "W" and "I" are ambiguous.
    const int z = topology.atoms[r.first_atom].element;
    if (ionic_element(z)) return ResidueKind::ion;
  }
  const ResidueKind kind = residue_kind(r.name);
  if (kind != ResidueKind::other && !(kind == ResidueKind::ion && r.atom_count > 1)) return kind;
  bool n = false, ca = false, c = false, o = false, p = false, o5 = false, c3 = false;
  for (std::uint32_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i) {
    const Name name = topology.atoms[i].name;
    if (name == "N")
      n = true;
    else if (name == "CA")
      ca = true;
    else if (name == "C")
      c = true;
    else if (name == "O" || name == "OT1" || name == "O1" || name == "OC1")
      o = true;
    else if (name == "P")
      p = true;
    else if (name == "O5'" || name == "O5*")
      o5 = true;
    else if (name == "C3'" || name == "C3*")
      c3 = true;
  }
  if (n && ca && c && o) return ResidueKind::protein;
  if (p && o5 && c3) return ResidueKind::nucleic;
  return ResidueKind::other;
}

}  // namespace isolume
