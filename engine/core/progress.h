#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

/// The phases of long work.
enum class RunPhase {
  loading,
  scanning,
  hashing,
  caching,
  caching_text,
  reading,
  training,
  validating,
  measuring,  ///< losses of single training images
  sampling,
  probing
};

/// "loading", "caching text", …: its name in events.
constexpr std::string_view phase_name(RunPhase phase) {
  switch (phase) {
    case RunPhase::loading:
      return "loading";
    case RunPhase::scanning:
      return "scanning";
    case RunPhase::hashing:
      return "hashing";
    case RunPhase::caching:
      return "caching";
    case RunPhase::caching_text:
      return "caching text";
    case RunPhase::reading:
      return "reading";
    case RunPhase::training:
      return "training";
    case RunPhase::validating:
      return "validating";
    case RunPhase::measuring:
      return "measuring images";
    case RunPhase::sampling:
      return "sampling";
    case RunPhase::probing:
      return "probing";
  }
  return {};
}

/// What the program does in it, for people: "preparing images", after "while".
Message phase_words(RunPhase phase);

/// Called as long work advances: phase, units done, units in total. May throw to cancel.
using Progress = std::function<void(RunPhase phase, std::int64_t done, std::int64_t total)>;

}  // namespace mantissa
