#pragma once
// Frozen adapters that help while a new one is trained: they change the model for the loss alone,
// and are neither in samples nor in the file that is saved.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/adapters/adapter.h"
#include "engine/adapters/adapter_module.h"
#include "engine/core/message.h"
#include "engine/io/family.h"
#include "engine/io/file_stamp.h"
#include "engine/preset/preset.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A training adapter as read from its file.
struct TrainingAdapterFile {
  std::filesystem::path path;
  std::string name;  ///< of the file, UTF-8
  double weight = 1;
  std::vector<AdapterModule> modules;
  std::vector<Message> notices;  ///< what the file doesn't say, and is assumed
  std::string sha256;            ///< 64 hex digits; of a folder, of its files' hashes
  std::map<std::filesystem::path, FileStamp> stamps;  ///< of every file, when it was read
};
using TrainingAdapterFiles = std::vector<TrainingAdapterFile>;

/// One file's change of a layer's weight, times the file's weight.
struct FrozenChange {
  /// A LoRA or a product. With `factor`, of a DoRA: per output, up·down·x + (factor - 1)∘(W·x); per
  /// input, up·down·x + W·(factor∘x). Its matrices then include the DoRA's own factor.
  Adapter adapter;
  std::optional<Tensor> whole;  ///< [out, in·area], where the file has no low rank; in its place
  const TrainingAdapterFile* file = nullptr;
  const AdapterModule* module = nullptr;
};

/// What training adapters change in one layer.
struct LayerChanges {
  std::deque<FrozenChange> changes;  ///< in the order of the files; graphs point into it
  const bool* active = nullptr;
};

/// The training adapters of a model, bound layer by layer. Each tensor is in the dtype that its
/// layer computes in: no rounding is added to the layer's own.
class TrainingAdapters {
 public:
  /// `parts`: the networks of a step; changes of others are left out.
  TrainingAdapters(std::shared_ptr<const TrainingAdapterFiles> files, std::vector<Part> parts);
  ~TrainingAdapters();
  TrainingAdapters(const TrainingAdapters&) = delete;
  TrainingAdapters& operator=(const TrainingAdapters&) = delete;

  /// The changes of a layer, null if there are none; called while it is bound. `weight` is its
  /// matrix, `compute` the dtype of its product, `device` the one that has it. Throws Error naming
  /// file and module if they don't fit.
  LayerChanges* request(const std::string& path, Part part, const Tensor& weight, DType compute,
                        int device);
  /// Throws Error naming a module that no layer of the networks has.
  void require_bound() const;
  /// Allocates, and takes the files' values. Weights must be loaded, and still be the base model's.
  void finalize(const std::function<Kernels&(int device)>& on);
  /// Bytes of all tensors, known before there is memory.
  std::size_t bytes() const;
  /// Whether graphs that are recorded now include them.
  bool active() const { return active_; }
  void set_active(bool active) { active_ = active; }

 private:
  FrozenChange frozen_change(const TrainingAdapterFile& file, const AdapterModule& module,
                             const Tensor& weight, DType compute, int device) const;
  void take_values(FrozenChange& change);
  void take_low_rank(FrozenChange& change, Kernels& kernels);
  void put(Tensor& tensor, const std::vector<float>& values);

  std::shared_ptr<const TrainingAdapterFiles> files_;
  std::vector<Part> parts_;
  std::map<std::string, LayerChanges, std::less<>> layers_;  ///< by path
  std::function<Kernels&(int device)> on_;
  std::vector<std::pair<Kernels*, void*>> owned_;
  bool active_ = true;
};

/// The networks that training adapters change: those of a step. That is the denoiser, and with
/// training of a text encoder all of them; else captions are encoded before the steps.
std::vector<Part> helped_parts(const Preset& preset, const Family& family);
/// How many of a file's modules are on other networks.
std::int64_t modules_outside(const TrainingAdapterFile& file, const std::vector<Part>& parts);

}  // namespace mantissa
