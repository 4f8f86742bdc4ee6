#pragma once
// Adapters as values, independent of any model: what files hold.

#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/dora.h"
#include "engine/adapters/product_form.h"
#include "engine/graph/tensor.h"

namespace mantissa {

/// The values of one module's LoRA, independent of any model, as in files.
struct AdapterModule {
  std::string path;
  int rank = 0;      ///< 0: `dense` holds the change
  double alpha = 0;  ///< scale = alpha / rank
  Shape down_shape, up_shape;
  std::vector<float> down, up;
  /// The whole change of the weight [out, in·kh·kw], if no low rank represents it (LoKr, diff).
  std::vector<float> dense;
  /// DoRA: the axis, and m [channels].
  std::optional<DoraAxis> dora_axis;
  std::vector<float> magnitude;
  bool in_original = false;  ///< `path` is of the original checkpoints: see fused_module.h
  /// A LoHa's or LoKr's own factors. Modules from a file also have them as up and down or `dense`,
  /// those of a trained set don't: see `expanded`.
  std::optional<ProductModule> product;
};

/// A LoRA file and its strength.
struct WeightedAdapter {
  const std::vector<AdapterModule>* modules = nullptr;
  double weight = 1;
  std::string file = "LoRA";  ///< in messages
};

}  // namespace mantissa
