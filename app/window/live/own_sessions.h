// The sessions that this user has saved here, which may name files anywhere.
#pragma once

#include <QString>

namespace isolume {

/// Remembers a session file by its content, as it was just saved.
void remember_session(const QString& path);
/// Whether the file is word for word one that remember_session() had.
bool is_own_session(const QString& path);

}  // namespace isolume
