#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/run/first_steps.h"

namespace mantissa {

enum class Sameness {
  bits,      ///< every number and every tensor
  rounding,  ///< within the bound, where other processors, kernels or versions round otherwise
  different
};

/// Where two traces first differ.
struct FirstDifference {
  std::int64_t step = 1;
  std::string tensor;  ///< empty: the step's loss, gradient norm or loss scale, before any update
};

/// One step's differences.
struct StepDifference {
  double loss = 0, grad_norm = 0;  ///< relative
  double norm = 0;                 ///< largest relative difference of a tensor's norm
  std::string tensor;              ///< that has it; empty if all are equal
  std::string first_tensor;        ///< first of another hash, in the order of the model; or empty
};

struct FirstStepsComparison {
  Sameness sameness = Sameness::bits;
  std::optional<FirstDifference> first;  ///< unless they are the same to the bit
  /// Largest relative differences, infinite if one isn't a number, and those that are rounding.
  double largest = 0, bound = 0;            ///< of losses and gradient norms
  double largest_norm = 0, norm_bound = 0;  ///< of tensors' norms
  std::vector<StepDifference> steps;
  Message verdict;  ///< one line
};

/// The relative difference that other summation orders explain: eight times the unit roundoff of
/// the compute type ("bf16"), that of bf16 for 8-bit types, whose sums and outputs have it; at
/// least 1e-5, since fp32 sums of some thousand products differ by more than single roundings.
double rounding_bound(const std::string& compute);

/// The bound for the norm of a trained tensor: the square root of rounding_bound. Adaptive
/// optimizers move every element by about the learning rate. Where a share ε of the elements has
/// gradients below the rounding error, each of them may be a whole step off: √ε of the update.
double norm_rounding_bound(const std::string& compute);

/// Compares a run's trace with a replay of it. Differences are rounding only where something rounds
/// otherwise: another device, another version, or a device that doesn't repeat its bits.
FirstStepsComparison compare_first_steps(const FirstSteps& then, const FirstSteps& now);

}  // namespace mantissa
