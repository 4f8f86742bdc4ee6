#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/optim/optimizer.h"

namespace mantissa {

/// Tensors below this keep fp32 moments where the others have 8 bits (arXiv 2110.02861).
inline constexpr std::int64_t kSmallTensor = 4096;

/// One state buffer, before it is allocated.
struct StateSpec {
  std::string name;
  DType dtype = DType::f32;
  std::int64_t count = 0;
};

/// Whether the factored rules keep a row and a column for this tensor.
constexpr bool is_matrix(const OptimizerTensor& t) {
  return t.rows > 1 && t.cols > 1;
}
/// Elements of the flat buffers the tensors lie in.
std::int64_t flat_count(std::span<const OptimizerTensor> tensors);
/// The dtype setting moments really have: adamw8bit brings its own.
StateType state_type(const OptimizerSettings& settings);

/// Every device buffer of an optimizer: the one place that knows what state a rule has. Prodigy's
/// two numbers, which are the scale's, are not in it.
std::vector<StateSpec> state_layout(const OptimizerSettings& settings,
                                    std::span<const OptimizerTensor> tensors);

/// The allocated, zeroed buffers of a layout.
class StateBuffers {
 public:
  StateBuffers(Kernels& kernels, const OptimizerSettings& settings,
               std::span<const OptimizerTensor> tensors);
  ~StateBuffers();
  StateBuffers(const StateBuffers&) = delete;
  StateBuffers& operator=(const StateBuffers&) = delete;

  /// Elements [first, first + count) of the buffer of this name; an empty view if there is none.
  View slice(const std::string& name, std::int64_t first, std::int64_t count) const;
  /// The moment of this name of tensor `index`.
  MomentView moment(const std::string& name, std::size_t index) const;
  const std::vector<OptimizerState>& all() const { return buffers_; }

 private:
  /// Where a tensor's 8-bit moments lie.
  struct Place {
    bool small = false;
    std::int64_t first = 0, first_block = 0;
  };
  Kernels& kernels_;
  std::vector<OptimizerState> buffers_;
  std::vector<OptimizerTensor> tensors_;
  std::vector<Place> places_;
};

}  // namespace mantissa
