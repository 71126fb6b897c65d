// Formats that are not read, by their content: what a file is and how to
// convert it.
#pragma once

#include <string>

#include "formats/bytes/byte_source.h"

namespace isolume {

/// "this is a LAMMPS dump, which is not read. Write XTC in LAMMPS (...)" for a
/// file of a format that programs of the field write and that is not read;
/// empty where it is none of those known. Never throws.
std::string foreign_format(const ByteSource& source);

}  // namespace isolume
