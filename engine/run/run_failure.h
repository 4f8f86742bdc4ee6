#pragma once

#include <exception>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/message.h"

namespace mantissa {

/// Why a run, or any other work, ended without a result.
struct RunFailure {
  ErrorKind kind = ErrorKind::internal;
  std::string id;   ///< of a precision finding ("S4"), else empty
  Message message;  ///< the reason, and what to do
  /// What lets a run go on that can't be resumed as it is: accepting these parts (ResumeRefused),
  /// or starting over where no checkpoint is intact.
  std::vector<std::string> changed;
  bool start_over = false;
  bool lines = false;  ///< the message is several problems, a printable line each
};

/// The failure that an exception stands for. Exception types are distinguished only here.
/// One that isn't meant for people is `internal`.
RunFailure classify(const std::exception_ptr& thrown);

/// Throws a failure as an exception of which classify() makes the same, but for `lines`.
[[noreturn]] void raise(RunFailure failure);

}  // namespace mantissa
