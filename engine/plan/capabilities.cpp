#include "engine/plan/capabilities.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/plan/card_table.h"
#include "engine/plan/job_precision.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/family_table.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// The storage type of weights of a dtype.
StorageType storage_of(DType dtype) {
  for (std::size_t i = 0; i < enum_names<StorageType>().size(); ++i) {
    const auto type = static_cast<StorageType>(i);
    if (dtype_of(type) == dtype) {
      return type;
    }
  }
  return StorageType::fp32;
}

Preset preset_of(const Family& family, const TrainingKind& kind, const PrecisionChoice& choice) {
  Preset preset;
  preset.model.family = family.id();
  preset.training.method = kind.method;
  preset.adapter.type = kind.adapter;
  preset.precision.compute = choice.compute;
  preset.precision.weights.denoiser = choice.weights;
  return preset;
}

ModelFacts family_facts(const Family& family, StorageType weights) {
  ModelFacts facts;
  take_family(facts, family);
  facts.prediction = family.row.has_flow ? Prediction::flow : Prediction::epsilon;
  if (weights == StorageType::gguf) {
    facts.denoiser_file = DType::gguf;
  }
  return facts;
}

/// Whether an adjustment changed the compute type or the denoiser's weights.
bool changes_choice(const PrecisionFinding& finding) {
  const auto patch = nlohmann::json::parse(finding.fix_json);
  return patch.contains("precision.compute") || patch.contains("precision.weights.denoiser");
}

/// Every verdict that the reference shows for a device.
std::vector<Capability> column_of(const DeviceFacts& device) {
  std::vector<Capability> column;
  for (const Family* family : families()) {
    for (const TrainingKind& kind : training_kinds()) {
      for (std::size_t i = 0; i < enum_names<ComputeType>().size(); ++i) {
        column.push_back(
            capability(*family, kind, natural_choice(static_cast<ComputeType>(i)), device));
      }
      for (std::size_t i = 0; i < enum_names<StorageType>().size(); ++i) {
        column.push_back(storage_capability(*family, kind, static_cast<StorageType>(i), device));
      }
    }
  }
  return column;
}

}  // namespace

std::string_view TrainingKind::name() const {
  return method == TrainingMethod::full ? enum_name(method) : enum_name(adapter);
}

std::string_view TrainingKind::title() const {
  return method == TrainingMethod::full ? "Full fine-tuning" : adapter_title(adapter);
}

std::vector<TrainingKind> training_kinds() {
  std::vector<TrainingKind> kinds;
  for (std::size_t i = 0; i < enum_names<AdapterType>().size(); ++i) {
    kinds.push_back({TrainingMethod::adapter, static_cast<AdapterType>(i)});
  }
  kinds.push_back({TrainingMethod::full});
  return kinds;
}

std::string DeviceKind::id() const {
  const int capability = facts.compute_capability;
  return capability == 0 ? "cpu" : fmt::format("cuda {}.{}", capability / 10, capability % 10);
}

std::vector<DeviceKind> device_kinds() {
  std::vector<DeviceKind> kinds{{}};
  for (const CardGeneration& generation : card_generations()) {
    kinds.push_back({{std::string(generation.cards), generation.capability}, generation.cards});
  }
  return kinds;
}

PrecisionChoice natural_choice(ComputeType compute) {
  return {compute, storage_of(multiplied_codes(compute).value_or(activation_dtype(compute)))};
}

Capability capability(const Family& family, const TrainingKind& kind, const PrecisionChoice& choice,
                      const DeviceFacts& device) {
  const PrecisionPlan plan = make_precision_plan(preset_of(family, kind, choice),
                                                 family_facts(family, choice.weights), device);
  const Preset::Precision& used = plan.effective.precision;
  Capability result{plan.refusal() == nullptr, {used.compute, used.weights.denoiser}, {}};
  for (const PrecisionFinding& finding : plan.findings) {
    const bool counts = result.trains
                            ? finding.verdict == Verdict::adjusted && changes_choice(finding)
                            : finding.verdict == Verdict::refused;
    if (counts) {
      result.reasons.push_back(finding.id);
    }
  }
  return result;
}

Capability storage_capability(const Family& family, const TrainingKind& kind, StorageType weights,
                              const DeviceFacts& device) {
  constexpr ComputeType kWide[] = {ComputeType::bf16, ComputeType::fp16, ComputeType::fp32};
  for (const ComputeType compute : kWide) {
    Capability result = capability(family, kind, {compute, weights}, device);
    if (result.trains && result.used.weights == weights) {
      result.reasons.clear();
      return result;
    }
  }
  return capability(family, kind, {ComputeType::fp32, weights}, device);
}

std::vector<const Family*> listed_families() {
  std::vector<const Family*> list(families().begin(), families().end());
  const auto rows = family_rows();
  std::ranges::sort(list, {}, [&](const Family* family) {
    return std::ranges::find(rows, &family->row) - rows.begin();
  });
  return list;
}

std::vector<std::vector<DeviceKind>> device_columns() {
  std::vector<std::vector<DeviceKind>> columns;
  std::vector<Capability> before;
  for (const DeviceKind& device : device_kinds()) {
    std::vector<Capability> verdicts = column_of(device.facts);
    const bool alone = columns.size() < 2;  // the CPU, and the oldest cards
    if (alone || verdicts != before) {
      columns.emplace_back();
    }
    columns.back().push_back(device);
    before = std::move(verdicts);
  }
  return columns;
}

}  // namespace mantissa
