#pragma once
// A part's parameters are in two flat buffers: the matrices (A and B) in the master dtype of
// precision.adapter, and DoRA's magnitudes, always in fp32. A magnitude is one number per channel
// and stays near its initial value, so a 16-bit one would lose most updates; a separate buffer
// gives each optimizer a single dtype, and costs nothing without DoRA.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/dora.h"
#include "engine/adapters/product_form.h"
#include "engine/adapters/targets.h"
#include "engine/core/random.h"
#include "engine/graph/devices.h"
#include "engine/graph/tensor.h"
#include "engine/preset/names.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Each module's dropout has its own stream: this plus its index. (Initial values draw from
/// RandomStream::init with sample = index.)
inline constexpr std::uint32_t kAdapterDropoutStream =
    static_cast<std::uint32_t>(RandomStream::dropout) << 24;

/// A constant scaling of a weight's channels: DoRA from a file, see AdapterSet.
struct WeightFactor {
  DoraAxis axis = DoraAxis::output;
  Tensor factor;  ///< [channels] fp32
};

struct AdapterSize;
struct AdapterStack;

/// y = W·x + scale·up·down·dropout(x) (arXiv 2106.09685); a LoHa or LoKr has another product.
struct LoraAdapter {
  std::string path;  ///< "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q"
  Part part;
  int index = 0;      ///< binding order
  int device = 0;     ///< Tensor::device of all its tensors
  bool conv = false;  ///< the module's weight is [out, in, kh, kw]
  int rank = 0;
  float alpha = 0;
  float scale = 1;    ///< alpha / rank, or alpha / sqrt(rank)
  float dropout = 0;  ///< used while recording; see AdapterSet::WithoutDropout
  Tensor down;        ///< A: [rank, in] or [rank, in, kh, kw], in the master dtype
  Tensor up;          ///< B: [out, rank] or [out, rank, 1, 1]
  Shape shape;        ///< of the module's weight
  /// The frozen weight; null if requested by shape alone.
  const Tensor* weight = nullptr;
  std::optional<DoraAdapter> dora;     ///< trainable sets with magnitudes
  std::optional<WeightFactor> factor;  ///< fixed sets: up and down already include it
  /// Trainable sets of adapter.type loha or lokr: down and up are then empty.
  std::optional<ProductAdapter> product;
  const AdapterStack* stack = nullptr;  ///< the longest that it is in
};

/// Adapters of one shape, rank and scale that read the same input. Their down matrices are adjacent
/// in memory, and so are their up matrices.
struct AdapterStack {
  std::vector<LoraAdapter*> parts;
  Tensor down;  ///< [parts·rank, in]
  Tensor up;    ///< [parts·out, rank]
};

/// A weight of the model that is trained itself (training.method full): its master.
struct TrainedWeight {
  std::string path;  ///< its name in the base model: "te1.text_model.final_layer_norm.weight"
  Part part;
  Tensor master;
};

/// A trainable tensor under its PEFT name, and its place in its part's flat buffers.
struct AdapterTensor {
  /// "<path>.lora_A.weight", ".lora_B.weight" or ".lora_magnitude_vector", of a LoHa or LoKr
  /// ".hada_w1_a", ".lokr_w1" …; a trained weight's own name after part_folder(part).
  std::string name;
  Part part;
  std::int64_t offset = 0;  ///< in elements, among the part's tensors of its kind
  Tensor* tensor = nullptr;
  bool magnitude = false;  ///< in the part's magnitudes
  double rate_ratio = 1;   ///< its learning rate over the group's (LoRA+, arXiv 2402.12354)
  std::int64_t begin = 0;  ///< AdapterBuffer::begin of its buffer
};

/// One flat buffer of a part, with its own optimizer. A part whose layers are on several devices
/// has several of a kind; one after another they hold what one buffer would.
struct AdapterBuffer {
  Part part;
  bool magnitudes = false;
  View parameters, gradients;  ///< [n]
  Kernels* device = nullptr;   ///< that has it; null for planning
  std::int64_t begin = 0;      ///< elements in the buffers before it, of its part and kind
};

