#pragma once
// What each of several cards that share the layers of a run would have.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/graph/devices.h"
#include "engine/plan/card_table.h"

namespace mantissa {

/// A card that may have a part of the layers.
struct SplitCard {
  std::string name;                 ///< "cuda:0", or that of its model
  std::uint64_t bytes = 0;          ///< that a run may use; 0: unknown, any number
  const CardSpec* model = nullptr;  ///< null: its rates aren't known
};

/// The layers of one card.
struct SplitStage {
  std::string card;
  std::string first, last;          ///< module paths of the forward pass
  std::uint64_t weight_bytes = 0;   ///< frozen
  std::uint64_t adapter_bytes = 0;  ///< with gradients and optimizer states
  std::uint64_t arena_bytes = 0;    ///< activations, and what other cards send
  double ms = 0;                    ///< of a step, all micro-steps; 0: unknown
  std::uint64_t bytes() const { return weight_bytes + adapter_bytes + arena_bytes; }
};

struct CardSplit {
  std::uint64_t alone_bytes = 0;  ///< what one card would need without streaming
  /// In the order of the forward pass, on as few of the cards as it takes; empty if no cut makes
  /// every part fit.
  std::vector<SplitStage> stages;
  DevicePlaces places;  ///< the card of every weight, by its index in `stages`
  /// Without stages: the part that doesn't fit, if each card before it takes as much as it can.
  Message shortage;
  double sent_bytes = 0;  ///< over all cuts, both directions, in a step
  /// One card computes at a time; sending isn't overlapped. 0: unknown.
  double ms = 0, sending_ms = 0;
  /// The alternative on the first card: weights in host memory, copied for each use while what was
  /// copied before is in use. 0: unknown.
  std::uint64_t streamed_bytes = 0, streaming_peak_bytes = 0;
  double copied_bytes = 0;  ///< in a step
  double streaming_ms = 0;
  bool streaming_fits = false;
};

}  // namespace mantissa
