// Light and dark.
#pragma once

#include <QPalette>
#include <QString>

namespace isolume {

enum class Theme { system, light, dark };

/// Sets style and palette of the application; `system` takes the one whose lightness the desktop asks for.
void apply_theme(Theme theme);
/// The palette of the light theme, as for what is written into files.
QPalette light_palette();
/// True where the palette in use is dark.
bool dark_palette();

Theme theme_from_name(const QString& name);
QString name(Theme theme);

}  // namespace isolume
