// Chemical JSON files: geometries, bonds, basis, orbitals and one volume.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

extern const Format cjson_format;

}  // namespace isolume
