#pragma once

#include <string>

#include "engine/notify/run_notice.h"

namespace mantissa {

/// Runs a command of the system's shell with notice_variables in its environment, and waits for it.
/// What it prints goes to standard error. Returns a sentence if it failed, else nothing.
Message run_end_command(const std::string& command, const RunNotice& notice);

}  // namespace mantissa
