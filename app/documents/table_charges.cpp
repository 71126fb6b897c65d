// Molecules of a scene whose charges come from the built-in tables.
#include "app/documents/table_charges.h"

#include "app/scene/built_in_tables.h"
#include "compute/preparation/residue_names.h"
#include "molecule/base/error.h"

namespace isolume {

PreparedStructure charged_by_tables(const Molecule& bare, const std::string& entry) {
  ChargeOptions options;
  options.keep_uncharged = true;
  options.build_missing = builds_side_chains(entry);
  const std::string name = options.build_missing ? entry.substr(0, entry.rfind(with_side_chains)) : entry;
  if (name == "tables:charmm") {
    options.set = ChargeSet::charmm36;
  } else if (name == "tables:parse") {
    options.set = ChargeSet::parse;
  } else if (name == "tables:gasteiger") {
    options.estimate_all = true;
  } else if (name != usual_tables) {
    throw Error(entry + ": there are tables:amber, tables:charmm, tables:parse and tables:gasteiger, each also with " +
                    with_side_chains,
                Error::Kind::input);
  }
  return prepare_charges(bare, options);
}

bool takes_tables(const Molecule& molecule) {
  return molecule.topology && molecule.frame_count() > 0 && molecule.orbitals.empty() &&
         !molecule.topology->has_charges && has_known_polymer(*molecule.topology);
}

}  // namespace isolume
