#include "engine/train/memory_plan.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/system.h"
#include "engine/optim/optimizer.h"

namespace mantissa {

int latent_factor(const SdxlModel& model) {
  return 1 << (static_cast<int>(model.vae_config().block_out_channels.size()) - 1);
}

int bucket_quantum(const SdxlModel& model) {
  const int least = latent_factor(model) << (model.unet_config().levels() - 1);
  return latent_factor(model) == 8 ? std::max(least, 64) : least;
}

std::vector<StepShape> largest_shapes(std::vector<StepShape> shapes) {
  std::int64_t largest = 0;
  for (const StepShape& s : shapes) {
    largest = std::max(largest, s.height * s.width);
  }
  std::erase_if(shapes, [&](const StepShape& s) { return s.height * s.width * 10 < largest * 9; });
  return shapes;
}

PlanReport plan_report(const Preset& preset, const PrecisionPlan& precision, SdxlModel& model,
                       const AdapterSet& adapters, std::size_t arena_bytes) {
  PlanReport report;
  report.precision_json = precision.json();
  for (const PrecisionFinding& f : precision.findings) {
    report.findings.push_back(
        {f.id, std::string(verdict_name(f.verdict)), f.fields, f.message, f.fix_json});
  }
  report.arena_bytes = arena_bytes;
  report.weight_bytes = model.weights().bytes();
  report.adapter_bytes = adapters.bytes();
  const auto parameters = static_cast<std::uint64_t>(adapters.parameter_count());
  report.adapter_bytes +=
      optimizer_state_bytes(optimizer_settings(preset, Part::unet), adapters.parameter_count());
  // Weights before the step, for the lost-update share, and the averaged weights.
  report.adapter_bytes += parameters * sizeof(float) * (preset.training.ema > 0 ? 2 : 1);
  report.peak_bytes = report.arena_bytes + report.weight_bytes + report.adapter_bytes;
  report.free_bytes = available_memory();
  return report;
}

void require_memory(const PlanReport& report, const Preset& preset) {
  if (report.free_bytes == 0 || report.peak_bytes <= report.free_bytes) {
    return;
  }
  const char* advice = !preset.training.gradient_checkpointing
                           ? "Turn on training.gradient_checkpointing"
                       : preset.data.batch_size > 1 ? "Lower data.batch_size"
                                                    : "Lower data.resolution";
  throw Error(ErrorKind::out_of_memory,
              fmt::format("training needs {} bytes ({} activations, {} weights, {} adapters and "
                          "optimizer), {} are free. {}",
                          report.peak_bytes, report.arena_bytes, report.weight_bytes,
                          report.adapter_bytes, report.free_bytes, advice));
}

}  // namespace mantissa
