#pragma once
// Modules of a part that need more bits than its others.

#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

/// What modules are kept from.
enum class WideFor {
  codes,  ///< 8 bits and fewer, in storage and GEMMs: a few values affect the whole image
  fp16,   ///< FP16 compute, whose range their outputs exceed
};

/// The modules whose path within their part matches a glob such as "blocks.*.norm.linear".
struct WideModule {
  std::string_view pattern;
  const MessageTemplate* reason;  ///< for the plan: "timestep"
  WideFor from = WideFor::codes;
};

/// The usual reasons.
inline constexpr const MessageTemplate* kModelEntry = &message_template<"the model's entry">;
inline constexpr const MessageTemplate* kModelExit = &message_template<"the model's exit">;
inline constexpr const MessageTemplate* kTimestep = &message_template<"timestep">;
inline constexpr const MessageTemplate* kTextEntry = &message_template<"text entry">;

}  // namespace mantissa
