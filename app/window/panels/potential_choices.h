// What a field's form offers for its potential: accuracies, target errors, and distances of hierarchical partitioning.
#pragma once

#include <QComboBox>
#include <QString>
#include <QStringList>
#include <iterator>
#include <string>

#include "app/models/labels.h"

namespace isolume {

inline constexpr double accuracies[] = {1e-2, 5e-3, 2.5e-3, 1e-3, 5e-4, 1e-4, 2e-5};
inline constexpr double target_errors[] = {0, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3};    // of Poisson-Boltzmann; 0: any
inline constexpr const char* thresholds[] = {"15/66", "21/90", "15/48", "15"};  // as published

inline QString percent(double accuracy) {
  return QStringLiteral("%1\u202f%").arg(100 * accuracy, 0, 'g', 3);
}

inline QStringList threshold_texts() {
  QStringList texts;
  for (const char* text : thresholds) texts += QStringLiteral("%1\u202f\u00c5").arg(QString::fromLatin1(text));
  return texts;
}

/// Shows thresholds in a box with threshold_texts(): others, which were set elsewhere, as one more row.
inline void show_thresholds(QComboBox& box, const std::string& chosen) {
  const int presets = static_cast<int>(std::size(thresholds));
  int preset = 0;
  while (preset < presets && chosen != thresholds[preset]) ++preset;
  if (box.count() > presets) box.removeItem(presets);
  if (preset == presets) box.addItem(to_qt(chosen));
  box.setCurrentIndex(preset);
}

}  // namespace isolume
