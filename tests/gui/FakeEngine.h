#pragma once

#include <QString>
#include <chrono>
#include <functional>
#include <optional>

#include "engine/run/run.h"
#include "engine/run/run_control.h"
#include "gui/engine/EngineClient.h"

namespace mantissa::gui {

/// An engine that follows a script, faithful to run.h: it polls its control between steps and
/// announces every state.
struct FakeEngine {
  std::int64_t steps = 50;
  std::chrono::microseconds per_step{1000};
  std::chrono::milliseconds preparing{0};
  std::optional<std::int64_t> nan_step;       ///< its loss is NaN and the step is skipped
  std::optional<std::int64_t> overflow_step;  ///< skipped with a finite loss; the scale halves
  std::int64_t overflows = 1;                 ///< in a row
  std::int64_t health_every = 0;              ///< steps between health records; 0: none
  std::int64_t validate_every = 0;            ///< steps between validation losses; 0: none
  std::optional<std::int64_t> stall_step;     ///< waits for `stall` before it, polling nothing
  std::chrono::milliseconds stall{0};
  std::optional<std::int64_t> fail_step;  ///< throws `failure` after it
  Error failure{ErrorKind::non_finite,
                Message::verbatim("[loss] step 30: loss is not finite; lower the learning rate.")};
  std::optional<std::int64_t> full_disk_step;  ///< saving after it finds no room, until answered
  std::chrono::milliseconds slow_stop{0};      ///< time it takes to notice a request
  std::int64_t save_every = 0, sample_every = 0;
  std::filesystem::path checkpoint;            ///< reported for every save; empty: one of its own
  QString sample_file;                         ///< image returned as every sample
  std::filesystem::path folder{"/runs/fake"};  ///< of the result
  std::string hostile;                         ///< included in every external name and text
  bool announces_pausing = true;

  RunResult operator()(const JobSpec& job, RunControl& control, RunObserver& observer) const;
  static PlanReport plan(const JobSpec& job);
};

/// A run that lasts until it is stopped.
FakeEngine endless_engine();

/// Writes a small image after a few progress reports.
void fake_sample(const SampleRequest& request, RunObserver& observer);

/// A probe that reports progress for `steps` steps in each precision. Layer "denoiser.worst" is the
/// most damaged and suggested as a pin; its gap is gone once it is pinned.
ProbeReport fake_probe(const JobSpec& job, const ProbeOptions& options, RunControl& control,
                       RunObserver& observer);

/// Four choices of types: of the preset now, in NF4, in NF4 with a pin, and in FP32.
PrecisionFront fake_solve(const JobSpec& job, std::int64_t steps, RunControl& control,
                          RunObserver& observer);

/// A curve that is lowest at 3e-3; with the optimizer sgd one that supports no suggestion.
RateTest fake_rate_test(const JobSpec& job, const RateTestOptions& options, RunControl& control,
                        RunObserver& observer);

/// First steps that are the same, by another version. A folder named "changed" is refused.
VerifyReport fake_verify(const std::filesystem::path& run, RunControl& control,
                         RunObserver& observer);

/// Fake layer statistics of a small network: one layer degrades with the steps.
HealthRecord fake_health(std::int64_t step);
/// The first non-finite tensor.
NonFiniteReport fake_report(std::int64_t step);

/// A small PNG with a gradient and a disc, as a stand-in for a sample.
QString make_test_image(const QString& folder, int seed);

}  // namespace mantissa::gui
