#pragma once
// Cards as cuDNN's heuristics know them, for plans without one.

#include <memory>
#include <ostream>
#include <span>

#include "kernels/cuda/cudnn_graphs.h"

namespace mantissa::testing {

/// Figures of NVIDIA's data sheets and of the CUDA programming guide's table of compute
/// capabilities.
struct Card {
  const char* name;
  int capability;  ///< 10·major + minor
  int multiprocessors;
  int clock_khz, memory_clock_khz;
  int l2_bytes;
  int shared_bytes;     ///< most a block may ask for
  int blocks, threads;  ///< resident on a multiprocessor
};

inline void PrintTo(const Card& card, std::ostream* out) {
  *out << card.name;
}

/// One of each generation that the CUDA library is built for.
std::span<const Card> cards();

/// What a graph needs for plans for this card. Throws std::runtime_error where cuDNN doesn't take
/// the description.
std::shared_ptr<cudnn_frontend::DeviceProperties> properties_of(const Card& card);

/// The card that the frontend sees where it asks the CUDA runtime itself.
void set_current_card(const Card& card);

}  // namespace mantissa::testing
