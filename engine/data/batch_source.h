#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/encoded_dataset.h"
#include "engine/data/loader.h"
#include "engine/diffusion/objective.h"
#include "engine/graph/device_values.h"
#include "engine/models/diffusion_model.h"
#include "engine/programs/step_inputs.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {

/// The inputs of training steps: a batch's images from an encoded data set, with timesteps and
/// noise drawn by Philox from (seed, micro-step, sample). Not thread-safe.
class BatchSource {
 public:
  /// Noise is drawn on `kernels`. `data`, encoded, and `kernels` must outlive this object.
  BatchSource(const EncodedDataset& data, std::shared_ptr<const Objective> objective,
              Kernels& kernels);

  /// If captions are shuffled every epoch, `model` encodes them from now on, with its text encoders
  /// bound and activations in `arena`; both must outlive this object.
  void read_captions_with(DiffusionModel& model, Arena& arena);
  /// Called when a cached encoding has disappeared: encodes it again, or throws.
  void restore_encodings_with(std::function<void()> encode) { encode_again_ = std::move(encode); }
  /// Takes the memory for drawing noise of up to `values`, and for reading captions.
  void warm_up(std::int64_t values);
  /// After that: Executor::record_ahead of what reads captions.
  void record_ahead();
  /// The inputs of a micro-step, counted from 0. With text training captions are tokens; with VAE
  /// training there are only images and noise. Throws EncodingGone if a cached encoding disappeared
  /// and nothing restores it.
  StepInputs inputs(std::int64_t micro_step);
  /// Inputs of a micro-step, made while a launched step runs; none where the model is needed to
  /// make them. Throws EncodingGone if a cached encoding disappeared.
  std::optional<StepInputs> inputs_beside_step(std::int64_t micro_step);

  /// Validation loss is computed at the middle of each quarter of the noise schedule.
  static constexpr std::size_t kValidationDraws = 4;
  /// A validation image alone, at timestep (2·which + 1)/8 of the schedule, with noise that depends
  /// on its content only: the mean of its latents, its own caption, neither mirrored nor
  /// changed, no offset noise.
  StepInputs validation_inputs(std::size_t image, std::size_t which);
  /// Likewise a training image, in its first version at its first size, with any caption that is
  /// known before training.
  StepInputs fixed_inputs(std::size_t image, std::size_t which, const std::string& caption);

 private:
  /// The version of an image that a text stands beside.
  struct TextPlace {
    const ImageItem& item;
    ImageVersion version;
    bool flipped;
  };
  StepInputs training_inputs(std::int64_t micro_step);
  StepInputs alone(const ImageItem& item, const ImageVersion& version, std::size_t which,
                   const std::string& caption);
  /// `make`, once more if an encoding had to be restored.
  template <typename Make>
  StepInputs with_encodings(const Make& make);
  /// With the latent sizes of a bucket, and nothing else.
  StepInputs sized_for(std::size_t batch, const Bucket& bucket) const;
  /// Tokens of one image, once `in` is sized.
  double tokens_of(const StepInputs& in) const;
  StepInputs autoencoder_inputs(std::int64_t micro_step, const BatchPlan& plan);
  /// Latents are mean + deviation·draw; the mean alone if `draw` is empty.
  void add_latents(StepInputs& in, const ImageItem& item, const ImageVersion& version, bool flipped,
                   const std::vector<float>& draw) const;
  std::vector<float> drawn(const LatentMoments& latents, const std::vector<float>& draw) const;
  /// Appends those of one sample to those of the batch; of a pair, the negative image, with the
  /// positive one's `draw`.
  void add_references(StepInputs& in, const ImageItem& item, const ImageVersion& version,
                      bool flipped, const std::vector<float>& draw) const;
  void add_mask(StepInputs& in, const ImageItem& item, const ImageVersion& version,
                bool flipped) const;
  /// `head`: before the names of a further text.
  void add_text(StepInputs& in, const std::string& caption, const TextPlace& place,
                const std::string& head = {});
  /// The text on which the base model's prediction is preserved, beside the one that is trained.
  void add_preserved(StepInputs& in, const std::string& caption, const std::string& trained,
                     const TextPlace& place);
  /// Noise of one sample, with its offset if training.noise_offset is set.
  std::vector<float> draw_noise(std::int64_t count, std::int64_t micro_step, std::size_t sample);
  /// Standard normals of one sample's stream.
  std::vector<float> draw(std::int64_t count, RandomStream stream, std::int64_t micro_step,
                          std::size_t sample);
  /// A training image's caption in one epoch, before caption dropout.
  std::string caption_in(std::int64_t epoch, std::size_t index) const;

  const EncodedDataset& data_;
  std::shared_ptr<const Objective> objective_;
  Kernels& kernels_;
  bool weighted_;  ///< losses of images weigh differently
  std::function<void()> encode_again_;
  DiffusionModel* reader_ = nullptr;        ///< for shuffled captions
  std::unique_ptr<TextEncoder> live_text_;  ///< encodes them; null if text is trained
};

/// Whether the step encodes its own captions: their tags are shuffled and text isn't trained.
inline bool reads_captions_live(const Preset& preset) {
  return preset.data.shuffle_captions && !trains_text(preset) && !trains_vae(preset);
}

}  // namespace mantissa
