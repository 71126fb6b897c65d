// The methods of the potential as lists show them.
#pragma once

#include <QString>
#include <QStringList>

#include "compute/electrostatics/method_name.h"

namespace isolume {

/// Of maps, in the order of PotentialMethod, so that an index is a method.
inline QStringList method_titles() {
  QStringList titles;
  for (std::size_t i = 0; i < method_names.size(); ++i)
    if (makes_maps(static_cast<PotentialMethod>(i)))
      titles += QString::fromUtf8(title(static_cast<PotentialMethod>(i)));
  return titles;
}

}  // namespace isolume
