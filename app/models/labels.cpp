// Texts shown in the window.
#include "app/models/labels.h"

#include <QLocale>
#include <algorithm>

#include "app/scene/density_name.h"
#include "molecule/selection/residue_selection.h"

namespace isolume {
namespace {

QString capitalised(const char* text) {
  QString result = QString::fromUtf8(text);
  if (!result.isEmpty()) result[0] = result[0].toUpper();
  return result;
}

}  // namespace

QString label(Style style) {
  return capitalised(name(style));
}

QString label(Colouring colouring) {
  switch (colouring) {
    case Colouring::b_factor:
      return QStringLiteral("B-factor");
    case Colouring::structure:
      return QStringLiteral("Secondary structure");
    case Colouring::uniform:
      return QStringLiteral("Single colour");
    case Colouring::chain_element:
      return QStringLiteral("Chain, other elements");
    case Colouring::sequence:
      return QStringLiteral("Sequence (N to C)");
    case Colouring::hydrophobicity:
      return QStringLiteral("Hydropathy (Kyte-Doolittle)");
    case Colouring::eisenberg:
      return QStringLiteral("Hydrophobicity (Eisenberg)");
    case Colouring::wimley_white:
      return QStringLiteral("Interface (Wimley-White)");
    case Colouring::plddt:
      return QStringLiteral("Confidence (pLDDT)");
    case Colouring::value:
      return QStringLiteral("Expression...");
    case Colouring::map:
      return QStringLiteral("Map value");
    case Colouring::file:
      return QStringLiteral("Table or alignment...");
    case Colouring::probe:
      return QStringLiteral("Contribution at a probe");
    default:
      return capitalised(name(colouring));
  }
}

QString label(Field::Kind kind) {
  switch (kind) {
    case Field::Kind::gaussian:
      return QStringLiteral("Molecular surface (smooth)");
    case Field::Kind::orbital:
      return QStringLiteral("Orbital");
    case Field::Kind::potential:
      return QStringLiteral("Potential");
    case Field::Kind::volume:
      return QStringLiteral("Map");
    case Field::Kind::solvent_excluded:
      return QStringLiteral("Solvent-excluded surface");
    case Field::Kind::solvent_accessible:
      return QStringLiteral("Solvent-accessible surface");
    case Field::Kind::cavities:
      return QStringLiteral("Cavities and pockets");
    case Field::Kind::contacts:
      return QStringLiteral("Noncovalent contacts");
  }
  return {};
}

QString label(Surface::Style style) {
  switch (style) {
    case Surface::Style::solid:
      return QStringLiteral("Solid");
    case Surface::Style::wireframe:
      return QStringLiteral("Wireframe");
    case Surface::Style::points:
      return QStringLiteral("Points");
  }
  return {};
}

QString label(Playback::Loop loop) {
  switch (loop) {
    case Playback::Loop::once:
      return QStringLiteral("Once");
    case Playback::Loop::loop:
      return QStringLiteral("Loop");
    case Playback::Loop::rock:
      return QStringLiteral("Back and forth");
  }
  return {};
}

QStringList style_labels() {
  QStringList result;
  for (int i = 0; i < style_count; ++i) result += label(static_cast<Style>(i));
  return result;
}

QStringList colouring_labels() {
  QStringList result;
  for (int i = 0; i < colouring_count; ++i) result += label(static_cast<Colouring>(i));
  return result;
}

QStringList surface_style_labels() {
  QStringList result;
  for (int i = 0; i <= static_cast<int>(Surface::Style::points); ++i) result += label(static_cast<Surface::Style>(i));
  return result;
}

QStringList loop_labels() {
  QStringList result;
  for (int i = 0; i <= static_cast<int>(Playback::Loop::rock); ++i) result += label(static_cast<Playback::Loop>(i));
  return result;
}

QStringList material_labels() {
  return {QStringLiteral("Standard"), QStringLiteral("Matt"), QStringLiteral("Glossy"),
          QStringLiteral("Metal"),    QStringLiteral("Toon"), QStringLiteral("Glass")};
}

QString printed_unit(const std::string& unit) {
  return unit == "A" ? QStringLiteral("\u00c5")
                     : to_qt(unit)
                           .replace(QLatin1String("A^3"), QStringLiteral("\u00c5\u00b3"))
                           .replace(QLatin1String("^3"), QStringLiteral("\u00b3"));
}

QString isovalue_unit(Field::Kind kind) {
  switch (kind) {
    case Field::Kind::orbital:
      return QStringLiteral("bohr\u207b\u00b3\u2044\u00b2");
    case Field::Kind::potential:
      return QStringLiteral("V");
    case Field::Kind::contacts:
      return QStringLiteral("bohr\u207b\u2074");
    default:
      return {};
  }
}

QString orbital_label(const std::string& orbital) {
  if (orbital == electron_density_name) return QStringLiteral("Electron density");
  if (orbital == spin_density_name) return QStringLiteral("Spin density");
  if (!orbital.empty() && orbital.front() >= '0' && orbital.front() <= '9') {
    return QStringLiteral("Orbital %1").arg(to_qt(orbital));
  }
  return to_qt(orbital).toUpper();
}

QString atom_name(const Topology& topology, std::size_t atom) {
  const Residue& residue = topology.residue_of(atom);
  const Chain& chain = topology.chain_of(atom);
  QString number = QString::number(residue.number);
  if (residue.insertion != ' ') number += QLatin1Char(residue.insertion);
  QString result = QStringLiteral("%1 %2/%3").arg(to_qt(residue.name), number, to_qt(topology.atoms[atom].name));
  const std::string& id = chain.id.empty() ? chain.segment : chain.id;
  if (!id.empty()) result = to_qt(id) + QLatin1Char('/') + result;
  return result;
}

QString atom_label(const Topology& topology, const Frame* frame, std::size_t atom) {
  QString result = atom_name(topology, atom);
  if (frame != nullptr && atom < frame->positions.size()) {
    const glm::vec3 p = frame->positions[atom];
    result += QStringLiteral("  (%1  %2  %3)").arg(p.x, 0, 'f', 3).arg(p.y, 0, 'f', 3).arg(p.z, 0, 'f', 3);
  }
  return result;
}

QString residue_selection(const Topology& topology, std::size_t atom) {
  return to_qt(residue_selection_of(topology, topology.atoms[atom].residue));
}

QString count_label(std::size_t count) {
  QLocale locale(QLocale::English);
  QString text = locale.toString(static_cast<qulonglong>(count));
  return text.replace(QLatin1Char(','), QChar(0x2009));
}

QString atom_count_label(std::size_t count) {
  return count == 1 ? QStringLiteral("1 atom") : QStringLiteral("%1 atoms").arg(count_label(count));
}

}  // namespace isolume