/// Values in place of the buffers of a kind, by part and AdapterBuffer::begin.
struct BufferKey {
  BufferKey(Part of, std::int64_t first = 0) : part(of), begin(first) {}
  Part part;
  std::int64_t begin;
  friend bool operator<(const BufferKey& a, const BufferKey& b) {
    return a.part < b.part || (!(b.part < a.part) && a.begin < b.begin);
  }
};
using FlatValues = std::map<BufferKey, View>;

/// The values of one module's LoRA, independent of any model, as in files.
struct LoraModule {
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

/// Shapes of a LoRA's matrices on a weight [out, in] or [out, in, kh, kw].
Shape down_shape(const Shape& weight, int rank);
Shape up_shape(const Shape& weight, int rank);

/// Gives a frozen weight, found by its path, new fp32 values; they are rounded or quantised to its
/// storage dtype.
using ReplaceWeight = std::function<void(const Tensor& weight, std::span<const float> values)>;

/// The base model's fp32 values of the weight at a path.
using ReadWeight = std::function<std::vector<float>(const std::string& path)>;

/// A LoRA file and its strength.
struct WeightedLora {
  const std::vector<LoraModule>* modules = nullptr;
  double weight = 1;
};

/// All trained parameters: a model's adapters, or with training.method full its own weights. Layers
/// request them by path during binding; then `finalize` places all parameters of a part in flat
/// buffers, in binding order.
class AdapterSet {
 public:
  /// Trainable adapters by the preset's targets, on the parts it trains of a model of `family`.
  AdapterSet(Kernels& kernels, const Preset& preset, const Family& family);
  /// Fixed adapters from files; several on one module are stacked along the rank. DoRA with
  /// strength w changes the weight by w·(W' - W): its factors are computed once, from the weight.
  /// If one of a module's files contains a dense change, all are merged into the weight (`replace`
  /// of finalize).
  AdapterSet(Kernels& kernels, std::span<const WeightedLora> files);
  /// No memory: for planning a graph. finalize must not be called.
  static AdapterSet planning(const Preset& preset, const Family& family);
  ~AdapterSet();
  AdapterSet(const AdapterSet&) = delete;
  AdapterSet& operator=(const AdapterSet&) = delete;

  /// Each adapter goes to the device of its module, which must outlive this; null: all to one. Call
  /// it before binding.
  void divide(const Devices* devices) { devices_ = devices; }

  /// Called by layers. `path` begins with part_folder(part); weight [out, in] or
  /// [out, in, kh, kw]. Null if the path is no target or the part isn't trained. The same path
  /// gives the same adapter. Throws Error for a new module after finalize, and if a file's adapter
  /// doesn't fit the weight.
  LoraAdapter* request(const std::string& path, Part part, const Tensor& weight);
  /// By shape alone: for plans, and adapters that need no weight (plain LoRA).
  LoraAdapter* request(const std::string& path, Part part, const Shape& weight) {
    return request(path, part, weight, nullptr);
  }

  /// Arranges the matrices of these adapters, bound one after another, so that they can be
  /// multiplied together. Null if they differ in shape, rank or scale, if one is a convolution's,
  /// or if they are already arranged otherwise. The same adapters give the same stack.
  AdapterStack* stack(std::span<LoraAdapter* const> parts);
  /// Keeps the flat buffers in the order of `tensors`, as in runs begun before there were stacks,
  /// and makes no stacks. Call it before binding.
  void keep_binding_order() { binding_order_ = true; }
  bool in_binding_order() const { return binding_order_; }

  /// The master of a weight that is trained itself, null for all others. `module` and `path` begin
  /// with the part's name ("te1."). The same path gives the same tensor.
  Tensor* request_weight(const std::string& module, const std::string& path, Part part,
                         const Shape& shape);

  /// Throws Error if a trained part has no adapter, or if a file's module matched none of the bound
  /// models; finalize does the same.
  void require_bound() const;

