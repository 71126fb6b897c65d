// QCSchema results and molecules (MolSSI): geometry, basis and orbitals.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

extern const Format qcschema_format;

}  // namespace isolume
