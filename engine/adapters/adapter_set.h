#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/adapter.h"
#include "engine/adapters/adapter_size.h"
#include "engine/adapters/flat_buffers.h"
#include "engine/adapters/training_adapters.h"
#include "engine/graph/tensor.h"
#include "engine/preset/names.h"

namespace mantissa {

/// The adapters of a model, as its layers see them: they request them by path while they are bound.
/// Afterwards `finalize` of the set at hand, trained (TrainedSet) or from files (FixedAdapters),
/// places all tensors of a part in flat buffers, in the order of binding.
class AdapterSet : public FlatBuffers {
 public:
  virtual ~AdapterSet() = default;

  /// Called by layers. `path` is the module's (io/module_path.h); weight [out, in] or
  /// [out, in, kh, kw]. Null if nothing adapts the path. The same path gives the same adapter.
  /// Throws Error for a new module after finalize, and if a file's adapter doesn't fit the weight.
  Adapter* request(const std::string& path, Part part, const Tensor& weight) {
    return request(path, part, weight.shape, &weight);
  }
  /// By shape alone: for plans, and adapters that need no weight (plain LoRA).
  Adapter* request(const std::string& path, Part part, const Shape& weight) {
    return request(path, part, weight, nullptr);
  }

  /// Arranges the matrices of these adapters, bound one after another, so that they can be
  /// multiplied together. Null if they differ in shape, rank or scale, if one is a convolution's,
  /// or if they are already arranged otherwise. The same adapters give the same stack.
  AdapterStack* stack(std::span<Adapter* const> parts);

  /// The master of a weight that is trained itself, null for all others. The same path gives the
  /// same tensor.
  virtual Tensor* request_weight(const std::string& module, const std::string& path, Part part,
                                 const Shape& shape) {
    return nullptr;
  }

  /// The vectors [words, width] of new words beside the token table of the module at `path`, null
  /// if there are none. Called by layers.
  virtual Tensor* request_words(const std::string& path, Part part, std::int64_t width) {
    return nullptr;
  }

  /// Frozen adapters that layers apply beside these while training; see TrainingAdapters.
  const TrainingAdapters* training_adapters() const { return beside_.get(); }
  /// What they change in a layer that computes in `compute`, null if nothing. Called by layers.
  LayerChanges* training_changes(const std::string& path, Part part, const Tensor& weight,
                                 DType compute) {
    return beside_ ? beside_->request(path, part, weight, compute, device_of(path)) : nullptr;
  }

  const std::deque<Adapter>& adapters() const { return adapters_; }
  /// The adapter of a path, null if there is none.
  const Adapter* adapter(std::string_view path) const;

 protected:
  AdapterSet(Kernels* kernels, const DTypes& dtypes) : FlatBuffers(kernels, dtypes) {}

  /// The size of the adapter on a module; none if it gets none.
  virtual std::optional<AdapterSize> size_on(const std::string& path, Part part, const Shape& shape,
                                             const Tensor* weight) = 0;
  /// Gives a new adapter of rank `size.rank` its scale and tensors.
  virtual void furnish(Adapter& adapter, const AdapterSize& size) = 0;

  void add_tensor(Adapter& adapter, Tensor& tensor, std::string_view suffix, const Shape& shape,
                  double rate_ratio = 1);
  /// Allocates all tensors; later requests for new modules fail.
  void lay_out();
  bool is_laid_out() const { return laid_out_; }
  std::deque<Adapter>& all() { return adapters_; }
  Adapter* find_adapter(std::string_view path);
  /// Keeps the tensors in the order of binding and makes no stacks.
  void set_binding_order() { binding_order_ = true; }
  bool has_binding_order() const { return binding_order_; }
  /// Call it before binding.
  void set_training_adapters(std::unique_ptr<TrainingAdapters> adapters) {
    beside_ = std::move(adapters);
  }
  /// Gives the training adapters their memory and values.
  void finalize_training_adapters();

 private:
  friend class WithAdapterScale;
  friend class WithoutAdapters;
  friend class WithoutDropout;
  friend class WithoutTrainingAdapters;

  Adapter* request(const std::string& path, Part part, const Shape& shape, const Tensor* weight);
  AdapterStack* around(std::span<Adapter* const> parts);
  bool lay_together(std::span<Adapter* const> parts);

  bool laid_out_ = false;
  bool binding_order_ = false;
  std::deque<Adapter> adapters_;
  std::deque<AdapterStack> stacks_;
  std::map<std::string, Adapter*, std::less<>> by_path_;
  std::unique_ptr<TrainingAdapters> beside_;
};

/// What is recorded in its lifetime has no dropout: samples, validation. It restores what was
/// before.
class [[nodiscard]] WithoutDropout {
 public:
  /// `set`: may be null.
  explicit WithoutDropout(AdapterSet* set);
  ~WithoutDropout();
  WithoutDropout(const WithoutDropout&) = delete;
  WithoutDropout& operator=(const WithoutDropout&) = delete;

 private:
  AdapterSet* set_;
  std::vector<float> before_;
};

/// What is recorded in its lifetime is the base model, with its training adapters. It restores what
/// was before.
class [[nodiscard]] WithoutAdapters {
 public:
  /// `set`: may be null.
  explicit WithoutAdapters(AdapterSet* set);
  ~WithoutAdapters();
  WithoutAdapters(const WithoutAdapters&) = delete;
  WithoutAdapters& operator=(const WithoutAdapters&) = delete;

 private:
  AdapterSet* set_;
  std::vector<bool> before_;
};

/// What is recorded in its lifetime has the adapters' changes times `factor`. It restores what was
/// before.
class [[nodiscard]] WithAdapterScale {
 public:
  /// `set`: may be null; has no magnitudes.
  WithAdapterScale(AdapterSet* set, float factor);
  ~WithAdapterScale();
  WithAdapterScale(const WithAdapterScale&) = delete;
  WithAdapterScale& operator=(const WithAdapterScale&) = delete;

 private:
  AdapterSet* set_;
  std::vector<float> before_;
};

/// What is recorded in its lifetime leaves the training adapters out: samples. It restores what was
/// before.
class [[nodiscard]] WithoutTrainingAdapters {
 public:
  /// `set`: may be null.
  explicit WithoutTrainingAdapters(AdapterSet* set);
  ~WithoutTrainingAdapters();
  WithoutTrainingAdapters(const WithoutTrainingAdapters&) = delete;
  WithoutTrainingAdapters& operator=(const WithoutTrainingAdapters&) = delete;

 private:
  TrainingAdapters* adapters_;
  bool before_ = false;
};

}  // namespace mantissa
