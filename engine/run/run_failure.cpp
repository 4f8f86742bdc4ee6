#include "engine/run/run_failure.h"

#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "engine/core/printable.h"
#include "engine/plan/device_error.h"
#include "engine/preset/preset_text.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_identity.h"
#include "kernels/check.h"

namespace mantissa {

namespace {

RunFailure failure_of(const Error& e) {
  return {.kind = e.kind(), .id = e.id(), .message = e.message()};
}

/// Reason of a system error, in one form: the original texts name functions.
RunFailure failure_of(const std::filesystem::filesystem_error& e) {
  const bool full = e.code() == std::errc::no_space_on_device;
  return {.kind = full ? ErrorKind::out_of_disk : ErrorKind::input,
          .message = message<"'{path}': {reason}; check the path and its permissions">(
              shortened_path(e.path1()), e.code().message())};
}

RunFailure failure_of(const std::system_error& e) {
  if (e.code() == std::errc::resource_unavailable_try_again) {
    return {
        .kind = ErrorKind::out_of_memory,
        .message =
            message<"the system refuses another thread; raise the limit of processes or of memory "
                    "(ulimit -u, ulimit -v), or close other programs">()};
  }
  return {.kind = ErrorKind::input,
          .message = message<"the system reports: {reason}">(e.code().message())};
}

}  // namespace

RunFailure classify(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ResumeRefused& e) {
    RunFailure failure = failure_of(e);
    failure.changed = e.changed();
    failure.start_over = e.changed().empty();
    return failure;
  } catch (const ProblemList& e) {
    RunFailure failure = failure_of(e);
    failure.lines = true;
    return failure;
  } catch (const Error& e) {
    return failure_of(e);
  } catch (const OutOfDeviceMemory& e) {
    return {.kind = ErrorKind::out_of_memory,
            .message = message<
                "{message}. Close other programs that use the card, or lower the batch size or the "
                "resolution">(e.what())};
  } catch (const RunDeviceLost& e) {
    return {.kind = ErrorKind::device_lost, .message = e.message()};
  } catch (const RankDeviceLost& e) {  // its process has said what to do
    return {.kind = ErrorKind::device_lost, .message = Message::verbatim(e.what())};
  } catch (const DeviceLost& e) {
    return {.kind = ErrorKind::device_lost,
            .message = device_lost(message<"the card">(), message_of(e))};
  } catch (const std::bad_alloc&) {
    return {
        .kind = ErrorKind::out_of_memory,
        .message =
            message<"the machine refused more memory; lower data.batch_size or data.resolution, or "
                    "turn training.gradient_checkpointing on">()};
  } catch (const std::filesystem::filesystem_error& e) {
    return failure_of(e);
  } catch (const std::system_error& e) {
    return failure_of(e);
  } catch (const std::exception& e) {
    return {.message = message<"internal error: {reason}">(e.what())};
  } catch (...) {
    return {.message = message<"internal error, without a reason">()};
  }
}

void raise(RunFailure failure) {
  if (failure.start_over || !failure.changed.empty()) {
    throw ResumeRefused(std::move(failure.message), std::move(failure.changed));
  }
  if (failure.kind == ErrorKind::device_lost) {
    throw RunDeviceLost(std::move(failure.message));
  }
  if (failure.kind == ErrorKind::rank_lost) {
    throw RankLost(std::move(failure.message));
  }
  throw Error(failure.kind, std::move(failure.message), std::move(failure.id));
}

}  // namespace mantissa
