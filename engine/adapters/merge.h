#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/export.h"
#include "engine/io/model_writer.h"
#include "engine/io/weights.h"

namespace mantissa {

/// Merges adapters into a model about to be written: W + Σ strength·(W' - W), each W' by
/// weight_delta from the base's own W, computed in fp32 while the weight is written. Throws Error:
/// Q5 if the model would store the weight in FP8, and for modules that the base lacks, that don't
/// fit, or whose change is beyond FP32. `source` and `adapters` must outlive the writing.
void merge_adapters(ModelContents& model, const WeightSource& source,
                    std::span<const WeightedAdapter> adapters);

/// Changes of weights that no adapter multiplies; merge_changes adds them as merge_adapters does: W
/// + weight·change.
struct WeightedChanges {
  const std::vector<WeightChange>* changes = nullptr;
  double weight = 1;
};
void merge_changes(ModelContents& model, const WeightSource& source,
                   std::span<const WeightedChanges> files);
/// Values of changed weights, for those that are loaded already, by part and canonical name.
std::map<std::pair<Part, std::string>, std::vector<float>> changed_values(
    const WeightSource& source, std::span<const WeightedChanges> files);

/// The difference of two models as an adapter.
struct ExtractResult {
  std::vector<AdapterModule> modules;  ///< those that changed
  double error = 0;  ///< largest ‖Δ - LoRA‖ / ‖Δ‖ of a module (Frobenius)
  /// Changed weights that a LoRA can't represent: norms, biases, embeddings.
  std::vector<std::string> left_out;
};
/// Called with the modules that changed, without values or rank, before their factors are computed.
using ExtractCheck = std::function<void(std::span<const AdapterModule> changed)>;
/// Modules done of all, first compared, then of those that changed; called from several threads.
/// May throw to cancel.
using ExtractProgress = std::function<void(std::int64_t done, std::int64_t total)>;
/// The LoRA nearest to tuned - base, of at most `rank` (per module no more than needed for the
/// share `energy` of ‖Δ‖²). Throws Error if the models' weight shapes differ, and what `check`
/// throws.
ExtractResult extract_adapter(const WeightSource& base, const WeightSource& tuned, int rank,
                              double energy, const ExtractCheck& check = {},
                              const ExtractProgress& progress = {});

}  // namespace mantissa
