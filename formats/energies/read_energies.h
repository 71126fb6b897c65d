// Energies over time from simulation programs' files: GROMACS .edr, AMBER mdout, NAMD logs.
#pragma once

#include <memory>

#include "formats/bytes/byte_source.h"
#include "molecule/energy_series.h"

namespace isolume {

/// True where the content is one of those files. Looks at the first megabyte at most. Never throws.
bool is_energy_file(const ByteSource& source);

/// Reads whichever it is. Values keep the units of the program. Throws Error (input) that names the three formats where
/// it is none of them, and where there is no whole row. A row cut off at the end is a warning.
EnergySeries read_energies(const ByteSource& source);

/// Binary energy files of GROMACS (.edr), versions 1 to 5 in single or double precision: the instantaneous values;
/// sums and blocks (free energies, restraints) are stepped over. The format is that of GROMACS' enxio.cpp.
bool is_edr(const ByteSource& source);
EnergySeries read_edr(const ByteSource& source);

/// Output of sander and pmemd (mdout, mdinfo), dynamics or minimisation: lines "NAME = VALUE" below each NSTEP.
/// Averages and fluctuations are left out. kcal/mol, K, bar, angstrom^3, g/cm^3. Of thermodynamic integration with
/// several regions the first one counts.
bool is_amber_output(const ByteSource& source);
EnergySeries read_amber_output(const ByteSource& source);

/// Logs of NAMD: ENERGY lines, named by the ETITLE above them. kcal/mol, K, bar, angstrom^3. Time is the step times
/// "Info: TIMESTEP"; without that line there is none.
bool is_namd_log(const ByteSource& source);
EnergySeries read_namd_log(const ByteSource& source);

}  // namespace isolume
