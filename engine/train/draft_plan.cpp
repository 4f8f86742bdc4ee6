#include "engine/train/draft_plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/weights.h"
#include "engine/preset/preset_io.h"
#include "engine/train/backend.h"
#include "engine/train/run_folder.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

constexpr int kRounds = 5;

/// True when a fix of something refused or adjusted was applied.
bool apply_findings(Preset& preset, const std::vector<Finding>& findings) {
  bool applied = false;
  for (const Finding& f : findings) {
    if ((f.verdict == "refused" || f.verdict == "adjusted") && f.fix_json != "{}") {
      apply_patch(preset, Json::parse(f.fix_json));
      applied = true;
    }
  }
  return applied;
}

/// What can be given up, the mildest first. Empty where the preset does so already.
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
  if (p.precision.weights.denoiser != StorageType::fp8_e4m3 &&
      p.precision.weights.denoiser != StorageType::fp8_e5m2 &&
      p.training.method == TrainingMethod::adapter) {
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

}  // namespace

ModelFacts DraftPlanner::facts_of(const JobSpec& job) {
  const std::lock_guard lock(mutex_);
  std::error_code error;
  try {
    const std::filesystem::path base = resolve_base(job.base);
    const auto time = std::filesystem::last_write_time(base, error);
    if (!facts_ || base != base_ || time != time_) {
      facts_ = model_facts(WeightSource::open(base));
      base_ = base;
      time_ = time;
    }
    return *facts_;
  } catch (const Error&) {
    // Not chosen yet, or not a model: starting says so. The family alone already tells much.
    ModelFacts facts;
    if (job.preset.model.family != ModelFamily::automatic) {
      take_family(facts, family_of(job.preset.model.family));
    }
    return facts;
  }
}

DeviceFacts DraftPlanner::device_of(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = devices_.find(name);
  if (known != devices_.end()) {
    return known->second;
  }
  DeviceFacts facts;
  try {
    facts = device_facts(name);
  } catch (const Error&) {
    // The device page and starting say why; the CPU's rules stand in.
  }
  return devices_.emplace(name, facts).first->second;
}

PlanReport DraftPlanner::plan(const JobSpec& job) {
  const PrecisionPlan plan = make_precision_plan(job.preset, facts_of(job), device_of(job.device));
  PlanReport report;
  report.precision_json = plan.json();
  for (const PrecisionFinding& f : plan.findings) {
    report.findings.push_back(
        {f.id, std::string(verdict_name(f.verdict)), f.fields, f.message, f.fix_json, f.changes});
  }
  return report;
}

Preset with_safe_fixes(const PlanFunction& planner, const JobSpec& job) {
  JobSpec fixed = job;
  for (int round = 0; round < kRounds; ++round) {
    if (!apply_findings(fixed.preset, planner(fixed).findings)) {
      break;
    }
  }
  return fixed.preset;
}

std::vector<FitOption> fit_options(const JobSpec& job, std::uint64_t free_bytes,
                                   const PlanFunction& planner) {
  std::vector<FitOption> options;
  Json together = Json::object();
  std::optional<FitOption> row;
  for (const Json& patch : candidates(job.preset)) {
    JobSpec alone = job;
    apply_patch(alone.preset, patch);
    const std::uint64_t peak = planner(alone).peak_bytes;
    if (peak <= free_bytes) {
      options.push_back({patch.dump(), peak});
    }
    if (!row) {
      together.update(patch);
      JobSpec both = job;
      apply_patch(both.preset, together);
      const std::uint64_t sum = planner(both).peak_bytes;
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

}  // namespace mantissa
