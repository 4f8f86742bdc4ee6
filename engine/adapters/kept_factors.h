#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/io/model_names.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A file's LoHas or LoKrs as another file holds them: factors alone, as of a trained set.
struct KeptFactors {
  std::vector<AdapterModule> modules;
  int lokr_factor = -1;  ///< AdapterExport::lokr_factor
};

/// Factors of a file that is written with `format`. Empty where some module is of another form, the
/// format has no names for them, or PEFT wouldn't make factors of their shapes: its LoKrConfig has
/// one decompose_factor for all layers, and takes ranks for the shape of `lokr_w2`.
std::optional<KeptFactors> kept_factors(std::span<const AdapterModule> modules, OutputFormat format,
                                        const ModelNames& base);

}  // namespace mantissa
