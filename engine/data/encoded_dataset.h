#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/data/bucketed_images.h"
#include "engine/data/encoding_store.h"
#include "engine/data/image_cut.h"
#include "engine/io/image.h"
#include "engine/models/diffusion_model.h"
#include "engine/preset/preset.h"
#include "engine/programs/latent_encoding.h"

namespace mantissa {

/// What no cache holds yet and is encoded before the steps.
struct EncodeWork {
  /// Of the largest image, in pixels; 0: every latent is there. With VAE training of the largest of
  /// all.
  int width = 0, height = 0;
  bool texts = false;  ///< captions, or prompts of samples
};

/// How latents are told to the denoiser.
struct LatentFormat {
  int factor = 8;  ///< pixels a latent is wide
  int channels = 4;
  std::vector<float> gain, shift;  ///< by channel: scaled = gain·(z − shift)
  int patch = 1;                   ///< latents that a token is wide
};

/// Images and captions as the steps want them. Latents, masks, and texts unless they are trained or
/// shuffled, are made once (on disk by content hash where data.cache says so) and read back every
/// step. May be moved until something refers to it.
class EncodedDataset {
 public:
  /// Finds the images and sorts them into buckets: arguments and errors are BucketedImages'.
  EncodedDataset(const Preset& preset, const SetFolders& folders, int quantum,
                 const DataNotice& notice, const Progress& progress);

  /// As BucketedImages::with_preset: to plan another preset, before anything is encoded.
  EncodedDataset with_preset(const Preset& preset) const;

  const Preset& preset() const { return images_.preset(); }
  const BucketedImages& images() const { return images_; }

  /// How closely `missing` looks at what is cached: at headers, in moments, where an entry whose
  /// values changed counts as there; or at all of it, which `encode` then doesn't read again.
  enum class Look { headers, whole };
  /// What `encode` would find in no cache, or damaged there.
  EncodeWork missing(const DiffusionModel& model, Look look, const Progress& progress);
  /// Encodes what is not cached yet; an image that can't be encoded is rejected by name. With text
  /// training captions become tokens; with VAE training nothing is encoded: images are read, and
  /// the first kShelfBytes of them kept. `model` carries no adapters. Throws Error when nothing is
  /// left.
  void encode(Kernels& kernels, DiffusionModel& model, const Progress& progress);

  // -- what `encode` made; each throws Error where it disappeared meanwhile -----------------------
  const LatentFormat& latent_format() const { return format_; }
  LatentMoments latents(const ImageItem& item, bool flipped) const;
  /// [height, width] of the latents, in [0, 1], not mirrored; of an image that has one.
  HostTensor mask(const ImageItem& item) const;
  /// A caption, or a sample's prompt. `source`: as errors name it.
  TextEncoding text(const std::string& caption, const std::string& source) const;
  TextEncoding text(const std::string& caption) const;
  /// Whether it is one of them.
  bool has_text(const std::string& caption) const { return texts_.contains(caption); }
  /// Of a caption that is known before training, with text training; null of any other.
  const TokenIds* tokens(const std::string& caption) const;
  /// A trained image as its bucket cuts it. Throws Error naming it.
  Image image(std::size_t index) const;

 private:
  EncodedDataset(BucketedImages images, const DataNotice& notice);
  /// Takes from the model what keys and latents depend on.
  void identify(const DiffusionModel& model, const Progress& progress);
  EncodingEntry latent_entry(const ImageItem& item, bool flipped) const;
  EncodingEntry mask_entry(const ImageItem& item) const;
  EncodingEntry text_entry(const std::string& caption, const std::string& source) const;
  /// The flips of an image that latents are wanted of: of those trained on both, where data.flip
  /// says so.
  std::vector<bool> flips(std::size_t index) const;
  /// Every caption that is known before training, the empty one where captions are dropped.
  std::set<std::string> captions() const;
  /// These, and what samples are told.
  std::set<std::string> captions_and_prompts() const;

  struct Wanted;
  std::vector<Wanted> wanted_images(const Progress& progress);
  void encode_images(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  void encode_image(Wanted& wanted, LatentEncoder& encoder);
  void encode_texts(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  void read_images(const Progress& progress);

  DataNotice notice_;
  BucketedImages images_;
  EncodingStore store_;
  std::string vae_fingerprint_, text_fingerprint_;
  LatentFormat format_;
  std::set<std::string> texts_;             ///< encoded before training, without text training
  std::map<std::string, TokenIds> tokens_;  ///< of the known captions, with text training
  mutable ImageShelf shelf_;                ///< with VAE training
};

}  // namespace mantissa
