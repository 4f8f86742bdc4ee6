#pragma once
// What can be trained how, where: family x method x precision x device x platform. Every answer is
// the precision plan's, as for a run; nothing is listed twice.

#include <string>
#include <string_view>
#include <vector>

#include "engine/io/family.h"
#include "engine/precision/plan.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A way to train: an adapter of a type, or the weights themselves.
struct TrainingKind {
  TrainingMethod method = TrainingMethod::adapter;
  AdapterType adapter = AdapterType::lora;

  std::string_view name() const;   ///< as presets spell it: "dora", "full"
  std::string_view title() const;  ///< "DoRA", "Full fine-tuning"
};
/// Adapters in the order of AdapterType, then full fine-tuning.
std::vector<TrainingKind> training_kinds();

/// A device as the precision plan knows it: the CPU, or the cards of one compute capability.
struct DeviceKind {
  DeviceFacts facts;
  std::string_view cards;  ///< "RTX 40"; empty for the CPU

  std::string id() const;  ///< "cpu", "cuda 8.9"
};
/// The CPU, then card_generations().
std::vector<DeviceKind> device_kinds();

/// The precision of a denoiser.
struct PrecisionChoice {
  ComputeType compute = ComputeType::fp32;
  StorageType weights = StorageType::fp32;
  bool operator==(const PrecisionChoice&) const = default;
};
/// `compute` with the weights that it multiplies: codes of FP8 or INT8, else of its own type.
PrecisionChoice natural_choice(ComputeType compute);

/// What a run with a choice does.
struct Capability {
  bool trains = false;               ///< false: refused before the first step
  PrecisionChoice used;              ///< differs from the choice if that was adjusted
  std::vector<std::string> reasons;  ///< ids of the refusals; else of what changed the choice
  bool operator==(const Capability&) const = default;
};
/// The precision plan's verdict on a preset of defaults with this choice, the denoiser trained. Its
/// file has the family's usual type, with `gguf` blocks of GGUF.
Capability capability(const Family& family, const TrainingKind& kind, const PrecisionChoice& choice,
                      const DeviceFacts& device);
/// The verdict on `weights` with the first of BF16, FP16 and FP32 compute that keeps them; with
/// FP32 if none does.
Capability storage_capability(const Family& family, const TrainingKind& kind, StorageType weights,
                              const DeviceFacts& device);

/// Families in the order of presets.
std::vector<const Family*> listed_families();
/// Columns of the reference: devices next to each other with the same verdicts on everything that
/// it lists, as one.
std::vector<std::vector<DeviceKind>> device_columns();

/// The reference: resources/docs/reference/capabilities.md.
std::string capabilities_markdown();

}  // namespace mantissa
