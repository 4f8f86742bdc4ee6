#pragma once
// What the files of a base model call its weights. A family says it (family.h); whoever reads and
// writes files or adapters asks.

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

/// How a tensor of a file becomes the weights it stands for.
enum class NameTransform {
  none,
  split_rows,  ///< several weights, each an equal share of the rows: q, k, v
  transpose,   ///< stored as [in, out]
  squeeze,     ///< stored as a pointwise convolution, [out, in, 1, 1]
  dropped,     ///< no weight: tables that are computed here, what training left behind
  marker,      ///< no weight: an empty tensor that says what the model is ("v_pred")
};

/// What a tensor stands for: weights of one part, by their canonical names.
struct NameMapping {
  NameTransform transform = NameTransform::none;
  std::vector<std::string> names;
  Part part;
};

/// Where a single file keeps a weight: the way back from a NameMapping.
struct OriginalTensor {
  std::string name;
  NameTransform transform = NameTransform::none;
  int slice = 0, slices = 1;  ///< which share of the rows, of how many, where split_rows
};

/// The tensors of a base model's files, before anybody knows what they mean.
struct ModelFiles {
  struct File {
    std::optional<Part> part;  ///< whose folder it lies in; empty: a file with the whole model
    std::span<const TensorInfo> tensors;
  };
  std::vector<File> files;

  bool single() const { return files.size() == 1 && !files.front().part; }
  /// Is there a tensor that `wanted(part, tensor)` is true of?
  template <typename F>
  bool any(F&& wanted) const {
    return std::any_of(files.begin(), files.end(), [&](const File& file) {
      return std::any_of(file.tensors.begin(), file.tensors.end(),
                         [&](const TensorInfo& tensor) { return wanted(file.part, tensor); });
    });
  }
};

/// What one base model's files call its weights, and what adapters for it call its modules. Made by
/// the family that recognises the files; immutable. Canonical names are those of diffusers
/// (denoiser, VAE) and transformers (text encoders).
class ModelNames {
 public:
  explicit ModelNames(const Family& family) : family_(&family) {}
  virtual ~ModelNames() = default;

  const Family& family() const { return *family_; }
  /// What a tensor stands for; `folder` as in ModelFiles. Empty: nothing is known about it.
  virtual std::optional<NameMapping> canonical(std::optional<Part> folder,
                                               const TensorInfo& tensor) const = 0;
  /// The path that checkpoints of the family's authors have for a module of a part, without what
  /// they put before the part: "input_blocks.4.1.proj_in". Empty where they have none.
  virtual std::optional<std::string> original(Part /*part*/, std::string_view /*path*/) const {
    return std::nullopt;
  }

 private:
  const Family* family_;
};

}  // namespace mantissa