  /// Allocates and initialises: A Kaiming-uniform with a = sqrt(5), that is uniform in
  /// ±1/sqrt(fan_in), from Philox; B zero. LoHa and LoKr: see product_factors. With adapter.init
  /// pissa: A and B from the weight's largest singular vectors, and the residual goes to `replace`.
  /// DoRA's m is ‖V‖ at that start, by the code that computes n, so that m/n is 1 exactly. Weights
  /// must be loaded. Trained weights start from `read`'s values.
  void finalize(std::uint64_t seed, const ReplaceWeight& replace = {}, const ReadWeight& read = {});

  /// Fixed adapters after finalize: takes the values of other files, or of the same at other
  /// strengths, whose modules have the same ranks. False, and nothing is changed, if they differ or
  /// if a file changed a whole weight: then the model must be bound anew.
  bool exchange(std::span<const WeightedLora> files);

  const std::deque<TrainedWeight>& weights() const { return weights_; }
  const std::deque<LoraAdapter>& adapters() const { return adapters_; }
  /// Parts that have adapters, in order.
  std::vector<Part> parts() const;
  /// Flat [n] buffers of a part on one device, in the dtypes of precision.adapter and
  /// precision.gradients; n is 0 without adapter. Adapters from files are fp32.
  View parameters(Part part) const;
  View gradients(Part part) const;
  /// Buffers [n] of DoRA's magnitudes and their gradients, fp32; n is 0 without DoRA.
  View magnitudes(Part part) const;
  View magnitude_gradients(Part part) const;
  /// Every nonempty buffer: by part, the matrices before the magnitudes.
  std::vector<AdapterBuffer> buffers() const;
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

  /// The adapter of a path, null if there is none.
  const LoraAdapter* adapter(std::string_view path) const;
  /// Sets a DoRA's m to ‖V‖ of its current values, so that it equals plain LoRA.
  void renew_magnitudes(std::string_view path);
  bool starts_from_pissa() const { return !starts_.empty(); }

  /// The device that has a tensor of these adapters.
  Kernels& on(const Tensor& tensor) const { return on(tensor.device); }
  /// A tensor's values, from any storage dtype.
  std::vector<float> values(const Tensor& tensor) const;
  std::vector<float> gradient(const Tensor& tensor) const;

  /// Copies of all modules, as in files: `flat` and `magnitudes` (fp32), if given for a buffer,
  /// replace it (EMA). With pissa each module is the difference to the unmodified weight,
  /// at twice the rank. Zero-norm channels get the m that makes their factor 1.
  std::vector<LoraModule> snapshot(const FlatValues& flat = {},
                                   const FlatValues& magnitudes = {}) const;
  /// A trained weight's values; `flat` as in `snapshot`.
  std::vector<float> weight_values(const TrainedWeight& weight, const FlatValues& flat) const;
  /// The weight under an adapter as in the file, fp32 [out, in·kh·kw], to which snapshot's modules
  /// apply. Throws Error for a path without adapter.
  std::vector<float> base_weight(std::string_view path) const;
  /// Number of zero-norm channels over all DoRA adapters (finding D1); known after finalize.
  std::int64_t vanishing_channels() const;

  bool trainable() const { return trainable_; }
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

