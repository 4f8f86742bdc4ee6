#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/progress.h"
#include "engine/data/bucketed_images.h"
#include "engine/data/cache_use.h"
#include "engine/data/encoding_store.h"
#include "engine/data/image_cut.h"
#include "engine/io/image.h"
#include "engine/models/diffusion_model.h"
#include "engine/preset/preset.h"
#include "engine/programs/latent_encoding.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {

/// Work left to encode before training: what isn't cached.
struct EncodeWork {
  /// Sides of the largest image to encode, in pixels; 0: all latents are cached. With VAE training,
  /// of the largest of all.
  int width = 0, height = 0;
  bool texts = false;  ///< captions, or sample prompts
  /// Sizes of the references beside those texts, if the model sees them.
  SizesBesideTexts beside_texts{{}};
  /// Bytes in the disk cache of the latents and texts to encode, without file headers; 0 without a
  /// disk cache.
  std::uint64_t cache_bytes = 0;
  /// Latent sizes of the references of each of samples.prompts; may be shorter.
  std::vector<std::vector<LatentSize>> references{};
  std::vector<LatentSize> references_of(std::size_t prompt) const {
    return prompt < references.size() ? references[prompt] : std::vector<LatentSize>();
  }
};

/// Format of latents for the denoiser.
struct LatentFormat {
  int factor = 8;  ///< pixels per latent side
  int channels = 4;
  std::vector<float> gain, shift;  ///< by channel: scaled = gain·(z − shift)
  int patch = 1;                   ///< latents per token side
  static LatentFormat of(const DiffusionModel& model);
  /// Bytes of an image's encoding, its means and standard deviations.
  std::uint64_t bytes(const Bucket& bucket) const;
  LatentSize size_of(const Bucket& bucket) const {
    return {bucket.height / factor, bucket.width / factor};
  }
  /// Latents as the denoiser reads them.
  std::vector<float> scaled(const HostTensor& latents) const;
};

/// Images and captions, prepared for training steps. Latents, masks, and texts unless trained or
/// shuffled, are encoded once (cached on disk by content hash if data.cache is set) and read back
/// every step. May be moved until something refers to it.
class EncodedDataset {
 public:
  /// Finds the images and sorts them into buckets: arguments and errors are BucketedImages'.
  EncodedDataset(const Preset& preset, const SetFolders& folders, int quantum,
                 const DataNotice& notice, const Progress& progress,
                 const ReferenceRule& references = {});

  /// As BucketedImages::with_preset: to plan another preset, before anything is encoded.
  EncodedDataset with_preset(const Preset& preset) const;

  const Preset& preset() const { return images_.preset(); }
  const BucketedImages& images() const { return images_; }

  /// Tokens that the longest of the run's texts needs, shuffled or not; 0 if the model's texts all
  /// have one length (DiffusionModel::tokens_needed).
  std::int64_t longest_text(DiffusionModel& model) const;

  /// Notes in the report which captions and prompts the model's tokenizers have no room for.
  void find_cut_texts(DiffusionModel& model);

  /// How closely `missing` checks the cache: only headers, which is fast but misses changed values;
  /// or whole entries, which `encode` then doesn't read again.
  enum class Look { headers, whole };
  /// What `encode` would find missing or damaged in the cache.
  EncodeWork missing(DiffusionModel& model, Look look, const Progress& progress);
  /// Encodes what is not cached yet; an image that can't be encoded is rejected by name. With text
  /// training captions become tokens; with VAE training nothing is encoded: images are read, and
  /// the first kShelfBytes of them kept in memory. `model` carries no adapters. Throws Error if
  /// nothing is left.
  void encode(Kernels& kernels, DiffusionModel& model, const Progress& progress);

  /// Decodes what `encode` would encode, and keeps nothing: an image that can't be decoded is
  /// rejected by name, with the same errors. Holds a few images at a time.
  void decode(DiffusionModel& model, const Progress& progress);

  /// After `encode`: encodes what has disappeared from the cache since. Nothing is rejected: an
  /// image that can't be encoded any more is an Error naming it.
  void encode_again(Kernels& kernels, DiffusionModel& model);

  // -- results of `encode`; each throws EncodingGone if it disappeared meanwhile ------------------
  const LatentFormat& latent_format() const { return format_; }
  LatentMoments latents(const ImageItem& item, const ImageVersion& version, bool flipped) const;
  /// An image's references beside one of its versions, mirrored as it is. As the pipelines encode
  /// them: the means.
  std::vector<ReferenceLatents> references(const ImageItem& item, const ImageVersion& version,
                                           bool flipped) const;
  /// The negative image of a pair, as this version of the positive one.
  LatentMoments negative(const ImageItem& item, const ImageVersion& version, bool flipped) const;
  /// Latents of the references of one of samples.prompts.
  std::vector<ReferenceLatents> prompt_references(std::size_t prompt) const;
  /// [height, width] of the latents, in [0, 1], not mirrored; of an image that has one.
  HostTensor mask(const ImageItem& item, const ImageVersion& version) const;
  /// A text without references beside it.
  TextEncoding text(const std::string& caption) const;
  /// A caption of an image, beside one of its versions, mirrored or not.
  TextEncoding text(const std::string& caption, const ImageItem& item, const ImageVersion& version,
                    bool flipped) const;
  /// `text` of one of samples.prompts.
  TextEncoding prompt_text(std::size_t prompt, const std::string& text) const;
  /// Whether it is one of them.
  bool has_text(const std::string& caption) const { return texts_.contains(caption); }
  /// Tokens of a caption that is known before training, with text training; null for any other.
  const TokenIds* tokens(const std::string& caption) const;
  /// A version of a training image, cropped to one of its sizes. Throws Error naming it.
  Image image(std::size_t index, const Bucket& size, int variant) const;
  /// A training image as it is, without a version's changes: to measure and to compare.
  Image plain_image(std::size_t index) const;

