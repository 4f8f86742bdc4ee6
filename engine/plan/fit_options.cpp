#include "engine/plan/fit_options.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Changes of the same settings, the mildest first.
using Alternatives = std::vector<Json>;

/// Scopes that save more than the preset's.
Alternatives checkpointing(const Preset::Training& training) {
  Alternatives list;
  for (const CheckpointingScope scope :
       {CheckpointingScope::activations, CheckpointingScope::feed_forward,
        CheckpointingScope::blocks}) {
    if (!training.gradient_checkpointing || scope > training.checkpointing_scope) {
      list.push_back({{"training.gradient_checkpointing", true},
                      {"training.checkpointing_scope", enum_name(scope)}});
    }
  }
  return list;
}

/// Narrower weights, by their noise: INT8 has less of it than FP8, in as many bytes.
Alternatives narrower_weights(const Preset& p) {
  Alternatives list;
  const StorageType now = p.precision.weights.denoiser;
  if (p.training.method != TrainingMethod::adapter) {
    return list;  // quantised weights can't be trained
  }
  if (!is_quantized(now)) {
    list.push_back({{"precision.weights.denoiser", "int8"}});
  }
  if (now != StorageType::nf4) {
    list.push_back({{"precision.weights.denoiser", "nf4"}});
  }
  return list;
}

/// Smaller adapters that are scaled alike.
Alternatives smaller_ranks(const Preset& p) {
  constexpr int kLeast = 4;
  Alternatives list;
  const Preset::Adapter& a = p.adapter;
  for (int rank = a.rank / 2; p.training.method == TrainingMethod::adapter && rank >= kLeast;
       rank /= 2) {
    const double share = static_cast<double>(rank) / a.rank;
    Json patch = {{"adapter.rank", rank},
                  {"adapter.alpha",
                   a.alpha * (a.scaling == AdapterScaling::rslora ? std::sqrt(share) : share)}};
    if (a.conv_rank > rank) {
      patch["adapter.conv_rank"] = rank;
    }
    list.push_back(std::move(patch));
  }
  return list;
}

/// Possible savings, the mildest first. Empty if the preset already uses them. `ranks`: with those
/// of the adapter, whose step gets no slower, however little they free.
std::vector<Alternatives> candidates(const Preset& p, bool ranks) {
  std::vector<Alternatives> list;
  const auto offer = [&list](Json patch) { list.push_back({std::move(patch)}); };
  list.push_back(checkpointing(p.training));
  if (p.precision.compute == ComputeType::fp32 &&
      p.precision.weights.denoiser == StorageType::fp32) {
    offer({{"precision.compute", "bf16"},
           {"precision.weights.denoiser", "bf16"},
           {"precision.weights.text_encoders", "bf16"}});
  }
  if (p.data.batch_size > 1) {
    offer({{"data.batch_size", 1},
           {"training.gradient_accumulation",
            std::min(p.training.gradient_accumulation * p.data.batch_size, 4096)}});
  }
  if (p.precision.optimizer_state == StateType::fp32) {
    offer({{"precision.optimizer_state", "8bit"}});
  }
  list.push_back(narrower_weights(p));
  if (ranks) {
    list.push_back(smaller_ranks(p));
  }
  Alternatives smaller;
  for (const int resolution : {768, 512}) {
    if (std::ranges::max(resolutions_of(p.data)) > resolution) {
      Json further = Json::array();
      for (const int other : resolutions_of(p.data)) {
        if (other < resolution) {
          further.push_back(other);
        }
      }
      smaller.push_back({{"data.resolution", resolution}, {"data.further_resolutions", further}});
    }
  }
  list.push_back(smaller);
  return list;
}

/// What of `patch` differs from the preset.
Json changes(const Preset& preset, const Json& patch) {
  Json result = Json::object();
  for (const auto& [key, value] : patch.items()) {
    if (get_setting(preset, key) != value) {
      result[key] = value;
    }
  }
  return result;
}