 private:
  /// Consecutive tensors of a part on one device.
  struct Flat {
    int device = 0;
    std::int64_t begin = 0, magnitude_begin = 0;  ///< AdapterBuffer::begin
    std::byte* parameters = nullptr;
    std::byte* gradients = nullptr;
    std::int64_t count = 0;
    /// The parameters as read by layers that compute in 16 bits: see AdapterSet::read_together.
    TensorBuffer matrices;
    std::byte* magnitudes = nullptr;
    std::byte* magnitude_gradients = nullptr;
    std::int64_t magnitude_count = 0;
    DoraBatch dora;
  };
  /// A module's initial PiSSA values, which its file must subtract.
  struct Start {
    std::vector<float> down, up;
  };
  /// A file's module and its strength.
  struct FixedModule {
    LoraModule module;
    double weight = 1;
  };
  AdapterSet(Kernels* kernels, const Preset& preset, const Family& family);
  LoraAdapter* request(const std::string& path, Part part, const Shape& shape,
                       const Tensor* weight);
  LoraAdapter& add(const std::string& path, Part part, const Shape& weight,
                   const AdapterSize& size);
  void collect(std::span<const WeightedLora> files);
  bool has_the_form_of(const LoraAdapter& adapter, const std::vector<FixedModule>& modules) const;
  void add_product(LoraAdapter& adapter, const Shape& weight, int rank);
  void add_tensor(LoraAdapter& adapter, Tensor& tensor, std::string_view suffix,
                  const Shape& shape);
  void read_together(Tensor& tensor, Part part);
  AdapterStack* around(std::span<LoraAdapter* const> parts);
  bool lay_together(std::span<LoraAdapter* const> parts);
  AdapterTensor& entry_of(const Tensor& tensor) {
    return tensors_[by_name_.find(tensor.name)->second];
  }
  void allocate();
  void allocate_constants();
  void initialise(std::uint64_t seed);
  void start_pissa(const ReplaceWeight& replace);
  void start_dora(LoraAdapter& adapter);
  void merge(const ReplaceWeight& replace);
  void fold(LoraAdapter& adapter, const std::vector<FixedModule>& modules);
  std::byte* own(int device, std::size_t bytes);
  Kernels& on(int device) const {
    return devices_ != nullptr ? devices_->kernels(device) : *kernels_;
  }
  Kernels* device_or_null(int device) const { return kernels_ != nullptr ? &on(device) : nullptr; }
  static std::optional<WeightFactor> common_factor(const std::string& path,
                                                   const std::vector<FixedModule>& modules,
                                                   const Shape& weight);
  LoraModule module_of(std::size_t index, const FlatValues& flat,
                       const FlatValues& magnitudes) const;
  LoraModule product_of(const LoraAdapter& adapter, const FlatValues& flat) const;
  DeviceArray product_change(LoraAdapter& adapter) const;
  std::vector<float> norms_of(const LoraAdapter& adapter, const LoraModule& module) const;
  std::vector<float> copy_of(const Tensor& tensor, const FlatValues& given) const;
  /// Rounds host values into a tensor.
  void set(const Tensor& tensor, const std::vector<float>& values);
  /// Where the next tensor of a part on `device` goes.
  Flat& room(Part part, int device);
  /// The one that has a tensor.
  Flat& flat_of(const AdapterTensor& entry);
  /// The first of a part.
  const Flat& flat(Part part) const {
    static const Flat none;
    const auto it = flats_.find(part);
    return it == flats_.end() ? none : it->second.front();
  }
  View view_of(const Flat& flat, bool magnitudes, bool gradients) const;

  Kernels* kernels_;
  const Devices* devices_ = nullptr;
  bool trainable_ = true;
  bool finalized_ = false;
  bool binding_order_ = false;
  Preset::Adapter options_;
  DType master_ = DType::f32, gradient_ = DType::f32;
  DType compute_ = DType::f32;  ///< compute dtype of most modules of a part
  AdapterTargets targets_;
  Preset::Training training_;
  std::map<std::string, std::vector<FixedModule>, std::less<>> fixed_;  ///< by path
  std::map<std::string, const Tensor*, std::less<>> merged_;  ///< weights that files change densely
  std::deque<LoraAdapter> adapters_;
  std::deque<AdapterStack> stacks_;
  std::deque<TrainedWeight> weights_;
  std::map<std::string, TrainedWeight*, std::less<>> weights_by_path_;
  std::map<std::string, LoraAdapter*, std::less<>> by_path_;
  std::vector<AdapterTensor> tensors_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<Part, std::deque<Flat>> flats_;
  std::vector<Start> starts_;                           ///< by adapter, with pissa
  std::vector<std::pair<Kernels*, std::byte*>> owned_;  ///< device memory
};

}  // namespace mantissa