 private:
  EncodedDataset(BucketedImages images, const DataNotice& notice);
  /// `number` tells the versions of an image apart. Throws InputChanged if the image's file isn't
  /// the one that was found.
  Image read_image(std::size_t index, int number, const ImageVersion& version) const;
  /// Keeps an encoding unless the model that made it has changed: it would be taken for one of the
  /// former model by every later run. Throws InputChanged.
  void keep(const EncodingEntry& entry, std::map<std::string, HostTensor> tensors,
            const EntryForm& form);
  /// Reads from the model what keys and latents depend on.
  void identify(const DiffusionModel& model, const Progress& progress);
  EncodingEntry latent_entry(const ImageItem& item, const ImageVersion& version,
                             bool flipped) const;
  EncodingEntry latent_entry(const ReferenceImage& reference, const ImageVersion& version,
                             bool flipped) const;
  LatentMoments moments(const EncodingEntry& entry) const;
  ReferenceLatents reference_latents(const ReferenceImage& reference, const ImageVersion& version,
                                     bool flipped) const;
  /// Entries of all its versions and flips, and of their references, with their sizes, equal ones
  /// once.
  std::vector<std::pair<EncodingEntry, Bucket>> latent_entries(std::size_t index) const;
  EncodingEntry mask_entry(const ImageItem& item, const ImageVersion& version) const;
  /// A text as it is encoded.
  struct Text {
    std::string caption;
    std::string source;  ///< its name in errors
    /// References that the model sees with it.
    std::vector<std::pair<const ReferenceImage*, ImageVersion>> references{};
    bool flipped = false;  ///< they are mirrored
  };
  Text text_beside(const std::string& caption, const ImageItem& item, const ImageVersion& version,
                   bool flipped) const;
  Text text_of_prompt(std::size_t prompt, const std::string& text) const;
  EncodingEntry text_entry(const Text& text) const;
  std::vector<LatentSize> sizes_beside(const Text& text) const;
  std::vector<Image> images_beside(const Text& text) const;
  /// All that are encoded before training; some may be equal.
  std::vector<Text> texts() const;
  /// The versions of an image to encode: of a validation image, it alone as it is.
  std::vector<ImageVersion> versions(std::size_t index) const;
  /// The flips of each of them: both for training images if data.flip is set.
  std::vector<bool> flips(std::size_t index) const;
  /// Whether the image's caption is another one in every epoch.
  bool shuffled(std::size_t index) const;
  /// The captions that are known before training of an image that isn't shuffled, with the empty
  /// one if they are dropped.
  std::set<std::string> captions_of(std::size_t index) const;
  /// Every caption that is known before training, with the empty one if captions are dropped.
  std::set<std::string> captions() const;
  /// These, and the sample prompts.
  std::set<std::string> captions_and_prompts() const;

  struct Wanted;
  struct Cut;
  std::vector<Wanted> wanted_images(const Progress& progress);
  void add_wanted(std::size_t index, std::vector<Wanted>& wanted);
  /// Returns the images that can't be encoded.
  std::vector<RejectedImage> encode_images(Kernels& kernels, DiffusionModel& model,
                                           const Progress& progress);
  /// Reads and crops the images, the next ones on other threads, and calls `use` with each; returns
  /// those that can't be read. What `use` throws is no image's fault and passes through.
  std::vector<RejectedImage> cut_images(std::vector<Wanted>& wanted, RunPhase phase,
                                        const Progress& progress,
                                        const std::function<void(const Wanted&, Cut&)>& use);
  void encode_image(const Wanted& wanted, Cut& cut, LatentEncoder& encoder);
  void encode_latents(const EncodingEntry& entry, const Image& image, LatentEncoder& encoder);
  EncodingEntry entry_of(const Wanted& wanted, bool flipped) const;
  void encode_prompt_references(Kernels& kernels, DiffusionModel& model);
  void tell_mask(const Wanted& wanted, const HostTensor& mask) const;
  void tell_image(const Wanted& wanted, const Image& image) const;
  /// Tells what decoding found, unless the scan has told it.
  void tell_image(const ImageItem& item, const Image& image) const;
  void encode_texts(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  void read_images(const Progress& progress);

  DataNotice notice_;
  BucketedImages images_;
  EncodingStore store_;
  std::shared_ptr<const CacheUse> use_;  ///< of the disk cache, as long as this is alive
  std::string vae_fingerprint_, text_fingerprint_, base_;
  std::vector<std::pair<std::filesystem::path, FileStamp>> model_files_;  ///< before those
  LatentFormat format_;
  bool texts_see_references_ = false;
  std::set<std::string> texts_;             ///< encoded before training, without text training
  std::map<std::string, TokenIds> tokens_;  ///< of the known captions, with text training
  mutable ImageShelf shelf_;                ///< with VAE training
};

}  // namespace mantissa
