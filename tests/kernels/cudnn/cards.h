#pragma once
// Card descriptions for cuDNN's heuristics, for plans without a card.

#include <memory>
#include <ostream>
#include <span>

#include "kernels/cuda/cudnn_graphs.h"

namespace mantissa::testing {

/// Figures from NVIDIA's data sheets and of the CUDA programming guide's table of compute
/// capabilities.
struct Card {
  const char* name;
  int capability;  ///< 10·major + minor
  int multiprocessors;
  int clock_khz, memory_clock_khz;
  int l2_bytes;
  int shared_bytes;     ///< maximum per block
  int blocks, threads;  ///< resident on a multiprocessor
};

inline void PrintTo(const Card& card, std::ostream* out) {
  *out << card.name;
}

/// One of each generation that the CUDA library is built for.
std::span<const Card> cards();

/// A graph's properties for this card. Throws std::runtime_error if cuDNN refuses the description.
std::shared_ptr<cudnn_frontend::DeviceProperties> properties_of(const Card& card);

/// The card reported to the frontend by the CUDA runtime.
void set_current_card(const Card& card);

}  // namespace mantissa::testing
