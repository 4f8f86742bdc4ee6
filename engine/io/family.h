#pragma once
// The interface of a model family. Families are in engine/models, one folder each;
// engine/models/families.cpp lists them, and nothing else outside of their folders names them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/io/image.h"
#include "engine/io/model_names.h"
#include "engine/io/model_variant.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"
#include "engine/preset/family_table.h"
#include "engine/preset/part.h"
#include "engine/preset/preset.h"

namespace mantissa {

class AdapterSet;
class DiffusionModel;
class Kernels;
class PrecisionRules;
class WeightSource;
class WeightStore;
struct Draw;
struct FreshTensor;
struct ModelContents;

/// The μ of a flow's samples by tokens and steps (FlowConfig::sampling_mu).
using SamplingMu = double (*)(double tokens, int steps);

/// A class of diffusers or transformers, as model_index.json names it: {"diffusers",
/// "UNet2DConditionModel"}.
struct LibraryClass {
  std::string_view library, name;
};

/// The text encoder that some models of a family have in place of the usual one.
struct OtherEncoder {
  std::int64_t width = 0;    ///< of its table of tokens; 0: there is none
  std::string_view comfyui;  ///< as PartFiles::comfyui
};

/// A part of a family and its names.
struct PartFiles {
  Part part;
  std::string_view folder;     ///< in a diffusers folder: "unet", "text_encoder_2"
  LibraryClass model;          ///< what reads its config.json
  std::string_view tokenizer;  ///< a text encoder's folder beside it; empty for others
  LibraryClass tokenizer_model;
  bool tokenizer_ships = false;  ///< a model without that folder uses the program's own
  bool vision = false;           ///< its file holds a vision tower too, which isn't used
  /// Prefix of its tensors' names in a single file; empty if it is in none.
  std::string_view prefix;
  /// Before a module's path in kohya's and in ComfyUI's adapters: "lora_te1_",
  /// "text_encoders.clip_l.transformer."; empty if they have no name for it.
  std::string_view kohya, comfyui;
  /// ComfyUI's where the encoder's tokens have this width: that of the family's other models.
  OtherEncoder other_encoder{};
  std::string_view kohya_omits{};  ///< the level of its paths that kohya's names lack: "model."
  std::string_view onetrainer{};   ///< as `kohya`, in OneTrainer's adapters, where it differs
  /// The level of its paths in SimpleTuner's transformer, where that class holds several parts:
  /// "core."
  std::string_view simpletuner{};
  /// The name of its vectors in a file of an embedding; empty if it reads none of new words.
  std::string_view embedding{};
  /// Another program's name of them, which a file has as well.
  std::string_view embedding_too{};
  /// Which of its modules the sets of adapter.targets hold; empty for the VAE.
  std::span<const TargetRow> targets;
  std::span<const WideModule> wide{};  ///< its modules that need more bits than the others
  /// Globs of its modules that are never trained, by no adapter and not in full.
  std::span<const std::string_view> frozen{};
  /// Whether the module at this path, relative to the part, is one of them.
  bool keeps_frozen(std::string_view below) const;
};

/// A weight's tensor in a single file, by part and canonical name; empty if there is none.
using OriginalName =
    std::function<std::optional<OriginalTensor>(Part part, const std::string& name)>;

/// How adapters of a family are recognised, by names and shapes alone.
struct AdapterMarks {
  std::int64_t context_width = 0;           ///< width of text tokens, if distinctive; else 0
  std::span<const std::string_view> heads;  ///< name prefixes unique to this family
  std::string_view architecture;            ///< substring of the metadata's architecture: "xl"
  /// A module that only its models have, if its adapters have the names of another family's. They
  /// are told by it, or by metadata that begins with the title, and fit no other family.
  std::string_view own_module{};
};

/// Everything the rest of the program knows about a family.
struct Family {
  FamilyRow row;                     ///< what presets, importers and lists know of it
  std::span<const PartFiles> parts;  ///< in the order they are bound: denoiser, encoders, VAE

  // -- its files ---------------------------------------------------------------------------------
  std::string_view pipeline;  ///< diffusers' class
  /// Other classes of diffusers that load the same parts and nothing else that matters here.
  std::span<const std::string_view> other_pipelines;
  /// Settings in model_index.json, beside the parts, that are honoured.
  std::span<const std::string_view> pipeline_settings;
  /// Entries of model_index.json that the pipeline requires and that are null here.
  std::span<const std::string_view> absent;
  /// The names of a base model's files if they are this family's, else null.
  std::shared_ptr<const ModelNames> (*recognise)(const ModelFiles& files) = nullptr;
  /// Recognised by what its files lack: tried after the families that have it.
  bool recognised_last = false;
  /// The naming ("ldm", "diffusers") of a file that holds this family's denoiser, alone or not;
  /// empty for a file that doesn't.
  std::string_view (*naming)(std::span<const TensorInfo> tensors) = nullptr;
  /// Which of the family's variants a model is; null if there is only one.
  ModelVariant (*variant)(const WeightSource& source) = nullptr;
  /// Steps and guidance of the variants that aren't sampled as models usually are.
  std::span<const VariantSampling> sampling{};
  /// The key of a model's generation, one of row.generations; empty if it is of none. Null: there
  /// are none.
  std::string (*generation)(const WeightSource& source) = nullptr;
  /// Adds the configs that `source` lacks to a model about to be written.
  void (*complete)(ModelContents& model, const WeightSource& source) = nullptr;
  /// The single-file names of `model`'s weights. Null: the family isn't written as one file.
  OriginalName (*original_names)(const ModelContents& model) = nullptr;
  /// Converts a model to its diffusers folder layout; null if identical.
  void (*to_folder)(ModelContents& model) = nullptr;

