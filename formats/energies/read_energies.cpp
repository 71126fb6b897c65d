// Energies over time from simulation programs' files: which program wrote a file.
#include "formats/energies/read_energies.h"

#include "molecule/base/error.h"

namespace isolume {

bool is_energy_file(const ByteSource& source) {
  return is_edr(source) || is_namd_log(source) || is_amber_output(source);
}

EnergySeries read_energies(const ByteSource& source) {
  if (is_edr(source)) return read_edr(source);
  if (is_namd_log(source)) return read_namd_log(source);
  if (is_amber_output(source)) return read_amber_output(source);
  throw Error::in_file(source.name(), 0,
                       "no energies: expected a GROMACS energy file (.edr), an AMBER output (mdout) or a NAMD log");
}

}  // namespace isolume
