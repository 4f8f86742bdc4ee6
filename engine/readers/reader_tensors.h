#pragma once
// Suffixes that several readers look for.

#include <array>

#include "engine/readers/reader.h"

namespace mantissa {

/// The concatenation of tables of tensors.
template <std::size_t... Sizes>
constexpr auto joined_rules(const std::array<TensorRule, Sizes>&... tables) {
  std::array<TensorRule, (Sizes + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& table) {
    for (const TensorRule& rule : table) {
      all[at++] = rule;
    }
  };
  (append(tables), ...);
  return all;
}

inline constexpr std::array kKohyaTensors{
    TensorRule{".lora_down.weight", AdapterRole::down},
    TensorRule{".lora_up.weight", AdapterRole::up},
    TensorRule{".alpha", AdapterRole::alpha},
};
inline constexpr std::array kPeftTensors{
    TensorRule{".lora_A.weight", AdapterRole::down},
    TensorRule{".lora_B.weight", AdapterRole::up},
};
/// diffusers before PEFT.
inline constexpr std::array kOldTensors{
    TensorRule{".lora.down.weight", AdapterRole::down},
    TensorRule{".lora.up.weight", AdapterRole::up},
    TensorRule{"_lora.down.weight", AdapterRole::down},
    TensorRule{"_lora.up.weight", AdapterRole::up},
    TensorRule{".lora_linear_layer.down.weight", AdapterRole::down},
    TensorRule{".lora_linear_layer.up.weight", AdapterRole::up},
};
inline constexpr std::array kMidTensors{
    TensorRule{".lora_mid.weight", AdapterRole::mid},
};
inline constexpr std::array kDoraTensors{
    TensorRule{".dora_scale", AdapterRole::magnitude},
};
inline constexpr std::array kLohaTensors{
    TensorRule{".hada_w1_a", AdapterRole::hada_w1_a},
    TensorRule{".hada_w1_b", AdapterRole::hada_w1_b},
    TensorRule{".hada_w2_a", AdapterRole::hada_w2_a},
    TensorRule{".hada_w2_b", AdapterRole::hada_w2_b},
    TensorRule{".hada_t1", AdapterRole::hada_t1},
    TensorRule{".hada_t2", AdapterRole::hada_t2},
};
inline constexpr std::array kLokrTensors{
    TensorRule{".lokr_w1", AdapterRole::lokr_w1},
    TensorRule{".lokr_w1_a", AdapterRole::lokr_w1_a},
    TensorRule{".lokr_w1_b", AdapterRole::lokr_w1_b},
    TensorRule{".lokr_w2", AdapterRole::lokr_w2},
    TensorRule{".lokr_w2_a", AdapterRole::lokr_w2_a},
    TensorRule{".lokr_w2_b", AdapterRole::lokr_w2_b},
};
inline constexpr std::array kLokrCoreTensors{
    TensorRule{".lokr_t2", AdapterRole::lokr_t2},
};
inline constexpr std::array kDiffTensors{
    TensorRule{".diff", AdapterRole::diff},
    TensorRule{".diff_b", AdapterRole::alpha, BesideRole::bias_change},
};
inline constexpr std::array kNormTensors{
    TensorRule{".w_norm", AdapterRole::diff},
    TensorRule{".b_norm", AdapterRole::alpha, BesideRole::bias_change},
};

}  // namespace mantissa
