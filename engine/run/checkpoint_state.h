#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/run/run_identity.h"

namespace mantissa {

/// A run's state apart from tensors. Randomness needs no state: it is keyed by the step.
struct CheckpointState {
  std::int64_t step = 0;     ///< optimizer steps attempted
  std::int64_t updates = 0;  ///< steps that updated the weights (schedule and EMA position)
  std::int64_t skips_in_row = 0;
  double loss_scale = 1;
  std::int64_t growth_counter = 0;
  std::int64_t seed = 0;
  std::map<std::string, std::int64_t> optimizer_updates;  ///< by part
  std::string dataset;                                    ///< fingerprint
  std::string plan;                                       ///< precision plan, JSON
  std::string preset;                                     ///< full, JSON
  RunIdentity identity;               ///< empty in checkpoints of older versions
  std::vector<std::string> accepted;  ///< later changes of it that the user accepted
  /// Whether the buffers are laid out by AdapterSet::stack; false in checkpoints of format 1.
  bool stacked_adapters = true;
};

std::string to_text(const CheckpointState& state);
/// Throws Error naming `label` and the field that is missing, of another type or out of range.
CheckpointState parse_checkpoint_state(const std::string& text, const std::string& label);

}  // namespace mantissa
