#pragma once
// A file read by the rules of another program.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/peft_config.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/readers/reader.h"

namespace mantissa {

/// Relative error of sums in single precision against those in double.
inline constexpr double kSumRounding = 1e-4;

enum class ReaderOutcome {
  as_meant,     ///< every tensor is read, and layers change as they should
  differs,      ///< a layer's change comes out otherwise
  partly,       ///< some tensors are left out
  no_change,    ///< it is read, and all of its changes are zero
  nothing,      ///< none of its names is known: it is loaded without effect
  refused,      ///< the program reports an error instead of loading it
  unsupported,  ///< the program has no adapters for such base models
};

/// A layer whose change was recomputed from the file.
struct CheckedLayer {
  std::string path;    ///< "denoiser.down_blocks.1.attentions.0.proj_in"
  double norm = 0;     ///< ‖ΔW‖ as the reader computes it
  double error = 0;    ///< ‖ΔW - meant‖ / ‖meant‖
  double allowed = 0;  ///< of `error`
};

struct ReaderVerdict {
  const Reader* reader = nullptr;
  ReaderOutcome outcome = ReaderOutcome::unsupported;
  std::int64_t tensors = 0;          ///< in the file
  std::int64_t modules = 0;          ///< of the base model, that get a change
  std::vector<std::string> unread;   ///< tensors left out, or for which the file is refused
  std::vector<std::string> misfits;  ///< tensors that don't fit the base model's weights
  std::vector<CheckedLayer> layers;  ///< one for each kind of module in the file

  bool works() const { return outcome == ReaderOutcome::as_meant; }
  /// The layer with the largest error; null if none was checked.
  const CheckedLayer* worst() const;
};

/// A layer's change as it should be, and how far a reader's may be from it: a share of its norm.
struct MeantChange {
  std::vector<float> delta;
  double allowed = 0;
};
/// The change of a module of the base model, by its adapter path and weight. Empty if unknown,
/// which leaves it unchecked.
using Meaning = std::function<std::optional<MeantChange>(const std::string& path,
                                                         std::span<const float> weight)>;

/// What `reader` would make of a file of these tensors with this base model. `config` is PEFT's, of
/// the file's metadata. Only headers are read, and the values of the layers that are checked: the
/// smallest of each kind.
ReaderVerdict read_as(const Reader& reader, std::span<const TensorInfo> tensors,
                      const PeftConfig& config, const WeightSource& base, const Meaning& meaning);

/// Modules as what a file means: exact but for rounding in single precision. `modules` must outlive
/// the result.
Meaning meaning_of(std::span<const AdapterModule> modules);

}  // namespace mantissa
