#pragma once
// Private to the importer of OneTrainer's files.

#include <algorithm>
#include <span>

#include "engine/preset/family_table.h"
#include "engine/preset/import_rules.h"
#include "engine/preset/optimizer_table.h"

namespace mantissa {

struct OneTrainer : ImportContext {
  using ImportContext::ImportContext;
  bool own_resolution = false;  ///< the concepts give theirs

  /// Whether the model's name begins so; it is SD 1.5 unless it is given.
  bool is_model(std::string_view family) const {
    const std::string name = text("model_type");
    return (name.empty() ? "STABLE_DIFFUSION_15" : name).starts_with(family);
  }
  /// Its name for the denoiser: Stable Diffusion has a UNet, all others a transformer.
  bool has_unet() const {
    return is_model("STABLE_DIFFUSION_1") || is_model("STABLE_DIFFUSION_2") ||
           is_model("STABLE_DIFFUSION_XL");
  }
  /// How many text encoders of the model are trained there. SD 2.x is of no family here.
  int trained_encoders() const {
    const ModelFamily family = chosen().model.family;
    return family == ModelFamily::automatic && has_unet() ? 1
                                                          : family_row(family).adapted_encoders();
  }
  /// The compute type of this name; with 8-bit matmuls in the denoiser, that of these. After
  /// training_method.
  std::string_view compute_type(std::string_view values) const;
  /// INT8 or FP8, where the frozen denoiser's matmuls multiply 8-bit codes; else empty.
  std::string_view code_type() const;
  /// Batches of an update: steps are batches there.
  double batches() const { return std::max(1.0, number("gradient_accumulation_steps", 1)); }
  /// After the optimizer: whether its schedule is constant and its warm-up its own.
  bool is_schedule_free() const { return optimizer_row(chosen().optimizer.type).schedule_free; }
  /// After peft_type.
  bool is_lokr() const;
  /// Whether LoKr's larger matrix is trained whole, which then has no alpha.
  bool is_whole_lokr() const;
  /// The rank that alpha is over: LoKr has its own.
  double rank_there() const;
};

using OneTrainerRule = ImportRule<OneTrainer>;

/// Keys that become settings, in the order of application: model, adapter and precision; then data,
/// training, optimizer, schedule, output and samples.
std::span<const OneTrainerRule> onetrainer_model_rules();
/// LoKr's own keys; after those of the model.
std::span<const OneTrainerRule> onetrainer_lokr_rules();
std::span<const OneTrainerRule> onetrainer_training_rules();
/// Keys of the noise, its levels and their weights in the loss; after those of the model.
std::span<const OneTrainerRule> onetrainer_noise_rules();
/// Keys that are paths, unsupported, or without effect on the result.
std::span<const OneTrainerRule> onetrainer_unused_rules();
/// What "concepts" ask for: changes of images, captions, repeats and weights.
void take_onetrainer_concepts(OneTrainer& o, ImportRow& row, const nlohmann::json& value);
/// The file that holds them, if the configuration doesn't.
void note_concept_file(OneTrainer& o, ImportRow& row, const nlohmann::json& value);
/// Words whose vectors are trained, alone or beside the parts; after these.
void finish_onetrainer_embeddings(OneTrainer& o);
/// Rows without a rule whose whole group has one answer.
void answer_onetrainer_groups(OneTrainer& o);

}  // namespace mantissa
