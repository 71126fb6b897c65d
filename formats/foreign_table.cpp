// The table of formats that are not read: one entry a format.
#include "formats/foreign_table.h"

#include "formats/energies/read_energies.h"

namespace isolume {
namespace {

/// True where the fields of a line are `count` numbers.
bool numbers(std::string_view line, std::size_t count) {
  const std::vector<std::string_view> fields = split(line);
  return fields.size() >= count && std::all_of(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(count),
                                               [](std::string_view field) { return parse_real(field).has_value(); });
}

/// Title, scale, three vectors, perhaps symbols, counts, perhaps "Selective
/// dynamics", "Direct" or "Cartesian".
bool is_vasp(const ForeignLook& look) {
  if (look.lines.size() < 8 || !numbers(look.lines[1], 1) || split(look.lines[1]).size() > 3) return false;
  for (std::size_t i = 2; i < 5; ++i) {
    if (!numbers(look.lines[i], 3) || split(look.lines[i]).size() != 3) return false;
  }
  std::size_t at = 5;
  if (!numbers(look.lines[at], 1)) ++at;  // symbols
  const std::vector<std::string_view> counts = split(look.lines[at++]);
  if (counts.empty()) return false;
  for (const std::string_view count : counts) {
    if (!parse_integer(count)) return false;
  }
  if (starts_with_nocase(trimmed(look.lines[at]), "S")) ++at;
  const std::string_view kind = at < look.lines.size() ? trimmed(look.lines[at]) : std::string_view();
  return starts_with_nocase(kind, "D") || starts_with_nocase(kind, "C") || starts_with_nocase(kind, "K");
}

/// A title, then coordinates in columns of 8 with three decimals.
bool is_amber_text(const ForeignLook& look) {
  if (look.lines.size() < 3) return false;
  for (std::size_t i = 1; i < 3; ++i) {
    const std::string_view line = look.lines[i];
    if (line.size() < 24 || line.size() > 81 || line[4] != '.' || line[12] != '.' || line[20] != '.') return false;
  }
  return true;
}

/// The number of atoms and a title, then "1 symbol x y z type ..."
bool is_tinker(const ForeignLook& look) {
  if (look.lines.size() < 2) return false;
  // A line with the cell may be between them.
  const bool cell = look.lines.size() > 2 && numbers(look.lines[1], 6);
  const std::vector<std::string_view> first = split(look.lines[0]), atom = split(look.lines[cell ? 2 : 1]);
  return !first.empty() && parse_integer(first[0]) && atom.size() >= 6 && atom[0] == "1" && !parse_real(atom[1]) &&
         parse_real(atom[2]) && parse_real(atom[3]) && parse_real(atom[4]) && parse_integer(atom[5]);
}

bool is_vasp_volume(const ForeignLook& look) {
  return is_vasp(look) &&
         (look.name.find("chg") != std::string::npos || look.name.find("locpot") != std::string::npos ||
          look.name.find("elfcar") != std::string::npos);
}

bool is_binary(const ForeignLook& look) {
  return looks_binary(look.source);
}

constexpr std::string_view hdf5 = "\x89HDF\r\n\x1a\n";

constexpr ForeignFormat table[] = {
    // Outputs of quantum chemistry programs
    {"an ORCA output", [](const ForeignLook& l) { return l.has("* O   R   C   A *"); },
     "It prints no basis in a readable form. Make a Molden file: orca_2mkl {} -molden, then open {}.molden.input."},
    {"a Psi4 output",
     [](const ForeignLook& l) {
       return l.has("Psi4: An Open-Source Ab Initio") || l.has("PSI4: An Open-Source Ab Initio");
     },
     "Add psi4.molden(wfn, \"{}.molden\") or psi4.fchk(wfn, \"{}.fchk\") to the input and open that."},
    {"a Q-Chem output", [](const ForeignLook& l) { return l.has("Welcome to Q-Chem") || l.has("Q-Chem, Inc."); },
     "GUI = 2 in $rem writes an fchk file, MOLDEN_FORMAT = TRUE a Molden section; open those."},
    {"an xtb output", [](const ForeignLook& l) { return l.has("x T B") && l.has("Grimme"); },
     "Run xtb with --molden and open molden.input; the last geometry is in xtbopt.xyz."},
    {"a CP2K output", [](const ForeignLook& l) { return l.has("CP2K| version") || l.has("DBCSR| "); },
     "&PRINT &MO_MOLDEN in &DFT writes a Molden file, &E_DENSITY_CUBE a cube; open those."},
    {"a Turbomole output",
     [](const ForeignLook& l) { return l.has("TURBOMOLE") && (l.has("TURBOMOLE V") || l.has("Karlsruhe")); },
     "Run tm2molden in the folder of the calculation and open the Molden file."},
    {"a file of Turbomole",
     [](const ForeignLook& l) {
       return !l.lines.empty() &&
              (trimmed(l.lines.front()).starts_with("$title") || trimmed(l.lines.front()).starts_with("$coord") ||
               trimmed(l.lines.front()).starts_with("$scfmo") || trimmed(l.lines.front()).starts_with("$basis") ||
               l.line_begins("$user-defined bonds") || l.line_begins("$operating system"));
     },
     "Run tm2molden in the folder of the calculation (t2x for coordinates) and open the Molden or XYZ file."},
    {"an NWChem output", [](const ForeignLook& l) { return l.has("Northwest Computational Chemistry Package"); },
     "property; moldenfile; end and task scf property in the input write a Molden file; open that."},
    {"a Molpro output", [](const ForeignLook& l) { return l.has("PROGRAM SYSTEM MOLPRO"); },
     "put,molden,{}.molden at the end of the input writes a Molden file; open that."},
    {"a MOPAC output",
     [](const ForeignLook& l) { return (l.has("MOPAC") && l.has("CALCULATION DONE")) || l.has("START OF MOPAC"); },
     "Its Slater orbitals are not read. Convert the geometry: obabel -imopout {}.out -O {}.xyz."},
    {"an OpenMolcas output",
     [](const ForeignLook& l) {
       return l.has("MOLCAS") && (l.has("&GATEWAY") || l.has("molcas.org") || l.has("This run of MOLCAS"));
     },
     "The calculation leaves {}.scf.molden or {}.rasscf.molden in its folder; open that."},
    {"a Dalton output",
     [](const ForeignLook& l) { return l.has("Dalton - An Electronic Structure Program") || l.has("DALTON (release"); },
     "The archive of the calculation ({}.tar.gz) holds molden.inp; open that."},
    {"a CFOUR output",
     [](const ForeignLook& l) { return l.has("Coupled-Cluster techniques for Computational Chemistry"); },
     "The calculation leaves the files MOLDEN and MOLDEN_NAT in its folder; open those."},
    {"an ADF output",
     [](const ForeignLook& l) { return l.has("Amsterdam Density Functional") || l.has("Amsterdam Modeling Suite"); },
     "Its Slater orbitals are not read. Write cube files in AMSview (or with CUBOUTPUT of densf) and open those."},
    {"a Jaguar output", [](const ForeignLook& l) { return l.has("Jaguar version"); },
     "imolden=1 in the &gen section writes a Molden file; open that."},
    {"a Quantum ESPRESSO output", [](const ForeignLook& l) { return l.has("Program PWSCF") || l.has("Program CP v."); },
     "pp.x with output_format = 6 writes cube files; open those."},
    {"a VASP output", [](const ForeignLook& l) { return l.begins(" vasp."); },
     "Convert the geometries with ASE: ase convert -i vasp-out -o extxyz OUTCAR {}.xyz."},
    {"an FHI-aims output", [](const ForeignLook& l) { return l.has("Invoking FHI-aims"); },
     "output cube total_density in control.in writes a cube; open that."},
    {"an ORCA MKL file", [](const ForeignLook& l) { return l.begins("$MKL"); },
     "Make a Molden file of the same calculation: orca_2mkl {} -molden, then open {}.molden.input."},
    {"an ORCA wave function (GBW)", [](const ForeignLook& l) { return l.ends(".gbw") && is_binary(l); },
     "Make a Molden file: orca_2mkl {} -molden, then open {}.molden.input."},
    {"a PySCF checkpoint (HDF5)", [](const ForeignLook& l) { return l.ends(".chk") && l.begins(hdf5); },
     "Write a Molden file in PySCF: pyscf.tools.molden.from_chkfile(\"{}.molden\", \"{}.chk\")."},
    {"a Gaussian checkpoint in binary", [](const ForeignLook& l) { return l.ends(".chk") && is_binary(l); },
     "Make it readable: formchk {}.chk {}.fchk."},
    {"a Multiwfn file (MWFN)", [](const ForeignLook& l) { return l.has("Wfntype="); },
     "Write a Molden file in Multiwfn (menu 100, 2, 6)."},
    {"a Gabedit file", [](const ForeignLook& l) { return l.begins("[Gabedit Format]"); },
     "Save it as a Molden file in Gabedit."},
    // Simulations
    {"a GROMACS run input (TPR)",
     [](const ForeignLook& l) { return l.head.size() > 16 && l.head.substr(8, 8) == "VERSION "; },
     "Structure: gmx editconf -f {}.tpr -o {}.gro. With charges: gmx editconf -f {}.tpr -mead {}.pqr."},
    {"a GROMACS TNG trajectory",
     [](const ForeignLook& l) {
       return is_binary(l) && l.head.substr(0, 256).find("GENERAL INFO") != std::string_view::npos;
     },
     "Convert it: gmx trjconv -f {}.tng -o {}.xtc, and open it with a structure."},
    // Logs of simulations
    {"an AMBER or NAMD log or a GROMACS energy file", [](const ForeignLook& l) { return is_energy_file(l.source); },
     "It has no atoms. Its energies are a table: isolume compute timeline FILE --of energy; in the window, choose Add, "
     "Energies of a run in Plots."},
    {"a LAMMPS dump", [](const ForeignLook& l) { return l.begins("ITEM: "); },
     "Write XTC or DCD in LAMMPS (dump 1 all xtc 1000 {}.xtc) or convert it with MDAnalysis, and open it with a "
     "structure."},
    {"a LAMMPS data file",
     [](const ForeignLook& l) { return l.line_ends(" atoms") && (l.line_ends("xlo xhi") || l.line_ends("zlo zhi")); },
     "Convert it with MDAnalysis: MDAnalysis.Universe(FILE, format=\"DATA\").atoms.write(\"{}.pdb\"); of atom style "
     "atomic with ASE: ase convert -i lammps-data -o extxyz FILE {}.xyz."},
    {"an AMBER text trajectory (mdcrd)", is_amber_text,
     "Convert it with cpptraj: trajin {}.mdcrd, trajout {}.nc, and open it with its topology."},
    {"a Tinker structure", is_tinker,
     "Convert it with MDAnalysis: MDAnalysis.Universe(FILE, format=\"TXYZ\", "
     "topology_format=\"TXYZ\").atoms.write(\"{}.pdb\")."},
    {"a TRZ trajectory", [](const ForeignLook& l) { return l.ends(".trz") && is_binary(l); },
     "Convert it with MDAnalysis to XTC or DCD, and open it with a structure."},
    {"a HOOMD GSD trajectory", [](const ForeignLook& l) { return l.begins("\xdf\x65\xdf\x65\xdf\x65\xdf\x65"); },
     "Convert it with MDAnalysis or mdtraj to DCD or XTC, and open it with a structure."},
    {"a DL_POLY file", [](const ForeignLook& l) { return l.ends("config") || l.ends("history") || l.ends("revcon"); },
     "Convert it with MDAnalysis (topology_format=\"HISTORY\", or \"CONFIG\" for a CONFIG file) to PDB and DCD."},
    {"an H5MD trajectory (HDF5)", [](const ForeignLook& l) { return l.begins(hdf5) && l.has("h5md"); },
     "Convert it with MDAnalysis to XTC or DCD, and open it with a structure."},
    {"a NetCDF-4 file (HDF5)",
     [](const ForeignLook& l) {
       return l.begins(hdf5) && (l.has("_NCProperties") || l.ends(".nc") || l.ends(".ncdf"));
     },
     "Convert it to the classic form that AMBER writes: nccopy -k classic {}.nc {}-classic.nc."},
    {"a TREXIO file (HDF5)", [](const ForeignLook& l) { return l.begins(hdf5) && l.ends("trexio.h5"); },
     "Convert it to a Molden file: trexio convert-to -t molden -o {}.molden {}.h5."},
    {"an HDF5 file", [](const ForeignLook& l) { return l.begins(hdf5); },
     "Write what it holds as XTC or DCD (trajectories), Molden (orbitals) or cube (volumes) with the program that made "
     "it."},
    {"a Desmond structure (DMS, SQLite)", [](const ForeignLook& l) { return l.begins("SQLite format 3"); },
     "Convert it with MDAnalysis: MDAnalysis.Universe(FILE).atoms.write(\"{}.pdb\")."},
    {"a Maestro file", [](const ForeignLook& l) { return l.has("s_m_m2io_version"); },
     "Save it as PDB or MOL2 in Maestro (or structconvert {}.mae {}.pdb)."},
    {"an AMBER library", [](const ForeignLook& l) { return l.begins("!!index array str"); },
     "Make a topology and coordinates with tleap: saveamberparm UNIT {}.prmtop {}.rst7."},
    // Structures and volumes
    {"an MMTF structure", [](const ForeignLook& l) { return l.has("mmtfVersion"); },
     "The Protein Data Bank no longer offers MMTF: get the mmCIF of the entry, or save it as mmCIF in PyMOL."},
    {"a PDBML structure", [](const ForeignLook& l) { return l.has("<PDBx:datablock"); },
     "Get the mmCIF (.cif) of the entry instead."},
    {"a CML molecule", [](const ForeignLook& l) { return l.has("<cml") || (l.has("<molecule") && l.has("atomArray")); },
     "Convert it: obabel {}.cml -O {}.mol2."},
    {"a VASP volume (CHGCAR, LOCPOT, ELFCAR)", is_vasp_volume,
     "Convert it to a cube file with chg2cube.pl of the VTST tools."},
    {"a VASP structure (POSCAR, CONTCAR)", is_vasp, "Convert it with ASE: ase convert -i vasp -o extxyz FILE {}.xyz."},
    {"an XCrySDen file (XSF)",
     [](const ForeignLook& l) {
       return l.line_begins("PRIMVEC") || l.line_begins("BEGIN_BLOCK_DATAGRID") || l.line_begins("ANIMSTEPS");
     },
     "Convert the structure with ASE (ase convert {}.xsf {}.xyz), and volumes to cube with read_xsf of ase.io.xsf and "
     "write_cube of ase.io.cube."},
    {"an X-PLOR map", [](const ForeignLook& l) { return l.ends(".xplor") || l.has("!NTITLE\n"); },
     "Convert it to CCP4 or MRC, with ChimeraX or mapman."},
    {"an electron density of O (BRIX, DSN6)", [](const ForeignLook& l) { return l.begins(":-) "); },
     "Convert it to CCP4 or MRC, with ChimeraX or mapman."},
    {"a gOpenMol volume (PLT)", [](const ForeignLook& l) { return l.ends(".plt") && is_binary(l); },
     "Convert it to DX or cube with VMD."},
    {"an APBS input", [](const ForeignLook& l) { return l.line_begins("mol pqr"); },
     "Open the PQR file that it names, and the maps that APBS writes."},
    {"a plot of Grace (XVG, AGR)",
     [](const ForeignLook& l) { return l.line_begins("@with g0") || l.line_begins("@    title"); },
     "It holds curves, no molecule."},
    {"an MTZ file of reflections", [](const ForeignLook& l) { return l.begins("MTZ "); },
     "Make a map of it: gemmi sf2map {}.mtz {}.ccp4."},
    {"a CSSR structure", [](const ForeignLook& l) { return l.ends(".cssr"); },
     "Convert it to CIF with a program that reads it, such as Zeo++ (network -cif {}.cssr)."},
    // Other files
    {"an archive of NumPy arrays", [](const ForeignLook& l) { return l.ends(".npz"); },
     "Save particles as one array x, y, z, kind (numpy.save), and points for --at as lines x,y,z."},
    {"a tar archive", [](const ForeignLook& l) { return l.head.size() > 262 && l.head.substr(257, 5) == "ustar"; },
     "Unpack it first: tar xf."},
    {"an xz archive",
     [](const ForeignLook& l) {
       return l.begins(
           std::string_view("\xfd"
                            "7zXZ\0",
                            6));
     },
     "Unpack it first: unxz."},
    {"a bzip2 archive", [](const ForeignLook& l) { return l.begins("BZh") && is_binary(l); },
     "Unpack it first: bunzip2."},
    {"a zstd archive", [](const ForeignLook& l) { return l.begins("\x28\xb5\x2f\xfd"); }, "Unpack it first: unzstd."},
    {"a zip archive", [](const ForeignLook& l) { return l.begins("PK\x03\x04"); }, "Unpack it first: unzip."},
    {"a PNG picture", [](const ForeignLook& l) { return l.begins("\x89PNG"); },
     "isolume replay makes a picture that Isolume wrote again."},
};

}  // namespace

std::span<const ForeignFormat> foreign_table() {
  return table;
}

}  // namespace isolume
