#include "engine/run/run.h"

namespace mantissa {

std::string state_name(RunState state) {
  switch (state) {
    case RunState::idle:
      return "idle";
    case RunState::preparing:
      return "preparing";
    case RunState::training:
      return "training";
    case RunState::pausing:
      return "pausing";
    case RunState::paused:
      return "paused";
    case RunState::stopping:
      return "stopping";
    case RunState::finished:
      return "finished";
    case RunState::failed:
      return "failed";
  }
  return "idle";
}

}  // namespace mantissa
