#pragma once

#include <atomic>
#include <thread>

#include "engine/cli/context.h"

namespace mantissa {

/// While one lives, a thread makes the requests that come as lines from CliContext::read_request.
/// When they end, the program that sent them has exited: the run is saved and stopped. Lines that
/// are no requests are told on the error stream.
class RequestReader {
 public:
  RequestReader(const CliContext& context, RunControl& control);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace mantissa
