#pragma once

#include "gui/app/Session.h"

namespace mantissa {

/// Reads a run (by id, the beginning of one, or its folder) from the runs database. Throws Error
/// when there is none.
LoadedRun load_run(const QString& run);
/// The same out of another database.
LoadedRun load_run(const std::filesystem::path& database, const QString& run);

}  // namespace mantissa
