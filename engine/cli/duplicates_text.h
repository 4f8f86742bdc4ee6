#pragma once
// What `mantissa check --duplicates` adds.

#include "engine/cli/commands.h"

namespace mantissa {

struct JobSpec;

/// Compares a job's images and prints the groups of those that are alike, or one "duplicates"
/// event. Throws Error without image folders.
void report_duplicates(CommandSession& session, const JobSpec& job);

}  // namespace mantissa
