#pragma once

#include <functional>

#include "engine/graph/stage_executor.h"

namespace mantissa {

/// A watch that calls `between` after every op; none if it is empty.
inline OpWatch watch_between(const std::function<void()>& between) {
  if (!between) {
    return {};
  }
  return [between](const OpCall&) {
    between();
    return true;
  };
}

}  // namespace mantissa
