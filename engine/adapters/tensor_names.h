#pragma once
// Suffixes of an adapter's tensor names.

#include <optional>
#include <string_view>

namespace mantissa {

/// The naming of a module's tensors in a file.
enum class TensorNames {
  kohya,  ///< .lora_down.weight, .lora_up.weight, .alpha, .dora_scale; LyCORIS adds .hada_…,
          ///< .lokr_…
  peft,   ///< .lora_A.weight, .lora_B.weight, .lora_magnitude_vector; no alpha
  old,    ///< .lora.down.weight, .lora.up.weight: diffusers before PEFT; AI Toolkit's .magnitude;
          ///< read, but never written
  processor,  ///< .down.weight, .up.weight after …_lora
};

/// A tensor's role in its module.
enum class AdapterRole {
  down,
  up,
  mid,  ///< LoCon's Tucker core
  alpha,
  magnitude,
  hada_w1_a,
  hada_w1_b,
  hada_w2_a,
  hada_w2_b,
  hada_t1,
  hada_t2,
  lokr_w1,
  lokr_w1_a,
  lokr_w1_b,
  lokr_w2,
  lokr_w2_a,
  lokr_w2_b,
  lokr_t2,
  diff,  ///< the whole change of a weight
};

/// ".lora_down.weight"; empty if the naming has no such tensor.
std::string_view tensor_suffix(AdapterRole role, TensorNames names);

struct SplitName {
  std::string_view module;
  AdapterRole role = AdapterRole::down;
  TensorNames names = TensorNames::kohya;
};
/// Parses a tensor's name; empty if it isn't an adapter's.
std::optional<SplitName> split_suffix(std::string_view name);

}  // namespace mantissa
