#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/io/key_map.h"
#include "engine/preset/part.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A class of diffusers or transformers, as model_index.json names it: {"diffusers",
/// "UNet2DConditionModel"}.
struct LibraryClass {
  std::string_view library, name;
};

/// A part of a family in a diffusers folder.
struct PartFiles {
  Part part;
  std::string_view folder;     ///< "unet", "text_encoder_2"
  LibraryClass model;          ///< what reads its config.json
  std::string_view tokenizer;  ///< a text encoder's folder beside it; empty for others
  LibraryClass tokenizer_model;
};

/// What files say of one family, and other programs: values, no networks.
struct Family {
  ModelFamily id = ModelFamily::sdxl;
  std::string_view title;            ///< "PixArt", in messages
  std::span<const PartFiles> parts;  ///< in the order they are bound: denoiser, encoders, VAE
  std::string_view pipeline;         ///< diffusers' class
  /// Entries of model_index.json that the pipeline wants and that are nothing here.
  std::span<const std::string_view> absent;
  bool single_file = true;  ///< can be written as one file, with LDM names

  // -- what its adapters are called elsewhere -----------------------------------------------------
  std::string_view kohya_version;   ///< ss_base_model_version
  std::optional<KohyaStyle> kohya;  ///< empty: kohya's programs have no names for it
  std::string_view architecture;    ///< modelspec.architecture of a base model
  std::string_view implementation;  ///< modelspec.implementation

  // -- how it is used ----------------------------------------------------------------------------
  /// The betas of scheduler_config.json where a model brings none; empty: SDXL's.
  std::string_view betas;
  /// The only steps_offset that diffusers' pipeline knows, whatever the file says.
  std::optional<int> steps_offset;
  bool latent_statistics = false;  ///< the pipelines apply latents_mean and latents_std
  bool vae_fits_fp16 = false;      ///< its VAE's activations stay within FP16
  bool t5 = false;                 ///< a T5 encoder reads its captions

  const PartFiles* part(Part part) const;
  std::vector<Part> text_parts() const;
};

/// What is known of a family. Throws Error for `automatic`, which is none.
const Family& family_of(ModelFamily id);

}  // namespace mantissa
