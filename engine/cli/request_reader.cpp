#include "engine/cli/request_reader.h"

#include <ostream>

#include "engine/core/error.h"
#include "engine/run/run_requests.h"

namespace mantissa {
namespace {

void read_requests(const CliContext& context, RunControl& control, const std::atomic<bool>& over) {
  constexpr std::chrono::milliseconds kPause{50};
  while (!over) {
    const std::optional<std::string> line = context.read_request(kPause);
    if (!line) {
      control.refuse_waits();
      control.request_stop(RunControl::Stop::save);
      return;
    }
    try {
      if (!line->empty()) {
        apply_request(*line, control);
      }
    } catch (const std::exception& e) {
      *context.err << "mantissa: " << e.what() << std::endl;
    }
  }
}

}  // namespace

RequestReader::RequestReader(const CliContext& context, RunControl& control)
    : thread_([&context, &control, this] { read_requests(context, control, over_); }) {}

RequestReader::~RequestReader() {
  over_ = true;
  thread_.join();
}

}  // namespace mantissa
