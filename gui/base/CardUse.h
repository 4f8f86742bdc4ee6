#pragma once

namespace mantissa::gui {

/// What several cards do.
enum class CardUse {
  together,  ///< share the micro-steps of one run
  each,      ///< have a run each, from the queue
  split,     ///< share the layers of one run's model
};

}  // namespace mantissa::gui
