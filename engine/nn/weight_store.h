#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/devices.h"
#include "engine/graph/tensor.h"
#include "engine/io/weights.h"
#include "engine/precision/rules.h"
#include "kernels/kernels.h"

namespace mantissa {

/// The frozen weights of a base model, loaded when a model first asks for them. Tensors keep their
/// address until their part is released.
class WeightStore {
 public:
  /// `map_files`: a weight that the file holds in the wanted dtype is used directly from the
  /// mapping (host backends only).
  WeightStore(Kernels& kernels, const WeightSource& source, bool map_files = true);
  /// Loads nothing: graphs can be recorded and planned, not run. Shapes are still checked against
  /// `source`.
  static WeightStore planning(const WeightSource& source);
  /// Loads nothing and accepts every name and shape: records the names a model would request.
  static WeightStore planning();
  ~WeightStore();
  WeightStore(WeightStore&&) = default;
  WeightStore& operator=(WeightStore&&) = delete;

  /// The weight `path`: part ("denoiser", "te1", "te2", "vae"), dot, canonical name. Codes are made
  /// from the file's own dtype with one scale per output channel, or of NF4 in blocks; codes stored
  /// in exactly that format are kept, with the file's scales, or 1 without any. Throws Error naming
  /// tensor, file, both shapes and a hint if it is missing or has another shape.
  Tensor& frozen(const std::string& path, const Shape& expected, DType dtype);
  bool contains(const std::string& path) const;
  /// Checks a weight that is stored elsewhere; throws as `frozen`.
  void require(const std::string& path, const Shape& expected) const;
  /// The base model's own values of a weight, fp32.
  std::vector<float> values(const std::string& path) const;
  /// Replaces a weight of this store by fp32 values, rounded or quantised to its storage dtype; its
  /// address stays, its data may move. Throws Error for a tensor that isn't this store's.
  void replace(const Tensor& weight, std::span<const float> values);
  /// These weights, by path, stay in host memory and are copied for each use. Call it before
  /// requesting them.
  void stream(std::set<std::string> paths) { streamed_ = std::move(paths); }
  /// Each weight goes to its own of these devices, which must outlive this; null: all to one. Call
  /// it before requesting them.
  void divide(const Devices* devices) { devices_ = devices; }
  /// The device that has a weight.
  Kernels& on(const Tensor& weight) const {
    return devices_ != nullptr ? devices_->kernels(weight.device) : *kernels_;
  }
  /// These weights as one matrix, the rows of each after those of the one before: they are moved to
  /// adjacent memory if necessary, and can still be used separately. If one is streamed, all are
  /// from then on, so that streaming doesn't change what is computed together. Null if one is not
  /// this store's or is already part of another matrix, if their dtypes or columns differ, or if
  /// they are blocks, whose scales belong to one tensor. The same parts give the same tensor.
  Tensor* stack(std::span<Tensor* const> parts);
  /// Frees every weight of a part; models bound to them must be gone.
  void release(Part part);

  /// Bytes of memory taken by weights (planning: that would be taken), including mapped ones.
  std::size_t bytes() const { return bytes_; }
  std::size_t bytes(Part part) const;
  /// Bytes of a device's packed copies of frozen convolutions, in GEMM layout.
  std::size_t packed_bytes() const;
  std::size_t packed_bytes(Part part) const;
  /// Calls `use` with every weight returned so far, by path; `name` is the canonical one in its
  /// part, `replaced` is true if its content no longer comes from the file.
  using Use =
      std::function<void(Part part, std::string_view name, const Tensor& tensor, bool replaced)>;
  void each(const Use& use) const;
  /// Every (path, shape) returned so far, by path.
  std::vector<std::pair<std::string, Shape>> bound() const;

  /// Records that a weight of this module was returned, for `modules`.
  void note(const std::string& module, ModuleKind kind) { modules_.emplace(module, kind); }
  /// Every (module path, kind) noted so far, by path.
  const std::set<std::pair<std::string, ModuleKind>>& modules() const { return modules_; }

 private:
  std::size_t sum_packed(const std::function<bool(Part)>& wanted) const;
  struct Entry {
    Tensor tensor;  ///< `scale` follows the codes
    Part part;
    bool owned = false;
    bool replaced = false;
    bool stacked = false;  ///< part of a stack, whose memory it uses unless it is streamed codes
    bool uses_stacks_memory() const { return stacked && !(tensor.streamed && tensor.quantized()); }
  };
  struct Stack {
    Tensor whole;
    Part part;
    void* memory = nullptr;  ///< of `whole`, on the host if streamed; null if a longer stack's
  };
  WeightStore() = default;
  void release_constants() const;
  Entry* entry_of(const Tensor& tensor) const;
  Stack* around(std::span<Tensor* const> parts) const;
  void move_together(Stack& stack);
  /// Puts streamed weights together, in host memory. Codes are copied: the scales of a matrix
  /// follow all of its codes.
  void stream_together(Stack& stack, bool in_longer);
  void copy_to_stack(const Stack& stack) const;
  void begin_streaming(Entry& entry);
  void free_memory(const Stack& stack) const;
  void check_shape(const std::string& path, const Shape& actual, const Shape& expected) const;
  void drop(const Entry& entry);
  void load(Entry& entry, std::string_view name, const WeightView& view);
  void load_streamed(Entry& entry, std::string_view name, const WeightView& view);
  /// The dtype of blocks as the file has them. Throws Error if they can't be kept.
  DType kept_type(const std::string& path, const WeightView& view) const;
  /// The file's own codes and scales.
  void keep_blocks(const Tensor& tensor, const WeightView& view);
  /// The file's values in the tensor's dtype.
  void read_into(const Tensor& tensor, std::string_view name, Part part);
  void quantize(Tensor& tensor, std::string_view name, Part part);
  void write_values(Tensor& tensor, std::span<const float> values);

  Kernels* kernels_ = nullptr;
  const Devices* devices_ = nullptr;
  std::optional<WeightSource> source_;
  bool map_files_ = true;
  std::size_t bytes_ = 0;
  std::set<std::string> streamed_;
  std::map<std::pair<std::string, DType>, std::unique_ptr<Entry>> entries_;
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::set<std::pair<std::string, ModuleKind>> modules_;
};

}  // namespace mantissa
