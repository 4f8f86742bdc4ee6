#pragma once
// Helpers shared by the catalogue's conditions.

#include <optional>
#include <vector>

#include "engine/precision/catalogue_entry.h"

namespace mantissa {

using MaybeConflict = std::optional<Conflict>;

/// Entries by area.
std::span<const CatalogueEntry> loss_scaling_entries();
std::span<const CatalogueEntry> hardware_entries();
std::span<const CatalogueEntry> quantised_base_entries();
std::span<const CatalogueEntry> adapter_entries();
std::span<const CatalogueEntry> optimizer_entries();
std::span<const CatalogueEntry> diffusion_entries();
std::span<const CatalogueEntry> graph_entries();
std::span<const CatalogueEntry> data_entries();

Conflict adjust(Preset fixed, FindingValues values = {});
/// An adjustment without a change of the preset.
Conflict notice(const PrecisionFacts& f, FindingValues values = {});
Conflict warn(Preset fixed, FindingValues values = {});
Conflict refuse(Preset fixed, FindingValues values = {});

bool always(const PrecisionFacts& f);
bool on_cuda(const PrecisionFacts& f);
/// The CPU emulates every format exactly; on CUDA it requires sm_80 or sm_89.
bool has_bf16(const PrecisionFacts& f);
bool has_fp8(const PrecisionFacts& f);
/// bf16, or fp16 where the device has no bf16.
ComputeType sixteen_bit(const PrecisionFacts& f);
/// bf16, or fp32 where the device has no bf16.
StorageType unquantised(const PrecisionFacts& f);

/// Activations are fp16.
bool computes_fp16(const PrecisionFacts& f);
bool computes_fp8(const PrecisionFacts& f);
/// Whichever activations are.
bool computes_int8(const PrecisionFacts& f);
/// Multiplies FP8 or INT8 codes.
bool computes_codes(const PrecisionFacts& f);
/// Activations are bf16 or fp16.
bool computes_half(const PrecisionFacts& f);

bool is_fp8(StorageType type);
bool is_fp8(DType type);
/// Codes with a scale for each few values: MXFP8 or NVFP4.
bool is_micro(StorageType type);
/// A pin that may apply to a module with gradients: any but the VAE's.
bool pin_trains(std::string_view pattern);
/// A pin of a module outside the VAE gives it that type.
bool has_pin(const Preset& preset, StorageType type);
void replace_pins(Preset& preset, StorageType from, StorageType to);

/// Gradients pass through fp16 somewhere: compute, pins or gradient accumulation.
bool passes_fp16(const Preset& preset);
/// The loss is scaled, by a number or dynamically.
bool scales_loss(const Preset& preset);
/// The loss is scaled by more than 1: small gradients are raised into fp16's range.
bool raises_gradients(const Preset& preset);

/// The weights themselves are trained rather than adapters.
bool trains_weights(const Preset& preset);
/// Magnitudes are trained: DoRA, or the DoRA form of LoHa or LoKr.
bool is_dora(const PrecisionFacts& f);
bool is_pissa(const PrecisionFacts& f);
Prediction resolved_prediction(const PrecisionFacts& f);
bool resolved_zero_terminal_snr(const PrecisionFacts& f);

/// The optimizer of one trained part, with its group's settings if it has one.
struct PartOptimizer {
  Part part;
  OptimizerType type = OptimizerType::adamw;
  double learning_rate = 0;

  const OptimizerRow& row() const { return optimizer_row(type); }
};
std::vector<PartOptimizer> part_optimizers(const Preset& preset);
/// Whether any part has an optimizer with this property.
bool any_part(const Preset& preset, bool (OptimizerRow::*property)() const);

/// Share of the elements of a freshly initialised matrix A, uniform within ±1/sqrt(1280) (SDXL's
/// widest layers), that an update of the size of the learning rate doesn't change: those of at
/// least 2^e, where 2^(e-p) is half a unit in the last place of a format with p significant bits,
/// and the smallest such value above the learning rate. An Adam-like update is about as large as
/// the learning rate.
double lost_update_share(double learning_rate, MasterType masters);

}  // namespace mantissa
