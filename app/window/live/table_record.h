// The record of a table that a panel has written.
#pragma once

#include <QString>

#include "app/export/recorded_table.h"

namespace isolume {

/// Writes it next to the table, on a thread of the pool, since the table's files are hashed. What keeps it from being
/// written is no fault of the table.
void record_table(RecordedTable table, const QString& path, Device device = Device::cpu());

/// Of what is drawn alone: what the table was made from, with their hashes, but not how.
void record_shown_table(const Scene& scene, const QString& panel, const QString& path);

}  // namespace isolume
