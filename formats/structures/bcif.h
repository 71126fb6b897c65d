// BinaryCIF files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// BinaryCIF 0.3 (https://github.com/molstar/BinaryCIF): what mmCIF files hold (mmcif.h), read as from those.
extern const Format bcif_format;

}  // namespace isolume