/// "With … it needs …", and a step's time before and after if both are known.
Message way_to_fit(const FitOption& option, double step_seconds) {
  const std::string settings = as_options(option.patch_json);
  const std::string need = bytes_text(option.needs.peak_bytes);
  if (step_seconds <= 0 || option.needs.step_seconds <= 0) {
    return message<"With {settings} it needs {need}">(settings, need);
  }
  return message<
      "With {settings} it needs {need}, and a step takes about {after} instead of {before} "
      "(estimated)">(settings, need, step_time_text(option.needs.step_seconds),
                     step_time_text(step_seconds));
}

}  // namespace

std::string as_options(const std::string& patch_json) {
  std::string text;
  const nlohmann::json patch = nlohmann::json::parse(patch_json);
  for (const auto& [key, value] : patch.items()) {
    text += (text.empty() ? "--set " : " --set ") + key + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::vector<FitOption> fit_options(const Preset& preset, std::uint64_t free_bytes,
                                   const NeedsFunction& needs) {
  const auto fitting = [&](const Json& patch) -> std::optional<FitOption> {
    Preset changed = preset;
    apply_patch(changed, patch);
    const RunNeeds with = needs(changed);
    return with.peak_bytes <= free_bytes
               ? std::optional(FitOption{changes(preset, patch).dump(), with})
               : std::nullopt;
  };
  std::vector<FitOption> options;
  Json together = Json::object();
  std::optional<FitOption> row;
  for (const Alternatives& alternatives : candidates(preset, true)) {
    std::optional<FitOption> alone;
    for (const Json& patch : alternatives) {
      if (!alone) {
        alone = fitting(patch);
      }
      if (!row) {
        together.update(patch);
        row = fitting(together);
      }
    }
    if (alone) {
      options.push_back(*alone);
    }
  }
  if (options.empty() && row) {
    options.push_back(*row);
  }
  return options;
}

std::optional<FitOption> best_saving(const Preset& preset, const RunNeeds& now,
                                     const NeedsFunction& needs) {
  std::optional<FitOption> best;
  double most = 0;
  for (const Alternatives& alternatives : candidates(preset, false)) {
    for (const Json& patch : alternatives) {
      Preset changed = preset;
      apply_patch(changed, patch);
      const RunNeeds with = needs(changed);
      if (with.peak_bytes >= now.peak_bytes) {
        continue;
      }
      constexpr double kLeastMs = 0.01;  // of a change that makes a step no slower
      const bool timed = now.step_seconds > 0 && with.step_seconds > 0;
      const double ms = timed ? 1e3 * (with.step_seconds - now.step_seconds) : 0;
      const double rate =
          timed ? static_cast<double>(now.peak_bytes - with.peak_bytes) / std::max(ms, kLeastMs)
                : 0;
      if (!best || rate > most) {
        best = FitOption{changes(preset, patch).dump(), with};
        most = rate;
      }
    }
  }
  return best;
}

Message memory_refusal(const PlanReport& report) {
  return message<
      "training needs {need}: {activations} for activations, {weights} for weights, {adapters} for "
      "adapters and optimizer; {free} are free">(
      bytes_text(report.peak_bytes), bytes_text(report.arena_bytes),
      bytes_text(report.weight_bytes), bytes_text(report.adapter_bytes),
      bytes_text(report.free_bytes));
}

Message memory_refusal(const PlanReport& report, std::span<const FitOption> options) {
  const Message way = options.empty() ? message<
                                            "No change of settings makes it fit: train fewer "
                                            "modules, or take a device with more memory">()
                                      : way_to_fit(options.front(), report.step_seconds);
  return message<"{refusal}. {way}">(memory_refusal(report), way);
}

void require_memory(const PlanReport& report,
                    const std::function<std::vector<FitOption>()>& options) {
  if (!report.fits()) {
    throw Error(ErrorKind::out_of_memory, memory_refusal(report, options()));
  }
}

}  // namespace mantissa
