#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/adapter_set.h"
#include "engine/adapters/replace_weight.h"
#include "engine/adapters/targets.h"
#include "engine/graph/device_values.h"
#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A weight of the model that is trained itself (training.method full): its master.
struct TrainedWeight {
  std::string path;  ///< its name in the base model: "te1.text_model.final_layer_norm.weight"
  Part part;
  Tensor master;
};

/// The trained vectors of new words in one text encoder.
struct TrainedWords {
  std::string table;  ///< the base model's of tokens: "te1.text_model.embeddings.token_embedding"
  Part part;
  Tensor vectors;  ///< [those of all words, width], word by word
};

/// All trained parameters: a model's adapters by the preset's targets, on the parts it trains, or
/// with training.method full its own weights; and the vectors of embedding.tokens.
class TrainedSet : public AdapterSet {
 public:
  TrainedSet(Kernels& kernels, const Preset& preset, const Family& family);
  /// A set without memory, for planning a graph. finalize must not be called.
  static TrainedSet planning(const Preset& preset, const Family& family);

  Tensor* request_weight(const std::string& module, const std::string& path, Part part,
                         const Shape& shape) override;
  Tensor* request_words(const std::string& path, Part part, std::int64_t width) override;
  /// Keeps the flat buffers in the order of `tensors`, as in runs begun before there were stacks,
  /// and makes no stacks. Call it before binding.
  void keep_binding_order() { set_binding_order(); }
  bool in_binding_order() const { return has_binding_order(); }

  /// Frozen adapters beside the trained ones, null for none: on the denoiser, and on the text
  /// encoders if one is trained, since only then do they belong to a step. Call it before binding.
  void accompany(std::shared_ptr<const TrainingAdapterFiles> files);

  /// Throws Error if a trained part has no adapter, or a training adapter fits no layer; finalize
  /// does the same.
  void require_bound() const;
  /// Allocates and initialises: A Kaiming-uniform with a = sqrt(5), that is uniform in
  /// ±1/sqrt(fan_in), from Philox; B zero. LoHa and LoKr: see product_factors. With adapter.init
  /// pissa: A and B from the weight's largest singular vectors, and the residual goes to `replace`.
  /// DoRA's m is ‖V‖ at that start, by the code that computes n, so that m/n is 1 exactly. Weights
  /// must be loaded. Trained weights start from `read`'s values.
  void finalize(std::uint64_t seed, const ReplaceWeight& replace = {}, const ReadWeight& read = {});

  const std::deque<TrainedWeight>& weights() const { return weights_; }
  const std::deque<TrainedWords>& words() const { return words_; }
  /// Sets the vectors of one of `words`, which are 0 after finalize.
  void set_words(const TrainedWords& words, const std::vector<float>& values) {
    set(words.vectors, values);
  }
  /// Their values; `flat` as in `snapshot`.
  std::vector<float> word_values(const TrainedWords& words, const FlatValues& flat) const {
    return values(words.vectors, flat);
  }
  /// Sets every tensor. Throws Error naming the first tensor that is missing, unknown or of another
  /// size.
  void load(const std::map<std::string, std::vector<float>>& state);
  /// Sets a DoRA's m to ‖V‖ of its current values, so that it equals plain LoRA.
  void renew_magnitudes(std::string_view path);
  bool starts_from_pissa() const { return !starts_.empty(); }

  /// Copies of all modules, as in files: `flat` and `magnitudes` (fp32), if given for a buffer,
  /// replace it (EMA). With pissa each module is the difference to the unmodified weight,
  /// at twice the rank. Zero-norm channels get the m that makes their factor 1.
  std::vector<AdapterModule> snapshot(const FlatValues& flat = {},
                                      const FlatValues& magnitudes = {}) const;
  /// A trained weight's values; `flat` as in `snapshot`.
  std::vector<float> weight_values(const TrainedWeight& weight, const FlatValues& flat) const;
  /// The weight under an adapter as in the file, fp32 [out, in·kh·kw], to which snapshot's modules
  /// apply. Throws Error for a path without adapter.
  std::vector<float> base_weight(std::string_view path) const;
  /// Number of zero-norm channels over all DoRA adapters (finding D1); known after finalize.
  std::int64_t vanishing_channels() const;

 private:
  /// A module's initial PiSSA values, which its file must subtract.
  struct Start {
    std::vector<float> down, up;
  };

  TrainedSet(Kernels* kernels, const Preset& preset, const Family& family);
  std::optional<AdapterSize> size_on(const std::string& path, Part part, const Shape& shape,
                                     const Tensor* weight) override;
  void furnish(Adapter& adapter, const AdapterSize& size) override;
  void add_product(Adapter& adapter);
  void add_magnitudes(Adapter& adapter);
  void allocate_squares();
  void initialise(std::uint64_t seed);
  void start_pissa(const ReplaceWeight& replace);
  void start_dora(Adapter& adapter);
  AdapterModule module_of(std::size_t index, const FlatValues& flat,
                          const FlatValues& magnitudes) const;
  AdapterModule product_of(const Adapter& adapter, const FlatValues& flat) const;
  DeviceArray product_change(Adapter& adapter) const;
  std::vector<float> norms_of(const Adapter& adapter, const AdapterModule& module) const;

  Preset::Adapter options_;
  AdapterTargets targets_;
  Preset::Training training_;
  int word_vectors_;  ///< 0: no words are trained
  std::vector<Part> helped_parts_;
  std::deque<TrainedWeight> weights_;
  std::deque<TrainedWords> words_;
  std::map<std::string, TrainedWeight*, std::less<>> weights_by_path_;
  std::vector<Start> starts_;  ///< by adapter, with pissa
};

}  // namespace mantissa
