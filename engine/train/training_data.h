#pragma once
// defines: TrainingData, kPictureBytes, weight_fingerprint

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/data/buckets.h"
#include "engine/data/cache.h"
#include "engine/data/concepts.h"
#include "engine/data/loader.h"
#include "engine/io/image.h"
#include "engine/preset/preset.h"
#include "engine/train/step_program.h"

namespace mantissa {

/// What TrainingData keeps of its pictures while a VAE is trained; what doesn't fit is read again.
inline constexpr std::size_t kPictureBytes = 64U << 20;

/// Pictures and captions as the step wants them. Latents, and texts unless they are trained, are
/// encoded once (on disk by content hash where data.cache says so) and read back every step.
class TrainingData {
 public:
  using Notice = std::function<void(int level, const std::string&)>;
  /// Finds the pictures and sorts them into buckets. `quantum`: pixels that every side is a
  /// multiple of. Throws Error for empty or missing folders.
  TrainingData(const Preset& preset, const std::vector<std::filesystem::path>& folders, int quantum,
               const Notice& notice, const Progress& progress);

  /// Encodes what is not cached yet; a picture that can't be encoded is rejected by name. With VAE
  /// training nothing is encoded: pictures are read, and the first kPictureBytes of them kept.
  /// `model` carries no adapters. Throws Error when nothing is left.
  void encode(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  /// The picture of an item as its bucket cuts it. Throws Error naming it.
  Image picture(std::size_t item) const;
  /// After encode: with text training, captions stay text; with VAE training there are only
  /// pictures and noise.
  StepInputs inputs(std::int64_t micro_step, Kernels& kernels) const;

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
  bool have(const std::string& key, const std::string& source, bool on_disk);
  std::string latent_key(std::size_t item, bool flipped) const;
  std::string text_key(const std::string& caption) const;
  /// Every caption that training may ask for, the empty one where captions are dropped.
  std::set<std::string> captions() const;
  void read_pictures(const Progress& progress);
  StepInputs autoencoder_inputs(std::int64_t micro_step, const BatchPlan& plan,
                                Kernels& kernels) const;
  /// Takes out what couldn't be read; throws Error where nothing is left.
  void reject(const std::vector<std::pair<std::size_t, std::string>>& items);
  void encode_latents(Kernels& kernels, DiffusionModel& model, const Progress& progress);
  void encode_texts(Kernels& kernels, DiffusionModel& model, const Progress& progress);

  Preset preset_;
  Notice notice_;
  int quantum_;
  bool train_text_;
  Dataset dataset_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_item_;
  std::optional<Loader> loader_;
  std::optional<TensorCache> disk_;
  std::map<std::string, std::map<std::string, HostTensor>> memory_;
  std::string vae_fingerprint_, text_fingerprint_;
  std::map<std::string, TokenIds> tokens_;  ///< of every caption, with text training
  float latent_scale_ = 1;
  int latent_factor_ = 8, latent_channels_ = 4;
  mutable std::map<std::size_t, Image> pictures_;  ///< by item, with VAE training
  mutable std::size_t picture_bytes_ = 0;
};

/// Identifies the weights of a part: names, shapes, dtypes and the ends of every tensor.
std::string weight_fingerprint(const WeightSource& source, ModelPart part);

}  // namespace mantissa
