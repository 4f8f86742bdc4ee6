#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/adapters/adapter_set.h"
#include "engine/io/model_writer.h"

namespace mantissa {

/// The part and name of the weight that a module's path stands for: "text_encoder.x" -> te1,
/// "x.weight".
std::pair<Part, std::string> weight_of_module(std::string_view path);

/// Gives factors that a file keeps flat (LoHa and LoKr of convolutions) the shapes of their
/// weights. Modules that don't fit are left as they are.
void fit_shapes(std::vector<LoraModule>& modules, const WeightSource& base);

/// Puts adapters into a model that is about to be written: W + Σ strength·(W' - W), each W' by
/// weight_delta from the base's own W, computed in fp32 when the weight's turn comes. Throws Error:
/// Q5 where the model would keep the weight in FP8, and for modules the base lacks or that don't
/// fit. `source` and `adapters` must outlive the writing.
void merge_adapters(ModelContents& model, const WeightSource& source,
                    std::span<const WeightedLora> adapters);

/// What a model has become, as an adapter.
struct ExtractResult {
  std::vector<LoraModule> modules;  ///< those that changed
  double error = 0;                 ///< largest ‖Δ - LoRA‖ / ‖Δ‖ of a module (Frobenius)
  /// Weights that changed but that no LoRA can hold: norms, biases, embeddings.
  std::vector<std::string> left_out;
};
/// The LoRA of at most `rank` (for each module as many as hold the share `energy` of ‖Δ‖²) nearest
/// to tuned - base. Throws Error where the models differ in their weights' shapes.
ExtractResult extract_adapter(const WeightSource& base, const WeightSource& tuned, int rank,
                              double energy);

}  // namespace mantissa
