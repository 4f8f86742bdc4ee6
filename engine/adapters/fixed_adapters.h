#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/adapter_set.h"
#include "engine/adapters/embedding_file.h"
#include "engine/adapters/replace_weight.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Adapters from files, in fp32; several on one module are stacked along the rank. DoRA with
/// strength w changes the weight by w·(W' - W): its factors are computed once, from the weight. If
/// one of a module's files contains a dense change, all are merged into the weight.
class FixedAdapters : public AdapterSet {
 public:
  FixedAdapters(Kernels& kernels, std::span<const WeightedAdapter> files);

  /// Vectors of the words of TextOptions::words, in their order. Call it before binding.
  void add_words(const std::vector<WordEmbeddings>& words);
  Tensor* request_words(const std::string& path, Part part, std::int64_t width) override;
  /// Throws Error if a file's module matched none of the bound models; finalize does the same.
  void require_bound() const;
  /// Allocates, and takes the files' values. Weights must be loaded. `replace` receives the weights
  /// that files change densely.
  void finalize(const ReplaceWeight& replace = {});
  /// After finalize: takes the values of other files, or of the same at other strengths, whose
  /// modules have the same ranks. False, and nothing is changed, if they differ or if a file
  /// changed a whole weight: then the model must be bound again.
  bool exchange(std::span<const WeightedAdapter> files);

 private:
  /// A file's module and its strength.
  struct Given {
    AdapterModule module;
    double weight = 1;
  };

  /// The vectors of all words in one text encoder.
  struct Words {
    std::string table;  ///< path of the encoder's table of tokens, once bound
    WordVectors vectors;
    Tensor tensor;
  };

  std::optional<AdapterSize> size_on(const std::string& path, Part part, const Shape& shape,
                                     const Tensor* weight) override;
  void furnish(Adapter& adapter, const AdapterSize& size) override;
  void collect(std::span<const WeightedAdapter> files);
  bool has_the_form_of(const Adapter& adapter, const std::vector<Given>& modules) const;
  void merge(const ReplaceWeight& replace);
  void fold(Adapter& adapter, const std::vector<Given>& modules);
  static std::optional<WeightFactor> common_factor(const std::string& path,
                                                   const std::vector<Given>& modules,
                                                   const Shape& weight);

  Kernels& kernels_;
  std::deque<Words> words_;
  std::map<std::string, std::vector<Given>, std::less<>> given_;  ///< by path, until finalize
  std::map<std::string, const Tensor*, std::less<>> merged_;      ///< weights changed densely
};

}  // namespace mantissa
