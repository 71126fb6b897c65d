// Light and dark.
#pragma once

#include <QString>

namespace isolume {

enum class Theme { system, light, dark };

/// Sets style and palette of the application; `system` takes the one whose lightness the desktop asks for.
void apply_theme(Theme theme);
/// True where the palette in use is dark.
bool dark_palette();

Theme theme_from_name(const QString& name);
QString name(Theme theme);

}  // namespace isolume
