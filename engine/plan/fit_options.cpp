#include "engine/plan/fit_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/error.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Possible savings, the mildest first. Empty if the preset already uses them.
std::vector<Json> candidates(const Preset& p) {
  std::vector<Json> list;
  if (!p.training.gradient_checkpointing) {
    list.push_back({{"training.gradient_checkpointing", true}});
  }
  if (p.precision.compute == ComputeType::fp32 &&
      p.precision.weights.denoiser == StorageType::fp32) {
    list.push_back({{"precision.compute", "bf16"},
                    {"precision.weights.denoiser", "bf16"},
                    {"precision.weights.text_encoders", "bf16"}});
  }
  if (p.data.batch_size > 1) {
    list.push_back({{"data.batch_size", 1},
                    {"training.gradient_accumulation",
                     std::min(p.training.gradient_accumulation * p.data.batch_size, 4096)}});
  }
  if (p.precision.optimizer_state == StateType::fp32) {
    list.push_back({{"precision.optimizer_state", "8bit"}});
  }
  if (!is_coded(p.precision.weights.denoiser) && p.training.method == TrainingMethod::adapter) {
    list.push_back({{"precision.weights.denoiser", "fp8_e4m3"}});
  }
  if (p.data.resolution > 768) {
    list.push_back({{"data.resolution", 768}});
  }
  if (p.data.resolution > 512) {
    list.push_back({{"data.resolution", 512}});
  }
  return list;
}

/// "--set data.batch_size=1 --set ..."
std::string as_options(const std::string& patch_json) {
  std::string text;
  const nlohmann::json patch = nlohmann::json::parse(patch_json);
  for (const auto& [key, value] : patch.items()) {
    text += (text.empty() ? "--set " : " --set ") + key + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

}  // namespace

std::vector<FitOption> fit_options(const Preset& preset, std::uint64_t free_bytes,
                                   const PeakFunction& peak) {
  std::vector<FitOption> options;
  Json together = Json::object();
  std::optional<FitOption> row;
  const auto peak_with = [&](const Json& patch) {
    Preset changed = preset;
    apply_patch(changed, patch);
    return peak(changed);
  };
  for (const Json& patch : candidates(preset)) {
    const std::uint64_t alone = peak_with(patch);
    if (alone <= free_bytes) {
      options.push_back({patch.dump(), alone});
    }
    if (!row) {
      together.update(patch);
      const std::uint64_t sum = peak_with(together);
      if (sum <= free_bytes) {
        row = FitOption{together.dump(), sum};
      }
    }
  }
  if (options.empty() && row) {
    options.push_back(*row);
  }
  return options;
}

void require_memory(const PlanReport& report,
                    const std::function<std::vector<FitOption>()>& options) {
  if (report.fits()) {
    return;
  }
  const std::vector<FitOption> fitting = options();
  const Message way = fitting.empty()
                          ? message<
                                "No setting alone makes it fit: train fewer modules, or take a "
                                "device with more memory">()
                          : message<"With {settings} it needs {need}">(
                                as_options(fitting.front().patch_json), fitting.front().peak_bytes);
  throw Error(ErrorKind::out_of_memory,
              message<"training needs {need} bytes ({activations} activations, {weights} weights, "
                      "{adapters} adapters and optimizer), {free} are free. {way}">(
                  report.peak_bytes, report.arena_bytes, report.weight_bytes, report.adapter_bytes,
                  report.free_bytes, way));
}

}  // namespace mantissa
