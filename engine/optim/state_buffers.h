#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/optim/optimizer.h"

namespace mantissa {

/// Tensors below this keep fp32 moments even with 8-bit state (arXiv 2110.02861).
inline constexpr std::int64_t kSmallTensor = 4096;

/// One state buffer, before it is allocated.
struct StateSpec {
  std::string name;
  DType dtype = DType::f32;
  std::int64_t count = 0;
};

/// Whether the factored rules store a row and a column for this tensor.
constexpr bool is_matrix(const OptimizerTensor& t) {
  return t.rows > 1 && t.cols > 1;
}
/// Size in elements of the tensors' flat buffer.
std::int64_t flat_count(std::span<const OptimizerTensor> tensors);
/// The effective dtype setting of moments: adamw8bit has its own.
StateType state_type(const OptimizerSettings& settings);

/// Every device buffer of an optimizer: the only place that defines a rule's state. Excludes
/// Prodigy's two numbers, which belong to the scale.
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
  /// Offsets of a tensor's 8-bit moments.
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
