// Reading any file: the format is found by content, then by extension.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/bytes/byte_source.h"
#include "formats/bytes/format.h"
#include "molecule/molecule.h"

namespace isolume {

/// All formats, in the order in which `isolume info --formats` lists them.
const std::vector<Format>& formats();

/// The format of a file: by content where that is sure, else by extension, else by the best guess of content. Throws
/// Error::in_file that lists the formats where none fits.
const Format& detect_format(const ByteSource& source);

/// Reads one file and completes what it lacks: bonds by distance, secondary structure, elements, each said in
/// Topology::notes. Throws Error (input).
Molecule read_file(const std::string& path, const ReadLimits& limits = {});
Molecule read_source(std::shared_ptr<const ByteSource> source);

/// Reads several files into as few molecules as they make: a trajectory, orbitals or a volume is joined to the
/// structure before it where the atom counts agree (topology and trajectory in either order); CHARMM's parameter files,
/// the later ones first, make force fields of all PSF files; files `name_000.molden`,
/// `name_001.molden`, ... become one sequence. Paths may be patterns and folders (formats/file_patterns.h). Throws
/// Error (input) where a trajectory fits no structure, naming both atom counts, where a frame of a sequence has another
/// basis, naming it, and where parameters have no PSF or lack what one needs.
std::vector<Molecule> read_files(const std::vector<std::string>& paths, const ReadLimits& limits = {});

}  // namespace isolume
