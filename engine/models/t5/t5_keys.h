#pragma once
// Names of a T5 encoder's weights: transformers' own, and those of GGUF files (llama.cpp).

#include <array>
#include <optional>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// T5's embedding table, and its other name.
inline constexpr std::string_view kT5Table = "shared.weight";
inline constexpr std::string_view kT5TiedTable = "encoder.embed_tokens.weight";

/// The mapping of a text encoder's tensor; empty if it isn't T5's. `has_table`: that encoder has
/// the table under its own name, so the other one is a copy.
std::optional<NameMapping> t5_weight(Part part, std::string_view name, bool has_table);

inline constexpr std::array kT5Targets{
    TargetRow{"*.SelfAttention.q", TargetKind::attention},
    TargetRow{"*.SelfAttention.k", TargetKind::attention},
    TargetRow{"*.SelfAttention.v", TargetKind::attention},
    TargetRow{"*.SelfAttention.o", TargetKind::attention},
    TargetRow{"*.DenseReluDense.*", TargetKind::mlp},
};

/// T5-v1.1-XXL reaches 66246, beyond FP16's 65504.
inline constexpr std::array kT5Wide{
    WideModule{"*.DenseReluDense.wo", &message_template<"its output overflows fp16">,
               WideFor::fp16},
};

}  // namespace mantissa
