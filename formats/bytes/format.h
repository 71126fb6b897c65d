// Format: a reader as a value.
#pragma once

#include <memory>

#include "formats/bytes/byte_source.h"
#include "molecule/molecule.h"

namespace isolume {

/// One format that Isolume reads. Each lives in formats/NAME.{h,cpp} and has one line in the table in read.cpp.
struct Format {
  const char* name;        ///< "PDB"
  const char* extensions;  ///< space-separated, without dots: "pdb ent brk"
  const char* what;        ///< "structure", "trajectory", "orbitals", "parameters", "volume"
  /// How sure the first bytes make it, 0 (no) to 100 (a magic number).
  int (*sniff)(const ByteSource& source);
  /// Pure function of bytes. Throws Error::in_file.
  Molecule (*read)(std::shared_ptr<const ByteSource> source);
};

}  // namespace isolume
