#pragma once
// A part's parameters are in two flat buffers: the matrices (A and B) in the master dtype of
// precision.adapter, those of embeddings in fp32, and DoRA's magnitudes, always in fp32. A
// magnitude is one number per channel and stays near its initial value, so a 16-bit one would lose
// most updates; a separate buffer gives each optimizer a single dtype, and costs nothing without
// DoRA.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/adapters/dora.h"
#include "engine/graph/devices.h"
#include "engine/graph/tensor.h"
#include "engine/preset/names.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A tensor under its PEFT name, and its place in its part's flat buffers.
struct AdapterTensor {
  /// "<path>.lora_A.weight", ".lora_B.weight" or ".lora_magnitude_vector", of a LoHa or LoKr
  /// ".hada_w1_a", ".lokr_w1" …; a trained weight's own path; "<path>.words" of embeddings.
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

/// The key of values in place of a buffer: its part and AdapterBuffer::begin.
struct BufferKey {
  BufferKey(Part of, std::int64_t first = 0) : part(of), begin(first) {}
  Part part;
  std::int64_t begin;
  friend bool operator<(const BufferKey& a, const BufferKey& b) {
    return a.part < b.part || (!(b.part < a.part) && a.begin < b.begin);
  }
};
using FlatValues = std::map<BufferKey, View>;

/// The tensors of an adapter set, laid out part by part in flat buffers, on one device or several.
/// They are first added, then get memory all at once.
class FlatBuffers {
 public:
  FlatBuffers(const FlatBuffers&) = delete;
  FlatBuffers& operator=(const FlatBuffers&) = delete;

  /// Each tensor goes to the device of its module, which must outlive this; null: all to one. Call
  /// it before binding.
  void divide(const Devices* devices) { devices_ = devices; }

  /// Parts that have tensors, in order.
  std::vector<Part> parts() const;
  /// Flat [n] buffers of a part on one device; n is 0 without adapter.
  View parameters(Part part) const;
  View gradients(Part part) const;
  /// Flat [n] buffers of DoRA's magnitudes, fp32; n is 0 without DoRA.
  View magnitudes(Part part) const;
  View magnitude_gradients(Part part) const;
  /// Every nonempty buffer: by part, the matrices before the magnitudes.
  std::vector<AdapterBuffer> buffers() const;
  void zero_gradients();
  std::int64_t parameter_count() const;
  /// Bytes of parameters and gradients, known before there is memory.
  std::size_t bytes() const;

  /// Every tensor in the order of binding.
  const std::vector<AdapterTensor>& tensors() const { return tensors_; }
  /// Null if there is no tensor of that name.
  const AdapterTensor* find(std::string_view name) const;
  /// The device that has a tensor.
  Kernels& on(const Tensor& tensor) const { return on(tensor.device); }
  /// A tensor's values, from any storage dtype.
  std::vector<float> values(const Tensor& tensor) const;
  std::vector<float> gradient(const Tensor& tensor) const;

 protected:
  struct DTypes {
    DType values = DType::f32;       ///< of matrices
    std::optional<DType> gradients;  ///< of matrices; none: the tensors are fixed
    DType compute = DType::f32;      ///< of most modules of a part
  };
  /// What a tensor is, besides its name, module, shape and device.
  struct Place {
    Part part;
    bool magnitude = false;
    double rate_ratio = 1;         ///< AdapterTensor::rate_ratio
    bool rounded_together = true;  ///< see round_together
  };

  /// `kernels` null: no memory, for planning.
  FlatBuffers(Kernels* kernels, const DTypes& dtypes) : kernels_(kernels), dtypes_(dtypes) {}
  ~FlatBuffers();

  bool trainable() const { return dtypes_.gradients.has_value(); }
  /// Types of a part's matrices and gradients: embeddings are fp32, whatever adapters are.
  DType value_dtype(Part part) const { return part == kEmbeddings ? DType::f32 : dtypes_.values; }
  DType gradient_dtype(Part part) const {
    return part == kEmbeddings ? DType::f32 : dtypes_.gradients.value_or(DType::f32);
  }
  bool is_planning() const { return kernels_ == nullptr; }
  const DTypes& dtypes() const { return dtypes_; }
  /// The device of the module of this path.
  int device_of(std::string_view path) const {
    return devices_ != nullptr ? devices_->of(std::string(path)) : 0;
  }
  Kernels& on(int device) const {
    return devices_ != nullptr ? devices_->kernels(device) : *kernels_;
  }

  /// Assigns a tensor the next place of its part on its device, and its dtypes.
  void add(Tensor& tensor, const Place& place);
  /// Makes tensors added one after another consecutive in the order given; false if others are
  /// between them.
  bool arrange(std::span<Tensor* const> order);
  /// Allocates the memory of every tensor.
  void allocate();
  /// Memory on a device, released with this.
  std::byte* own(int device, std::size_t bytes);
  /// The DoRA adapters of a part on a device.
  DoraBatch& dora_batch(Part part, int device) { return room(part, device).dora; }
  bool has_matrices(Part part) const { return flat(part).count > 0; }
  /// Rounds host values into a tensor.
  void set(const Tensor& tensor, const std::vector<float>& values);
  /// The tensor's values, from `given` if it has the tensor's buffer.
  std::vector<float> values(const Tensor& tensor, const FlatValues& given) const;

 private:
  /// Consecutive tensors of a part on one device.
  struct Flat {
    int device = 0;
    std::int64_t begin = 0, magnitude_begin = 0;  ///< AdapterBuffer::begin
    std::byte* parameters = nullptr;
    std::byte* gradients = nullptr;
    std::int64_t count = 0;
    /// The parameters as read by layers that compute in 16 bits: see round_together.
    TensorBuffer matrices;
    std::byte* magnitudes = nullptr;
    std::byte* magnitude_gradients = nullptr;
    std::int64_t magnitude_count = 0;
    DoraBatch dora;
  };

  void round_together(AdapterTensor& entry);
  AdapterTensor& entry_of(const Tensor& tensor) {
    return tensors_[by_name_.find(tensor.name)->second];
  }
  Kernels* device_or_null(int device) const { return kernels_ != nullptr ? &on(device) : nullptr; }
  /// Where the next tensor of a part on `device` goes.
  Flat& room(Part part, int device);
  /// The one that has a tensor.
  Flat& flat_of(const AdapterTensor& entry);
  /// The first of a part.
  const Flat& flat(Part part) const;
  View view_of(Part part, const Flat& flat, bool magnitudes, bool gradients) const;

  Kernels* kernels_;
  const Devices* devices_ = nullptr;
  DTypes dtypes_;
  std::vector<AdapterTensor> tensors_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<Part, std::deque<Flat>> flats_;
  std::vector<std::pair<Kernels*, std::byte*>> owned_;  ///< device memory
};

}  // namespace mantissa
