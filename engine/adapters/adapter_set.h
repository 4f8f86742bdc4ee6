#pragma once
// defines: LoraAdapter, AdapterTensor, LoraModule, AdapterSet

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/targets.h"
#include "engine/core/random.h"
#include "engine/graph/tensor.h"
#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Each module's dropout draws from a stream of its own: this plus its index. (Initial values draw
/// from RandomStream::init with sample = index.)
inline constexpr std::uint32_t kAdapterDropoutStream =
    static_cast<std::uint32_t>(RandomStream::dropout) << 24;

/// y = W·x + scale·up·down·dropout(x) (arXiv 2106.09685).
struct LoraAdapter {
  std::string path;  ///< "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q"
  Part part = Part::unet;
  int index = 0;      ///< binding order
  bool conv = false;  ///< the module's weight is [out, in, kh, kw]
  int rank = 0;
  float alpha = 0;
  float scale = 1;    ///< alpha / rank, or alpha / sqrt(rank)
  float dropout = 0;  ///< in force while recording; see AdapterSet::set_training
  Tensor down;        ///< A: [rank, in] or [rank, in, kh, kw], in the master dtype
  Tensor up;          ///< B: [out, rank] or [out, rank, 1, 1]
};

/// One trainable tensor under its PEFT name, and where it lies in its part's flat buffers.
struct AdapterTensor {
  std::string name;  ///< "<path>.lora_A.weight" or "<path>.lora_B.weight"
  Part part = Part::unet;
  std::int64_t offset = 0;  ///< in elements
  Tensor* tensor = nullptr;
};

/// The values of one module's LoRA, independent of any model: what files hold.
struct LoraModule {
  std::string path;
  int rank = 0;
  double alpha = 0;  ///< scale = alpha / rank
  Shape down_shape, up_shape;
  std::vector<float> down, up;
};

/// A LoRA file to be applied with a strength.
struct WeightedLora {
  const std::vector<LoraModule>* modules = nullptr;
  double weight = 1;
};

/// Every adapter of a model. Linear and Conv2d ask it by path while a model binds; then `finalize`
/// lays all parameters of a part in one flat buffer, in binding order.
class AdapterSet {
 public:
  /// Trainable adapters by the preset's targets, on the parts it trains.
  AdapterSet(Kernels& kernels, const Preset& preset);
  /// Fixed adapters from files; several on one module are stacked along the rank.
  AdapterSet(Kernels& kernels, std::span<const WeightedLora> files);
  /// No memory: for planning a graph. finalize may not be called.
  static AdapterSet planning(const Preset& preset);
  ~AdapterSet();
  AdapterSet(const AdapterSet&) = delete;
  AdapterSet& operator=(const AdapterSet&) = delete;

  /// Called by layers. `path` begins with adapter_prefix(part); weight [out, in] or
  /// [out, in, kh, kw]. Null if the path is no target or the part isn't trained. The same path
  /// gives the same adapter. Throws Error for a new module after finalize, and where a file's
  /// adapter doesn't fit the weight.
  LoraAdapter* request(const std::string& path, Part part, const Shape& weight);

  /// Allocates and initialises: A Kaiming-uniform with a = sqrt(5), that is uniform in
  /// ±1/sqrt(fan_in), from Philox; B zero. Throws Error if a trained part has no adapter.
  /// Fixed adapters: throws Error if a file's module met no module of the models bound.
  void finalize(std::uint64_t seed);

  const std::deque<LoraAdapter>& adapters() const { return adapters_; }
  /// Parts that have adapters, in order.
  std::vector<Part> parts() const;
  /// Flat [n] buffers of a part, in the dtypes precision.adapter and precision.gradients name; n is
  /// 0 where it has no adapter. Adapters from files are fp32.
  View parameters(Part part) const;
  View gradients(Part part) const;
  void zero_gradients();
  std::int64_t parameter_count() const;
  /// Bytes of parameters and gradients (known before finalize).
  std::size_t bytes() const;

  /// Every trainable tensor in binding order.
  const std::vector<AdapterTensor>& tensors() const { return tensors_; }
  /// Null if there is no tensor of that name.
  const AdapterTensor* find(std::string_view name) const;
  /// Sets every tensor. Throws Error naming the first tensor that is missing, unknown or of another
  /// size.
  void load(const std::map<std::string, std::vector<float>>& state);

  /// A tensor's values, whatever it is stored in.
  std::vector<float> values(const Tensor& tensor) const;
  std::vector<float> gradient(const Tensor& tensor) const;

  /// Copies of all modules; `flat` (fp32), where given for a part, replaces its parameters (EMA).
  std::vector<LoraModule> snapshot(const std::map<Part, View>& flat = {}) const;

  /// Dropout is recorded only while this is on (the start for trainable sets).
  void set_training(bool on);
  bool trainable() const { return trainable_; }

 private:
  struct Flat {
    std::byte* parameters = nullptr;
    std::byte* gradients = nullptr;
    std::int64_t count = 0;
  };
  AdapterSet(Kernels* kernels, const Preset& preset);
  LoraAdapter& add(const std::string& path, Part part, const Shape& weight, int rank);
  void initialise(std::uint64_t seed);
  /// Rounds host values into a tensor.
  void set(const Tensor& tensor, const std::vector<float>& values);
  std::vector<float> read(const View& view) const;
  Flat& flat(Part part) { return flats_[static_cast<std::size_t>(part)]; }
  const Flat& flat(Part part) const { return flats_[static_cast<std::size_t>(part)]; }

  Kernels* kernels_;
  bool trainable_ = true;
  bool finalized_ = false;
  Preset::Adapter options_;
  DType master_ = DType::f32, gradient_ = DType::f32;
  AdapterTargets targets_;
  std::vector<Part> trained_;
  std::map<std::string, LoraModule, std::less<>> fixed_;  ///< stacked, by path
  std::deque<LoraAdapter> adapters_;
  std::map<std::string, LoraAdapter*, std::less<>> by_path_;
  std::vector<AdapterTensor> tensors_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::array<Flat, 3> flats_{};
};

}  // namespace mantissa
