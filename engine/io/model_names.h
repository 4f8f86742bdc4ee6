#pragma once
// The names of a base model's weights in its files: provided by a family (family.h), used to read
// and write files and adapters.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/safetensors.h"
#include "engine/preset/part.h"

namespace mantissa {

struct Family;

/// How a file's tensor maps to weights.
enum class NameTransform {
  none,
  split_rows,   ///< several weights, each some of equal shares of the rows: q, k, v
  transpose,    ///< stored as [in, out]
  squeeze,      ///< stored as a pointwise convolution, [out, in, 1, 1]
  swap_halves,  ///< stored with the second half of the rows first
  six_rows,     ///< a matrix of six rows, stored as one vector
  last_frame,   ///< of a causal network for video, [.., t, h, w]: all that acts on a single image
  dropped,      ///< no weight: tables that are computed here, leftovers of training
  marker,       ///< no weight: an empty tensor that marks the model's type ("v_pred")
};

/// A tensor's meaning: weights of one part, by their canonical names.
struct NameMapping {
  NameTransform transform = NameTransform::none;
  std::vector<std::string> names;
  Part part;
  /// With split_rows: how many shares each of them has; empty: one each.
  std::vector<int> spans{};
};

/// A weight's tensor in a single file: the inverse of a NameMapping.
struct OriginalTensor {
  std::string name;
  NameTransform transform = NameTransform::none;
  int slice = 0, slices = 1;  ///< with split_rows: its first share of the rows, of how many
  int span = 1;               ///< how many shares are its own
};

/// The module of original checkpoints that a module has some of the outputs of.
struct FusedModule {
  std::string path;           ///< without the part's prefix: "layers.4.attention.qkv"
  int slice = 0, slices = 1;  ///< the first of its shares, of how many
  int span = 1;               ///< how many shares are its own
};

inline std::string weight_of(std::string_view module_path) {
  return std::string(module_path) + ".weight";
}

/// The module that a weight's tensor belongs to; empty unless several weights share it by rows.
inline std::optional<FusedModule> fused_module(const std::optional<OriginalTensor>& weight) {
  if (!weight || weight->transform != NameTransform::split_rows) {
    return std::nullopt;
  }
  return FusedModule{weight->name.substr(0, weight->name.size() - weight_of({}).size()),
                     weight->slice, weight->slices, weight->span};
}

/// The module that a weight's tensor belongs to, if its halves of the rows are exchanged there.
inline std::optional<std::string> swapped_module(const std::optional<OriginalTensor>& weight) {
  if (!weight || weight->transform != NameTransform::swap_halves) {
    return std::nullopt;
  }
  return weight->name.substr(0, weight->name.size() - weight_of({}).size());
}

/// The tensors of a base model's files, not yet identified.
struct ModelFiles {
  struct File {
    std::optional<Part> part;  ///< the part whose folder it is in; empty: a file with the whole
                               ///  model
    std::span<const TensorInfo> tensors;
  };
  std::vector<File> files;

  bool single() const { return files.size() == 1 && !files.front().part; }
  /// Whether `wanted(part, tensor)` is true for any tensor.
  template <typename F>
  bool any(F&& wanted) const {
    return std::any_of(files.begin(), files.end(), [&](const File& file) {
      return std::any_of(file.tensors.begin(), file.tensors.end(),
                         [&](const TensorInfo& tensor) { return wanted(file.part, tensor); });
    });
  }
};

/// The names of a base model's weights in its files, and of its modules in adapters. Created by the
/// family that recognises the files; immutable. Canonical names are those of diffusers (denoiser,
/// VAE) and transformers (text encoders).
class ModelNames {
 public:
  explicit ModelNames(const Family& family) : family_(&family) {}
  virtual ~ModelNames() = default;

  const Family& family() const { return *family_; }
  /// The prefix of a part's modules in ComfyUI's adapters, by the model's own encoder; empty if it
  /// has none.
  std::string_view comfyui(Part part) const;
  /// A tensor's meaning; `folder` as in ModelFiles. Empty: unknown.
  virtual std::optional<NameMapping> canonical(std::optional<Part> folder,
                                               const TensorInfo& tensor) const = 0;
  /// A module's path in the family's original checkpoints, without the part's prefix:
  /// "input_blocks.4.1.proj_in". Empty if it has none.
  virtual std::optional<std::string> original(Part /*part*/, std::string_view /*path*/) const {
    return std::nullopt;
  }
  /// Name of a module whose halves of the outputs are the other way round there; those have no
  /// `original`.
  virtual std::optional<std::string> swapped(Part /*part*/, std::string_view /*path*/) const {
    return std::nullopt;
  }
  /// The original checkpoints' module that this one is fused into; empty if it is one there too.
  virtual std::optional<FusedModule> fused(Part /*part*/, std::string_view /*path*/) const {
    return std::nullopt;
  }

 protected:
  /// Notes which encoders of the files are PartFiles::other_encoder. For the end of a constructor.
  void note_encoders(const ModelFiles& files);

 private:
  const Family* family_;
  std::vector<Part> other_encoders_;
};

}  // namespace mantissa
