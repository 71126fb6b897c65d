// mmCIF and small-molecule CIF files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

class CifDocument;

/// PDBx/mmCIF (wwPDB, mmcif_pdbx dictionary): atom_site with the authors' chain and residue names (Chain::id,
/// Residue::number) and the label chain as Chain::segment; struct_conf and struct_sheet_range as secondary structure;
/// struct_conn (covalent, disulfide) as bonds; models with the atoms of the first one as frames. Small-molecule CIF
/// (IUCr core dictionary): the asymmetric unit, fractional coordinates times the cell.
extern const Format mmcif_format;

/// The molecule of the first data block with atoms, whatever the document was read from. Throws Error (input).
Molecule read_cif(const std::shared_ptr<const ByteSource>& source, const CifDocument& document);

}  // namespace isolume
