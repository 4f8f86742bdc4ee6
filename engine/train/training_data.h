#pragma once

#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/data/buckets.h"
#include "engine/data/cache.h"
#include "engine/data/image_scan.h"
#include "engine/data/loader.h"
#include "engine/data/sets.h"
#include "engine/graph/device_values.h"
#include "engine/io/image.h"
#include "engine/preset/preset.h"
#include "engine/train/memory_plan.h"
#include "engine/train/step_program.h"
#include "engine/train/text_encoding.h"

namespace mantissa {

/// What TrainingData keeps of its pictures while a VAE is trained; what doesn't fit is read again.
inline constexpr std::size_t kPictureBytes = 64U << 20;

/// Pictures and captions as the step wants them. Latents, masks, and texts unless they are trained
/// or shuffled, are made once (on disk by content hash where data.cache says so) and read back
/// every step.
class TrainingData {
 public:
  using Notice = std::function<void(int level, const Message&)>;
  /// Finds the pictures and sorts them into buckets. `quantum`: pixels that every side is a
  /// multiple of. Throws Error for empty or missing folders.
  TrainingData(const Preset& preset, const SetFolders& folders, int quantum, const Notice& notice,
               const Progress& progress);

  /// How closely `missing` looks at what is cached: at headers, in moments, where an entry whose
  /// values changed counts as there; or at all of it, which `encode` then doesn't read again.
  enum class Look { headers, whole };
  /// What `encode` would find in no cache, or damaged there.
  EncodeWork missing(const DiffusionModel& model, Look look, const Progress& progress);
  /// Encodes what is not cached yet; a picture that can't be encoded is rejected by name. With VAE
  /// training nothing is encoded: pictures are read, and the first kPictureBytes of them kept.
  /// `model` carries no adapters. Throws Error when nothing is left.
  void encode(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  /// The picture of an item as its bucket cuts it. Throws Error naming it.
  Image picture(std::size_t item) const;
  /// A caption or a sample's prompt as `encode` made it. Throws Error where it is neither.
  TextEncoding text(const std::string& caption) const;
  /// Where captions come in a new order every epoch, `model` reads them from now on, with its text
  /// encoders bound; both must outlive this object.
  void read_captions_with(Kernels& kernels, DiffusionModel& model, Arena& arena);
  /// After encode: with text training, captions stay text; with VAE training there are only
  /// pictures and noise.
  StepInputs inputs(std::int64_t micro_step, Kernels& kernels) const;

  /// Every held-out picture is looked at in the middle of each quarter of the noise schedule.
  static constexpr std::size_t kValidationDraws = 4;
  const std::vector<ImageItem>& validation() const { return validation_; }
  std::int64_t validation_pictures() const { return std::ssize(validation_); }
  /// A held-out picture alone, at timestep (2·which + 1)/8 of the schedule, with noise that depends
  /// on its content only: the mean of its latents, its own caption, not mirrored, no offset noise.
  StepInputs validation_inputs(std::size_t picture, std::size_t which, Kernels& kernels) const;
  /// Their latent sizes, each with batch 1.
  std::vector<StepShape> validation_shapes(std::int64_t tokens, int factor) const;

  std::int64_t batches_per_epoch() const { return loader_->batches_per_epoch(); }
  /// Latent sizes in use with their batch, largest first.
  std::vector<StepShape> shapes(std::int64_t tokens, int factor) const;
  const Dataset& dataset() const { return dataset_; }
  std::string bucket_report() const { return loader_->report(buckets_); }

 private:
  void sort_into_buckets();
  std::map<std::string, HostTensor> load(const std::string& key, const std::string& source) const;
  void keep(const std::string& key, const std::string& source,
            std::map<std::string, HostTensor> tensors, bool on_disk);
  /// Whether there is a good entry: every one is read whole once.
  bool have(const std::string& key, const std::string& source, bool on_disk);
  /// Whether there is an entry, by its header.
  bool listed(const std::string& key, bool on_disk) const;
  /// Takes from the model what keys and inputs depend on.
  void identify(const DiffusionModel& model, const Progress& progress);
  /// The flips of an item that latents are wanted of: of pictures that are trained on both, where
  /// data.flip says so.
  std::vector<bool> flips_of(std::size_t item) const;
  /// Captions that are known before training, and what samples are told.
  std::set<std::string> texts() const;
  /// Of those trained on, then those held out.
  const ImageItem& item_at(std::size_t index) const;
  Placement placement_of(const ImageItem& item) const;
  bool has_mask(const ImageItem& item) const;
  void require_masks() const;
  std::string latent_key(const ImageItem& item, bool flipped) const;
  std::string mask_key(const ImageItem& item) const;
  std::string text_key(const std::string& caption) const;
  /// The caption of a trained picture in one epoch, before any is dropped.
  std::string caption_in(std::int64_t epoch, std::size_t index) const;
  /// Every caption that is known before training, the empty one where captions are dropped.
  std::set<std::string> captions() const;
  void read_pictures(const Progress& progress);
  StepInputs autoencoder_inputs(std::int64_t micro_step, const BatchPlan& plan,
                                Kernels& kernels) const;
  void encode_latents(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  /// Takes out pictures that can't be used, by item_at's numbers, rising. Throws Error where none
  /// is left.
  void reject(const std::vector<std::pair<std::size_t, Message>>& items);
  /// Latents are mean + deviation·draw; the mean alone where `draw` is empty.
  void add_latents(StepInputs& in, const ImageItem& item, bool flipped,
                   const std::vector<float>& draw) const;
  void add_text(StepInputs& in, const std::string& caption, const std::string& source) const;
  void encode_texts(Kernels& kernels, DiffusionModel& model, const Progress& progress);

  Preset preset_;
  Notice notice_;
  bool train_text_;
  Dataset dataset_;
  std::vector<ImageItem> validation_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_item_;
  std::optional<Loader> loader_;
  std::optional<TensorCache> disk_;
  std::map<std::string, std::map<std::string, HostTensor>> memory_;
  std::set<std::string> read_;  ///< keys of entries on disk that were read and are good
  std::string vae_fingerprint_, text_fingerprint_;
  std::map<std::string, TokenIds> tokens_;  ///< of the known captions, with text training
  std::set<std::string> known_texts_;       ///< encoded before training, without text training
  DiffusionModel* reader_ = nullptr;        ///< of captions that come in a new order
  std::unique_ptr<TextEncoder> live_text_;  ///< encodes them; null where text is trained
  std::vector<float> latent_gain_, latent_shift_;  ///< by channel: latent = gain·(z − shift)
  int latent_factor_ = 8, latent_channels_ = 4;
  std::shared_ptr<const Objective> objective_;
  mutable NormalDraws draws_;  ///< noise of the steps; gone before the backend it is drawn on
  mutable std::map<std::size_t, Image> pictures_;  ///< by item, with VAE training
  mutable std::size_t picture_bytes_ = 0;
};

/// Whether the step encodes its own captions: their tags are shuffled and text isn't trained.
inline bool reads_captions_live(const Preset& preset) {
  return preset.data.shuffle_captions && !trains_text(preset) && !trains_vae(preset);
}

}  // namespace mantissa
