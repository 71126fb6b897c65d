// One record of an SDF file.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "formats/bytes/text.h"
#include "molecule/topology.h"

namespace isolume::sdf {

struct Atom {
  std::string symbol;
  glm::dvec3 position{0.0};  ///< angstrom
  std::int8_t formal_charge = 0;
};

struct Record {
  std::string title;
  std::vector<Atom> atoms;
  std::vector<Bond> bonds;
  std::vector<float> charges;  ///< partial charges of a data item, e; empty where there is none
  std::string charges_from;    ///< the data item's name
  bool flat = false;           ///< the header says "2D"
};

/// Reads the record that begins on the scanner's next line, up to and with its "$$$$" or the end of the file. Throws
/// Error (input) at the line that is broken.
Record read_record(LineScanner& scanner);

/// True where something other than blanks follows.
bool has_more(const LineScanner& scanner);

}  // namespace isolume::sdf
