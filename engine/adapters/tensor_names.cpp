#include "engine/adapters/tensor_names.h"

namespace mantissa {
namespace {

struct Suffix {
  std::string_view text;
  AdapterRole role;
  TensorNames names;
};

// The first entry of a role and naming is the one that is written.
constexpr Suffix kSuffixes[] = {
    {".lora_down.weight", AdapterRole::down, TensorNames::kohya},
    {".lora_up.weight", AdapterRole::up, TensorNames::kohya},
    {".lora_mid.weight", AdapterRole::mid, TensorNames::kohya},
    {".alpha", AdapterRole::alpha, TensorNames::kohya},
    {".dora_scale", AdapterRole::magnitude, TensorNames::kohya},
    {".lora_A.weight", AdapterRole::down, TensorNames::peft},
    {".lora_B.weight", AdapterRole::up, TensorNames::peft},
    {".lora_magnitude_vector", AdapterRole::magnitude, TensorNames::peft},
    {".lora_magnitude_vector.weight", AdapterRole::magnitude, TensorNames::peft},
    {".magnitude", AdapterRole::magnitude, TensorNames::old},  // AI Toolkit's, per output
    {".lora.down.weight", AdapterRole::down, TensorNames::old},
    {".lora.up.weight", AdapterRole::up, TensorNames::old},
    {".lora_linear_layer.down.weight", AdapterRole::down, TensorNames::old},
    {".lora_linear_layer.up.weight", AdapterRole::up, TensorNames::old},
    {".down.weight", AdapterRole::down, TensorNames::processor},
    {".up.weight", AdapterRole::up, TensorNames::processor},
    {".hada_w1_a", AdapterRole::hada_w1_a, TensorNames::kohya},
    {".hada_w1_b", AdapterRole::hada_w1_b, TensorNames::kohya},
    {".hada_w2_a", AdapterRole::hada_w2_a, TensorNames::kohya},
    {".hada_w2_b", AdapterRole::hada_w2_b, TensorNames::kohya},
    {".hada_t1", AdapterRole::hada_t1, TensorNames::kohya},
    {".hada_t2", AdapterRole::hada_t2, TensorNames::kohya},
    {".lokr_w1", AdapterRole::lokr_w1, TensorNames::kohya},
    {".lokr_w1_a", AdapterRole::lokr_w1_a, TensorNames::kohya},
    {".lokr_w1_b", AdapterRole::lokr_w1_b, TensorNames::kohya},
    {".lokr_w2", AdapterRole::lokr_w2, TensorNames::kohya},
    {".lokr_w2_a", AdapterRole::lokr_w2_a, TensorNames::kohya},
    {".lokr_w2_b", AdapterRole::lokr_w2_b, TensorNames::kohya},
    {".lokr_t2", AdapterRole::lokr_t2, TensorNames::kohya},
    {".diff", AdapterRole::diff, TensorNames::kohya},
    {".w_norm", AdapterRole::diff, TensorNames::kohya},  // LyCORIS's, of norms
};

}  // namespace

std::string_view tensor_suffix(AdapterRole role, TensorNames names) {
  for (const Suffix& s : kSuffixes) {
    if (s.role == role && s.names == names) {
      return s.text;
    }
  }
  return {};
}

std::optional<SplitName> split_suffix(std::string_view name) {
  for (const Suffix& s : kSuffixes) {
    if (!name.ends_with(s.text)) {
      continue;
    }
    const std::string_view module = name.substr(0, name.size() - s.text.size());
    if (s.names == TensorNames::processor && !module.ends_with("_lora")) {
      continue;
    }
    return SplitName{module, s.role, s.names};
  }
  return std::nullopt;
}

}  // namespace mantissa
