#pragma once
// Requests to a run that another process trains, as lines of text between the two.

#include <string>
#include <string_view>
#include <vector>

#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// New requests in a RunControl, for a run in another process.
class RequestLines {
 public:
  /// The lines since the last call, without line ends; takes the requests from `control`.
  std::vector<std::string> take(RunControl& control);
  /// The run pauses, or does so no longer, by someone else's request.
  void settle_pause(RunControl& control, bool paused);

 private:
  bool pause_ = false, no_waits_ = false;
  int stops_ = 0;
};

/// The line that asks for changes of live settings, each as `key=value`.
std::string change_request(const std::vector<std::string>& assignments);

/// Passes on the request in such a line. Throws Error for any other text.
void apply_request(std::string_view line, RunControl& control);

}  // namespace mantissa