  // -- names of its adapters in other programs --------------------------------------------------
  std::string_view kohya_version;     ///< ss_base_model_version
  bool kohya_original_paths = false;  ///< kohya's denoiser paths are the authors', not diffusers'
  /// Else ComfyUI's names are its prefix and the authors' paths if kohya has these too, or those of
  /// diffusers.
  bool comfyui_reads_kohya = true;
  std::string_view architecture;    ///< modelspec.architecture of a base model
  std::string_view implementation;  ///< modelspec.implementation
  AdapterMarks marks;

  // -- how it is used ----------------------------------------------------------------------------
  /// scheduler_config.json for a model without one: as it was trained.
  std::string_view scheduler;
  /// The only steps_offset that diffusers' pipeline uses, regardless of the file.
  std::optional<int> steps_offset;
  double latent_scale = 0.18215;  ///< of a VAE without a config
  /// Shift of a VAE without a config, in the encoder's scale. 0: the pipelines don't shift latents,
  /// regardless of the config.
  double latent_shift = 0;
  bool latent_statistics = false;  ///< the pipelines apply latents_mean and latents_std
  bool vae_fits_fp16 = false;      ///< its VAE's activations stay within FP16
  bool t5 = false;                 ///< a T5 encoder reads its captions
  bool bf16_native = false;        ///< trained in BF16 only, with values beyond FP16's range
  /// The pipelines scale larger reference images down to this many pixels; 0: they take none, and
  /// the denoiser reads none (DiffusionModel::predict_edit).
  std::int64_t reference_pixels = 0;
  /// The most pixels of a reference that is alone: it is kept whole, and its edges are reflected up
  /// to whole tokens (see place_reference). 0: it is sized as several are.
  std::int64_t lone_reference_pixels = 0;
  /// The pipelines scale smaller ones up to that area too, and stretch each to whole tokens.
  bool references_fill_area = false;
  /// They stretch each to the nearest whole tokens in place of cutting its sides.
  bool references_stretched = false;
  /// The pipelines stretch a reference to that of these sizes whose shape is the nearest, whatever
  /// its own; empty: they don't.
  std::span<const ImageSize> reference_sizes{};
  /// How many of them a prompt has at most; 0: any number.
  std::size_t most_references = 0;
  /// The variants that learned to read references, of a network that all have; empty: every model
  /// did, or none.
  std::span<const std::string_view> edit_variants{};
  /// In the paths of the denoiser's modules that nothing but references passes; empty: none has it.
  std::string_view reference_mark;
  /// The edit variant that a model is taken for with references if nothing tells its own.
  std::string_view assumed_edit{};
  /// Diffusers' class for a model that learned to edit, where it isn't `pipeline`.
  std::string_view edit_pipeline{};
  /// Why a model reads no references though others of the family do; an empty message: it does.
  /// Null: all models of the family do, or none.
  Message (*references_unread)(const WeightSource& source) = nullptr;

  // -- its networks ------------------------------------------------------------------------------
  /// Without `kernels` the model loads no weights: for planning. `adapters` may be null.
  std::unique_ptr<DiffusionModel> (*make)(Kernels* kernels, const WeightSource& source,
                                          AdapterSet* adapters,
                                          const PrecisionRules& rules) = nullptr;
  /// Requests the weights of a part with this config.json from `store`, for a new model; returns
  /// how their first values are drawn. Null: no new models are made.
  std::function<Draw(const FreshTensor&)> (*fresh)(WeightStore& store, Part part,
                                                   const nlohmann::json& config) = nullptr;
  /// FlowConfig::sampling_mu of the pipeline that a model is for; null: of none of them.
  SamplingMu (*sampling_mu)(const WeightSource& source) = nullptr;

  ModelFamily id() const { return row.id; }
  std::string_view title() const { return row.title; }
  const PartFiles* part(Part part) const;
  std::vector<Part> text_parts() const;
  /// Whether kohya's programs have names for its adapters.
  bool has_kohya_names() const { return !parts.front().kohya.empty(); }
};

/// The registry, in the order of lists: engine/models/families.cpp.
std::span<const Family* const> registered_families();
/// Every family, in the order in which files are recognised: the more specific ones first.
std::span<const Family* const> families();
/// A family that isn't in the registry, for as long as this lives: a test's, say. It comes before
/// all others. Not for use while other threads ask for families.
class AddedFamily {
 public:
  explicit AddedFamily(const Family& family);
  ~AddedFamily();
  AddedFamily(const AddedFamily&) = delete;
  AddedFamily& operator=(const AddedFamily&) = delete;

 private:
  const Family& family_;
};

/// What a base model's single file must hold, for the error message.
Message expected_checkpoint();

/// The family with this id. Throws Error for `automatic`.
const Family& family_of(ModelFamily id);
/// Every part of any family.
std::vector<Part> known_parts();
/// The names of a base model's files; null if no family recognises them.
std::shared_ptr<const ModelNames> recognise(const ModelFiles& files);

}  // namespace mantissa
