#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa::testing {

/// One cell of the precision matrix: a choice per setting, by index.
struct Combination {
  enum Factor {
    weights,        ///< fp32, bf16, fp16, fp8_e4m3, fp8_e5m2, int8, nf4, int8_convrot,
                    ///< mxfp8, nvfp4, gguf
    compute,        ///< fp32, tf32, bf16, fp16, fp8, int8, int8_fp16
    adapter,        ///< fp32, bf16, fp16
    gradients,      ///< fp32, bf16, fp16
    state,          ///< fp32, bf16, 8bit
    form,           ///< LoRA, DoRA by output, DoRA by input, LoHa, LoKr
    optimizer,      ///< in the order of kOptimizers
    checkpointing,  ///< off, on
    groups,         ///< one, three
    accumulation,   ///< 1, 2
    clipping,       ///< off, on
    kFactors
  };
  static constexpr std::array<int, kFactors> kLevels{
      11, 7, 3, 3, 3, 5, static_cast<int>(kOptimizers.size()), 2, 2, 2, 2};
  std::array<int, kFactors> level{};

  /// "weights=bf16 compute=fp16 …"
  std::string text() const;
};

/// Every combination as a number and back.
std::int64_t combination_count();
Combination combination(std::int64_t number);

/// The smallest set found by a deterministic greedy search in which every choice of values for any
/// three settings occurs. Its first `pairs_covered` rows hold every choice for any two.
std::vector<Combination> covering_combinations();
std::size_t pairs_covered(const std::vector<Combination>& set);

/// The preset of a combination: 20 steps on a tiny model.
Preset preset_of(const Combination& c);

/// The preset for comparison: computed in fp32, on the codes of weights that are kept or
/// multiplied as codes. How far a base model's codes take training elsewhere is no rounding of
/// training: of a tiny model, FP8 weights let plain SGD get a quarter further.
Preset reference_of(const Combination& c);

}  // namespace mantissa::testing
