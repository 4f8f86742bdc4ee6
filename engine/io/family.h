#pragma once
// What a family of models is to the rest of the program. Families stand in engine/models, one
// folder each; engine/models/families.cpp lists them.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/io/model_names.h"
#include "engine/preset/part.h"
#include "engine/preset/preset.h"

namespace mantissa {

class AdapterSet;
class DiffusionModel;
class Kernels;
class PrecisionRules;
class WeightSource;
struct ModelContents;

/// A class of diffusers or transformers, as model_index.json names it: {"diffusers",
/// "UNet2DConditionModel"}.
struct LibraryClass {
  std::string_view library, name;
};

/// A part of a family, and what it is called.
struct PartFiles {
  Part part;
  std::string_view folder;     ///< in a diffusers folder: "unet", "text_encoder_2"
  LibraryClass model;          ///< what reads its config.json
  std::string_view tokenizer;  ///< a text encoder's folder beside it; empty for others
  LibraryClass tokenizer_model;
  /// What its tensors' names begin with in a single file; empty where it is in none.
  std::string_view prefix;
  /// Before a module's path in kohya's and in ComfyUI's adapters: "lora_te1_",
  /// "text_encoders.clip_l.transformer."; empty where these have no name for it.
  std::string_view kohya, comfyui;
};

/// Where a single file keeps a weight, by part and canonical name; empty where it has no place.
using OriginalName =
    std::function<std::optional<OriginalTensor>(Part part, const std::string& name)>;

/// How adapters of a family are told from those of others, by names and shapes alone.
struct AdapterMarks {
  std::int64_t context_width = 0;           ///< of a text's tokens, where it tells; 0: it doesn't
  std::span<const std::string_view> heads;  ///< beginnings of names that no other family has
  std::string_view architecture;            ///< what the metadata's architecture holds: "xl"
};

/// Everything that is known of one family outside of its own folder.
struct Family {
  ModelFamily id = ModelFamily::automatic;
  std::string_view title;            ///< as messages call it
  std::span<const PartFiles> parts;  ///< in the order they are bound: denoiser, encoders, VAE

  // -- its files ---------------------------------------------------------------------------------
  std::string_view pipeline;  ///< diffusers' class
  /// Entries of model_index.json that the pipeline wants and that are nothing here.
  std::span<const std::string_view> absent;
  /// The names of a base model's files where they are this family's, else null. Families are asked
  /// in the order of the registry.
  std::shared_ptr<const ModelNames> (*recognise)(const ModelFiles& files) = nullptr;
  /// The naming ("ldm", "diffusers") of a file that holds this family's denoiser, alone or not;
  /// empty for a file that doesn't.
  std::string_view (*naming)(std::span<const TensorInfo> tensors) = nullptr;
  /// Adds what `source` leaves open to a model that is about to be written: configs of its parts.
  void (*complete)(ModelContents& model, const WeightSource& source) = nullptr;
  /// What a single file calls the weights of `model`. Null: the family isn't written as one file.
  OriginalName (*original_names)(const ModelContents& model) = nullptr;
  /// Brings a model into the form that a diffusers folder has; null where that is the same.
  void (*to_folder)(ModelContents& model) = nullptr;

  // -- what its adapters are called elsewhere ----------------------------------------------------
  std::string_view kohya_version;     ///< ss_base_model_version
  bool kohya_original_paths = false;  ///< kohya's denoiser has its authors' paths, not diffusers'
  std::string_view architecture;      ///< modelspec.architecture of a base model
  std::string_view implementation;    ///< modelspec.implementation
  AdapterMarks marks;

  // -- how it is used ----------------------------------------------------------------------------
  /// scheduler_config.json of a model that brings none: what it was trained with.
  std::string_view scheduler;
  /// The only steps_offset that diffusers' pipeline knows, whatever the file says.
  std::optional<int> steps_offset;
  double latent_scale = 0.18215;   ///< of a VAE without a config
  bool latent_statistics = false;  ///< the pipelines apply latents_mean and latents_std
  bool vae_fits_fp16 = false;      ///< its VAE's activations stay within FP16
  bool t5 = false;                 ///< a T5 encoder reads its captions
  bool bf16_native = false;        ///< trained in BF16 only, with values beyond FP16's range

  // -- its networks ------------------------------------------------------------------------------
  /// Without `kernels` the model loads no weights: for planning. `adapters` may be null.
  std::unique_ptr<DiffusionModel> (*make)(Kernels* kernels, const WeightSource& source,
                                          AdapterSet* adapters,
                                          const PrecisionRules& rules) = nullptr;

  const PartFiles* part(Part part) const;
  std::vector<Part> text_parts() const;
  /// Have kohya's programs names for its adapters?
  bool has_kohya_names() const { return !parts.front().kohya.empty(); }
};

/// Every family, in the order in which they are asked whether files are theirs: one that is known
/// by less than another stands behind it. Defined in engine/models/families.cpp.
std::span<const Family* const> families();
/// What a single file must hold to be a base model, for the error that says that it doesn't; beside
/// families().
Message expected_checkpoint();

/// What is known of a family. Throws Error for `automatic`, which is none.
const Family& family_of(ModelFamily id);
/// Every part that some family has.
std::vector<Part> known_parts();
/// The names of a base model's files; null where they are no family's.
std::shared_ptr<const ModelNames> recognise(const ModelFiles& files);

}  // namespace mantissa
