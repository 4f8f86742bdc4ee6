#pragma once
// Findings that no preset alone shows, with the catalogue's texts.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/precision/finding.h"
#include "engine/precision/rules.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// S8: a trained part whose gradients are all zero.
PrecisionFinding no_gradients(const Preset& preset, Part part);

/// S11: `layer` is the first tensor that went non-finite, in execution order; empty if unknown.
PrecisionFinding endless_overflow(const Preset& preset, std::int64_t skips, std::string_view layer);

/// S14: `files` are the step's images.
PrecisionFinding non_finite_loss(const Preset& preset, std::int64_t step,
                                 std::span<const std::string> files);

/// D1: channels whose weights are zero, and their layers, if known.
PrecisionFinding empty_rows(const Preset& preset, std::int64_t channels,
                            std::span<const std::string> layers);

/// D4: a magnitude without any gradient.
PrecisionFinding frozen_magnitude(const Preset& preset, std::string_view layer);

/// D8: share of nonzero values, 0 to 1, that become zero in the written file of this dtype.
PrecisionFinding rounded_to_zero(MasterType dtype, double share, std::string_view file);

/// N2: an encoding of `source`, an image or a caption (`of_text`), with NaN or infinity.
PrecisionFinding nan_encoding(const Preset& preset, std::string_view source, bool of_text);

/// Q5: an adapter to be merged into FP8 weights.
PrecisionFinding merge_into_fp8(std::string_view file, DType type);

/// N13: `model` is a distilled variant ("Z-Image Turbo"), as `evidence` tells.
PrecisionFinding distilled_base(const Preset& preset, std::string_view model,
                                const Message& evidence);

/// A module of a bound model, for the pins.
struct PinTarget {
  std::string path;
  ModuleKind kind = ModuleKind::linear;
};
/// G6 and G7: pins that match no module, or only modules whose types are fixed.
std::vector<PrecisionFinding> pin_findings(const Preset& preset,
                                           std::span<const PinTarget> modules);

/// D18: entries of adapter.ranks that name none of the adapted `layers`, or only layers that an
/// earlier entry names.
std::vector<PrecisionFinding> rank_findings(const Preset& preset,
                                            std::span<const std::string> layers);

/// "S11: 3 skips in a row; … Fix: BF16 compute, …": one line for the log and for errors.
Message finding_text(const PrecisionFinding& finding);

/// The error that stops a run with this finding.
Error finding_error(ErrorKind kind, const PrecisionFinding& finding);

}  // namespace mantissa
