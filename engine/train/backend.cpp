#include "engine/train/backend.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {

std::unique_ptr<Kernels> make_backend(const std::string& device) {
  if (device == "cpu" || device.empty()) {
    return make_cpu_kernels();
  }
  if (device.starts_with("cuda")) {
    throw Error("device " + device +
                " can't be used: this build has no CUDA engine. Use --device cpu");
  }
  throw Error("device '" + device +
              "' is unknown. Use cpu; `mantissa devices` lists what is there");
}

NoiseSchedule model_schedule(const WeightSource& source, const Preset& preset) {
  ScheduleConfig config;
  if (const auto json = source.scheduler_config()) {
    config = schedule_config_from_json(*json);
  }
  if (source.has_marker("v_pred")) {
    config.prediction = Prediction::v;
  }
  if (source.has_marker("ztsnr")) {
    config.zero_terminal_snr = true;
  }
  if (preset.training.prediction != Prediction::automatic) {
    config.prediction = preset.training.prediction;
  }
  config.zero_terminal_snr = config.zero_terminal_snr || preset.training.zero_terminal_snr;
  return NoiseSchedule(config);
}

PrecisionPlan job_precision(const Preset& preset, const NoiseSchedule& schedule) {
  PrecisionPlan plan = make_precision_plan(preset);
  if (schedule.config().zero_terminal_snr && schedule.prediction() == Prediction::epsilon) {
    plan.findings.push_back({"N5",
                             Verdict::refused,
                             {"training.prediction", "training.zero_terminal_snr"},
                             "Zero terminal SNR needs v-prediction: where no signal is left, an "
                             "epsilon target carries no information.",
                             R"({"training.zero_terminal_snr":false})"});
  }
  return plan;
}

void refuse_conflicts(const PrecisionPlan& plan) {
  if (const PrecisionFinding* refusal = plan.refusal()) {
    throw Error(ErrorKind::precision,
                fmt::format("{}: {} Fix: {}", refusal->id, refusal->message, refusal->fix_json),
                refusal->id);
  }
}

}  // namespace mantissa
