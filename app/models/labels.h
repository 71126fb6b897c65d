// Texts shown in the window: kinds, styles, units, atoms.
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

inline QString to_qt(const std::string& text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "Ball and stick": the name of render/represent with a capital.
QString label(Style style);
QString label(Colouring colouring);
/// "Density surface", "Orbital", "Potential", "Volume".
QString label(Field::Kind kind);
QString label(Surface::Style style);
QString label(Playback::Loop loop);

/// All values of an enumeration, in its order, for combination boxes.
QStringList style_labels();
QStringList colouring_labels();
QStringList surface_style_labels();
QStringList loop_labels();
QStringList material_labels();

/// Unit of a field's isovalue: "bohr^-3/2", "V", "" for none.
QString isovalue_unit(Field::Kind kind);
/// The unit of a map with the signs of print: "A" and "1/A^3" as angstroms.
QString printed_unit(const std::string& unit);

/// "HOMO-1" for the words of a Field's orbital, "Orbital 5" for a number.
QString orbital_label(const std::string& orbital);

/// "A/ALA 12/CA": chain, residue name and number, atom name.
QString atom_name(const Topology& topology, std::size_t atom);
/// atom_name() and the position in angstrom: "A/ALA 12/CA  (1.203  4.500  -0.120)". `frame` may be null.
QString atom_label(const Topology& topology, const Frame* frame, std::size_t atom);
/// Selection text for the residue of an atom.
QString residue_selection(const Topology& topology, std::size_t atom);

/// "1 234" with thin groups; "1 atom", "12 atoms".
QString count_label(std::size_t count);
QString atom_count_label(std::size_t count);

}  // namespace isolume
